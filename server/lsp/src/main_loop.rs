//! The main loop: reads messages, starts their handlers in order, and writes answers and requests. `lsp::run` calls
//! [`run`].
//!
//! The loop of `tower_lsp_server` runs handlers concurrently, so that two of them can change places before they first wait.
//! This loop starts each message before it reads the next one, and a handler changes documents before it first waits. So
//! documents are always the same as in the client.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::{FutureExt as _, SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender};
use tower::Service as _;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp_server::{ClientSocket, LspService};

use super::folder_aliases::FolderAliases;
use super::server::LspServer;
use super::stdio::InputFrame;
use super::surrogates::replace_lone;
use super::uri;

/// Requests in progress at most. Beyond that the loop reads nothing more, because the client does not read its answers.
const MAX_CONCURRENT_REQUESTS: usize = 512;

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

/// Handles messages until the client disconnects or sends `exit`.
pub(super) async fn run(
    mut service: LspService<LspServer>,
    socket: ClientSocket,
    mut incoming: Receiver<InputFrame>,
    out: Sender<Vec<u8>>,
) -> ExitKind {
    let (mut requests, mut responses) = socket.split();
    let aliases = Arc::new(FolderAliases::default());
    let out = MessageWriter { sender: out, aliases: Arc::clone(&aliases) };
    let sending = out.clone();
    let sender = tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            if send(&sending, &request).await.is_none() {
                return;
            }
        }
    });
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT_REQUESTS));
    let mut has_shut_down = false;
    let end = loop {
        let body = match incoming.recv().await {
            None => break ExitKind::Clean,
            Some(InputFrame::Body(body)) => body,
            Some(InputFrame::Invalid { message, is_lost }) => {
                tracing::warn!(message, "invalid message");
                if is_lost {
                    service.inner().mark_all_out_of_sync(&message);
                }
                _ = send(&out, &error_response(Id::Null, ErrorCode::ParseError, message)).await;
                continue;
            }
        };
        let request = match decode_checked(&service, body, &aliases) {
            Ok(IncomingMessage::Request(request)) => request,
            Ok(IncomingMessage::Response(response)) => {
                _ = responses.send(response).await;
                continue;
            }
            Err(response) => {
                if let Some(response) = response {
                    _ = send(&out, &response).await;
                }
                continue;
            }
        };
        match request.method() {
            "exit" => break if has_shut_down { ExitKind::Clean } else { ExitKind::Abrupt },
            "shutdown" => has_shut_down = true,
            _ => {}
        }
        let is_initialize = request.method() == "initialize";
        let request = if is_initialize { take_capabilities(&service, request) } else { request };
        let id = request.id().cloned();
        let method = request.method().to_owned();
        let answer = AssertUnwindSafe(service.call(request)).catch_unwind();
        let mut answer = Box::pin(async move {
            match answer.await {
                // `tower_lsp_server` does not answer unknown requests whose method begins with `$/`.
                Ok(Ok(None)) => {
                    id.map(|id| error_response(id, ErrorCode::MethodNotFound, format!("there is no method {method:?}")))
                }
                Ok(Ok(response)) => response,
                Ok(Err(_)) => None,
                Err(_) => {
                    tracing::error!(method, "a handler panicked");
                    let message =
                        format!("internal error in {method}: this is a defect of pathfinder, please report it");
                    id.map(|id| error_response(id, ErrorCode::InternalError, message))
                }
            }
        });
        // The protocol allows nothing else before this answer, and the service cannot handle another request meanwhile.
        if is_initialize {
            if let Some(response) = answer.await {
                _ = send(&out, &response).await;
            }
            continue;
        }
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { break ExitKind::Clean };
        let polled = futures::poll!(&mut answer);
        let out = out.clone();
        let std::task::Poll::Ready(response) = polled else {
            tokio::spawn(async move {
                if let Some(response) = answer.await {
                    _ = send(&out, &response).await;
                }
                drop(permit);
            });
            continue;
        };
        if let Some(response) = response {
            tokio::spawn(async move {
                _ = send(&out, &response).await;
                drop(permit);
            });
        }
    };
    sender.abort();
    end
}

