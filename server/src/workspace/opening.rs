//! Reading roots, in threads of their own: trees first, then what takes longer.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::live::ChangeSource;
use super::state::{Reading, Shared, State};
use crate::os::watch::Told;
use crate::snapshot::{self, Newer, SnapshotError, WorkspaceSnapshot};
use crate::symbols::Validation;

impl Shared {
    /// Reads the roots in a thread of its own.
    pub(super) fn start(self: &Arc<Self>, state: &mut State, reading: Reading) {
        state.opening = true;
        state.failure = None;
        state.told.clear();
        state.begun += 1;
        let (shared, roots, given) = (Arc::clone(self), state.roots.clone().unwrap_or_default(), state.given);
        let (generation, number) = (state.generation, state.begun);
        thread::spawn(move || {
            // Whatever happens, nobody waits for ever.
            let ended = Ended { shared: &shared, generation, number };
            let kept = shared.read_early(&roots, given, generation);
            let fresh = shared.read_roots(&roots, given, generation, reading, kept.as_deref());
            drop(ended);
            let told = shared.told_meanwhile(generation);
            for told in told {
                shared.happened(&told);
            }
            // From the moment at which somebody tells what becomes of files; what they say may have changed until then.
            let begins = fresh.is_some() && shared.watch(generation);
            // Who follows looks at what files say only when somebody tells what becomes of them.
            if fresh == Some(true) || begins {
                shared.publish(generation);
            }
            // Who follows need not wait for that: what is different is told as what happens.
            if fresh.is_some() && shared.live.teller() == ChangeSource::Client {
                shared.look_again_now();
            }
            shared.read_symbols(Validation::Stamps);
            let Some(workspace) = shared.state().workspace.clone() else { return };
            let model = workspace.model();
            // Before the history, which takes longer: the first question may need it.
            if let Some(model) = &model {
                model.load();
            }
            workspace.keep();
            shared.read_on(generation);
            if let Some(model) = &model {
                model.prepare(workspace.engine().roots(), &|| shared.reader.waits(&shared.stop));
            }
        });
    }

    /// What was told while the trees were read.
    fn told_meanwhile(&self, generation: u64) -> Vec<Told> {
        let mut state = self.state();
        if state.generation == generation { std::mem::take(&mut state.told) } else { Vec::new() }
    }

    /// Reads what answers the first questions while the trees are read for the first time: what was kept of them, which it gives
    /// as well, or else what git tracks, beside the reading and in a thread of its own: of a large tree that is known far sooner.
    pub(super) fn read_early(
        self: &Arc<Self>,
        roots: &[PathBuf],
        given: bool,
        generation: u64,
    ) -> Option<Arc<WorkspaceSnapshot>> {
        if self.state().workspace.is_some() || self.live.teller() == ChangeSource::Nobody {
            return None;
        }
        if !given && snapshot::check_narrow(roots).is_err() {
            return None;
        }
        let flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(kept) = WorkspaceSnapshot::kept(roots, &flags).map(Arc::new) {
            self.offer(&kept, generation);
            return Some(kept);
        }
        let (shared, roots) = (Arc::clone(self), roots.to_vec());
        let reading = move || {
            if let Some(tracked) = WorkspaceSnapshot::tracked(&roots, &flags) {
                shared.offer(&Arc::new(tracked), generation);
            }
        };
        // Without it the first question waits for the trees.
        _ = thread::Builder::new().name("early".to_owned()).spawn(reading);
        None
    }

