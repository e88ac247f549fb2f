//! Roots that stay open in a long-running server: read in the background, kept up to date, with a record of used paths. The
//! LSP and MCP servers have one each.
//!
//! # Snapshots
//!
//! A workspace holds one [`WorkspaceSnapshot`]: roots, engine and probe, all immutable. A call takes the current
//! snapshot and keeps it to its end. New knowledge (a change on disk, more git history, used files) makes a new
//! snapshot that shares the unchanged parts. Only the holder of the update lock builds a snapshot of another tree;
//! readers keep using the old one, and only the pointer swap takes the state lock.
//!
//! # Trees that cannot be watched
//!
//! If the user's watches are used up, or three quarters of them would be, the tree is read again in the background:
//! when a call comes, the last reading is 5 seconds old, and reading takes less than a twentieth of the time. The call
//! does not wait. Git's index and HEAD are watched even then and make a reading due at once. Every returned path is
//! stat-ed, so a stale index can miss a candidate but never return a wrong one. `reindex_paths` waits for a reading
//! that begins after the call; concurrent calls share one.

mod reading;
mod state;
mod usage;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use pathfinder_core::{Answer, FindRequest, RelPath, Request, Status};

use crate::contents;
use crate::find;
use crate::settings::Overrides;
use crate::snapshot::{AskError, SnapshotError, Timing, WorkspaceSnapshot};
use crate::symbols::{QueryGuard, Validation};
use pathfinder_vfs::watch::PendingChanges;
use state::{ReadReason, Shared, WorkspaceState};
pub use watch::{ChangeBatch, ChangeSource};

/// Least time between reads of a tree that is not watched: agents create files while they work.
const MIN_REREAD_INTERVAL: Duration = Duration::from_secs(5);
/// Reading a tree again takes at most one part in this many of the time.
const REREAD_INTERVAL_FACTOR: u32 = 20;

/// Open roots. Thread-safe; a clone is the same workspace.
#[derive(Clone)]
pub struct Workspace(Arc<Shared>);

/// The reason why a workspace has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The roots cannot be used.
    #[error("{0}")]
    Roots(Arc<SnapshotError>),
    /// The roots were closed.
    #[error("no roots are open any more")]
    Closed,
    /// The request has no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
}

impl Workspace {
    /// Makes a workspace without roots.
    pub fn new(flags: Overrides) -> Self {
        Self(Arc::new(Shared::new(flags)))
    }

    /// Starts to read roots that the user gave, in the background. Does nothing if they are open.
    pub fn open(&self, roots: Vec<PathBuf>) {
        self.set_roots(roots, true);
    }

    /// Starts to read roots that a client names; none is the default root. Roots that are too wide to be a project are
    /// refused.
    pub fn open_from_client(&self, roots: Vec<PathBuf>) {
        self.set_roots(roots, false);
    }

    fn set_roots(&self, roots: Vec<PathBuf>, given: bool) {
        let mut state = self.0.state();
        if state.roots.as_ref() == Some(&roots) {
            return;
        }
        *state = WorkspaceState { roots: Some(roots), is_user_given: given, ..state.closed() };
        self.0.watch.reset();
        self.0.start_reading(&mut state, ReadReason::Requested);
    }

    /// Returns whether roots were opened.
    pub fn is_open(&self) -> bool {
        self.0.state().roots.is_some()
    }

