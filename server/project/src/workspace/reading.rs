//! Reads the roots of a `Workspace` in background threads: trees first, then symbols, model and history.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use super::state::{ReadReason, Shared, WorkspaceState};
use super::watch::ChangeSource;
use crate::snapshot::{self, NewerHistory, SnapshotError, WorkspaceSnapshot};
use crate::symbols::Validation;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::watch::PendingChanges;

impl Shared {
    /// Starts a thread that reads the roots.
    pub(super) fn start_reading(self: &Arc<Self>, state: &mut WorkspaceState, reading: ReadReason) {
        state.is_opening = true;
        state.open_error = None;
        state.pending_changes.clear();
        state.started_reads += 1;
        let (shared, roots, given) = (Arc::clone(self), state.roots.clone().unwrap_or_default(), state.is_user_given);
        let (generation, number) = (state.generation, state.started_reads);
        thread::spawn(move || {
            // Waiting callers are released even after a panic.
            let guard = OpeningGuard { shared: &shared, generation, number };
            let kept = shared.read_provisional(&roots, given, generation);
            let is_new = shared.read_roots(&roots, given, generation, reading, kept.as_deref());
            drop(guard);
            let pending = shared.take_pending_changes(generation);
            for changes in pending {
                shared.apply_changes(&changes);
            }
            // Contents may have changed until the watches were in place.
            let is_newly_watched = is_new.is_some() && shared.start_watching(generation);
            // Subscribers check contents only if later changes of them are reported.
            if is_new == Some(true) || is_newly_watched {
                shared.announce(generation);
            }
            // Subscribers need not wait for that: differences are sent as changes.
            if is_new.is_some() && shared.watch.source() == ChangeSource::Client {
                shared.rescan_now();
            }
            shared.read_symbols(Validation::Stamps);
            let Some(workspace) = shared.state().workspace.clone() else { return };
            let model = workspace.model();
            // Before the history, which takes longer: the first question may need the model.
            if let Some(model) = &model {
                model.load();
            }
            workspace.keep();
            shared.read_history(generation);
            if let Some(model) = &model {
                model.prefetch(workspace.engine().roots(), &|| shared.symbol_reader.yield_to_queries(&shared.stop));
            }
        });
    }

    /// Returns the changes that were reported during the read.
    fn take_pending_changes(&self, generation: u64) -> Vec<PendingChanges> {
        let mut state = self.state();
        if state.generation == generation { std::mem::take(&mut state.pending_changes) } else { Vec::new() }
    }

    /// Makes the snapshot that answers questions while the trees are read for the first time. Returns the one from the
    /// cache; or else makes one from git's index in another thread, which takes far less time than reading a large tree.
    pub(super) fn read_provisional(
        self: &Arc<Self>,
        roots: &[PathBuf],
        given: bool,
        generation: u64,
    ) -> Option<Arc<WorkspaceSnapshot>> {
        if self.state().workspace.is_some() || self.watch.source() == ChangeSource::Polling {
            return None;
        }
        if !given && snapshot::refuse_too_wide(roots).is_err() {
            return None;
        }
        let flags = self.flags.lock().clone();
        if let Some(kept) = WorkspaceSnapshot::from_cache(roots, &flags).map(Arc::new) {
            self.offer_provisional(&kept, generation);
            return Some(kept);
        }
        let (shared, roots) = (Arc::clone(self), roots.to_vec());
        let reading = move || {
            if let Some(tracked) = WorkspaceSnapshot::from_git_index(&roots, &flags) {
                shared.offer_provisional(&Arc::new(tracked), generation);
            }
        };
        // Without the thread, the first question waits for the trees.
        _ = thread::Builder::new().name("early".to_owned()).spawn(reading);
        None
    }

