//! The main loop: owns the state, delivers the client's messages, and applies the updates that calls and other threads send.
//! `lsp::run` calls [`MainLoop::run`].
//!
//! A message is delivered before the next one is read, and its call changes documents before it first waits. So documents
//! are always the same as in the client.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures::FutureExt as _;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};

use super::adapter::LspConnection;
use super::adapter::json_rpc::{self, IncomingMessage, InvalidMessage};
use super::folder_aliases::FolderAliases;
use super::handlers::text_sync;
use super::outgoing::ResponseSender;
use super::server_state::{ServerState, Update};
use super::stdio::InputFrame;
use super::surrogates::replace_lone;

/// Messages in progress at most. Beyond that the loop reads nothing more, because the client does not read its answers.
const MAX_CONCURRENT_MESSAGES: usize = 512;

/// The method of edits. None may be lost: each one applies to the text that the one before it made.
const DID_CHANGE: &str = "textDocument/didChange";

/// The way in which the client ended the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitKind {
    /// `exit` after `shutdown`, or the client closed its side.
    Clean,
    /// `exit` without `shutdown`.
    Abrupt,
}

/// The main loop of one client.
pub(super) struct MainLoop {
    state: ServerState,
    updates: UnboundedReceiver<Update>,
    connection: LspConnection,
    responses: ResponseSender,
    permits: Arc<Semaphore>,
}

impl MainLoop {
    /// Creates the loop that applies `updates`, and sends `responses`.
    pub(super) fn new(
        state: ServerState,
        updates: UnboundedReceiver<Update>,
        connection: LspConnection,
        responses: ResponseSender,
    ) -> Self {
        Self { state, updates, connection, responses, permits: Arc::new(Semaphore::new(MAX_CONCURRENT_MESSAGES)) }
    }

    /// Handles messages until the client disconnects or sends `exit`.
    pub(super) async fn run(mut self, mut incoming: Receiver<InputFrame>) -> ExitKind {
        let mut has_shut_down = false;
        loop {
            let Some(frame) = self.wait(incoming.recv()).await else { return ExitKind::Clean };
            let request = match self.decode(frame) {
                Ok(IncomingMessage::Request(request)) => request,
                Ok(IncomingMessage::Response(response)) => {
                    self.connection.answer(response).await;
                    continue;
                }
                Err(response) => {
                    self.write(response).await;
                    continue;
                }
            };
            match request.method() {
                "exit" => return if has_shut_down { ExitKind::Clean } else { ExitKind::Abrupt },
                "shutdown" => has_shut_down = true,
                // The protocol allows nothing else before this answer, and the service cannot handle another request
                // meanwhile.
                "initialize" => {
                    let (capabilities, request) = json_rpc::take_capabilities(request);
                    self.state.updates.send(|state: &mut ServerState| state.set_capabilities(capabilities));
                    let response = match self.connection.deliver(request).await {
                        Ok(response) => response,
                        Err(response) => self.wait(response).await,
                    };
                    self.write(response).await;
                    self.responses.initialized().await;
                    continue;
                }
                _ => {}
            }
            let Ok(permit) = self.wait(Arc::clone(&self.permits).acquire_owned()).await else { return ExitKind::Clean };
            let response = match self.connection.deliver(request).await {
                Ok(None) => continue,
                Ok(response) => std::future::ready(response).boxed(),
                Err(response) => response,
            };
            let responses = self.responses.clone();
            tokio::spawn(async move {
                if let Some(response) = response.await {
                    responses.send(response).await;
                }
                drop(permit);
            });
        }
    }

    /// Waits for a future, and applies updates meanwhile.
    async fn wait<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                result = &mut work => return result,
                Some(update) = self.updates.recv() => {
                    if catch_unwind(AssertUnwindSafe(|| update(&mut self.state))).is_err() {
                        tracing::error!("an update of the state panicked");
                    }
                }
            }
        }
    }

    /// Writes a response that is known already.
    async fn write(&mut self, response: Option<impl Serialize + Send + Sync>) {
        if let Some(response) = response {
            let responses = self.responses.clone();
            self.wait(responses.send(response)).await;
        }
    }

    /// Decodes a message. Marks documents as out of sync if a change of theirs is lost.
    ///
    /// # Errors
    /// If the message cannot be decoded; with an error response, if the message expects one.
    fn decode(&mut self, frame: InputFrame) -> Result<IncomingMessage, Option<InvalidMessage>> {
        let updates = self.state.updates.clone();
        let mark_all_out_of_sync = |reason: String| {
            updates.send(move |state| text_sync::mark_all_out_of_sync(state, &reason));
        };
        let mut body = match frame {
            InputFrame::Body(body) => body,
            InputFrame::Invalid { message, is_lost } => {
                tracing::warn!(message, "invalid message");
                if is_lost {
                    mark_all_out_of_sync(message.clone());
                }
                return Err(Some(json_rpc::parse_error(message)));
            }
        };
        replace_lone(&mut body);
        let mut aliases = FolderAliases::clone(&self.state.folder_aliases);
        let decoded = json_rpc::decode(&body, &mut aliases);
        if aliases != *self.state.folder_aliases {
            self.state.modify(|data| data.folder_aliases = Arc::new(aliases));
        }
        let decoded = decoded.map_err(|response| {
            if memchr::memmem::find(&body, DID_CHANGE.as_bytes()).is_some() {
                mark_all_out_of_sync(response.error().map(|error| error.message.to_string()).unwrap_or_default());
            }
            Some(response)
        })?;
        if let IncomingMessage::Request(request) = &decoded
            && request.method() == DID_CHANGE
            && let Err(lost) = text_sync::check_change(request.params().unwrap_or(&Value::Null))
        {
            updates.send(move |state| text_sync::mark_lost_change(state, &lost));
            return Err(None);
        }
        Ok(decoded)
    }
}
