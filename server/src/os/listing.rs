//! `Listing`: what is below a root, read from the disk as quickly as what is known already allows.
//!
//! A walk lists a tree from nothing. Who knows a listing from before needs far less: a directory whose times are the ones that it
//! had then holds the same names (creating, removing and renaming set them), so that one question per directory takes the place
//! of reading it. Only directories that are different are read. What else decides, ignore files, what git tracks, package
//! metadata, is asked in the same way; where anything of it has changed that decides for more than itself, the tree is walked.
//! So a listing that was brought up to date is what a walk would find. (The untracked cache of git does the same for one
//! worktree.)
//!
//! Where files are fetched when somebody looks at them there is no walk: the listing is git's list of files.

mod cache_file;
mod catch_up;
mod directory_stamps;
mod fingerprint;
mod git_index;
mod stamp;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use pathfinder_core::index::Snapshot;

use super::events::WalkMetadata;
use super::packages;
use super::roots::{RootDir, RootError, check_listable};
use super::walk::{self, UnreadableDirs, WalkOptions};
use fingerprint::{ListingFingerprint, WalkEvidence};

/// See the module's text.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    /// All entries, and the packages that metadata files name.
    pub(crate) snapshot: Snapshot,
    /// What could not be listed.
    pub(crate) unreadable: UnreadableDirs,
    /// How it was come by.
    pub(crate) source: ListingSource,
    /// Time for reading the disk, packages included.
    pub(crate) read: Duration,
    /// Of that, the time for the metadata of packages.
    pub(crate) packages: Duration,
    /// Time for building the snapshot.
    pub(crate) build: Duration,
    seen: Option<WalkEvidence>,
    fingerprint: OnceLock<Arc<ListingFingerprint>>,
}

/// How a listing was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListingSource {
    /// The tree was walked.
    Walk,
    /// One from before was brought up to date, for which so many directories were read.
    CaughtUp(usize),
    /// Nothing but git's list of files was read: what is not tracked is missing, and what was deleted is in it.
    Tracked,
    /// The same, as files are fetched when somebody looks at them (why, in words); the stamp of git's list.
    OnDemand(&'static str, u64),
}

pub(crate) use ListingSource as Source;

/// A listing for which more directories were read than this is worth being kept: what it saves next time is more than writing
/// it takes.
const MIN_READ_TO_CACHE: usize = 16;

impl Listing {
    /// What is below a root now; `before` is what is known of the same root.
    ///
    /// # Errors
    /// When the root itself is gone or cannot be listed.
    pub(crate) fn read(root: &RootDir, options: &WalkOptions, before: Option<&Self>) -> Result<Self, RootError> {
        Self::read_at(root, options, before, SystemTime::now())
    }

