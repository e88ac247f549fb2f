//! Decides whether the answer to a question is strong or weak. Called by `search`; `fit` decides whether there is one.
//!
//! A question about something that the tree lacks shares words with it all the same. The figures look beyond the best file: the
//! lead of its points, the comments and directories of the best ten, and the rarity of the words here.

use std::sync::LazyLock;

use pathfinder_core::table;
use rustc_hash::FxHashSet;

use crate::feature::ContentFeature as F;
use crate::path_names::directory;
use crate::question::{ProperName, TermKind};
use crate::search::{Candidate, Ranking};

/// Below it an answer is weak: one in four of those with an answer, seven in eight of those without (`weights/strength.txt`).
const WEAK_BELOW: f32 = 0.55;
/// Files that are compared with the first: as many as an answer has.
const COMPARED_FILES: usize = 10;
/// The file whose points are those of a file by chance: well below all files of an answer. The tenth alone tells a little more, but
/// it is one of the answer.
const BACKGROUND_FILE: usize = 50;
/// Fewer files that share a word with the question are no background: the gate decides. Questions of so few are too rare to fit.
const MIN_CANDIDATES: usize = 20;

/// Names of the evidence, as in `weights/strength.txt`.
const NAMES: [&str; 9] = [
    "passage_cover",
    "unknown_names",
    "missing_names",
    "comments_cover",
    "file_share",
    "file_score",
    "word_rarity",
    "lead",
    "directories",
];

/// Figures that tell an answer from files that share words with the question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StrengthEvidence {
    values: [f32; NAMES.len()],
    /// True if there are too few candidates to judge by.
    has_no_background: bool,
}

impl StrengthEvidence {
    /// Collects the evidence. `candidates` are sorted, and there is one; `passage_cover` and `unknown_names` are those of the gate.
    pub(crate) fn new(ranking: &Ranking<'_>, candidates: &[Candidate], passage_cover: f32, unknown_names: f32) -> Self {
        let scores = ranking.scores;
        let (best, first) = (&candidates[0], &candidates[..candidates.len().min(COMPARED_FILES)]);
        let comments = first.iter().map(|one| scores.share(scores.has[one.file].comments)).fold(0.0, f32::max);
        let background = &candidates[candidates.len().min(BACKGROUND_FILE) - 1];
        let directories: FxHashSet<(usize, &str)> = first
            .iter()
            .map(|one| {
                let (view, own) = ranking.collection.locate(one.file);
                (view.root, directory(view.part.layer.path(own)))
            })
            .collect();
        let values = [
            passage_cover,
            unknown_names,
            missing_names(ranking, best),
            comments,
            scores.share_of_highest(best.file),
            best.vector[F::FileScore as usize],
            word_rarity(ranking),
            best.points - background.points,
            directories.len() as f32 / first.len() as f32,
        ];
        Self { values, has_no_background: candidates.len() < MIN_CANDIDATES }
    }

    /// Returns its values by name.
    pub(crate) fn named(&self) -> [(&'static str, f32); NAMES.len()] {
        std::array::from_fn(|at| (NAMES[at], self.values[at]))
    }

    /// Returns whether the answer is weak; `None` if there is too little to judge by.
    pub(crate) fn is_weak(&self) -> Option<bool> {
        static CURVE: LazyLock<([f32; NAMES.len()], f32)> = LazyLock::new(|| {
            let table: Vec<(&str, f32)> = table::lines(include_str!("weights/strength.txt")).collect();
            let weight = |wanted: &str| table.iter().find(|(name, _)| *name == wanted).map_or(0.0, |line| line.1);
            (NAMES.map(weight), weight("bias"))
        });
        if self.has_no_background {
            return None;
        }
        let (weights, bias) = &*CURVE;
        let z: f32 = self.values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        Some(1.0 / (1.0 + (-z - bias).exp()) < WEAK_BELOW)
    }
}

/// Returns the largest share of the question that is parts of one name which the best passage lacks.
fn missing_names(ranking: &Ranking<'_>, best: &Candidate) -> f32 {
    let (question, scores) = (ranking.question, ranking.scores);
    let (_, passage) = scores.best_passage(ranking.collection, question, best.file);
    let is_missing = |name: &&ProperName| name.whole & passage == 0;
    let names = question.proper_names.iter().filter(is_missing);
    names.map(|name| scores.share(name.parts & !passage)).fold(0.0, f32::max)
}

/// Returns the mean rarity of the question's words in the tree, from 0 to 1.
fn word_rarity(ranking: &Ranking<'_>) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (term, scored) in ranking.question.terms.iter().zip(&ranking.scores.terms) {
        if term.kind == TermKind::Word {
            sum += scored.value / term.weight;
            count += 1.0;
        }
    }
    let highest = (1.0 + ranking.collection.totals.files as f32).ln();
    if count > 0.0 { sum / count / highest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently have no weight.
    #[test]
    fn table_lists_the_evidence_in_order() {
        let names: Vec<&str> = table::lines(include_str!("weights/strength.txt")).map(|(name, _)| name).collect();
        assert_eq!(names, [&NAMES[..], &["bias"]].concat());
    }

    /// A few files say nothing about chance.
    #[test]
    fn few_candidates_are_no_background() {
        let weak = |has_no_background| StrengthEvidence { has_no_background, ..StrengthEvidence::default() }.is_weak();
        assert_eq!((weak(true), weak(false)), (None, Some(true)));
    }
}
