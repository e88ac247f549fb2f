//! JSON of `find`: decodes `{"id"?,"query","limit"?,"read"?}` and encodes `{"id"?,"status","results"}`.

use std::time::Duration;

use pathfinder_core::find::{Extent, Passage};
use pathfinder_core::{FindAnswer, FindRequest, Hit};
use serde::Serialize;
use serde_json::value::RawValue;

use super::answer::{Explanation, WirePath, round_to};
use super::paths::RootName;
use super::request::Fields;

impl Fields<'_> {
    /// Decodes the members as a query; `defaults` fill missing ones.
    ///
    /// # Errors
    /// A message, when a member is invalid.
    pub fn find(&self, defaults: &FindRequest) -> Result<FindRequest, String> {
        let query = self.get("query", "a text")?;
        let bool = |name| self.get::<bool>(name, "true or false");
        Ok(FindRequest {
            query: query.ok_or("query is missing: give a name, a part of a path, a few words or a question")?,
            limit: self.count("limit", "a whole number from 1 to 200", 0)?.unwrap_or(defaults.limit),
            implementation: bool("impl")?.unwrap_or(defaults.implementation),
            explain: bool("explain")?.unwrap_or(defaults.explain),
            read: bool("read")?.unwrap_or(defaults.read),
        })
    }
}

/// An answer, which may have no results.
#[derive(Debug, Serialize)]
pub struct WireFindAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    status: &'static str,
    results: Vec<WireHit<'a>>,
    /// The lines of the first result that answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    passage: Option<WirePassage<'a>>,
    /// Reason why results may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    elapsed_us: u64,
}

#[derive(Debug, Serialize)]
struct WireHit<'a> {
    #[serde(flatten)]
    path: WirePath<'a>,
    score: f64,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explanation<'a>>,
}

/// Consecutive lines of a file.
#[derive(Debug, Serialize)]
pub struct WirePassage<'a> {
    line: u32,
    text: &'a str,
}

impl<'a> WirePassage<'a> {
    /// Encodes a passage.
    pub fn new(passage: &'a Passage) -> Self {
        Self { line: passage.line, text: &passage.text }
    }
}

/// Encodes the answer to a query, which took this time.
pub fn encode<'a>(
    id: Option<&'a RawValue>,
    roots: &'a [RootName],
    answer: &'a FindAnswer,
    elapsed: Duration,
) -> WireFindAnswer<'a> {
    let hit = |hit: &'a Hit| WireHit {
        path: WirePath::new(roots, hit.root, &hit.path),
        score: round_to(hit.score, 1),
        why: &hit.why,
        line: hit.line,
        explain: (!hit.contributions.is_empty()).then_some(Explanation(&hit.contributions)),
    };
    WireFindAnswer {
        id,
        status: status(answer),
        results: answer.hits.iter().map(hit).collect(),
        passage: answer.passage.as_ref().map(WirePassage::new),
        note: note(answer),
        elapsed_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
    }
}

/// Returns `found` or `none`.
pub fn status(answer: &FindAnswer) -> &'static str {
    if answer.hits.is_empty() { "none" } else { "found" }
}

/// Returns why results may be missing: declarations or contents that are still being read, or contents beyond a limit. For a
/// strong answer, only the limit of the content index.
pub fn note(answer: &FindAnswer) -> Option<String> {
    let limited = answer.indexed.map(|(files, of)| {
        format!("contents of {files} of {of} files are indexed, recent files and asked directories first")
    });
    if answer.strong {
        return limited;
    }
    let (read, all) = answer.declared;
    let pending = (read < all).then(|| format!("declarations of {read} of {all} files are known so far"));
    let part = answer.searched.filter(|searched| searched.files < searched.of).map(|Extent { files, of, late }| {
        let until = if late { ", then time was up" } else { "" };
        format!("contents of {files} of {of} files were searched{until}")
    });
    let weak = (answer.weak && !answer.hits.is_empty()).then(|| match answer.lacking.as_slice() {
        [] => "weak: the results may only share words with the question".to_owned(),
        lacking => format!("weak: the first result lacks {}", lacking.join(", ")),
    });
    // Before that there is nothing of contents to ask for.
    let unread = (answer.has_unread && pending.is_none()).then(|| "not all contents are read yet".to_owned());
    let notes: Vec<String> = weak.into_iter().chain(pending).chain(unread).chain(part).chain(limited).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strong answer has no note.
    #[track_caller]
    fn check_note(declared: (usize, usize), has_unread: bool, lacking: &[&str], expect: Option<&str>) {
        let lacking: Vec<String> = lacking.iter().map(|&word| word.to_owned()).collect();
        let answer = FindAnswer {
            hits: Vec::new(),
            declared,
            strong: false,
            searched: None,
            has_unread,
            indexed: None,
            weak: !lacking.is_empty(),
            lacking,
            passage: None,
        };
        assert_eq!(note(&answer).as_deref(), expect);
        assert_eq!(note(&FindAnswer { strong: true, ..answer }), None);
    }

    /// As long as something is unread, no results are not the last word.
    #[test]
    fn notes_what_is_unread() {
        check_note((3, 3), false, &[], None);
        check_note((3, 3), true, &[], Some("not all contents are read yet"));
        check_note((1, 3), true, &[], Some("declarations of 1 of 3 files are known so far"));
        check_note((0, 3), true, &[], Some("declarations of 0 of 3 files are known so far"));
        check_note((3, 3), false, &["word"], None);
    }

    /// The limit of the content index is said with any answer.
    #[test]
    fn notes_what_is_left_out() {
        let weak = FindAnswer {
            hits: Vec::new(),
            declared: (3, 3),
            strong: false,
            searched: None,
            has_unread: false,
            indexed: Some((2, 3)),
            weak: false,
            lacking: Vec::new(),
            passage: None,
        };
        let limited = "contents of 2 of 3 files are indexed, recent files and asked directories first";
        assert_eq!(note(&weak).as_deref(), Some(limited));
        assert_eq!(note(&FindAnswer { strong: true, ..weak.clone() }).as_deref(), Some(limited));
        let unread = ["not all contents are read yet; ", limited].concat();
        assert_eq!(note(&FindAnswer { has_unread: true, ..weak }), Some(unread));
    }

    /// Contents that share words with a question are no answer that can be relied on.
    #[test]
    fn notes_weak_answers() {
        let hit =
            Hit { root: 0, path: "a".into(), score: 1.0, why: String::new(), line: None, contributions: Vec::new() };
        let answer = FindAnswer {
            hits: vec![hit],
            declared: (3, 3),
            strong: false,
            searched: None,
            has_unread: false,
            indexed: None,
            weak: true,
            lacking: Vec::new(),
            passage: None,
        };
        assert_eq!(note(&answer).as_deref(), Some("weak: the results may only share words with the question"));
        let lacking = FindAnswer { lacking: vec!["redis".to_owned()], ..answer.clone() };
        assert_eq!(note(&lacking).as_deref(), Some("weak: the first result lacks redis"));
        assert_eq!(note(&FindAnswer { weak: false, ..answer }), None);
    }
}
