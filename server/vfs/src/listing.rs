//! `Listing`: all entries below a root, read as quickly as an earlier listing allows. Called by `snapshot` and
//! `workspace::watch`.
//!
//! Without an earlier listing the tree is walked. With one, each directory is stat-ed instead of read: creating,
//! removing and renaming entries sets a directory's times, so unchanged times mean unchanged names. Only changed
//! directories are read. Ignore files, git indexes and package metadata are checked in the same way. If one of them
//! affects more than one directory, the tree is walked. The result always equals that of a walk. (git's untracked cache
//! does the same for one worktree.)
//!
//! # Cached listings
//!
//! An entry that changed less than 10 seconds before it was read counts as changed, so a listing always equals a walk.
//! Until the directories are checked, the cached listing (or git's index) answers questions with a sure answer that a stat
//! confirms; other questions wait.
//!
//! Paths that a sparse checkout leaves out are not searched; a failed path among them gets that as its answer.

mod cache_file;
mod catch_up;
mod directory_stamps;
mod fingerprint;
mod git_index;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use pathfinder_core::index::Snapshot;

use super::events::WalkMetadata;
use super::package_manifests;
use super::roots::{RootDir, RootError, check_listable};
use super::walk::{self, UnreadableDirs, WalkOptions};
use fingerprint::{ListingFingerprint, WalkEvidence};

/// All entries below a root, and how they were found.
#[derive(Clone, Debug)]
pub struct Listing {
    /// All entries, and the packages that metadata files name.
    pub snapshot: Snapshot,
    /// Directories that could not be listed.
    pub unreadable: UnreadableDirs,
    /// The source of the entries.
    pub source: ListingSource,
    /// Time for reading the disk, package metadata included.
    pub read: Duration,
    /// Time for reading package metadata; part of `read`.
    pub packages: Duration,
    /// Time for building the snapshot.
    pub build: Duration,
    evidence: Option<WalkEvidence>,
    fingerprint: OnceLock<Arc<ListingFingerprint>>,
}

/// The source of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingSource {
    /// The tree was walked.
    Walk,
    /// An earlier listing was updated, for which this many directories were read.
    CaughtUp(usize),
    /// Only git's index was read: untracked files are missing, and deleted ones are included.
    Tracked,
}

/// Minimum number of directories read for which a listing is cached: below it, writing takes longer than the next start
/// would save.
const MIN_READ_TO_CACHE: usize = 16;

impl Listing {
    /// Lists a root. `before` is an earlier listing of the same root to update.
    ///
    /// # Errors
    /// If the root itself is gone or cannot be listed.
    pub fn read(root: &RootDir, options: &WalkOptions, before: Option<&Self>) -> Result<Self, RootError> {
        Self::read_at(root, options, before, SystemTime::now())
    }

