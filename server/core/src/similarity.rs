//! The seam to a model: what paths mean, held against what was said. Core knows no runtime; an edge brings one.
//!
//! Where names tell candidates apart nobody is asked. Where several can still be the one meant, the model says how near each is,
//! and that is one feature more (`max_sim`): the order is still that of one sum, and each part of it can be shown.

use std::fmt::Debug;

use crate::features::Feature;
use crate::path::RelPath;
use crate::rank::{RankWeights, Ranked, sort_ranked};

/// What the caller said and asked for, as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RerankQuery<'a> {
    /// What it is doing, in words; empty if it did not say.
    pub intent: &'a str,
    /// The path that does not exist.
    pub path: &'a str,
}

/// How a model is to be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RerankOptions {
    /// The most paths that it can be asked about at once. The time that a question takes is bounded by this number and not by
    /// the clock, so that the answer does not depend on the machine's mood.
    pub paths_max: usize,
    /// Points of raw score for one unit of nearness, where that was fitted to this model; else the table of weights says it.
    pub weight: Option<f32>,
    /// Whether confidence was fitted to answers with this model. Else it orders, but makes nothing surer than it was.
    pub calibrated: bool,
}

/// Says how near paths are to what was said. The same question has the same answer, whatever was asked before.
pub trait SimilarityModel: Debug + Send + Sync {
    /// How it is to be used; `None` if there is no model, or none that can be used. May take the time that loading takes.
    fn options(&self) -> Option<RerankOptions>;

    /// How near each path is: more is nearer, and 1 is the standard deviation among paths that have nothing to do with what
    /// was said. `None` if it cannot be said.
    fn nearness(&self, query: RerankQuery<'_>, paths: &[&RelPath]) -> Option<Vec<f32>>;
}

/// A model, and how many candidates it is asked about at least.
#[derive(Clone, Debug)]
pub(crate) struct Reranker<'a> {
    pub(crate) model: &'a dyn SimilarityModel,
    pub(crate) options: RerankOptions,
    /// The most candidates that are compared in a tree of this size.
    pub(crate) pool: usize,
}

/// How far behind the nearest a candidate can fall, in units of nearness. With it ends what a model can do: one that is further
/// ahead than that by all else stays ahead.
const NEARNESS_MAX: f32 = 4.0;

/// The most candidates that are compared; the original's and DESIGN's number.
pub(crate) const POOL_MAX: usize = 64;

/// The share of a tree's files that are compared, as in the original.
const POOL_SHARE: f64 = 0.05;

impl<'a> Reranker<'a> {
    /// `None` if there is no model that can be used. `least` is the setting `topk`.
    pub(crate) fn new(model: &'a dyn SimilarityModel, least: usize, files: usize) -> Option<Self> {
        let options = model.options()?;
        let pool = least.max((files as f64 * POOL_SHARE).ceil() as usize).min(POOL_MAX).min(options.paths_max);
        Some(Self { model, options, pool })
    }

    /// Compares those candidates that can still win, and puts all in their new order. `ranked` is best first and verified;
    /// `rest` comes after it and is not. False if there was nothing to compare, or the model cannot tell.
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
        // Who was not compared counts as far away: it could not win, and must not by being left out.
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
