//! `ListingFingerprint`: what a listing depends on, each with its stamp.

use std::mem;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pathfinder_core::RelPath;
use pathfinder_core::index::Snapshot;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::bytes;
use super::super::events::WalkMetadata;
use super::super::git::{self, DOT_GIT, GitDir};
use super::super::walk::{Repository, TrackedExtras, WalkOptions, WalkResult};
use super::directory_stamps::DirectoryStamps;
use super::stamp::{DirStat, UNSURE, is_unchanged, stamp_following_links};

/// The files of a directory whose rules a walk obeys.
pub(super) const RULES: [&str; 2] = [".gitignore", ".ignore"];

/// What a walk has seen beside the entries, from which the basis is made when somebody wants it: that takes a question for each
/// directory, and whoever asks once waits for none of them.
#[derive(Clone, Debug)]
pub(super) struct WalkEvidence {
    /// When it began: what has changed since may have changed after it was seen.
    start: SystemTime,
    include_dirs: Vec<String>,
    repositories: Vec<Repository>,
    absent: Option<Vec<RelPath>>,
    additions: Vec<RelPath>,
    package_files: Vec<RelPath>,
    tracked_extras: TrackedExtras,
}

impl WalkEvidence {
    /// By a walk that began at `start`.
    pub(super) fn new(walked: &mut WalkResult, options: &WalkOptions, start: SystemTime) -> Self {
        Self {
            start,
            include_dirs: options.include_dirs.clone(),
            repositories: mem::take(&mut walked.repositories),
            absent: walked.absent.take(),
            additions: mem::take(&mut walked.additions),
            package_files: mem::take(&mut walked.package_files),
            tracked_extras: mem::take(&mut walked.tracked_extras),
        }
    }

    /// What is known of the root beside its entries.
    pub(super) fn walk_metadata(&self) -> WalkMetadata {
        WalkMetadata { tracked_extras: self.tracked_extras.clone(), repositories: self.repositories.clone() }
    }
}

/// See the module's text. Paths are relative to the root.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ListingFingerprint {
    /// The options that the walk had.
    pub(super) include_dirs: Vec<String>,
    /// DirectoryStamps, the root among them.
    pub(super) directories: DirectoryStamps,
    /// Ignore files.
    pub(super) rules: Vec<(Vec<u8>, u64)>,
    /// What else hides entries, outside of the root and in `.git`, be it there or not.
    outside: Vec<(Vec<u8>, u64)>,
    /// Repositories, and their lists of files.
    pub(super) repositories: Vec<(Repository, u64)>,
    /// What is tracked and not there; `None` if it cannot be told what is.
    absent: Option<Vec<Vec<u8>>>,
    /// What is listed although it is ignored: what is tracked or asked for, and the directories that lead there; sorted.
    additions: Vec<Vec<u8>>,
    /// Files that may name packages.
    pub(super) packages: Vec<(Vec<u8>, u64)>,
    /// What is tracked and not met by a walk.
    tracked_extras: TrackedExtras,
}

impl ListingFingerprint {
    /// Of what a walk has found.
    pub(super) fn new(root: &Path, snapshot: &Snapshot, seen: &WalkEvidence) -> Self {
        let start = seen.start;
        let mut directories = snapshot.directories();
        directories.push(Vec::new());
        let dir_stat = DirStat::new(root);
        let looked_at: Vec<_> =
            directories.par_iter().map(|directory| stamp_directory(root, &dir_stat, directory, start)).collect();
        let mut fingerprint = Self {
            include_dirs: seen.include_dirs.clone(),
            directories: DirectoryStamps::default(),
            rules: Vec::new(),
            outside: outside_rule_files(root)
                .iter()
                .map(|path| (bytes::from_os_str(path.as_os_str()).into_owned(), stamp_following_links(path, start)))
                .collect(),
            repositories: seen
                .repositories
                .iter()
                .map(|repository| {
                    (
                        repository.clone(),
                        repository.index_path(root).map_or(UNSURE, |path| stamp_following_links(&path, start)),
                    )
                })
                .collect(),
            absent: seen.absent.as_ref().map(|absent| absent.iter().map(|path| path.as_bytes().to_vec()).collect()),
            additions: seen.additions.iter().map(|path| path.as_bytes().to_vec()).collect(),
            packages: Vec::new(),
            tracked_extras: seen.tracked_extras.clone(),
        };
        let mut own = Vec::with_capacity(looked_at.len());
        for (directory, (stamp, rules)) in directories.into_iter().zip(looked_at) {
            own.push((directory, stamp));
            fingerprint.rules.extend(rules);
        }
        fingerprint.directories = DirectoryStamps::new(own);
        fingerprint.set_packages(root, seen.package_files.iter().map(RelPath::as_bytes), start);
        fingerprint
    }

