//! The tool `reindex_paths`: reads the trees again at once.

use serde::Serialize;
use serde_json::json;

use super::super::encode::ToolReply;
use super::super::metrics::MetricsLine;
use super::{CallContext, CallError, ToolDefinition};
use pathfinder_protocol::request::Fields;
use pathfinder_vfs::clock::Stopwatch;

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

fn run(call: &CallContext<'_>, _: &Fields<'_>, line: &mut MetricsLine) -> Result<ToolReply, CallError> {
    let start = Stopwatch::start();
    let workspace = call.workspace.reindex()?;
    let stats = workspace.engine().roots().iter().map(|root| root.snapshot.stats());
    let (files, directories) = stats.fold((0, 0), |sum, stats| (sum.0 + stats.files, sum.1 + stats.directories));
    let elapsed_ms = start.elapsed_ms();
    line.set("status", "indexed");
    line.set("elapsed_ms", elapsed_ms);
    Ok(ToolReply::answer(&ReindexOutput { files, directories, elapsed_ms }))
}