    /// Has questions asked of a session until the trees are read.
    fn offer(&self, early: &Arc<WorkspaceSnapshot>, generation: u64) {
        let mut state = self.state();
        if state.generation == generation && state.workspace.is_none() {
            state.early = Some(Arc::clone(early));
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
        reading: Reading,
        kept: Option<&WorkspaceSnapshot>,
    ) -> Option<bool> {
        let start = Instant::now();
        let opened = if given { Ok(()) } else { snapshot::check_narrow(roots) };
        let flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let before = self.state().workspace.clone();
        let result =
            opened.and_then(|()| WorkspaceSnapshot::open(roots, &flags, Duration::ZERO, before.as_deref().or(kept)));
        let took = start.elapsed();
        if let (Ok(workspace), true) = (&result, self.live.is_told()) {
            self.tell_drift(workspace);
        }
        let _turn = self.turn();
        let mut state = self.state();
        if state.generation != generation {
            return None;
        }
        match result {
            Ok(workspace) => {
                // What was read on of the same commit need not be read again.
                let known = state.workspace.as_ref();
                let known =
                    known.map(|before| workspace.with_pasts(&before.pasts(), Newer::Own).with_symbols_of(before));
                let workspace = Arc::new(self.used().familiarised(known.as_ref().unwrap_or(&workspace)));
                // A root that was away may be another directory.
                let stayed = reading == Reading::Routine && state.unread.is_none();
                let same = stayed && before.is_some_and(|before| before.has_same_trees(&workspace));
                self.live.know(&workspace);
                state.workspace = Some(workspace);
                state.early = None;
                state.read = Some((Instant::now(), took));
                state.unread = None;
                Some(!same)
            }
            Err(error) => {
                Self::failed(&mut state, error);
                None
            }
        }
    }

    /// What was told should have made the session what was read by now; it is said in the log how far that is so.
    fn tell_drift(&self, read: &WorkspaceSnapshot) {
        let Some(now) = self.state().workspace.clone().filter(|_| tracing::enabled!(tracing::Level::INFO)) else {
            return;
        };
        let pairs = now.engine().roots().iter().zip(read.engine().roots());
        let drift: usize = pairs.map(|(now, read)| now.snapshot.differences(&read.snapshot).len()).sum();
        tracing::info!(drift, "read again while all was told");
    }

    fn failed(state: &mut State, error: SnapshotError) {
        let error = Arc::new(error);
        if state.workspace.is_some() {
            // A root that is gone says so in every answer, and may come back.
            tracing::warn!(%error, "not read again");
            state.unread = Some(error);
        } else {
            state.failure = Some(error);
            state.version += 1;
        }
    }

    /// Says that trees were read.
    fn publish(&self, generation: u64) {
        let mut state = self.state();
        if state.generation == generation && state.workspace.is_some() && state.unread.is_none() {
            state.version += 1;
            state.trees += 1;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Reads the rest of git's history, what was committed since, and what is not committed. Several at once would read the same.
    fn read_on(self: &Arc<Self>, generation: u64) {
        let mut state = self.state();
        if std::mem::replace(&mut state.reading_on, true) {
            return;
        }
        loop {
            state.committed = false;
            let workspace = state.workspace.clone();
            drop(state);
            let pasts =
                workspace.map(|workspace| workspace.read_on(&|| self.reader.waits(&self.stop))).unwrap_or_default();
            state = self.state();
            if let Some(now) = state.workspace.as_ref().filter(|_| state.generation == generation) {
                let more = now.with_pasts(&pasts, Newer::Overrides);
                state.workspace = Some(Arc::new(self.used().familiarised(&more)));
                state.version += 1;
                self.changed.notify_all();
            }
            if !state.committed || self.stop.load(Ordering::Relaxed) {
                state.reading_on = false;
                return;
            }
        }
    }

    /// There is a new commit, or another branch: history is read again, in a thread of its own.
    pub(super) fn committed(self: &Arc<Self>) {
        let mut state = self.state();
        state.committed = true;
        let (reading_on, generation) = (state.reading_on, state.generation);
        drop(state);
        if !reading_on {
            let shared = Arc::clone(self);
            thread::spawn(move || shared.read_on(generation));
        }
    }
}

/// Marks an opening as ended when it is dropped, be it by a panic.
struct Ended<'a> {
    shared: &'a Shared,
    generation: u64,
    number: u64,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        if state.generation == self.generation {
            state.opening = false;
        }
        state.ended = state.ended.max(self.number);
        drop(state);
        self.shared.changed.notify_all();
    }
}
