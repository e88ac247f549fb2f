//! Decides whether the best file fits a query at all.
//!
//! Absolute shares decide, never a score, which is relative to the query. `None` is for queries of which nearly nothing
//! fits: a stricter gate refuses as many good answers as it spares. `weights/fit.txt` has the measured curve. An answer that
//! passes is strong or weak by `strength`, which has more evidence.

use std::sync::LazyLock;

use pathfinder_core::table;

use crate::feature::ContentFeature as F;
use crate::search::{Candidate, Fit, Ranking};

/// Below it nothing is answered. On the curve of `weights/fit.txt` a stricter gate loses more right answers than it spares wrong
/// ones, and a milder one spares too few, if one question in ten has no answer and both mistakes cost alike.
const NONE_BELOW: f32 = 0.15;
/// Below it an answer to a symbol is weak; `strength` decides that of a question.
const WEAK_BELOW: f32 = 0.40;

/// Names of the evidence, as in `weights/fit.txt`.
const NAMES: [&str; 4] = ["passage_cover", "join_cover", "unknown_names", "code"];

/// Figures that tell whether the best file fits a query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Evidence {
    /// Share of the query that one of its chunks and its path have.
    passage_cover: f32,
    /// Share of the pairs and triples of neighbouring words that it has as identifiers.
    join_cover: f32,
    /// Share of the query that is names of which no file has a part: `Huawei`, `GraphQL`.
    unknown_names: f32,
    /// 1 for code that is no test and no example, else 0.
    code: f32,
}

impl Evidence {
    /// Collects the evidence of a candidate.
    pub(crate) fn new(ranking: &Ranking<'_>, best: &Candidate<'_>) -> Self {
        let (question, scores) = (ranking.question, ranking.scores);
        let is_other =
            [F::Test, F::Example, F::Document, F::Configuration].iter().any(|&kind| best.vector[kind as usize] > 0.0);
        Self {
            passage_cover: ranking.details.best_passage(scores, question, best.file).0,
            join_cover: best.vector[F::JoinCover as usize],
            unknown_names: unknown_names(ranking),
            code: if is_other { 0.0 } else { 1.0 },
        }
    }

    /// Returns its values by name.
    pub(crate) fn named(&self) -> [(&'static str, f32); 4] {
        let values = [self.passage_cover, self.join_cover, self.unknown_names, self.code];
        std::array::from_fn(|at| (NAMES[at], values[at]))
    }

    /// Returns the probability that the file is an answer.
    pub(crate) fn probability(&self) -> f32 {
        static GATE: LazyLock<([f32; NAMES.len()], f32)> = LazyLock::new(|| {
            let table: Vec<(&str, f32)> = table::lines(include_str!("weights/fit.txt")).collect();
            let weight = |wanted: &str| table.iter().find(|(name, _)| *name == wanted).map_or(0.0, |line| line.1);
            (NAMES.map(weight), weight("bias"))
        });
        let (weights, bias) = &*GATE;
        let z: f32 = self.named().iter().zip(weights).map(|((_, value), weight)| weight * value).sum();
        1.0 / (1.0 + (-z - bias).exp())
    }
}

/// Returns the share of a question, by rarity, that is parts of names which no file has. A symbol may be mistyped, and has none.
fn unknown_names(ranking: &Ranking<'_>) -> f32 {
    let (question, scores) = (ranking.question, ranking.scores);
    if question.is_symbol {
        return 0.0;
    }
    let terms = |bits: u64| (0..question.terms.len()).filter(move |term| bits & (1 << term) != 0);
    // A name that code writes as one word is known too.
    let is_known = |whole: u64| {
        terms(whole).any(|term| {
            scores.terms[term].is_known || terms(question.synonyms(term)).any(|one| scores.terms[one].is_known)
        })
    };
    let parts =
        question.proper_names.iter().filter(|name| !is_known(name.whole)).fold(0, |bits, name| bits | name.parts);
    let unknown: f32 =
        terms(parts).filter(|&term| !scores.terms[term].is_known).map(|term| scores.terms[term].value).sum();
    unknown / scores.total.max(f32::MIN_POSITIVE)
}

/// Classifies the best file; `strength` then classifies the answer to a question again. `known` is the share of the query's words, by rarity, that any file has.
pub(crate) fn classify(probability: f32, known: f32) -> Fit {
    if known <= 0.0 || probability < NONE_BELOW {
        Fit::None
    } else if probability < WEAK_BELOW {
        Fit::Weak
    } else {
        Fit::Strong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently have no weight.
    #[test]
    fn table_lists_the_evidence_in_order() {
        let names: Vec<&str> = table::lines(include_str!("weights/fit.txt")).map(|(name, _)| name).collect();
        assert_eq!(names, [&NAMES[..], &["bias"]].concat());
    }
}
