//! `tool_retry_with_resolve`: read, list or stat what was meant.

use pathfinder_core::Status;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::encode::{self, Place, Reply, Style};
use super::super::metrics::Line;
use super::super::withheld;
use super::{Call, CallError, Tool, answered, asked, evidence};
use crate::os::probe::contents::{Contents, Window};
use crate::retry::{Act, Attempt, Done, Outcome, Strategy, Terms, retry};
use crate::wire::answer::status_of;
use crate::wire::request::{Defaults, Fields};

pub(super) const TOOL: Tool = Tool {
    name: "tool_retry_with_resolve",
    title: "Read, list or stat, with the path corrected",
    description: "Reads a file (or lists a directory, or stats an entry) even if the path is wrong: it is corrected to \
                  the existing path that was meant, if that is sure, and its contents are returned together with that \
                  path. Use it instead of a plain read whenever a path failed or you are not certain of it. Never \
                  writes. If several files fit, it returns an Ambiguous error with candidates and a question.",
    input,
    output: || {
        answered(json!({
            "attempts": {
                "description": "How many paths were tried until one worked; where all failed, each with its error.",
                "anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "object"}}]
            },
            "content": {"type": "string", "description": "Lines of the file."},
            "next_offset": {"type": "integer", "description": "There are more lines: ask again with this offset."},
            "cut": {"type": "boolean", "description": "The last line is longer than what is shown of it."},
            "replaced": {"type": "boolean", "description": "Bytes that are not UTF-8 were replaced in content."},
            "binary": {"type": "boolean", "description": "The file is no text; only its size is told."},
            "bytes": {"type": "integer"},
            "entries": {"type": "array", "items": {"type": "string"}, "description": "Names in the directory; those of directories end with /."},
            "more": {"type": ["integer", "boolean"], "description": "The directory has more entries."},
            "ignored": {"type": "integer", "description": "Entries left out because the project ignores them, or they have names of files with credentials."},
            "kind": {"type": "string"},
            "modified": {"type": "string"}
        }))
    },
    run,
};

fn input() -> Value {
    let mut properties = asked(&["read", "list", "stat"], "read the file, list the directory, or stat the entry.");
    let whole = |says: &str| json!({"type": "integer", "minimum": 1, "description": says});
    properties.insert("evidence".to_owned(), evidence());
    properties.insert("offset".to_owned(), whole("read: the first line, counted from 1."));
    properties.insert("limit".to_owned(), whole("read: how many lines at most (default 2000)."));
    properties.insert(
        "strategy".to_owned(),
        json!({"type": "string", "enum": ["best_first", "score_desc"], "description": "Order in which candidates are tried (default best_first)."}),
    );
    properties.insert(
        "min_confidence".to_owned(),
        json!({"type": "number", "minimum": 0, "maximum": 1, "description": "How sure the correction must be. Leave it out for the measured default; 0 tries all candidates in turn, right or not."}),
    );
    properties.insert("top_n".to_owned(), whole("How many candidates are tried at most (default 5)."));
    json!({"type": "object", "properties": properties, "required": ["failed_path", "op"]})
}

