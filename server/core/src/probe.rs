//! The seam to the disk: core asks, an edge answers.

/// What an entry is. A symbolic link is an entry of its own and is not followed by the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file, or anything else that is neither of the others.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, whatever it points to.
    Symlink,
}

/// What the disk says about a path right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is there; the kind is that of the entry itself (`Symlink` when it points anywhere inside the roots).
    Present(Kind),
    /// It is not there, or is a link that points to nothing.
    Absent,
    /// Getting there would leave the roots (`..`, or a symbolic link that points out).
    Outside,
}

/// Looks at the disk under the engine's roots, and nowhere else.
pub trait Probe {
    /// Why the root cannot be used any more, or `None` while it can.
    fn root_gone(&self, root: usize) -> Option<String>;

    /// What is at `path` (relative to the root, `/` separated) at this moment.
    fn presence(&self, root: usize, path: &[u8]) -> Presence;

    /// Whether the project's ignore rules hide an entry that is there.
    fn is_ignored(&self, root: usize, path: &[u8]) -> bool;

    /// Whether a path that is not there is one that the project has, and that this checkout of it leaves out.
    fn is_left_out(&self, root: usize, path: &[u8]) -> bool;

    /// Whether the file holds this text; `None` if it cannot be read or is too large to look through.
    fn contains(&self, root: usize, path: &[u8], text: &str) -> Option<bool>;
}
