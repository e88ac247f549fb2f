//! What another process has answered as JSON, for who prints it as text. Its roots are one.

use pathfinder_core::{Answer, Candidate, Hit, Refusal, RelPath, Status};
use serde::Deserialize;

use super::answer::{refusal_of, status_of};

/// An answer, or a request that could not be answered.
#[derive(Debug, Deserialize)]
struct Told {
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
    candidates: Vec<ToldCandidate>,
}

#[derive(Debug, Deserialize)]
struct ToldCandidate {
    path: String,
    score: f32,
}

/// Why a request could not be answered: its kind, and in words.
pub(crate) type Refused = (String, String);

/// Files, best first, and what is not known yet.
pub(crate) type Found = (Vec<Hit>, Option<String>);

/// What was found, or a request that could not be answered.
#[derive(Debug, Deserialize)]
struct ToldFound {
    #[serde(default)]
    results: Vec<ToldHit>,
    note: Option<String>,
    error_kind: Option<String>,
    message: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ToldHit {
    path: String,
    score: f32,
    line: Option<u32>,
    why: String,
}

/// An answer of `resolve` as the engine gave it, without explanations; `None` if it is none that this version knows.
pub(crate) fn answer(text: &str) -> Option<Result<Answer, Refused>> {
    let told: Told = serde_json::from_str(text).ok()?;
    if told.status == "error" {
        return Some(Err((told.error_kind?, told.message?)));
    }
    let all = [Status::Exists, Status::Resolved, Status::Ambiguous, Status::NotFound];
    let status = all.into_iter().find(|status| status_of(*status) == told.status)?;
    let refusals = [Refusal::Ambiguous, Refusal::NotFound, Refusal::Deleted, Refusal::Ignored, Refusal::OutsideRoot];
    let refusal = told.error_kind.and_then(|kind| refusals.into_iter().find(|refusal| refusal_of(*refusal) == kind));
    let path = |path: &str| RelPath::new(if path == "." { "" } else { path });
    let candidate = |told: &ToldCandidate| Candidate {
        root: 0,
        path: path(&told.path),
        score: told.score,
        contributions: Vec::new(),
        generators: Vec::new(),
    };
    Some(Ok(Answer {
        status,
        path: told.path.as_deref().map(|told| (0, path(told))),
        confidence: told.confidence,
        position: told.line.map(|line| (line, told.column)),
        // An answer of another process is only printed, never acted upon.
        may_act: false,
        why: told.why,
        candidates: told.candidates.iter().map(candidate).collect(),
        refusal,
        signals: Vec::new(),
        reranked: told.reranked,
        next_question: told.next_question,
    }))
}

/// What `find` found; `None` if it is no answer that this version knows.
pub(crate) fn found(text: &str) -> Option<Result<Found, Refused>> {
    let told: ToldFound = serde_json::from_str(text).ok()?;
    if let (Some(kind), Some(message)) = (told.error_kind, told.message) {
        return Some(Err((kind, message)));
    }
    let hit = |told: ToldHit| Hit {
        root: 0,
        path: RelPath::new(told.path),
        score: told.score,
        why: told.why,
        line: told.line,
        contributions: Vec::new(),
    };
    Some(Ok((told.results.into_iter().map(hit).collect(), told.note)))
}
