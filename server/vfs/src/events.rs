//! Rescans the paths that a change event names and returns the differences between the snapshot and the disk. Called by
//! `workspace::watch`.
//!
//! The updated snapshot equals the one that a walk would make. A single path is stat-ed and checked against the ignore
//! rules. A directory that is new, was replaced, or has other rules is listed again with all that is below; one walk
//! does this for all such directories.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};
use rustc_hash::FxHashSet;

use super::bytes;
use super::git::{self, DOT_GIT};
use super::roots::{RootDir, RootError};
use super::walk::{
    IGNORE_FILE_NAMES, IgnoreRules, Repository, SubtreeFilter, TrackedExtras, TrackedFiles, WalkOptions, ancestors,
    path_hash, walk_subtrees,
};

/// Data of a walk beside its entries, updated together with the snapshot.
#[derive(Clone, Debug, Default)]
pub struct WalkMetadata {
    /// Tracked entries that a walk does not meet.
    pub(super) tracked_extras: TrackedExtras,
    /// The repositories in the tree with a digest of their tracked files. The one around the root has the empty path.
    pub(super) repositories: Vec<Repository>,
}

/// Paths (relative to the root) that may have changed.
#[derive(Clone, Debug, Default)]
pub struct TouchedPaths {
    /// Paths at or below which something may have changed.
    pub paths: BTreeSet<RelPath>,
    /// Tops of repositories whose index may have changed.
    pub tracked: BTreeSet<Vec<u8>>,
    /// Directories whose rules may have changed in files outside of them, such as `.git/info/exclude`.
    pub rules: BTreeSet<Vec<u8>>,
    /// Paths to check again even if the snapshot and the disk agree on their kind.
    pub recheck: BTreeSet<Vec<u8>>,
}

impl TouchedPaths {
    /// Returns whether nothing may have changed.
    pub fn is_empty(&self) -> bool {
        let Self { paths, tracked, rules, recheck } = self;
        paths.is_empty() && tracked.is_empty() && rules.is_empty() && recheck.is_empty()
    }
}

/// The git directory of a repository in the tree.
#[derive(Clone, Debug)]
pub struct GitDirLocation {
    /// Top of the worktree, relative to the root; empty for the repository around the root.
    pub at: Vec<u8>,
    /// Absolute path of the git directory.
    pub git: PathBuf,
}

impl WalkMetadata {
    /// Returns the git directories of all repositories of a root (canonical).
    pub fn places(&self, root: &Path) -> Vec<GitDirLocation> {
        let locate = |known: &Repository| {
            Some(GitDirLocation { at: known.at.clone(), git: known.git_dir(root)?.own().to_path_buf() })
        };
        self.repositories.iter().filter_map(locate).collect()
    }

    /// Returns the tops of the repositories whose index was read.
    pub fn tracked(&self) -> BTreeSet<Vec<u8>> {
        self.repositories.iter().map(|known| known.at.clone()).collect()
    }

    /// Returns the directories (absolute) that must be watched in addition to the listed ones: git directories,
    /// directories between the worktree's top and the root, and hidden directories in which tracked files may appear.
    pub fn watched(&self, root: &Path) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = Vec::new();
        for location in self.places(root) {
            all.extend([location.git.join("info"), location.git.join("logs")]);
            all.push(location.git);
        }
        if let Some(top) = git::worktree_top(root) {
            all.extend(root.ancestors().skip(1).take_while(|above| above.starts_with(top)).map(Path::to_path_buf));
        }
        let parents: BTreeSet<&[u8]> = self.tracked_extras.paths.keys().flat_map(|path| ancestors(path)).collect();
        all.extend(parents.into_iter().filter_map(|path| Some(root.join(bytes::to_path(path)?))));
        all.retain(|directory| directory.symlink_metadata().is_ok_and(|entry| entry.is_dir()));
        all
    }
}

