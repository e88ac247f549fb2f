//! Ranks candidates by their contents where the caller's intent finds nothing in their paths that tells them apart. Called
//! by `Engine` for answers that would be a choice.
//!
//! A path with words of the intent is stronger evidence than a text with them, so contents order only the candidates that
//! the intent leaves nearly equal by their paths.

use crate::decide::{TIE_POINTS, intent_points};
use crate::features::Feature;
use crate::path::RelPath;
use crate::prepared_query::PreparedQuery;
use crate::rank::{RankWeights, Ranked};
use crate::similarity::POOL_MAX;

/// Compares an intent with the contents of files; `project` implements it.
pub trait IntentContents {
    /// Returns for each file (root and path) the degree to which its contents fit the intent, from 0; `None` if the
    /// contents are not known.
    fn fits(&self, intent: &str, files: &[(usize, &RelPath)]) -> Option<Vec<f32>>;

    /// Returns for each file the set of these names (at most 64) that it declares. Files that are not read declare none.
    fn declared(&self, names: &[&str], files: &[(usize, &RelPath)]) -> Vec<u64>;
}

/// No contents are known.
impl IntentContents for () {
    fn fits(&self, _intent: &str, _files: &[(usize, &RelPath)]) -> Option<Vec<f32>> {
        None
    }

    fn declared(&self, _names: &[&str], files: &[(usize, &RelPath)]) -> Vec<u64> {
        vec![0; files.len()]
    }
}

/// Candidates of a bare name further behind the first, in points, are not compared: no text is worth more.
const REACH_POINTS: f32 = 2.0;

/// Paths whose intent features differ by no more points say nearly the same. A word in a path is worth more, a likeness of words
/// less. With 0.5 to 2, more first answers are right than with 0.1 (`tests/bench/intents.py`).
const SAME_POINTS: f32 = 1.0;

/// Points of the best fit. From 1.5 to 4, as many first answers are right (`tests/bench/intents.py`).
const CONTENT_POINTS: f32 = 2.0;

/// Sorts the candidates, those with the name that the intent leaves nearly equal by the fit of their contents too. `ranked` is
/// best first and verified; `rest` follows it unverified. Returns false if there is nothing to compare, or contents are not
/// known.
pub(crate) fn rank_by_contents(
    (intent, query): (&str, &PreparedQuery),
    (ranked, rest): (&mut Vec<Ranked>, &[Ranked]),
    there: impl Fn(&Ranked) -> bool,
    weights: &RankWeights,
    contents: &dyn IntentContents,
) -> bool {
    let has_name = |candidate: &Ranked| candidate.get(Feature::StemStyle) > 0.0;
    let Some(first) = ranked.first().filter(|first| has_name(first) && !query.intent.words.is_empty()) else {
        return false;
    };
    let is_bare = query.targets.iter().all(|target| target.directories.is_empty());
    let least = first.raw - if is_bare { REACH_POINTS } else { TIE_POINTS };
    let can_win = |candidate: &Ranked| candidate.raw >= least;
    if ranked.iter().all(can_win) {
        let more = rest.iter().take_while(|candidate| can_win(candidate)).filter(|candidate| there(candidate));
        ranked.extend(more.take(POOL_MAX.saturating_sub(ranked.len())).cloned());
    }
    // A file with the asked extension is asked for; contents of others say nothing about it.
    let is_whole = |candidate: &Ranked| candidate.get(Feature::NameStyle) > 0.0;
    let some_whole = ranked.iter().any(|candidate| can_win(candidate) && is_whole(candidate));
    let pool: Vec<(usize, f32)> = (0..ranked.len().min(POOL_MAX))
        .filter(|&at| can_win(&ranked[at]) && has_name(&ranked[at]) && (is_whole(&ranked[at]) || !some_whole))
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
    let points = equal.into_iter().zip(fits.into_iter().map(|fit| CONTENT_POINTS * fit / best));
    reorder(ranked, points);
    true
}

/// Sorts the candidates with these more points, by position. The order becomes no clearer by it: each place keeps its points.
pub(crate) fn reorder(ranked: &mut Vec<Ranked>, points: impl Iterator<Item = (usize, f32)>) {
    let before: Vec<f32> = ranked.iter().map(|candidate| candidate.raw).collect();
    for (at, more) in points {
        ranked[at].raw += more;
    }
    let by_path: Vec<f32> = sort_with(ranked, &before);
    for (candidate, (place, own)) in ranked.iter_mut().zip(before.into_iter().zip(by_path)) {
        candidate.vector[Feature::IntentContents as usize] = place - own;
        candidate.raw = place;
    }
}

/// Sorts best first, and `points` with them.
fn sort_with(ranked: &mut Vec<Ranked>, points: &[f32]) -> Vec<f32> {
    let mut order: Vec<usize> = (0..ranked.len()).collect();
    order.sort_by(|&left, &right| {
        let (left, right) = (&ranked[left], &ranked[right]);
        right.raw.total_cmp(&left.raw).then_with(|| (&left.path, left.root).cmp(&(&right.path, right.root)))
    });
    *ranked = order.iter().map(|&at| ranked[at].clone()).collect();
    order.into_iter().map(|at| points[at]).collect()
}

#[cfg(test)]
mod tests;
