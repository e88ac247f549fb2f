//! Registers the system's file watches, and compares the trees with the disk where events may be missing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};

use super::{ChangeSource, RescanOutcome, Shared, SystemWatch, TouchedPaths, WalkMetadata, WatchScope};
use crate::snapshot::WorkspaceSnapshot;
use crate::workspace::state::ReadReason;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::listing::Listing;
use pathfinder_vfs::paths;
use pathfinder_vfs::watch::{self, PendingChanges, Watch};

/// Interval of maintenance.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(5);
/// Time without events before the trees are compared with a walk: only lasting drift costs the user time.
const IDLE_TIME: Duration = Duration::from_secs(30);

impl Shared {
    /// Sets the source of change events, and starts maintenance.
    pub(in crate::workspace) fn set_change_source(self: &Arc<Self>, source: ChangeSource) {
        if std::mem::replace(&mut *self.watch.source.lock(), source) == ChangeSource::Polling
            && source != ChangeSource::Polling
        {
            let shared = Arc::downgrade(self);
            thread::spawn(move || maintain(&shared));
        }
    }

    /// Watches the newly read trees, and looks for changes since the read. Returns true if from now on, and not before,
    /// every change is reported.
    pub(in crate::workspace) fn start_watching(self: &Arc<Self>, generation: u64) -> bool {
        // A thread for roots that were given up must not undo the watches of those that came after.
        let _registration = self.watch.registration_lock.lock();
        let source = *self.watch.source.lock();
        let state = self.state();
        let Some(workspace) = state.workspace.clone().filter(|_| state.generation == generation) else { return false };
        drop(state);
        match source {
            ChangeSource::Polling => false,
            ChangeSource::Client => {
                let begins = !self.watch.is_complete.swap(true, Ordering::Relaxed);
                if begins {
                    // The client may begin to watch later, and does not report earlier changes. Maintenance looks for those
                    // once it is idle.
                    *self.watch.last_event.lock() = Some((Stopwatch::start(), true));
                }
                begins
            }
            ChangeSource::System if self.watch.was_just_refused() => false,
            ChangeSource::System => {
                let start = Stopwatch::start();
                let watched = self.watch_all(&workspace);
                if let Err(reason) = &watched {
                    tracing::warn!("changes are found by the times of directories, within some seconds: {reason}");
                }
                // Finds changes between the read and the registration.
                let corrected = self.rescan(&workspace, false);
                tracing::info!(watched = watched.is_ok(), corrected, took = ?start.elapsed(), "watching");
                let before = self.watch.is_complete.swap(watched.is_ok(), Ordering::Relaxed);
                let begins = watched.is_ok() && !before;
                *self.watch.refusal.lock() = watched.err().map(|reason| (Stopwatch::start(), reason));
                begins
            }
        }
    }

