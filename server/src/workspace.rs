//! `Workspace`: roots that stay open for an edge that runs on: read in the background, exchanged as a whole, with a
//! memory of what was used.

mod live;
mod opening;
mod state;
mod used;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use pathfinder_core::{Answer, FindRequest, RelPath, Request, Status};

use crate::find;
use crate::os::watch::Told;
use crate::settings::Overrides;
use crate::snapshot::{AskError, SnapshotError, Timing, WorkspaceSnapshot};
use crate::symbols::Asking;
pub(crate) use live::{ChangeBatch, ChangeSource};
use state::{Reading, Shared, State};

/// A tree that was read so long ago may have changed: an agent makes files while it works.
const STALE: Duration = Duration::from_secs(5);
/// A tree is read again at most for one part in so many of the time.
const STALE_FACTOR: u32 = 20;

/// Roots that stay open. All of it can be used from several threads at once; a clone is the same one.
#[derive(Clone)]
pub(crate) struct Workspace(Arc<Shared>);

/// Why a workspace has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum WorkspaceError {
    /// The roots cannot be used.
    #[error("{0}")]
    Roots(Arc<SnapshotError>),
    /// The request has no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
}

impl Workspace {
    /// Without roots yet.
    pub(crate) fn new(flags: Overrides) -> Self {
        Self(Arc::new(Shared::new(flags)))
    }

    /// Begins to read the roots that the user gave, in the background. Nothing happens if they are open.
    pub(crate) fn open(&self, roots: Vec<PathBuf>) {
        self.begin(roots, true);
    }

    /// The same for roots that a client names, or none for the default one: what is too wide to be a project is refused.
    pub(crate) fn offer(&self, roots: Vec<PathBuf>) {
        self.begin(roots, false);
    }

    fn begin(&self, roots: Vec<PathBuf>, given: bool) {
        let mut state = self.0.state();
        if state.roots.as_ref() == Some(&roots) {
            return;
        }
        let State { generation, begun, ended, version, trees, .. } = *state;
        *state = State {
            roots: Some(roots),
            given,
            generation: generation + 1,
            begun,
            ended,
            version,
            trees,
            ..State::default()
        };
        self.0.live.reset();
        self.0.start(&mut state, Reading::Wanted);
    }

    /// Whether any roots were opened.
    pub(crate) fn is_open(&self) -> bool {
        self.0.state().roots.is_some()
    }

