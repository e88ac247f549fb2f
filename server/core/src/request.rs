//! What is asked: a failed path and all that is known around it.

/// What the caller was about to do with the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Op {
    /// Read a file's contents.
    #[default]
    Read,
    /// List a directory.
    List,
    /// Ask whether it exists.
    Stat,
    /// Change a file that exists.
    Edit,
    /// Write a file that may be about to be created: never answered `resolved`.
    Write,
}

/// One question to the engine. Only `failed_path` is required.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The path that does not exist, exactly as it was written.
    pub failed_path: String,
    /// What it was wanted for.
    pub op: Op,
    /// A few words, or a sentence, on what the caller is doing.
    pub intent_text: String,
    /// A directory that the caller believes the file to be under, relative to a root.
    pub root_hint: Option<String>,
    /// The file in which the path was written, relative to a root or absolute.
    pub from_file: Option<String>,
    /// Recently used paths, oldest first.
    pub history: Vec<String>,
    /// Text that the meant file is known to contain.
    pub evidence: Option<String>,
    /// Whether the order is to be that of names and history alone, also where there is a model.
    pub lexical: bool,
    /// How many candidates to return at most.
    pub limit: usize,
    /// Whether to say what each candidate's score is made of.
    pub explain: bool,
}

impl Request {
    /// How many candidates are returned when the caller does not say: the original's default.
    pub const DEFAULT_LIMIT: usize = 10;

    /// A request with nothing but the path.
    pub fn new(failed_path: impl Into<String>) -> Self {
        Self { failed_path: failed_path.into(), limit: Self::DEFAULT_LIMIT, ..Self::default() }
    }
}
