//! `CommitMoves`: what one commit says about paths.

use crate::path::RelPath;

/// How a move is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// Git saw this file's content in the new place.
    File,
    /// The files around it went there; its own content was not compared.
    Directory,
}

/// What a commit did to files, as a diff reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitChanges {
    /// The commit's id in hexadecimal digits.
    pub id: String,
    /// The committer's date, in seconds since 1970.
    pub seconds: i64,
    /// Files that git saw again under another path: (before, after).
    pub renames: Vec<(RelPath, RelPath)>,
    /// Files that are gone and were not seen again.
    pub deletions: Vec<RelPath>,
    /// Files that are new and were nothing else before.
    pub additions: Vec<RelPath>,
}

/// What one commit says about paths that are gone after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitMoves {
    /// The commit's id in hexadecimal digits.
    pub id: String,
    /// The committer's date, in seconds since 1970.
    pub seconds: i64,
    /// Files that went elsewhere.
    pub moves: Vec<Move>,
    /// Files that were deleted.
    pub deletions: Vec<RelPath>,
    /// Directories that went elsewhere, or were deleted.
    pub directories: Vec<DirectoryMove>,
}

/// A file that went elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Before the commit.
    pub from: RelPath,
    /// After it.
    pub to: RelPath,
    /// How it is known.
    pub by: By,
}

/// A directory whose files went elsewhere together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryMove {
    /// Before the commit; empty is the root.
    pub from: RelPath,
    /// After it; `None` when all its files were deleted.
    pub to: Option<RelPath>,
    /// Whether nothing stayed where it was.
    pub whole: bool,
}

impl CommitMoves {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.deletions.is_empty() && self.directories.is_empty()
    }
}
