//! `Question`: a query as weighted terms, identifiers and plain words.

use crate::path_names::squashed;
use crate::stop_words::STOP_WORDS;
use crate::synonyms;
use crate::terms::{COMPOUND_MARK, TermReader, compound, for_each_identifier, for_each_part};

/// Bytes of a query that are read: a longer one is a pasted text.
const MAX_QUERY_BYTES: usize = 1000;
/// Different terms of a query that are looked up. Each is one bit of a set.
const MAX_TERMS: usize = 60;

/// Words that ask for the place of a definition.
const DEFINITION_WORDS: &[&str] = &[
    "declaration",
    "declared",
    "declares",
    "defined",
    "defines",
    "definition",
    "implementation",
    "implemented",
    "implementing",
    "implements",
    "located",
];

/// Words that mean little in a question, and are rare in code: rarity alone would weigh them too high.
const WEAK_WORDS: &[&str] = &[
    "actually",
    "again",
    "allow",
    "allows",
    "already",
    "always",
    "another",
    "anything",
    "back",
    "become",
    "becomes",
    "both",
    "cannot",
    "come",
    "comes",
    "directly",
    "during",
    "else",
    "enough",
    "even",
    "few",
    "first",
    "happen",
    "happening",
    "happens",
    "instead",
    "keep",
    "keeps",
    "kept",
    "know",
    "known",
    "last",
    "made",
    "make",
    "makes",
    "making",
    "many",
    "may",
    "might",
    "more",
    "most",
    "must",
    "need",
    "needed",
    "needs",
    "never",
    "no",
    "none",
    "not",
    "nothing",
    "now",
    "out",
    "perform",
    "performed",
    "rather",
    "same",
    "several",
    "since",
    "still",
    "sure",
    "take",
    "taken",
    "takes",
    "turn",
    "turned",
    "turns",
    "until",
    "want",
    "wants",
    "whole",
    "without",
    "work",
    "working",
    "works",
    "yet",
];
/// Weight of such a word.
const WEAK_WEIGHT: f32 = 0.4;

/// Weight of a word that code may use instead of the question's.
const SYNONYM_WEIGHT: f32 = 0.3;
/// Weight of a compound as one word. It gains 0.002 NDCG@10 on both halves of 18 repositories; 0.7 was no better.
const ONE_WORD_WEIGHT: f32 = 0.5;

/// Words that ask for a kind of file.
const TEST_WORDS: &[&str] =
    &["test", "tests", "tested", "testing", "mock", "mocks", "fixture", "fixtures", "spec", "specs"];
const EXAMPLE_WORDS: &[&str] =
    &["example", "examples", "bench", "benchmark", "benchmarks", "demo", "demos", "sample", "samples", "tutorial"];
const DOCUMENT_WORDS: &[&str] =
    &["doc", "docs", "documentation", "documented", "readme", "guide", "changelog", "manual", "license"];
const CONFIGURATION_WORDS: &[&str] = &[
    "config",
    "configure",
    "configured",
    "configures",
    "configuration",
    "settings",
    "ci",
    "workflow",
    "manifest",
    "toml",
    "yaml",
    "json",
];

/// The way a term of the query came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermKind {
    /// A word.
    Word,
    /// An identifier of several words, as it was written.
    Compound,
    /// A word that code may use for one of the question.
    Synonym,
    /// Neighbouring words as one identifier, which is a guess.
    Join,
}

/// A term that is looked up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QuestionTerm {
    pub(crate) term: String,
    pub(crate) weight: f32,
    pub(crate) kind: TermKind,
    /// The word as it was written, in lower case.
    pub(crate) word: String,
    /// True for a part of a value, as `PT10S`. The files of an answer need not write the value of a question.
    pub(crate) is_value: bool,
    /// Numbers of the terms that stand for it, as bits.
    synonyms: u64,
}

/// A name that may be declared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedName {
    pub(crate) name: String,
    /// Its letters and digits, as stems of files are compared.
    pub(crate) squashed: String,
    /// 1 for an identifier, less for words that may form one.
    pub(crate) weight: f32,
}

/// A name that the query writes as one, by a capital: `GraphQL`, `Kafka`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProperName {
    /// The terms of its parts, as bits.
    pub(crate) parts: u64,
    /// Its compound, as a bit; none if it has one part.
    pub(crate) whole: u64,
}

/// The kinds of files that the words ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a question can ask for several at once")]
pub(crate) struct AskedKinds {
    pub(crate) tests: bool,
    pub(crate) examples: bool,
    pub(crate) documents: bool,
    pub(crate) configuration: bool,
}

/// A prepared query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Question {
    pub(crate) terms: Vec<QuestionTerm>,
    /// Identifiers of the query, and neighbouring words joined.
    pub(crate) names: Vec<AskedName>,
    /// Names written with a capital within a sentence.
    pub(crate) proper_names: Vec<ProperName>,
    /// Words that may be declared names themselves, in lower case.
    pub(crate) words: Vec<String>,
    pub(crate) kinds: AskedKinds,
    /// True for a query without a blank: a symbol or a name.
    pub(crate) is_symbol: bool,
}

