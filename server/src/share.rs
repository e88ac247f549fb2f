//! One engine for all processes of a user that ask about the same roots.
//!
//! Who has an engine listens at a socket that is named after the roots, and serves MCP there: an editor's server, or an agent's as
//! long as there is no editor. Who comes later is its *guest*: it has no tree in memory and asks there. A guest whose host is gone
//! becomes the next one, or the guest of who was faster. There is no daemon: each process ends with whoever started it.
//!
//! Answers must be the same as without: a guest takes part only where version, roots and all settings that it was started with are
//! the host's too, and it says in which directory it is.

mod host;
pub(crate) mod methods;
mod peer;
mod place;
mod socket;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::settings::Overrides;
use crate::snapshot::SnapshotError;
pub(crate) use host::{Host, Serve};
pub(crate) use peer::{Peer, PeerError, Refusal};
pub(crate) use place::Place;
pub(crate) use socket::Stream;

/// The request with which a guest begins: where it is; the answer is [`About`].
pub(crate) const ENGINE: &str = "pathfinder/engine";

/// Who has an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Edge {
    /// A language server: it always has one, so that others are its guests.
    Editor,
    /// An MCP server: it gives the socket up when an editor comes.
    Agent,
}

/// What a host says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) version: String,
    pub(crate) edge: Edge,
    pub(crate) pid: u32,
    /// Canonical, for people to read.
    pub(crate) roots: Vec<String>,
    /// Name and value.
    pub(crate) settings: Vec<(String, String)>,
    /// How many guests it has, the one that asks included.
    pub(crate) guests: usize,
}

/// Where a guest is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RemoteClient {
    pub(crate) directory: PathBuf,
}

/// Why the engine of another process is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShareError {
    /// The usual reason.
    #[error("no other process serves these roots")]
    Nobody,
    /// The user does not want it.
    #[error("engines are not shared: share = off")]
    Off,
    /// The roots or settings cannot be used; who opens them says so.
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    /// There is no place for a socket that is this user's alone.
    #[error("{}: {reason}; engines are not shared between processes", directory.display())]
    Place { directory: PathBuf, reason: String },
    /// Something is there that is none of ours, or does not answer.
    #[error("{}: {reason}; its engine is not used", socket.display())]
    Stranger { socket: PathBuf, reason: String },
    /// Who was there hangs up: a host that ends, or something that is none of ours and does the same.
    #[error("{}: who answers there hangs up; its engine is not used", socket.display())]
    Ending { socket: PathBuf },
    /// Another version may answer differently.
    #[error("process {pid} serves these roots with version {version}, which is not this one's: its engine is not used")]
    Version { pid: u32, version: String },
    /// Another setting may, too.
    #[error(
        "process {pid} serves these roots with {name} = {theirs}, and this one was started with {own}: its engine is not used"
    )]
    Setting { pid: u32, name: String, theirs: String, own: String },
}

/// Becomes a guest of who serves these roots. `ended` is called once, from another thread, when the host is gone.
///
/// # Errors
/// When there is nobody, or nobody with whom answers would be the same.
pub(crate) fn join(place: &Place, ended: impl FnOnce() + Send + 'static) -> Result<Arc<Peer>, ShareError> {
    let peer = look(place, ended)?;
    match place.differs(peer.about()) {
        Some(why) => Err(why),
        None => Ok(peer),
    }
}

/// The same for who asks once, and asks the roots itself where there is nobody.
pub(crate) fn join_once(roots: &[PathBuf], flags: &Overrides) -> Option<Arc<Peer>> {
    let joined = Place::of(roots, flags).and_then(|place| join(&place, || ()));
    joined.inspect_err(|why| tracing::debug!(%why, "alone")).ok()
}

/// Who serves these roots, whether or not this process could be its guest.
///
/// # Errors
/// When there is nobody who answers.
pub(crate) fn look(place: &Place, ended: impl FnOnce() + Send + 'static) -> Result<Arc<Peer>, ShareError> {
    let stranger = |reason: String| ShareError::Stranger { socket: place.socket(), reason };
    let stream = socket::connect(place).map_err(|error| stranger(error.to_string()))?.ok_or(ShareError::Nobody)?;
    Peer::greet(stream, &place.directory(), ended).map_err(|error| match error.kind() {
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::NotConnected => {
            ShareError::Ending { socket: place.socket() }
        }
        _ => stranger(error.to_string()),
    })
}
