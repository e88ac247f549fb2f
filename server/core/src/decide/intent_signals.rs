//! Signals from the caller's intent and history: how they favour the first candidate over its rivals. Used by
//! `confidence`.
//!
//! An intent is a test of the answer: a candidate that fails it is worth less than one without an intent.

use super::input::DecisionInput;
use crate::distance::word_similarity;
use crate::features::Feature;
use crate::path;
use crate::rank::{RankWeights, Ranked};
use crate::words::{squash, words};

/// Features that come from the intent, and from the history.
const INTENT_FEATURES: [Feature; 7] = [
    Feature::IntentDirectory,
    Feature::IntentName,
    Feature::IntentVague,
    Feature::IntentTight,
    Feature::IntentTelling,
    Feature::IntentRivals,
    Feature::IntentWhole,
];
const HISTORY_FEATURES: [Feature; 3] = [Feature::HistoryParent, Feature::HistoryNear, Feature::HistorySelf];

/// A lead of more than one word: beyond it the answers keep improving, below it they hardly differ.
const STRONG_POINTS: f32 = 2.0;
/// Largest lead, in points, that counts.
const LEAD_MAX: f32 = 5.0;
/// Largest lead by history, in points, that counts: a file beside the newest path has about 2.5.
const USED_MAX: f32 = 2.0;
/// Minimum points at which history favours a candidate.
const USED_MIN: f32 = 0.3;
/// Rivals to compare with if no other candidate has the first one's stem.
const RIVALS_MAX: usize = 3;

/// Names of [`values`], in order. All are 0 without an intent, or without a history.
pub(super) const NAMES: [&str; 8] = [
    // Points by which the intent favours the first candidate over its best rival; points beyond `STRONG_POINTS`; points
    // in the rival's favour.
    "said_lead",
    "said_strong",
    "said_against",
    // Share of the words that its path has.
    "said_share",
    // One of the words is a directory name of the first candidate and of no rival.
    "said_only",
    // None of the words is in its path.
    "said_nothing",
    // Points by which history favours the first candidate over its best rival; whether it does.
    "used_lead",
    "used",
];

/// Returns whether the caller gave an intent with informative words.
pub(super) fn has_intent(input: &DecisionInput<'_>) -> bool {
    !input.query.intent.words.is_empty()
}

/// Values of the signals in [`NAMES`].
pub(super) fn values(input: &DecisionInput<'_>, first: &Ranked) -> [f32; NAMES.len()] {
    let rivals = rivals(input, first);
    let lead = |features: &[Feature]| {
        let best = rivals.iter().map(|rival| points(rival, features, input.weights)).fold(0.0, f32::max);
        points(first, features, input.weights) - best
    };
    let flag = |yes: bool| f32::from(u8::from(yes));
    let (mut said, mut share, mut only, mut nothing) = (0.0, 0.0, false, false);
    if has_intent(input) {
        said = lead(&INTENT_FEATURES);
        share = intent_share(input, first);
        let own = literal_words(input, first);
        only = rivals.iter().fold(own, |left, rival| left & !literal_words(input, rival)) != 0;
        nothing = intent_points(first, input.weights) <= 0.0;
    }
    let used = lead(&HISTORY_FEATURES);
    [
        said.clamp(0.0, LEAD_MAX),
        (said - STRONG_POINTS).clamp(0.0, LEAD_MAX - STRONG_POINTS),
        (-said).clamp(0.0, LEAD_MAX),
        share,
        flag(only),
        flag(nothing),
        used.clamp(0.0, USED_MAX),
        flag(used > USED_MIN),
    ]
}

/// Returns whether the intent has the name of the first candidate's parent directory, letter for letter, and no word
/// that only a rival's path has. "reranker" identifies one of several `client.go`.
pub(super) fn is_singled_out(input: &DecisionInput<'_>, first: &Ranked) -> bool {
    let path = first.path.as_bytes();
    let parent = path.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |end| &path[..end]);
    let parent = squash(path::name(parent));
    let named = input.query.intent.words.iter().position(|said| said.word.as_bytes() == parent);
    let own = literal_words(input, first);
    let others = rivals(input, first).iter().fold(0, |set, rival| set | literal_words(input, rival));
    named.is_some_and(|at| others >> at & 1 == 0) && others & !own == 0
}

/// Returns the candidates that the first one could be confused with.
fn rivals<'a>(input: &'a DecisionInput<'_>, first: &Ranked) -> Vec<&'a Ranked> {
    let others = input.ranked.iter().skip(1);
    if first.get(Feature::StemStyle) > 0.0 {
        others.filter(|other| other.get(Feature::StemStyle) > 0.0).collect()
    } else {
        others.take(RIVALS_MAX).collect()
    }
}

/// Returns the points that the intent gives to a candidate's path.
pub(crate) fn intent_points(candidate: &Ranked, weights: &RankWeights) -> f32 {
    points(candidate, &INTENT_FEATURES, weights)
}

fn points(candidate: &Ranked, features: &[Feature], weights: &RankWeights) -> f32 {
    features.iter().map(|&feature| weights.get(feature) * candidate.get(feature)).sum()
}

/// Returns the share of the intent's words that the candidate's path has, inflected or not.
pub(super) fn intent_share(input: &DecisionInput<'_>, first: &Ranked) -> f32 {
    let path = words(first.path.as_bytes());
    let intent = &input.query.intent.words;
    // 0.8 as for mentions: inflections count, prefixes do not.
    let there = intent.iter().filter(|said| path.iter().any(|word| word_similarity(&said.word, word) >= 0.8)).count();
    there as f32 / intent.len() as f32
}

/// Returns the set of intent words that a directory of the candidate has literally, or equals as a whole.
fn literal_words(input: &DecisionInput<'_>, candidate: &Ranked) -> u64 {
    let mut set = 0;
    let path = candidate.path.as_bytes();
    let directories = path.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |end| &path[..end]);
    for directory in directories.split(|&byte| byte == b'/') {
        let (words, whole) = (words(directory), squash(directory));
        for (at, said) in input.query.intent.words.iter().enumerate() {
            if whole == said.word.as_bytes() || words.contains(&said.word) {
                set |= 1 << at;
            }
        }
    }
    set
}
