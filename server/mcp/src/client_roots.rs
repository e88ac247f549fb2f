//! Requests the roots that an MCP client offers. `McpServer` calls it.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::{Peer, RoleServer};

use pathfinder_vfs::paths;

/// Time limit for the client's list of roots. Without an answer the default root serves until the client reports a change.
///
/// A shorter limit would serve busy clients from the wrong root. A longer one would exceed the client's timeout for its first
/// call, which may wait twice as long.
pub(super) const ROOTS_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the client's roots that are directories on this machine; `None` if the client does not answer.
#[expect(
    deprecated,
    reason = "clients before 2026-07-28 offer roots, and some have no other way to say where they work"
)]
pub(super) async fn request(peer: &Peer<RoleServer>) -> Option<Vec<PathBuf>> {
    match tokio::time::timeout(ROOTS_TIMEOUT, peer.list_roots()).await {
        Ok(Ok(listed)) => Some(listed.roots.iter().filter_map(|root| directory(&root.uri)).collect()),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the client offers roots, but answers the request for them with an error");
            None
        }
        Err(_) => {
            tracing::warn!("the client offers roots, but did not name them in time");
            None
        }
    }
}

/// Returns the directory of a `file:` URI. An unreadable directory is dropped, so that the other roots can be used.
fn directory(uri: &str) -> Option<PathBuf> {
    let path = pathfinder_protocol::uri::to_path(uri).filter(|path| paths::is_readable_directory(path));
    if path.is_none() {
        tracing::warn!(uri, "the client names a root that cannot be read as a directory");
    }
    path
}
