//! `Peer`: who has the engine, as a guest sees it: MCP's requests over a socket, several at once.
//!
//! Whoever asks waits in its own thread. One more thread reads, and gives each answer to who waits for it. A host that is stopped, or
//! that hangs, is told from one that has much to do by a question that takes no time: what does not answer that is gone.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{About, ENGINE, RemoteClient, Stream};

/// How long a host may take to say who it is. It does nothing else for that, but the machine may be busy.
const GREETING: Duration = Duration::from_secs(3);
/// After so long without an answer it is asked whether it is still there.
const PULSE: Duration = Duration::from_secs(2);
/// Longer answers are none of ours: a file is read in portions, and the largest resource has a megabyte, as base64.
const LINE_MAX: u64 = 16 << 20;
/// The revision of the protocol that is spoken: the last with a beginning, in which both say who they are.
const REVISION: &str = "2025-11-25";

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Peer {
    out: Mutex<Stream>,
    waiting: Arc<Mutex<Waiting>>,
    next: AtomicU64,
    about: About,
}

/// Who waits for an answer, by the number of the request; `None` when no more will come.
#[derive(Debug)]
struct Waiting(Option<BTreeMap<u64, SyncSender<Reply>>>);

/// What came for a request.
#[derive(Debug, Deserialize)]
struct Reply {
    id: Option<u64>,
    result: Option<Box<RawValue>>,
    error: Option<Refusal>,
}

/// Why a host has no result.
#[derive(Debug, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: i32,
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) data: Option<Value>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PeerError {
    /// The host is gone: somebody else can be asked the same.
    #[error("the process that has the engine is gone")]
    Gone,
    /// The host does not answer any more, though it is there.
    #[error("the process that has the engine does not answer")]
    Hung,
    /// The host has answered that it cannot.
    #[error("{}", .0.message)]
    Refused(Refusal),
}

#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: &'a P,
}

impl Peer {
    /// Finds out who answers there, and says in which directory this process is. `ended` is called once when the host is gone.
    ///
    /// # Errors
    /// When whoever answers is no host, or does not answer in time.
    pub(super) fn greet(
        stream: Stream,
        directory: &Path,
        ended: impl FnOnce() + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let waiting = Arc::new(Mutex::new(Waiting(Some(BTreeMap::new()))));
        let mut peer = Self {
            out: Mutex::new(stream.try_clone()?),
            waiting: Arc::clone(&waiting),
            next: AtomicU64::new(0),
            about: nobody(),
        };
        // A host that does not read must not stop who writes to it.
        stream.set_write_timeout(Some(GREETING))?;
        thread::Builder::new().name("peer".to_owned()).spawn(move || {
            read(&stream, &waiting);
            _ = stream.shutdown(Shutdown::Both);
            // Who waits sees its channel close.
            waiting.lock().unwrap_or_else(PoisonError::into_inner).0 = None;
            ended();
        })?;
        let met = peer.meet(directory);
        match met {
            Ok(about) => {
                peer.about = about;
                Ok(Arc::new(peer))
            }
            Err(error) => {
                peer.leave();
                Err(error)
            }
        }
    }

    fn meet(&self, directory: &Path) -> io::Result<About> {
        let own = json!({"name": "pathfinder", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": own});
        let said: Value = self.at_once("initialize", &hello)?;
        if said["serverInfo"]["name"] != "pathfinder" {
            return Err(io::Error::other("what answers there is no pathfinder"));
        }
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        self.at_once(ENGINE, &RemoteClient { directory: directory.to_owned() })
    }

    fn at_once<R: for<'de> Deserialize<'de>>(&self, method: &str, params: &impl Serialize) -> io::Result<R> {
        let reply = self.send(method, params)?;
        let reply = reply.recv_timeout(GREETING).map_err(|error| match error {
            RecvTimeoutError::Timeout => io::Error::new(io::ErrorKind::TimedOut, "it does not answer"),
            RecvTimeoutError::Disconnected => io::ErrorKind::ConnectionReset.into(),
        })?;
        let result = reply.result.ok_or_else(|| io::Error::other("it answers what no pathfinder does"))?;
        Ok(serde_json::from_str(result.get())?)
    }

    /// What the host said of itself in the beginning.
    pub(crate) fn about(&self) -> &About {
        &self.about
    }

    /// Asks, and waits as long as the host is alive.
    ///
    /// # Errors
    /// When the host is gone, or refuses.
    pub(crate) fn ask(&self, method: &str, params: &impl Serialize) -> Result<Box<RawValue>, PeerError> {
        let answer = self.send(method, params).map_err(|error| self.gone(&error))?;
        loop {
            match answer.recv_timeout(PULSE) {
                Ok(Reply { result: Some(result), .. }) => return Ok(result),
                Ok(Reply { error: Some(refusal), .. }) => return Err(PeerError::Refused(refusal)),
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return Err(PeerError::Gone),
                Err(RecvTimeoutError::Timeout) => {
                    self.at_once::<Value>("ping", &json!({})).map_err(|error| match error.kind() {
                        io::ErrorKind::TimedOut => PeerError::Hung,
                        _ => self.gone(&error),
                    })?;
                }
            }
        }
    }

    /// Whether no answer will come any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).0.is_none()
    }

    /// Hangs up.
    pub(crate) fn leave(&self) {
        // The thread that reads ends by that.
        _ = self.out().shutdown(Shutdown::Both);
    }

    fn gone(&self, error: &io::Error) -> PeerError {
        tracing::info!(%error, "the host is gone");
        self.leave();
        PeerError::Gone
    }

    fn send(&self, method: &str, params: &impl Serialize) -> io::Result<Receiver<Reply>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = sync_channel(1);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.0.as_mut().ok_or(io::ErrorKind::NotConnected)?.insert(id, sender);
        drop(waiting);
        self.write(&Request { jsonrpc: "2.0", id, method, params })?;
        Ok(receiver)
    }

    fn write(&self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.out().write_all(&line)
    }

    fn out(&self) -> MutexGuard<'_, Stream> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Gives each answer to who waits for it, until there are no more.
fn read(stream: &Stream, waiting: &Mutex<Waiting>) {
    let mut lines = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        match lines.by_ref().take(LINE_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            // What is not whole, or too long, is nothing that this host could mean.
            Ok(_) if !line.ends_with(b"\n") => return,
            Ok(_) => {}
        }
        // What the host asks or tells on its own is nothing that a guest needs.
        let Ok(reply) = serde_json::from_slice::<Reply>(&line) else { continue };
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = reply.id.and_then(|id| waiting.0.as_mut()?.remove(&id));
        drop(waiting);
        if let Some(sender) = sender {
            // Nobody waits any more, and then nobody minds.
            _ = sender.try_send(reply);
        }
    }
}

fn nobody() -> About {
    About {
        version: String::new(),
        edge: super::Edge::Agent,
        pid: 0,
        roots: Vec::new(),
        settings: Vec::new(),
        guests: 0,
    }
}
