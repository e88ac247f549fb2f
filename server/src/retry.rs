//! Retry: a failed read, listing or stat, tried again on the paths that were meant, in turn.
//!
//! Only what changes nothing is tried: a write or an edit is never sent to another path than the one it named.

use pathfinder_core::{Answer, Candidate, Refusal, RelPath, Request, Status};

use crate::os::probe::contents::{Contents, ContentsError, Details, DirectoryListing, Window};
use crate::snapshot::WorkspaceSnapshot;

/// What was to be done with the path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Read lines of a file.
    Read(Window),
    /// List a directory.
    List,
    /// Say what an entry is.
    Stat,
}

/// In which order candidates are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// As they are ranked.
    #[default]
    BestFirst,
    /// By their score alone.
    ScoreDescending,
}

/// How to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) act: Act,
    pub(crate) strategy: Strategy,
    /// Nothing is tried below this confidence; 0 tries whatever there is. `None`: only what may be acted upon.
    pub(crate) min_confidence: Option<f32>,
    /// Candidates that are tried at most.
    pub(crate) most: usize,
}

impl Terms {
    /// The original's number of attempts.
    pub(crate) const MOST: usize = 5;

    /// Whether an answer is sure enough.
    fn accept(self, answer: &Answer) -> bool {
        self.min_confidence.map_or(answer.may_act, |least| answer.confidence >= least)
    }
}

/// What an act brought.
#[derive(Debug)]
pub(crate) enum Done {
    Read(Contents),
    Listed(DirectoryListing),
    Stat(Details),
}

/// A path that was tried in vain, and why.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) root: usize,
    pub(crate) path: RelPath,
    pub(crate) error: String,
}

/// How it came out.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The first that could be done, as the n-th attempt.
    Done { root: usize, path: RelPath, attempts: usize, done: Done },
    /// None could.
    AllFailed(Vec<Attempt>),
    /// Nothing was tried: the answer is not sure enough, or there is none.
    Unsure,
}

/// Tries what the answer to a request offers. The caller has taken out of it what may not be shown.
pub(crate) fn retry(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer, terms: Terms) -> Outcome {
    let evidence = request.evidence.as_deref();
    let order: Vec<(usize, RelPath)> = match (answer.status, &answer.path) {
        (Status::Exists, Some(path)) => vec![path.clone()],
        // The one that was meant is known, and it is none of the candidates.
        _ if matches!(answer.refusal, Some(Refusal::Ignored | Refusal::LeftOut | Refusal::OutsideRoot)) => {
            return Outcome::Unsure;
        }
        _ if answer.candidates.is_empty() || !sure(workspace, request, answer, terms) => return Outcome::Unsure,
        _ => {
            let mut candidates: Vec<&Candidate> = answer.candidates.iter().collect();
            if terms.strategy == Strategy::ScoreDescending {
                candidates.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.path.cmp(&right.path)));
            }
            candidates.iter().take(terms.most).map(|candidate| (candidate.root, candidate.path.clone())).collect()
        }
    };
    let mut failed = Vec::new();
    for (root, path) in order {
        match attempt(workspace, (root, &path), terms.act, evidence) {
            Ok(done) => return Outcome::Done { root, path, attempts: failed.len() + 1, done },
            Err(error) => failed.push(Attempt { root, path, error: error.to_string() }),
        }
        // The confidence was the first one's. What comes next is somebody's guess, unless the contents speak for it or
        // the caller wants to see all of them.
        if evidence.is_none() && terms.min_confidence != Some(0.0) {
            break;
        }
    }
    Outcome::AllFailed(failed)
}

/// Whether the first candidate is sure enough. Evidence that no candidate holds makes none of them sure, but those that
/// the name alone made sure are tried, so that the caller learns which they were.
fn sure(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer, terms: Terms) -> bool {
    if terms.accept(answer) {
        return true;
    }
    let Some(_) = &request.evidence else { return false };
    let by_name = Request { evidence: None, ..request.clone() };
    workspace.ask(&by_name).0.is_ok_and(|answer| terms.accept(&answer))
}

fn attempt(
    workspace: &WorkspaceSnapshot,
    (root, path): (usize, &RelPath),
    act: Act,
    evidence: Option<&str>,
) -> Result<Done, ContentsError> {
    let probe = workspace.probe();
    let done = match act {
        Act::Read(window) => Done::Read(probe.read(root, path, window)?),
        Act::List => {
            let known = |root: usize, entry: &[u8]| workspace.engine().roots()[root].snapshot.get(entry).is_some();
            Done::Listed(probe.list(root, path, &known)?)
        }
        Act::Stat => Done::Stat(probe.stat(root, path)?),
    };
    match evidence.map(|text| probe.search(root, path.as_bytes(), text)) {
        None | Some(Some(true)) => Ok(done),
        Some(Some(false)) => Err(ContentsError::Lacks),
        Some(None) => Err(ContentsError::Unsearchable),
    }
}