    /// Watches all directories of the index, or else git's own files.
    ///
    /// # Errors
    /// A message, if not all directories can be watched.
    fn watch_all(self: &Arc<Self>, workspace: &WorkspaceSnapshot) -> Result<(), String> {
        let mut slot = self.watch.system.lock();
        let watch = if let Some(SystemWatch { watch, .. }) = slot.take().filter(|_| self.watch.is_complete()) {
            watch
        } else {
            let shared = Arc::downgrade(self);
            Watch::start(move |changes| {
                if let Some(shared) = shared.upgrade() {
                    shared.apply_changes(&changes);
                }
            })?
        };
        let roots: Vec<&Path> = workspace.opened().iter().map(|opened| opened.root.canonical.as_path()).collect();
        let metadata = self.watch.metadata.lock().clone();
        let git: Vec<PathBuf> =
            roots.iter().filter_map(|root| Some(metadata.get(*root)?.watched(root))).flatten().collect();
        let directories: usize =
            workspace.engine().roots().iter().map(|root| root.snapshot.stats().directories + 1).sum();
        let git_only = |watch: &Watch| watch.add(git.iter().map(PathBuf::as_path));
        if watch::prefers_watchman(directories) {
            match watch.ask_watchman(&roots) {
                Ok(by) => {
                    git_only(&watch);
                    tracing::info!(by, directories, "watchman reports changes");
                    *slot = Some(SystemWatch { watch, extent: WatchScope::GitAndWatchman });
                    return Ok(());
                }
                Err(reason) => tracing::debug!(reason, "directories are watched one by one"),
            }
        }
        if let Err(reason) = watch::check_limit(directories) {
            git_only(&watch);
            *slot = Some(SystemWatch { watch, extent: WatchScope::Git });
            return Err(reason);
        }
        let mut added = watch.add_roots(roots.iter().copied());
        for (root, known) in roots.iter().zip(workspace.engine().roots()) {
            let below = known.snapshot.directories().into_iter();
            let below = below.filter_map(|path| Some(root.join(pathfinder_vfs::bytes::to_path(&path)?)));
            let below: Vec<PathBuf> = below.collect();
            added.refused = added.refused || watch.add(below.iter().map(PathBuf::as_path)).refused;
        }
        added.refused = added.refused || git_only(&watch).refused;
        if added.refused {
            // A part of the watches is of no use, and other processes need them.
            watch.forget(&[PathBuf::from("/")]);
            git_only(&watch);
            *slot = Some(SystemWatch { watch, extent: WatchScope::Git });
            let limit = watch::limit().unwrap_or_default();
            return Err(format!("no watches are left (fs.inotify.max_user_watches is {limit})"));
        }
        tracing::debug!(watches = watch.count(), "watched");
        *slot = Some(SystemWatch { watch, extent: WatchScope::All });
        Ok(())
    }

    /// Watches new directories, and no longer those that are gone. Returns the paths to look up again, since they may have
    /// changed before they were watched.
    pub(super) fn watch_new(
        &self,
        root: &Path,
        metadata: &WalkMetadata,
        now: &Snapshot,
        looked: &RescanOutcome,
    ) -> TouchedPaths {
        let slot = self.watch.system.lock();
        let (watch, extent) = match slot.as_ref() {
            None | Some(SystemWatch { extent: WatchScope::Git, .. }) => return TouchedPaths::default(),
            Some(SystemWatch { watch, extent }) => (watch, *extent),
        };
        let at = |path: &[u8]| Some(root.join(pathfinder_vfs::bytes::to_path(path)?));
        if looked.rules {
            // A removed directory ends its watch; one that is ignored by now would go on.
            let gone = looked.changes.iter().filter_map(|change| match change {
                Change::Removed(path) => at(path.as_bytes()).filter(|path| paths::is_directory(path)),
                Change::Added(..) => None,
            });
            watch.forget(&gone.collect::<Vec<_>>());
        }
        // Events of a renamed directory have the old name until it is watched again.
        let below = looked.listed.iter().flat_map(|directory| {
            let below = now.entries_below(directory).into_iter().filter(|(_, kind)| *kind == Kind::Directory);
            let own = now.get(directory).filter(|kind| *kind == Kind::Directory).map(|_| directory.clone());
            below.map(|(path, _)| path).chain(own)
        });
        let new = looked.changes.iter().filter_map(|change| match change {
            Change::Added(path, Kind::Directory) if now.get(path.as_bytes()) == Some(Kind::Directory) => {
                Some(path.as_bytes().to_vec())
            }
            _ => None,
        });
        let expectant =
            looked.awaited_dirs.iter().filter(|path| at(path).is_some_and(|path| paths::is_directory(&path))).cloned();
        let all: BTreeSet<Vec<u8>> = match extent {
            WatchScope::All => below.chain(new).chain(expectant).collect(),
            // Watchman reports new directories itself.
            WatchScope::GitAndWatchman | WatchScope::Git => BTreeSet::new(),
        };
        let mut touched = TouchedPaths::default();
        for path in all {
            if let Some(directory) = at(&path)
                && watch.add([directory.as_path()]).new > 0
            {
                touched.paths.insert(RelPath::new(path));
            }
        }
        if looked.rules || looked.repositories {
            let git = metadata.watched(root);
            if watch.add(git.iter().map(PathBuf::as_path)).new > 0 {
                touched.tracked = metadata.tracked();
            }
        }
        touched
    }

