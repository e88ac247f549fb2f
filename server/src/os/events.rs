//! What happened below a root, told from what the disk has now at the paths that somebody says have changed.
//!
//! The snapshot that comes of it is the one that a walk would make. A single path is looked up, and held against the rules. Of a
//! directory that came or was exchanged, and of one whose rules are others, all that is below is listed again, for all such
//! directories at once.

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
    IgnoreRules, Repository, SubtreeFilter, TrackedExtras, TrackedFiles, WalkOptions, ancestors, path_hash,
    walk_subtrees,
};

/// The files of a directory whose rules a walk obeys.
const RULES: [&[u8]; 2] = [b".gitignore", b".ignore"];

/// What is known of a root beside its entries, kept right together with them.
#[derive(Clone, Debug, Default)]
pub(crate) struct WalkMetadata {
    /// What is tracked and not met by a walk.
    pub(super) tracked_extras: TrackedExtras,
    /// The repositories in the tree, and what they track; the one around the root is the empty path's.
    pub(super) repositories: Vec<Repository>,
}

/// Where something may have happened. Paths are relative to the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct TouchedPaths {
    /// At these paths, or below them.
    pub(crate) paths: BTreeSet<RelPath>,
    /// In the lists of files that these repositories track.
    pub(crate) tracked: BTreeSet<Vec<u8>>,
    /// In the rules of these directories that are no files in them.
    pub(crate) rules: BTreeSet<Vec<u8>>,
    /// At these paths somebody saw something else, be it what is listed of them.
    pub(crate) doubtful: BTreeSet<Vec<u8>>,
}

impl TouchedPaths {
    /// Whether nothing may have happened.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { paths, tracked, rules, doubtful } = self;
        paths.is_empty() && tracked.is_empty() && rules.is_empty() && doubtful.is_empty()
    }

    /// Leaves only single files of a root (canonical): whatever else is looked at would have directories listed.
    pub(crate) fn keep_files(&mut self, root: &Path) {
        let paths = std::mem::take(&mut self.paths);
        let is_directory = |path: &RelPath| bytes::to_path(path.as_bytes()).is_none_or(|path| root.join(path).is_dir());
        *self = Self { paths: paths.into_iter().filter(|path| !is_directory(path)).collect(), ..Self::default() };
    }
}

/// Where git keeps what it knows of a repository in the tree.
#[derive(Clone, Debug)]
pub(crate) struct GitDirLocation {
    /// Where its top lies below the root; empty for the one around the root.
    pub(crate) at: Vec<u8>,
    /// The directory: absolute.
    pub(crate) git: PathBuf,
}

impl WalkMetadata {
    /// Of a root of which nothing is known but that git has a list of what is in it.
    pub(super) fn around() -> Self {
        Self { repositories: vec![Repository { at: Vec::new(), digest: 0 }], ..Self::default() }
    }

    /// Where git keeps what it knows of the repositories of a root (canonical).
    pub(crate) fn places(&self, root: &Path) -> Vec<GitDirLocation> {
        let place = |known: &Repository| {
            Some(GitDirLocation { at: known.at.clone(), git: known.git(root)?.own().to_path_buf() })
        };
        self.repositories.iter().filter_map(place).collect()
    }

    /// The repositories whose lists of tracked files were read.
    pub(crate) fn tracked(&self) -> BTreeSet<Vec<u8>> {
        self.repositories.iter().map(|known| known.at.clone()).collect()
    }

    /// Directories (absolute) beside those that are listed in which something can happen that decides what is: where git keeps
    /// what it knows, those around the root in its worktree, and where tracked files may come that rules hide.
    pub(crate) fn watched(&self, root: &Path) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = Vec::new();
        for place in self.places(root) {
            all.extend([place.git.join("info"), place.git.join("logs")]);
            all.push(place.git);
        }
        if let Some(top) = git::worktree_top(root) {
            all.extend(root.ancestors().skip(1).take_while(|above| above.starts_with(top)).map(Path::to_path_buf));
        }
        let ways: BTreeSet<&[u8]> = self.tracked_extras.paths.keys().flat_map(|path| ancestors(path)).collect();
        all.extend(ways.into_iter().filter_map(|path| Some(root.join(bytes::to_path(path)?))));
        all.retain(|directory| directory.symlink_metadata().is_ok_and(|entry| entry.is_dir()));
        all
    }
}

