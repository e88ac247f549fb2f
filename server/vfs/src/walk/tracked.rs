//! `TrackedFiles`: the paths in git's index of one repository, as hashes to compare with a walk.

use std::hash::Hasher as _;
use std::path::{Path, PathBuf};

use gix::index::entry::Mode;
use serde::{Deserialize, Serialize};

use super::super::bytes;
use super::super::git::{self, GitDir};
use super::path_hash;

/// A worktree, and how its paths map to those of the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Worktree {
    /// Path of its top relative to the root; empty if the root is the top or lies below it.
    at: Vec<u8>,
    /// Prefix of the tracked paths below the root, ending in `/`; empty unless the root lies below the top.
    strip: Vec<u8>,
    top: PathBuf,
}

impl Worktree {
    /// Creates the worktree with this `top`, which is the root or above it.
    pub(crate) fn enclosing(root: &Path, top: &Path) -> Self {
        let mut strip = bytes::from_os_str(root.strip_prefix(top).unwrap_or(Path::new("")).as_os_str()).into_owned();
        if !strip.is_empty() {
            strip.push(b'/');
        }
        Self { at: Vec::new(), strip, top: top.to_path_buf() }
    }

    /// Creates the worktree with its top at `at`, below the root.
    pub(crate) fn nested(root: &Path, at: &[u8]) -> Self {
        let top = bytes::to_path(at).map(|at| root.join(at)).unwrap_or_default();
        Self { at: at.to_vec(), strip: Vec::new(), top }
    }
}

/// A repository whose index a walk has read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Repository {
    /// Path of its top relative to the root; empty for the repository around the root.
    pub(crate) at: Vec<u8>,
    /// Digest of the tracked paths below the root; 0 without an index.
    pub(crate) digest: u64,
}

impl Repository {
    /// Reads its index again.
    pub(crate) fn reread(&self, root: &Path) -> Self {
        self.tracked(root).repository()
    }

    /// Reads the tracked files.
    pub(crate) fn tracked(&self, root: &Path) -> TrackedFiles {
        TrackedFiles::read(match git::worktree_top(root) {
            Some(top) if self.at.is_empty() => Worktree::enclosing(root, top),
            _ => Worktree::nested(root, &self.at),
        })
    }

    /// Returns the path of its index.
    pub(crate) fn index_path(&self, root: &Path) -> Option<PathBuf> {
        Some(self.git_dir(root)?.index_file())
    }

    /// Returns its git directory.
    pub(crate) fn git_dir(&self, root: &Path) -> Option<GitDir> {
        let top = if self.at.is_empty() {
            git::worktree_top(root)?.to_path_buf()
        } else {
            root.join(bytes::to_path(&self.at)?)
        };
        GitDir::from_worktree(&top)
    }
}

/// The index of one repository, with the hash of every path below the root.
pub(crate) struct TrackedFiles {
    worktree: Worktree,
    index: Option<gix::index::File>,
    /// ([`path_hash`] of the path relative to the root, position in the index), in the order of the index.
    hashes: Vec<(u64, u32)>,
}

impl TrackedFiles {
    /// Reads the index of a repository. A missing or broken index tracks nothing, because the walk is useful without
    /// it.
    pub(crate) fn read(worktree: Worktree) -> Self {
        let git = GitDir::from_worktree(&worktree.top);
        let index = git.as_ref().and_then(GitDir::index);
        let is_sparse = index.is_some() && git.is_some_and(|git| git.is_sparse());
        let mut tracked = Self { worktree, index, hashes: Vec::new() };
        tracked.hash_paths(is_sparse);
        tracked
    }

    /// Returns a digest by which a later read detects changes.
    pub(crate) fn repository(&self) -> Repository {
        let mut hasher = rustc_hash::FxHasher::default();
        for (hash, _) in &self.hashes {
            hasher.write_u64(*hash);
        }
        Repository { at: self.worktree.at.clone(), digest: if self.index.is_some() { hasher.finish() | 1 } else { 0 } }
    }

    fn hash_paths(&mut self, is_sparse: bool) {
        let Some(index) = &self.index else { return };
        let range = if self.worktree.strip.is_empty() {
            0..index.entries().len()
        } else {
            index.prefixed_entries_range(self.worktree.strip.as_slice().into()).unwrap_or_default()
        };
        let mut hashes = Vec::with_capacity(if is_sparse { 0 } else { range.len() });
        let mut path = Vec::new();
        let mut before: &[u8] = b"";
        for position in range {
            let entry = index.entry(position);
            let stored: &[u8] = entry.path(index);
            // A path in conflict has an entry for each side. Left-out paths of a sparse checkout are skipped: in a
            // large repository that is nearly all of them.
            if entry.mode == Mode::DIR || is_sparse && git::is_left_out(entry) || stored == before {
                continue;
            }
            before = stored;
            self.write_path(stored, &mut path);
            hashes.push((path_hash(&path), position as u32));
        }
        self.hashes = hashes;
    }

    fn write_path(&self, stored: &[u8], path: &mut Vec<u8>) {
        path.clear();
        if !self.worktree.at.is_empty() {
            path.extend_from_slice(&self.worktree.at);
            path.push(b'/');
        }
        path.extend_from_slice(stored.strip_prefix(self.worktree.strip.as_slice()).unwrap_or(stored));
    }

    /// Returns the hashes of all tracked paths.
    pub(crate) fn into_hashes(self) -> impl Iterator<Item = u64> {
        self.hashes.into_iter().map(|(hash, _)| hash)
    }

    /// Returns the worktree.
    pub(super) fn worktree(&self) -> &Worktree {
        &self.worktree
    }

    /// Calls `missing` for each path (relative to the root) whose hash is not `known`, in path order, with true for a
    /// submodule.
    pub(crate) fn for_each_unknown(&self, known: impl Fn(u64) -> bool, mut missing: impl FnMut(&[u8], bool)) {
        let Some(index) = &self.index else { return };
        let mut path = Vec::new();
        for &(_, position) in self.hashes.iter().filter(|&&(hash, _)| !known(hash)) {
            let entry = index.entry(position as usize);
            self.write_path(entry.path(index), &mut path);
            missing(&path, entry.mode == Mode::COMMIT);
        }
    }
}
