//! Questions to the engine and its answers: plain data, which one process can send to another.
//!
//! Explanations of scores are no part of a message, so requests for them are answered in the own process.

use std::path::PathBuf;
use std::time::Duration;

use pathfinder_core::{Answer, FindAnswer, FindRequest, RelPath, Request};
use serde::{Deserialize, Serialize};

use crate::suggestion::{Suggestion, SuggestionRequest};
use pathfinder_project::retry::{RetryOptions, RetryOutcome};
use pathfinder_project::snapshot::{AskError, Timing};
use pathfinder_project::workspace::WorkspaceError;
use pathfinder_protocol::answer::kind_of;
use pathfinder_protocol::paths::RootName;

/// A question of any kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum EngineRequest {
    /// Asks for the path that was meant.
    Resolve(Box<ResolveQuestion>),
    /// Asks for the files that answer a question.
    Find(FindQuestion),
    /// Tries the candidates of an answer.
    Retry(Box<RetryQuestion>),
    /// Asks what a mistyped path of an agent could be.
    Suggest(Box<SuggestQuestion>),
    /// Asks for the entries that complete a typed path.
    Complete(CompletionQuestion),
    /// Asks for the contents of a resource.
    ReadResource(ResourceQuestion),
    /// Asks for the entries of a directory.
    SummarizeDirectory(ExistingDirectory),
    /// Asks for the roots and their counts.
    Roots,
    /// Reads the roots anew.
    Reindex,
}

/// The answer to a question of any kind.
#[derive(Debug, Serialize, Deserialize)]
pub enum EngineReply {
    /// Answer to [`EngineRequest::Resolve`].
    Resolved(Box<Resolved>),
    /// Answer to [`EngineRequest::Find`].
    Found(Box<Found>),
    /// Answer to [`EngineRequest::Retry`].
    Retried(Box<Retried>),
    /// Answer to [`EngineRequest::Suggest`].
    Suggested(Box<Suggestion>),
    /// Answer to [`EngineRequest::Complete`].
    Completed(Completion),
    /// Answer to [`EngineRequest::ReadResource`].
    Resource(ResourceAnswer),
    /// Answer to [`EngineRequest::SummarizeDirectory`].
    Directory(Option<DirectorySummary>),
    /// Answer to [`EngineRequest::Roots`].
    Roots(Vec<RootStatus>),
    /// Answer to [`EngineRequest::Reindex`].
    Reindexed(ReindexCounts),
    /// The engine has no answer.
    Failed(EngineError),
}

/// Kind of the process that asks, which decides what may count and be named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// A command: its answer depends on no visited path. Waits until the roots are read.
    Command,
    /// An agent: paths that it used count, and withheld entries are not named.
    Agent,
}

/// Question for the right path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResolveQuestion {
    /// The request.
    pub request: Request,
    /// The reader of the answer.
    pub audience: Audience,
    /// The user's choice among the candidates of an earlier, otherwise equal question.
    pub chosen: Option<String>,
    /// True if the agent will use the path of a certain answer.
    pub is_used: bool,
}

/// Answer to a [`ResolveQuestion`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Resolved {
    /// The answer.
    pub answer: Answer,
    /// Time of each step.
    pub timing: Timing,
    /// The roots that the answer refers to by number.
    pub roots: Vec<RootName>,
    /// The deepest existing directory above the requested path. Only for agents.
    pub directory: Option<ExistingDirectory>,
}

/// Question for files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindQuestion {
    /// The request.
    pub request: FindRequest,
    /// The reader of the answer.
    pub audience: Audience,
}

/// Answer to a [`FindQuestion`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Found {
    /// The answer.
    pub answer: FindAnswer,
    /// Time of the whole question.
    pub took: Duration,
    /// The roots that the answer refers to by number.
    pub roots: Vec<RootName>,
}

/// Question to read, list or stat an entry under its right path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RetryQuestion {
    /// The request whose candidates are tried.
    pub request: Request,
    /// The operation and its limits.
    pub options: RetryOptions,
    /// The user's choice among the candidates of an earlier, otherwise equal question.
    pub chosen: Option<String>,
    /// True if the asking process was started with `--allow-ignored`.
    pub allow_ignored: bool,
}

/// Answer to a [`RetryQuestion`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Retried {
    /// The answer whose candidates were tried.
    pub resolved: Resolved,
    /// Outcome of the attempts.
    pub outcome: RetryResult,
}

/// Result of a retry.
#[derive(Debug, Serialize, Deserialize)]
pub enum RetryResult {
    /// The exactly named entry is withheld, for this reason.
    Withheld(String),
    /// Candidates were tried, or none was sure enough.
    Tried(RetryOutcome),
}

/// A hook's question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SuggestQuestion {
    /// The agent's directory, canonical.
    pub directory: PathBuf,
    /// The path and what was done with it.
    pub request: SuggestionRequest,
}

/// Question for the completion of a typed path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompletionQuestion {
    /// The path as typed so far.
    pub typed: String,
    /// True if completions are absolute paths without their leading slash, false if they are relative to their roots.
    pub is_absolute: bool,
}

/// Answer to a [`CompletionQuestion`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Completion {
    /// At most [`MAX_COMPLETIONS`](super::engine::MAX_COMPLETIONS).
    pub values: Vec<String>,
    /// True if more entries fit.
    pub has_more: bool,
}

