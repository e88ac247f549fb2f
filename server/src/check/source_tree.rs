//! `SourceTree`: a tree of files as it is on disk, as a commit has it, or as it would be without some path.

mod commit_tree;
mod deletion_overlay;
mod disk;
mod rename_overlay;
mod text_cache;

use pathfinder_literals::Tree;

pub(super) use commit_tree::CommitTree;
pub(super) use deletion_overlay::DeletionOverlay;
pub(super) use disk::DiskTree;
pub(crate) use disk::own_files;
pub(super) use rename_overlay::RenameOverlay;

/// Larger files are data, or were made by a tool: nobody mends a path in them by hand, and no configuration is as large.
pub(super) const MAX_FILE_BYTES: u64 = 4 << 20;

/// A tree whose files can be read as they are.
pub(super) trait SourceTree: Tree {
    /// All bytes of a file of moderate size; `None` if there is none.
    fn bytes(&self, path: &str) -> Option<Vec<u8>>;

    /// Whether git's history had a path that is not there now.
    fn history(&self, _path: &str) -> HistoryVerdict {
        HistoryVerdict::Unknown
    }

    /// How often the disk was asked so far; nothing where this does not ask it itself.
    fn counts(&self) -> DiskCounts {
        DiskCounts::default()
    }
}

/// What git's history says of a path that is not there now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HistoryVerdict {
    /// There is no history, or too little of it was read.
    Unknown,
    /// It never had the path.
    Never,
    /// The newest part of it never had the path; the rest was not read.
    NotLately,
    /// It had the directory that the path is below, and that is gone.
    HadDirectory,
    /// It had the path.
    Had,
}

/// How often the disk was asked, for logs and tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiskCounts {
    /// For what is at a path that the index does not have.
    pub(super) stats: usize,
    /// For a text, files that are checked not counted.
    pub(super) reads: usize,
}

/// Whether a path is a directory or lies below it.
pub(crate) fn within(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The text of a file without a byte order mark; `None` if it is no text.
fn text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    Some(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}
