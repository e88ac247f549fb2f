//! `Intent`: the words of a request's `intent_text`, and which of them a name mentions.

use rustc_hash::FxHashSet;

use super::WeightedWord;
use crate::corpus::Corpus;
use crate::distance::word_similarity;
use crate::function_words::is_function_word;
use crate::words::{WordList, for_each_word};

/// Words of an intent that count: one bit each in a [`Mentions`] set. Long intents begin with the subject.
const MAX_WORDS: usize = 64;

/// Factor for the words of an intent's scope: commit subjects begin with their area (`regex: …`, `[regex] …`).
const SCOPE_FACTOR: f32 = 1.5;

/// Bytes of an intent that are read: 64 words of a long sentence are about 500.
const MAX_INTENT_BYTES: usize = 4096;

/// Largest offset of a scope's end, in bytes.
const MAX_SCOPE_BYTES: usize = 40;

/// Words that do not identify a file, beside function words: actions on any file, and times.
const COMMON_WORDS: &[&str] = &[
    "add",
    "added",
    "adding",
    "adds",
    "after",
    "before",
    "change",
    "changed",
    "changes",
    "check",
    "edit",
    "find",
    "fix",
    "fixed",
    "fixes",
    "get",
    "just",
    "let",
    "look",
    "looking",
    "make",
    "makes",
    "modify",
    "more",
    "need",
    "new",
    "no",
    "not",
    "now",
    "only",
    "open",
    "out",
    "read",
    "refactor",
    "remove",
    "removed",
    "review",
    "see",
    "so",
    "then",
    "touching",
    "understand",
    "update",
    "updated",
    "use",
    "uses",
    "using",
    "work",
    "works",
];

/// The set of intent words that a name mentions: bit `i` is word `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mentions {
    /// The word itself or an inflection of it.
    pub(crate) clear: u64,
    /// A word that contains it, or begins like it.
    pub(crate) vague: u64,
    /// The greatest weight of a segment's mentioned words × the share of the segment's words that are mentioned.
    pub(crate) tight: f32,
}

impl Mentions {
    pub(crate) fn join(self, other: Self) -> Self {
        Self { clear: self.clear | other.clear, vague: self.vague | other.vague, tight: self.tight.max(other.tight) }
    }
}

/// The words of the caller's intent.
#[derive(Debug, Default)]
pub(crate) struct Intent {
    pub(crate) words: Vec<WeightedWord>,
    /// Its first words in their order, common ones included: between files of one name, `test` or `add` may decide.
    pub(crate) all: Vec<String>,
}

impl Intent {
    pub(crate) fn new(text: &str, corpus: Corpus<'_>) -> Self {
        let scope = scope_end(text);
        let mut seen = FxHashSet::default();
        let (mut words, mut all) = (Vec::new(), Vec::new());
        let mut take = |part: &str, factor: f32| {
            for_each_word(part.as_bytes(), |word| {
                if all.len() < MAX_WORDS {
                    all.push(word.to_owned());
                }
                let filler = is_function_word(word) || COMMON_WORDS.binary_search(&word).is_ok();
                let is_telling = word.len() > 1 && !filler;
                if is_telling && words.len() < MAX_WORDS && seen.insert(word.to_owned()) {
                    words.push(WeightedWord { weight: corpus.rarity(word) * factor, word: word.to_owned() });
                }
            });
        };
        let end = text.char_indices().map(|(at, _)| at).find(|&at| at >= MAX_INTENT_BYTES).unwrap_or(text.len());
        take(&text[..scope], SCOPE_FACTOR);
        take(&text[scope..end.max(scope)], 1.0);
        Self { words, all }
    }

    /// The intent words that a name mentions; `words` are those of the name.
    pub(crate) fn mentioned_in(&self, words: &WordList<'_>) -> Mentions {
        let mut mentions = Mentions::default();
        if self.words.is_empty() || words.is_empty() {
            return mentions;
        }
        let (mut covered, mut weight) = (0, 0.0);
        for word in words.iter() {
            let mut found = 0.0_f32;
            for (at, intent) in self.words.iter().enumerate() {
                if !can_be_related(&intent.word, word) {
                    continue;
                }
                let similarity = word_similarity(&intent.word, word);
                // 0.8 includes inflections and excludes prefixes.
                if similarity >= 0.8 {
                    mentions.clear |= 1 << at;
                    found = found.max(intent.weight);
                } else if similarity >= 0.55 || intent.word.len() >= 4 && word.contains(&*intent.word) {
                    mentions.vague |= 1 << at;
                }
            }
            if found > 0.0 {
                covered += 1;
                weight = f32::max(weight, found);
            }
        }
        mentions.vague &= !mentions.clear;
        mentions.tight = weight * covered as f32 / words.len() as f32;
        mentions
    }

    /// Summed weight of the words in a set.
    pub(crate) fn weight(&self, set: u64) -> f32 {
        let mut rest = set;
        let mut sum = 0.0;
        while rest != 0 {
            sum += self.words[rest.trailing_zeros() as usize].weight;
            rest &= rest - 1;
        }
        sum
    }
}

/// Returns the offset at which the scope of an intent ends; 0 if it names none.
fn scope_end(text: &str) -> usize {
    let end = text.find(if text.starts_with('[') { ']' } else { ':' });
    end.filter(|&end| end <= MAX_SCOPE_BYTES).unwrap_or(0)
}

/// Cheap test before [`word_similarity`]: related words begin alike or contain each other.
fn can_be_related(left: &str, right: &str) -> bool {
    left.as_bytes().first() == right.as_bytes().first() || left.len() >= 4 && right.contains(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_scope(text: &str, scope: &str) {
        assert_eq!(&text[..scope_end(text)], scope, "{text}");
    }

    #[test]
    fn an_intent_begins_with_its_scope() {
        check_scope("regex: skip empty matches", "regex");
        check_scope("feat(core): add a limit", "feat(core)");
        check_scope("[snapshot] Make sure that the window is there: or not", "[snapshot");
        check_scope("[unclosed: no scope", "");
        check_scope("Skip matches that are empty, in every file: always", "");
        check_scope("", "");
    }

    #[test]
    fn common_words_are_sorted() {
        assert!(COMMON_WORDS.is_sorted());
    }
}