    /// The same, from what was kept in this directory on, if anything was. Also gives what loading that took, the questions to the
    /// disk included that are asked meanwhile.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn resume(
        root: &RootDir,
        options: &WalkOptions,
        directory: Option<&Path>,
    ) -> Result<(Self, Duration), RootError> {
        let now = SystemTime::now();
        check_listable(&root.canonical, &root.given)?;
        if let Some(listing) = git_index::list_on_demand(root, None, now) {
            return Ok((listing, Duration::ZERO));
        }
        let start = Instant::now();
        let stale = |fingerprint: &ListingFingerprint| catch_up::find_stale(fingerprint, root, options, now);
        let kept = directory.and_then(|directory| cache_file::load(directory, &root.canonical, stale));
        let took = start.elapsed();
        let caught_up = |(kept, stale): (Self, Vec<_>)| catch_up::catch_up(&kept, root, options, now, stale);
        Ok((Self::with_read_time(Instant::now(), kept.and_then(caught_up), || Self::walk(root, options, now))?, took))
    }

    /// [`read`](Self::read) at this moment.
    fn read_at(
        root: &RootDir,
        options: &WalkOptions,
        before: Option<&Self>,
        now: SystemTime,
    ) -> Result<Self, RootError> {
        check_listable(&root.canonical, &root.given)?;
        if let Some(listing) = git_index::list_on_demand(root, before, now) {
            return Ok(listing);
        }
        let start = Instant::now();
        let caught_up = before.and_then(|before| {
            let stale = catch_up::find_stale(before.fingerprint(&root.canonical)?, root, options, now)?;
            catch_up::catch_up(before, root, options, now, stale)
        });
        Self::with_read_time(start, caught_up, || Self::walk(root, options, now))
    }

    /// What was brought up to date since `start`, or else a walk. Bringing up to date may have been tried in vain.
    fn with_read_time(
        start: Instant,
        caught_up: Option<Self>,
        walk: impl FnOnce() -> Result<Self, RootError>,
    ) -> Result<Self, RootError> {
        let listing = caught_up.map_or_else(walk, Ok)?;
        let read = start.elapsed().saturating_sub(listing.build);
        Ok(Self { read, ..listing })
    }

    /// What git tracks below a root, for who cannot wait for a walk; `None` where that is no help: little is tracked.
    pub(crate) fn tracked(root: &RootDir) -> Option<Self> {
        git_index::list_tracked(root)
    }

    fn walk(root: &RootDir, options: &WalkOptions, start: SystemTime) -> Result<Self, RootError> {
        let mut walked = walk::walk(root, options)?;
        let started = Instant::now();
        let named = packages::read(root, &walked.package_files);
        let packages = started.elapsed();
        let started = Instant::now();
        let snapshot = Snapshot::build(&walked.found, named);
        let build = started.elapsed();
        let seen = Some(WalkEvidence::new(&mut walked, options, start));
        let (source, unreadable, fingerprint) = (ListingSource::Walk, walked.unreadable, OnceLock::new());
        Ok(Self { snapshot, unreadable, source, read: Duration::ZERO, packages, build, seen, fingerprint })
    }

    /// What it depends on; `None` if nobody has seen that.
    fn fingerprint(&self, root: &Path) -> Option<&ListingFingerprint> {
        let Some(seen) = &self.seen else { return self.fingerprint.get().map(|fingerprint| &**fingerprint) };
        Some(self.fingerprint.get_or_init(|| Arc::new(ListingFingerprint::new(root, &self.snapshot, seen))))
    }

    /// Why files are fetched when somebody looks at them, in words; `None` where they are simply there.
    pub(crate) fn on_demand(&self) -> Option<&'static str> {
        match self.source {
            ListingSource::OnDemand(why, _) => Some(why),
            _ => None,
        }
    }

    /// What is known of the root beside its entries.
    pub(crate) fn ground(&self) -> WalkMetadata {
        if self.on_demand().is_some() {
            return WalkMetadata::with_enclosing_repository();
        }
        // What a walk has seen says it without the questions that a basis takes.
        self.seen
            .as_ref()
            .map(WalkEvidence::walk_metadata)
            .or_else(|| self.fingerprint.get().map(|fingerprint| fingerprint.walk_metadata()))
            .unwrap_or_default()
    }

    /// What was kept of a root in this directory, if anything was that is sound.
    pub(crate) fn load(directory: &Path, root: &RootDir) -> Option<Self> {
        cache_file::load(directory, &root.canonical, |_| Some(())).map(|(listing, ())| listing)
    }

    /// Whether it was read with these options, by who knows what it depends on.
    pub(crate) fn is_by(&self, root: &RootDir, options: &WalkOptions) -> bool {
        self.fingerprint(&root.canonical).is_some_and(|fingerprint| fingerprint.include_dirs == options.include_dirs)
    }

    /// How long it takes until a reading is one that can be brought up to date, where so much was just made that this one cannot.
    pub(crate) fn settles(&self, root: &RootDir) -> Option<Duration> {
        self.fingerprint(&root.canonical)
            .filter(|fingerprint| catch_up::is_too_recent(fingerprint))
            .map(|_| stamp::RACY_INTERVAL)
    }

    /// Keeps it in this directory, if that is of use.
    pub(crate) fn keep(&self, directory: &Path, root: &RootDir) {
        if matches!(self.source, ListingSource::Walk | ListingSource::CaughtUp(MIN_READ_TO_CACHE..)) {
            cache_file::save(directory, &root.canonical, self);
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