    /// Answers questions from a provisional snapshot until the trees are read.
    fn offer_provisional(&self, provisional: &Arc<WorkspaceSnapshot>, generation: u64) {
        let mut state = self.state();
        if state.generation == generation && state.workspace.is_none() {
            state.provisional = Some(Arc::clone(provisional));
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Reads the trees, starting from the cached ones. `None` if they cannot be read; otherwise whether subscribers have to
    /// be notified.
    fn read_roots(
        &self,
        roots: &[PathBuf],
        given: bool,
        generation: u64,
        reading: ReadReason,
        kept: Option<&WorkspaceSnapshot>,
    ) -> Option<bool> {
        let start = Stopwatch::start();
        let opened = if given { Ok(()) } else { snapshot::refuse_too_wide(roots) };
        let flags = self.flags.lock().clone();
        let before = self.state().workspace.clone();
        let result =
            opened.and_then(|()| WorkspaceSnapshot::open(roots, &flags, Duration::ZERO, before.as_deref().or(kept)));
        let took = start.elapsed();
        if let (Ok(workspace), true) = (&result, self.watch.is_complete()) {
            self.log_drift(workspace);
        }
        let _update = self.update_lock();
        let mut state = self.state();
        if state.generation != generation {
            return None;
        }
        match result {
            Ok(workspace) => {
                // History of the same commit need not be read again.
                let known = state.workspace.as_ref();
                let known = known.map(|before| {
                    workspace.with_histories(&before.histories(), NewerHistory::Own).with_symbols_of(before)
                });
                let workspace = Arc::new(self.usage().with_frecency(known.as_ref().unwrap_or(&workspace)));
                // A root that was gone may be another directory now.
                let is_routine = reading == ReadReason::Routine && state.reread_error.is_none();
                let same = is_routine && before.is_some_and(|before| before.has_same_trees(&workspace));
                self.watch.set_metadata(&workspace);
                state.workspace = Some(workspace);
                state.provisional = None;
                state.last_read = Some((Stopwatch::start(), took));
                state.reread_error = None;
                Some(!same)
            }
            Err(error) => {
                Self::record_failure(&mut state, error);
                None
            }
        }
    }

    /// Logs how many entries differ between a read and the tree that change events have kept.
    fn log_drift(&self, read: &WorkspaceSnapshot) {
        let Some(now) = self.state().workspace.clone().filter(|_| tracing::enabled!(tracing::Level::INFO)) else {
            return;
        };
        let pairs = now.engine().roots().iter().zip(read.engine().roots());
        let drift: usize = pairs.map(|(now, read)| now.snapshot.differences(&read.snapshot).len()).sum();
        tracing::info!(drift, "reread while watching");
    }

    fn record_failure(state: &mut WorkspaceState, error: SnapshotError) {
        let error = Arc::new(error);
        if state.workspace.is_some() {
            // Each answer reports a root that is gone, and it may come back.
            tracing::warn!(%error, "the roots could not be read again");
            state.reread_error = Some(error);
        } else {
            state.open_error = Some(error);
            state.version += 1;
        }
    }

    /// Notifies waiting threads that the trees were read.
    fn announce(&self, generation: u64) {
        let mut state = self.state();
        if state.generation == generation && state.workspace.is_some() && state.reread_error.is_none() {
            state.version += 1;
            state.tree_version += 1;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Reads the rest of git history, new commits and uncommitted changes. One thread at a time, since several would read
    /// the same.
    fn read_history(self: &Arc<Self>, generation: u64) {
        let mut state = self.state();
        if std::mem::replace(&mut state.is_reading_history, true) {
            return;
        }
        loop {
            state.has_new_commits = false;
            let workspace = state.workspace.clone();
            drop(state);
            let histories = workspace
                .map(|workspace| workspace.read_full_history(&|| self.symbol_reader.yield_to_queries(&self.stop)))
                .unwrap_or_default();
            state = self.state();
            if let Some(now) = state.workspace.as_ref().filter(|_| state.generation == generation) {
                let more = now.with_histories(&histories, NewerHistory::Other);
                state.workspace = Some(Arc::new(self.usage().with_frecency(&more)));
                state.version += 1;
                self.changed.notify_all();
            }
            if !state.has_new_commits || self.stop.load(Ordering::Relaxed) {
                state.is_reading_history = false;
                return;
            }
        }
    }

    /// Reads history again in a thread, after a commit or a switch of branches.
    pub(super) fn reread_history(self: &Arc<Self>) {
        let mut state = self.state();
        state.has_new_commits = true;
        let (is_reading, generation) = (state.is_reading_history, state.generation);
        drop(state);
        if !is_reading {
            let shared = Arc::clone(self);
            thread::spawn(move || shared.read_history(generation));
        }
    }
}

/// Marks a read as finished when it is dropped, also by a panic.
struct OpeningGuard<'a> {
    shared: &'a Shared,
    generation: u64,
    number: u64,
}

impl Drop for OpeningGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        if state.generation == self.generation {
            state.is_opening = false;
        }
        state.finished_reads = state.finished_reads.max(self.number);
        drop(state);
        self.shared.changed.notify_all();
    }
}
