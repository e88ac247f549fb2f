//! `Live`: the session stays what the disk is while things happen there, by whoever tells of them.

mod observed_moves;
mod root_events;
mod system_watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};

use super::state::{ReadReason, Shared};
use crate::os::events::{self, Ground, Looked, Touched};
use crate::os::listing::Listing;
use crate::os::packages;
use crate::os::watch::{Told, Watch};
use crate::snapshot::WorkspaceSnapshot;
use crate::symbols::Validation;
use root_events::RootEvents;

/// A system that gives no watches is asked again after so long: to try takes as many watches as there are.
const RETRY_INTERVAL: Duration = Duration::from_mins(5);

/// Directories that come one in another are found one after the other, and are never nested as deep as this. One that is mounted
/// in two places of a root is new under each of its names in turn, for ever.
const MAX_RESCANS: usize = 100;

/// Who tells what happens on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChangeSource {
    /// Nobody: trees are read again by the times of their directories.
    #[default]
    Polling,
    /// The system, as far as it can.
    System,
    /// A client, by [`Workspace::happened`](super::Workspace::happened).
    Client,
}

/// What was taken in below a root.
#[derive(Clone, Debug)]
pub(crate) struct ChangeBatch {
    /// Its canonical path.
    pub(crate) root: PathBuf,
    /// What came and went.
    pub(crate) changes: Vec<Change>,
    /// What was below the directories that went: who takes this in may know a later tree by then.
    pub(crate) below: Vec<RelPath>,
    /// Files whose contents are others.
    pub(crate) written: Vec<RelPath>,
    /// Whether ignore rules, or lists of tracked files, are others.
    pub(crate) rules: bool,
}

/// See the module's text.
#[derive(Default)]
pub(super) struct WatchState {
    source: Mutex<ChangeSource>,
    system: Mutex<Option<SystemWatch>>,
    /// Held by who places watches.
    registration_lock: Mutex<()>,
    /// Whether all that happens is told at this moment.
    is_complete: AtomicBool,
    /// Why the system does not tell it.
    refusal: Mutex<Option<(Instant, String)>>,
    /// By root (its canonical path); only who has the turn changes them.
    metadata: Mutex<BTreeMap<PathBuf, Ground>>,
    subscriber: Mutex<Option<Sender<ChangeBatch>>>,
    /// Entries that were mended because they were not as the disk has them.
    repaired: AtomicUsize,
    /// When something was told last, and whether that was since the last look at everything.
    last_event: Mutex<Option<(Instant, bool)>>,
}

/// The system's watches.
struct SystemWatch {
    watch: Watch,
    extent: WatchScope,
}

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WatchScope {
    /// All directories.
    All,
    /// Only what git tells by, as watchman tells the rest.
    GitAndWatchman,
    /// Only what git tells by.
    Git,
}

impl WatchState {
    /// Nobody tells anything, until trees were read again.
    pub(super) fn reset(&self) {
        self.is_complete.store(false, Ordering::Relaxed);
        *lock(&self.system) = None;
        *lock(&self.refusal) = None;
    }

    /// Whether all that happens is told.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    /// How many entries were not as the disk has them, until all was looked at.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn repaired(&self) -> usize {
        self.repaired.load(Ordering::Relaxed)
    }

    /// Who tells.
    pub(super) fn source(&self) -> ChangeSource {
        *lock(&self.source)
    }

    /// Why the system does not tell all that happens, if it was asked to.
    pub(super) fn refusal(&self) -> Option<String> {
        lock(&self.refusal).as_ref().map(|(_, reason)| reason.clone())
    }

    /// Whether the system refused so short a time ago that it need not be asked again.
    fn was_just_refused(&self) -> bool {
        lock(&self.refusal).as_ref().is_some_and(|(at, _)| at.elapsed() < RETRY_INTERVAL)
    }

    /// What is taken in from now on.
    pub(super) fn subscribe(&self) -> Receiver<ChangeBatch> {
        let (sender, receiver) = channel();
        *lock(&self.subscriber) = Some(sender);
        receiver
    }

    /// What a reading of the trees has found beside their entries.
    pub(super) fn set_metadata(&self, workspace: &WorkspaceSnapshot) {
        let known = workspace.opened().iter();
        let known = known.map(|opened| (opened.root.canonical.clone(), opened.listing.ground()));
        *lock(&self.metadata) = known.collect();
    }

    fn send(&self, batch: ChangeBatch) {
        if let Some(sender) = &*lock(&self.subscriber) {
            // Who heeds it may be gone at the very end.
            _ = sender.send(batch);
        }
    }
}

impl Shared {
    /// Takes in what was told.
    pub(super) fn take_in_changes(self: &Arc<Self>, changes: &Told) {
        *lock(&self.watch.last_event) = Some((Instant::now(), true));
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
            let mut events = RootEvents::new(root, lock(&self.watch.metadata).get(root), changes);
            settings |= events.has_new_settings;
            committed |= events.has_new_commits;
            let is_git = events.has_new_commits || !events.touched.tracked.is_empty();
            // Where directories are not watched, git's own files say when it is time to look.
            hint |= is_git && !self.watch.is_complete();
            if workspace.opened()[at].listing.on_demand().is_some() {
                // Git's list is all that is known of it, whoever tells.
                hint |= is_git;
                events.touched.keep_files(root);
            }
            batches.extend(self.take_in(&workspace, at, events, &changes.moves));
        }
        let any = !batches.is_empty();
        for batch in batches {
            let files: Vec<String> = batch.touched_files().collect();
            self.symbol_reader.mark_changed(&batch.root, &files);
            self.watch.send(batch);
        }
        // Not before it is given: who takes in what happened next would overtake this.
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

