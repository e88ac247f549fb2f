//! `CommitMoves`: the moves and deletions of one commit.

use crate::path::RelPath;

/// The evidence for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MoveEvidence {
    /// Git found this file's content at the new path.
    File,
    /// The files around it moved there; its own content was not compared.
    Directory,
}

/// The changes of a commit, as a diff reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitChanges {
    /// The commit's id in hexadecimal digits.
    pub id: String,
    /// The committer's date, in seconds since 1970.
    pub seconds: i64,
    /// Files that git found again under another path: (before, after).
    pub renames: Vec<(RelPath, RelPath)>,
    /// Files that are gone and were not found again.
    pub deletions: Vec<RelPath>,
    /// New files that are no renames.
    pub additions: Vec<RelPath>,
}

/// The paths that one commit moved or deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitMoves {
    /// The commit's id in hexadecimal digits.
    pub id: String,
    /// The committer's date, in seconds since 1970.
    pub seconds: i64,
    /// Files that moved.
    pub moves: Vec<Move>,
    /// Files that were deleted.
    pub deletions: Vec<RelPath>,
    /// Directories that moved or were deleted.
    pub directories: Vec<DirectoryMove>,
}

/// A file that moved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Its path before the commit.
    pub from: RelPath,
    /// Its path after it.
    pub to: RelPath,
    /// The evidence for it.
    pub by: MoveEvidence,
}

/// A directory whose files moved together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryMove {
    /// Its path before the commit; empty is the root.
    pub from: RelPath,
    /// Its path after it; `None` if all its files were deleted.
    pub to: Option<RelPath>,
    /// True if no file stayed.
    pub whole: bool,
}

impl CommitMoves {
    /// Returns whether it has no move and no deletion.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.deletions.is_empty() && self.directories.is_empty()
    }
}
