//! The shared engine: one engine for all processes of a user with the same roots.
//!
//! The process that has the engine is the *leader*: an editor's server, or an agent's server while there is no editor. It listens at
//! a socket that is named after the roots and the cache directory. Later processes are its *clients*: they hold no tree and send their
//! questions to the leader. When a leader ends, one of its clients becomes the next leader.
//!
//! Each edge asks a [`Backend`], which is this process's engine or the leader's, and encodes the answer in its own format. Two types
//! decide which of the two: [`Router`] for servers, [`CommandEngine`] for commands and hooks. Questions and answers are plain data
//! ([`question`]), sent as length-prefixed messages (`frame`).
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

mod backend;
mod client;
mod command;
mod connection;
mod endpoint;
pub mod engine;
mod frame;
mod hello;
mod leader;
pub mod parent;
pub mod question;
mod router;
mod socket;
pub mod suggestion;
pub mod writer;

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;

pub use backend::{Backend, BackendError};
use client::{ClientRuntime, EndCallback, EngineClient};
pub use command::{CommandEngine, SnapshotEngine};
pub use endpoint::Endpoint;
pub use hello::LeaderInfo;
pub use leader::Leader;
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::SnapshotError;
pub use router::{POLL_INTERVAL, Router};

/// Kind of a server that has an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// A language server: always has an engine, so that others are its clients.
    Editor,
    /// An MCP server: hands the socket over when a language server starts.
    Agent,
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
    SocketDirectory {
        /// Directory of the socket.
        directory: PathBuf,
        /// Reason for people.
        reason: String,
    },
    /// The socket belongs to something else, or does not answer.
    #[error("{}: {reason}; its engine is not used", socket.display())]
    Foreign {
        /// Path of the socket.
        socket: PathBuf,
        /// Reason for people.
        reason: String,
    },
    /// The connection was closed at once, by a leader that ends or by another program.
    #[error("{}: the process there closes the connection; its engine is not used", socket.display())]
    Closing {
        /// Path of the socket.
        socket: PathBuf,
    },
    /// The leader has another version, which may answer differently.
    #[error("process {pid} serves these roots with another version ({version}): its engine is not used")]
    Version {
        /// Process id of the leader.
        pid: u32,
        /// Version of the leader.
        version: String,
    },
    /// The leader was built from other sources, and sends other messages.
    #[error("process {pid} serves these roots with other messages of this version: its engine is not used")]
    Protocol {
        /// Process id of the leader.
        pid: u32,
    },
    /// The leader has another value for a setting, and may answer differently.
    #[error(
        "process {pid} serves these roots with {name} = {theirs}, and this one was started with {own}: its engine is not used"
    )]
    Setting {
        /// Process id of the leader.
        pid: u32,
        /// Name of the setting.
        name: String,
        /// The leader's value.
        theirs: String,
        /// The value of this process.
        own: String,
    },
}

/// Becomes a client of the leader of these roots. Another thread calls `on_end` once when the leader is gone. A server gives its
/// runtime, and must not call this from a task.
///
/// # Errors
/// If there is no leader, or it could answer differently.
fn join(
    endpoint: &Endpoint,
    server: Option<&Handle>,
    on_end: Option<EndCallback>,
) -> Result<Arc<EngineClient>, ShareError> {
    let client = connect(endpoint, server, on_end)?;
    match endpoint.find_mismatch(client.leader_info()) {
        Some(error) => Err(error),
        None => Ok(Arc::new(client)),
    }
}

/// Returns whether another process serves these roots as this process would.
pub fn is_shared(roots: &[PathBuf], flags: &Overrides) -> bool {
    let joined = Endpoint::new(roots, flags).and_then(|endpoint| join(&endpoint, None, None));
    joined.inspect_err(|error| tracing::debug!(%error, "uses no shared engine")).is_ok()
}

/// Returns the description of the leader of these roots, whether or not it could answer differently. A server gives its runtime, and
/// must not call this from a task.
///
/// # Errors
/// If no leader answers.
pub fn find_leader(endpoint: &Endpoint, server: Option<&Handle>) -> Result<LeaderInfo, ShareError> {
    connect(endpoint, server, None).map(|client| client.leader_info().clone())
}

fn connect(
    endpoint: &Endpoint,
    server: Option<&Handle>,
    on_end: Option<EndCallback>,
) -> Result<EngineClient, ShareError> {
    let foreign = |error: io::Error| match error.kind() {
        ErrorKind::ConnectionReset | ErrorKind::NotConnected => ShareError::Closing { socket: endpoint.socket_path() },
        _ => ShareError::Foreign { socket: endpoint.socket_path(), reason: error.to_string() },
    };
    let runtime = ClientRuntime::new(server).map_err(foreign)?;
    let stream = runtime.block_on(socket::connect(endpoint)).map_err(foreign)?.ok_or(ShareError::NoLeader)?;
    EngineClient::connect(stream, runtime, &endpoint.directory(), on_end).map_err(foreign)
}

#[cfg(test)]
mod tests;
