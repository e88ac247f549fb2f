//! Says in a few words why a file is in the answer, and at which line.

use crate::question::{Question, TermKind};
use crate::search::{Candidate, Ranking};
use crate::feature::ContentFeature as F;

/// Words that are named as a reason.
const MAX_NAMED_WORDS: usize = 4;
/// Strength from which on a declaration is named.
const MIN_DECLARATION_STRENGTH: f32 = 0.2;

/// The terms of a question that each candidate has.
#[derive(Debug)]
pub(crate) struct TermPresence {
    /// Bits of the terms in the path, and in the whole file; by candidate.
    bits: Vec<(u64, u64)>,
}

impl TermPresence {
    /// Collects the terms of the files that are answered.
    pub(crate) fn new(ranking: &Ranking<'_>, candidates: &[Candidate]) -> Self {
        let sets = candidates.iter().map(|candidate| ranking.scores.has[candidate.file]);
        Self { bits: sets.map(|has| (has.stem | has.directories, has.anywhere)).collect() }
    }

    /// Returns the words that a candidate lacks.
    pub(crate) fn missing(&self, at: usize, question: &Question) -> Vec<String> {
        let lacks = |number: usize| self.bits[at].1 & (1 << number) == 0;
        let words = question.terms.iter().enumerate().filter(|(number, term)| term.kind == TermKind::Word && lacks(*number));
        words.map(|(_, term)| term.word.clone()).collect()
    }

    /// Returns the reason for a candidate.
    pub(crate) fn explain(&self, at: usize, candidate: &Candidate, question: &Question) -> String {
        let mut parts: Vec<String> = Vec::new();
        if let Some((declaration, _, strength)) = &candidate.declarations.best
            && *strength >= MIN_DECLARATION_STRENGTH
        {
            parts.push(declaration.clone());
        }
        let (in_path, anywhere) = self.bits[at];
        let words = |bits: u64| {
            let words = question.terms.iter().enumerate().filter(|(number, term)| {
                term.kind == TermKind::Word && bits & (1 << number) != 0
            });
            words.map(|(_, term)| term.word.as_str()).take(MAX_NAMED_WORDS).collect::<Vec<_>>().join(", ")
        };
        let (path, contents) = (words(in_path), words(anywhere & !in_path));
        if !path.is_empty() {
            parts.push(format!("path: {path}"));
        }
        if !contents.is_empty() && parts.len() < 2 {
            parts.push(format!("content: {contents}"));
        }
        if parts.is_empty() {
            parts.push("content".to_owned());
        }
        parts.join("; ")
    }
}

/// Returns the line to show: of the declaration if it covers more of the question than the best chunk, else of the
/// chunk.
pub(crate) fn line(candidate: &Candidate) -> Option<u32> {
    let by_name = candidate.vector[F::DeclaresName as usize] > 0.3;
    let chunk = (candidate.chunks.line > 0).then_some(candidate.chunks.line);
    match &candidate.declarations.best {
        Some((_, line, strength)) if by_name || *strength >= MIN_DECLARATION_STRENGTH => Some(*line),
        _ => chunk,
    }
}
