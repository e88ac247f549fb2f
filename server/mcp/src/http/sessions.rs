//! `BoundedSessions`: limits the number of the protocol library's sessions.
//!
//! A new session replaces the least recently used one, and sessions that never made a request go first: neither clients that forget
//! their sessions nor floods of `initialize` lock other clients out.
//!
//! A part of the sessions is reserved for those that never made a request. Otherwise a flood would end a new session before its
//! client's next request. A session with an open stream is in use and stays; if all are in use, a new one is refused. The client of
//! an ended session gets 404 and starts a new one, as the protocol says.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures::Stream;
use parking_lot::Mutex;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use thiserror::Error;

use super::limits::{MAX_ABANDONED_REQUESTS, SESSION_IDLE_TIMEOUT, SESSION_INIT_TIMEOUT};

/// Inverse of the part that is reserved for new sessions. With 256 sessions, a flood of 1,000 `initialize` per second leaves each
/// new client 64 ms for its next request.
const FRESH_SHARE: usize = 4;

tokio::task_local! {
    /// True if the request of this task was refused a session: the protocol library has one status for all errors of a session
    /// manager.
    static IS_REFUSED: AtomicBool;
}

/// Runs `handle`. Returns its result, and whether it was refused a session.
pub(super) async fn with_refusal<T>(handle: impl Future<Output = T>) -> (T, bool) {
    let run = async {
        let result = handle.await;
        (result, IS_REFUSED.with(|is_refused| is_refused.load(Ordering::Relaxed)))
    };
    IS_REFUSED.scope(AtomicBool::new(false), run).await
}

/// Failure of a session.
#[derive(Debug, Error)]
pub(super) enum SessionsError {
    /// All sessions are in use.
    #[error("too many sessions are in use")]
    TooMany,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

/// A limited number of sessions.
pub(super) struct BoundedSessions {
    local: Arc<LocalSessionManager>,
    table: Arc<Mutex<SessionTable>>,
}

#[derive(Debug)]
struct SessionTable {
    max: usize,
    entries: BTreeMap<SessionId, SessionEntry>,
    /// Counter of events, a clock that never stands still.
    ticks: u64,
}

#[derive(Debug, Default)]
struct SessionEntry {
    used: u64,
    /// True if the session made any request beside `initialize`.
    is_active: bool,
    open_streams: usize,
    /// Requests with answers that the client did not wait for.
    abandoned: usize,
}

impl BoundedSessions {
    /// Creates a limit of `max` sessions.
    pub(super) fn new(max: usize) -> Self {
        let mut config = SessionConfig::default();
        config.keep_alive = Some(SESSION_IDLE_TIMEOUT);
        config.init_timeout = Some(SESSION_INIT_TIMEOUT);
        Self::with_config(max, config)
    }

    fn with_config(max: usize, config: SessionConfig) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config = config;
        let table = SessionTable { max, entries: BTreeMap::new(), ticks: 0 };
        Self { local: Arc::new(local), table: Arc::new(Mutex::new(table)) }
    }

    /// Ends a session without waiting for it.
    fn end(&self, id: SessionId) {
        let local = Arc::clone(&self.local);
        tokio::spawn(async move {
            if let Err(error) = local.close_session(&id).await {
                tracing::debug!(%error, "the session had already ended");
            }
        });
    }

    /// Records a request of a session. Ends the session if too many of its requests were abandoned.
    fn request(&self, id: &SessionId) -> Result<(), SessionsError> {
        let mut table = self.table.lock();
        let has_abandoned = table.entries.get(id).is_some_and(|entry| entry.abandoned > MAX_ABANDONED_REQUESTS);
        if has_abandoned {
            table.entries.remove(id);
            drop(table);
            self.end(Arc::clone(id));
            return Err(LocalSessionManagerError::SessionNotFound(Arc::clone(id)).into());
        }
        table.touch(id, true);
        Ok(())
    }

    /// Wraps a stream of a session, which counts as in use until the stream is dropped.
    fn count<S>(&self, id: &SessionId, stream: S, is_answer: bool) -> CountedStream<S> {
        if let Some(entry) = self.table.lock().entries.get_mut(id) {
            entry.open_streams += 1;
        }
        CountedStream {
            stream: Box::pin(stream),
            open: OpenStream { id: Arc::clone(id), table: Arc::clone(&self.table), is_awaited: is_answer },
        }
    }
}

impl SessionTable {
    fn touch(&mut self, id: &SessionId, is_request: bool) {
        self.ticks += 1;
        if let Some(entry) = self.entries.get_mut(id) {
            entry.used = self.ticks;
            entry.is_active |= is_request;
        }
    }

    /// Enters a new session. Returns the session that it replaces.
    fn enter(&mut self, id: &SessionId) -> Result<Option<SessionId>, SessionsError> {
        let mut ended = None;
        if self.entries.len() >= self.max {
            let fresh = self.entries.values().filter(|entry| !entry.is_active).count();
            let spares_active = fresh > self.max / FRESH_SHARE;
            let idle = self.entries.iter().filter(|(_, entry)| entry.open_streams == 0);
            let least = idle.min_by_key(|(_, entry)| (entry.is_active == spares_active, entry.used));
            let least = least.map(|(id, _)| Arc::clone(id));
            let least = least.ok_or(SessionsError::TooMany)?;
            self.entries.remove(&least);
            ended = Some(least);
        }
        self.entries.insert(Arc::clone(id), SessionEntry::default());
        self.touch(id, false);
        Ok(ended)
    }
}

impl SessionManager for BoundedSessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.local.create_session().await?;
        let entered = self.table.lock().enter(&id);
        match entered {
            Ok(ended) => {
                if let Some(ended) = ended {
                    self.end(ended);
                }
                Ok((id, transport))
            }
            Err(error) => {
                _ = IS_REFUSED.try_with(|is_refused| is_refused.store(true, Ordering::Relaxed));
                self.end(id);
                Err(error)
            }
        }
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.table.lock().entries.contains_key(id) && self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.table.lock().entries.remove(id);
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.request(id)?;
        let stream = self.local.create_stream(id, message).await?;
        Ok(self.count(id, stream, true))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.table.lock().touch(id, false);
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.request(id)?;
        let stream = self.local.create_standalone_stream(id).await?;
        Ok(self.count(id, stream, false))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.request(id)?;
        let stream = self.local.resume(id, last_event_id).await?;
        Ok(self.count(id, stream, false))
    }
}

/// A stream that keeps its session in use.
struct CountedStream<S> {
    stream: Pin<Box<S>>,
    open: OpenStream,
}

/// Counts a stream as open until it is dropped.
struct OpenStream {
    id: SessionId,
    table: Arc<Mutex<SessionTable>>,
    /// True while the stream's answer is still pending.
    is_awaited: bool,
}

impl<S: Stream> Stream for CountedStream<S> {
    type Item = S::Item;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let polled = this.stream.as_mut().poll_next(context);
        if matches!(polled, Poll::Ready(None)) {
            this.open.is_awaited = false;
        }
        polled
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut table = self.table.lock();
        table.touch(&self.id, false);
        if let Some(entry) = table.entries.get_mut(&self.id) {
            entry.open_streams = entry.open_streams.saturating_sub(1);
            entry.abandoned += usize::from(self.is_awaited);
        }
    }
}

#[cfg(test)]
mod tests;
