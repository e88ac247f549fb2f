//! The seam to the world: what is in one root. Paths are relative to it, with `/`, without `.` and `..`; empty is the
//! root itself.

use std::sync::Arc;

/// What an entry is, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link that leads out of the root: it is there, and nobody may look what it is.
    Elsewhere,
}

/// Where git's history says that something went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The path that it has now.
    pub to: String,
    /// The commit, in a few digits, and its day.
    pub commit: String,
}

/// One root, for as long as one check takes: what it says does not change meanwhile.
pub trait Tree: Send + Sync {
    /// What is there; `None` if nothing is, or if it lies outside the root.
    fn kind(&self, path: &str) -> Option<Kind>;

    /// The names in a directory as the disk spells them; empty if it is none.
    fn names(&self, directory: &str) -> Arc<[String]>;

    /// The text of a file of moderate size; `None` if there is none, or it is no text.
    fn read(&self, path: &str) -> Option<String>;

    /// All files that the project does not ignore, sorted.
    fn files(&self) -> &[String];

    /// Whether the project's ignore rules cover a path, be it there or not.
    fn is_ignored(&self, path: &str) -> bool;

    /// Whether git has the file; `None` where nothing is tracked.
    fn is_tracked(&self, path: &str) -> Option<bool>;

    /// Where git's history says that a path went which is gone.
    fn moved(&self, path: &str) -> Option<Moved>;

    /// Where git's history says that a file was before, the newest first.
    fn origins(&self, path: &str) -> Vec<String>;
}
