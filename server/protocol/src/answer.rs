//! Encodes the engine's [`Answer`] as one JSON object, with its members in reading order.

use std::borrow::Cow;
use std::time::Duration;

use pathfinder_core::{Answer, Candidate, Contribution, Refusal, RelPath, Request, RequestError, Status};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use serde_json::value::RawValue;

use super::paths::RootName;
use pathfinder_project::snapshot::AskError;

/// A failed request.
#[derive(Debug, Serialize)]
pub struct WireError<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    status: &'static str,
    error_kind: &'static str,
    message: String,
}

impl<'a> WireError<'a> {
    /// Creates an error of this kind.
    pub fn new(id: Option<&'a RawValue>, error_kind: &'static str, message: String) -> Self {
        Self { id, status: "error", error_kind, message }
    }
}

/// An answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct WireAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    status: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    path: Option<WirePath<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_path: Option<&'a str>,
    /// Line in the file, if the request named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    confidence: f64,
    why: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reranked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_question: Option<&'a str>,
    candidates: Vec<WireCandidate<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signals: Option<WireSignals<'a>>,
    elapsed_us: u64,
}

/// A path; with several roots also the name of its root.
#[derive(Debug, Serialize)]
pub(crate) struct WirePath<'a> {
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
}

impl<'a> WirePath<'a> {
    /// Encodes a path below the root of this number.
    pub(crate) fn new(roots: &'a [RootName], root: usize, path: &'a RelPath) -> Self {
        Self {
            path: path_text(path),
            root: (roots.len() > 1).then(|| roots[root].given.as_str()),
            lossy: path.is_lossy(),
        }
    }
}

#[derive(Debug, Serialize)]
struct WireCandidate<'a> {
    #[serde(flatten)]
    path: WirePath<'a>,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explanation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generators: Option<&'a [&'static str]>,
}

/// Contributions to a score as one object, in order.
#[derive(Debug)]
pub struct Explanation<'a>(pub &'a [Contribution]);

impl Serialize for Explanation<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(self.0.len()))?;
        for contribution in self.0 {
            map.serialize_entry(contribution.name, &round_to(contribution.points, 3))?;
        }
        map.end()
    }
}

/// Inputs of the confidence as one object, in order.
#[derive(Debug)]
struct WireSignals<'a>(&'a [(&'static str, f32)]);

impl Serialize for WireSignals<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|&(name, value)| (name, round_to(value, 4))))
    }
}

/// Encodes the answer to a request.
pub fn encode<'a>(
    id: Option<&'a RawValue>,
    roots: &'a [RootName],
    request: &'a Request,
    answer: &'a Answer,
    elapsed: Duration,
) -> WireAnswer<'a> {
    let wire_path = |root: usize, path: &'a RelPath| WirePath::new(roots, root, path);
    let candidate = |candidate: &'a Candidate| WireCandidate {
        path: wire_path(candidate.root, &candidate.path),
        score: round_to(candidate.score, 1),
        explain: request.explain.then_some(Explanation(&candidate.contributions)),
        generators: request.explain.then_some(&candidate.generators),
    };
    let path = answer.path.as_ref().map(|(root, path)| wire_path(*root, path));
    WireAnswer {
        id,
        status: status_of(answer.status),
        failed_path: path.is_none().then_some(&request.failed_path),
        path,
        line: answer.position.map(|(line, _)| line),
        column: answer.position.and_then(|(_, column)| column),
        confidence: round_to(answer.confidence, 4),
        why: &answer.why,
        reranked: answer.reranked,
        error_kind: answer.refusal.map(refusal_of),
        next_question: answer.next_question.as_deref(),
        candidates: answer.candidates.iter().map(candidate).collect(),
        signals: (!answer.signals.is_empty()).then_some(WireSignals(&answer.signals)),
        elapsed_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
    }
}

/// Returns a path as text. The root is `.`, since an empty text would be invisible.
pub fn path_text(path: &RelPath) -> Cow<'_, str> {
    if path.as_bytes().is_empty() { Cow::Borrowed(".") } else { path.text() }
}

/// Returns the name of a status.
pub fn status_of(status: Status) -> &'static str {
    match status {
        Status::Exists => "exists",
        Status::Resolved => "resolved",
        Status::Ambiguous => "ambiguous",
        Status::NotFound => "not_found",
    }
}

/// Returns the name of a refusal.
pub fn refusal_of(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Ambiguous => "Ambiguous",
        // `why` has the difference: programs that act on the kind treat both alike.
        Refusal::NotFound | Refusal::LeftOut => "NotFound",
        Refusal::Deleted => "Deleted",
        Refusal::Ignored => "Ignored",
        Refusal::OutsideRoot => "OutsideRoot",
    }
}

/// Returns the name of an error.
pub fn kind_of(error: &AskError) -> &'static str {
    match error {
        AskError::Request(RequestError::RootGone { .. }) => "RootGone",
        AskError::Request(_) => "BadRequest",
        AskError::Panicked(_) => "Internal",
    }
}

/// Rounds a number to a number of decimals. JSON has no NaN, which becomes 0.
pub fn round_to(number: f32, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    let number = (f64::from(number) * scale).round() / scale;
    if number.is_finite() { number } else { 0.0 }
}

#[cfg(test)]
mod tests;
