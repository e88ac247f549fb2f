//! The roots that a client offers, where it does.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::{Peer, RoleServer};

/// How long the client may take to name its roots. It did offer them; if it does not answer, the default root will do until it says
/// that they are others. Less, and one that is busy is served from the wrong root; more, and the first call of one that never
/// answers is given up, as it may wait twice as long.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The directories that the client names, as far as they are here; `None` if it does not answer.
#[expect(
    deprecated,
    reason = "clients before 2026-07-28 offer roots, and some have no other way to say where they work"
)]
pub(super) async fn ask(peer: &Peer<RoleServer>) -> Option<Vec<PathBuf>> {
    match tokio::time::timeout(PATIENCE, peer.list_roots()).await {
        Ok(Ok(listed)) => Some(listed.roots.iter().filter_map(|root| directory(&root.uri)).collect()),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the client offers roots, but does not name them");
            None
        }
        Err(_) => {
            tracing::warn!("the client offers roots, but did not name them in time");
            None
        }
    }
}

/// The directory that a `file:` URI names, if it is one. What cannot be listed must not spoil the other roots.
fn directory(uri: &str) -> Option<PathBuf> {
    let path = crate::uri::path(uri).filter(|path| path.read_dir().is_ok());
    if path.is_none() {
        tracing::warn!(uri, "the client names a root that is no directory here, or cannot be listed");
    }
    path
}
