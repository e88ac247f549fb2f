//! `Request`: the input of `Engine::resolve`: a failed path and its context.

/// Most candidates that get full features, per part of a snapshot, and that a request may ask for; the original's number.
pub const CANDIDATES_MAX: usize = 200;

/// The operation that the caller wanted to do with the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Op {
    /// Read a file's contents.
    #[default]
    Read,
    /// List a directory.
    List,
    /// Check whether it exists.
    Stat,
    /// Change a file that exists.
    Edit,
    /// Write a file that may be new: never answered `resolved`.
    Write,
}

/// One request to the engine. Only `failed_path` is required.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Request {
    /// The path that does not exist, exactly as it was written.
    pub failed_path: String,
    /// The intended operation.
    pub op: Op,
    /// A few words, or a sentence, on what the caller is doing.
    pub intent_text: String,
    /// A directory under which the caller expects the file, relative to a root.
    pub root_hint: Option<String>,
    /// The file in which the path was written, relative to a root or absolute.
    pub from_file: Option<String>,
    /// Recently used paths, oldest first.
    pub history: Vec<String>,
    /// Text that the wanted file is known to contain.
    pub evidence: Option<String>,
    /// True to rank by names and history alone, without a model.
    pub lexical: bool,
    /// Maximum number of candidates to return.
    pub limit: usize,
    /// True to return the parts of each candidate's score.
    pub explain: bool,
}

impl Request {
    /// Candidates that are returned by default, as in the original.
    pub const DEFAULT_LIMIT: usize = 10;

    /// A request with only the path.
    pub fn new(failed_path: impl Into<String>) -> Self {
        Self { failed_path: failed_path.into(), limit: Self::DEFAULT_LIMIT, ..Self::default() }
    }
}
