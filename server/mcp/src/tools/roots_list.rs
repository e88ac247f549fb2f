//! The tool `roots_list`: lists the directories in which paths are resolved.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::encode::ToolReply;
use super::super::metrics::MetricsLine;
use super::{CallContext, ToolDefinition};
use pathfinder_ipc::BackendError;
use pathfinder_ipc::question::RootStatus;
use pathfinder_protocol::request::Fields;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "roots_list",
    title: "List the project roots",
    description: "Lists the directories in which paths are resolved, absolute, with what is known in each. Relative paths \
                  in all tools are relative to one of these.",
    input: || json!({"type": "object", "properties": {}}),
    output,
    run,
};

fn output() -> Value {
    let root = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Absolute."},
            "files": {"type": "integer"},
            "directories": {"type": "integer"},
            "state": {"type": "string", "enum": ["ready", "gone"]},
            "unreadable": {
                "type": "integer",
                "description": "Directories of which nothing is known: they cannot be read, or their paths are too long."
            }
        },
        "required": ["path", "files", "directories", "state"]
    });
    let roots = json!({"type": "array", "items": root});
    json!({"type": "object", "properties": {"roots": roots, "error_kind": {"type": "string"}, "message": {"type": "string"}}})
}

#[derive(Serialize)]
struct RootsOutput {
    roots: Vec<RootOutput>,
}

#[derive(Serialize)]
struct RootOutput {
    path: String,
    files: usize,
    directories: usize,
    state: &'static str,
    /// Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<usize>,
}

fn run(call: &CallContext<'_>, _: &Fields<'_>, line: &mut MetricsLine) -> Result<ToolReply, BackendError> {
    let roots = call.backend.roots()?;
    line.set("status", "ready");
    Ok(ToolReply::answer(&RootsOutput { roots: roots.into_iter().map(RootOutput::from).collect() }))
}

impl From<RootStatus> for RootOutput {
    fn from(root: RootStatus) -> Self {
        let RootStatus { path, files, directories, unreadable, is_gone, is_lossy: _ } = root;
        Self {
            unreadable: (unreadable > 0).then_some(unreadable),
            path,
            files,
            directories,
            state: if is_gone { "gone" } else { "ready" },
        }
    }
}
