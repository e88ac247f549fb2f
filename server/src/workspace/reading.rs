//! Reading roots, in threads of their own: trees first, then what takes longer.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::state::{ReadReason, Shared, WorkspaceState};
use super::watch::ChangeSource;
use crate::os::watch::Told;
use crate::snapshot::{self, NewerHistory, SnapshotError, WorkspaceSnapshot};
use crate::symbols::Validation;

impl Shared {
    /// Reads the roots in a thread of its own.
    pub(super) fn start_reading(self: &Arc<Self>, state: &mut WorkspaceState, reading: ReadReason) {
        state.is_opening = true;
        state.open_error = None;
        state.pending_changes.clear();
        state.started_reads += 1;
        let (shared, roots, given) = (Arc::clone(self), state.roots.clone().unwrap_or_default(), state.is_user_given);
        let (generation, number) = (state.generation, state.started_reads);
        thread::spawn(move || {
            // Whatever happens, nobody waits for ever.
            let guard = OpeningGuard { shared: &shared, generation, number };
            let kept = shared.read_provisional(&roots, given, generation);
            let fresh = shared.read_roots(&roots, given, generation, reading, kept.as_deref());
            drop(guard);
            let pending = shared.take_pending_changes(generation);
            for changes in pending {
                shared.take_in_changes(&changes);
            }
            // From the moment at which somebody tells what becomes of files; what they say may have changed until then.
            let begins = fresh.is_some() && shared.start_watching(generation);
            // Who follows looks at what files say only when somebody tells what becomes of them.
            if fresh == Some(true) || begins {
                shared.announce(generation);
            }
            // Who follows need not wait for that: what is different is told as what happens.
            if fresh.is_some() && shared.watch.source() == ChangeSource::Client {
                shared.rescan_now();
            }
            shared.read_symbols(Validation::Stamps);
            let Some(workspace) = shared.state().workspace.clone() else { return };
            let model = workspace.model();
            // Before the history, which takes longer: the first question may need it.
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

    /// What was told while the trees were read.
    fn take_pending_changes(&self, generation: u64) -> Vec<Told> {
        let mut state = self.state();
        if state.generation == generation { std::mem::take(&mut state.pending_changes) } else { Vec::new() }
    }

    /// Reads what answers the first questions while the trees are read for the first time: what was kept of them, which it gives
    /// as well, or else what git tracks, beside the reading and in a thread of its own: of a large tree that is known far sooner.
    pub(super) fn read_provisional(
        self: &Arc<Self>,
        roots: &[PathBuf],
        given: bool,
        generation: u64,
    ) -> Option<Arc<WorkspaceSnapshot>> {
        if self.state().workspace.is_some() || self.watch.source() == ChangeSource::Polling {
            return None;
        }
        if !given && snapshot::check_narrow(roots).is_err() {
            return None;
        }
        let flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
        // Without it the first question waits for the trees.
        _ = thread::Builder::new().name("early".to_owned()).spawn(reading);
        None
    }

    /// Has questions asked of a session until the trees are read.
    fn offer_provisional(&self, provisional: &Arc<WorkspaceSnapshot>, generation: u64) {
        let mut state = self.state();
        if state.generation == generation && state.workspace.is_none() {
            state.provisional = Some(Arc::clone(provisional));
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Reads them, from what was kept of them on; `None` if they cannot be read, else whether there is anything new for others.
    fn read_roots(
        &self,
        roots: &[PathBuf],
        given: bool,
        generation: u64,
        reading: ReadReason,
        kept: Option<&WorkspaceSnapshot>,
    ) -> Option<bool> {
        let start = Instant::now();
        let opened = if given { Ok(()) } else { snapshot::check_narrow(roots) };
        let flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
                // What was read on of the same commit need not be read again.
                let known = state.workspace.as_ref();
                let known = known.map(|before| {
                    workspace.with_histories(&before.histories(), NewerHistory::Own).with_symbols_of(before)
                });
                let workspace = Arc::new(self.usage().with_frecency(known.as_ref().unwrap_or(&workspace)));
                // A root that was away may be another directory.
                let stayed = reading == ReadReason::Routine && state.reread_error.is_none();
                let same = stayed && before.is_some_and(|before| before.has_same_trees(&workspace));
                self.watch.set_metadata(&workspace);
                state.workspace = Some(workspace);
                state.provisional = None;
                state.last_read = Some((Instant::now(), took));
                state.reread_error = None;
                Some(!same)
            }
            Err(error) => {
                Self::record_failure(&mut state, error);
                None
            }
        }
    }

    /// What was told should have made the session what was read by now; it is said in the log how far that is so.
    fn log_drift(&self, read: &WorkspaceSnapshot) {
        let Some(now) = self.state().workspace.clone().filter(|_| tracing::enabled!(tracing::Level::INFO)) else {
            return;
        };
        let pairs = now.engine().roots().iter().zip(read.engine().roots());
        let drift: usize = pairs.map(|(now, read)| now.snapshot.differences(&read.snapshot).len()).sum();
        tracing::info!(drift, "read again while all was told");
    }

    fn record_failure(state: &mut WorkspaceState, error: SnapshotError) {
        let error = Arc::new(error);
        if state.workspace.is_some() {
            // A root that is gone says so in every answer, and may come back.
            tracing::warn!(%error, "not read again");
            state.reread_error = Some(error);
        } else {
            state.open_error = Some(error);
            state.version += 1;
        }
    }

    /// Says that trees were read.
    fn announce(&self, generation: u64) {
        let mut state = self.state();
        if state.generation == generation && state.workspace.is_some() && state.reread_error.is_none() {
            state.version += 1;
            state.trees += 1;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Reads the rest of git's history, what was committed since, and what is not committed. Several at once would read the same.
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

    /// There is a new commit, or another branch: history is read again, in a thread of its own.
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

/// Marks an opening as ended when it is dropped, be it by a panic.
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
