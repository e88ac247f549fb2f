//! Updates a listing by reading only the directories that changed. Called by `Listing::read` and `Listing::resume`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use pathfinder_core::index::{Change, Package, Snapshot};
use pathfinder_core::{Kind, RelPath};
use rayon::prelude::*;

use super::super::events::TouchedPaths;
use super::super::git::DOT_GIT;
use super::super::roots::RootDir;
use super::super::stamp::{DirStat, UNSURE, is_unchanged};
use super::super::walk::{IgnoreRules, WalkOptions};
use super::super::{bytes, events, package_manifests};
use super::directory_stamps::{DirectoryStamps, StaleDirectory};
use super::fingerprint::{ListingFingerprint, stamp_directory};
use super::{Listing, ListingSource};

/// Maximum number of directories that are read one by one. Each needs the rules of its parents, so a walk is faster
/// beyond some hundred.
const MAX_STALE_DIRECTORIES: usize = 128;

/// Returns the directories that changed; `None` if the tree has to be walked.
pub(super) fn find_stale(
    fingerprint: &ListingFingerprint,
    root: &RootDir,
    options: &WalkOptions,
    now: SystemTime,
) -> Option<Vec<StaleDirectory>> {
    let top = root.canonical.as_path();
    let (stale, is_same) = rayon::join(
        || fingerprint.directories.find_stale(&DirStat::new(top), now),
        || fingerprint.has_same_global_inputs(top, options, now),
    );
    stale.filter(|stale| is_same && stale.len() <= MAX_STALE_DIRECTORIES)
}

/// Returns whether so much changed just before the listing was made that it cannot be updated.
pub(super) fn is_too_recent(fingerprint: &ListingFingerprint) -> bool {
    fingerprint.directories.count_unsure() > MAX_STALE_DIRECTORIES
        || fingerprint.rules.iter().any(|(_, stamp)| *stamp == UNSURE)
}

/// Returns the listing updated by these stale directories; `None` if the tree has to be walked.
pub(super) fn catch_up(
    before: &Listing,
    root: &RootDir,
    options: &WalkOptions,
    now: SystemTime,
    mut stale: Vec<StaleDirectory>,
) -> Option<Listing> {
    let top = root.canonical.as_path();
    let Listing { snapshot, unreadable, .. } = before;
    let fingerprint = before.fingerprint(top)?;
    // A directory that could not be listed may be readable now.
    if unreadable.count > 0 {
        return None;
    }
    let started = Instant::now();
    let written_packages = find_written_packages(fingerprint, top, now);
    let check_time = started.elapsed();
    if stale.is_empty() && written_packages.is_empty() {
        let (source, none) = (ListingSource::CaughtUp(0), Duration::ZERO);
        return Some(Listing { source, read: none, packages: check_time, build: none, ..before.clone() });
    }
    // For a removed directory, its parent is stale too.
    stale.retain(|(_, directory)| is_directory(top, directory));
    let mut paths = Vec::new();
    let mut rules = IgnoreRules::new(top, options);
    for (_, directory) in &stale {
        if !fingerprint.has_same_rules(top, directory) {
            return None;
        }
        paths.extend(find_differences(top, &mut rules, snapshot, directory)?);
    }
    if paths.iter().any(|path| fingerprint.affects_additions(path.as_bytes())) {
        return None;
    }
    let changes = if paths.is_empty() {
        Vec::new()
    } else {
        let touched = TouchedPaths { paths: paths.into_iter().collect(), ..TouchedPaths::default() };
        events::rescan(root, options, snapshot, &mut fingerprint.walk_metadata(), &touched).ok()?.changes
    };
    let mut fingerprint = fingerprint.clone();
    let started = Instant::now();
    let is_directory = |change: &Change| match change {
        Change::Added(_, kind) => *kind == Kind::Directory,
        Change::Removed(path) => snapshot.get(path.as_bytes()) == Some(Kind::Directory),
    };
    let has_directory_changes = changes.iter().any(is_directory);
    let mut snapshot = snapshot.apply(&changes);
    let build = started.elapsed();
    let dir_stat = DirStat::new(top);
    for (number, directory) in &stale {
        fingerprint.directories.set_stamp(*number, dir_stat.stamp(directory, now));
    }
    if has_directory_changes {
        fingerprint.directories = update_directories(top, &snapshot, &changes, &fingerprint.directories, now)?;
    }
    let started = Instant::now();
    update_packages(root, &mut snapshot, &mut fingerprint, &changes, written_packages, now);
    let packages = check_time + started.elapsed();
    let (source, unreadable) = (ListingSource::CaughtUp(stale.len()), unreadable.clone());
    let read = Duration::ZERO;
    Some(Listing {
        snapshot,
        unreadable,
        source,
        read,
        packages,
        build,
        evidence: None,
        fingerprint: Arc::new(fingerprint).into(),
    })
}

