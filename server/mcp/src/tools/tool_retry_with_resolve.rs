//! The tool `tool_retry_with_resolve`: reads, lists or stats an entry, and corrects its path if necessary.

use std::borrow::Cow;

use pathfinder_core::Status;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::encode::{self, EncodedPath, PathStyle, ToolReply};
use super::super::metrics::MetricsLine;
use super::{CallContext, ToolDefinition, evidence_schema, invalid, request_properties, result_schema};
use pathfinder_ipc::BackendError;
use pathfinder_ipc::question::{Retried, RetryQuestion, RetryResult};
use pathfinder_project::retry::{ActionOutput, FailedAttempt, RetryAction, RetryOptions, RetryOutcome, Strategy};
use pathfinder_protocol::answer::status_of;
use pathfinder_protocol::request::{Defaults, Fields};
use pathfinder_vfs::probe::contents::{Contents, Window};

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "tool_retry_with_resolve",
    title: "Read, list or stat, with the path corrected",
    description: "Reads a file (or lists a directory, or stats an entry) even if the path is wrong: it is corrected to \
                  the existing path that was meant, if that is sure, and its contents are returned together with that \
                  path. Use it instead of a plain read whenever a path failed or you are not certain of it. Never \
                  writes. If several files fit, it returns an Ambiguous error with candidates and a question.",
    input,
    output: || {
        result_schema(json!({
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
    let mut properties =
        request_properties(&["read", "list", "stat"], "read the file, list the directory, or stat the entry.");
    let whole_number = |description: &str| json!({"type": "integer", "minimum": 1, "description": description});
    properties.insert("evidence".to_owned(), evidence_schema());
    properties.insert("offset".to_owned(), whole_number("read: the first line, counted from 1."));
    properties.insert("limit".to_owned(), whole_number("read: how many lines at most (default 2000)."));
    properties.insert(
        "strategy".to_owned(),
        json!({"type": "string", "enum": ["best_first", "score_desc"], "description": "Order in which candidates are tried (default best_first)."}),
    );
    properties.insert(
        "min_confidence".to_owned(),
        json!({"type": "number", "minimum": 0, "maximum": 1, "description": "How sure the correction must be. Leave it out for the measured default; 0 tries all candidates in turn, right or not."}),
    );
    properties.insert("top_n".to_owned(), whole_number("How many candidates are tried at most (default 5)."));
    json!({"type": "object", "properties": properties, "required": ["failed_path", "op"]})
}

fn run(call: &CallContext<'_>, fields: &Fields<'_>, line: &mut MetricsLine) -> Result<ToolReply, BackendError> {
    let options = parse_options(fields).map_err(invalid)?;
    // The tool's `limit` counts lines, not candidates.
    let defaults = Defaults { limit: options.max_attempts, explain: false };
    let mut request = fields.without("limit").request(defaults).map_err(invalid)?;
    request.limit = options.max_attempts.max(encode::MAX_ALTERNATIVES);
    let chosen = call.chosen.map(str::to_owned);
    let question = RetryQuestion { request, options, chosen, allow_ignored: call.allow_ignored };
    let Retried { resolved, outcome } = call.backend.retry(&question)?;
    line.set_answer(&resolved);
    let (request, answer) = (&question.request, &resolved.answer);
    let style = PathStyle::new(&resolved.roots, request);
    Ok(match outcome {
        RetryResult::Withheld(why) => {
            line.set("error", "Ignored");
            ToolReply::error(&encode::withheld(request, &why))
        }
        RetryResult::Tried(RetryOutcome::Unsure) => {
            let reply = ToolReply::error(&encode::uncertain_answer(request, &resolved));
            call.unsure_reply(reply, request, &resolved)?
        }
        RetryResult::Tried(RetryOutcome::AllFailed(attempts)) => {
            line.set("status", "all_failed");
            line.set("attempts", attempts.len());
            let attempts = attempts.into_iter().map(|FailedAttempt { root, path, error }| FailedAttemptOutput {
                encoded_path: style.encode_path(root, &path),
                error,
            });
            ToolReply::error(&AllFailedOutput { status: "all_failed", attempts: attempts.collect() })
        }
        RetryResult::Tried(RetryOutcome::Succeeded { root, path, attempts, output }) => {
            call.misses.record(call.backend, &resolved)?;
            line.set("attempts", attempts);
            let status = if answer.status == Status::Exists { Status::Exists } else { Status::Resolved };
            let first = answer.path.as_ref().is_some_and(|found| *found == (root, path.clone()));
            // The reason belongs to the first candidate; another one was taken for its contents.
            let why = if first { encode::why(answer) } else { Some("tried in turn") };
            ToolReply::answer(&RetrySuccess {
                status: status_of(status),
                encoded_path: style.encode_path(root, &path),
                attempts,
                why,
                result: output.into(),
            })
        }
    })
}

fn parse_options(fields: &Fields<'_>) -> Result<RetryOptions, String> {
    const LINES: &str = "a whole number, at least 1";
    let count = |name| fields.count(name, LINES, 1);
    let action = match fields.get::<String>("op", "read, list or stat")?.as_deref() {
        None | Some("read") => {
            let (first, lines) = (count("offset")?.unwrap_or(1), count("limit")?.unwrap_or(Window::LINES));
            RetryAction::Read(Window { first, lines })
        }
        Some("list") => RetryAction::List,
        Some("stat") => RetryAction::Stat,
        Some("edit" | "write") => {
            let message =
                "op must be read, list or stat: edits and writes are never redirected; get the path from path_resolve";
            return Err(message.to_owned());
        }
        Some(_) => return Err("op must be read, list or stat".to_owned()),
    };
    let strategy = match fields.get::<String>("strategy", "best_first or score_desc")?.as_deref() {
        None | Some("best_first") => Strategy::BestFirst,
        Some("score_desc") => Strategy::ScoreDescending,
        Some(_) => return Err("strategy must be best_first or score_desc".to_owned()),
    };
    let share = |number: f64| (0.0..=1.0).contains(&number);
    let min_confidence = fields.number("min_confidence", "a number from 0 to 1", share)?;
    Ok(RetryOptions {
        action,
        strategy,
        min_confidence: min_confidence.map(|number| number as f32),
        // The engine returns no more candidates than that.
        max_attempts: count("top_n")?
            .unwrap_or(RetryOptions::DEFAULT_MAX_ATTEMPTS)
            .min(pathfinder_core::CANDIDATES_MAX),
    })
}

#[derive(Serialize)]
struct RetrySuccess<'a> {
    status: &'static str,
    #[serde(flatten)]
    encoded_path: EncodedPath,
    attempts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(flatten)]
    result: RetryContent,
}

#[derive(Serialize)]
struct AllFailedOutput {
    status: &'static str,
    attempts: Vec<FailedAttemptOutput>,
}

#[derive(Serialize)]
struct FailedAttemptOutput {
    #[serde(flatten)]
    encoded_path: EncodedPath,
    error: String,
}

/// Contents, entries or details of the entry.
#[derive(Serialize)]
#[serde(untagged)]
enum RetryContent {
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
        kind: Cow<'static, str>,
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

impl From<ActionOutput> for RetryContent {
    fn from(output: ActionOutput) -> Self {
        match output {
            ActionOutput::Read(Contents::Text { text, next, cut, lossy }) => {
                Self::Text { content: text, next_offset: next, cut, replaced: lossy }
            }
            ActionOutput::Read(Contents::Binary { bytes }) => Self::Binary { binary: true, bytes },
            ActionOutput::Listed(listing) => {
                Self::Listing { entries: listing.entries, more: listing.more, ignored: listing.ignored }
            }
            ActionOutput::Stat(details) => Self::Details {
                kind: details.kind,
                bytes: details.bytes,
                modified: details.modified.map(pathfinder_core::history::timestamp),
            },
        }
    }
}
