//! `Collector`: the visitor that runs in each thread of a walk and collects its entries.

use std::io;
use std::mem;
use std::path::Path;
use std::sync::mpsc;

use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkState};
use parking_lot::Mutex;
use pathfinder_core::{Kind, RelPath};

use super::super::{bytes, git, package_manifests};
use super::include::IncludeDir;
use super::tracked::Worktree;
use super::{Sink, ThreadOutput, path_hash};

/// Data that all threads of one pass share.
pub(super) struct WalkPass<'a, S> {
    /// Canonical path of the root.
    pub(super) root: &'a Path,
    /// Number of bytes before the relative part of a path.
    pub(super) prefix: usize,
    /// `INCLUDE_DIRS` to find in every directory; empty in the pass that walks them.
    pub(super) include: &'a [IncludeDir],
    /// Output of the threads that have ended.
    pub(super) parts: &'a Mutex<Vec<ThreadOutput<S>>>,
}

/// Creates one [`Collector`] per thread.
pub(super) struct Collectors<'a, S> {
    pass: &'a WalkPass<'a, S>,
    worktrees: mpsc::Sender<Worktree>,
}

impl<'a, S> Collectors<'a, S> {
    /// `worktrees` receives the nested repositories that are met.
    pub(super) fn new(pass: &'a WalkPass<'a, S>, worktrees: mpsc::Sender<Worktree>) -> Self {
        Self { pass, worktrees }
    }
}

impl<'a, S: Sink> ParallelVisitorBuilder<'a> for Collectors<'a, S> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'a> {
        Box::new(Collector { pass: self.pass, worktrees: self.worktrees.clone(), part: ThreadOutput::default() })
    }
}

struct Collector<'a, S: Sink> {
    pass: &'a WalkPass<'a, S>,
    worktrees: mpsc::Sender<Worktree>,
    part: ThreadOutput<S>,
}

impl<S: Sink> ParallelVisitor for Collector<'_, S> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        match entry {
            Ok(entry) => self.visit_entry(&entry),
            Err(error) => {
                self.note_unreadable(&error);
                WalkState::Continue
            }
        }
    }
}

impl<S: Sink> Collector<'_, S> {
    fn visit_entry(&mut self, entry: &DirEntry) -> WalkState {
        if let Some(error) = entry.error() {
            tracing::debug!(%error, "ignore file is partly invalid");
        }
        let kind = match entry.file_type() {
            Some(kind) if kind.is_dir() => Kind::Directory,
            Some(kind) if kind.is_symlink() => Kind::Symlink,
            _ => Kind::File,
        };
        let path = bytes::from_os_str(entry.path().as_os_str());
        let Some(relative) = path.get(self.pass.prefix..).filter(|relative| !relative.is_empty()) else {
            self.look_for_included(entry.path(), b"");
            return WalkState::Continue;
        };
        let (directory, name) = bytes::split(relative);
        if name == git::DOT_GIT.as_bytes() {
            // The repository around the root is known before the walk begins.
            if !directory.is_empty() {
                _ = self.worktrees.send(Worktree::nested(self.pass.root, directory));
            }
            return WalkState::Skip;
        }
        if kind == Kind::Directory {
            if self.pass.include.iter().any(|include| include.matches(relative)) {
                // `look_for_included` recorded it in its parent; the second pass lists it.
                return WalkState::Skip;
            }
            self.look_for_included(entry.path(), relative);
        }
        if kind == Kind::File && package_manifests::is_metadata(name) {
            self.part.package_files.push(RelPath::new(relative));
        }
        self.part.hashes.push(path_hash(relative));
        self.part.found.add_entry(directory, name, kind);
        WalkState::Continue
    }

    fn look_for_included(&mut self, directory: &Path, relative: &[u8]) {
        let found = self.pass.include.iter().filter_map(|include| include.find_in(directory, relative));
        self.part.included.extend(found.map(RelPath::new));
    }

    fn note_unreadable(&mut self, error: &ignore::Error) {
        match (error.io_error().map(io::Error::kind), error_path(error)) {
            // The entry was removed between listing and opening.
            (Some(io::ErrorKind::NotFound), _) => {}
            (Some(kind), Some(path)) => {
                let path = bytes::from_os_str(path.as_os_str());
                let path = RelPath::new(path.get(self.pass.prefix..).unwrap_or_default());
                if kind == io::ErrorKind::InvalidFilename {
                    self.part.unreadable.add_too_long(path);
                } else {
                    self.part.unreadable.add(path);
                }
            }
            _ => tracing::debug!(%error, "while walking"),
        }
    }
}

impl<S: Sink> Drop for Collector<'_, S> {
    fn drop(&mut self) {
        self.pass.parts.lock().push(mem::take(&mut self.part));
    }
}

fn error_path(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => error_path(err),
        _ => None,
    }
}
