//! `FindRequest` and `FindAnswer`: plain data in and out of `Engine::find`.

use super::content_search::Extent;
use crate::answer::Contribution;
use crate::path::RelPath;

/// A find request. Only the query is required.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FindRequest {
    /// A name, a part of a path, a pattern, a few words or a question.
    pub query: String,
    /// Most files to return.
    pub limit: usize,
    /// True to prefer code that does the work over headers, tests and documentation.
    pub implementation: bool,
    /// True to return the parts of each score.
    pub explain: bool,
    /// True to return the passage of the first file that answers, if the answer is strong.
    pub read: bool,
}

impl FindRequest {
    /// Limit that applies if the caller gives none.
    pub const DEFAULT_LIMIT: usize = 10;

    /// Creates a request with the default limit.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), limit: Self::DEFAULT_LIMIT, ..Self::default() }
    }

    /// Returns the words that the query needs, in lower case. A file whose contents lack all of them declares no
    /// requested name, except for typos.
    pub fn words(&self) -> Vec<String> {
        super::query_parser::needed_words(&self.query)
    }
}

/// A file that fits, or a directory.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// Position of its root in [`Engine::roots`](crate::Engine::roots).
    pub root: usize,
    /// Relative to that root; probed during this request.
    pub path: RelPath,
    /// 0–100, comparable within one answer.
    pub score: f32,
    /// The reason for the match, in a few words.
    pub why: String,
    /// Line in the file, counted from 1.
    pub line: Option<u32>,
    /// The parts of the score; empty unless requested.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub contributions: Vec<Contribution>,
}

/// The answer to a [`FindRequest`]; no hits mean that nothing matches.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FindAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Files whose declarations are indexed, and files in total.
    pub declared: (usize, usize),
    /// True if the best hit has strong evidence: further declarations would hardly change it.
    pub strong: bool,
    /// Extent of the content search; `None` if there was none.
    pub searched: Option<Extent>,
    /// True as long as contents are unread that may have better results.
    pub has_unread: bool,
    /// Files whose contents are indexed, and files in total, if the index has no room for all.
    pub indexed: Option<(usize, usize)>,
    /// True if the hits share words with the question and little says that they answer it.
    pub weak: bool,
    /// Words of the query that the best hit lacks, if the answer is not strong.
    pub lacking: Vec<String>,
    /// The passage of the best hit, if it was requested.
    pub passage: Option<Passage>,
}

/// Consecutive lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Passage {
    /// Number of the first line, counted from 1.
    pub line: u32,
    /// The lines, with their ends.
    pub text: String,
}