/// Result of a rescan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RescanOutcome {
    /// Differences between the snapshot and the disk.
    pub changes: Vec<Change>,
    /// True if ignore rules or the set of tracked files changed.
    pub rules: bool,
    /// Directories (relative) that were listed again with all that is below: they are new or may have been replaced.
    pub listed: BTreeSet<Vec<u8>>,
    /// True if repositories appeared or disappeared.
    pub repositories: bool,
    /// Directories (relative) without listed entries in which a tracked file may appear.
    pub awaited_dirs: BTreeSet<Vec<u8>>,
}

/// Rescans the touched paths and updates `walk_metadata`. A path that is touched twice gives the same result as one
/// that is touched once.
///
/// # Errors
/// If the root itself is gone or cannot be listed.
pub fn rescan(
    root: &RootDir,
    options: &WalkOptions,
    snapshot: &Snapshot,
    walk_metadata: &mut WalkMetadata,
    touched: &TouchedPaths,
) -> Result<RescanOutcome, RootError> {
    let rules = IgnoreRules::new(&root.canonical, options);
    let outcome = RescanOutcome::default();
    Rescanner { root, options, snapshot, walk_metadata, rules, tracked_hashes: None, outcome }.rescan(touched)
}

struct Rescanner<'a> {
    root: &'a RootDir,
    options: &'a WalkOptions,
    snapshot: &'a Snapshot,
    walk_metadata: &'a mut WalkMetadata,
    rules: IgnoreRules,
    /// Hashes of all tracked paths; read only if [`TrackedExtras::cut`] is set.
    tracked_hashes: Option<FxHashSet<u64>>,
    outcome: RescanOutcome,
}

