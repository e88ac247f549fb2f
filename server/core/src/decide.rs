//! Turns ranked, verified candidates into an answer: status, confidence and explanation. Called by `Engine` as the last
//! stage.
//!
//! # Confidence
//!
//! Confidence is a logistic regression over a few signals, with one set of weights per kind of match: only a name was
//! asked for; the name is equal; it is a typo; anything else. The first two kinds have a second set for requests with
//! an intent. The table is fitted to wrong paths with a known answer, bare names with a slip, and files that were left
//! out of their trees. The sign of a weight is fixed where only one sign makes sense. Candidates that no signal
//! separates share the probability.

mod auto_action;
mod caps;
mod confidence;
mod convention;
mod decision_trees;
mod difference;
mod directory_kind;
mod explanation;
mod floor;
mod intent_signals;
mod next_question;
mod usage;
mod visibility;

use crate::answer::{Answer, Candidate, Refusal, Status};
use crate::corpus::Corpus;
use crate::features::Feature;
use crate::history_lookup::HistoryMatch;
use crate::path::RelPath;
use crate::prepared_query::PreparedQuery;
use crate::query::{Note, Reading, parse_position};
use crate::rank::{RankWeights, Ranked};
use crate::request::Op;

pub(crate) use confidence::Calibration;
use confidence::Signals;

/// Minimum confidence of an answer with one path instead of a choice. `models/ranking/calibrate.py` prints the cost on
/// repositories that the table was not fitted to; `BENCHMARKS.md` has the figures.
pub(crate) const AUTO: f32 = 0.78;

/// Threshold for a request with directories and an intent, and for a bare name whose candidate the intent singles out
/// by its directory. Requests with directories are mostly about files that moved: 9 of 424 resolved renames were wrong.
const AUTO_WITH_INTENT: f32 = 0.93;

/// Threshold for a bare name with an intent, if the candidate's path has less than half of the intent's words. One
/// shared word often belongs to a rival too: at 0.93 one answer in 21 to a commit's subject was wrong, at 0.96 one in
/// 45.
const AUTO_FEW_WORDS: f32 = 0.96;

/// Threshold for a bare name, if the candidate's path has at least [`MOST_WORDS`] of the intent's words.
const AUTO_MOST_WORDS: f32 = 0.9;

/// Share of the intent's words in the candidate's path. Three in four mutated requests reach it, and one in ten wrong
/// answers to commit subjects.
const MOST_WORDS: f32 = 0.5;

/// Candidates with a smaller score difference are tied: one segment more or less is 0.1.
const TIE_POINTS: f32 = 0.05;

/// Minimum confidence of a plausible candidate: one in twenty candidates at this value is correct.
const PLAUSIBLE: f32 = 0.05;

/// Minimum confidence where history records that the path was deleted: a similar name has to outweigh that record.
const PLAUSIBLE_AFTER_DELETION: f32 = 0.15;

/// Everything that [`decide`] looks at.
pub(crate) struct DecisionInput<'a> {
    pub(crate) query: &'a PreparedQuery,
    pub(crate) readings: &'a [Reading],
    /// Best first, all verified.
    pub(crate) ranked: &'a [Ranked],
    /// The weights that ranked them.
    pub(crate) weights: &'a RankWeights,
    /// The refusal to report if there is no candidate.
    pub(crate) refusal: Refusal,
    /// True if the requested path exists but cannot be answered: it is ignored or not checked out. No other file can be
    /// the right one.
    pub(crate) is_withheld: bool,
    /// The result of the history lookup.
    pub(crate) history: Option<HistoryMatch>,
    /// True if the first candidate holds the caller's evidence; `None` without evidence.
    pub(crate) evidence: Option<EvidenceMatch>,
    /// Word statistics and snapshots of all roots.
    pub(crate) corpus: Corpus<'a>,
    /// Files of all roots.
    pub(crate) files: usize,
    /// True if the first candidate is a directory although the request reads a file.
    pub(crate) is_directory: bool,
    /// The outcome of reranking; `None` if no model was asked.
    pub(crate) rerank: Option<RerankOutcome>,
}