fn run(call: &Call<'_>, fields: &Fields<'_>, line: &mut Line) -> Result<Reply, CallError> {
    let terms = terms(fields)?;
    // Its own `limit` counts lines, not candidates.
    let mut request = fields.without("limit").request(Defaults { limit: terms.most, explain: false })?;
    request.limit = terms.most.max(encode::ALTERNATIVES);
    let asked = call.ask(&request, line)?;
    let (workspace, answer, request) = (&*asked.workspace, &asked.answer, &asked.request);
    let style = Style::of(workspace, request);
    // The kind of an exactly named entry may be shown, its contents may not.
    let shows_contents = !matches!(terms.act, Act::Stat) || request.evidence.is_some();
    if let (Status::Exists, Some((root, path)), true) = (answer.status, &answer.path, shows_contents)
        && let Some(why) = withheld::find_withheld(workspace, *root, path, call.allow_ignored)
    {
        line.set("error", "Ignored");
        return Ok(Reply::error(&encode::withheld(request, &why)));
    }
    Ok(match retry(workspace, request, answer, terms) {
        Outcome::Unsure => call.unsure(Reply::error(&encode::unsure(workspace, request, answer)), &asked),
        Outcome::AllFailed(attempts) => {
            line.set("status", "all_failed");
            line.set("attempts", attempts.len());
            let attempts = attempts
                .into_iter()
                .map(|Attempt { root, path, error }| Failed { place: style.place(root, &path), error });
            Reply::error(&AllFailed { status: "all_failed", attempts: attempts.collect() })
        }
        Outcome::Done { root, path, attempts, done } => {
            call.workspace.record_use(workspace, root, &path);
            call.brake.note(workspace, request, answer);
            line.set("attempts", attempts);
            let status = if answer.status == Status::Exists { Status::Exists } else { Status::Resolved };
            let first = answer.path.as_ref().is_some_and(|found| *found == (root, path.clone()));
            // The reason is the first candidate's; of another one only its contents speak.
            let why = if first { encode::why(answer) } else { Some("tried in turn") };
            Reply::answer(&Success {
                status: status_of(status),
                place: style.place(root, &path),
                attempts,
                why,
                result: done.into(),
            })
        }
    })
}

fn terms(fields: &Fields<'_>) -> Result<Terms, CallError> {
    const LINES: &str = "a whole number, at least 1";
    let count = |name| fields.count(name, LINES, 1);
    let act = match fields.get::<String>("op", "read, list or stat")?.as_deref() {
        None | Some("read") => {
            let (first, lines) = (count("offset")?.unwrap_or(1), count("limit")?.unwrap_or(Window::LINES));
            Act::Read(Window { first, lines })
        }
        Some("list") => Act::List,
        Some("stat") => Act::Stat,
        Some("edit" | "write") => {
            let message =
                "op must be read, list or stat: edits and writes are never redirected; get the path from path_resolve";
            return Err(message.to_owned().into());
        }
        Some(_) => return Err("op must be read, list or stat".to_owned().into()),
    };
    let strategy = match fields.get::<String>("strategy", "best_first or score_desc")?.as_deref() {
        None | Some("best_first") => Strategy::BestFirst,
        Some("score_desc") => Strategy::ScoreDescending,
        Some(_) => return Err("strategy must be best_first or score_desc".to_owned().into()),
    };
    let share = |number: f64| (0.0..=1.0).contains(&number);
    let min_confidence = fields.number("min_confidence", "a number from 0 to 1", share)?;
    Ok(Terms {
        act,
        strategy,
        min_confidence: min_confidence.map(|number| number as f32),
        // The engine answers with no more candidates than that.
        most: count("top_n")?.unwrap_or(Terms::MOST).min(pathfinder_core::CANDIDATES_MAX),
    })
}

#[derive(Serialize)]
struct Success<'a> {
    status: &'static str,
    #[serde(flatten)]
    place: Place,
    attempts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(flatten)]
    result: Shown,
}

#[derive(Serialize)]
struct AllFailed {
    status: &'static str,
    attempts: Vec<Failed>,
}

#[derive(Serialize)]
struct Failed {
    #[serde(flatten)]
    place: Place,
    error: String,
}

/// What was read, listed or looked up.
#[derive(Serialize)]
#[serde(untagged)]
enum Shown {
    Text {
        content: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        next_offset: Option<usize>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        replaced: bool,
    },
    Binary {
        binary: bool,
        bytes: u64,
    },
    Listing {
        entries: Vec<String>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        more: bool,
        #[serde(skip_serializing_if = "is_zero")]
        ignored: usize,
    },
    Details {
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        modified: Option<String>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl From<Done> for Shown {
    fn from(done: Done) -> Self {
        match done {
            Done::Read(Contents::Text { text, next, cut, lossy }) => {
                Self::Text { content: text, next_offset: next, cut, replaced: lossy }
            }
            Done::Read(Contents::Binary { bytes }) => Self::Binary { binary: true, bytes },
            Done::Listed(listing) => {
                Self::Listing { entries: listing.entries, more: listing.more, ignored: listing.ignored }
            }
            Done::Stat(details) => Self::Details {
                kind: details.kind,
                bytes: details.bytes,
                modified: details.modified.map(pathfinder_core::history::moment),
            },
        }
    }
}
