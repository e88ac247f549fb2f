//! Ranks candidates by their contents where the caller's intent finds nothing in their paths that tells them apart. Called
//! by `Engine` for answers that would be a choice.
//!
//! A path with words of the intent is stronger evidence than a text with them, so contents order only the candidates that
//! the intent leaves equal by their paths.

use crate::decide::{TIE_POINTS, intent_points};
use crate::features::Feature;
use crate::path::RelPath;
use crate::prepared_query::PreparedQuery;
use crate::rank::{RankWeights, Ranked, sort_ranked};
use crate::similarity::POOL_MAX;

/// Compares an intent with the contents of files; `project` implements it.
pub trait IntentContents {
    /// Returns for each file (root and path) the degree to which its contents fit the intent, from 0; `None` if the
    /// contents are not known.
    fn fits(&self, intent: &str, files: &[(usize, &RelPath)]) -> Option<Vec<f32>>;
}

/// No contents are known.
impl IntentContents for () {
    fn fits(&self, _intent: &str, _files: &[(usize, &RelPath)]) -> Option<Vec<f32>> {
        None
    }
}

/// Candidates of a bare name further behind the first, in points, are not compared: no text is worth more.
const REACH_POINTS: f32 = 2.0;

/// Paths whose intent features differ by no more points say the same. A word in a path is worth more.
const SAME_POINTS: f32 = 0.1;

/// Adds the fit of contents to the candidates that the intent leaves equal, and sorts all. `ranked` is best first and
/// verified; `rest` follows it unverified. Returns false if there is nothing to compare, or contents are not known.
pub(crate) fn rank_by_contents(
    (intent, query): (&str, &PreparedQuery),
    (ranked, rest): (&mut Vec<Ranked>, &[Ranked]),
    there: impl Fn(&Ranked) -> bool,
    weights: &RankWeights,
    contents: &dyn IntentContents,
) -> bool {
    let Some(first) = ranked.first().filter(|_| !query.intent.words.is_empty()) else { return false };
    let is_bare = query.targets.iter().all(|target| target.directories.is_empty());
    let least = first.raw - if is_bare { REACH_POINTS } else { TIE_POINTS };
    let has_name = |candidate: &Ranked| candidate.get(Feature::StemStyle) > 0.0;
    let is_named = has_name(first);
    let can_win = |candidate: &Ranked| candidate.raw >= least;
    if ranked.iter().all(can_win) {
        let more = rest.iter().take_while(|candidate| can_win(candidate)).filter(|candidate| there(candidate));
        ranked.extend(more.take(POOL_MAX.saturating_sub(ranked.len())).cloned());
    }
    let pool: Vec<(usize, f32)> = (0..ranked.len().min(POOL_MAX))
        .filter(|&at| can_win(&ranked[at]) && has_name(&ranked[at]) == is_named)
        .map(|at| (at, intent_points(&ranked[at], weights)))
        .collect();
    let most = pool.iter().map(|one| one.1).fold(f32::NEG_INFINITY, f32::max);
    let equal: Vec<usize> = pool.into_iter().filter(|one| one.1 >= most - SAME_POINTS).map(|one| one.0).collect();
    if equal.len() < 2 {
        return false;
    }
    let files: Vec<(usize, &RelPath)> = equal.iter().map(|&at| (ranked[at].root, &ranked[at].path)).collect();
    let Some(fits) = contents.fits(intent, &files) else { return false };
    let best = fits.iter().copied().fold(0.0, f32::max);
    if best <= 0.0 || fits.len() != equal.len() {
        return false;
    }
    for (at, fit) in equal.into_iter().zip(fits) {
        ranked[at].vector[Feature::IntentContents as usize] = fit / best;
        ranked[at].raw = weights.score(&ranked[at].vector);
    }
    sort_ranked(ranked);
    true
}

#[cfg(test)]
mod tests;
