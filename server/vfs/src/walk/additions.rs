//! `Additions`: adds tracked paths and the parents of `INCLUDE_DIRS` that the walk did not list. Each is checked on
//! disk.

use std::collections::BTreeMap;
use std::path::Path;

use pathfinder_core::{Kind, RelPath};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::super::git::DOT_GIT;
use super::super::{bytes, package_manifests};
use super::tracked::{Repository, TrackedFiles, Worktree};
use super::{Sink, SubtreeFilter, path_hash};

/// Length limit of a path in bytes: Linux's own, and the most that any system allows by default. It bounds the
/// recursion over parents.
const MAX_PATH_BYTES: usize = 4096;

/// Limit of missing tracked paths that are kept to notice their return in ignored directories. Usually there are none.
/// In a sparse checkout nearly all are missing, and a walk is faster than looking for them.
const MAX_ABSENT_PATHS: usize = 1000;

/// Limit of [`TrackedExtras`]: a sparse checkout can have any number.
const MAX_TRACKED_EXTRAS: usize = 10_000;

/// Tracked paths that a walk does not meet, because rules hide them or they do not exist. They stay valid until the
/// rules or the indexes change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TrackedExtras {
    /// By path, true for a submodule.
    pub(crate) paths: BTreeMap<Vec<u8>, bool>,
    /// True if some were dropped because there are too many.
    pub(crate) cut: bool,
}

impl TrackedExtras {
    /// Returns the paths below a directory.
    pub(crate) fn below(&self, directory: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
        let start = if directory.is_empty() { Vec::new() } else { bytes::join(directory, b"") };
        let all = self.paths.range(start.clone()..).take_while(move |(path, _)| path.starts_with(&start));
        all.map(|(path, is_submodule)| (path.as_slice(), *is_submodule))
    }

    /// Adds a path unless there are too many.
    pub(crate) fn insert(&mut self, path: &[u8], is_submodule: bool) {
        if self.paths.len() < MAX_TRACKED_EXTRAS {
            self.paths.insert(path.to_vec(), is_submodule);
        } else {
            self.cut = true;
        }
    }
}

/// Collects additional entries and their parent directories, each once.
pub(super) struct Additions<'a, S> {
    root: &'a Path,
    /// [`path_hash`] of all listed entries.
    known: FxHashSet<u64>,
    /// For each directory that was checked, true if it exists and no link leads to it.
    real: FxHashMap<Vec<u8>, bool>,
    found: S,
    package_files: Vec<RelPath>,
    repositories: Vec<Repository>,
    absent: Vec<RelPath>,
    all: Vec<RelPath>,
    tracked_extras: TrackedExtras,
}

/// Result of [`Additions`].
pub(super) struct AdditionResult<S> {
    pub(super) found: S,
    /// Added files that may name packages.
    pub(super) package_files: Vec<RelPath>,
    pub(super) repositories: Vec<Repository>,
    /// Tracked paths that do not exist; `None` if there are more than [`MAX_ABSENT_PATHS`].
    pub(super) absent: Option<Vec<RelPath>>,
    /// Paths of the added entries, sorted.
    pub(super) all: Vec<RelPath>,
    pub(super) tracked_extras: TrackedExtras,
}

impl<'a, S: Sink> Additions<'a, S> {
    /// Creates an empty collection on top of what the walk listed, given as hashes.
    pub(super) fn new(root: &'a Path, hashes: &[Vec<u64>]) -> Self {
        let mut known = FxHashSet::default();
        known.reserve(hashes.iter().map(Vec::len).sum());
        known.extend(hashes.iter().flatten());
        Self {
            root,
            known,
            real: FxHashMap::default(),
            found: S::default(),
            package_files: Vec::new(),
            repositories: Vec::new(),
            absent: Vec::new(),
            all: Vec::new(),
            tracked_extras: TrackedExtras::default(),
        }
    }

    /// Adds the parents of these directories, which are listed themselves.
    pub(super) fn add_parents(&mut self, directories: &[RelPath]) {
        for directory in directories {
            self.add_directory(bytes::split(directory.as_bytes()).0);
        }
    }

    /// Adds the unlisted paths that these repositories and their ignored submodules track, and those known to be
    /// tracked `below`. If `below` is given, other paths are left out.
    pub(super) fn add_tracked(&mut self, mut tracked: Vec<TrackedFiles>, below: Option<&SubtreeFilter<'_>>) {
        let mut unknown = below.map(SubtreeFilter::tracked).unwrap_or_default();
        unknown.retain(|(path, _)| !self.known.contains(&path_hash(path)));
        while !tracked.is_empty() || !unknown.is_empty() {
            for repository in &tracked {
                self.repositories.push(repository.repository());
                repository.for_each_unknown(
                    |hash| self.known.contains(&hash),
                    |path, is_submodule| {
                        if below.is_none_or(|below| below.contains(path)) {
                            unknown.push((path.to_vec(), is_submodule));
                        }
                    },
                );
            }
            for (path, is_submodule) in &unknown {
                self.tracked_extras.insert(path, *is_submodule);
            }
            let submodules: Vec<Worktree> =
                unknown.iter().filter_map(|(path, is_submodule)| self.add_if_exists(path, *is_submodule)).collect();
            tracked = submodules.into_iter().map(TrackedFiles::read).collect();
            unknown.clear();
        }
    }

    /// Returns the collected entries.
    pub(super) fn into_result(self) -> AdditionResult<S> {
        let Self { found, package_files, mut repositories, absent, mut all, tracked_extras, .. } = self;
        repositories.sort_unstable();
        all.sort_unstable();
        AdditionResult {
            found,
            package_files,
            repositories,
            absent: (absent.len() <= MAX_ABSENT_PATHS).then_some(absent),
            all,
            tracked_extras,
        }
    }

    /// Adds a tracked path if it exists. Returns its worktree if it is a submodule that is checked out.
    fn add_if_exists(&mut self, path: &[u8], is_submodule: bool) -> Option<Worktree> {
        let (directory, name) = bytes::split(path);
        if !is_plain(path) {
            return None;
        }
        let on_disk = self.root.join(bytes::to_path(path)?);
        let entry = self.is_real_directory(directory).then(|| on_disk.symlink_metadata().ok()).flatten();
        let Some(entry) = entry else {
            if self.absent.len() <= MAX_ABSENT_PATHS {
                self.absent.push(RelPath::new(path));
            }
            return None;
        };
        match (entry.is_dir(), is_submodule) {
            (true, true) => {
                self.add(directory, name, Kind::Directory);
                on_disk.join(DOT_GIT).exists().then(|| Worktree::nested(self.root, path))
            }
            // An ignored directory has replaced a tracked file: for git the file is deleted.
            (true, false) => {
                self.absent.push(RelPath::new(path));
                None
            }
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
        self.found.add_entry(directory, name, kind);
        self.all.push(RelPath::new(path.as_slice()));
        if kind == Kind::File && package_manifests::is_metadata(name) {
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

/// Returns whether a path consists of plain names and is not too long. git writes no others, but an index file can hold
/// anything.
fn is_plain(path: &[u8]) -> bool {
    path.len() <= MAX_PATH_BYTES
        && path.split(|&byte| byte == b'/').all(|name| !matches!(name, b"" | b"." | b".." | b".git"))
}
