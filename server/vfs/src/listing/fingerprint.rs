//! `ListingFingerprint`: everything that a listing depends on, each with a stamp. `catch_up` compares it with the disk.

use std::mem;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pathfinder_core::RelPath;
use pathfinder_core::index::Snapshot;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::super::bytes;
use super::super::events::WalkMetadata;
use super::super::git::{self, DOT_GIT, GitDir};
use super::super::stamp::{DirStat, UNSURE, is_unchanged, stamp_following_links};
use super::super::walk::{IGNORE_FILE_NAMES, Repository, TrackedExtras, WalkOptions, WalkResult};
use super::directory_stamps::DirectoryStamps;

/// Data that a walk saw beside the entries. The fingerprint is made of it on demand, because one-shot commands do not
/// need it.
#[derive(Clone, Debug)]
pub(super) struct WalkEvidence {
    /// Time at which the walk began. Later changes may have been missed.
    start: SystemTime,
    include_dirs: Vec<String>,
    repositories: Vec<Repository>,
    absent: Option<Vec<RelPath>>,
    additions: Vec<RelPath>,
    package_files: Vec<RelPath>,
    tracked_extras: TrackedExtras,
    /// Stamps that the walk took of the directories that it listed.
    stamps: DirectoryStamps,
    ruled: Option<FxHashSet<Vec<u8>>>,
}

impl WalkEvidence {
    /// Takes the data out of a walk that began at `start`.
    pub(super) fn new(walked: &mut WalkResult, options: &WalkOptions, start: SystemTime) -> Self {
        Self {
            start,
            include_dirs: options.include_dirs.clone(),
            repositories: mem::take(&mut walked.repositories),
            absent: walked.absent.take(),
            additions: mem::take(&mut walked.additions),
            package_files: mem::take(&mut walked.package_files),
            tracked_extras: mem::take(&mut walked.tracked_extras),
            stamps: DirectoryStamps::new(mem::take(&mut walked.stamps)),
            ruled: walked.ruled.take(),
        }
    }

    /// Returns whether a directory may have ignore files. One that comes after the walk began sets the directory's
    /// times, so the directory is read again.
    fn may_have_rules(&self, directory: &[u8]) -> bool {
        let Some(ruled) = &self.ruled else { return true };
        let is_added = || self.additions.binary_search_by(|addition| addition.as_bytes().cmp(directory)).is_ok();
        directory.is_empty() || ruled.contains(directory) || is_added()
    }

    /// Returns the metadata of the walk beside the entries.
    pub(super) fn walk_metadata(&self) -> WalkMetadata {
        WalkMetadata { tracked_extras: self.tracked_extras.clone(), repositories: self.repositories.clone() }
    }
}

/// Stamps of everything that a listing depends on. Paths are relative to the root.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ListingFingerprint {
    /// `INCLUDE_DIRS` of the walk.
    pub(super) include_dirs: Vec<String>,
    /// All directories, the root among them.
    pub(super) directories: DirectoryStamps,
    /// Ignore files.
    pub(super) rules: Vec<(Vec<u8>, u64)>,
    /// Ignore files outside of the root and in `.git`, whether or not they exist.
    outside: Vec<(Vec<u8>, u64)>,
    /// Repositories with the stamps of their indexes.
    pub(super) repositories: Vec<(Repository, u64)>,
    /// Tracked paths that do not exist; `None` if there are too many.
    absent: Option<Vec<Vec<u8>>>,
    /// Paths that are listed although they are ignored: tracked ones, those of `INCLUDE_DIRS`, and their parents;
    /// sorted.
    additions: Vec<Vec<u8>>,
    /// Files that may name packages.
    pub(super) packages: Vec<(Vec<u8>, u64)>,
    /// Tracked entries that a walk does not meet.
    tracked_extras: TrackedExtras,
}

