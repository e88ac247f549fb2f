//! `EngineClient`: a connection to the shared engine's leader that sends MCP requests, several at once.
//!
//! Each request waits in its caller's thread; one more thread reads replies and passes each to its request. While a request waits, a
//! `ping` tells a busy leader from one that is stopped or hangs: a leader that does not answer it counts as gone.

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

use super::{ClientHello, ENGINE, LeaderInfo, Stream};

/// Time for a leader to answer the handshake or a `ping`. Both are immediate, but the machine may be busy.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(3);
/// Time without an answer until a `ping` is sent.
const PING_INTERVAL: Duration = Duration::from_secs(2);
/// Longest reply in bytes. Files are read in portions, and the largest resource has one megabyte, as base64.
const MAX_LINE_BYTES: u64 = 16 << 20;
/// Protocol revision of the connection: the last one with an `initialize` handshake.
const PROTOCOL_VERSION: &str = "2025-11-25";

/// A connection to the leader. Dropping it disconnects.
#[derive(Debug)]
pub struct EngineClient {
    out: Mutex<Stream>,
    pending: Arc<Mutex<PendingReplies>>,
    next: AtomicU64,
    leader: LeaderInfo,
}

/// Channels of the requests that wait, by id; `None` after the connection has ended.
#[derive(Debug)]
struct PendingReplies(Option<BTreeMap<u64, SyncSender<RpcResponse>>>);

/// A JSON-RPC response.
#[derive(Debug, Deserialize)]
struct RpcResponse {
    id: Option<u64>,
    result: Option<Box<RawValue>>,
    error: Option<RpcError>,
}

/// A JSON-RPC error.
#[derive(Debug, Deserialize)]
pub struct RpcError {
    pub code: i32,
    pub message: String,
    #[serde(default)]
    pub data: Option<Value>,
}

/// Reason for a failed request.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The leader is gone; another process can answer.
    #[error("the shared engine's leader is gone")]
    Disconnected,
    /// The leader is there but does not answer.
    #[error("the shared engine's leader does not answer")]
    TimedOut,
    /// The leader answered with an error.
    #[error("{}", .0.message)]
    Refused(RpcError),
}

#[derive(Serialize)]
struct RpcRequest<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: &'a P,
}

impl EngineClient {
    /// Performs the handshake, which tells the leader this process's directory. `on_end` is called once when the leader is gone.
    ///
    /// # Errors
    /// If no leader answers in time.
    pub(super) fn connect(
        stream: Stream,
        directory: &Path,
        on_end: impl FnOnce() + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let pending = Arc::new(Mutex::new(PendingReplies(Some(BTreeMap::new()))));
        let mut client = Self {
            out: Mutex::new(stream.try_clone()?),
            pending: Arc::clone(&pending),
            next: AtomicU64::new(0),
            leader: unknown_leader(),
        };
        // A leader that does not read must not block writers.
        stream.set_write_timeout(Some(HANDSHAKE_TIMEOUT))?;
        thread::Builder::new().name("peer".to_owned()).spawn(move || {
            read_replies(&stream, &pending);
            _ = stream.shutdown(Shutdown::Both);
            // Waiting requests see their channels close.
            pending.lock().unwrap_or_else(PoisonError::into_inner).0 = None;
            on_end();
        })?;
        let handshake = client.handshake(directory);
        match handshake {
            Ok(leader) => {
                client.leader = leader;
                Ok(Arc::new(client))
            }
            Err(error) => {
                client.disconnect();
                Err(error)
            }
        }
    }

    fn handshake(&self, directory: &Path) -> io::Result<LeaderInfo> {
        let own = json!({"name": "pathfinder", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": own});
        let reply: Value = self.request_with_timeout("initialize", &hello)?;
        if reply["serverInfo"]["name"] != "pathfinder" {
            return Err(io::Error::other("the server there is not pathfinder"));
        }
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        self.request_with_timeout(ENGINE, &ClientHello { directory: directory.to_owned() })
    }

    fn request_with_timeout<R: for<'de> Deserialize<'de>>(
        &self,
        method: &str,
        params: &impl Serialize,
    ) -> io::Result<R> {
        let reply = self.send(method, params)?;
        let reply = reply.recv_timeout(HANDSHAKE_TIMEOUT).map_err(|error| match error {
            RecvTimeoutError::Timeout => io::Error::new(io::ErrorKind::TimedOut, "it does not answer"),
            RecvTimeoutError::Disconnected => io::ErrorKind::ConnectionReset.into(),
        })?;
        let result = reply.result.ok_or_else(|| io::Error::other("it sent an invalid reply"))?;
        Ok(serde_json::from_str(result.get())?)
    }

    /// Returns the leader's description of itself, from the handshake.
    pub fn leader_info(&self) -> &LeaderInfo {
        &self.leader
    }

    /// Sends a request and waits as long as the leader is alive.
    ///
    /// # Errors
    /// If the leader is gone, or answers with an error.
    pub fn request(&self, method: &str, params: &impl Serialize) -> Result<Box<RawValue>, ClientError> {
        let answer = self.send(method, params).map_err(|error| self.log_disconnect(&error))?;
        loop {
            match answer.recv_timeout(PING_INTERVAL) {
                Ok(RpcResponse { result: Some(result), .. }) => return Ok(result),
                Ok(RpcResponse { error: Some(refusal), .. }) => return Err(ClientError::Refused(refusal)),
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return Err(ClientError::Disconnected),
                Err(RecvTimeoutError::Timeout) => {
                    self.request_with_timeout::<Value>("ping", &json!({})).map_err(|error| match error.kind() {
                        io::ErrorKind::TimedOut => ClientError::TimedOut,
                        _ => self.log_disconnect(&error),
                    })?;
                }
            }
        }
    }

    /// Returns whether the connection has ended.
    pub fn is_gone(&self) -> bool {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).0.is_none()
    }

    /// Closes the connection.
    pub fn disconnect(&self) {
        // This ends the reading thread.
        _ = self.out().shutdown(Shutdown::Both);
    }

    fn log_disconnect(&self, error: &io::Error) -> ClientError {
        tracing::info!(%error, "the leader is gone");
        self.disconnect();
        ClientError::Disconnected
    }

    fn send(&self, method: &str, params: &impl Serialize) -> io::Result<Receiver<RpcResponse>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = sync_channel(1);
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.0.as_mut().ok_or(io::ErrorKind::NotConnected)?.insert(id, sender);
        drop(pending);
        self.write(&RpcRequest { jsonrpc: "2.0", id, method, params })?;
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

impl Drop for EngineClient {
    fn drop(&mut self) {
        self.disconnect();
    }
}

/// Passes each reply to its request, until the connection ends.
fn read_replies(stream: &Stream, pending: &Mutex<PendingReplies>) {
    let mut lines = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        match lines.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            // A leader sends no incomplete or overlong line.
            Ok(_) if !line.ends_with(b"\n") => return,
            Ok(_) => {}
        }
        // A client ignores the leader's own requests and notifications.
        let Ok(reply) = serde_json::from_slice::<RpcResponse>(&line) else { continue };
        let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = reply.id.and_then(|id| pending.0.as_mut()?.remove(&id));
        drop(pending);
        if let Some(sender) = sender {
            // The request may have given up.
            _ = sender.try_send(reply);
        }
    }
}

fn unknown_leader() -> LeaderInfo {
    LeaderInfo {
        version: String::new(),
        edge: super::Edge::Agent,
        pid: 0,
        roots: Vec::new(),
        settings: Vec::new(),
        clients: 0,
    }
}