    /// Lists a root, updating the listing cached in this directory if there is one. Also returns the time that loading
    /// took, which includes the stat calls made meanwhile.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn resume(
        root: &RootDir,
        options: &WalkOptions,
        directory: Option<&Path>,
    ) -> Result<(Self, Duration), RootError> {
        let now = SystemTime::now();
        check_listable(&root.canonical, &root.given)?;
        let start = Instant::now();
        let stale = |fingerprint: &ListingFingerprint| catch_up::find_stale(fingerprint, root, options, now);
        let cached = directory.and_then(|directory| cache_file::load(directory, &root.canonical, stale));
        let took = start.elapsed();
        let caught_up = |(cached, stale): (Self, Vec<_>)| catch_up::catch_up(&cached, root, options, now, stale);
        Ok((Self::with_read_time(Instant::now(), cached.and_then(caught_up), || Self::walk(root, options, now))?, took))
    }

    /// Implements [`read`](Self::read) for a given current time.
    fn read_at(
        root: &RootDir,
        options: &WalkOptions,
        before: Option<&Self>,
        now: SystemTime,
    ) -> Result<Self, RootError> {
        check_listable(&root.canonical, &root.given)?;
        let start = Instant::now();
        let caught_up = before.and_then(|before| {
            let stale = catch_up::find_stale(before.fingerprint(&root.canonical)?, root, options, now)?;
            catch_up::catch_up(before, root, options, now, stale)
        });
        Self::with_read_time(start, caught_up, || Self::walk(root, options, now))
    }

    /// Takes the updated listing, or else walks the tree, and sets the time since `start`. That time includes a failed
    /// update.
    fn with_read_time(
        start: Instant,
        caught_up: Option<Self>,
        walk: impl FnOnce() -> Result<Self, RootError>,
    ) -> Result<Self, RootError> {
        let listing = caught_up.map_or_else(walk, Ok)?;
        let read = start.elapsed().saturating_sub(listing.build);
        Ok(Self { read, ..listing })
    }

    /// Lists git's index below a root, for callers that cannot wait for a walk; `None` if so little is tracked that a
    /// walk is as fast.
    pub fn tracked(root: &RootDir) -> Option<Self> {
        git_index::list_tracked(root)
    }

    fn walk(root: &RootDir, options: &WalkOptions, start: SystemTime) -> Result<Self, RootError> {
        let mut walked: walk::WalkResult = walk::walk_from(root, options, None, start)?;
        let started = Instant::now();
        let named = package_manifests::read(root, &walked.package_files);
        let packages = started.elapsed();
        let started = Instant::now();
        let snapshot = Snapshot::build(&walked.found, named);
        let build = started.elapsed();
        let evidence = Some(WalkEvidence::new(&mut walked, options, start));
        let (source, unreadable, fingerprint) = (ListingSource::Walk, walked.unreadable, OnceLock::new());
        Ok(Self { snapshot, unreadable, source, read: Duration::ZERO, packages, build, evidence, fingerprint })
    }

    /// Returns the fingerprint; `None` if the listing was not made by a walk or an update.
    fn fingerprint(&self, root: &Path) -> Option<&ListingFingerprint> {
        let Some(evidence) = &self.evidence else { return self.fingerprint.get().map(|fingerprint| &**fingerprint) };
        Some(self.fingerprint.get_or_init(|| Arc::new(ListingFingerprint::new(root, &self.snapshot, evidence))))
    }

    /// Returns the metadata of the walk beside the entries.
    pub fn walk_metadata(&self) -> WalkMetadata {
        // The evidence of the walk has it without the stat calls that a fingerprint needs.
        self.evidence
            .as_ref()
            .map(WalkEvidence::walk_metadata)
            .or_else(|| self.fingerprint.get().map(|fingerprint| fingerprint.walk_metadata()))
            .unwrap_or_default()
    }

    /// Loads the cached listing of a root, if there is a valid one.
    pub fn load(directory: &Path, root: &RootDir) -> Option<Self> {
        cache_file::load(directory, &root.canonical, |_| Some(())).map(|(listing, ())| listing)
    }

    /// Returns whether this listing was made with these options. False if its fingerprint is unknown.
    pub fn has_options(&self, root: &RootDir, options: &WalkOptions) -> bool {
        self.fingerprint(&root.canonical).is_some_and(|fingerprint| fingerprint.include_dirs == options.include_dirs)
    }

    /// Returns the time to wait before listing again, if so much changed just before that this listing cannot be
    /// updated.
    pub fn settle_time(&self, root: &RootDir) -> Option<Duration> {
        self.fingerprint(&root.canonical)
            .filter(|fingerprint| catch_up::is_too_recent(fingerprint))
            .map(|_| super::stamp::RACY_INTERVAL)
    }

    /// Stores the listing in this directory if that saves time later.
    pub fn keep(&self, directory: &Path, root: &RootDir) {
        if matches!(self.source, ListingSource::Walk | ListingSource::CaughtUp(MIN_READ_TO_CACHE..)) {
            cache_file::save(directory, &root.canonical, self);
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