impl DecisionInput<'_> {
    /// The line and column behind the requested path, if the first candidate's reading strips them.
    pub(crate) fn position(&self, failed_path: &str) -> Option<(u32, Option<u32>)> {
        let reading = &self.readings[self.query.targets[self.ranked.first()?.target].reading];
        reading.notes.contains(&Note::LineSuffix).then(|| parse_position(failed_path))?
    }
}

/// True if the first candidate's contents match the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvidenceMatch {
    /// Only the first candidate holds the text.
    Only,
    /// The first candidate and others hold the text.
    Shared,
    /// No candidate that could be read holds the text.
    Absent,
}

/// The effect of a model on the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RerankOutcome {
    /// True if the order of the returned candidates changed.
    pub(crate) is_reordered: bool,
    /// True if the first candidate changed.
    pub(crate) is_first_changed: bool,
    /// Upper limit of the confidence: the confidence before reranking, unless confidence was fitted to this model.
    pub(crate) max_confidence: f32,
}

/// The assessment of the first candidate.
struct Assessment {
    signals: Option<Signals>,
    /// Upper limit of its confidence.
    max_confidence: f32,
    /// Confidence before mapping, as the thresholds compare it. [`Calibration::reported`] maps it for the answer and
    /// keeps the thresholds in place.
    confidence: f32,
    status: Status,
}

/// Computes confidence and status of the first candidate.
fn assess(input: &DecisionInput<'_>, calibration: &Calibration) -> Assessment {
    let signals = Signals::new(input);
    // Tied candidates share the probability equally.
    let tied = input.ranked.iter().filter(|other| other.raw > input.ranked[0].raw - TIE_POINTS).count().max(1);
    let max_confidence =
        input.ranked.first().map_or(0.0, |first| caps::max_confidence(input, first).min(1.0 / tied as f32));
    let min_confidence = input.ranked.first().map_or(0.0, |first| floor::min_confidence(input, first));
    let confidence =
        signals.as_ref().map_or(0.0, |signals| calibration.confidence(signals)).max(min_confidence).min(max_confidence);
    // The right file is known, and it is none of the candidates.
    let confidence = if input.is_withheld { 0.0 } else { confidence };
    let confidence =
        input.history.as_ref().map_or(confidence, |history_match| apply_history(history_match, input, confidence));
    let confidence = match (confidence, input.evidence) {
        // Contents decide between matching names, not for a name that does not match. The candidate that has the text
        // gets the share of those that lack it.
        (confidence, Some(EvidenceMatch::Only)) => confidence.max((tied.max(2) as f32 * confidence).min(0.97)),
        (confidence, None | Some(EvidenceMatch::Shared)) => confidence,
        (confidence, Some(EvidenceMatch::Absent)) => confidence.min(AUTO / 2.0),
    };
    let confidence = input.rerank.map_or(confidence, |rerank| confidence.min(rerank.max_confidence));
    let is_deleted = input.history.as_ref().is_some_and(|history_match| history_match.to.is_none());
    let plausible = if is_deleted { PLAUSIBLE_AFTER_DELETION } else { PLAUSIBLE };
    let status = match input.ranked.first() {
        None => Status::NotFound,
        Some(_) if input.is_withheld => Status::NotFound,
        // A candidate that only lies nearby, or was used lately, is not a choice.
        Some(first) if confidence < auto_threshold(input) && !visibility::is_plausible(input, first) => {
            Status::NotFound
        }
        // A candidate with the exact name always is a choice, and a choice stays one after a model has reordered the
        // candidates.
        Some(first) if confidence < plausible && first.get(Feature::StemStyle) == 0.0 && input.rerank.is_none() => {
            Status::NotFound
        }
        Some(_) if confidence >= auto_threshold(input) && input.query.op != Op::Write => Status::Resolved,
        Some(_) => Status::Ambiguous,
    };
    Assessment { signals, max_confidence, confidence, status }
}