/// Reads the client capabilities from `initialize`, and removes them: the typed decoder would refuse the whole message for
/// one member of an unexpected shape.
fn take_capabilities(service: &LspService<LspServer>, request: Request) -> Request {
    service.inner().read_capabilities(request.params().unwrap_or(&Value::Null));
    let (method, id, params) = request.into_parts();
    let mut built = Request::build(method);
    if let Some(mut params) = params {
        if let Some(members) = params.as_object_mut() {
            members.insert("capabilities".to_owned(), Value::Object(serde_json::Map::new()));
        }
        built = built.params(params);
    }
    match id {
        Some(id) => built.id(id).finish(),
        None => built.finish(),
    }
}

/// Writes messages to the client.
#[derive(Clone)]
struct MessageWriter {
    sender: Sender<Vec<u8>>,
    aliases: Arc<FolderAliases>,
}

/// Queues a message for the client. `None` if it cannot be encoded or the writer has ended.
async fn send(out: &MessageWriter, message: &(impl serde::Serialize + Sync)) -> Option<()> {
    let body = if out.aliases.is_empty() {
        serde_json::to_vec(message).ok()?
    } else {
        let mut message = serde_json::to_value(message).ok()?;
        out.aliases.to_client(&mut message);
        serde_json::to_vec(&message).ok()?
    };
    out.sender.send(body).await.ok()
}

/// A decoded message from the client.
enum IncomingMessage {
    Request(Request),
    Response(Response),
}

fn error_response(id: Id, code: ErrorCode, message: String) -> Response {
    Response::from_error(id, Error { code, message: message.into(), data: None })
}

/// Decodes a message. Marks documents as out of sync if a change of theirs cannot be decoded.
///
/// # Errors
/// If the message cannot be decoded; with an error response, if the message expects one.
fn decode_checked(
    service: &LspService<LspServer>,
    mut body: Vec<u8>,
    aliases: &FolderAliases,
) -> Result<IncomingMessage, Option<Box<Response>>> {
    replace_lone(&mut body);
    let decoded = decode(&body, aliases).map_err(|response| {
        if memchr::memmem::find(&body, DID_CHANGE.as_bytes()).is_some() {
            let reason = response.error().map(|error| error.message.to_string()).unwrap_or_default();
            service.inner().mark_all_out_of_sync(&reason);
        }
        Some(response)
    })?;
    match &decoded {
        IncomingMessage::Request(request) if request.method() == DID_CHANGE => {
            let params = request.params().unwrap_or(&Value::Null);
            if service.inner().is_change_decodable(params) { Ok(decoded) } else { Err(None) }
        }
        _ => Ok(decoded),
    }
}

fn decode(body: &[u8], aliases: &FolderAliases) -> Result<IncomingMessage, Box<Response>> {
    let mut message: Value = serde_json::from_slice(body).map_err(|error| {
        Box::new(error_response(Id::Null, ErrorCode::ParseError, format!("this is not JSON: {error}")))
    })?;
    let id = message.get("id").cloned().and_then(|id| serde_json::from_value(id).ok()).unwrap_or(Id::Null);
    let invalid = |error: &dyn std::fmt::Display| {
        Box::new(error_response(id.clone(), ErrorCode::InvalidRequest, format!("this is not an LSP message: {error}")))
    };
    if message.get("method").is_some_and(Value::is_string) {
        uri::escape_uris(&mut message);
        aliases.record(message["method"].as_str().unwrap_or_default(), message.get("params"));
        aliases.to_real(&mut message);
        // Some clients leave `jsonrpc` out.
        if let Some(members) = message.as_object_mut() {
            members.entry("jsonrpc").or_insert_with(|| "2.0".into());
            // A request with a null id expects no answer.
            let nothing = [Value::Null, Value::Array(vec![Value::Null])];
            if members.get("params").is_some_and(|params| nothing.contains(params)) {
                members.remove("params");
            }
        }
        return serde_json::from_value(message).map(IncomingMessage::Request).map_err(|error| invalid(&error));
    }
    if message.get("result").is_some() || message.get("error").is_some() {
        return serde_json::from_value(message).map(IncomingMessage::Response).map_err(|error| invalid(&error));
    }
    Err(invalid(&"it has neither a method nor a result"))
}