/// Question for the contents of a resource.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResourceQuestion {
    /// Path of the resource.
    pub path: String,
    /// True if the asking process was started with `--allow-ignored`.
    pub allow_ignored: bool,
}

/// Contents of a resource, or the reason why there are none.
#[derive(Debug, Serialize, Deserialize)]
pub enum ResourceAnswer {
    /// Contents that are UTF-8.
    Text(String),
    /// Other contents.
    Bytes(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Names in a directory, one per line; those of directories end with `/`.
    Names(String),
    /// There is no such file.
    Missing {
        /// Reason for people.
        why: String,
        /// Absolute paths of entries that may be the requested one.
        candidates: Vec<String>,
    },
}

/// A directory that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExistingDirectory {
    /// Number of the root.
    pub root: usize,
    /// Path in that root.
    pub path: RelPath,
}

/// The names in a directory, or the first of them and the number of entries per extension.
#[derive(Debug, Serialize, Deserialize)]
pub struct DirectorySummary {
    /// Path of the directory.
    pub directory: String,
    /// Names of its entries.
    pub entries: Vec<String>,
    /// Number of further entries, if there are some.
    pub more: Option<usize>,
    /// Extensions with their numbers of entries. Only with `more`.
    pub endings: Vec<(String, usize)>,
}

/// State of a root.
#[derive(Debug, Serialize, Deserialize)]
pub struct RootStatus {
    /// Canonical path.
    pub path: String,
    /// True if `path` is not exact, because the real one is not UTF-8.
    pub is_lossy: bool,
    /// Number of files.
    pub files: usize,
    /// Number of directories.
    pub directories: usize,
    /// Number of directories that cannot be read.
    pub unreadable: usize,
    /// True if the root can no longer be read.
    pub is_gone: bool,
}

/// Result of reading the roots again.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ReindexCounts {
    /// Number of files.
    pub files: usize,
    /// Number of directories.
    pub directories: usize,
    /// Time of the work.
    pub took: Duration,
}

/// Reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct EngineError {
    /// Kind of the error.
    pub kind: EngineErrorKind,
    /// Message for people.
    pub message: String,
}

/// Kind of an [`EngineError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineErrorKind {
    /// The question is invalid.
    BadRequest,
    /// A root is no longer there.
    RootGone,
    /// The roots cannot be used.
    BadRoot,
    /// A defect of this program.
    Internal,
    /// This engine cannot answer, but another one may.
    Unanswered,
}

impl EngineErrorKind {
    /// Returns the name of the kind, as answers have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BadRequest => "BadRequest",
            Self::RootGone => "RootGone",
            Self::BadRoot => "BadRoot",
            Self::Internal | Self::Unanswered => "Internal",
        }
    }
}

impl EngineError {
    /// Creates the error of an engine that cannot answer although another one may.
    pub fn unanswered(message: impl Into<String>) -> Self {
        Self { kind: EngineErrorKind::Unanswered, message: message.into() }
    }

    /// Returns whether another engine may answer.
    pub fn may_be_answered_elsewhere(&self) -> bool {
        matches!(self.kind, EngineErrorKind::BadRoot | EngineErrorKind::Unanswered)
    }
}

impl From<AskError> for EngineError {
    fn from(error: AskError) -> Self {
        let kinds = [EngineErrorKind::BadRequest, EngineErrorKind::RootGone, EngineErrorKind::Internal];
        let kind = kinds.into_iter().find(|kind| kind.name() == kind_of(&error)).unwrap_or(EngineErrorKind::Internal);
        Self { kind, message: error.to_string() }
    }
}

impl From<WorkspaceError> for EngineError {
    fn from(error: WorkspaceError) -> Self {
        match error {
            WorkspaceError::Ask(error) => error.into(),
            WorkspaceError::Closed => Self::unanswered(error.to_string()),
            WorkspaceError::Roots(_) => Self { kind: EngineErrorKind::BadRoot, message: error.to_string() },
        }
    }
}

impl EngineReply {
    /// Returns whether each path names a root of the reply. A leader of this program sends no other replies.
    pub fn is_consistent(&self) -> bool {
        match self {
            Self::Resolved(resolved) => resolved.is_consistent(),
            Self::Retried(retried) => retried.is_consistent(),
            Self::Found(found) => found.answer.hits.iter().all(|hit| hit.root < found.roots.len()),
            _ => true,
        }
    }
}

impl Resolved {
    fn is_consistent(&self) -> bool {
        let Self { answer, roots, directory, .. } = self;
        let candidates = answer.candidates.iter().map(|candidate| candidate.root);
        let named = answer.path.iter().map(|(root, _)| *root).chain(directory.iter().map(|directory| directory.root));
        candidates.chain(named).all(|root| root < roots.len())
    }
}

impl Retried {
    fn is_consistent(&self) -> bool {
        let is_known = |root: usize| root < self.resolved.roots.len();
        self.resolved.is_consistent()
            && match &self.outcome {
                RetryResult::Tried(RetryOutcome::Succeeded { root, .. }) => is_known(*root),
                RetryResult::Tried(RetryOutcome::AllFailed(attempts)) => attempts.iter().all(|it| is_known(it.root)),
                RetryResult::Tried(RetryOutcome::Unsure) | RetryResult::Withheld(_) => true,
            }
    }
}
