//! JSON of `find`: decodes `{"id"?,"query","limit"?}` and encodes `{"id"?,"status","results"}`.

use std::borrow::Cow;

use pathfinder_core::find::Extent;
use pathfinder_core::{FindAnswer, FindRequest, Hit, Root};
use serde::Serialize;
use serde_json::value::RawValue;

use super::answer::{Explanation, WireError, kind_of, path_text, round_to};
use super::request::Fields;
use crate::find::TimedFindAnswer;

impl Fields<'_> {
    /// Decodes the members as a query; `defaults` fill missing ones.
    ///
    /// # Errors
    /// A message, when a member is invalid.
    pub(crate) fn find(&self, defaults: &FindRequest) -> Result<FindRequest, String> {
        let query = self.get("query", "a text")?;
        let bool = |name| self.get::<bool>(name, "true or false");
        Ok(FindRequest {
            query: query.ok_or("query is missing: give a name, a part of a path, a few words or a question")?,
            limit: self.count("limit", "a whole number from 1 to 200", 0)?.unwrap_or(defaults.limit),
            implementation: bool("impl")?.unwrap_or(defaults.implementation),
            explain: bool("explain")?.unwrap_or(defaults.explain),
        })
    }
}

/// One line of output.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum FindReply<'a> {
    /// An answer, which may have no results.
    Found(WireFindAnswer<'a>),
    /// A failed request.
    Error(WireError<'a>),
}

/// An answer.
#[derive(Debug, Serialize)]
pub(crate) struct WireFindAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    status: &'static str,
    results: Vec<WireHit<'a>>,
    /// Reason why results may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    elapsed_us: u64,
}

#[derive(Debug, Serialize)]
struct WireHit<'a> {
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    score: f64,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explanation<'a>>,
}

/// Encodes the result of a query.
pub(crate) fn encode<'a>(id: Option<&'a RawValue>, roots: &'a [Root], asked: &'a TimedFindAnswer) -> FindReply<'a> {
    let answer = match &asked.answer {
        Ok(answer) => answer,
        Err(error) => return FindReply::Error(WireError::new(id, kind_of(error), error.to_string())),
    };
    let hit = |hit: &'a Hit| WireHit {
        path: path_text(&hit.path),
        root: (roots.len() > 1).then(|| roots[hit.root].given.as_str()),
        lossy: hit.path.is_lossy(),
        score: round_to(hit.score, 1),
        why: &hit.why,
        line: hit.line,
        explain: (!hit.contributions.is_empty()).then_some(Explanation(&hit.contributions)),
    };
    FindReply::Found(WireFindAnswer {
        id,
        status: status(answer),
        results: answer.hits.iter().map(hit).collect(),
        note: note(answer),
        elapsed_us: u64::try_from(asked.took.as_micros()).unwrap_or(u64::MAX),
    })
}

/// Returns `found` or `none`.
pub(crate) fn status(answer: &FindAnswer) -> &'static str {
    if answer.hits.is_empty() { "none" } else { "found" }
}

/// Returns why results may be missing: declarations that are still being read, or contents beyond the search limit. `None` for a strong
/// answer.
pub(crate) fn note(answer: &FindAnswer) -> Option<String> {
    if answer.strong {
        return None;
    }
    let (read, all) = answer.declared;
    let pending = (read < all).then(|| format!("declarations of {read} of {all} files are known so far"));
    let part = answer.searched.filter(|searched| searched.files < searched.of).map(|Extent { files, of, late }| {
        let until = if late { ", then time was up" } else { "" };
        format!("contents of {files} of {of} files were searched{until}")
    });
    let weak = (!answer.lacking.is_empty() && !answer.hits.is_empty())
        .then(|| format!("weak: the first result lacks {}", answer.lacking.join(", ")));
    let notes: Vec<String> = weak.into_iter().chain(pending).chain(part).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
