//! `path_resolve`: the path that was meant.

use pathfinder_core::Status;
use serde_json::{Value, json};

use super::super::encode::{self, ALTERNATIVES, Reply};
use super::super::metrics::Line;
use super::{Call, CallError, Tool, answered, asked, evidence};
use crate::wire::request::{Defaults, Fields};

pub(super) const TOOL: Tool = Tool {
    name: "path_resolve",
    title: "Find the path that was meant",
    description: "Corrects a path that does not exist: typo, wrong or missing directory, wrong extension, moved file, \
                  import or stack-trace form, path from another machine. Returns the one existing path if it is sure, \
                  a few candidates and a question if several fit, not_found if nothing plausible exists. Use it before \
                  an edit; to read, list or stat in one step use tool_retry_with_resolve.",
    input,
    output: || answered(json!({})),
    run,
};

fn input() -> Value {
    let mut properties = asked(
        &["read", "list", "stat", "edit", "write"],
        "What you want to do with it (default read). write is for a file you may be about to create: it gets suggestions only.",
    );
    properties.insert(
        "history".to_owned(),
        json!({"type": "array", "items": {"type": "string"}, "description": "Paths you used just before, oldest first. Not needed: this session remembers its own."}),
    );
    properties.insert("evidence".to_owned(), evidence());
    json!({"type": "object", "properties": properties, "required": ["failed_path"]})
}

fn run(call: &Call<'_>, fields: &Fields<'_>, line: &mut Line) -> Result<Reply, CallError> {
    let mut request = fields.request(Defaults { limit: ALTERNATIVES, explain: false })?;
    // A longer list is for programs, which have the command line.
    request.limit = request.limit.min(ALTERNATIVES);
    let asked = call.ask(&request, line)?;
    let (workspace, answer) = (&*asked.workspace, &asked.answer);
    if let (Status::Exists | Status::Resolved, Some((root, path))) = (answer.status, &answer.path) {
        call.workspace.record_use(workspace, *root, path);
    }
    let reply = Reply::answer(&encode::answer(workspace, &asked.request, answer));
    Ok(call.unsure(reply, &asked))
}
