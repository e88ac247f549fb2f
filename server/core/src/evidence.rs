//! Compares the caller's evidence, a text from the requested file, with the candidates' contents. Called by `Engine`
//! after verification.

use crate::decide::EvidenceMatch;
use crate::probe::Probe;
use crate::rank::Ranked;

/// Candidates that are read: reading is the most expensive part of a request.
const CANDIDATES_READ_MAX: usize = 10;

/// Moves the candidates that hold the text before the others, keeping the order otherwise. Candidates that cannot be
/// read (directories, links, large files) count as not holding it.
pub(crate) fn rank_by_evidence(text: &str, ranked: &mut [Ranked], probe: &dyn Probe) -> Option<EvidenceMatch> {
    let read = ranked.len().min(CANDIDATES_READ_MAX);
    if text.is_empty() || read == 0 {
        return None;
    }
    let holds: Vec<bool> = ranked[..read]
        .iter()
        .map(|candidate| probe.contains(candidate.root, candidate.path.as_bytes(), text) == Some(true))
        .collect();
    let count = holds.iter().filter(|&&holds| holds).count();
    let mut order: Vec<usize> = (0..read).collect();
    order.sort_by_key(|&at| !holds[at]);
    let sorted: Vec<Ranked> = order.into_iter().map(|at| ranked[at].clone()).collect();
    ranked[..read].clone_from_slice(&sorted);
    Some(match count {
        0 => EvidenceMatch::Absent,
        1 => EvidenceMatch::Only,
        _ => EvidenceMatch::Shared,
    })
}