    /// Reads all trees again after lost events, or after a root is gone.
    pub(super) fn reread_all(self: &Arc<Self>, ended: bool) {
        if ended {
            self.watch.reset();
        }
        let mut state = self.state();
        if state.is_opening {
            // The read in progress has started before.
            state.pending_changes.push(PendingChanges { lost: true, ..PendingChanges::default() });
        } else if state.roots.is_some() {
            self.start_reading(&mut state, ReadReason::Requested);
        }
    }

    /// Compares the trees of the current snapshot with the disk, by times.
    pub(in crate::workspace) fn rescan_now(&self) {
        let workspace = self.state().workspace.clone();
        if let Some(workspace) = workspace {
            self.rescan(&workspace, false);
        }
    }

    /// Compares each tree with the disk, by times or by a walk. Returns the number of corrected entries.
    fn rescan(&self, workspace: &WorkspaceSnapshot, walks: bool) -> usize {
        let mut corrected = 0;
        for (at, opened) in workspace.opened().iter().enumerate() {
            let before = (!walks).then_some(&*opened.listing);
            match Listing::read(&opened.root, &workspace.options(at), before) {
                Ok(listing) => corrected += self.reconcile(&opened.root.canonical, &listing),
                Err(error) => tracing::warn!(%error, "a root could not be compared with the disk"),
            }
        }
        corrected
    }

    /// Compares the trees with a walk. Returns the number of corrected entries.
    pub(in crate::workspace) fn verify_against_walk(&self) -> usize {
        let Some(workspace) = self.state().workspace.clone() else { return 0 };
        let start = Stopwatch::start();
        let corrected = self.rescan(&workspace, true);
        self.watch.corrected.fetch_add(corrected, Ordering::Relaxed);
        if corrected > 0 && self.watch.source() == ChangeSource::Client {
            tracing::info!(corrected, took = ?start.elapsed(), "corrected entries that the client did not report");
        } else if corrected > 0 {
            tracing::warn!(corrected, took = ?start.elapsed(), "corrected index entries that differed from the disk");
        } else {
            tracing::debug!(took = ?start.elapsed(), "the index equals the disk");
        }
        corrected
    }

    fn maintain_once(self: &Arc<Self>) {
        let is_complete = self.watch.is_complete();
        let mut state = self.state();
        let has_subscriber = self.watch.subscriber.lock().is_some();
        let is_replaced = is_complete && state.workspace.as_ref().is_some_and(|workspace| workspace.is_replaced());
        // Without a subscriber, the next question reads a stale tree.
        if !state.is_opening && (is_replaced || !is_complete && has_subscriber && state.is_stale()) {
            if is_replaced {
                self.watch.reset();
            }
            self.start_reading(&mut state, if is_replaced { ReadReason::Requested } else { ReadReason::Routine });
            return;
        }
        drop(state);
        let mut last = self.watch.last_event.lock();
        let is_due = last.is_some_and(|(at, since)| since && at.elapsed() > IDLE_TIME);
        if is_complete && is_due && !self.symbol_reader.has_queries() {
            *last = last.map(|(at, _)| (at, false));
            drop(last);
            self.verify_against_walk();
        }
    }
}

/// Runs maintenance until the workspace is gone, in its own thread.
fn maintain(shared: &Weak<Shared>) {
    loop {
        thread::sleep(MAINTENANCE_INTERVAL);
        let Some(shared) = shared.upgrade().filter(|shared| !shared.stop.load(Ordering::Relaxed)) else { return };
        shared.maintain_once();
    }
}
