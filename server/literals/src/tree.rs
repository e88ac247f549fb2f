//! `Tree`: the interface to the files of one root. The server implements it for the disk, for commits and for overlays.
//!
//! Paths are relative to the root, with `/`, without `.` and `..`. The empty path is the root itself.

use std::sync::Arc;

/// The kind of an entry, after following links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link that leads out of the root. It exists, but its target is not read.
    Elsewhere,
}

/// A move that git's history records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The current path.
    pub to: String,
    /// The abbreviated commit id and its date.
    pub commit: String,
}

/// The files of one root. The answers must not change during a check.
pub trait Tree: Send + Sync {
    /// Returns the kind of an entry; `None` if it does not exist or lies outside the root.
    fn kind(&self, path: &str) -> Option<Kind>;

    /// Returns whether there can be an entry below a path: `false` only if it is certainly no directory. One question spares many
    /// about paths below it.
    fn can_have_entries(&self, _directory: &str) -> bool {
        true
    }

    /// Returns the names of the entries of a directory, as the disk spells them; empty if it is no directory.
    fn names(&self, directory: &str) -> Arc<[String]>;

    /// Returns the text of a file; `None` if it does not exist, is too large or is binary.
    fn read(&self, path: &str) -> Option<String>;

    /// Returns the text of a file as [`Self::read`] does, without a copy if the tree holds it in memory.
    fn read_shared(&self, path: &str) -> Option<Arc<str>> {
        self.read(path).map(Arc::from)
    }

    /// Returns all files that the project does not ignore, sorted.
    fn files(&self) -> &[String];

    /// Returns whether the project's ignore rules cover a path. The path need not exist.
    fn is_ignored(&self, path: &str) -> bool;

    /// Returns what [`is_ignored`](Self::is_ignored) does, for a path that can be a file only.
    fn is_ignored_file(&self, path: &str) -> bool {
        self.is_ignored(path)
    }

    /// Returns whether git tracks the file; `None` outside of a git repository.
    fn is_tracked(&self, path: &str) -> Option<bool>;

    /// Returns where a missing path moved, by git's history.
    fn moved(&self, path: &str) -> Option<Moved>;

    /// Returns whether a missing path was an entry before the change that is looked at, such as a deletion; false if none is.
    fn was_there(&self, _path: &str) -> bool {
        false
    }

    /// Returns files that moved lately, by git's history: their earlier paths, at which nothing is, and where they are. Empty if so much
    /// moved that most names stayed right.
    fn recent_moves(&self) -> Vec<(String, Moved)> {
        Vec::new()
    }

    /// Returns the earlier paths of a file by git's history, newest first.
    fn origins(&self, path: &str) -> Vec<String>;

    /// Returns whether a file had a text just before git recorded that another path, or one of its own [`origins`](Self::origins), was
    /// left; `None` if the file was not there then or the history does not tell.
    fn had_text_at_origin(&self, _file: &str, _origin: &str, _text: &str) -> Option<bool> {
        None
    }

    /// Returns whether the commit that moved the file at another path changed a file too and left a text in it: its author saw the text. False
    /// if git cannot tell.
    fn was_left_at_move(&self, _file: &str, _origin: &str, _text: &str) -> bool {
        false
    }
}
