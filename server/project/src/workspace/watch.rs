//! Keeps the snapshot of a `Workspace` up to date with the disk: applies change events from the system or a client.
//!
//! # Changes on disk
//!
//! Change events carry a path, not a change kind; the path is stat-ed and checked against the ignore rules
//! (`os/events.rs`). Only listed directories and git's own files are watched. A new directory is watched before it is
//! read a second time. Subtrees of new directories and of directories with new ignore files are walked, all subtrees of
//! a batch at once. The snapshot stays the one that a walk would make; `tests/bench/churn.py` checks this.
//!
//! Events are gathered for 5 ms, at most 20 ms. A thousand events at once are a storm, which is processed when it
//! pauses. After an event overflow the tree is updated by directory times. After the watches are placed the times are
//! read once more, so no change between reading and watching is lost. Renames that the system pairs are added to the
//! history as a commit without an id. On Linux `notify` is not used: it visits all its watches for each watched
//! directory that is removed.
//!
//! From 10,000 directories on, or when no watches are left, watchman reports changes if it already watches all roots.
//! It is neither started nor configured. Git's own directories are watched beside it. It is not used where
//! `.watchmanconfig` ignores directories.

mod observed_moves;
mod root_events;
mod system_watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;
use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};

use super::state::{ReadReason, Shared};
use crate::snapshot::WorkspaceSnapshot;
use crate::symbols::Validation;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::events::{self, RescanOutcome, TouchedPaths, WalkMetadata};
use pathfinder_vfs::listing::Listing;
use pathfinder_vfs::package_manifests;
use pathfinder_vfs::watch::{PendingChanges, Watch};
use root_events::RootEvents;

/// Time before watches are tried again after the system has refused them: a try takes as many watches as there are.
const RETRY_INTERVAL: Duration = Duration::from_mins(5);

/// Most looks at the disk for one batch. Nested new directories are found one after the other, and are never nested as
/// deep. A directory that is mounted at two places of a root is new under either name in turn, for ever.
const MAX_RESCANS: usize = 100;

/// Source of change events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeSource {
    /// No events: trees are read again by the times of their directories.
    #[default]
    Polling,
    /// The system's file watches, as far as they suffice.
    System,
    /// A client, with [`Workspace::report_changes`](super::Workspace::report_changes).
    Client,
}

/// Changes that were applied to one root.
#[derive(Clone, Debug)]
pub struct ChangeBatch {
    /// Canonical path of the root.
    pub root: PathBuf,
    /// Added and removed paths.
    pub changes: Vec<Change>,
    /// Paths below removed directories: the receiver's tree may no longer have them.
    pub removed_below: Vec<RelPath>,
    /// Files whose contents have changed.
    pub written: Vec<RelPath>,
    /// Reported paths that the tree has neither before nor after: ignored ones, and those that came and are gone again. The
    /// receiver may have looked them up on disk in between.
    pub unlisted: Vec<RelPath>,
    /// True if ignore rules or git's lists of tracked files have changed.
    pub has_new_rules: bool,
}

/// State of watching.
#[derive(Default)]
pub(super) struct WatchState {
    source: Mutex<ChangeSource>,
    system: Mutex<Option<SystemWatch>>,
    /// Held while watches are registered.
    registration_lock: Mutex<()>,
    /// True while every change is reported.
    is_complete: AtomicBool,
    /// The reason why the system does not report all changes, and since when.
    refusal: Mutex<Option<(Stopwatch, String)>>,
    /// Walk metadata by root (canonical path); changed only under the update lock.
    metadata: Mutex<BTreeMap<PathBuf, WalkMetadata>>,
    subscriber: Mutex<Option<Sender<ChangeBatch>>>,
    /// Number of entries that a comparison with the disk has corrected.
    corrected: AtomicUsize,
    /// The time of the last event, and true if no comparison with the disk has run since.
    last_event: Mutex<Option<(Stopwatch, bool)>>,
}

/// The system's watches and what they cover.
struct SystemWatch {
    watch: Watch,
    extent: WatchScope,
}

/// Directories that are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WatchScope {
    /// All directories.
    All,
    /// Only git's own files; watchman reports the rest.
    GitAndWatchman,
    /// Only git's own files.
    Git,
}

impl WatchState {
    /// Stops watching until the trees are read again.
    pub(super) fn reset(&self) {
        self.is_complete.store(false, Ordering::Relaxed);
        *self.system.lock() = None;
        *self.refusal.lock() = None;
    }

