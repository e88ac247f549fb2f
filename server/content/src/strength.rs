//! Decides whether the answer to a question is strong or weak. Called by `search`; `fit` decides whether there is one.
//!
//! A question about something that the tree lacks shares words with it all the same: one or two, in files that little else speaks
//! for. The words count by number, since each has to be there by chance, and in the best few files, since chance finds one.

use std::sync::LazyLock;

use pathfinder_core::table;

use crate::feature::ContentFeature as F;
use crate::question::{ProperName, QuestionTerm, TermKind};
use crate::search::{Candidate, Ranking};

/// Below it an answer is weak: one in four of those with an answer, nine in ten of those without (`weights/strength.txt`).
const WEAK_BELOW: f32 = 0.55;
/// Files whose words are counted. One may have the words by chance; of three the curve is no better.
const COUNTED_FILES: usize = 5;
/// Words that count in a file: a long question shares more with every file. Eight are no better.
const MAX_COVERED_WORDS: f32 = 6.0;
/// Files whose comments are looked at: as many as an answer has.
const COMPARED_FILES: usize = 10;
/// The file whose points are those of a file by chance: well below all files of an answer. The tenth alone tells a little more, but
/// it is one of the answer.
const BACKGROUND_FILE: usize = 50;
/// Fewer files that share a word with the question are no background: the gate decides. Questions of so few are too rare to fit.
const MIN_CANDIDATES: usize = 20;

/// Names of the evidence, as in `weights/strength.txt`.
const NAMES: [&str; 7] =
    ["covered_words", "unknown_words", "missing_names", "comments_cover", "file_share", "file_score", "lead"];

/// Figures that tell an answer from files that share words with the question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StrengthEvidence {
    values: [f32; NAMES.len()],
    /// True if there are too few candidates to judge by.
    has_no_background: bool,
}

impl StrengthEvidence {
    /// Collects the evidence. `candidates` are sorted, and there is one.
    pub(crate) fn new(ranking: &Ranking<'_>, candidates: &[Candidate<'_>]) -> Self {
        let scores = ranking.scores;
        let (best, first) = (&candidates[0], &candidates[..candidates.len().min(COMPARED_FILES)]);
        let comments =
            first.iter().map(|one| scores.share(ranking.details.sets(one.file).comments)).fold(0.0, f32::max);
        let background = &candidates[candidates.len().min(BACKGROUND_FILE) - 1];
        let values = [
            covered_words(ranking, &first[..first.len().min(COUNTED_FILES)]),
            unknown_words(ranking),
            missing_names(ranking, best),
            comments,
            scores.share_of_highest(best.file),
            best.vector[F::FileScore as usize],
            best.points - background.points,
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
fn missing_names(ranking: &Ranking<'_>, best: &Candidate<'_>) -> f32 {
    let (question, scores) = (ranking.question, ranking.scores);
    let (_, passage) = ranking.details.best_passage(scores, question, best.file);
    let is_missing = |name: &&ProperName| name.whole & passage == 0;
    let names = question.proper_names.iter().filter(is_missing);
    names.map(|name| scores.share(name.parts & !passage)).fold(0.0, f32::max)
}

/// Returns the words of a question, with their numbers. A value, as `10s`, is none.
fn words<'r>(ranking: &Ranking<'r>) -> impl Iterator<Item = (usize, &'r QuestionTerm)> + use<'r> {
    let terms = ranking.question.terms.iter().enumerate();
    terms.filter(|(_, term)| term.kind == TermKind::Word && !term.is_value)
}

/// Returns the number of words that the best passage of a file has, as a mean over files. A synonym counts half.
fn covered_words(ranking: &Ranking<'_>, files: &[Candidate<'_>]) -> f32 {
    let (question, scores) = (ranking.question, ranking.scores);
    let count = |one: &Candidate<'_>| {
        let (_, passage) = ranking.details.best_passage(scores, question, one.file);
        let covered = words(ranking).map(|(number, _)| {
            if passage & (1_u64 << number) != 0 {
                1.0
            } else if passage & question.synonyms(number) != 0 {
                0.5
            } else {
                0.0_f32
            }
        });
        covered.sum::<f32>().min(MAX_COVERED_WORDS)
    };
    files.iter().map(count).sum::<f32>() / files.len() as f32
}

/// Returns the share of the words that no file has, by a synonym neither.
fn unknown_words(ranking: &Ranking<'_>) -> f32 {
    let scores = ranking.scores;
    let is_known = |number: usize| {
        let stand_for_it = ranking.question.synonyms(number) | 1_u64 << number;
        scores.terms.iter().enumerate().any(|(other, scored)| stand_for_it & (1_u64 << other) != 0 && scored.is_known)
    };
    let (unknown, all) = words(ranking)
        .fold((0.0, 0.0_f32), |(unknown, all), (number, _)| (unknown + f32::from(!is_known(number)), all + 1.0));
    unknown / all.max(1.0)
}

#[cfg(test)]
mod tests {
    use pathfinder_core::symbols::Symbols;

    use super::*;
    use crate::{ContentChange, ContentIndex, ContentRoot, FileContent, TermReader, search};

    /// `texts` are the files; `expect` is the number of covered words, and the share of unknown ones.
    #[track_caller]
    fn check_words(query: &str, texts: &[&str], expect: [f32; 2]) {
        let mut reader = TermReader::default();
        let read = |(number, text): (usize, &&str)| {
            let path = format!("{number}.rs");
            ContentChange::Read(Box::new(FileContent::read(&path, 1, Some(text), &[], &mut reader)))
        };
        let index = ContentIndex::default().apply(texts.iter().enumerate().map(read).collect());
        let root = ContentRoot { index: &index, symbols: &Symbols::default(), subjects: None };
        let answer = search(query, &[root], 10);
        let value = |wanted: &str| answer.evidence.iter().find(|(name, _)| *name == wanted).expect("a figure").1;
        let figures = ["covered_words", "unknown_words"].map(value);
        let is_near = figures.iter().zip(expect).all(|(value, expected)| (value - expected).abs() < 1e-6);
        assert!(is_near, "{query}: {figures:?}");
    }

    #[test]
    fn counts_the_words_of_the_best_files() {
        check_words("cached tokens expire", &["cached tokens expire", "cached"], [2.0, 0.0]);
        check_words("cached tokens expire", &["cached", "tokens"], [1.0, 1.0 / 3.0]);
        // Code says remove for delete.
        check_words("delete cached quorum", &["remove cached"], [1.5, 1.0 / 3.0]);
        // A value need not be there.
        check_words("cached tokens 10s", &["cached tokens"], [2.0, 0.0]);
        let long = "cached tokens expire session store quorum lease shard";
        check_words(long, &[long], [MAX_COVERED_WORDS, 0.0]);
        // The sixth file does not count.
        let six = [["cached tokens"; 5].as_slice(), &["cached"]].concat();
        check_words("cached tokens", &six, [2.0, 0.0]);
    }

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