    /// Looks at what was told of one root, as often as what is found there has to be watched first. For who has the turn.
    fn take_in(
        &self,
        workspace: &Arc<WorkspaceSnapshot>,
        at: usize,
        events: RootEvents,
        moves: &[(PathBuf, PathBuf)],
    ) -> Option<ChangeBatch> {
        let start = Instant::now();
        let opened = &workspace.opened()[at];
        let root = &opened.root;
        let RootEvents { mut touched, mut written, .. } = events;
        let told = touched.paths.len();
        if touched.is_empty() && written.is_empty() {
            return None;
        }
        let before = workspace.engine().roots()[at].snapshot.clone();
        let mut now = before.clone();
        let mut metadata = lock(&self.watch.metadata).get(&root.canonical).cloned().unwrap_or_default();
        let mut batch =
            ChangeBatch { root: root.canonical.clone(), changes: vec![], below: vec![], written: vec![], rules: false };
        let mut rescans = 0;
        while !touched.is_empty() && rescans < MAX_RESCANS {
            rescans += 1;
            let looked = match events::look(root, &workspace.options(at), &now, &mut metadata, &touched) {
                Ok(looked) => looked,
                Err(error) => {
                    tracing::warn!(%error, "not looked at");
                    return Some(batch);
                }
            };
            batch.rules |= looked.rules;
            let gone = looked.changes.iter().filter_map(|change| match change {
                Change::Removed(path) if now.get(path.as_bytes()) == Some(Kind::Directory) => {
                    Some(now.entries_below(path.as_bytes()))
                }
                _ => None,
            });
            batch.below.extend(gone.flatten().map(|(path, _)| RelPath::new(path)));
            now = now.apply(&looked.changes);
            touched = self.watch_new(&root.canonical, &metadata, &now, &looked);
            batch.changes.extend(looked.changes);
        }
        if !touched.is_empty() {
            tracing::warn!(paths = touched.paths.len(), "looked at too often, and left until all is looked at again");
        }
        written.retain(|file| now.get(file.as_bytes()).is_some());
        batch.written = written;
        now = packages::again(root, &before, now, &batch.changes, &batch.written);
        let moves = observed_moves::find(&root.canonical, &before, &now, moves);
        lock(&self.watch.metadata).insert(root.canonical.clone(), metadata);
        tracing::debug!(told, changes = batch.changes.len(), rescans, took = ?start.elapsed(), "taken in");
        if !batch.changes.is_empty() || !before.same_packages(&now) {
            self.set_tree(&root.canonical, &now, moves);
        }
        Some(batch)
    }

    /// Puts a tree into the session that is there by now. For who has the turn.
    fn set_tree(&self, root: &Path, now: &Snapshot, moves: Option<pathfinder_core::history::CommitMoves>) {
        let mut state = self.state();
        let Some(workspace) = &state.workspace else { return };
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == root);
        if let Some(at) = at {
            state.workspace = Some(Arc::new(workspace.with_tree(at, now.clone(), moves)));
        }
    }

    /// Holds the session against a listing that was read by itself, and mends what is different; how many entries were. What
    /// has happened meanwhile is not undone: each difference is looked at again.
    pub(super) fn reconcile(&self, root: &Path, listing: &Listing) -> usize {
        let _update = self.update_lock();
        let Some(workspace) = self.state().workspace.clone() else { return 0 };
        let Some(at) = workspace.opened().iter().position(|opened| opened.root.canonical == root) else { return 0 };
        let differences = workspace.engine().roots()[at].snapshot.differences(&listing.snapshot);
        let metadata = listing.ground();
        let touched = Touched {
            doubtful: differences.into_iter().map(|change| change.path().as_bytes().to_vec()).collect(),
            tracked: metadata.tracked(),
            ..Touched::default()
        };
        lock(&self.watch.metadata).insert(root.to_path_buf(), metadata);
        let events = RootEvents { touched, ..RootEvents::default() };
        let Some(batch) = self.take_in(&workspace, at, events, &[]) else { return 0 };
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
    /// Asks git what was renamed below a root, where no event told it. The caller holds the turn.
    fn read_uncommitted_moves(&self, root: &Path) {
        let Some(workspace) = self.state().workspace.clone() else { return };
        let Some(at) = workspace.opened().iter().position(|opened| opened.root.canonical == root) else { return };
        if let Some(moves) = workspace.uncommitted(at) {
            self.set_tree(root, &workspace.engine().roots()[at].snapshot, Some(moves));
        }
    }
}

impl ChangeBatch {
    /// Files that came, went or were written, as text; of a directory that went, itself.
    fn touched_files(&self) -> impl Iterator<Item = String> + '_ {
        let changed = self.changes.iter().map(Change::path);
        changed.chain(&self.written).filter_map(|path| String::from_utf8(path.as_bytes().to_vec()).ok())
    }
}

/// A thread that panicked has left nothing half done: all of it is replaced in single steps.
fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
