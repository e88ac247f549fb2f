//! The `pathfinder/…` requests: the counterparts of the CLI commands and MCP tools.

use pathfinder_core::{FindRequest, Request, Status};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::lsp_error::LspError;
use super::super::server_snapshot::ServerSnapshot;
use pathfinder_project::workspace::{WorkspaceAnswer, WorkspaceError};
use pathfinder_protocol::answer::{WireError, encode, kind_of};
use pathfinder_protocol::paths::RootName;
use pathfinder_protocol::request::{Defaults, Fields};
use pathfinder_vfs::clock::Stopwatch;

/// Method names of the requests.
pub(crate) const METHODS: [&str; 4] =
    ["pathfinder/resolve", "pathfinder/find", "pathfinder/roots", "pathfinder/reindex"];

fn internal_error(error: &WorkspaceError) -> LspError {
    LspError::Internal(error.to_string())
}

/// Refuses a request if no folder is open. The current directory is no substitute: editors start servers anywhere.
fn require_roots(state: &ServerSnapshot) -> Result<(), LspError> {
    if state.workspace.is_open() {
        return Ok(());
    }
    Err(LspError::InvalidRequest("no folder is open: open a folder or a file".to_owned()))
}

/// Handles `pathfinder/resolve`: the request and the answer are those of `resolve --batch`.
pub(crate) fn resolve(state: &ServerSnapshot, params: &Value) -> Result<Value, LspError> {
    require_roots(state)?;
    let text = params.to_string();
    let fields = Fields::parse(&text, "the parameters").map_err(LspError::InvalidParams)?;
    let defaults = Defaults { limit: Request::DEFAULT_LIMIT, explain: false };
    let request = fields.request(defaults).map_err(LspError::InvalidParams)?;
    let id: Option<Box<RawValue>> = params.get("id").and_then(|id| serde_json::value::to_raw_value(id).ok());
    let id = id.as_deref();
    let reply = match state.workspace.ask(&request) {
        Ok(WorkspaceAnswer { answer, timing, workspace, .. }) => {
            if let (Status::Exists | Status::Resolved, Some((root, path))) = (answer.status, &answer.path) {
                state.workspace.record_use(&workspace, *root, path);
            }
            serde_json::to_value(encode(id, &RootName::list(&workspace), &request, &answer, timing.total))
        }
        // An invalid request gets an answer with the error.
        Err(WorkspaceError::Ask(error)) => serde_json::to_value(WireError::new(id, kind_of(&error), error.to_string())),
        Err(error) => return Err(internal_error(&error)),
    };
    reply.map_err(|error| LspError::InvalidParams(error.to_string()))
}

/// Handles `pathfinder/find`: the request and the answer are those of `find --batch`.
pub(crate) fn find(state: &ServerSnapshot, params: &Value) -> Result<Value, LspError> {
    require_roots(state)?;
    let text = params.to_string();
    let fields = Fields::parse(&text, "the parameters").map_err(LspError::InvalidParams)?;
    let request = fields.find(&FindRequest::new("")).map_err(LspError::InvalidParams)?;
    let (workspace, found) = state.workspace.find(&request).map_err(|error| internal_error(&error))?;
    let id: Option<Box<RawValue>> = params.get("id").and_then(|id| serde_json::value::to_raw_value(id).ok());
    let id = id.as_deref();
    let reply = match &found.answer {
        Ok(answer) => {
            serde_json::to_value(pathfinder_protocol::find::encode(id, &RootName::list(&workspace), answer, found.took))
        }
        Err(error) => serde_json::to_value(WireError::new(id, kind_of(error), error.to_string())),
    };
    reply.map_err(|error| LspError::InvalidParams(error.to_string()))
}

/// Handles `pathfinder/roots`.
pub(crate) fn roots(state: &ServerSnapshot) -> Result<Value, LspError> {
    use pathfinder_core::Probe as _;
    if !state.workspace.is_open() {
        return Ok(json!({"roots": []}));
    }
    let workspace = state.workspace.current().map_err(|error| internal_error(&error))?;
    let roots = workspace.opened().iter().zip(workspace.engine().roots()).enumerate().map(|(at, (opened, root))| {
        let counts = root.snapshot.stats();
        let condition = if workspace.probe().root_gone(at).is_some() { "gone" } else { "ready" };
        let path = opened.root.canonical.to_string_lossy();
        json!({"path": path, "files": counts.files, "directories": counts.directories, "state": condition})
    });
    Ok(json!({"roots": roots.collect::<Vec<_>>()}))
}

/// Handles `pathfinder/reindex`.
pub(crate) fn reindex(state: &ServerSnapshot) -> Result<Value, LspError> {
    require_roots(state)?;
    let start = Stopwatch::start();
    let workspace = state.workspace.reindex().map_err(|error| internal_error(&error))?;
    let counts = workspace.engine().roots().iter().map(|root| root.snapshot.stats());
    let (files, directories) = counts.fold((0, 0), |sum, counts| (sum.0 + counts.files, sum.1 + counts.directories));
    Ok(json!({"files": files, "directories": directories, "elapsed_ms": start.elapsed_ms()}))
}