    /// The roots, as soon as they are read; read again in the background if that was long ago.
    ///
    /// # Errors
    /// When the roots cannot be used. The next call tries again.
    pub(crate) fn snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let mut state = self.0.state();
        let is_old = state.is_old() && !self.0.live.is_told();
        let failed = state.workspace.is_none();
        if !state.opening && (is_old || failed || state.generation == 0) {
            state.generation = state.generation.max(1);
            state.roots.get_or_insert_default();
            self.0.start(&mut state, Reading::Routine);
        }
        self.0.wait(state, |state| !state.opening || state.workspace.is_some())
    }

    /// What was kept of the roots, or what git tracks, while they are read for the first time and if that is known sooner.
    fn early(&self) -> Option<Arc<WorkspaceSnapshot>> {
        let state = self.0.state();
        let is_known = |state: &State| !state.opening || state.workspace.is_some() || state.early.is_some();
        let state = self.0.changed.wait_while(state, |state| !is_known(state)).unwrap_or_else(PoisonError::into_inner);
        state.early.clone().filter(|_| state.workspace.is_none())
    }

    /// The roots as they were read last, or as they became by changes since; waits for the first reading.
    ///
    /// # Errors
    /// When the roots cannot be used.
    pub(crate) fn current(&self) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let state = self.0.state();
        self.0.wait(state, |state| state.workspace.is_some() || !state.opening)
    }

    /// Waits until trees or history were read again since a version. `None` when the workspace is closed.
    pub(crate) fn newer(&self, than: u64) -> Option<Newer> {
        let closed = || self.0.stop.load(Ordering::Relaxed);
        // Other roots, or none, may have been chosen since: of those nothing is known yet.
        let nothing = |state: &State| state.version == than || state.workspace.is_none() && state.failure.is_none();
        let waiting = self.0.changed.wait_while(self.0.state(), |state| nothing(state) && !closed());
        let state = waiting.unwrap_or_else(PoisonError::into_inner);
        if closed() {
            return None;
        }
        let (version, trees) = (state.version, state.trees);
        Some(Newer { version, trees, workspace: self.0.wait(state, |_| true) })
    }

    /// From now on these flags hold. They count for what is read from then on.
    /// Whether they are others than before.
    pub(crate) fn configure(&self, flags: Overrides) -> bool {
        let mut now = self.0.flags.lock().unwrap_or_else(PoisonError::into_inner);
        let others = *now != flags;
        *now = flags;
        others
    }

    /// The flags that hold.
    pub(crate) fn flags(&self) -> Overrides {
        self.0.flags.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The roots as they were given.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        self.0.state().roots.clone().unwrap_or_default()
    }

    /// Has no roots from now on, as before the first were opened.
    pub(crate) fn shut(&self) {
        let mut state = self.0.state();
        let State { generation, begun, ended, version, trees, .. } = *state;
        *state = State { generation: generation + 1, begun, ended, version, trees, ..State::default() };
        self.0.live.reset();
    }

    /// From now on somebody tells what happens on disk: the session is always what the disk is. To be called before roots are
    /// opened.
    pub(crate) fn follow(&self, teller: ChangeSource) {
        self.0.follow(teller);
    }

    /// Why the system does not tell all that happens, if it was asked to.
    pub(crate) fn unwatched(&self) -> Option<String> {
        self.0.live.refused()
    }

    /// What is taken in from now on, for who has more to keep right than a session.
    pub(crate) fn heed(&self) -> Receiver<ChangeBatch> {
        self.0.live.heed()
    }

    /// Takes in that something has happened at these paths (absolute, through no link). Told twice is no more than told once, as
    /// it is held against the disk. Not for threads that others wait for.
    pub(crate) fn happened(&self, paths: Vec<PathBuf>) {
        let paths: std::collections::BTreeSet<PathBuf> = paths.into_iter().collect();
        self.0.happened(&Told { entries: paths.clone(), written: paths, ..Told::default() });
    }

    /// Mends what is not as the disk has it, by the times of directories: for when it is known that somebody was not told. Not for
    /// threads that others wait for.
    pub(crate) fn look_again(&self) {
        // Who reads the trees looks again itself.
        if !self.0.state().opening {
            self.0.look_again_now();
        }
    }

    /// Makes what runs in the background wait as long as this lives.
    pub(crate) fn asking(&self) -> Asking<'_> {
        self.0.reader.asking()
    }

    /// Reads the roots now, and gives them as they are.
    ///
    /// # Errors
    /// When the roots cannot be used, or not any more.
    pub(crate) fn reindex(&self) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let mut state = self.0.state();
        // What runs may have begun before what the caller knows of happened. All who wait for the next one share it.
        let next = state.begun + 1;
        state = self
            .0
            .changed
            .wait_while(state, |state| state.opening && state.begun < next)
            .unwrap_or_else(PoisonError::into_inner);
        if state.begun < next {
            state.generation = state.generation.max(1);
            state.roots.get_or_insert_default();
            self.0.start(&mut state, Reading::Wanted);
        }
        let workspace = self.0.wait(state, |state| state.ended >= next)?;
        match &self.0.state().unread {
            Some(error) => Err(WorkspaceError::Roots(Arc::clone(error))),
            None => Ok(workspace),
        }
    }

    /// Answers with what was used before.
    ///
    /// # Errors
    /// When the roots cannot be used, or the request has no answer.
    pub(crate) fn ask(&self, request: &Request) -> Result<Asked, WorkspaceError> {
        self.ask_from(request, None)
    }

    /// The same for who is in another directory (canonical) than this process.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub(crate) fn ask_from(&self, request: &Request, directory: Option<&Path>) -> Result<Asked, WorkspaceError> {
        let seen = |workspace: Arc<WorkspaceSnapshot>| match directory {
            Some(directory) => Arc::new(workspace.seen_from(directory)),
            None => workspace,
        };
        let _asking = self.asking();
        let mut request = request.clone();
        let own = std::mem::take(&mut request.history);
        request.history = self.0.used().ring();
        request.history.extend(own);
        if let Some(workspace) = self.early().map(seen) {
            let (answer, timing) = workspace.ask(&request);
            // What is not in it could be one more to choose from, or the only one; what is sure of itself is there in any case.
            if answer.as_ref().is_ok_and(|answer| matches!(answer.status, Status::Exists | Status::Resolved)) {
                return Ok(Asked { answer: answer?, timing, request, workspace });
            }
        }
        let workspace = seen(self.snapshot()?);
        let (answer, timing) = workspace.ask(&request);
        Ok(Asked { answer: answer?, timing, request, workspace })
    }

    /// Finds files, and says in which roots.
    ///
    /// # Errors
    /// When the roots cannot be used.
    pub(crate) fn find(
        &self,
        request: &FindRequest,
    ) -> Result<(Arc<WorkspaceSnapshot>, find::TimedFindAnswer), WorkspaceError> {
        let workspace = self.snapshot()?;
        let _asking = self.asking();
        let found = find::find(&workspace, request);
        Ok((workspace, found))
    }

    /// Remembers that a path below a root of this session was answered or used.
    pub(crate) fn note(&self, workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) {
        let Some(opened) = workspace.opened().get(root) else { return };
        self.0.used().note(&opened.root, path);
    }

    /// The last paths that were answered or used, absolute, newest first.
    pub(crate) fn last_used(&self) -> Vec<String> {
        let mut last = self.0.used().ring();
        last.reverse();
        last
    }

    /// Writes down what was used since the last time, and reads what other sessions wrote.
    pub(crate) fn keep(&self) {
        let state = self.0.state();
        // What was answered before the roots were read was used as well.
        let Some(workspace) = state.workspace.clone().or_else(|| state.early.clone()) else { return };
        drop(state);
        if self.0.used().keep(workspace.opened()) {
            self.0.familiarise();
        }
    }

    /// Ends what runs in the background, and keeps what was used.
    pub(crate) fn close(&self) {
        // Under the lock, or who is about to wait would miss it.
        let state = self.0.state();
        self.0.stop.store(true, Ordering::Relaxed);
        drop(state);
        self.0.live.reset();
        self.0.changed.notify_all();
        self.keep();
        let workspace = self.0.state().workspace.clone();
        if let Some(model) = workspace.and_then(|workspace| workspace.model()) {
            model.keep();
        }
    }
}

