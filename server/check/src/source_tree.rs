//! `SourceTree`: the files of a root as they are on disk, in a commit, or after a rename or deletion. `Checker` reads
//! files only through it.

mod commit_tree;
mod deletion_overlay;
mod disk;
mod lacking;
mod listed_files;
mod rename_overlay;
mod text_cache;

use std::sync::Arc;

use pathfinder_literals::Tree;

use super::name_index::NameIndex;

pub(super) use commit_tree::CommitTree;
pub(super) use deletion_overlay::DeletionOverlay;
pub(super) use disk::DiskTree;
pub use listed_files::own_files;
pub(super) use rename_overlay::RenameOverlay;

/// Larger files are data or generated: no user fixes a path in them by hand, and no configuration is as large.
pub(super) const MAX_FILE_BYTES: u64 = 4 << 20;

/// A tree of files with readable contents.
pub(super) trait SourceTree: Tree {
    /// The bytes of a file; `None` if it is absent or larger than [`MAX_FILE_BYTES`].
    fn bytes(&self, path: &str) -> Option<Vec<u8>>;

    /// The names in a directory, for the search for mistyped ones.
    fn name_index(&self, directory: &str) -> Arc<NameIndex> {
        Arc::new(NameIndex::new(self.names(directory)))
    }

    /// Looks up a path that no longer exists in git's history.
    fn history(&self, _path: &str) -> HistoryVerdict {
        HistoryVerdict::Unknown
    }

    /// Returns where a text was that a file has had for a month when git's history last removed a path; `None` if the history does not
    /// tell. A committed file that is compiled (`is_built`) tells at once, of a path that was gone a month ago.
    fn text_when_removed(&self, _file: &str, _text: &str, _path: &str, _is_built: bool) -> Option<PastText> {
        None
    }

    /// Returns whether a file had a line with this text a month before the newest commit, when none of these paths existed. With
    /// `follows_moves` it can have been at another path then, with the paths beside it.
    fn missed_a_month_ago(&self, _file: &str, _line: &str, _paths: &[&str], _follows_moves: bool) -> bool {
        false
    }

    /// Returns whether git had a path beside another one just before it removed or moved it.
    fn were_together(&self, _removed: &str, _other: &str) -> bool {
        false
    }

    /// Returns whether a file was changed after git's history last removed or moved a path, and more than a month before the newest commit.
    fn was_changed_since(&self, _file: &str, _path: &str) -> bool {
        false
    }

    /// Returns whether git had a path a month before its newest commit.
    fn was_there_a_month_ago(&self, _path: &str) -> bool {
        false
    }

    /// Closes what has not been read since the last call, and is opened again when needed. Returns whether anything was closed.
    fn release_unused(&self) -> bool {
        false
    }

    /// The number of disk accesses so far; zero for trees that do not read the disk themselves.
    fn counts(&self) -> DiskCounts {
        DiskCounts::default()
    }
}

/// The verdict of git's history on a path that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HistoryVerdict {
    /// There is no history, or too little of it was read.
    Unknown,
    /// The repository is a shallow clone with nearly no history, as CI makes it.
    CutOff,
    /// The history never had the path.
    Never,
    /// The newest part of the history never had the path; the rest was not read.
    NotLately,
    /// The history had the path's directory, which is gone.
    HadDirectory,
    /// The history had the path.
    Had,
}

/// The place of a text in an earlier commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PastText {
    /// The file had it.
    InFile,
    /// The file did not have it, and another one had it or can have had it: the file can have taken it over.
    InOther,
    /// No file had it.
    Nowhere,
}

/// Numbers of disk accesses, for logs and tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiskCounts {
    /// Queries for paths that the index does not have.
    pub(super) stats: usize,
    /// Texts that were read, without the checked files themselves.
    pub(super) reads: usize,
}

/// Decodes a file without its byte order mark; `None` if it is not UTF-8.
fn decode(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Some(rest.to_owned()),
        None => Some(text),
    }
}