impl Question {
    /// Splits a query.
    pub(crate) fn parse(query: &str, reader: &mut TermReader) -> Self {
        let query = query.trim();
        let query = &query[..query.floor_char_boundary(MAX_QUERY_BYTES)];
        let mut question = Self { is_symbol: !query.contains(char::is_whitespace), ..Self::default() };
        // Words between stop words: neighbours of a sentence form no name across a sign.
        let mut run: Vec<String> = Vec::new();
        let mut end = 0;
        let mut identifiers: Vec<(usize, &str)> = Vec::new();
        for_each_identifier(query, |at, identifier| identifiers.push((at, identifier)));
        // A question that is left with one identifier asks for that symbol: `find Command`.
        let is_needed = |identifier: &str| {
            let lower = identifier.to_lowercase();
            STOP_WORDS.binary_search(&lower.as_str()).is_err() && !DEFINITION_WORDS.contains(&lower.as_str())
        };
        let needed: Vec<(usize, &str)> = identifiers.iter().copied().filter(|(_, text)| is_needed(text)).collect();
        if needed.len() == 1 {
            question.is_symbol = true;
            identifiers = needed;
        }
        // Alone it is a name; a sentence of stop words asks for nothing.
        let is_alone = identifiers.len() == 1;
        for &(at, identifier) in &identifiers {
            let lower = identifier.to_lowercase();
            let gap = &query[end..at];
            if !gap.chars().all(|letter| letter.is_whitespace() || letter == '-') {
                question.add_joins(&run);
                run.clear();
            }
            end = at + identifier.len();
            let mut parts: Vec<String> = Vec::new();
            for_each_part(identifier, |part| parts.push(part.to_lowercase()));
            let is_stop = STOP_WORDS.binary_search(&lower.as_str()).is_ok();
            if parts.len() == 1 && is_stop && !is_alone {
                question.add_joins(&run);
                run.clear();
                continue;
            }
            question.note_kind(&lower);
            let begins = question.terms.is_empty();
            // The letters of `gRPC` and `LaTeX` are no words; their compound is.
            let is_letter = |part: &String| parts.len() > 1 && part.chars().count() == 1;
            let mut proper = ProperName::default();
            let is_value = is_value(identifier);
            for part in parts.iter().filter(|part| !is_letter(part)) {
                if let Some(stem) = reader.stem(part) {
                    let is_weak = WEAK_WORDS.binary_search(&part.as_str()).is_ok();
                    let weight = match part.chars().count() {
                        1 => 0.3,
                        _ if is_weak && !question.is_symbol => WEAK_WEIGHT,
                        _ => 1.0,
                    };
                    let stem = stem.to_owned();
                    let bit = question.add_term(stem, weight, TermKind::Word, part);
                    if is_value && bit != 0 {
                        question.terms[bit.trailing_zeros() as usize].is_value = true;
                    }
                    proper.parts |= bit;
                }
            }
            // A capital within a sentence marks a name.
            let is_name = parts.len() > 1
                || question.is_symbol
                || identifier.starts_with(char::is_uppercase) && !begins && identifier.len() > 2;
            if is_name {
                question.add_name(identifier.to_owned(), 1.0);
            }
            if parts.len() > 1 {
                if let Some(compound) = compound(identifier) {
                    proper.whole = question.add_term(compound, 1.0, TermKind::Compound, &lower);
                }
            } else if parts.len() == 1 && !question.words.contains(&lower) {
                question.words.push(lower);
            }
            let is_first = at == identifiers[0].0;
            let has_capital = |(at, letter): (usize, char)| letter.is_uppercase() && (at > 0 || !is_first);
            if !is_value && identifier.char_indices().any(has_capital) {
                question.proper_names.push(proper);
            }
            run.extend(parts);
        }
        question.add_joins(&run);
        if !question.is_symbol {
            question.add_synonyms(reader);
        }
        question
    }

    /// Adds other words for the words of the question.
    fn add_synonyms(&mut self, reader: &mut TermReader) {
        for number in 0..self.terms.len() {
            let term = &self.terms[number];
            if term.kind == TermKind::Compound {
                self.add_one_word(number, reader);
                continue;
            }
            if term.kind != TermKind::Word || term.weight <= WEAK_WEIGHT {
                continue;
            }
            let weight = term.weight * SYNONYM_WEIGHT;
            for other in synonyms::of_stem(&term.term.clone(), reader) {
                self.terms[number].synonyms |= self.add_term(other.clone(), weight, TermKind::Synonym, &other);
            }
        }
    }