/// Returns the confidence if the answer is ambiguous; `None` if it is certain or nothing is plausible. A model is asked
/// only in between: the original's cut-offs of 50 and 30 points, expressed as confidence. `BENCHMARKS.md` has the
/// figures on either side.
pub(crate) fn ambiguous_confidence(input: &DecisionInput<'_>, calibration: &Calibration) -> Option<f32> {
    let assessment = assess(input, calibration);
    (assessment.status == Status::Ambiguous).then_some(assessment.confidence)
}

/// Builds the answer. `shown` are the best candidates, up to the caller's limit; `encode` converts one for the answer.
pub(crate) fn decide(
    input: &DecisionInput<'_>,
    calibration: &Calibration,
    shown: &[Ranked],
    encode: impl Fn(&Ranked) -> Candidate,
    explain: bool,
) -> Answer {
    let assessment = assess(input, calibration);
    let may_act = auto_action::may_act(input, &assessment);
    let Assessment { signals, max_confidence, confidence: unmapped, status } = assessment;
    let confidence = if unmapped < max_confidence { calibration.reported(unmapped) } else { unmapped };
    let path = match (status, input.ranked.first()) {
        (Status::Resolved, Some(first)) => Some((first.root, first.path.clone())),
        _ => None,
    };
    // An explanation also shows the candidates that the answer leaves out.
    let shown = shown.iter().filter(|candidate| explain || visibility::is_shown(input, status, candidate));
    let candidates = shown.map(encode).collect();
    let refusal = match status {
        Status::Exists | Status::Resolved => None,
        Status::Ambiguous => Some(Refusal::Ambiguous),
        Status::NotFound if input.history.as_ref().is_some_and(|history_match| history_match.to.is_none()) => {
            Some(Refusal::Deleted)
        }
        Status::NotFound => Some(input.refusal),
    };
    let next_question = if status == Status::Ambiguous { next_question::next_question(input) } else { None };
    let mut why = explanation::explain(input, status, confidence);
    if input.rerank.is_some_and(|rerank| rerank.is_first_changed) && status != Status::NotFound {
        why.push_str("; first by meaning");
    }
    let mut signals = signals.filter(|_| explain).map(|signals| signals.by_name()).unwrap_or_default();
    if !signals.is_empty() {
        signals.extend([
            ("most", max_confidence),
            ("bar", auto_threshold(input)),
            ("may_act", f32::from(u8::from(may_act))),
        ]);
        signals.push(("unmapped", unmapped));
    }
    let reranked = input.rerank.is_some_and(|rerank| rerank.is_reordered);
    Answer {
        status,
        path,
        confidence,
        position: None,
        may_act,
        why,
        candidates,
        refusal,
        signals,
        reranked,
        next_question,
    }
}

/// Returns the confidence at which the answer is one path. Three kinds of answers do not depend on the intent: a path
/// from history, a slip of the keyboard, and a name that only one file in the tree has.
fn auto_threshold(input: &DecisionInput<'_>) -> f32 {
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

/// Adjusts the confidence by the history lookup, which knows what paths can only suggest.
fn apply_history(history_match: &HistoryMatch, input: &DecisionInput<'_>, confidence: f32) -> f32 {
    /// 982 of 987 renames of real repositories led to the file's present path.
    const MOVED: f32 = 0.99;
    /// Confidence if only the directory's move is known; not measured, so just high enough to act on.
    const MOVED_AROUND: f32 = 0.9;
    /// Factor on the confidence of any candidate when the requested path is known to be deleted.
    const DELETED: f32 = 0.5;
    let leads_here =
        |to: &RelPath| input.ranked.first().is_some_and(|first| (first.root, &first.path) == (history_match.root, to));
    match &history_match.to {
        Some(to) if leads_here(to) => confidence.max(if history_match.own { MOVED } else { MOVED_AROUND }),
        Some(_) => confidence,
        None => confidence * DELETED,
    }
}

/// Maps a raw score to 0–100. 50 is about where half of the first candidates in the development cases were correct.
pub(crate) fn score(raw: f32) -> f32 {
    /// Raw score that maps to 50, and raw points from there to 73.
    const MIDDLE: f32 = 7.0;
    const SLOPE: f32 = 1.5;
    100.0 / (1.0 + (-(raw - MIDDLE) / SLOPE).exp())
}