    /// Returns whether every change is reported.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    /// Returns how many entries a comparison with the disk has corrected.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn corrected(&self) -> usize {
        self.corrected.load(Ordering::Relaxed)
    }

    /// Returns the source of change events.
    pub(super) fn source(&self) -> ChangeSource {
        *self.source.lock()
    }

    /// Returns why the system does not report all changes, if it was asked to.
    pub(super) fn refusal(&self) -> Option<String> {
        self.refusal.lock().as_ref().map(|(_, reason)| reason.clone())
    }

    /// Returns whether the system has refused watches so recently that it is not asked again.
    fn was_just_refused(&self) -> bool {
        self.refusal.lock().as_ref().is_some_and(|(at, _)| at.elapsed() < RETRY_INTERVAL)
    }

    /// Returns a channel of the changes that are applied from now on.
    pub(super) fn subscribe(&self) -> Receiver<ChangeBatch> {
        let (sender, receiver) = channel();
        *self.subscriber.lock() = Some(sender);
        receiver
    }

    /// Stores the metadata of newly read trees.
    pub(super) fn set_metadata(&self, workspace: &WorkspaceSnapshot) {
        let known = workspace.opened().iter();
        let known = known.map(|opened| (opened.root.canonical.clone(), opened.listing.walk_metadata()));
        *self.metadata.lock() = known.collect();
    }

    fn send(&self, batch: ChangeBatch) {
        if let Some(sender) = &*self.subscriber.lock() {
            // The receiver may be gone when the server ends.
            _ = sender.send(batch);
        }
    }
}

impl Shared {
    /// Applies a batch of reported changes to all roots.
    pub(super) fn apply_changes(self: &Arc<Self>, changes: &PendingChanges) {
        *self.watch.last_event.lock() = Some((Stopwatch::start(), true));
        if changes.lost || changes.ended {
            return self.reread_all(changes.ended);
        }
        let update = self.update_lock();
        let mut state = self.state();
        if state.is_opening {
            state.pending_changes.push(changes.clone());
        }
        let Some(workspace) = state.workspace.clone() else { return };
        drop(state);
        let mut batches = Vec::new();
        let (mut settings, mut committed, mut hint) = (false, false, false);
        for at in 0..workspace.opened().len() {
            let root = &workspace.opened()[at].root.canonical;
            let events = RootEvents::new(root, self.watch.metadata.lock().get(root), changes);
            settings |= events.has_new_settings;
            committed |= events.has_new_commits;
            let is_git = events.has_new_commits || !events.touched.tracked.is_empty();
            // If directories are not watched, changes of git's files are a reason to read the trees.
            hint |= is_git && !self.watch.is_complete();
            batches.extend(self.apply_to_root(&workspace, at, events, &changes.moves));
        }
        let any = !batches.is_empty();
        for batch in batches {
            let files: Vec<String> = batch.touched_files().collect();
            self.symbol_reader.mark_changed(&batch.root, &files);
            self.watch.send(batch);
        }
        // After sending, so that a later update cannot overtake this one.
        drop(update);
        if any {
            self.read_symbols(Validation::Events);
        }
        if settings || hint {
            let mut state = self.state();
            if !state.is_opening {
                self.start_reading(&mut state, if settings { ReadReason::Requested } else { ReadReason::Routine });
            }
        }
        if committed {
            self.reread_history();
        }
    }

