//! Parses the JSON answers of the shared engine's leader, for commands that print them as text. Supports a single root.

use pathfinder_core::{Answer, Candidate, Hit, Refusal, RelPath, Status};
use serde::Deserialize;

use super::answer::{refusal_of, status_of};

/// An answer or an error of `resolve`.
#[derive(Debug, Deserialize)]
struct AnswerJson {
    status: String,
    path: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    #[serde(default)]
    confidence: f32,
    #[serde(default)]
    why: String,
    #[serde(default)]
    reranked: bool,
    error_kind: Option<String>,
    message: Option<String>,
    next_question: Option<String>,
    #[serde(default)]
    candidates: Vec<CandidateJson>,
}

#[derive(Debug, Deserialize)]
struct CandidateJson {
    path: String,
    score: f32,
}

/// Kind and message of an error.
pub(crate) type ReplyError = (String, String);

/// Hits, best first, and the reason why results may be missing.
pub(crate) type FindResults = (Vec<Hit>, Option<String>);

/// An answer or an error of `find`.
#[derive(Debug, Deserialize)]
struct FindJson {
    #[serde(default)]
    results: Vec<HitJson>,
    note: Option<String>,
    error_kind: Option<String>,
    message: Option<String>,
}

#[derive(Debug, Deserialize)]
struct HitJson {
    path: String,
    score: f32,
    line: Option<u32>,
    why: String,
}

/// Parses an answer of `resolve`, without explanations; `None` if this version does not know its form.
pub fn parse_answer(text: &str) -> Option<Result<Answer, ReplyError>> {
    let json: AnswerJson = serde_json::from_str(text).ok()?;
    if json.status == "error" {
        return Some(Err((json.error_kind?, json.message?)));
    }
    let all = [Status::Exists, Status::Resolved, Status::Ambiguous, Status::NotFound];
    let status = all.into_iter().find(|status| status_of(*status) == json.status)?;
    let refusals = [Refusal::Ambiguous, Refusal::NotFound, Refusal::Deleted, Refusal::Ignored, Refusal::OutsideRoot];
    let refusal = json.error_kind.and_then(|kind| refusals.into_iter().find(|refusal| refusal_of(*refusal) == kind));
    let path = |path: &str| RelPath::new(if path == "." { "" } else { path });
    let candidate = |json: &CandidateJson| Candidate {
        root: 0,
        path: path(&json.path),
        score: json.score,
        contributions: Vec::new(),
        generators: Vec::new(),
    };
    Some(Ok(Answer {
        status,
        path: json.path.as_deref().map(|json| (0, path(json))),
        confidence: json.confidence,
        position: json.line.map(|line| (line, json.column)),
        // Answers of another process are only printed, never acted upon.
        may_act: false,
        why: json.why,
        candidates: json.candidates.iter().map(candidate).collect(),
        refusal,
        signals: Vec::new(),
        reranked: json.reranked,
        next_question: json.next_question,
    }))
}

/// Parses an answer of `find`; `None` if this version does not know its form.
pub fn parse_find(text: &str) -> Option<Result<FindResults, ReplyError>> {
    let json: FindJson = serde_json::from_str(text).ok()?;
    if let (Some(kind), Some(message)) = (json.error_kind, json.message) {
        return Some(Err((kind, message)));
    }
    let hit = |json: HitJson| Hit {
        root: 0,
        path: RelPath::new(json.path),
        score: json.score,
        why: json.why,
        line: json.line,
        contributions: Vec::new(),
    };
    Some(Ok((json.results.into_iter().map(hit).collect(), json.note)))
}
