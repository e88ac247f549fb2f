//! `EngineClient`: a connection to the shared engine's leader that sends questions, several at once.
//!
//! A task reads replies and passes each to its question. Callers write their questions and block until the reply is there. While a
//! question waits, a ping tells a busy leader from one that is stopped or hangs: a leader that does not answer it counts as
//! gone.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, split};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::frame::{self, MAX_HELLO_BYTES, MAX_MESSAGE_BYTES};
use super::hello::{ClientHello, LeaderHello, LeaderInfo};
use super::question::{EngineError, EngineReply, EngineRequest};

/// Time for a leader to answer the greeting or a ping, or to read a message. All are immediate, but the machine may be busy.
const LEADER_TIMEOUT: Duration = Duration::from_secs(3);
/// Time without an answer until a ping is sent.
const PING_INTERVAL: Duration = Duration::from_secs(2);

/// A client's message. The number is that of the reply.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ClientFrame {
    /// Asks whether the leader is alive.
    Ping(u64),
    Ask(u64, EngineRequest),
}

/// A leader's message, with the number of the client's message.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum LeaderFrame {
    Pong(u64),
    Reply(u64, EngineReply),
}

/// A connection to the leader. Dropping it disconnects.
pub struct EngineClient {
    out: tokio::sync::Mutex<Box<dyn AsyncWrite + Send + Unpin>>,
    pending: Arc<Mutex<PendingReplies>>,
    next: AtomicU64,
    leader: LeaderInfo,
    task: AbortHandle,
    runtime: ClientRuntime,
}

/// Channels of the questions that wait, by number; `None` after the connection has ended.
#[derive(Debug)]
struct PendingReplies(Option<BTreeMap<u64, oneshot::Sender<Option<EngineReply>>>>);

/// Called once when a leader is gone.
pub(super) type EndCallback = Box<dyn FnOnce() + Send>;

/// Runtime of a connection's task.
#[derive(Debug)]
pub(super) enum ClientRuntime {
    /// A server's, which runs all the time.
    Shared(Handle),
    /// A command's own, which runs while a question waits.
    Own(Box<Runtime>),
}

/// Reason for a question without a reply: another process can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeaderLost {
    /// The leader is gone.
    #[error("the shared engine's leader is gone")]
    Disconnected,
    /// The leader is there but does not answer.
    #[error("the shared engine's leader does not answer")]
    TimedOut,
}

impl ClientRuntime {
    /// Returns a server's runtime, or a new one without threads.
    ///
    /// # Errors
    /// If the system gives no handle for it.
    pub(super) fn new(server: Option<&Handle>) -> io::Result<Self> {
        match server {
            Some(handle) => Ok(Self::Shared(handle.clone())),
            None => Ok(Self::Own(Box::new(Builder::new_current_thread().enable_all().build()?))),
        }
    }

    /// Runs a future to its end. Must not be called from a task.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        match self {
            Self::Shared(handle) => handle.block_on(future),
            Self::Own(runtime) => runtime.block_on(future),
        }
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        match self {
            Self::Shared(handle) => handle.spawn(task).abort_handle(),
            Self::Own(runtime) => runtime.spawn(task).abort_handle(),
        }
    }
}

impl EngineClient {
    /// Exchanges greetings, which tells the leader this process's directory. A thread calls `on_end` once when the leader is
    /// gone, but not after [`disconnect`](Self::disconnect).
    ///
    /// # Errors
    /// If no leader answers in time.
    pub(super) fn connect(
        stream: impl AsyncRead + AsyncWrite + Send + 'static,
        runtime: ClientRuntime,
        directory: &Path,
        on_end: Option<EndCallback>,
    ) -> io::Result<Self> {
        let (reader, mut writer) = split(stream);
        let mut reader = BufReader::new(reader);
        let greeting = async {
            frame::write(&mut writer, &ClientHello::new(directory)).await?;
            let hello: Option<LeaderHello> = frame::read(&mut reader, MAX_HELLO_BYTES).await?;
            hello.ok_or(ErrorKind::ConnectionReset)?.into_info()
        };
        let silent = |_| io::Error::new(ErrorKind::TimedOut, "it does not answer");
        let leader = runtime.block_on(async { timeout(LEADER_TIMEOUT, greeting).await.map_err(silent)? });
        let leader = leader.map_err(|error| match error.kind() {
            // A leader that ends, or another program that has read enough.
            ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe => ErrorKind::ConnectionReset.into(),
            _ => error,
        })?;
        let pending = Arc::new(Mutex::new(PendingReplies(Some(BTreeMap::new()))));
        let end = ConnectionEnd(Arc::clone(&pending));
        let replies = Arc::clone(&pending);
        let task = runtime.spawn(async move {
            let end = end;
            match read_replies(reader, &replies).await {
                Ok(()) => tracing::info!("the leader is gone"),
                // It sent what cannot be read. Else its process has ended.
                Err(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::Other) => {
                    tracing::warn!(%error, "the leader is gone");
                }
                Err(error) => tracing::info!(%error, "the leader is gone"),
            }
            drop(end);
            if let Some(on_end) = on_end {
                // It may block, which a task must not.
                thread::spawn(on_end);
            }
        });
        let out = tokio::sync::Mutex::new(Box::new(writer) as Box<dyn AsyncWrite + Send + Unpin>);
        Ok(Self { out, pending, next: AtomicU64::new(0), leader, task, runtime })
    }

