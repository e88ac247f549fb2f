//! The shared engine: one engine for all processes of a user with the same roots.
//!
//! The process that has the engine is the *leader*: an editor's server, or an agent's server while there is no editor. It listens at
//! a socket that is named after the roots and the cache directory, and serves MCP there. Later processes are its *clients*: they hold
//! no tree and send their questions to the leader. When a leader ends, one of its clients becomes the next leader.
//!
//! A language server always has an engine, because it does more with it than answer. It therefore takes the socket, and an agent's
//! server that was the leader becomes a client within two seconds. There is no daemon: each process ends with the program that
//! started it.
//!
//! Answers must not depend on sharing. A process becomes a client only if the leader has the same version, roots and explicitly given
//! settings, and it tells the leader its current directory. Several roots are shared only if they are given alike and in the same
//! order, since answers name them. Commands get answers without visited paths; `--explain` and several roots are answered locally.
//!
//! Anything odd at the socket (another file, another program, silence, half a message) means that the engine is not shared, with a
//! line in the log and in `doctor`.

mod client;
mod endpoint;
mod leader;
pub mod methods;
pub mod parent;
mod socket;
pub mod suggestion;
pub mod writer;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use client::{ClientError, EngineClient, RpcError};
pub use endpoint::Endpoint;
pub use leader::{ClientHandler, Leader};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::SnapshotError;
pub use socket::Stream;

/// A client's first request. Its parameters are [`ClientHello`], its result is [`LeaderInfo`].
pub const ENGINE: &str = "pathfinder/engine";

/// Kind of a server that has an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// A language server: always has an engine, so that others are its clients.
    Editor,
    /// An MCP server: hands the socket over when a language server starts.
    Agent,
}

/// A leader's description of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeaderInfo {
    pub version: String,
    pub edge: Edge,
    pub pid: u32,
    /// Canonical paths, as text.
    pub roots: Vec<String>,
    /// Names and values.
    pub settings: Vec<(String, String)>,
    /// Number of clients, including the one that asks.
    #[serde(rename = "guests")]
    pub clients: usize,
}

/// A client's description of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClientHello {
    pub directory: PathBuf,
}

/// Reason for not using the engine of another process.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// No process serves these roots: the usual reason.
    #[error("no other process serves these roots")]
    NoLeader,
    /// The user has turned sharing off.
    #[error("the engine is not shared: share = off")]
    Off,
    /// The roots or settings cannot be used; opening them reports the error.
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    /// No directory for a socket is private to this user.
    #[error("{}: {reason}; the engine is not shared between processes", directory.display())]
    SocketDirectory { directory: PathBuf, reason: String },
    /// The socket belongs to something else, or does not answer.
    #[error("{}: {reason}; its engine is not used", socket.display())]
    Foreign { socket: PathBuf, reason: String },
    /// The connection was closed at once, by a leader that ends or by another program.
    #[error("{}: the process there closes the connection; its engine is not used", socket.display())]
    Closing { socket: PathBuf },
    /// The leader has another version, which may answer differently.
    #[error("process {pid} serves these roots with another version ({version}): its engine is not used")]
    Version { pid: u32, version: String },
    /// The leader has another value for a setting, and may answer differently.
    #[error(
        "process {pid} serves these roots with {name} = {theirs}, and this one was started with {own}: its engine is not used"
    )]
    Setting { pid: u32, name: String, theirs: String, own: String },
}

/// Becomes a client of the leader of these roots. Another thread calls `on_end` once when the leader is gone.
///
/// # Errors
/// If there is no leader, or it could answer differently.
pub fn join(endpoint: &Endpoint, on_end: impl FnOnce() + Send + 'static) -> Result<Arc<EngineClient>, ShareError> {
    let client = find_leader(endpoint, on_end)?;
    match endpoint.find_mismatch(client.leader_info()) {
        Some(error) => Err(error),
        None => Ok(client),
    }
}

/// Becomes a client for a single question; `None` if there is no suitable leader.
pub fn join_once(roots: &[PathBuf], flags: &Overrides) -> Option<Arc<EngineClient>> {
    let joined = Endpoint::new(roots, flags).and_then(|endpoint| join(&endpoint, || ()));
    joined.inspect_err(|error| tracing::debug!(%error, "uses no shared engine")).ok()
}

/// Connects to the leader of these roots, whether or not it could answer differently.
///
/// # Errors
/// If no leader answers.
pub fn find_leader(
    endpoint: &Endpoint,
    on_end: impl FnOnce() + Send + 'static,
) -> Result<Arc<EngineClient>, ShareError> {
    let foreign = |reason: String| ShareError::Foreign { socket: endpoint.socket_path(), reason };
    let stream = socket::connect(endpoint).map_err(|error| foreign(error.to_string()))?.ok_or(ShareError::NoLeader)?;
    EngineClient::connect(stream, &endpoint.directory(), on_end).map_err(|error| match error.kind() {
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::NotConnected => {
            ShareError::Closing { socket: endpoint.socket_path() }
        }
        _ => foreign(error.to_string()),
    })
}
