//! `Leader`: listens at the endpoint of the shared engine and serves clients.

use std::net::Shutdown;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::task::{AbortHandle, JoinSet};

use super::endpoint::Endpoint;
use super::socket::{Incoming, Listener, listen};
use super::{Edge, LeaderInfo, ShareError, Stream, find_leader};

/// Clients at the same time. An editor and a handful of agents have one each; each is two threads.
const MAX_CLIENTS: usize = 64;
/// Pause after a failed accept: without free file handles the next one would fail at once.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves one client until it is gone. Arguments: the connection, and the leader's description of itself.
pub type ClientHandler = Arc<dyn Fn(Stream, LeaderInfo) -> BoxFuture<'static, ()> + Send + Sync>;

/// Serves the clients of this process's engine, at one endpoint at a time.
pub struct Leader {
    runtime: Handle,
    edge: Edge,
    serve: ClientHandler,
    active: Mutex<Option<OpenListener>>,
    /// Last logged reason for not serving, so that each is logged once.
    last_logged: Mutex<String>,
}

/// The listener at one endpoint, with the task that accepts clients.
struct OpenListener {
    endpoint: Endpoint,
    listener: Listener,
    task: AbortHandle,
}

impl Drop for OpenListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Leader {
    /// Creates a leader that does not listen yet. Tasks of `runtime` will serve the clients.
    pub fn new(runtime: Handle, edge: Edge, serve: ClientHandler) -> Self {
        Self { runtime, edge, serve, active: Mutex::default(), last_logged: Mutex::default() }
    }

    /// Listens at an endpoint from now on, and at no other. Calls `ready` before the first client is answered.
    ///
    /// Returns false if another process listens and has precedence: for an editor's server another editor's, for an agent's server any.
    pub fn claim(&self, endpoint: &Endpoint, ready: impl FnOnce()) -> bool {
        let mut active = self.active();
        if active.as_ref().is_some_and(|active| active.endpoint.is_same(endpoint) && active.listener.is_current()) {
            return true;
        }
        *active = None;
        match self.open_listener(endpoint, ready) {
            Ok(opened) => {
                *active = opened;
                self.last_logged().clear();
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
        self.active().as_ref().is_some_and(|active| active.listener.is_current())
    }

    /// Stops listening and closes all connections.
    pub fn stop(&self) {
        *self.active() = None;
    }

    fn open_listener(&self, endpoint: &Endpoint, ready: impl FnOnce()) -> Result<Option<OpenListener>, ShareError> {
        let replace = match self.edge {
            Edge::Agent => false,
            Edge::Editor => match find_leader(endpoint, || ()) {
                Ok(leader) if leader.leader_info().edge == Edge::Editor => return Ok(None),
                Ok(_) | Err(ShareError::NoLeader) => true,
                Err(error) => return Err(error),
            },
        };
        let failed = |error: std::io::Error| ShareError::SocketDirectory {
            directory: endpoint.socket_dir().to_owned(),
            reason: error.to_string(),
        };
        let _inside = self.runtime.enter();
        let Some(listener) = listen(endpoint, replace).map_err(failed)? else { return Ok(None) };
        ready();
        tracing::info!(socket = %endpoint.socket_path().display(), "shares its engine");
        let incoming = listener.incoming().map_err(failed)?;
        let task =
            self.runtime.spawn(accept_clients(incoming, Arc::clone(&self.serve), endpoint.leader_info(self.edge)));
        Ok(Some(OpenListener { endpoint: endpoint.clone(), listener, task: task.abort_handle() }))
    }

    fn log_once(&self, error: &ShareError) {
        let error = error.to_string();
        let mut last_logged = self.last_logged();
        if *last_logged != error {
            tracing::warn!("{error}");
            *last_logged = error;
        }
    }

    fn active(&self) -> MutexGuard<'_, Option<OpenListener>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last_logged(&self) -> MutexGuard<'_, String> {
        self.last_logged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves all clients until the task is aborted, which closes their connections.
async fn accept_clients(incoming: Incoming, serve: ClientHandler, info: LeaderInfo) {
    let mut clients = JoinSet::new();
    let count = Arc::new(AtomicUsize::new(0));
    loop {
        while clients.try_join_next().is_some() {}
        let stream = match incoming.next().await {
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
        let Ok(open) = stream.try_clone() else { continue };
        let info = LeaderInfo { clients: count.fetch_add(1, Ordering::Relaxed) + 1, ..info.clone() };
        let client = ConnectedClient { stream: open, count: Arc::clone(&count) };
        let served = serve(stream, info);
        clients.spawn(async move {
            let _client = client;
            served.await;
        });
    }
}

/// A connected client. Dropping this value closes its connection.
struct ConnectedClient {
    stream: Stream,
    count: Arc<AtomicUsize>,
}

impl Drop for ConnectedClient {
    fn drop(&mut self) {
        _ = self.stream.shutdown(Shutdown::Both);
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}
