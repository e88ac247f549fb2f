//! The tool `path_find`: finds files by a rough name, a few words or a question.

use pathfinder_core::{FindRequest, Hit};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::encode::ToolReply;
use super::super::metrics::MetricsLine;
use super::{CallContext, ToolDefinition, invalid};
use pathfinder_ipc::BackendError;
use pathfinder_ipc::question::{Audience, FindQuestion, Found};
use pathfinder_protocol::find::{note, status};
use pathfinder_protocol::paths::{RootName, display_path};
use pathfinder_protocol::request::Fields;

/// Bytes of all lines of an answer, unless the call sets a limit. A model reads about four bytes as one token, three in paths with
/// many digits, so most answers have at most 150 tokens.
const MAX_RESULT_BYTES: usize = 440;

/// Minimum number of files, however long their paths are. For file names with two typos, the right file is among as many in 99 of
/// 100 questions (`BENCHMARKS.md`, *Find*).
const MIN_RESULTS: usize = 3;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "path_find",
    title: "Find files by a rough name or a question",
    description: "Finds files and the line where a class, function or other symbol is declared: 'where is CommandRouter \
                  implemented', 'checkpoint service', 'authmidlware', 'src/**/auth*.py'. Searches names, directories and \
                  declarations together, with typos and words in any order, and contents if these say little. One line per \
                  file, best first; none if nothing fits. Use it when you have no exact path.",
    input,
    output,
    run,
};

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "A name, a part of a path, a glob, a few words or a question."},
            "limit": {"type": "integer", "description": "The most files to return, 1 to 200 (default 10, fewer if paths are long)."},
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
            "note": {"type": "string"},
            "error_kind": {"type": "string"},
            "message": {"type": "string"}
        }
    })
}

/// Result of the tool. Hits are lines, not objects: member names would cost a model more tokens than the values.
#[derive(Serialize)]
struct FindOutput {
    status: &'static str,
    results: Vec<String>,
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
    let mut results = format_hits(&found);
    let mut note = note(answer);
    let shown = count_fitting(&results);
    // A call with a limit gets as many.
    if fields.number("limit", "a number", |_| true).map_err(invalid)?.is_none() && shown < results.len() {
        let left = format!("{} more with limit {}", results.len() - shown, results.len());
        note = Some(note.map_or_else(|| left.clone(), |note| format!("{note}; {left}")));
        results.truncate(shown);
    }
    Ok(ToolReply::answer(&FindOutput { status: status(answer), results, note }))
}

/// Returns how many lines fit into the answer.
fn count_fitting(lines: &[String]) -> usize {
    let mut spent = 0;
    let fits = lines.iter().take_while(|line| {
        spent += line.len();
        spent <= MAX_RESULT_BYTES
    });
    fits.count().max(MIN_RESULTS)
}

/// Formats the hits, one line each. A reason is left out where it equals that of the line before, as it mostly does.
pub(crate) fn format_hits(found: &Found) -> Vec<String> {
    let hits = &found.answer.hits;
    let is_why_repeated = |at: usize| at > 0 && hits[at - 1].why == hits[at].why;
    hits.iter().enumerate().map(|(at, hit)| format_hit(&found.roots, hit, is_why_repeated(at))).collect()
}

fn format_hit(roots: &[RootName], hit: &Hit, is_why_repeated: bool) -> String {
    let place = display_path(roots, hit.root, &hit.path);
    let line = hit.line.map(|line| format!(":{line}")).unwrap_or_default();
    if is_why_repeated { format!("{place}{line}") } else { format!("{place}{line}  {}", hit.why) }
}
