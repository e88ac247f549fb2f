//! Answers in as few words as they need: a certain one has a path and why, and nothing else.

use std::borrow::Cow;

use pathfinder_core::{Answer, Refusal, RelPath, Request, Status};
use serde::Serialize;
use serde_json::Value;

use super::choice::Choice;
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::answer::{refusal_of, rounded, shown, status_of};
use crate::wire::place::is_absolute;
pub(super) use crate::wire::place::{ALTERNATIVES, hopeful};
use crate::workspace::absolute;

/// What a tool says.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) value: Value,
    pub(super) is_error: bool,
    /// What the user could choose from, so that there would be an answer.
    pub(super) choice: Option<Choice>,
}

impl Reply {
    /// What was asked for.
    pub(super) fn answer(value: &impl Serialize) -> Self {
        Self { value: serde_json::to_value(value).unwrap_or_default(), is_error: false, choice: None }
    }

    /// Why it cannot be had.
    pub(super) fn error(value: &impl Serialize) -> Self {
        Self { is_error: true, ..Self::answer(value) }
    }

    /// The same with further members.
    pub(super) fn and(mut self, more: Option<Value>) -> Self {
        if let (Value::Object(members), Some(Value::Object(more))) = (&mut self.value, more) {
            members.extend(more);
        }
        self
    }
}

/// A failure that has nothing to do with any path.
#[derive(Debug, Serialize)]
pub(super) struct Failure<'a> {
    pub(super) error_kind: &'a str,
    pub(super) message: String,
}

/// A path that is there.
#[derive(Debug, Serialize)]
pub(super) struct Place {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
}

/// How the paths of one answer are written.
pub(super) struct Style<'a> {
    workspace: &'a WorkspaceSnapshot,
    absolute: bool,
}

impl<'a> Style<'a> {
    /// As the caller wrote: who asked with an absolute path goes on with one.
    pub(super) fn of(workspace: &'a WorkspaceSnapshot, request: &Request) -> Self {
        Self { workspace, absolute: is_absolute(&request.failed_path) }
    }

    /// The path of an entry.
    pub(super) fn place(&self, root: usize, path: &RelPath) -> Place {
        let lossy = path.is_lossy();
        let opened = self.workspace.opened();
        if self.absolute {
            return Place { path: absolute(&opened[root].root.canonical, path), root: None, lossy };
        }
        let root = (opened.len() > 1).then(|| opened[root].root.given.clone());
        Place { path: shown(path).into_owned(), root, lossy }
    }
}

/// A certain answer.
#[derive(Debug, Serialize)]
struct Certain<'a> {
    status: &'static str,
    #[serde(flatten)]
    place: Place,
    /// The position that the request named behind the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// No certain answer. What was asked is never called `path`: clients and models take that for the answer.
#[derive(Debug, Serialize)]
struct Uncertain<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_kind: Option<&'static str>,
    failed_path: Cow<'a, str>,
    confidence: f64,
    why: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reranked: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<Alternative>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_question: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Alternative {
    #[serde(flatten)]
    place: Place,
    score: f64,
}

/// The answer to a request.
pub(super) fn answer(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer) -> Value {
    let style = Style::of(workspace, request);
    let value = match &answer.path {
        Some((root, path)) => serde_json::to_value(Certain {
            status: status_of(answer.status),
            place: style.place(*root, path),
            line: answer.position.map(|(line, _)| line),
            column: answer.position.and_then(|(_, column)| column),
            why: why(answer),
        }),
        None => uncertain(&style, request, answer),
    };
    value.unwrap_or_default()
}

/// An answer as one that is not sure, whatever its status.
pub(super) fn unsure(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer) -> Value {
    uncertain(&Style::of(workspace, request), request, answer).unwrap_or_default()
}

/// Why it is another path than the one asked for.
pub(super) fn why(answer: &Answer) -> Option<&str> {
    (answer.status != Status::Exists).then_some(&*answer.why)
}

/// An entry that is there and that its contents are not shown of.
pub(super) fn withheld(request: &Request, why: &str) -> Value {
    let withheld = Uncertain {
        status: status_of(Status::Exists),
        error_kind: Some(refusal_of(Refusal::Ignored)),
        failed_path: cut(&request.failed_path),
        confidence: 1.0,
        why,
        reranked: false,
        candidates: Vec::new(),
        next_question: None,
    };
    serde_json::to_value(withheld).unwrap_or_default()
}

fn uncertain(style: &Style<'_>, request: &Request, answer: &Answer) -> serde_json::Result<Value> {
    let candidates = hopeful(answer).map(|candidate| Alternative {
        place: style.place(candidate.root, &candidate.path),
        score: rounded(candidate.score, 1),
    });
    let resolved = answer.status == Status::Resolved;
    serde_json::to_value(Uncertain {
        // Sure for everybody but this caller, who wants to be surer.
        status: if resolved { "ambiguous" } else { status_of(answer.status) },
        error_kind: if resolved { Some("Ambiguous") } else { answer.refusal.map(refusal_of) },
        failed_path: cut(&request.failed_path),
        confidence: rounded(answer.confidence, 4),
        why: &answer.why,
        reranked: answer.reranked,
        candidates: candidates.collect(),
        next_question: answer.next_question.as_deref(),
    })
}

/// What was asked, but not a megabyte of it.
pub(super) fn cut(asked: &str) -> Cow<'_, str> {
    /// Longer than any path that somebody wants to read.
    const MOST: usize = 500;
    if asked.len() <= MOST {
        return Cow::Borrowed(asked);
    }
    let end = asked.floor_char_boundary(MOST);
    Cow::Owned(format!("{}…", &asked[..end]))
}
