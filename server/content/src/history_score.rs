//! `HistoryScores`: scores of files by the subjects of their commits. Called by `search`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::collection::Collection;
use crate::question::{Question, TermKind};
use crate::score::idf;
use crate::search::ContentRoot;

/// Scores of the subjects of commits.
#[derive(Debug, Default)]
pub(crate) struct HistoryScores {
    /// True if the commits of a root are known.
    pub(crate) is_known: bool,
    /// Score and terms, by file.
    pub(crate) files: BTreeMap<usize, (f32, u64)>,
}

impl HistoryScores {
    /// Scores the subjects by BM25, with rarities of their own: subjects use other words than code.
    pub(crate) fn compute(question: &Question, collection: &Collection<'_>, roots: &[ContentRoot<'_>]) -> Self {
        /// Saturation of a word's weight, and the share of a file's length that counts.
        const SATURATION: f32 = 1.5;
        const LENGTH_SHARE: f32 = 0.75;
        let mut history = Self::default();
        for (root, subjects) in roots.iter().enumerate().filter_map(|(at, root)| Some((at, root.subjects?))) {
            if subjects.is_empty() || question.is_symbol {
                continue;
            }
            history.is_known = true;
            let mean = subjects.mean_length();
            let mut files: FxHashMap<u32, Option<usize>> = FxHashMap::default();
            for (number, term) in question.terms.iter().enumerate().filter(|(_, term)| term.kind == TermKind::Word) {
                let postings = subjects.postings(&term.term);
                let value = term.weight * idf(subjects.file_count() as f32, postings.len() as f32);
                for (file, weight) in postings {
                    let known = files.entry(file).or_insert_with(|| collection.find(root, subjects.path(file)));
                    let Some(known) = *known else { continue };
                    let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * subjects.length(file) / mean;
                    let entry = history.files.entry(known).or_default();
                    entry.0 += value * weight * (SATURATION + 1.0) / (weight + SATURATION * length);
                    entry.1 |= 1 << number;
                }
            }
        }
        history
    }
}
