//! Decodes the client's messages, and encodes responses and errors.

use serde_json::Value;
use tower_lsp_server::ExitedError;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::client_capabilities::ClientCapabilities;
use crate::folder_aliases::FolderAliases;
use crate::lsp_error::LspError;
use crate::uri;

/// A message from the client.
pub(crate) enum IncomingMessage {
    Request(Request),
    Response(Response),
}

/// The response to a message that cannot be decoded.
pub(crate) type InvalidMessage = Box<Response>;

impl From<LspError> for Error {
    fn from(error: LspError) -> Self {
        let message = error.to_string();
        let code = match error {
            LspError::InvalidParams(_) => ErrorCode::InvalidParams,
            LspError::InvalidRequest(_) => ErrorCode::InvalidRequest,
            LspError::Internal(_) => ErrorCode::InternalError,
        };
        Self { code, message: message.into(), data: None }
    }
}

/// Returns the response to a message that cannot be read.
pub(crate) fn parse_error(message: String) -> InvalidMessage {
    Box::new(error_response(Id::Null, ErrorCode::ParseError, message))
}

fn error_response(id: Id, code: ErrorCode, message: String) -> Response {
    Response::from_error(id, Error { code, message: message.into(), data: None })
}

/// Returns the response to a message, from the result of its call. An unknown method and a panic get an error.
pub(super) fn response(
    answer: std::thread::Result<Result<Option<Response>, ExitedError>>,
    id: Option<Id>,
    method: &str,
) -> Option<Response> {
    match answer {
        // `tower_lsp_server` does not answer unknown requests whose method begins with `$/`.
        Ok(Ok(None)) => {
            id.map(|id| error_response(id, ErrorCode::MethodNotFound, format!("there is no method {method:?}")))
        }
        Ok(Ok(response)) => response,
        Ok(Err(_)) => None,
        Err(_) => {
            tracing::error!(method, "a handler panicked");
            let message = format!("internal error in {method}: this is a defect of pathfinder, please report it");
            id.map(|id| error_response(id, ErrorCode::InternalError, message))
        }
    }
}

/// Decodes a message. Records the folders that it names in `aliases`, and rewrites its URIs to real paths.
///
/// # Errors
/// The response to a message that cannot be decoded.
pub(crate) fn decode(body: &[u8], aliases: &mut FolderAliases) -> Result<IncomingMessage, InvalidMessage> {
    let mut message: Value =
        serde_json::from_slice(body).map_err(|error| parse_error(format!("this is not JSON: {error}")))?;
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

/// Reads the client capabilities from `initialize`, and removes them: the typed decoder would refuse the whole message for
/// one member of an unexpected shape.
pub(crate) fn take_capabilities(request: Request) -> (ClientCapabilities, Request) {
    let capabilities = ClientCapabilities::new(request.params().unwrap_or(&Value::Null));
    let (method, id, params) = request.into_parts();
    let mut built = Request::build(method);
    if let Some(mut params) = params {
        if let Some(members) = params.as_object_mut() {
            members.insert("capabilities".to_owned(), Value::Object(serde_json::Map::new()));
        }
        built = built.params(params);
    }
    let request = match id {
        Some(id) => built.id(id).finish(),
        None => built.finish(),
    };
    (capabilities, request)
}
