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
mod input;
mod intent_signals;
mod next_question;
mod threshold;
mod usage;
mod visibility;

use crate::answer::{Answer, Candidate, Refusal, Status};
use crate::features::Feature;
use crate::history_lookup::HistoryMatch;
use crate::path::RelPath;
use crate::rank::Ranked;
use crate::request::Op;

pub(crate) use confidence::Calibration;
use confidence::Signals;
pub(crate) use input::{DecisionInput, EvidenceMatch, RerankBasis, RerankOutcome};
pub(crate) use intent_signals::intent_points;
use threshold::{AUTO, auto_threshold};

/// Candidates with a smaller score difference are tied: one segment more or less is 0.1.
pub(crate) const TIE_POINTS: f32 = 0.05;

/// Minimum confidence of a plausible candidate: one in twenty candidates at this value is correct.
const PLAUSIBLE: f32 = 0.05;

/// Minimum confidence where history records that the path was deleted: a similar name has to outweigh that record.
const PLAUSIBLE_AFTER_DELETION: f32 = 0.15;

/// Confidence of a file that is first by its declarations, of which its path says little. All of 218 were right in trees with
/// names that real types suggest; below all thresholds, as the asked file may be about to be written.
const DECLARED: f32 = 0.6;

/// The assessment of the first candidate.
pub(crate) struct Assessment {
    signals: Option<Signals>,
    /// Upper limit of its confidence.
    max_confidence: f32,
    /// Confidence before mapping, as the thresholds compare it. [`Calibration::reported`] maps it for the answer and
    /// keeps the thresholds in place.
    confidence: f32,
    status: Status,
}

impl Assessment {
    /// Returns whether the answer is one path.
    pub(crate) fn is_sure(&self) -> bool {
        self.status == Status::Resolved
    }

    /// Returns the confidence if the answer is ambiguous; `None` if it is certain or nothing is plausible.
    pub(crate) fn ambiguous_confidence(&self) -> Option<f32> {
        (self.status == Status::Ambiguous).then_some(self.confidence)
    }
}

/// Computes confidence and status of the first candidate.
pub(crate) fn assess(input: &DecisionInput<'_>, calibration: &Calibration) -> Assessment {
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
    let is_declared = input.rerank.is_some_and(|rerank| rerank.basis == RerankBasis::Declarations);
    let confidence = match input.rerank {
        Some(rerank) if is_declared && !input.is_withheld && rerank.is_first_changed => DECLARED,
        Some(_) if is_declared && !input.is_withheld => confidence.max(DECLARED),
        Some(rerank) => confidence.min(rerank.max_confidence),
        None => confidence,
    };
    let is_deleted = input.history.as_ref().is_some_and(|history_match| history_match.to.is_none());
    let plausible = if is_deleted { PLAUSIBLE_AFTER_DELETION } else { PLAUSIBLE };
    let status = match input.ranked.first() {
        None => Status::NotFound,
        Some(_) if input.is_withheld => Status::NotFound,
        // A candidate that only lies nearby, or was used lately, is not a choice.
        Some(first)
            if confidence < auto_threshold(input) && !is_declared && !visibility::is_plausible(input, first) =>
        {
            Status::NotFound
        }
        // A candidate with the exact name and extension always is a choice, and a choice stays one after a model has
        // reordered the candidates.
        Some(first) if confidence < plausible && first.get(Feature::NameStyle) == 0.0 && input.rerank.is_none() => {
            Status::NotFound
        }
        Some(_) if confidence >= auto_threshold(input) && input.query.op != Op::Write => Status::Resolved,
        Some(_) => Status::Ambiguous,
    };
    Assessment { signals, max_confidence, confidence, status }
}

/// Builds the answer from the assessment of the input. `shown` are the best candidates, up to the caller's limit; `encode`
/// converts one for the answer.
pub(crate) fn decide(
    input: &DecisionInput<'_>,
    (assessment, calibration): (Assessment, &Calibration),
    shown: &[Ranked],
    encode: impl Fn(&Ranked) -> Candidate,
    explain: bool,
) -> Answer {
    let Assessment { signals, max_confidence, confidence: unmapped, status } = assessment;
    let may_act = auto_action::may_act(input, status, unmapped);
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
    if let Some(rerank) = input.rerank.filter(|rerank| rerank.is_first_changed && status != Status::NotFound) {
        why.push_str(match rerank.basis {
            RerankBasis::Model => "; first by meaning",
            RerankBasis::Contents => "; first by contents",
            RerankBasis::Declarations => "; first by its declarations",
        });
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
