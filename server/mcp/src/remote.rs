//! Messages between an MCP server and the shared engine's leader: MCP requests, and a few more methods and `_meta` members.
//!
//! A client forwards its calls with [`call_tool`] and [`forward`]; the leader reads them through [`RemoteClient`]. A client is a whole
//! MCP server except for the trees: it speaks its own client's revision, asks its user and knows its client's roots.
//!
//! Bytes are not piped through, although that would take less code: a new leader would have to repeat the handshake in the client's
//! name while questions to the old one are open.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, CustomResult, ErrorCode, MetaObject, RequestMetaObject};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::elicitation::{ChoiceResponse, PathChoice};
use super::encode::ToolReply;
use super::metrics::{Metrics, MetricsLine};
use pathfinder_ipc::{ClientError, ClientHello, ENGINE, EngineClient, LeaderInfo, RpcError, methods};
use pathfinder_project::workspace::Workspace;

/// Member of a call's `_meta`: the choice of the client's user. Its presence says that the reply should have a choice.
const META_CHOSEN: &str = "pathfinder/chosen";
/// Member of a call's `_meta`: true if the client was started with `--allow-ignored`. The leader's own flag does not count.
const META_ALLOW_IGNORED: &str = "pathfinder/allow_ignored";
/// Member of a result's `_meta`: the options for the user.
const META_CHOICE: &str = "pathfinder/choice";

/// The leader's state of one connected client.
pub(super) struct RemoteClient {
    leader: LeaderInfo,
    /// The client's current directory, from its first request.
    directory: OnceLock<PathBuf>,
}

impl RemoteClient {
    pub(super) fn new(leader: LeaderInfo) -> Arc<Self> {
        Arc::new(Self { leader, directory: OnceLock::new() })
    }

    /// Returns the client's current directory.
    pub(super) fn directory(&self) -> Option<&Path> {
        self.directory.get().map(PathBuf::as_path)
    }

    /// Answers a request of the internal protocol; `None` for any other method.
    pub(super) fn answer(
        &self,
        workspace: &Workspace,
        method: &str,
        params: &Value,
    ) -> Option<Result<CustomResult, ErrorData>> {
        let bad = |message: String| ErrorData::invalid_params(message, None);
        if method == ENGINE {
            let Ok(ClientHello { directory }) = serde_json::from_value(params.clone()) else {
                return Some(Err(bad("directory is missing: give the current directory of the client".to_owned())));
            };
            // Clients send it once, at the beginning.
            _ = self.directory.set(directory);
            return Some(Ok(CustomResult::new(json!(self.leader))));
        }
        let method = methods::find_method(method)?;
        let directory = self.directory().unwrap_or(Path::new(""));
        let answer = method.answer(workspace, directory, &params.to_string()).map_err(bad);
        Some(answer.and_then(|text| {
            let value = serde_json::from_str(text.get());
            value.map(CustomResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
        }))
    }
}

/// Reads the choice of the client's user; `None` if the call does not come from a process of this program.
pub(super) fn choice_from_meta(meta: &RequestMetaObject) -> Option<ChoiceResponse> {
    let chosen = meta.get(META_CHOSEN)?;
    Some(chosen.as_str().map_or(ChoiceResponse::NotAsked, |path| ChoiceResponse::Chosen(path.to_owned())))
}

/// Returns whether the client reads withheld files. Only processes of this program may set this member.
pub(super) fn allows_ignored(meta: &RequestMetaObject) -> bool {
    meta.get(META_ALLOW_IGNORED).and_then(Value::as_bool).unwrap_or_default()
}

/// The choice and the permission that a client sends with a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemoteCallOptions<'a> {
    pub(super) chosen: Option<&'a str>,
    pub(super) allow_ignored: bool,
}

/// Parameters of `resources/read`, as a client forwards them.
#[derive(Debug, Serialize)]
pub(super) struct ReadParams {
    pub(super) uri: String,
    #[serde(rename = "_meta")]
    meta: Value,
}

/// Builds parameters that read this resource with the permission of the client's user.
pub(super) fn read_params(uri: String, allow_ignored: bool) -> ReadParams {
    ReadParams { uri, meta: json!({META_ALLOW_IGNORED: allow_ignored}) }
}

impl ReadParams {
    /// Returns whether the user allows reading withheld files.
    pub(super) fn allows_ignored(&self) -> bool {
        self.meta[META_ALLOW_IGNORED] == true
    }
}

/// Adds the choice for the client's user to a result.
pub(super) fn with_choice(mut result: CallToolResult, choice: Option<PathChoice>) -> CallToolResult {
    if let Some(choice) = choice.and_then(|choice| serde_json::to_value(choice).ok()) {
        let mut meta = MetaObject::default();
        meta.insert(META_CHOICE.to_owned(), choice);
        result.meta = Some(meta);
    }
    result
}

/// Calls a tool of the leader.
///
/// # Errors
/// If the leader is gone, or refuses the call.
pub(super) fn call_tool(
    client: &EngineClient,
    tool: &str,
    arguments: &str,
    options: RemoteCallOptions<'_>,
    metrics: &Metrics,
) -> Result<ToolReply, ClientError> {
    #[derive(Serialize)]
    struct CallToolParams<'a> {
        name: &'a str,
        arguments: &'a RawValue,
        _meta: Value,
    }
    let start = Instant::now();
    // The text was encoded from an object.
    let arguments: &RawValue = serde_json::from_str(arguments).map_err(|_| ClientError::Disconnected)?;
    let meta = json!({META_CHOSEN: options.chosen, META_ALLOW_IGNORED: options.allow_ignored});
    let answer = client.request("tools/call", &CallToolParams { name: tool, arguments, _meta: meta })?;
    let result: CallToolResult = parse_result(&answer)?;
    let mut line = MetricsLine::new(tool);
    let value = result.structured_content.unwrap_or_default();
    for name in ["status", "error_kind"] {
        if let Some(member) = value.get(name) {
            line.set(name, member.clone());
        }
    }
    line.set("host", client.leader_info().pid);
    line.set("elapsed_us", u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX));
    metrics.write(line);
    let choice = result.meta.and_then(|meta| serde_json::from_value(meta.get(META_CHOICE)?.clone()).ok());
    Ok(ToolReply { value, is_error: result.is_error.unwrap_or_default(), choice })
}

/// Forwards another request of the protocol to the leader.
///
/// # Errors
/// If the leader is gone, or refuses the request.
pub(super) fn forward<R: DeserializeOwned>(
    client: &EngineClient,
    method: &str,
    params: &impl Serialize,
) -> Result<R, ClientError> {
    parse_result(&client.request(method, params)?)
}

/// Converts the leader's refusal to the same MCP error.
pub(super) fn to_error_data(refusal: RpcError) -> ErrorData {
    ErrorData::new(ErrorCode(refusal.code), refusal.message, refusal.data)
}

/// Decodes the leader's result. A leader with unknown results counts as gone.
fn parse_result<R: DeserializeOwned>(answer: &RawValue) -> Result<R, ClientError> {
    serde_json::from_str(answer.get()).map_err(|error| {
        tracing::warn!(%error, "cannot decode the leader's answer");
        ClientError::Disconnected
    })
}
