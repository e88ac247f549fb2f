//! `Router`: decides which engine answers the questions of a server: the shared engine's leader, or the engine of this process.
//!
//! If this process has the engine, it is the leader and serves other processes as its clients. The route changes when the leader ends
//! or an editor's server starts; the server's own clients do not notice. A question that a leader leaves unanswered is asked again on
//! the new route.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard, RwLock};

use super::backend::{Backend, BackendError};
use super::client::{EngineClient, LeaderLost};
use super::endpoint::Endpoint;
use super::engine::WorkspaceEngine;
use super::hello::Edge;
use super::join::join;
use super::leader::Leader;
use super::question::{EngineError, EngineErrorKind};
use super::share_error::ShareError;
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot;
use pathfinder_project::workspace::{ChangeSource, Workspace};
use pathfinder_vfs::clock::Stopwatch;

/// Time between two checks of the socket: an editor may have taken it, or it may be free. A check is one `stat`.
pub const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Time until a leader that could not be used is tried again: another version may have replaced it, or it may have resumed.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// Maximum number of election rounds. Two processes that start together may first see no leader, and then each other; a leader
/// that is ending can still be connected to.
const MAX_ELECTION_ROUNDS: usize = 5;
/// Pause before connecting again to a leader that closes connections. A killed process is gone by then.
const ELECTION_PAUSE: Duration = Duration::from_millis(20);

/// Routes the questions of a server to its own engine or to the leader.
pub struct Router {
    workspace: Arc<Workspace>,
    flags: Overrides,
    /// Serves clients while this process has the engine.
    leader: Leader,
    /// The roots to serve. Tasks take this lock, so it is never held while something waits.
    requested: Mutex<Option<RequestedRoots>>,
    /// Locked during an election, which waits for other processes.
    state: Mutex<RouterState>,
    /// Read-locked by questions that this process answers: the trees are dropped only after the last one.
    active_calls: RwLock<()>,
    this: Weak<Self>,
}

#[derive(Default)]
struct RouterState {
    roots: Option<RequestedRoots>,
    route: Route,
    /// Set when a leader could not be used; it is tried again after [`RETRY_DELAY`].
    failed: Option<Stopwatch>,
    /// Last logged reason for not using a leader, so that each is logged once.
    last_logged: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct RequestedRoots {
    paths: Vec<PathBuf>,
    /// True if the user named the roots, which allows the whole disk.
    is_from_user: bool,
}

/// Destination of questions.
#[derive(Clone, Default)]
enum Route {
    /// Not known yet.
    #[default]
    Undecided,
    /// This process.
    Local,
    /// The leader, another process.
    Remote(Arc<EngineClient>),
}

impl Router {
    /// Creates a router that looks for a leader.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(flags: Overrides) -> io::Result<Arc<Self>> {
        let workspace = Arc::new(Workspace::new(flags.clone()));
        workspace.watch(ChangeSource::System);
        let leader = Leader::new(Edge::Agent, Arc::clone(&workspace))?;
        Ok(Arc::new_cyclic(|this| Self {
            workspace,
            flags,
            leader,
            requested: Mutex::default(),
            state: Mutex::default(),
            active_calls: RwLock::default(),
            this: Weak::clone(this),
        }))
    }

    /// Opens the roots that the user named.
    pub fn open(&self, roots: Vec<PathBuf>) {
        self.set_roots(RequestedRoots { paths: roots, is_from_user: true });
    }

    /// Opens the roots that a client named; an empty list is the default root.
    pub fn offer(&self, roots: Vec<PathBuf>) {
        self.set_roots(RequestedRoots { paths: roots, is_from_user: false });
    }

    fn set_roots(&self, roots: RequestedRoots) {
        let mut requested = self.requested.lock();
        if requested.as_ref() == Some(&roots) {
            return;
        }
        *requested = Some(roots);
        drop(requested);
        // In a thread: a leader that hangs must not block the thread that reads messages.
        if let Some(this) = self.this.upgrade() {
            thread::spawn(move || drop(this.routed_state()));
        }
    }

