//! Decides whether the best file fits a query at all.
//!
//! Absolute shares decide, never a score, which is relative to the query. `None` is for queries of which nearly nothing
//! fits: on paraphrased questions no figure tells an absent subject from an unusual wording, so a stricter gate refuses
//! as many good answers as it spares. `weights/fit.txt` has the measured curve.

use std::sync::LazyLock;

use pathfinder_core::table;

use crate::feature::{ContentFeature as F, ContentVector};
use crate::search::Fit;

/// Below it nothing is answered: keeps 97 of 100 questions that have an answer.
const NONE_BELOW: f32 = 0.30;
/// Below it an answer is weak.
const WEAK_BELOW: f32 = 0.55;

/// The logistic fit: values of features, the share of known words (`known`), and the constant (`bias`).
struct Gate {
    features: Vec<(F, f32)>,
    known: f32,
    bias: f32,
}

impl Gate {
    fn built_in() -> &'static Self {
        static GATE: LazyLock<Gate> = LazyLock::new(|| {
            let mut gate = Gate { features: Vec::new(), known: 0.0, bias: 0.0 };
            for (name, value) in table::lines(include_str!("weights/fit.txt")) {
                match (name, F::ALL.iter().find(|feature| feature.name() == name)) {
                    ("known", _) => gate.known = value,
                    ("bias", _) => gate.bias = value,
                    (_, Some(&feature)) => gate.features.push((feature, value)),
                    _ => {}
                }
            }
            gate
        });
        &GATE
    }
}

/// Returns the probability that a file is an answer. `known` is the share of the query's words, by rarity, that any
/// file has.
pub(crate) fn probability(best: &ContentVector, known: f32) -> f32 {
    let gate = Gate::built_in();
    let mut z = gate.bias + gate.known * known;
    for &(feature, weight) in &gate.features {
        let value = best[feature as usize];
        // These two are squared for the ranking.
        z += weight * if matches!(feature, F::Cover | F::ChunkCover) { value.sqrt() } else { value };
    }
    1.0 / (1.0 + (-z).exp())
}

/// Classifies the best file.
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
    fn table_names_known_features() {
        let names = table::lines(include_str!("weights/fit.txt")).map(|(name, _)| name);
        let unknown: Vec<&str> = names
            .filter(|name| !["known", "bias"].contains(name) && F::ALL.iter().all(|feature| feature.name() != *name))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