    /// Returns a snapshot as soon as the roots are read. Starts a background read if the last one is long ago.
    ///
    /// # Errors
    /// If the roots cannot be used. The next call tries again.
    pub fn snapshot(&self) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let mut state = self.0.state();
        let is_stale = state.is_stale() && !self.0.watch.is_complete();
        let failed = state.workspace.is_none();
        if !state.is_opening && (is_stale || failed || state.generation == 0) {
            state.open_default_roots()?;
            self.0.start_reading(&mut state, ReadReason::Routine);
        }
        self.0.wait_until(state, |state| !state.is_opening || state.workspace.is_some())
    }

    /// Returns the snapshot from the cache or git's index, while the roots are read for the first time.
    fn provisional(&self) -> Option<Arc<WorkspaceSnapshot>> {
        let mut state = self.0.state();
        let is_known =
            |state: &WorkspaceState| !state.is_opening || state.workspace.is_some() || state.provisional.is_some();
        self.0.changed.wait_while(&mut state, |state| !is_known(state));
        state.provisional.clone().filter(|_| state.workspace.is_none())
    }

    /// Returns the latest snapshot; waits for the first read.
    ///
    /// # Errors
    /// If the roots cannot be used.
    pub fn current(&self) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let state = self.0.state();
        self.0.wait_until(state, |state| state.workspace.is_some() || !state.is_opening)
    }

    /// Waits until trees or history are newer than version `than`. `None` if the workspace was closed.
    pub fn wait_for_update(&self, than: u64) -> Option<WorkspaceUpdate> {
        let closed = || self.0.stop.load(Ordering::Relaxed);
        // Newly chosen roots have no result yet.
        let nothing =
            |state: &WorkspaceState| state.version == than || state.workspace.is_none() && state.open_error.is_none();
        let mut state = self.0.state();
        self.0.changed.wait_while(&mut state, |state| nothing(state) && !closed());
        if closed() {
            return None;
        }
        let (version, tree_version) = (state.version, state.tree_version);
        Some(WorkspaceUpdate { version, tree_version, workspace: self.0.wait_until(state, |_| true) })
    }

    /// Sets the command-line settings for all later reads. Returns whether they differ from before.
    pub fn configure(&self, flags: Overrides) -> bool {
        let mut now = self.0.flags.lock();
        let others = *now != flags;
        *now = flags;
        others
    }

    /// Returns the command-line settings.
    pub fn flags(&self) -> Overrides {
        self.0.flags.lock().clone()
    }

    /// Returns the roots as they were given.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.0.state().roots.clone().unwrap_or_default()
    }

    /// Closes all roots, as if none had been opened.
    pub fn close_roots(&self) {
        let mut state = self.0.state();
        *state = state.closed();
        self.0.watch.reset();
    }

    /// Sets the source of change events, which keep the snapshot up to date. Called before roots are opened.
    pub fn watch(&self, source: ChangeSource) {
        self.0.set_change_source(source);
    }

    /// Returns why the system does not report all changes, if it was asked to.
    pub fn watch_refusal(&self) -> Option<String> {
        self.0.watch.refusal()
    }

    /// Returns a channel of all changes that are applied from now on.
    pub fn subscribe(&self) -> Receiver<ChangeBatch> {
        self.0.watch.subscribe()
    }

    /// Applies changes at these paths (absolute, without links). Reporting a path twice is harmless, since it is compared
    /// with the disk. Reads the disk, so async threads must not call it.
    pub fn report_changes(&self, paths: Vec<PathBuf>) {
        let paths: std::collections::BTreeSet<PathBuf> = paths.into_iter().collect();
        self.0.apply_changes(&PendingChanges { entries: paths.clone(), written: paths, ..PendingChanges::default() });
    }

    /// Compares all trees with the disk by the times of directories, after events may have been missed. Reads the disk, so
    /// async threads must not call it.
    pub fn rescan(&self) {
        // A read in progress compares them itself.
        if !self.0.state().is_opening {
            self.0.rescan_now();
        }
    }

    /// Makes background work wait while the guard lives.
    pub fn begin_query(&self) -> QueryGuard<'_> {
        self.0.symbol_reader.begin_query()
    }

    /// Reads the roots now, and returns the new snapshot.
    ///
    /// # Errors
    /// If the roots cannot be used, or no longer.
    pub fn reindex(&self) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let mut state = self.0.state();
        // A read in progress may have missed what the caller knows of. All waiting callers share the next one.
        let next = state.started_reads + 1;
        self.0.changed.wait_while(&mut state, |state| state.is_opening && state.started_reads < next);
        if state.started_reads < next {
            state.open_default_roots()?;
            self.0.start_reading(&mut state, ReadReason::Requested);
        }
        let workspace = self.0.wait_until(state, |state| state.finished_reads >= next)?;
        match &self.0.state().reread_error {
            Some(error) => Err(WorkspaceError::Roots(Arc::clone(error))),
            None => Ok(workspace),
        }
    }

    /// Answers a request, with recently used paths as history.
    ///
    /// # Errors
    /// If the roots cannot be used, or the request has no answer.
    pub fn ask(&self, request: &Request) -> Result<WorkspaceAnswer, WorkspaceError> {
        self.ask_from(request, None)
    }

    /// Answers a request of a process in another directory (canonical path).
    ///
    /// # Errors
    /// If the roots cannot be used, or the request has no answer.
    pub fn ask_from(&self, request: &Request, directory: Option<&Path>) -> Result<WorkspaceAnswer, WorkspaceError> {
        let seen = |workspace: Arc<WorkspaceSnapshot>| match directory {
            Some(directory) => Arc::new(workspace.with_current_dir(directory)),
            None => workspace,
        };
        let _query = self.begin_query();
        let mut request = request.clone();
        let own = std::mem::take(&mut request.history);
        request.history = self.0.usage().recent();
        request.history.extend(own);
        if let Some(workspace) = self.provisional().map(seen) {
            let (answer, timing) = workspace.ask(&request);
            // A provisional snapshot may lack candidates, so only a sure answer counts: its path was probed.
            if answer.as_ref().is_ok_and(|answer| matches!(answer.status, Status::Exists | Status::Resolved)) {
                return Ok(WorkspaceAnswer { answer: answer?, timing, request, workspace });
            }
        }
        let workspace = seen(self.snapshot()?);
        let (answer, timing) = workspace.ask(&request);
        Ok(WorkspaceAnswer { answer: answer?, timing, request, workspace })
    }

    /// Finds files. Returns the answer with the snapshot that has the roots.
    ///
    /// # Errors
    /// If the roots cannot be used.
    pub fn find(
        &self,
        request: &FindRequest,
    ) -> Result<(Arc<WorkspaceSnapshot>, find::TimedFindAnswer), WorkspaceError> {
        let workspace = self.snapshot()?;
        let _query = self.begin_query();
        let found = find::find(&workspace, request);
        self.note_directories(&workspace, request);
        Ok((workspace, found))
    }

    /// Notes the directories that a question is about: a content index that has no room for all files takes theirs.
    pub fn note_directories(&self, workspace: &WorkspaceSnapshot, request: &FindRequest) {
        if contents::note_directories(workspace, &request.query) {
            self.0.read_symbols(Validation::Tree);
        }
    }

    /// Records that a path below a root was answered or used.
    pub fn record_use(&self, workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) {
        let Some(opened) = workspace.opened().get(root) else { return };
        self.0.usage().record(&opened.root, path);
    }

    /// Returns the last used paths (absolute), newest first.
    pub fn recent_paths(&self) -> Vec<String> {
        let mut last = self.0.usage().recent();
        last.reverse();
        last
    }

    /// Saves new uses, and loads those that other processes have saved.
    pub fn save_usage(&self) {
        let state = self.0.state();
        // Provisional answers count as uses too.
        let Some(workspace) = state.workspace.clone().or_else(|| state.provisional.clone()) else { return };
        drop(state);
        if self.0.usage().save(workspace.opened()) {
            self.0.refresh_frecency();
        }
    }

    /// Stops background work, and saves uses and vectors.
    pub fn close(&self) {
        // Under the lock, or a thread that is about to wait would miss the notification.
        let state = self.0.state();
        self.0.stop.store(true, Ordering::Relaxed);
        drop(state);
        self.0.watch.reset();
        self.0.changed.notify_all();
        self.save_usage();
        let workspace = self.0.state().workspace.clone();
        if let Some(model) = workspace.and_then(|workspace| workspace.model()) {
            model.save();
        }
    }
}

/// The outcome of a read of the roots.
pub struct WorkspaceUpdate {
    /// Version to pass to the next [`Workspace::wait_for_update`].
    pub version: u64,
    /// Increases with each read of the trees. If it is unchanged, only the history is newer.
    pub tree_version: u64,
    /// The snapshot, or why the roots cannot be used.
    pub workspace: Result<Arc<WorkspaceSnapshot>, WorkspaceError>,
}

/// An answer with the request and the snapshot that it is for.
pub struct WorkspaceAnswer {
    /// The answer.
    pub answer: Answer,
    /// Time that it took.
    pub timing: Timing,
    /// The request, with the workspace's history.
    pub request: Request,
    /// The snapshot that gave the answer.
    pub workspace: Arc<WorkspaceSnapshot>,
}

impl WorkspaceState {
    /// Returns whether the last read is so long ago that the trees may have changed.
    fn is_stale(&self) -> bool {
        self.last_read
            .is_some_and(|(read, took)| read.elapsed() > MIN_REREAD_INTERVAL.max(took * REREAD_INTERVAL_FACTOR))
    }
}

/// Returns the absolute path of an entry as text.
pub fn absolute(root: &Path, path: &RelPath) -> String {
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
