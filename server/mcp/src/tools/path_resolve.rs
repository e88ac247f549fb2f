//! The tool `path_resolve`: returns the right path for a wrong one.

use serde_json::{Value, json};

use super::super::encode::{self, MAX_ALTERNATIVES, ToolReply};
use super::super::metrics::MetricsLine;
use super::{CallContext, ToolDefinition, evidence_schema, invalid, request_properties, result_schema};
use pathfinder_ipc::BackendError;
use pathfinder_ipc::question::{Audience, ResolveQuestion};
use pathfinder_protocol::request::{Defaults, Fields};

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "path_resolve",
    title: "Find the path that was meant",
    description: "Corrects a path that does not exist: typo, wrong or missing directory, wrong extension, moved file, \
                  import or stack-trace form, path from another machine. Returns the one existing path if it is sure, \
                  a few candidates and a question if several fit, not_found if nothing plausible exists. Use it before \
                  an edit; to read, list or stat in one step use tool_retry_with_resolve.",
    input,
    output: || result_schema(json!({})),
    run,
};

fn input() -> Value {
    let mut properties = request_properties(
        &["read", "list", "stat", "edit", "write"],
        "What you want to do with it (default read). write is for a file you may be about to create: it gets suggestions only.",
    );
    properties.insert(
        "history".to_owned(),
        json!({"type": "array", "items": {"type": "string"}, "description": "Paths you used just before, oldest first. Not needed: this session remembers its own."}),
    );
    properties.insert("evidence".to_owned(), evidence_schema());
    json!({"type": "object", "properties": properties, "required": ["failed_path"]})
}

fn run(call: &CallContext<'_>, fields: &Fields<'_>, line: &mut MetricsLine) -> Result<ToolReply, BackendError> {
    let mut request = fields.request(Defaults { limit: MAX_ALTERNATIVES, explain: false }).map_err(invalid)?;
    // Longer lists are for programs, which use the command line.
    request.limit = request.limit.min(MAX_ALTERNATIVES);
    let chosen = call.chosen.map(str::to_owned);
    let question = ResolveQuestion { request, audience: Audience::Agent, chosen, is_used: true };
    let resolved = call.backend.resolve(&question)?;
    line.set_answer(&resolved);
    let reply = ToolReply::answer(&encode::answer(&question.request, &resolved));
    call.unsure_reply(reply, &question.request, &resolved)
}
