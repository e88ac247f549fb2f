//! `path_find`: files by a rough name, a few words or a question.

use pathfinder_core::{FindAnswer, FindRequest, Hit};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::encode::Reply;
use super::super::metrics::Line;
use super::super::withheld;
use super::{Call, CallError, Tool};
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::find::{note, status};
use crate::wire::place::placed;
use crate::wire::request::Fields;

/// What the lines of an answer have in bytes together, if nobody said how many files are wanted. A model reads some four bytes as
/// one token and paths with many digits as one for three, so that an answer is 150 tokens at most but for rare ones.
const BUDGET: usize = 440;

/// As many files are named however long their paths are: of file names with two typos the right one is among as many in 99 of 100
/// questions (`BENCHMARKS.md`, *Find*).
const LEAST: usize = 3;

pub(super) const TOOL: Tool = Tool {
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

/// Lines, not objects: the names of members would cost a model more than all that they say.
#[derive(Serialize)]
struct Found {
    status: &'static str,
    results: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn run(call: &Call<'_>, fields: &Fields<'_>, line: &mut Line) -> Result<Reply, CallError> {
    let request = fields.find(&FindRequest::new(""))?;
    let (workspace, found) = call.workspace.find(&request)?;
    let mut answer = found.answer?;
    answer.hits.retain(|hit| withheld::is_shown(&workspace, hit.root, &hit.path));
    line.set("status", status(&answer));
    line.set("candidates", answer.hits.len());
    line.set("elapsed_us", u64::try_from(found.took.as_micros()).unwrap_or(u64::MAX));
    let mut results = lines(&workspace, &answer);
    let mut note = note(&answer);
    let brief = brief(&results);
    // Who names a number gets as many.
    if fields.number("limit", "a number", |_| true)?.is_none() && brief < results.len() {
        let left = format!("{} more with limit {}", results.len() - brief, results.len());
        note = Some(note.map_or_else(|| left.clone(), |note| format!("{note}; {left}")));
        results.truncate(brief);
    }
    Ok(Reply::answer(&Found { status: status(&answer), results, note }))
}

/// How many lines fit what an answer may cost.
fn brief(lines: &[String]) -> usize {
    let mut spent = 0;
    let fits = lines.iter().take_while(|line| {
        spent += line.len();
        spent <= BUDGET
    });
    fits.count().max(LEAST)
}

/// The hits, one line each. What was said in the line before is not said again: of ten hits most fit in the same way.
pub(in crate::mcp) fn lines(workspace: &WorkspaceSnapshot, answer: &FindAnswer) -> Vec<String> {
    let said_before = |at: usize| at > 0 && answer.hits[at - 1].why == answer.hits[at].why;
    answer.hits.iter().enumerate().map(|(at, hit)| in_a_line(workspace, hit, said_before(at))).collect()
}

fn in_a_line(workspace: &WorkspaceSnapshot, hit: &Hit, said_before: bool) -> String {
    let place = placed(workspace, hit.root, &hit.path);
    let line = hit.line.map(|line| format!(":{line}")).unwrap_or_default();
    if said_before { format!("{place}{line}") } else { format!("{place}{line}  {}", hit.why) }
}
