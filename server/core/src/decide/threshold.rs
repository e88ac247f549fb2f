//! The confidence at which an answer is one path instead of a choice.

use super::input::DecisionInput;
use super::intent_signals;
use crate::features::Feature;
use crate::rank::Ranked;

/// Minimum confidence of an answer with one path instead of a choice. `models/ranking/calibrate.py` prints the cost on
/// repositories that the table was not fitted to; `BENCHMARKS.md` has the figures.
pub(super) const AUTO: f32 = 0.78;

/// Threshold for a request with directories and an intent, and for a bare name whose candidate the intent singles out
/// by its directory. Requests with directories are mostly about files that moved: 9 of 424 resolved renames were wrong.
pub(super) const AUTO_WITH_INTENT: f32 = 0.93;

/// Threshold for a bare name with an intent, if the candidate's path has less than half of the intent's words. One
/// shared word often belongs to a rival too: at 0.93 one answer in 21 to a commit's subject was wrong, at 0.96 one in
/// 45.
pub(super) const AUTO_FEW_WORDS: f32 = 0.96;

/// Threshold for a bare name, if the candidate's path has at least [`MOST_WORDS`] of the intent's words.
pub(super) const AUTO_MOST_WORDS: f32 = 0.9;

/// Share of the intent's words in the candidate's path. Three in four mutated requests reach it, and one in ten wrong
/// answers to commit subjects.
const MOST_WORDS: f32 = 0.5;

/// Returns the confidence at which the answer is one path. Three kinds of answers do not depend on the intent: a path
/// from history, a slip of the keyboard, and a name that only one file in the tree has.
pub(super) fn auto_threshold(input: &DecisionInput<'_>) -> f32 {
    let Some((first, others)) = input.ranked.split_first() else { return AUTO };
    let has_stem = |candidate: &Ranked| candidate.get(Feature::StemStyle) > 0.0;
    let slip = !has_stem(first) && first.get(Feature::StemTypo) > 0.0;
    let is_bare = input.query.targets[first.target].directories.is_empty();
    let only = first.get(Feature::NameExact) > 0.0 && is_bare && !others.iter().any(has_stem);
    if !intent_signals::has_intent(input) || first.get(Feature::Moved) > 0.0 || slip || only {
        AUTO
    } else if !is_bare {
        AUTO_WITH_INTENT
    } else if intent_signals::intent_share(input, first) >= MOST_WORDS {
        AUTO_MOST_WORDS
    } else if intent_signals::is_singled_out(input, first) {
        AUTO_WITH_INTENT
    } else {
        AUTO_FEW_WORDS
    }
}
