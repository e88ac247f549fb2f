//! Bringing a listing up to date.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use pathfinder_core::index::{Change, Package, Snapshot};
use pathfinder_core::{Kind, RelPath};
use rayon::prelude::*;

use super::super::events::Touched;
use super::super::git::DOT_GIT;
use super::super::roots::RootDir;
use super::super::walk::{WalkOptions, listed};
use super::super::{bytes, events, packages};
use super::basis::{Basis, stamped};
use super::directories::{Directories, Stale};
use super::stamp::{Stamper, UNSURE, same};
use super::{Listing, Source};

/// Directories that are read one by one at most: each asks for the rules on the way to it, so that beyond some hundred a walk is
/// faster.
const CHANGED_MAX: usize = 128;

/// The directories that are not as they were; `None` if the tree has to be walked, be it that something else is not.
pub(super) fn stale(basis: &Basis, root: &RootDir, options: &WalkOptions, now: SystemTime) -> Option<Vec<Stale>> {
    let top = root.canonical.as_path();
    let (stale, alike) =
        rayon::join(|| basis.directories.stale(&Stamper::new(top), now), || basis.decides_alike(top, options, now));
    stale.filter(|stale| alike && stale.len() <= CHANGED_MAX)
}

/// Whether so much had just changed when it was read that the tree has to be walked again.
pub(super) fn is_in_vain(basis: &Basis) -> bool {
    basis.directories.unsure() > CHANGED_MAX || basis.rules.iter().any(|(_, stamp)| *stamp == UNSURE)
}

/// The listing as it is now, by the directories that are not as they were; `None` if the tree has to be walked.
pub(super) fn catch_up(
    before: &Listing,
    root: &RootDir,
    options: &WalkOptions,
    now: SystemTime,
    mut stale: Vec<Stale>,
) -> Option<Listing> {
    let top = root.canonical.as_path();
    let Listing { snapshot, unreadable, .. } = before;
    let basis = before.basis(top)?;
    // A directory that cannot be listed may have become one that can.
    if unreadable.count > 0 {
        return None;
    }
    let begun = Instant::now();
    let renamed = packages_written(basis, top, now);
    let asked = begun.elapsed();
    if stale.is_empty() && renamed.is_empty() {
        let (source, none) = (Source::CaughtUp(0), Duration::ZERO);
        return Some(Listing { source, read: none, packages: asked, build: none, ..before.clone() });
    }
    // Of one that is gone, the one that held it tells.
    stale.retain(|(_, directory)| is_directory(top, directory));
    let mut paths = Vec::new();
    for (_, directory) in &stale {
        if !basis.rules_alike(top, directory) {
            return None;
        }
        paths.extend(differences(top, options, snapshot, directory)?);
    }
    if paths.iter().any(|path| basis.concerns_additions(path.as_bytes())) {
        return None;
    }
    let changes = if paths.is_empty() {
        Vec::new()
    } else {
        let touched = Touched { paths: paths.into_iter().collect(), ..Touched::default() };
        events::look(root, options, snapshot, &mut basis.ground(), &touched).ok()?.changes
    };
    let mut basis = basis.clone();
    let begun = Instant::now();
    let is_directory = |change: &Change| match change {
        Change::Added(_, kind) => *kind == Kind::Directory,
        Change::Removed(path) => snapshot.get(path.as_bytes()) == Some(Kind::Directory),
    };
    let others = changes.iter().any(is_directory);
    let mut snapshot = snapshot.apply(&changes);
    let build = begun.elapsed();
    let stamper = Stamper::new(top);
    for (number, directory) in &stale {
        basis.directories.set(*number, stamper.stamp(directory, now));
    }
    if others {
        basis.directories = directories(top, &snapshot, &changes, &basis.directories, now)?;
    }
    let begun = Instant::now();
    name_packages(root, &mut snapshot, &mut basis, &changes, renamed, now);
    let packages = asked + begun.elapsed();
    let (source, unreadable) = (Source::CaughtUp(stale.len()), unreadable.clone());
    let read = Duration::ZERO;
    Some(Listing { snapshot, unreadable, source, read, packages, build, seen: None, basis: Arc::new(basis).into() })
}

fn is_directory(root: &Path, directory: &[u8]) -> bool {
    bytes::to_path(directory).is_some_and(|path| root.join(path).symlink_metadata().is_ok_and(|entry| entry.is_dir()))
}

/// What is in a directory and was not, or was and is not, or is of another kind.
fn differences(root: &Path, options: &WalkOptions, snapshot: &Snapshot, directory: &[u8]) -> Option<Vec<RelPath>> {
    let wanted = listed(root, options, directory);
    let known = snapshot.children(directory);
    let mut different = Vec::new();
    let mut there = BTreeSet::new();
    for entry in root.join(bytes::to_path(directory)?).read_dir().ok()? {
        let entry = entry.ok()?;
        let name = bytes::of(&entry.file_name()).into_owned();
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

fn kind(of: std::fs::FileType) -> Kind {
    if of.is_dir() {
        Kind::Directory
    } else if of.is_symlink() {
        Kind::Symlink
    } else {
        Kind::File
    }
}

/// The directories by now; `None` if a new one is a repository, which has a list of its own, or has rules: what they hide may be
/// tracked.
fn directories(
    root: &Path,
    snapshot: &Snapshot,
    changes: &[Change],
    before: &Directories,
    now: SystemTime,
) -> Option<Directories> {
    let mut known = before.stamps();
    let stamper = Stamper::new(root);
    for change in changes {
        let Change::Added(path, Kind::Directory) = change else { continue };
        let directory = path.as_bytes();
        let (own, rules) = stamped(root, &stamper, directory, now);
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
    Some(Directories::of(all.into_iter().map(with_known).collect()))
}

/// The directories in which a file that names a package was written, or is gone.
fn packages_written(basis: &Basis, top: &Path, now: SystemTime) -> BTreeSet<Vec<u8>> {
    let stamper = Stamper::new(top);
    let is_written = |(file, before): &&(Vec<u8>, u64)| !same(*before, stamper.stamp(file, now));
    let written = basis.packages.par_iter().filter(is_written).map(|(file, _)| bytes::split(file).0.to_vec());
    written.collect::<Vec<_>>().into_iter().collect()
}

/// Reads the names of packages again in the directories that were `touched`, and where files that give them have come.
fn name_packages(
    root: &RootDir,
    snapshot: &mut Snapshot,
    basis: &mut Basis,
    changes: &[Change],
    mut touched: BTreeSet<Vec<u8>>,
    now: SystemTime,
) {
    let top = root.canonical.as_path();
    let added = changes.iter().filter_map(|change| match change {
        Change::Added(path, Kind::File) => Some(path.as_bytes()),
        _ => None,
    });
    let is_metadata = |path: &&[u8]| packages::is_metadata(bytes::split(path).1);
    let mut files: BTreeSet<Vec<u8>> = basis.packages.iter().map(|(file, _)| file.clone()).collect();
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
    all.extend(packages::read(root, &again));
    *snapshot = snapshot.with_packages(all);
    basis.set_packages(top, files.iter().map(Vec::as_slice), now);
}
