//! Decides whether the best file fits a query at all.
//!
//! Absolute shares decide, never a score, which is relative to the query. `None` is for queries of which nearly nothing
//! is known: a stricter gate, fitted on one set of repositories, refused good answers on another.

use crate::feature::{ContentFeature as F, ContentVector};
use crate::search::Fit;

/// Below it nothing is answered.
const NONE_BELOW: f32 = 0.15;
/// Below it an answer is weak.
const WEAK_BELOW: f32 = 0.5;

/// Returns the probability that the file is an answer, by a logistic fit on questions of a tree itself, questions of
/// other trees, far subjects and invented words (`facts/find-content.md`, section 6). `known` is the share of the
/// query's words that the tree has.
pub(crate) fn probability(best: &ContentVector, known: f32) -> f32 {
    let of = |feature: F| best[feature as usize];
    let z = -8.56
        + 2.96 * of(F::Cover).sqrt()
        + 3.90 * of(F::ChunkCover).sqrt()
        + 4.92 * known
        + 3.05 * of(F::DeclarationCover)
        + 2.24 * of(F::StemCover)
        + 3.61 * of(F::Beginnings);
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
