//! What is asked of find, and what is answered: plain data.

use super::content_search::Extent;
use crate::answer::Contribution;
use crate::path::RelPath;

/// One question. Only the query is required.
#[derive(Clone, Debug, Default)]
pub struct FindRequest {
    /// A name, a part of a path, a pattern, a few words or a question.
    pub query: String,
    /// How many files to answer with at most.
    pub limit: usize,
    /// Whether code that does the work is wanted rather than headers, tests and documentation.
    pub implementation: bool,
    /// Whether to say what each score is made of.
    pub explain: bool,
}

impl FindRequest {
    /// How many files are answered when the caller does not say.
    pub const DEFAULT_LIMIT: usize = 10;

    /// A request with nothing but the query.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), limit: Self::DEFAULT_LIMIT, ..Self::default() }
    }

    /// The words that the query needs, in lower case: a file that has none of them in its contents declares nothing that
    /// is asked for, but for typos.
    pub fn words(&self) -> Vec<String> {
        super::query_parser::needed_words(&self.query)
    }
}

/// A file that fits, or a directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Which root it is in.
    pub root: usize,
    /// Relative to that root; probed during this request.
    pub path: RelPath,
    /// 0–100, comparable within one answer.
    pub score: f32,
    /// A few words: what fits.
    pub why: String,
    /// Where in the file, counted from 1.
    pub line: Option<u32>,
    /// What the score is made of; empty unless asked for.
    pub contributions: Vec<Contribution>,
}

/// The answer to a [`FindRequest`]; without hits it is that there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct FindAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Of how many files it is known what they declare, and of how many it could be.
    pub declared: (usize, usize),
    /// Whether the best one has strong evidence: knowing more declarations would hardly change it.
    pub strong: bool,
    /// How far contents were searched, where they were.
    pub searched: Option<Extent>,
}