    /// Returns whether any roots were opened.
    pub fn is_open(&self) -> bool {
        self.requested.lock().is_some() || self.workspace.is_open()
    }

    /// Returns the roots as they were named.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.requested.lock().as_ref().map(|roots| roots.paths.clone()).unwrap_or_default()
    }

    /// Asks a question. If the leader is gone, routes it anew. Must not be called from a task.
    ///
    /// # Errors
    /// If the engine has no answer.
    pub fn ask<T>(&self, question: impl Fn(Backend<'_>) -> Result<T, BackendError>) -> Result<T, EngineError> {
        loop {
            let state = self.routed_state();
            let (answer, asked) = match &state.route {
                Route::Remote(client) => {
                    let client = Arc::clone(client);
                    drop(state);
                    (question(Backend::Remote(&client)), Some(client))
                }
                Route::Local | Route::Undecided => {
                    let active_calls = self.active_calls.read();
                    drop(state);
                    let answer = question(Backend::Local(&WorkspaceEngine::new(&self.workspace)));
                    drop(active_calls);
                    (answer, None)
                }
            };
            match (answer, asked) {
                (Ok(answer), _) => return Ok(answer),
                // The leader has other roots by now, and closes its connections soon.
                (Err(BackendError::Engine(error)), Some(client)) if error.kind == EngineErrorKind::Unanswered => {
                    self.time_out(&client);
                }
                (Err(BackendError::Engine(error)), _) => return Err(error),
                (Err(BackendError::Lost(LeaderLost::Disconnected)), Some(client)) => self.disconnect(&client),
                (Err(BackendError::Lost(LeaderLost::TimedOut)), Some(client)) => self.time_out(&client),
                // The engine of this process is never lost.
                (Err(BackendError::Lost(lost)), None) => return Err(EngineError::unanswered(lost.to_string())),
            }
        }
    }

    /// Checks whether another process should answer by now. Called every [`POLL_INTERVAL`].
    pub fn poll(&self) {
        let leader = &self.leader;
        let state = self.state.lock();
        let is_local =
            matches!(state.route, Route::Local) && state.failed.is_none_or(|failed| failed.elapsed() > RETRY_DELAY);
        let Some(roots) = state.roots.clone().filter(|_| is_local && !leader.is_current()) else { return };
        drop(state);
        // Calls that arrive meanwhile are answered locally.
        let connected = self.connect(&roots);
        let mut state = self.state.lock();
        if matches!(state.route, Route::Local) && state.roots.as_ref() == Some(&roots) {
            match connected {
                Ok(client) => {
                    // Keeps new calls out. Waiting for running ones would hold up those that the leader can answer.
                    let Some(active_calls) = self.active_calls.try_write() else { return };
                    leader.stop();
                    self.workspace.close_roots();
                    state.route = Route::Remote(client);
                    drop(active_calls);
                    state.last_logged.clear();
                }
                Err(ShareError::NoLeader) => _ = self.claim(&roots),
                Err(ShareError::Closing { .. }) => {}
                Err(error) => log_once(&mut state, &error),
            }
        }
    }

    /// Saves the visited paths.
    pub fn keep(&self) {
        self.workspace.save_usage();
    }

    /// Lets no new process find this one's engine.
    pub fn withdraw(&self) {
        self.leader.withdraw();
    }

    /// Stops all background work.
    pub fn close(&self) {
        self.leader.stop();
        self.workspace.close();
    }

    /// Returns the state with a decided route.
    fn routed_state(&self) -> MutexGuard<'_, RouterState> {
        let mut state = self.state.lock();
        let requested = self.requested.lock().clone();
        if state.roots != requested {
            // Clients of the earlier roots would be answered from the new ones.
            self.leader.stop();
            *state = RouterState { roots: requested, ..RouterState::default() };
        }
        if let (Route::Undecided, Some(roots)) = (&state.route, state.roots.clone()) {
            self.elect(&mut state, &roots);
        }
        state
    }

    fn elect(&self, state: &mut RouterState, roots: &RequestedRoots) {
        for _ in 0..MAX_ELECTION_ROUNDS {
            match self.connect(roots) {
                Ok(client) => {
                    tracing::info!(pid = client.leader_info().pid, "uses the engine of another process");
                    self.workspace.close_roots();
                    state.route = Route::Remote(client);
                    return;
                }
                // Another process was faster.
                Err(ShareError::NoLeader) if !self.claim(roots) => {}
                Err(ShareError::NoLeader) => break,
                Err(ShareError::Closing { .. }) => thread::sleep(ELECTION_PAUSE),
                Err(error) => {
                    log_once(state, &error);
                    break;
                }
            }
        }
        self.open_roots(roots);
        state.route = Route::Local;
    }

    /// Becomes the leader of these roots. Returns false if another process has just become it.
    fn claim(&self, roots: &RequestedRoots) -> bool {
        let Ok(endpoint) = Endpoint::new(&roots.paths, &self.flags) else { return true };
        // Clients wait for the first answer, and before that the leader must know its roots.
        self.leader.claim(&endpoint, || self.open_roots(roots))
    }

    /// Starts to read the roots, if that has not started.
    fn open_roots(&self, roots: &RequestedRoots) {
        let paths = roots.paths.clone();
        if roots.is_from_user { self.workspace.open(paths) } else { self.workspace.open_from_client(paths) }
    }

    fn connect(&self, roots: &RequestedRoots) -> Result<Arc<EngineClient>, ShareError> {
        if !roots.is_from_user {
            snapshot::refuse_too_wide(&roots.paths)?;
        }
        let endpoint = Endpoint::new(&roots.paths, &self.flags)?;
        let this = Weak::clone(&self.this);
        // All clients of an ended leader notice it at once; the first of them becomes the leader.
        join(
            &endpoint,
            Some(self.leader.runtime()),
            Some(Box::new(move || _ = this.upgrade().map(|this| this.reelect()))),
        )
    }

    /// Handles the end of a connection: if it was the one in use, elects a leader anew.
    fn reelect(&self) {
        let mut state = self.state.lock();
        if let Route::Remote(client) = &state.route
            && client.is_gone()
        {
            state.route = Route::Undecided;
            drop(state);
            drop(self.routed_state());
        }
    }

    /// Stops using a leader that does not answer. It may still accept a new client, so it is not tried again at once.
    fn time_out(&self, unresponsive: &Arc<EngineClient>) {
        let mut state = self.state.lock();
        if matches!(&state.route, Route::Remote(client) if Arc::ptr_eq(client, unresponsive)) {
            tracing::warn!(
                pid = unresponsive.leader_info().pid,
                "the shared engine's leader does not answer: this process uses its own engine"
            );
            state.failed = Some(Stopwatch::start());
            if let Some(roots) = &state.roots {
                self.open_roots(roots);
            }
            state.route = Route::Local;
        }
        drop(state);
        unresponsive.disconnect();
    }

    /// Forgets a leader that is gone.
    fn disconnect(&self, disconnected: &Arc<EngineClient>) {
        let mut state = self.state.lock();
        if matches!(&state.route, Route::Remote(client) if Arc::ptr_eq(client, disconnected)) {
            state.route = Route::Undecided;
        }
    }
}

/// Logs the reason for not using a leader, and delays the next attempt.
fn log_once(state: &mut RouterState, error: &ShareError) {
    state.failed = Some(Stopwatch::start());
    // The user's own setting needs no warning.
    let is_wanted = matches!(error, ShareError::Off);
    let error = error.to_string();
    if state.last_logged != error && !is_wanted {
        tracing::warn!("{error}");
        state.last_logged = error;
    }
}