fn is_directory(root: &Path, directory: &[u8]) -> bool {
    bytes::to_path(directory).is_some_and(|path| root.join(path).symlink_metadata().is_ok_and(|entry| entry.is_dir()))
}

/// Returns the entries of a directory that were added, removed, or changed their kind.
fn find_differences(
    root: &Path,
    rules: &mut IgnoreRules,
    snapshot: &Snapshot,
    directory: &[u8],
) -> Option<Vec<RelPath>> {
    let wanted = rules.listed_names(directory);
    let known = snapshot.children(directory);
    let mut different = Vec::new();
    let mut there = BTreeSet::new();
    for entry in root.join(bytes::to_path(directory)?).read_dir().ok()? {
        let entry = entry.ok()?;
        let name = bytes::from_os_str(&entry.file_name()).into_owned();
        let kind = entry.file_type().ok().map(kind)?;
        let is_wanted = name != DOT_GIT.as_bytes() && wanted.as_ref().is_none_or(|wanted| wanted.contains(&name));
        let was = known.get(&name).copied();
        if was.is_some_and(|was| was != kind) || was.is_none() && is_wanted {
            different.push(RelPath::new(bytes::join(directory, &name)));
        }
        there.insert(name);
    }
    let gone = known.into_keys().filter(|name| !there.contains(name));
    different.extend(gone.map(|name| RelPath::new(bytes::join(directory, &name))));
    Some(different)
}

fn kind(file_type: std::fs::FileType) -> Kind {
    if file_type.is_dir() {
        Kind::Directory
    } else if file_type.is_symlink() {
        Kind::Symlink
    } else {
        Kind::File
    }
}

/// Returns the stamps of all directories; `None` if a new one is a repository, which has an index of its own, or has
/// ignore files, which may hide tracked files.
fn update_directories(
    root: &Path,
    snapshot: &Snapshot,
    changes: &[Change],
    before: &DirectoryStamps,
    now: SystemTime,
) -> Option<DirectoryStamps> {
    let mut known = before.stamps();
    let dir_stat = DirStat::new(root);
    for change in changes {
        let Change::Added(path, Kind::Directory) = change else { continue };
        let directory = path.as_bytes();
        let (own, rules) = stamp_directory(root, &dir_stat, directory, now);
        if !rules.is_empty() || root.join(bytes::to_path(directory)?).join(DOT_GIT).exists() {
            return None;
        }
        known.insert(directory.to_vec(), own);
    }
    let mut all = snapshot.directories();
    all.push(Vec::new());
    let with_known = |directory: Vec<u8>| {
        let stamp = known.get(&directory).copied().unwrap_or(UNSURE);
        (directory, stamp)
    };
    Some(DirectoryStamps::new(all.into_iter().map(with_known).collect()))
}

/// Returns the directories in which a package metadata file was written or removed.
fn find_written_packages(fingerprint: &ListingFingerprint, top: &Path, now: SystemTime) -> BTreeSet<Vec<u8>> {
    let dir_stat = DirStat::new(top);
    let is_written = |(file, before): &&(Vec<u8>, u64)| !is_unchanged(*before, dir_stat.stamp(file, now));
    let written = fingerprint.packages.par_iter().filter(is_written).map(|(file, _)| bytes::split(file).0.to_vec());
    written.collect::<Vec<_>>().into_iter().collect()
}

/// Reads package names again in the `touched` directories, and in those with a new metadata file.
fn update_packages(
    root: &RootDir,
    snapshot: &mut Snapshot,
    fingerprint: &mut ListingFingerprint,
    changes: &[Change],
    mut touched: BTreeSet<Vec<u8>>,
    now: SystemTime,
) {
    let top = root.canonical.as_path();
    let added = changes.iter().filter_map(|change| match change {
        Change::Added(path, Kind::File) => Some(path.as_bytes()),
        _ => None,
    });
    let is_metadata = |path: &&[u8]| package_manifests::is_metadata(bytes::split(path).1);
    let mut files: BTreeSet<Vec<u8>> = fingerprint.packages.iter().map(|(file, _)| file.clone()).collect();
    for file in added.filter(is_metadata) {
        touched.insert(bytes::split(file).0.to_vec());
        files.insert(file.to_vec());
    }
    if touched.is_empty() {
        return;
    }
    files.retain(|file| snapshot.get(file) == Some(Kind::File));
    let again: Vec<RelPath> = files
        .iter()
        .filter(|file| touched.contains(bytes::split(file).0))
        .map(|file| RelPath::new(file.as_slice()))
        .collect();
    let mut all: Vec<Package> = snapshot.packages().to_vec();
    all.retain(|package| !touched.contains(package.directory.as_bytes()));
    all.extend(package_manifests::read(root, &again));
    *snapshot = snapshot.with_packages(all);
    fingerprint.set_packages(top, files.iter().map(Vec::as_slice), now);
}
