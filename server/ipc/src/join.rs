//! Connects to the leader of some roots.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use pathfinder_project::settings::Overrides;
use tokio::runtime::Handle;

use crate::client::{ClientRuntime, EndCallback, EngineClient};
use crate::endpoint::Endpoint;
use crate::hello::LeaderInfo;
use crate::share_error::ShareError;
use crate::socket;

/// Becomes a client of the leader of these roots. Another thread calls `on_end` once when the leader is gone. A server gives its
/// runtime, and must not call this from a task.
///
/// # Errors
/// If there is no leader, or it could answer differently.
pub(crate) fn join(
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