/// What became of the roots.
pub(crate) struct Newer {
    /// To be asked for what is newer than this.
    pub(crate) version: u64,
    /// Goes up whenever the trees are read: if it has not, only more is known of their history.
    pub(crate) trees: u64,
    /// The roots, or why they cannot be used.
    pub(crate) workspace: Result<Arc<WorkspaceSnapshot>, WorkspaceError>,
}

/// An answer and what it was made of.
pub(crate) struct Asked {
    pub(crate) answer: Answer,
    pub(crate) timing: Timing,
    /// As it was asked, with the history of the workspace.
    pub(crate) request: Request,
    pub(crate) workspace: Arc<WorkspaceSnapshot>,
}

impl State {
    /// Whether the trees were read so long ago that they may be others by now.
    fn is_old(&self) -> bool {
        self.read.is_some_and(|(read, took)| read.elapsed() > STALE.max(took * STALE_FACTOR))
    }
}

/// The absolute path of an entry, as text.
pub(crate) fn absolute(root: &Path, path: &RelPath) -> String {
    let root = root.to_string_lossy();
    let root = root.trim_end_matches(['/', '\\']);
    if path.as_bytes().is_empty() {
        return root.to_owned();
    }
    let separator = std::path::MAIN_SEPARATOR;
    format!("{root}{separator}{}", path.text().replace('/', std::path::MAIN_SEPARATOR_STR))
}

#[cfg(all(test, unix))]
mod tests;
