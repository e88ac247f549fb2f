//! Retries a failed read, listing or stat on the candidates of an answer. Called by the tool `tool_retry_with_resolve`.
//!
//! Only operations that change nothing are retried: a write or an edit never goes to another path than the one it named.

use pathfinder_core::{Answer, Candidate, Refusal, RelPath, Request, Status};
use serde::{Deserialize, Serialize};

use crate::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::probe::contents::{Contents, ContentsError, Details, DirectoryListing, Window};

/// Operation to retry.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum RetryAction {
    /// Read lines of a file.
    Read(Window),
    /// List a directory.
    List,
    /// Stat an entry.
    Stat,
}

/// Order in which candidates are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// By rank.
    #[default]
    BestFirst,
    /// By score alone.
    ScoreDescending,
}

/// Options of a retry.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RetryOptions {
    /// Operation that is tried on each candidate.
    pub action: RetryAction,
    /// Order of the candidates.
    pub strategy: Strategy,
    /// Minimum confidence; 0 tries all candidates. `None` tries only answers that may be acted upon.
    pub min_confidence: Option<f32>,
    /// Maximum number of candidates to try.
    pub max_attempts: usize,
}

impl RetryOptions {
    /// Default of the tool that this one is modelled on.
    pub const DEFAULT_MAX_ATTEMPTS: usize = 5;

    /// Returns whether an answer is sure enough.
    fn accepts(self, answer: &Answer) -> bool {
        self.min_confidence.map_or(answer.may_act, |minimum| answer.confidence >= minimum)
    }
}

/// Result of a successful operation.
#[derive(Debug, Serialize, Deserialize)]
pub enum ActionOutput {
    /// Contents of a file.
    Read(Contents),
    /// Entries of a directory.
    Listed(DirectoryListing),
    /// Size, kind and time of an entry.
    Stat(Details),
}

/// A path that failed, and the reason.
#[derive(Debug, Serialize, Deserialize)]
pub struct FailedAttempt {
    /// Number of the root.
    pub root: usize,
    /// The path that was tried, in that root.
    pub path: RelPath,
    /// Reason of the failure, for people.
    pub error: String,
}

/// Outcome of a retry.
#[derive(Debug, Serialize, Deserialize)]
pub enum RetryOutcome {
    /// The first success, with the number of attempts including it.
    Succeeded {
        /// Number of the root.
        root: usize,
        /// The candidate, in that root.
        path: RelPath,
        /// Number of attempts, from 1.
        attempts: usize,
        /// Result of the operation.
        output: ActionOutput,
    },
    /// All candidates failed.
    AllFailed(Vec<FailedAttempt>),
    /// Nothing was tried: there is no answer that is sure enough.
    Unsure,
}

/// Tries the candidates of an answer. The caller has removed those that may not be shown.
pub fn retry(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer, options: RetryOptions) -> RetryOutcome {
    let evidence = request.evidence.as_deref();
    let order: Vec<(usize, RelPath)> = match (answer.status, &answer.path) {
        (Status::Exists, Some(path)) => vec![path.clone()],
        // The right path is known, but it is not among the candidates.
        _ if matches!(answer.refusal, Some(Refusal::Ignored | Refusal::LeftOut | Refusal::OutsideRoot)) => {
            return RetryOutcome::Unsure;
        }
        _ if answer.candidates.is_empty() || !is_sure_enough(workspace, request, answer, options) => {
            return RetryOutcome::Unsure;
        }
        _ => {
            let mut candidates: Vec<&Candidate> = answer.candidates.iter().collect();
            if options.strategy == Strategy::ScoreDescending {
                candidates.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.path.cmp(&right.path)));
            }
            candidates
                .iter()
                .take(options.max_attempts)
                .map(|candidate| (candidate.root, candidate.path.clone()))
                .collect()
        }
    };
    let mut failed = Vec::new();
    for (root, path) in order {
        match attempt(workspace, (root, &path), options.action, evidence) {
            Ok(output) => return RetryOutcome::Succeeded { root, path, attempts: failed.len() + 1, output },
            Err(error) => failed.push(FailedAttempt { root, path, error: error.to_string() }),
        }
        // The confidence belongs to the first candidate. Another one is a guess unless the evidence supports it, or the caller wants all.
        if evidence.is_none() && options.min_confidence != Some(0.0) {
            break;
        }
    }
    RetryOutcome::AllFailed(failed)
}

/// Returns whether the first candidate is sure enough. Candidates that are sure by name are tried even if they lack the evidence, so
/// that the caller learns which they were.
fn is_sure_enough(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer, options: RetryOptions) -> bool {
    if options.accepts(answer) {
        return true;
    }
    let Some(_) = &request.evidence else { return false };
    let by_name = Request { evidence: None, ..request.clone() };
    workspace.ask(&by_name).0.is_ok_and(|answer| options.accepts(&answer))
}

fn attempt(
    workspace: &WorkspaceSnapshot,
    (root, path): (usize, &RelPath),
    action: RetryAction,
    evidence: Option<&str>,
) -> Result<ActionOutput, ContentsError> {
    let probe = workspace.probe();
    let output = match action {
        RetryAction::Read(window) => ActionOutput::Read(probe.read(root, path, window)?),
        RetryAction::List => {
            let known = |root: usize, entry: &[u8]| workspace.engine().roots()[root].snapshot.get(entry).is_some();
            ActionOutput::Listed(probe.list(root, path, &known)?)
        }
        RetryAction::Stat => ActionOutput::Stat(probe.stat(root, path)?),
    };
    match evidence.map(|text| probe.search(root, path.as_bytes(), text)) {
        None | Some(Some(true)) => Ok(output),
        Some(Some(false)) => Err(ContentsError::Lacks),
        Some(None) => Err(ContentsError::Unsearchable),
    }
}