    /// What is known of the root beside its entries.
    pub(super) fn walk_metadata(&self) -> WalkMetadata {
        let repositories = self.repositories.iter().map(|(repository, _)| repository.clone()).collect();
        WalkMetadata { tracked_extras: self.tracked_extras.clone(), repositories }
    }

    /// Stamps these files, which may name packages.
    pub(super) fn set_packages<'a>(&mut self, root: &Path, files: impl Iterator<Item = &'a [u8]>, start: SystemTime) {
        let files: Vec<&[u8]> = files.collect();
        let dir_stat = DirStat::new(root);
        self.packages = files.par_iter().map(|file| (file.to_vec(), dir_stat.stamp(file, start))).collect();
    }

    /// Whether all that decides for more than one directory is as it was.
    pub(super) fn has_same_global_inputs(&self, root: &Path, options: &WalkOptions, now: SystemTime) -> bool {
        let is_same = |(path, before): &(Vec<u8>, u64)| {
            bytes::to_path(path).is_some_and(|path| is_unchanged(*before, stamp_following_links(&root.join(path), now)))
        };
        let is_outside_same = |(path, before): &(Vec<u8>, u64)| {
            bytes::to_path(path).is_some_and(|path| is_unchanged(*before, stamp_following_links(path, now)))
        };
        let names = outside_rule_files(root);
        let same_names = || {
            self.outside
                .iter()
                .map(|(path, _)| path.as_slice())
                .eq(names.iter().map(|path| path.as_os_str().as_encoded_bytes()))
        };
        // Of several names the first may lie where nothing is looked at.
        let plain = options.include_dirs.iter().all(|name| !name.contains(['/', '\\']));
        self.include_dirs == options.include_dirs
            && plain
            && same_names()
            && self.outside.iter().all(is_outside_same)
            && self.has_same_absences(root)
            && self.rules.par_iter().all(is_same)
            && self.repositories.iter().all(|(repository, before)| {
                let index = repository.index_path(root);
                index.is_some_and(|index| is_unchanged(*before, stamp_following_links(&index, now)))
                    || repository.reread(root) == *repository
            })
    }

    /// Whether a difference at this path may be one of what is listed although it is ignored: that is for a walk to say.
    pub(super) fn affects_additions(&self, path: &[u8]) -> bool {
        let at = self.additions.partition_point(|addition| addition.as_slice() < path);
        let is_within =
            |addition: &Vec<u8>| addition.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest[0] == b'/');
        // What stands between them begins with the path too.
        self.additions[at..].iter().take_while(|addition| addition.starts_with(path)).any(is_within)
            || self.additions.binary_search_by(|addition| addition.as_slice().cmp(bytes::split(path).0)).is_ok()
    }

    fn has_same_absences(&self, root: &Path) -> bool {
        let is_absent = |path: &Vec<u8>| {
            let there = bytes::to_path(path).and_then(|path| root.join(path).symlink_metadata().ok());
            there.is_none_or(|entry| entry.is_dir())
        };
        self.absent.as_ref().is_some_and(|absent| absent.iter().all(is_absent))
    }

    /// Whether a directory that has changed still holds the ignore files and the repository that it did.
    pub(super) fn has_same_rules(&self, root: &Path, directory: &[u8]) -> bool {
        let Some(path) = bytes::to_path(directory) else { return false };
        let path = root.join(path);
        let is_known = |name: &str| self.rules.iter().any(|(file, _)| *file == bytes::join(directory, name.as_bytes()));
        // The one around the root is there whichever directory above it holds it.
        let is_repository = self.repositories.iter().any(|(repository, _)| repository.at == directory)
            && (!directory.is_empty() || git::worktree_top(root) == Some(root));
        RULES.iter().all(|name| path.join(name).exists() == is_known(name))
            && path.join(DOT_GIT).exists() == is_repository
    }
}

/// The stamp of a directory below a root, and the ignore files in it with theirs.
pub(super) fn stamp_directory(
    root: &Path,
    dir_stat: &DirStat,
    directory: &[u8],
    start: SystemTime,
) -> (u64, Vec<(Vec<u8>, u64)>) {
    let rules = RULES.iter().filter_map(|name| {
        let file = bytes::join(directory, name.as_bytes());
        let stamp = || bytes::to_path(&file).map_or(UNSURE, |path| stamp_following_links(&root.join(path), start));
        dir_stat.exists(&file).then(|| (file.clone(), stamp()))
    });
    let rules = rules.collect();
    (dir_stat.stamp(directory, start), rules)
}

/// Where rules that hold for a root can be beside the directories below it.
fn outside_rule_files(root: &Path) -> Vec<PathBuf> {
    let above = root.ancestors().skip(1).flat_map(|above| RULES.map(|name| above.join(name)));
    let private = git::worktree_top(root).and_then(GitDir::from_worktree).map(|git| git.exclude_path());
    above.chain(private).chain(ignore::gitignore::gitconfig_excludes_path()).collect()
}
