//! The tool `reindex_paths`: reads the trees again at once.

use serde::Serialize;
use serde_json::json;

use super::super::encode::ToolReply;
use super::super::metrics::MetricsLine;
use super::{CallContext, ToolDefinition};
use pathfinder_ipc::BackendError;
use pathfinder_ipc::question::ReindexCounts;
use pathfinder_protocol::request::Fields;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "reindex_paths",
    title: "Read the project's tree again",
    description: "Reads the project's tree again. Rarely needed: it is read again by itself, and what is answered is \
                  looked up on disk. Use it after files were made in large numbers.",
    input: || json!({"type": "object", "properties": {}}),
    output: || {
        let count = || json!({"type": "integer"});
        json!({"type": "object", "properties": {
            "files": count(), "directories": count(), "elapsed_ms": count(),
            "error_kind": {"type": "string"}, "message": {"type": "string"}
        }})
    },
    run,
};

#[derive(Serialize)]
struct ReindexOutput {
    files: usize,
    directories: usize,
    elapsed_ms: u64,
}

fn run(call: &CallContext<'_>, _: &Fields<'_>, line: &mut MetricsLine) -> Result<ToolReply, BackendError> {
    let ReindexCounts { files, directories, took } = call.backend.reindex()?;
    let elapsed_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    line.set("status", "indexed");
    line.set("elapsed_ms", elapsed_ms);
    Ok(ToolReply::answer(&ReindexOutput { files, directories, elapsed_ms }))
}