impl ListingFingerprint {
    /// Makes a fingerprint from what a walk saw.
    pub(super) fn new(root: &Path, snapshot: &Snapshot, evidence: &WalkEvidence) -> Self {
        let start = evidence.start;
        let mut directories = snapshot.directories();
        directories.push(Vec::new());
        let dir_stat = DirStat::new(root);
        let stamps = evidence.stamps.stamps();
        let stamp = |directory: &Vec<u8>| {
            let rules = if evidence.may_have_rules(directory) {
                stamp_rules(root, &dir_stat, directory, start)
            } else {
                Vec::new()
            };
            let stamp = stamps.get(directory).copied();
            (stamp.unwrap_or_else(|| dir_stat.stamp(directory, start)), rules)
        };
        let stamped: Vec<_> = directories.par_iter().map(stamp).collect();
        let mut fingerprint = Self {
            include_dirs: evidence.include_dirs.clone(),
            directories: DirectoryStamps::default(),
            rules: Vec::new(),
            outside: outside_rule_files(root)
                .iter()
                .map(|path| (bytes::from_os_str(path.as_os_str()).into_owned(), stamp_following_links(path, start)))
                .collect(),
            repositories: evidence
                .repositories
                .iter()
                .map(|repository| {
                    (
                        repository.clone(),
                        repository.index_path(root).map_or(UNSURE, |path| stamp_following_links(&path, start)),
                    )
                })
                .collect(),
            absent: evidence.absent.as_ref().map(|absent| absent.iter().map(|path| path.as_bytes().to_vec()).collect()),
            additions: evidence.additions.iter().map(|path| path.as_bytes().to_vec()).collect(),
            packages: Vec::new(),
            tracked_extras: evidence.tracked_extras.clone(),
        };
        let mut own = Vec::with_capacity(stamped.len());
        for (directory, (stamp, rules)) in directories.into_iter().zip(stamped) {
            own.push((directory, stamp));
            fingerprint.rules.extend(rules);
        }
        fingerprint.directories = DirectoryStamps::new(own);
        fingerprint.set_packages(root, evidence.package_files.iter().map(RelPath::as_bytes), start);
        fingerprint
    }

    /// Returns the metadata of the walk beside the entries.
    pub(super) fn walk_metadata(&self) -> WalkMetadata {
        let repositories = self.repositories.iter().map(|(repository, _)| repository.clone()).collect();
        WalkMetadata { tracked_extras: self.tracked_extras.clone(), repositories }
    }

    /// Stamps the files that may name packages.
    pub(super) fn set_packages<'a>(&mut self, root: &Path, files: impl Iterator<Item = &'a [u8]>, start: SystemTime) {
        let files: Vec<&[u8]> = files.collect();
        let dir_stat = DirStat::new(root);
        self.packages = files.par_iter().map(|file| (file.to_vec(), dir_stat.stamp(file, start))).collect();
    }

    /// Returns whether everything that affects more than one directory is unchanged.
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
        // A name of several segments may lie in a directory that is not listed.
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

    /// Returns whether a change at this path may affect an entry that is listed although it is ignored. Then the tree
    /// has to be walked.
    pub(super) fn affects_additions(&self, path: &[u8]) -> bool {
        let at = self.additions.partition_point(|addition| addition.as_slice() < path);
        let is_within =
            |addition: &Vec<u8>| addition.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest[0] == b'/');
        // All paths between them begin with `path` as well.
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

    /// Returns whether a changed directory still holds the same ignore files and the same repository.
    pub(super) fn has_same_rules(&self, root: &Path, directory: &[u8]) -> bool {
        let Some(path) = bytes::to_path(directory) else { return false };
        let path = root.join(path);
        let is_known = |name: &str| self.rules.iter().any(|(file, _)| *file == bytes::join(directory, name.as_bytes()));
        // The repository around the root may lie in any of its parents.
        let is_repository = self.repositories.iter().any(|(repository, _)| repository.at == directory)
            && (!directory.is_empty() || git::worktree_top(root) == Some(root));
        IGNORE_FILE_NAMES.iter().all(|name| path.join(name).exists() == is_known(name))
            && path.join(DOT_GIT).exists() == is_repository
    }
}

/// Returns the stamp of a directory below a root, and its ignore files with theirs.
pub(super) fn stamp_directory(
    root: &Path,
    dir_stat: &DirStat,
    directory: &[u8],
    start: SystemTime,
) -> (u64, Vec<(Vec<u8>, u64)>) {
    let rules = stamp_rules(root, dir_stat, directory, start);
    (dir_stat.stamp(directory, start), rules)
}

/// Returns the ignore files of a directory with their stamps.
fn stamp_rules(root: &Path, dir_stat: &DirStat, directory: &[u8], start: SystemTime) -> Vec<(Vec<u8>, u64)> {
    let rules = IGNORE_FILE_NAMES.iter().filter_map(|name| {
        let file = bytes::join(directory, name.as_bytes());
        let stamp = || bytes::to_path(&file).map_or(UNSURE, |path| stamp_following_links(&root.join(path), start));
        dir_stat.exists(&file).then(|| (file.clone(), stamp()))
    });
    rules.collect()
}

/// Returns the paths outside of the listed directories at which rules for a root can be.
fn outside_rule_files(root: &Path) -> Vec<PathBuf> {
    let above = root.ancestors().skip(1).flat_map(|above| IGNORE_FILE_NAMES.map(|name| above.join(name)));
    let private = git::worktree_top(root).and_then(GitDir::from_worktree).map(|git| git.exclude_path());
    above.chain(private).chain(ignore::gitignore::gitconfig_excludes_path()).collect()
}