    /// Applies changes to one root. Repeats it while new directories have to be watched first. The caller holds the update
    /// lock.
    fn apply_to_root(
        &self,
        workspace: &Arc<WorkspaceSnapshot>,
        at: usize,
        events: RootEvents,
        moves: &[(PathBuf, PathBuf)],
    ) -> Option<ChangeBatch> {
        let start = Stopwatch::start();
        let opened = &workspace.opened()[at];
        let root = &opened.root;
        let RootEvents { mut touched, mut written, .. } = events;
        let reported: Vec<RelPath> = touched.paths.iter().cloned().collect();
        if touched.is_empty() && written.is_empty() {
            return None;
        }
        let before = workspace.engine().roots()[at].snapshot.clone();
        let mut now = before.clone();
        let mut metadata = self.watch.metadata.lock().get(&root.canonical).cloned().unwrap_or_default();
        let mut batch = ChangeBatch {
            root: root.canonical.clone(),
            changes: vec![],
            removed_below: vec![],
            written: vec![],
            unlisted: vec![],
            has_new_rules: false,
        };
        let mut rescans = 0;
        while !touched.is_empty() && rescans < MAX_RESCANS {
            rescans += 1;
            let looked = match events::rescan(root, &workspace.options(at), &now, &mut metadata, &touched) {
                Ok(looked) => looked,
                Err(error) => {
                    tracing::warn!(%error, "changes could not be read");
                    return Some(batch);
                }
            };
            batch.has_new_rules |= looked.rules;
            let gone = looked.changes.iter().filter_map(|change| match change {
                Change::Removed(path) if now.get(path.as_bytes()) == Some(Kind::Directory) => {
                    Some(now.entries_below(path.as_bytes()))
                }
                _ => None,
            });
            batch.removed_below.extend(gone.flatten().map(|(path, _)| RelPath::new(path)));
            now = now.apply(&looked.changes);
            touched = self.watch_new(&root.canonical, &metadata, &now, &looked);
            batch.changes.extend(looked.changes);
        }
        if !touched.is_empty() {
            tracing::warn!(
                paths = touched.paths.len(),
                "too many nested changes in one batch: the rest waits for the next comparison with the disk"
            );
        }
        written.retain(|file| now.get(file.as_bytes()).is_some());
        batch.written = written;
        let is_listed = |path: &RelPath| [&before, &now].iter().any(|tree| tree.get(path.as_bytes()).is_some());
        batch.unlisted = reported.iter().filter(|path| !is_listed(path)).cloned().collect();
        now = package_manifests::update(root, &before, now, &batch.changes, &batch.written);
        let moves = observed_moves::find(&root.canonical, &before, &now, moves);
        self.watch.metadata.lock().insert(root.canonical.clone(), metadata);
        tracing::debug!(reported = reported.len(), changes = batch.changes.len(), rescans, took = ?start.elapsed(), "changes applied");
        if !batch.changes.is_empty() || !before.same_packages(&now) {
            self.set_tree(&root.canonical, &now, moves);
        }
        Some(batch)
    }

    /// Puts a tree into the current snapshot. The caller holds the update lock.
    fn set_tree(&self, root: &Path, now: &Snapshot, moves: Option<pathfinder_core::history::CommitMoves>) {
        let mut state = self.state();
        let Some(workspace) = &state.workspace else { return };
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == root);
        if let Some(at) = at {
            state.workspace = Some(Arc::new(workspace.with_tree(at, now.clone(), moves)));
        }
    }

    /// Corrects the snapshot where it differs from a listing of the disk. Returns the number of corrected entries. Each
    /// difference is looked up again, so that later changes are not undone.
    pub(super) fn reconcile(&self, root: &Path, listing: &Listing) -> usize {
        let _update = self.update_lock();
        let Some(workspace) = self.state().workspace.clone() else { return 0 };
        let Some(at) = workspace.opened().iter().position(|opened| opened.root.canonical == root) else { return 0 };
        let differences = workspace.engine().roots()[at].snapshot.differences(&listing.snapshot);
        let metadata = listing.walk_metadata();
        let touched = TouchedPaths {
            recheck: differences.into_iter().map(|change| change.path().as_bytes().to_vec()).collect(),
            tracked: metadata.tracked(),
            ..TouchedPaths::default()
        };
        self.watch.metadata.lock().insert(root.to_path_buf(), metadata);
        let events = RootEvents { touched, ..RootEvents::default() };
        let Some(batch) = self.apply_to_root(&workspace, at, events, &[]) else { return 0 };
        let count = batch.changes.len();
        if batch.changes.iter().any(|change| matches!(change, Change::Removed(_))) {
            self.read_uncommitted_moves(root);
        }
        if count > 0 {
            let files: Vec<String> = batch.touched_files().collect();
            self.symbol_reader.mark_changed(root, &files);
            self.watch.send(batch);
        }
        count
    }
}

impl Shared {
    /// Asks git for renames below a root that no event has reported. The caller holds the update lock.
    fn read_uncommitted_moves(&self, root: &Path) {
        let Some(workspace) = self.state().workspace.clone() else { return };
        let Some(at) = workspace.opened().iter().position(|opened| opened.root.canonical == root) else { return };
        if let Some(moves) = workspace.uncommitted(at) {
            self.set_tree(root, &workspace.engine().roots()[at].snapshot, Some(moves));
        }
    }
}

impl ChangeBatch {
    /// Returns the paths that were added, removed or written; a removed directory is one path.
    fn touched_files(&self) -> impl Iterator<Item = String> + '_ {
        let changed = self.changes.iter().map(Change::path);
        changed.chain(&self.written).filter_map(|path| String::from_utf8(path.as_bytes().to_vec()).ok())
    }
}
