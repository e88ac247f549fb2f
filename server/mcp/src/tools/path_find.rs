//! The tool `path_find`: finds files by a rough name, a few words or a question.

use pathfinder_core::{FindRequest, Hit};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::encode::ToolReply;
use super::super::metrics::MetricsLine;
use super::{CallContext, ToolDefinition, invalid};
use pathfinder_ipc::BackendError;
use pathfinder_ipc::question::{Audience, FindQuestion, Found};
use pathfinder_protocol::find::{WirePassage, note, status};
use pathfinder_protocol::paths::{RootName, display_path};
use pathfinder_protocol::request::Fields;

/// Bytes of an answer from which on its lines have no reasons. A model reads about four bytes as one token, three in paths
/// with many digits, so the part with reasons has about 100 tokens.
const MAX_EXPLAINED_BYTES: usize = 300;

/// Minimum number of files with a reason, however long their paths are. For file names with two typos, the right file is
/// among as many in 99 of 100 questions (`BENCHMARKS.md`, *Find*).
const MIN_EXPLAINED: usize = 3;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "path_find",
    title: "Find files by a rough name or a question",
    description: "Finds files and the line where a class, function or other symbol is declared: 'where is CommandRouter \
                  implemented', 'checkpoint service', 'authmidlware', 'src/**/auth*.py'. Searches names, directories and \
                  declarations and contents together, with typos and words in any order. One line per file, best first; \
                  none if nothing fits. Use it when you have no exact path.",
    input,
    output,
    run,
};

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "A name, a part of a path, a glob, a few words or a question."},
            "limit": {"type": "integer", "description": "The most files to return, 1 to 200 (default 10)."},
            "read": {"type": "boolean", "description": "Also return the lines of the first file that answer, if it is sure."},
            "impl": {"type": "boolean", "description": "Prefer code that does the work to headers, tests and docs. A question that says 'implemented' does so too."}
        },
        "required": ["query"]
    })
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["found", "none"]},
            "results": {"type": "array", "items": {"type": "string"}, "description": "Best first: path:line  why; without why it is the same as in the line before. With several roots the root stands before the path."},
            "passage": {
                "type": "object",
                "properties": {"line": {"type": "integer"}, "text": {"type": "string"}},
                "description": "Lines of the first file, from this line on."
            },
            "note": {"type": "string"},
            "error_kind": {"type": "string"},
            "message": {"type": "string"}
        }
    })
}

/// Result of the tool. Hits are lines, not objects: member names would cost a model more tokens than the values.
#[derive(Serialize)]
struct FindOutput<'a> {
    status: &'static str,
    results: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passage: Option<WirePassage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn run(call: &CallContext<'_>, fields: &Fields<'_>, line: &mut MetricsLine) -> Result<ToolReply, BackendError> {
    let request = fields.find(&FindRequest::new("")).map_err(invalid)?;
    let found = call.backend.find(&FindQuestion { request, audience: Audience::Agent })?;
    let answer = &found.answer;
    line.set("status", status(answer));
    line.set("candidates", answer.hits.len());
    line.set("elapsed_us", u64::try_from(found.took.as_micros()).unwrap_or(u64::MAX));
    let passage = answer.passage.as_ref().map(WirePassage::new);
    Ok(ToolReply::answer(&FindOutput {
        status: status(answer),
        results: format_hits(&found),
        passage,
        note: note(answer),
    }))
}

/// Formats the hits, one line each. A reason is left out where it equals that of the line before, as it mostly does, and
/// behind the first results once the answer has become long.
pub(crate) fn format_hits(found: &Found) -> Vec<String> {
    let hits = &found.answer.hits;
    let mut spent = 0;
    let format = |(at, hit): (usize, &Hit)| {
        let is_repeated = at > 0 && hits[at - 1].why == hits[at].why;
        let is_explained = !is_repeated && (at < MIN_EXPLAINED || spent < MAX_EXPLAINED_BYTES);
        let line = format_hit(&found.roots, hit, is_explained);
        spent += line.len();
        line
    };
    hits.iter().enumerate().map(format).collect()
}

fn format_hit(roots: &[RootName], hit: &Hit, is_explained: bool) -> String {
    let place = display_path(roots, hit.root, &hit.path);
    let line = hit.line.map(|line| format!(":{line}")).unwrap_or_default();
    if is_explained { format!("{place}{line}  {}", hit.why) } else { format!("{place}{line}") }
}
