//! `ThreadOutput`: what one thread of a `Traversal` collects.

use std::io;

use pathfinder_core::{Kind, RelPath};
use rustc_hash::FxHashSet;

use super::super::package_manifests;
use super::unreadable::UnreadableDirs;
use super::{Sink, path_hash};

/// Output of one thread.
pub(super) struct ThreadOutput<S> {
    pub(super) found: S,
    /// [`path_hash`] of every entry in `found`.
    pub(super) hashes: Vec<u64>,
    pub(super) package_files: Vec<RelPath>,
    pub(super) unreadable: UnreadableDirs,
    /// Directories of `INCLUDE_DIRS` that were met, relative to the root.
    pub(super) included: Vec<RelPath>,
    /// Directories that were listed, relative to the root, with the stamps that they had before.
    pub(super) stamps: Vec<(Vec<u8>, u64)>,
    /// The directories below the root that have ignore files.
    pub(super) ruled: FxHashSet<Vec<u8>>,
}

impl<S: Default> Default for ThreadOutput<S> {
    fn default() -> Self {
        Self {
            found: S::default(),
            hashes: Vec::new(),
            package_files: Vec::new(),
            unreadable: UnreadableDirs::default(),
            included: Vec::new(),
            stamps: Vec::new(),
            ruled: FxHashSet::default(),
        }
    }
}

impl<S: Sink> ThreadOutput<S> {
    /// Adds the entry `name` of a directory, given its path too.
    pub(super) fn add(&mut self, directory: &[u8], name: &[u8], path: &[u8], kind: Kind) {
        if kind == Kind::File && package_manifests::is_metadata(name) {
            self.package_files.push(RelPath::new(path));
        }
        self.hashes.push(path_hash(path));
        self.found.add_entry(directory, name, kind);
    }

    /// Counts a directory that could not be listed.
    pub(super) fn note_unreadable(&mut self, error: &io::Error, relative: &[u8]) {
        match error.kind() {
            // The entry was removed between listing and opening.
            io::ErrorKind::NotFound => {}
            io::ErrorKind::InvalidFilename => self.unreadable.add_too_long(RelPath::new(relative)),
            _ => self.unreadable.add(RelPath::new(relative)),
        }
    }
}
