//! Scores the caller's words among rivals: [`Feature::IntentRivals`] and [`Feature::IntentWhole`]. Called by `rank`.
//!
//! A word's rarity in the tree selects the plausible files. Between two of them, only words that one path has and the
//! other lacks matter. So rarity is counted again among the candidates that can still win: Okapi BM25 (Robertson et
//! al., 1994), with a candidate's path as the document and these candidates as the collection.
//!
//! Only for bare names: requested directories are stronger than words, and this would weaken them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{RankWeights, ScoredCandidate};
use crate::features::Feature;
use crate::prepared_query::PreparedQuery;
use crate::words::for_each_word;

/// Candidates further behind the first, in points, are no rivals: no intent in the cases is worth more.
const REACH_POINTS: f32 = 4.0;

/// BM25's usual values: the weight of repeated terms and the penalty for long paths.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Scales a rare word to about 1, as in other features.
const UNIT: f32 = 0.25;

/// Most words of one directory's name: `todos-flow`, `go-to-definition`.
const RUN_WORDS_MAX: usize = 3;

/// The terms of a candidate's path that the caller used: their numbers, each once, and the path's length in terms.
#[derive(Default)]
struct PathTerms {
    terms: Vec<usize>,
    length: usize,
}

impl PathTerms {
    fn add(&mut self, term: Option<&usize>) {
        self.length += 1;
        self.terms.extend(term.filter(|term| !self.terms.contains(term)));
    }
}

/// Sets the features of all candidates that can still win, and updates their scores.
pub(super) fn score_rivals(query: &PreparedQuery, list: &mut [ScoredCandidate<'_>], weights: &RankWeights) {
    let said = &query.intent.all;
    let bare = query.targets.iter().all(|target| target.directories.is_empty());
    if said.is_empty() || !bare || list.len() < 2 {
        return;
    }
    let first = list.iter().map(|scored| scored.raw).fold(f32::NEG_INFINITY, f32::max);
    let rivals: Vec<usize> = (0..list.len()).filter(|&at| list[at].raw >= first - REACH_POINTS).collect();
    let words = number_terms(said.iter().cloned());
    let runs = number_terms((1..=RUN_WORDS_MAX).flat_map(|length| said.windows(length).map(<[String]>::concat)));
    let texts = rivals.iter().map(|&at| collect_terms(&list[at], &words, &runs));
    let (names, directories): (Vec<PathTerms>, Vec<PathTerms>) = texts.unzip();
    let parts =
        [(Feature::IntentRivals, bm25(&names, words.len())), (Feature::IntentWhole, bm25(&directories, runs.len()))];
    for (place, &at) in rivals.iter().enumerate() {
        let scored = &mut list[at];
        for (feature, values) in &parts {
            scored.vector[*feature as usize] = UNIT * values[place];
        }
        scored.raw = weights.score(&scored.vector);
    }
}

/// Numbers the distinct terms in the order of their first use.
fn number_terms(terms: impl Iterator<Item = String>) -> FxHashMap<String, usize> {
    let mut seen = FxHashSet::default();
    let different: Vec<String> = terms.filter(|term| seen.insert(term.clone())).collect();
    different.into_iter().enumerate().map(|(at, term)| (term, at)).collect()
}

/// Returns the terms of a candidate's words, and of its whole directory names.
fn collect_terms(
    scored: &ScoredCandidate<'_>,
    words: &FxHashMap<String, usize>,
    runs: &FxHashMap<String, usize>,
) -> (PathTerms, PathTerms) {
    let (mut names, mut directories) = (PathTerms::default(), PathTerms::default());
    let path = scored.part.layer.path(scored.node);
    let mut segments = path.split(|&byte| byte == b'/').peekable();
    let mut whole = String::new();
    while let Some(segment) = segments.next() {
        whole.clear();
        for_each_word(segment, |word| {
            names.add(words.get(word));
            whole.push_str(word);
        });
        if segments.peek().is_some() {
            directories.add(runs.get(&whole));
        }
    }
    (names, directories)
}

/// Returns for each text the sum of its terms' rarity among the texts, less for long texts.
fn bm25(texts: &[PathTerms], terms: usize) -> Vec<f32> {
    let mut with = vec![0_usize; terms];
    texts.iter().flat_map(|text| &text.terms).for_each(|&term| with[term] += 1);
    let count = texts.len() as f32;
    let rarity = |&term: &usize| {
        let with = with[term] as f32;
        (1.0 + (count - with + 0.5) / (with + 0.5)).ln()
    };
    let mean = (texts.iter().map(|text| text.length).sum::<usize>() as f32 / count).max(1.0);
    let score = |text: &PathTerms| {
        let each = (K1 + 1.0) / (1.0 + K1 * (1.0 - B + B * text.length as f32 / mean));
        each * text.terms.iter().map(rarity).sum::<f32>()
    };
    texts.iter().map(score).collect()
}

#[cfg(test)]
mod tests;
