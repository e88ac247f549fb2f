//! `BoundedSessions`: the sessions of the protocol library, so many at most.
//!
//! A new session takes the place of the one that was used least recently, those that never made a request first: clients
//! that forget to end their sessions, and floods of `initialize`, lock no other client out. A part of the sessions is left to
//! those that never made a request: during a flood a new one would otherwise end before its client's next request. A session
//! with an open stream is in use and stays, so that a flood ends no running work; if all are in use, the new one is refused. A
//! client whose session was ended gets 404 and begins a new one, as the protocol says.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use thiserror::Error;

use super::limits::{MAX_ABANDONED_REQUESTS, SESSION_IDLE_TIMEOUT, SESSION_INIT_TIMEOUT};

/// The part of all sessions that new ones have for themselves, one in so many: with 256 sessions a flood of 1,000 `initialize` per
/// second leaves each new client 64 ms for its next request.
const FRESH_SHARE: usize = 4;

tokio::task_local! {
    /// Whether the request that this task handles was refused a session: the protocol library has one status for all
    /// errors of a session manager.
    static IS_REFUSED: AtomicBool;
}

/// Runs `handle`; says beside its result whether it was refused a session.
pub(super) async fn with_refusal<T>(handle: impl Future<Output = T>) -> (T, bool) {
    let run = async {
        let result = handle.await;
        (result, IS_REFUSED.with(|is_refused| is_refused.load(Ordering::Relaxed)))
    };
    IS_REFUSED.scope(AtomicBool::new(false), run).await
}

/// Why a session cannot do something.
#[derive(Debug, Error)]
pub(super) enum SessionsError {
    /// All sessions that may be open are in use.
    #[error("too many sessions are in use")]
    TooMany,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

/// A limited number of sessions.
pub(super) struct BoundedSessions {
    local: Arc<LocalSessionManager>,
    table: Arc<Mutex<Table>>,
}

#[derive(Debug)]
struct Table {
    max: usize,
    entries: BTreeMap<SessionId, Entry>,
    /// Counts events, as a clock that never stands still.
    ticks: u64,
}

#[derive(Debug, Default)]
struct Entry {
    used: u64,
    /// Whether it made any request beside `initialize`.
    is_active: bool,
    open_streams: usize,
    /// Requests whose answers were not waited for.
    abandoned: usize,
}

impl BoundedSessions {
    /// At most so many sessions.
    pub(super) fn new(max: usize) -> Self {
        let mut config = SessionConfig::default();
        config.keep_alive = Some(SESSION_IDLE_TIMEOUT);
        config.init_timeout = Some(SESSION_INIT_TIMEOUT);
        Self::with_config(max, config)
    }

    fn with_config(max: usize, config: SessionConfig) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config = config;
        let table = Table { max, entries: BTreeMap::new(), ticks: 0 };
        Self { local: Arc::new(local), table: Arc::new(Mutex::new(table)) }
    }

    /// Ends a session without waiting for it.
    fn end(&self, id: SessionId) {
        let local = Arc::clone(&self.local);
        tokio::spawn(async move {
            if let Err(error) = local.close_session(&id).await {
                tracing::debug!(%error, "a session that had ended already");
            }
        });
    }

    /// Notes that a session makes a request, which may be one too many: then it is ended.
    fn request(&self, id: &SessionId) -> Result<(), SessionsError> {
        let mut table = lock(&self.table);
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

    /// A stream of a session, which is in use until the stream is gone.
    fn count<S>(&self, id: &SessionId, stream: S, is_answer: bool) -> CountedStream<S> {
        if let Some(entry) = lock(&self.table).entries.get_mut(id) {
            entry.open_streams += 1;
        }
        CountedStream {
            stream: Box::pin(stream),
            open: OpenStream { id: Arc::clone(id), table: Arc::clone(&self.table), is_awaited: is_answer },
        }
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    fn touch(&mut self, id: &SessionId, is_request: bool) {
        self.ticks += 1;
        if let Some(entry) = self.entries.get_mut(id) {
            entry.used = self.ticks;
            entry.is_active |= is_request;
        }
    }

    /// Enters a new session; says which one has to end for it.
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
        self.entries.insert(Arc::clone(id), Entry::default());
        self.touch(id, false);
        Ok(ended)
    }
}

impl SessionManager for BoundedSessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.local.create_session().await?;
        let entered = lock(&self.table).enter(&id);
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
        Ok(lock(&self.table).entries.contains_key(id) && self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        lock(&self.table).entries.remove(id);
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
        lock(&self.table).touch(id, false);
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

/// A stream of a session.
struct CountedStream<S> {
    stream: Pin<Box<S>>,
    open: OpenStream,
}

/// Counts a stream as open until it is dropped.
struct OpenStream {
    id: SessionId,
    table: Arc<Mutex<Table>>,
    /// Whether the stream has an answer that has not come yet.
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
        let mut table = lock(&self.table);
        table.touch(&self.id, false);
        if let Some(entry) = table.entries.get_mut(&self.id) {
            entry.open_streams = entry.open_streams.saturating_sub(1);
            entry.abandoned += usize::from(self.is_awaited);
        }
    }
}

#[cfg(test)]
mod tests;