    /// Adds a compound as one word, in which other code writes it: `graphql` for `GraphQL`.
    fn add_one_word(&mut self, compound: usize, reader: &mut TermReader) {
        let word = self.terms[compound].term.trim_start_matches(COMPOUND_MARK).to_owned();
        if let Some(stem) = reader.stem(&word).map(str::to_owned) {
            self.terms[compound].synonyms |= self.add_term(stem, ONE_WORD_WEIGHT, TermKind::Synonym, &word);
        }
    }

    /// Returns the terms that stand for a term, as bits.
    pub(crate) fn synonyms(&self, term: usize) -> u64 {
        self.terms[term].synonyms
    }

    fn note_kind(&mut self, word: &str) {
        self.kinds.tests |= TEST_WORDS.contains(&word);
        self.kinds.examples |= EXAMPLE_WORDS.contains(&word);
        self.kinds.documents |= DOCUMENT_WORDS.contains(&word);
        self.kinds.configuration |= CONFIGURATION_WORDS.contains(&word);
    }

    /// Adds a term unless it is there, and returns its bit; none if there are too many.
    fn add_term(&mut self, term: String, weight: f32, kind: TermKind, word: &str) -> u64 {
        let place = self.terms.iter().position(|known| known.term == term).unwrap_or(self.terms.len());
        if place >= MAX_TERMS {
            return 0;
        }
        if place == self.terms.len() {
            self.terms.push(QuestionTerm { term, weight, kind, word: word.to_owned(), is_value: false, synonyms: 0 });
        }
        1 << place
    }

    fn add_name(&mut self, name: String, weight: f32) {
        if self.names.len() < MAX_TERMS && !self.names.iter().any(|known| known.name == name) {
            self.names.push(AskedName { squashed: squashed(&name), name, weight });
        }
    }

    /// Adds pairs and triples of neighbouring words as identifiers.
    fn add_joins(&mut self, run: &[String]) {
        for length in [2, 3] {
            for words in run.windows(length) {
                let joined = words.concat();
                if let Some(term) = compound(&joined) {
                    self.add_term(term, 0.5, TermKind::Join, &joined);
                }
                self.add_name(joined, 0.6);
            }
        }
    }
}

/// Returns whether an identifier is a quantity, a date or a duration: `10s`, `5MB`, `0xFF`, `01T00`, `PT10S`. Names begin with
/// a letter.
fn is_value(identifier: &str) -> bool {
    identifier.starts_with(|letter: char| letter.is_ascii_digit()) || is_iso_duration(identifier)
}

/// Returns whether an identifier is a duration of ISO 8601: `P`, numbers with units, and those of a day behind a `T`.
fn is_iso_duration(identifier: &str) -> bool {
    let Some(rest) = identifier.strip_prefix('P') else { return false };
    let mut numbers = rest.split_inclusive(|letter: char| letter.is_ascii_alphabetic() && letter != 'T');
    rest.contains(|letter: char| letter.is_ascii_digit())
        && numbers.all(|number| {
            let number = number.strip_prefix('T').unwrap_or(number);
            let digits = number.trim_end_matches(['Y', 'M', 'W', 'D', 'H', 'S']);
            number.len() == digits.len() + 1 && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_questions() {
        assert!(STOP_WORDS.is_sorted());
        let question =
            Question::parse("where is the flat hash map resized in HashMapImpl?", &mut TermReader::default());
        let is_written = |term: &&QuestionTerm| term.kind != TermKind::Synonym;
        let terms: Vec<&str> = question.terms.iter().filter(is_written).map(|term| term.term.as_str()).collect();
        let joins = ["=flathash", "=hashmap", "=mapresized", "=flathashmap", "=hashmapresized"];
        assert_eq!(
            terms,
            [&["flat", "hash", "map", "resiz"][..], &joins, &["impl", "=hashmapimpl", "=mapimpl"]].concat()
        );
        assert!(question.terms.iter().any(|term| term.term == "dictionari"), "code says dictionary for map");
        assert_eq!(question.words, ["flat", "hash", "map", "resized"]);
        assert!(question.names.iter().any(|name| name.name == "HashMapImpl" && name.weight > 0.9));
        for symbol in ["HashMap", "find HashMap", "where is HashMap implemented"] {
            let question = Question::parse(symbol, &mut TermReader::default());
            assert!(question.is_symbol && question.names.iter().any(|name| name.name == "HashMap"), "{symbol}");
        }
        let question = Question::parse("GraphQL API", &mut TermReader::default());
        assert!(question.terms.iter().any(|term| term.term == "graphql"), "other code writes it as one word");
        let names = |query| Question::parse(query, &mut TermReader::default()).proper_names.len();
        assert_eq!((names("Limit the rate"), names("read from Kafka or RabbitMQ"), names("TOML files")), (0, 2, 1));
        assert_eq!(names("a timeout of 10s, 5MB or PT10S"), 0, "values are no names");
        let terms = |query| Question::parse(query, &mut TermReader::default()).terms.len();
        assert_eq!((terms("find"), terms("where is it")), (1, 0), "a stop word alone is a name");
    }
}