impl Rescanner<'_> {
    fn rescan(mut self, touched: &TouchedPaths) -> Result<RescanOutcome, RootError> {
        let (mut entries, mut relist) = (BTreeSet::<Vec<u8>>::new(), BTreeSet::<Vec<u8>>::new());
        let mut rules = touched.rules.clone();
        for path in &touched.paths {
            let path = path.as_bytes();
            let (directory, name) = bytes::split(path);
            if path.is_empty() || directory.split(|&byte| byte == b'/').any(|segment| segment == DOT_GIT.as_bytes()) {
                continue;
            }
            if name == DOT_GIT.as_bytes() || IGNORE_FILE_NAMES.iter().any(|rules| rules.as_bytes() == name) {
                rules.insert(directory.to_vec());
            }
            if name != DOT_GIT.as_bytes() {
                entries.insert(self.topmost_new(path).to_vec());
            }
        }
        let mut recheck = touched.recheck.clone();
        for at in &touched.tracked {
            self.reread_tracked(at, &mut entries, &mut recheck);
        }
        self.outcome.rules = !rules.is_empty();
        for path in entries.iter().chain(&recheck) {
            self.rescan_entry(path, recheck.contains(path), &mut relist);
        }
        let rules: BTreeSet<Vec<u8>> = rules.iter().map(|directory| self.topmost_new_or_root(directory)).collect();
        // A repository that came or went with its directory has an index of its own.
        let (with_repository, relist): (BTreeSet<_>, BTreeSet<_>) =
            relist.into_iter().partition(|path| self.holds_repository(path));
        let relist_with_git = outermost(&rules.into_iter().chain(with_repository).collect());
        let relist: BTreeSet<_> =
            outermost(&relist).into_iter().filter(|path| !is_within(path, &relist_with_git)).collect();
        self.outcome.changes.retain(|change| {
            let (Change::Added(path, _) | Change::Removed(path)) = change;
            !is_within(path.as_bytes(), &relist_with_git) && !is_within(path.as_bytes(), &relist)
        });
        self.rescan_directories(relist_with_git, true)?;
        self.rescan_directories(relist, false)?;
        Ok(self.outcome)
    }

    /// Returns the topmost ancestor that is new or gone, or the path itself: everything below it appears or disappears
    /// with it.
    fn topmost_new<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        let known = |path: &[u8]| self.snapshot.get(path) == Some(Kind::Directory);
        let there = |path: &[u8]| self.kind(path) == Some(Kind::Directory);
        ancestors(path).find(|parent| !known(parent) || !there(parent)).unwrap_or(path)
    }

    fn topmost_new_or_root(&self, directory: &[u8]) -> Vec<u8> {
        if directory.is_empty() { Vec::new() } else { self.topmost_new(directory).to_vec() }
    }

    fn kind(&self, path: &[u8]) -> Option<Kind> {
        let path = self.root.canonical.join(bytes::to_path(path)?);
        path.symlink_metadata().ok().as_ref().map(kind)
    }

    fn holds_repository(&self, directory: &[u8]) -> bool {
        self.walk_metadata.repositories.iter().any(|known| known.at == directory || is_below(&known.at, directory))
    }

    /// Returns whether git tracks a path that the rules hide.
    fn is_tracked(&mut self, path: &[u8]) -> bool {
        if !self.walk_metadata.tracked_extras.cut {
            return self.walk_metadata.tracked_extras.paths.contains_key(path);
        }
        let all = self.tracked_hashes.get_or_insert_with(|| {
            let tracked =
                self.walk_metadata.repositories.iter().map(|repository| repository.tracked(&self.root.canonical));
            tracked.flat_map(TrackedFiles::into_hashes).collect()
        });
        all.contains(&path_hash(path))
    }

    /// Rescans one entry. Adds directories that must be listed because of it to `relist`. `recheck` rescans it even if
    /// its kind is unchanged.
    fn rescan_entry(&mut self, path: &[u8], recheck: bool, relist: &mut BTreeSet<Vec<u8>>) {
        let (known, there) = (self.snapshot.get(path), self.kind(path));
        if there == Some(Kind::Directory) {
            let expected =
                self.walk_metadata.tracked_extras.cut || self.walk_metadata.tracked_extras.below(path).next().is_some();
            if known.is_some() || expected || !self.rules.is_hidden(path, true) {
                relist.insert(path.to_vec());
            }
            return;
        }
        if known == there && !recheck {
            return;
        }
        let visible = there.is_some() && (!self.rules.is_hidden(path, false) || self.is_tracked(path));
        if known == Some(Kind::Directory) && self.holds_repository(path) {
            self.walk_metadata.repositories.retain(|gone| gone.at != path && !is_below(&gone.at, path));
            self.walk_metadata.tracked_extras.paths.retain(|gone, _| !is_below(gone, path));
        }
        if known.is_some() && (known != there || !visible) {
            self.outcome.changes.push(Change::Removed(RelPath::new(path)));
            // A removed tracked file may have been the only reason why its hidden parent directories were listed.
            relist.extend(self.rules.topmost_hidden(path).map(<[u8]>::to_vec));
        }
        if let Some(there) = there.filter(|_| visible && known != there) {
            self.outcome.changes.push(Change::Added(RelPath::new(path), there));
        }
    }

    /// Reads the index of a repository again. Adds newly tracked paths to `entries`, and paths that are no longer
    /// tracked to `recheck`.
    fn reread_tracked(&mut self, at: &[u8], entries: &mut BTreeSet<Vec<u8>>, recheck: &mut BTreeSet<Vec<u8>>) {
        let Some(position) = self.walk_metadata.repositories.iter().position(|known| known.at == at) else { return };
        let tracked = self.walk_metadata.repositories[position].tracked(&self.root.canonical);
        let now = tracked.repository();
        if self.walk_metadata.repositories[position] == now {
            return;
        }
        self.walk_metadata.repositories[position] = now;
        self.outcome.rules = true;
        let nested: Vec<Vec<u8>> = self.walk_metadata.repositories.iter().map(|known| known.at.clone()).collect();
        let is_own = |path: &[u8]| {
            let inner = nested.iter().filter(|inner| inner.len() > at.len());
            at.is_empty() | is_below(path, at) && !inner.into_iter().any(|inner| is_below(path, inner))
        };
        let before: BTreeSet<Vec<u8>> =
            self.walk_metadata.tracked_extras.paths.keys().filter(|path| is_own(path)).cloned().collect();
        let mut still = BTreeSet::new();
        tracked.for_each_unknown(
            |_| false,
            |path, is_submodule| {
                if before.contains(path) {
                    still.insert(path.to_vec());
                } else if self.snapshot.get(path).is_none() {
                    self.walk_metadata.tracked_extras.insert(path, is_submodule);
                    entries.insert(path.to_vec());
                }
            },
        );
        for path in before.difference(&still) {
            self.walk_metadata.tracked_extras.paths.remove(path);
            if self.snapshot.get(path).is_some() {
                recheck.insert(path.clone());
            }
        }
    }

    /// Lists these directories, none inside another, with all that is below, and records the differences.
    fn rescan_directories(&mut self, directories: BTreeSet<Vec<u8>>, reads_git: bool) -> Result<(), RootError> {
        if directories.is_empty() {
            return Ok(());
        }
        let directories = Arc::new(directories);
        let known = (!reads_git).then_some(&self.walk_metadata.tracked_extras);
        let below = SubtreeFilter { directories: Arc::clone(&directories), known };
        let walked = walk_subtrees(self.root, self.options, &below)?;
        let WalkMetadata { tracked_extras, repositories } = &mut *self.walk_metadata;
        let is_inside = |path: &[u8]| directories.contains(path) || is_within(path, &directories);
        if reads_git {
            tracked_extras.paths.retain(|path, _| !is_within(path, &directories));
        }
        walked.tracked_extras.paths.iter().for_each(|(path, is_submodule)| tracked_extras.insert(path, *is_submodule));
        tracked_extras.cut |= walked.tracked_extras.cut;
        let before = repositories.clone();
        repositories.retain(|known| !is_inside(&known.at));
        repositories.extend(walked.repositories.into_iter().filter(|found| is_inside(&found.at)));
        repositories.sort_unstable();
        self.outcome.repositories |= *repositories != before;
        self.outcome.listed.extend(directories.iter().cloned());
        for directory in directories.iter() {
            let expected = tracked_extras.below(directory).flat_map(|(path, _)| ancestors(path).map(<[u8]>::to_vec));
            self.outcome.awaited_dirs.extend(expected);
        }
        let now: std::collections::BTreeMap<Vec<u8>, Kind> = walked.found.into_iter().flat_map(|part| part.0).collect();
        let own = directories.iter().filter_map(|path| Some((path.clone(), self.snapshot.get(path)?)));
        let inner = directories.iter().flat_map(|directory| self.snapshot.entries_below(directory));
        let mut gone: Vec<Vec<u8>> = own
            .chain(inner)
            .filter(|(path, kind)| !path.is_empty() && now.get(path) != Some(kind))
            .map(|(path, _)| path)
            .collect();
        gone.sort_unstable();
        // Removing a directory removes everything below it.
        let mut last: Option<Vec<u8>> = None;
        for path in gone {
            if last.as_ref().is_none_or(|last| !is_below(&path, last)) {
                self.outcome.changes.push(Change::Removed(RelPath::new(path.as_slice())));
                last = Some(path);
            }
        }
        let new = now.into_iter().filter(|(path, kind)| self.snapshot.get(path) != Some(*kind));
        self.outcome.changes.extend(new.map(|(path, kind)| Change::Added(RelPath::new(path), kind)));
        Ok(())
    }
}

/// Returns whether a path lies below a directory; the empty one is the root.
fn is_below(path: &[u8], directory: &[u8]) -> bool {
    match path.strip_prefix(directory) {
        Some(rest) if directory.is_empty() => !rest.is_empty(),
        Some(rest) => rest.first() == Some(&b'/'),
        None => false,
    }
}

/// Returns whether a path lies below one of these directories.
fn is_within(path: &[u8], directories: &BTreeSet<Vec<u8>>) -> bool {
    !path.is_empty() && (directories.contains(&b""[..]) || ancestors(path).any(|above| directories.contains(above)))
}

/// Returns the paths that lie below no other one.
fn outermost(paths: &BTreeSet<Vec<u8>>) -> BTreeSet<Vec<u8>> {
    paths.iter().filter(|path| !is_within(path, paths)).cloned().collect()
}

fn kind(metadata: &Metadata) -> Kind {
    if metadata.is_dir() {
        Kind::Directory
    } else if metadata.is_symlink() {
        Kind::Symlink
    } else {
        Kind::File
    }
}

#[cfg(all(test, unix))]
mod tests;
