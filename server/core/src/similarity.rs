//! `SimilarityModel`: the interface to a semantic model that reranks ambiguous candidates. Called by `Engine`; the
//! `server` package implements it.
//!
//! Candidates that names already distinguish are not compared. Among the others, the model's nearness becomes one more
//! feature (`max_sim`): the order still follows one sum, and each part of it can be shown.

use std::fmt::Debug;

use crate::features::Feature;
use crate::path::RelPath;
use crate::rank::{RankWeights, Ranked, sort_ranked};

/// The texts that candidates are compared with, as the caller wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RerankQuery<'a> {
    /// The task of the caller, in words; empty if not given.
    pub intent: &'a str,
    /// The path that does not exist.
    pub path: &'a str,
}

/// Limits and calibration of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RerankOptions {
    /// Most paths to compare at once. This number bounds the time per request. A clock would make answers depend on the
    /// machine's load.
    pub paths_max: usize,
    /// Points of raw score for one unit of nearness, if fitted to this model; else the table of weights has it.
    pub weight: Option<f32>,
    /// True if confidence was fitted to answers with this model. If not, the model reorders candidates but never raises
    /// the confidence.
    pub calibrated: bool,
}

/// Computes how near paths are to a query. Equal queries get equal results, whatever was asked before.
pub trait SimilarityModel: Debug + Send + Sync {
    /// Returns the model's options; `None` if there is no usable model. May take as long as loading the model.
    fn options(&self) -> Option<RerankOptions>;

    /// Returns the nearness of each path: larger is nearer, in standard deviations among paths unrelated to the query.
    /// `None` if the model fails.
    fn nearness(&self, query: RerankQuery<'_>, paths: &[&RelPath]) -> Option<Vec<f32>>;
}

/// A model, and the number of candidates that it compares.
#[derive(Clone, Debug)]
pub(crate) struct Reranker<'a> {
    pub(crate) model: &'a dyn SimilarityModel,
    pub(crate) options: RerankOptions,
    /// Most candidates to compare in a tree of this size.
    pub(crate) pool: usize,
}

/// Largest distance to the nearest candidate, in units of nearness. It bounds the model's effect: a candidate that
/// leads by more than this stays first.
const NEARNESS_MAX: f32 = 4.0;

/// Most candidates to compare; the original's number.
pub(crate) const POOL_MAX: usize = 64;

/// Share of a tree's files to compare; the original's number.
const POOL_SHARE: f64 = 0.05;

impl<'a> Reranker<'a> {
    /// Returns `None` if there is no usable model. `least` is the setting `topk`.
    pub(crate) fn new(model: &'a dyn SimilarityModel, least: usize, files: usize) -> Option<Self> {
        let options = model.options()?;
        let pool = least.max((files as f64 * POOL_SHARE).ceil() as usize).min(POOL_MAX).min(options.paths_max);
        Some(Self { model, options, pool })
    }

    /// Compares the candidates that can still win, and sorts all by their new scores. `ranked` is best first and
    /// verified; `rest` follows it unverified. Returns false if there is nothing to compare, or the model fails.
    pub(crate) fn rerank(
        &self,
        query: RerankQuery<'_>,
        (ranked, rest): (&mut Vec<Ranked>, Vec<Ranked>),
        there: impl Fn(&Ranked) -> bool,
        weights: &RankWeights,
    ) -> bool {
        let Some(first) = ranked.first() else { return false };
        let least = first.raw - NEARNESS_MAX * weights.get(Feature::MaxSim);
        let can_win = |candidate: &Ranked| candidate.raw >= least;
        let mut pool = ranked.iter().take(self.pool).take_while(|candidate| can_win(candidate)).count();
        if pool == ranked.len() {
            let more = rest.into_iter().take_while(can_win).filter(there).take(self.pool - pool);
            ranked.extend(more);
            pool = ranked.len();
        }
        if pool < 2 {
            return false;
        }
        let paths: Vec<&RelPath> = ranked[..pool].iter().map(|candidate| &candidate.path).collect();
        let Some(near) = self.model.nearness(query, &paths) else { return false };
        if near.len() != pool || !near.iter().all(|near| near.is_finite()) {
            return false;
        }
        let nearest = near.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Candidates that were not compared count as farthest: they could not win, and must not win by being left out.
        let behind =
            near.iter().map(|near| (near - nearest).max(-NEARNESS_MAX)).chain(std::iter::repeat(-NEARNESS_MAX));
        for (candidate, behind) in ranked.iter_mut().zip(behind) {
            candidate.vector[Feature::MaxSim as usize] = behind;
            candidate.raw = weights.score(&candidate.vector);
        }
        sort_ranked(ranked);
        true
    }
}

#[cfg(test)]
mod tests;
