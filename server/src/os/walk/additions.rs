//! `Additions`: what belongs in although the walk did not list it, checked on disk.

use std::path::Path;

use pathfinder_core::{Kind, RelPath};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::git::DOT_GIT;
use super::tracked::{Mount, Tracked};
use super::{Sink, bytes, packages, path_hash};

/// Longest path that is looked up, in bytes: Linux' own limit, and the most that any of the systems allows by
/// default. It bounds the recursion over parents.
const PATH_MAX: usize = 4096;

/// Collects entries together with the directories that lead to them, each once.
pub(super) struct Additions<'a, S> {
    root: &'a Path,
    /// [`path_hash`] of all that is listed.
    known: FxHashSet<u64>,
    /// Whether these are directories reached through no symbolic link.
    real: FxHashMap<Vec<u8>, bool>,
    found: S,
    package_files: Vec<RelPath>,
}

impl<'a, S: Sink> Additions<'a, S> {
    /// Nothing yet, on top of what the walk listed (given as hashes).
    pub(super) fn new(root: &'a Path, hashes: &[Vec<u64>]) -> Self {
        let mut known = FxHashSet::default();
        known.reserve(hashes.iter().map(Vec::len).sum());
        known.extend(hashes.iter().flatten());
        Self { root, known, real: FxHashMap::default(), found: S::default(), package_files: Vec::new() }
    }

    /// Adds the directories that lead to these directories, which are listed themselves.
    pub(super) fn add_parents(&mut self, directories: &[RelPath]) {
        for directory in directories {
            self.add_directory(bytes::split(directory.as_bytes()).0);
        }
    }

    /// Adds what these repositories track, and what their ignored submodules do.
    pub(super) fn add_tracked(&mut self, mut tracked: Vec<Tracked>) {
        while !tracked.is_empty() {
            let mut unknown = Vec::new();
            for repository in &tracked {
                repository.for_each_unknown(
                    |hash| self.known.contains(&hash),
                    |path, is_submodule| unknown.push((path.to_vec(), is_submodule)),
                );
            }
            let submodules: Vec<Mount> =
                unknown.iter().filter_map(|(path, is_submodule)| self.add_if_there(path, *is_submodule)).collect();
            tracked = submodules.into_iter().filter_map(Tracked::read).collect();
        }
    }

    /// The additions, and those of them that may name packages.
    pub(super) fn into_parts(self) -> (S, Vec<RelPath>) {
        (self.found, self.package_files)
    }

    /// Returns the repository to be read as well, if this is a submodule that has been checked out.
    fn add_if_there(&mut self, path: &[u8], is_submodule: bool) -> Option<Mount> {
        let (directory, name) = bytes::split(path);
        if !is_plain(path) || !self.is_real_directory(directory) {
            return None;
        }
        let on_disk = self.root.join(bytes::to_path(path)?);
        let entry = on_disk.symlink_metadata().ok()?;
        match (entry.is_dir(), is_submodule) {
            (true, true) => {
                self.add(directory, name, Kind::Directory);
                on_disk.join(DOT_GIT).exists().then(|| Mount::below(self.root, path))
            }
            // A file gave way to a directory that is ignored: to git the file is deleted.
            (true, false) => None,
            (false, _) => {
                self.add(directory, name, if entry.is_symlink() { Kind::Symlink } else { Kind::File });
                None
            }
        }
    }

    fn add(&mut self, directory: &[u8], name: &[u8], kind: Kind) {
        let path = bytes::join(directory, name);
        if !self.known.insert(path_hash(&path)) {
            return;
        }
        self.add_directory(directory);
        self.found.entry(directory, name, kind);
        if kind == Kind::File && packages::is_metadata(name) {
            self.package_files.push(RelPath::new(path));
        }
    }

    fn add_directory(&mut self, path: &[u8]) {
        if !path.is_empty() {
            let (above, name) = bytes::split(path);
            self.add(above, name, Kind::Directory);
        }
    }

    fn is_real_directory(&mut self, path: &[u8]) -> bool {
        if path.is_empty() {
            return true;
        }
        if let Some(&known) = self.real.get(path) {
            return known;
        }
        let real = self.is_real_directory(bytes::split(path).0)
            && bytes::to_path(path)
                .and_then(|path| self.root.join(path).symlink_metadata().ok())
                .is_some_and(|entry| entry.is_dir());
        self.real.insert(path.to_vec(), real);
        real
    }
}

/// Whether these are plain names all the way, and not endlessly many of them. git writes no others, but an
/// index is only a file.
fn is_plain(path: &[u8]) -> bool {
    path.len() <= PATH_MAX && path.split(|&byte| byte == b'/').all(|name| !matches!(name, b"" | b"." | b".." | b".git"))
}