    /// Returns the leader's description of itself, from its greeting.
    pub fn leader_info(&self) -> &LeaderInfo {
        &self.leader
    }

    /// Sends a question and blocks as long as the leader is alive. Must not be called from a task.
    ///
    /// # Errors
    /// If the leader is gone.
    pub(super) fn ask(&self, question: EngineRequest) -> Result<EngineReply, LeaderLost> {
        self.runtime.block_on(async {
            let number = self.next_number();
            let message = match frame::encode(&ClientFrame::Ask(number, question)) {
                Ok(message) => message,
                Err(error) => {
                    let message = format!("the question cannot be sent to the shared engine: {error}");
                    return Ok(EngineReply::Failed(EngineError::unanswered(message)));
                }
            };
            let mut reply = self.send(number, message).await?;
            loop {
                match timeout(PING_INTERVAL, &mut reply).await {
                    Ok(Ok(Some(reply))) => return Ok(reply),
                    Ok(_) => return Err(LeaderLost::Disconnected),
                    Err(_) => self.ping().await?,
                }
            }
        })
    }

    /// Returns whether the connection has ended.
    pub(super) fn is_gone(&self) -> bool {
        self.pending.lock().0.is_none()
    }

    /// Ends the connection, which closes when the last user drops it.
    pub(super) fn disconnect(&self) {
        // Waiting questions see their channels close.
        self.pending.lock().0 = None;
        self.task.abort();
    }

    async fn ping(&self) -> Result<(), LeaderLost> {
        let number = self.next_number();
        let message = frame::encode(&ClientFrame::Ping(number)).map_err(|_| LeaderLost::Disconnected)?;
        let pong = async { self.send(number, message).await?.await.map_err(|_| LeaderLost::Disconnected) };
        timeout(LEADER_TIMEOUT, pong).await.map_err(|_| LeaderLost::TimedOut)?.map(drop)
    }

    async fn send(&self, number: u64, message: Vec<u8>) -> Result<oneshot::Receiver<Option<EngineReply>>, LeaderLost> {
        let (sender, receiver) = oneshot::channel();
        match &mut self.pending.lock().0 {
            Some(pending) => _ = pending.insert(number, sender),
            None => return Err(LeaderLost::Disconnected),
        }
        let mut out = self.out.lock().await;
        match timeout(LEADER_TIMEOUT, out.write_all(&message)).await.map_err(io::Error::from).flatten() {
            Ok(()) => Ok(receiver),
            // A part of the message may have been written, so nothing can follow it.
            Err(error) => {
                tracing::info!(%error, "the leader is gone");
                self.disconnect();
                Err(LeaderLost::Disconnected)
            }
        }
    }

    fn next_number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

impl Drop for EngineClient {
    fn drop(&mut self) {
        self.disconnect();
    }
}

/// Closes the channels of all waiting questions when the connection's task ends or is aborted.
struct ConnectionEnd(Arc<Mutex<PendingReplies>>);

impl Drop for ConnectionEnd {
    fn drop(&mut self) {
        self.0.lock().0 = None;
    }
}

/// Passes each reply to its question, until the connection ends.
async fn read_replies(mut from: impl AsyncRead + Unpin, pending: &Mutex<PendingReplies>) -> io::Result<()> {
    while let Some(message) = frame::read(&mut from, MAX_MESSAGE_BYTES).await? {
        let (number, reply) = match message {
            LeaderFrame::Pong(number) => (number, None),
            LeaderFrame::Reply(number, reply) if reply.is_consistent() => (number, Some(reply)),
            LeaderFrame::Reply(..) => return Err(io::Error::other("it sends a reply with an unknown root")),
        };
        let sender = pending.lock().0.as_mut().and_then(|pending| pending.remove(&number));
        if let Some(sender) = sender {
            // The question may have given up.
            _ = sender.send(reply);
        }
    }
    Ok(())
}