/// What came of looking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RescanOutcome {
    /// The differences between the snapshot and the disk.
    pub(crate) changes: Vec<Change>,
    /// Whether rules are others, or what is tracked.
    pub(crate) rules: bool,
    /// Directories (relative) that were listed with all below them: they came, or may be others than before.
    pub(crate) listed: BTreeSet<Vec<u8>>,
    /// Whether there are other repositories than before.
    pub(crate) repositories: bool,
    /// Directories (relative) that hold nothing that is listed, but something that is tracked may come there.
    pub(crate) expectant: BTreeSet<Vec<u8>>,
}

/// Looks where something may have happened. Told twice is no more than told once.
///
/// # Errors
/// When the root itself is gone or cannot be listed.
pub(crate) fn rescan(
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
    /// All that git tracks, as hashes; read where what is known of it is cut.
    tracked_hashes: Option<FxHashSet<u64>>,
    outcome: RescanOutcome,
}

impl Rescanner<'_> {
    fn rescan(mut self, touched: &TouchedPaths) -> Result<RescanOutcome, RootError> {
        let (mut single, mut whole) = (BTreeSet::<Vec<u8>>::new(), BTreeSet::<Vec<u8>>::new());
        let mut rules = touched.rules.clone();
        for path in &touched.paths {
            let path = path.as_bytes();
            let (directory, name) = bytes::split(path);
            if path.is_empty() || directory.split(|&byte| byte == b'/').any(|segment| segment == DOT_GIT.as_bytes()) {
                continue;
            }
            if name == DOT_GIT.as_bytes() || RULES.contains(&name) {
                rules.insert(directory.to_vec());
            }
            if name != DOT_GIT.as_bytes() {
                single.insert(self.highest_new(path).to_vec());
            }
        }
        let mut doubtful = touched.doubtful.clone();
        for at in &touched.tracked {
            self.track_again(at, &mut single, &mut doubtful);
        }
        self.outcome.rules = !rules.is_empty();
        for path in single.iter().chain(&doubtful) {
            self.single(path, doubtful.contains(path), &mut whole);
        }
        let rules: BTreeSet<Vec<u8>> = rules.iter().map(|directory| self.highest_new_or_own(directory)).collect();
        // A repository that came or went with its directory has a list of its own.
        let (with_repository, whole): (BTreeSet<_>, BTreeSet<_>) =
            whole.into_iter().partition(|path| self.holds_repository(path));
        let again = outermost(&rules.into_iter().chain(with_repository).collect());
        let whole: BTreeSet<_> = outermost(&whole).into_iter().filter(|path| !is_within(path, &again)).collect();
        self.outcome.changes.retain(|change| {
            let (Change::Added(path, _) | Change::Removed(path)) = change;
            !is_within(path.as_bytes(), &again) && !is_within(path.as_bytes(), &whole)
        });
        self.list(again, true)?;
        self.list(whole, false)?;
        Ok(self.outcome)
    }

    /// The path, or the highest of its parents that is new or gone: with it comes or goes all that is below.
    fn highest_new<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        let known = |path: &[u8]| self.snapshot.get(path) == Some(Kind::Directory);
        let there = |path: &[u8]| self.kind(path) == Some(Kind::Directory);
        ancestors(path).find(|parent| !known(parent) || !there(parent)).unwrap_or(path)
    }

    fn highest_new_or_own(&self, directory: &[u8]) -> Vec<u8> {
        if directory.is_empty() { Vec::new() } else { self.highest_new(directory).to_vec() }
    }

    fn kind(&self, path: &[u8]) -> Option<Kind> {
        let path = self.root.canonical.join(bytes::to_path(path)?);
        path.symlink_metadata().ok().as_ref().map(kind)
    }

    fn holds_repository(&self, directory: &[u8]) -> bool {
        self.walk_metadata.repositories.iter().any(|known| known.at == directory || is_below(&known.at, directory))
    }

    /// Whether git tracks a path that the rules hide.
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

    /// Looks at one entry; `whole` takes what has to be listed because of it. `doubtful`: also if nothing happened to it.
    fn single(&mut self, path: &[u8], doubtful: bool, whole: &mut BTreeSet<Vec<u8>>) {
        let (known, there) = (self.snapshot.get(path), self.kind(path));
        if there == Some(Kind::Directory) {
            let expected =
                self.walk_metadata.tracked_extras.cut || self.walk_metadata.tracked_extras.below(path).next().is_some();
            if known.is_some() || expected || !self.rules.hide(path, true) {
                whole.insert(path.to_vec());
            }
            return;
        }
        if known == there && !doubtful {
            return;
        }
        let visible = there.is_some() && (!self.rules.hide(path, false) || self.is_tracked(path));
        if known == Some(Kind::Directory) && self.holds_repository(path) {
            self.walk_metadata.repositories.retain(|gone| gone.at != path && !is_below(&gone.at, path));
            self.walk_metadata.tracked_extras.paths.retain(|gone, _| !is_below(gone, path));
        }
        if known.is_some() && (known != there || !visible) {
            self.outcome.changes.push(Change::Removed(RelPath::new(path)));
            // Without it the directories that led there may be as hidden as the others.
            whole.extend(self.rules.highest_hidden(path).map(<[u8]>::to_vec));
        }
        if let Some(there) = there.filter(|_| visible && known != there) {
            self.outcome.changes.push(Change::Added(RelPath::new(path), there));
        }
    }

    /// Reads again what a repository tracks; `single` takes what is tracked from now on, `doubtful` what is not any more.
    fn track_again(&mut self, at: &[u8], single: &mut BTreeSet<Vec<u8>>, doubtful: &mut BTreeSet<Vec<u8>>) {
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
                    single.insert(path.to_vec());
                }
            },
        );
        for path in before.difference(&still) {
            self.walk_metadata.tracked_extras.paths.remove(path);
            if self.snapshot.get(path).is_some() {
                doubtful.insert(path.clone());
            }
        }
    }

    /// Lists these directories, none inside another, with all below them, and notes what is different.
    fn list(&mut self, directories: BTreeSet<Vec<u8>>, asks_git: bool) -> Result<(), RootError> {
        if directories.is_empty() {
            return Ok(());
        }
        let directories = Arc::new(directories);
        let known = (!asks_git).then_some(&self.walk_metadata.tracked_extras);
        let below = SubtreeFilter { directories: Arc::clone(&directories), known };
        let walked = walk_subtrees(self.root, self.options, &below)?;
        let WalkMetadata { tracked_extras, repositories } = &mut *self.walk_metadata;
        let is_inside = |path: &[u8]| directories.contains(path) || is_within(path, &directories);
        if asks_git {
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
            self.outcome.expectant.extend(expected);
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
        // With a directory goes all that is below.
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

/// Whether a path lies below a directory; the empty one is the root.
fn is_below(path: &[u8], directory: &[u8]) -> bool {
    match path.strip_prefix(directory) {
        Some(rest) if directory.is_empty() => !rest.is_empty(),
        Some(rest) => rest.first() == Some(&b'/'),
        None => false,
    }
}

/// Whether a path lies below one of these directories.
fn is_within(path: &[u8], directories: &BTreeSet<Vec<u8>>) -> bool {
    !path.is_empty() && (directories.contains(&b""[..]) || ancestors(path).any(|above| directories.contains(above)))
}

/// Those of these paths that lie in no other.
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

pub(crate) use {RescanOutcome as Looked, TouchedPaths as Touched, WalkMetadata as Ground, rescan as look};

#[cfg(all(test, unix))]
mod tests;
