//! Says in a few words why a file is in the answer, and at which line.

use crate::feature::ContentFeature as F;
use crate::question::{Question, TermKind};
use crate::search::{Candidate, Ranking};

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
    pub(crate) fn new(ranking: &Ranking<'_>, candidates: &[Candidate<'_>]) -> Self {
        let sets = candidates.iter().map(|candidate| ranking.details.sets(candidate.file));
        Self { bits: sets.map(|has| (has.stem | has.directories, has.anywhere)).collect() }
    }

    /// Returns the words that a candidate lacks.
    pub(crate) fn missing(&self, at: usize, question: &Question) -> Vec<String> {
        let lacks = |number: usize| self.bits[at].1 & (1 << number) == 0;
        let words =
            question.terms.iter().enumerate().filter(|(number, term)| term.kind == TermKind::Word && lacks(*number));
        words.map(|(_, term)| term.word.clone()).collect()
    }

    /// Returns the reason for a candidate.
    pub(crate) fn explain(&self, at: usize, candidate: &Candidate<'_>, question: &Question) -> String {
        let mut parts: Vec<String> = Vec::new();
        if let Some((declaration, strength)) = candidate.declarations.best
            && strength >= MIN_DECLARATION_STRENGTH
        {
            parts.push(format!("{} {}", declaration.kind.name(), declaration.name));
        }
        let (in_path, anywhere) = self.bits[at];
        let words: Vec<(usize, &str)> = question
            .terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.kind == TermKind::Word)
            .map(|(number, term)| (number, term.word.as_str()))
            .collect();
        let among =
            |bits: u64| words.iter().filter(|(number, _)| bits & (1 << number) != 0).map(|word| word.1).collect();
        let (path, contents): (Vec<&str>, Vec<&str>) = (among(in_path), among(anywhere));
        let all = words.len();
        if path.len() == all {
            parts.push("words in path".to_owned());
        } else if contents.is_empty() {
            parts.push("related words".to_owned());
        } else if contents.len() == all {
            parts.push(format!("content has the word{}", if all == 1 { "" } else { "s" }));
        } else if parts.is_empty() {
            let named = contents.iter().copied().take(MAX_NAMED_WORDS).collect::<Vec<_>>().join(", ");
            parts.push(format!("content has {} of {all} words: {named}", contents.len()));
        } else {
            parts.push(format!("content has {} of {all} words", contents.len()));
        }
        parts.join(", ")
    }
}

/// Returns the line to show: of the declaration if it covers more of the question than the best chunk, else of the
/// chunk.
pub(crate) fn line(candidate: &Candidate<'_>) -> Option<u32> {
    let by_name = candidate.vector[F::DeclaresName as usize] > 0.3;
    let chunk = (candidate.chunks.line > 0).then_some(candidate.chunks.line);
    match candidate.declarations.best {
        Some((declaration, strength)) if by_name || strength >= MIN_DECLARATION_STRENGTH => Some(declaration.line),
        _ => chunk,
    }
}
