//! Sure enough? Confidence from score and margin, and the words that go with the answer.

use crate::answer::{Answer, Candidate, Refusal, Status};
use crate::asked::Asked;
use crate::features::Feature;
use crate::query::Reading;
use crate::rank::Ranked;
use crate::request::Op;

/// What was decided, before the candidates are encoded.
pub(crate) struct Decision {
    status: Status,
    confidence: f32,
    why: String,
    refusal: Option<Refusal>,
}

/// At or above this confidence an answer is given instead of a choice.
const AUTO: f32 = 0.9;
/// Below this confidence nothing plausible was found.
const PLAUSIBLE: f32 = 0.02;

pub(crate) fn decide(asked: &Asked, _readings: &[Reading], ranked: &[Ranked], refusal: Refusal) -> Decision {
    let Some(first) = ranked.first() else {
        return Decision { status: Status::NotFound, confidence: 0.0, why: String::new(), refusal: Some(refusal) };
    };
    let margin = ranked.get(1).map_or(3.0, |second| (first.raw - second.raw).min(3.0));
    let _ = Feature::ALL;
    let confidence = 1.0 / (1.0 + (-(0.9 * (first.raw - 6.5) + 2.0 * (margin - 1.0))).exp());
    let status = if confidence >= AUTO && asked.op != Op::Write {
        Status::Resolved
    } else if confidence >= PLAUSIBLE {
        Status::Ambiguous
    } else {
        Status::NotFound
    };
    let refusal = match status {
        Status::Resolved | Status::Exists => None,
        Status::Ambiguous => Some(Refusal::Ambiguous),
        Status::NotFound => Some(refusal),
    };
    Decision { status, confidence, why: String::new(), refusal }
}

impl Decision {
    pub(crate) fn scale(&self, raw: f32) -> f32 {
        100.0 / (1.0 + (-(raw - 5.0) / 2.0).exp())
    }

    pub(crate) fn into_answer(self, candidates: Vec<Candidate>) -> Answer {
        let path = (self.status == Status::Resolved)
            .then(|| candidates.first().map(|first| (first.root, first.path.clone())))
            .flatten();
        Answer {
            status: self.status,
            path,
            confidence: self.confidence,
            why: self.why,
            candidates,
            refusal: self.refusal,
            next_question: None,
        }
    }
}
