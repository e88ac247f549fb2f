//! `Probe`: the engine's only access to the disk; the server implements it.

/// The kind of an entry. A symbolic link is an entry of its own, and the index does not follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file, or any other entry that is neither directory nor link.
    File,
    /// A directory.
    Directory,
    /// A symbolic link to any target.
    Symlink,
}

/// The state of a path on disk at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It exists; the kind is that of the entry itself (`Symlink` if it points inside the roots).
    Present(Kind),
    /// It does not exist, or is a broken link.
    Absent,
    /// The path leaves the roots by `..` or a symbolic link.
    Outside,
}

/// Reads the state of paths on disk, only under the engine's roots.
pub trait Probe {
    /// The reason why the root cannot be read any more; `None` while it can.
    fn root_gone(&self, root: usize) -> Option<String>;

    /// The state of `path` (relative to the root, `/` separated) at this moment.
    fn presence(&self, root: usize, path: &[u8]) -> Presence;

    /// Returns whether there is an entry at `path`, as [`presence`](Self::presence) does. Asked for each path of an answer, so a
    /// probe may leave out what only the kind needs.
    fn exists(&self, root: usize, path: &[u8]) -> bool {
        matches!(self.presence(root, path), Presence::Present(_))
    }

    /// Returns whether the project's ignore rules hide an existing entry.
    fn is_ignored(&self, root: usize, path: &[u8]) -> bool;

    /// Returns whether a missing path belongs to the project and is left out of this checkout (sparse checkout).
    fn is_left_out(&self, root: usize, path: &[u8]) -> bool;

    /// Returns whether the file contains this text; `None` if it cannot be read or is too large.
    fn contains(&self, root: usize, path: &[u8], text: &str) -> Option<bool>;
}
