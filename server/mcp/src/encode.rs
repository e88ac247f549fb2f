//! Encodes answers as short JSON for the tools: a certain answer has a path and a reason, and nothing else.

use std::borrow::Cow;

use pathfinder_core::{Answer, Refusal, RelPath, Request, Status};
use serde::Serialize;
use serde_json::Value;

use super::elicitation::PathChoice;
use pathfinder_ipc::question::Resolved;
use pathfinder_protocol::answer::{path_text, refusal_of, round_to, status_of};
pub(super) use pathfinder_protocol::paths::{MAX_ALTERNATIVES, plausible_candidates};
use pathfinder_protocol::paths::{RootName, is_absolute};

/// Result of a tool call, before it becomes an MCP result.
#[derive(Debug)]
pub(super) struct ToolReply {
    pub(super) value: Value,
    pub(super) is_error: bool,
    /// Candidates for the user to choose from; `None` if a choice would not help.
    pub(super) choice: Option<PathChoice>,
}

impl ToolReply {
    /// Creates a successful reply.
    pub(super) fn answer(value: &impl Serialize) -> Self {
        Self { value: serde_json::to_value(value).unwrap_or_default(), is_error: false, choice: None }
    }

    /// Creates an error reply.
    pub(super) fn error(value: &impl Serialize) -> Self {
        Self { is_error: true, ..Self::answer(value) }
    }

    /// Adds members to the reply.
    pub(super) fn with_members(mut self, more: Option<Value>) -> Self {
        if let (Value::Object(members), Some(Value::Object(more))) = (&mut self.value, more) {
            members.extend(more);
        }
        self
    }
}

/// An error that concerns no path.
#[derive(Debug, Serialize)]
pub(super) struct ErrorOutput<'a> {
    pub(super) error_kind: &'a str,
    pub(super) message: String,
}

/// An existing path, as a reply has it.
#[derive(Debug, Serialize)]
pub(super) struct EncodedPath {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
}

/// Form of all paths in one answer.
pub(super) struct PathStyle<'a> {
    roots: &'a [RootName],
    is_absolute: bool,
}

impl<'a> PathStyle<'a> {
    /// Uses the form of the request: absolute for an absolute path, else relative to the root.
    pub(super) fn new(roots: &'a [RootName], request: &Request) -> Self {
        Self { roots, is_absolute: is_absolute(&request.failed_path) }
    }

    /// Encodes the path of an entry.
    pub(super) fn encode_path(&self, root: usize, path: &RelPath) -> EncodedPath {
        let lossy = path.is_lossy();
        if self.is_absolute {
            return EncodedPath { path: self.roots[root].absolute(path), root: None, lossy };
        }
        let root = (self.roots.len() > 1).then(|| self.roots[root].given.clone());
        EncodedPath { path: path_text(path).into_owned(), root, lossy }
    }
}

/// A certain answer.
#[derive(Debug, Serialize)]
struct CertainAnswer<'a> {
    status: &'static str,
    #[serde(flatten)]
    encoded_path: EncodedPath,
    /// Position that the request named behind the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// An answer without a certain path. The requested path is never called `path`, because clients and models use that as the answer.
#[derive(Debug, Serialize)]
struct UncertainAnswer<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_kind: Option<&'static str>,
    failed_path: Cow<'a, str>,
    confidence: f64,
    why: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reranked: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<AlternativeOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_question: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct AlternativeOutput {
    #[serde(flatten)]
    encoded_path: EncodedPath,
    score: f64,
}

/// Encodes the answer to a request.
pub(super) fn answer(request: &Request, resolved: &Resolved) -> Value {
    let Resolved { answer, roots, .. } = resolved;
    let style = PathStyle::new(roots, request);
    let value = match &answer.path {
        Some((root, path)) => serde_json::to_value(CertainAnswer {
            status: status_of(answer.status),
            encoded_path: style.encode_path(*root, path),
            line: answer.position.map(|(line, _)| line),
            column: answer.position.and_then(|(_, column)| column),
            why: why(answer),
        }),
        None => uncertain(&style, request, answer),
    };
    value.unwrap_or_default()
}

/// Encodes an answer as uncertain, whatever its status is.
pub(super) fn uncertain_answer(request: &Request, resolved: &Resolved) -> Value {
    uncertain(&PathStyle::new(&resolved.roots, request), request, &resolved.answer).unwrap_or_default()
}

/// Returns the reason for a corrected path.
pub(super) fn why(answer: &Answer) -> Option<&str> {
    (answer.status != Status::Exists).then_some(&*answer.why)
}

/// Encodes an existing entry with contents that are withheld.
pub(super) fn withheld(request: &Request, why: &str) -> Value {
    let withheld = UncertainAnswer {
        status: status_of(Status::Exists),
        error_kind: Some(refusal_of(Refusal::Ignored)),
        failed_path: truncate(&request.failed_path),
        confidence: 1.0,
        why,
        reranked: false,
        candidates: Vec::new(),
        next_question: None,
    };
    serde_json::to_value(withheld).unwrap_or_default()
}

fn uncertain(style: &PathStyle<'_>, request: &Request, answer: &Answer) -> serde_json::Result<Value> {
    let candidates = plausible_candidates(answer).map(|candidate| AlternativeOutput {
        encoded_path: style.encode_path(candidate.root, &candidate.path),
        score: round_to(candidate.score, 1),
    });
    let resolved = answer.status == Status::Resolved;
    serde_json::to_value(UncertainAnswer {
        // Resolved for other callers, but this one asked for a higher confidence.
        status: if resolved { "ambiguous" } else { status_of(answer.status) },
        error_kind: if resolved { Some("Ambiguous") } else { answer.refusal.map(refusal_of) },
        failed_path: truncate(&request.failed_path),
        confidence: round_to(answer.confidence, 4),
        why: &answer.why,
        reranked: answer.reranked,
        candidates: candidates.collect(),
        next_question: answer.next_question.as_deref(),
    })
}

/// Shortens the requested path for a reply.
pub(super) fn truncate(asked: &str) -> Cow<'_, str> {
    /// More than any path that is worth reading.
    const MAX_BYTES: usize = 500;
    if asked.len() <= MAX_BYTES {
        return Cow::Borrowed(asked);
    }
    let end = asked.floor_char_boundary(MAX_BYTES);
    Cow::Owned(format!("{}…", &asked[..end]))
}
