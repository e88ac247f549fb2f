//! `Leader`: listens at the endpoint of the shared engine and serves clients.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{AbortHandle, JoinSet};

use super::connection;
use super::endpoint::Endpoint;
use super::engine::RootsEngine;
use super::hello::{Edge, LeaderInfo};
use super::join::find_leader;
use super::share_error::ShareError;
use super::socket::{Listener, listen};
use pathfinder_project::workspace::Workspace;

/// Clients at the same time. An editor and a handful of agents have one each; each is a task.
const MAX_CLIENTS: usize = 64;
/// Questions of all clients that are answered at the same time.
const MAX_BLOCKING_THREADS: usize = 32;
/// Pause after a failed accept: without free file handles the next one would fail at once.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves the clients of this process's engine, at one endpoint at a time.
pub struct Leader {
    /// Has a thread of its own: connections wait neither for the server's work nor for its end.
    runtime: Option<Runtime>,
    handle: Handle,
    edge: Edge,
    workspace: Arc<Workspace>,
    active: Mutex<Option<OpenListener>>,
    /// Last logged reason for not serving, so that each is logged once.
    last_logged: Mutex<String>,
}

/// The listener at one endpoint, with the task that accepts clients.
struct OpenListener {
    endpoint: Endpoint,
    listener: Arc<Listener>,
    task: AbortHandle,
}

impl Drop for OpenListener {
    fn drop(&mut self) {
        // The task drops the listener later, and the process may end before.
        self.listener.withdraw();
        self.task.abort();
    }
}

impl Leader {
    /// Creates a leader that does not listen yet, for clients of this workspace.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(edge: Edge, workspace: Arc<Workspace>) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(MAX_BLOCKING_THREADS)
            .thread_name("shared-engine")
            .enable_all()
            .build()?;
        let handle = runtime.handle().clone();
        let (active, last_logged) = (Mutex::default(), Mutex::default());
        Ok(Self { runtime: Some(runtime), handle, edge, workspace, active, last_logged })
    }

    /// Returns the runtime of connections.
    pub(super) fn runtime(&self) -> &Handle {
        &self.handle
    }

    /// Listens at an endpoint from now on, and at no other. Calls `ready` before the first client is answered.
    ///
    /// Returns false if another process listens and has precedence: for an editor's server another editor's, for an agent's server any.
    /// Must not be called from a task.
    pub fn claim(&self, endpoint: &Endpoint, ready: impl FnOnce()) -> bool {
        let mut active = self.active.lock();
        if active.as_ref().is_some_and(|active| active.endpoint.is_same(endpoint) && active.listener.is_current()) {
            return true;
        }
        *active = None;
        match self.open_listener(endpoint, ready) {
            Ok(opened) => {
                *active = opened;
                self.last_logged.lock().clear();
            }
            // Without a socket this process works alone.
            Err(error) => {
                self.log_once(&error);
                return true;
            }
        }
        active.is_some()
    }

    /// Returns whether new clients still reach this process.
    pub fn is_current(&self) -> bool {
        self.active.lock().as_ref().is_some_and(|active| active.listener.is_current())
    }

    /// Lets no new client find this process; those that are connected are served on.
    pub fn withdraw(&self) {
        if let Some(active) = &*self.active.lock() {
            active.listener.withdraw();
        }
    }

    /// Stops listening and closes all connections.
    pub fn stop(&self) {
        *self.active.lock() = None;
    }

    fn open_listener(&self, endpoint: &Endpoint, ready: impl FnOnce()) -> Result<Option<OpenListener>, ShareError> {
        let replace = match self.edge {
            Edge::Agent => false,
            Edge::Editor => match find_leader(endpoint, Some(&self.handle)) {
                Ok(leader) if leader.edge == Edge::Editor => return Ok(None),
                Ok(_) | Err(ShareError::NoLeader) => true,
                Err(error) => return Err(error),
            },
        };
        let failed = |error: io::Error| ShareError::SocketDirectory {
            directory: endpoint.socket_dir().to_owned(),
            reason: error.to_string(),
        };
        let listener = self.handle.block_on(listen(endpoint, replace)).map_err(failed)?;
        let Some(listener) = listener.map(Arc::new) else { return Ok(None) };
        ready();
        tracing::info!(socket = %endpoint.socket_path().display(), "shares its engine");
        let info = endpoint.leader_info(self.edge);
        let engine = RootsEngine { workspace: Arc::clone(&self.workspace), roots: endpoint.given().to_vec() };
        let task = self.handle.spawn(accept_clients(Arc::clone(&listener), Arc::new(engine), info));
        Ok(Some(OpenListener { endpoint: endpoint.clone(), listener, task: task.abort_handle() }))
    }

    fn log_once(&self, error: &ShareError) {
        let error = error.to_string();
        let mut last_logged = self.last_logged.lock();
        if *last_logged != error {
            tracing::warn!("{error}");
            *last_logged = error;
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Serves all clients until the task is aborted, which closes their connections.
async fn accept_clients(listener: Arc<Listener>, engine: Arc<RootsEngine>, info: LeaderInfo) {
    let mut clients = JoinSet::new();
    let count = Arc::new(AtomicU64::new(0));
    loop {
        while clients.try_join_next().is_some() {}
        let stream = match listener.accept().await {
            Ok(stream) if clients.len() < MAX_CLIENTS => stream,
            Ok(_) => {
                tracing::warn!("refused a client: {MAX_CLIENTS} are connected");
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a client");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        let info = LeaderInfo { clients: count.fetch_add(1, Ordering::Relaxed) + 1, ..info.clone() };
        let counted = CountedClient(Arc::clone(&count));
        let engine = Arc::clone(&engine);
        clients.spawn(async move {
            let _counted = counted;
            connection::serve(stream, engine, info).await;
        });
    }
}

/// A connected client, which counts until this value is dropped.
struct CountedClient(Arc<AtomicU64>);

impl Drop for CountedClient {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
