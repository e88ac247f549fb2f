//! `Query`: a find request, prepared for the scan and the features.

use super::glob::Glob;
use super::query_parser::{ParsedQuery, WantedKinds, is_request, strip_syntax};
use super::{FindRequest, word};
use crate::corpus::Corpus;
use crate::distance;
use crate::index::Snapshot;
use crate::root::Root;
use crate::words::{fold, for_each_word, letter_set, split_extension, squash};

/// Most words of a query that are looked up, rarest first. One byte of similarity per word fits a machine word.
pub(super) const WORDS_MAX: usize = 8;

/// Words that are weighed to select these: a pasted page is no question.
const WEIGHED_WORDS_MAX: usize = 64;

/// A longer last word is not taken for an extension.
const EXTENSION_LETTERS_MAX: usize = 4;

/// A word this short is not split, and its parts are no words.
const PART_LETTERS_MIN: usize = 3;

/// A needed word of the query.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// In lower case.
    pub(super) text: String,
    /// Weight by rarity: 0.3 if every name has it … 1 if at most one has.
    pub(super) weight: f32,
    /// True if a name in the tree has it.
    pub(super) is_known: bool,
}

/// One interpretation of the query's words.
#[derive(Clone, Debug)]
pub(super) struct QueryInterpretation {
    pub(super) words: Vec<Word>,
    /// All words as one name's key.
    pub(super) key: Vec<u8>,
    pub(super) letters: u64,
    pub(super) typos: distance::Pattern,
    /// True if it splits a word of the query in two.
    pub(super) is_compound_split: bool,
    /// The requested extension, in lower case, and whether it is required.
    pub(super) extension: Option<(String, ExtensionMatch)>,
}

/// The strictness of a requested extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExtensionMatch {
    /// Files that have it rank higher.
    Preferred,
    /// Other files do not match: the extension stood as a word of its own.
    Required,
}

/// A parsed find request with its interpretations.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// The first interpretation takes the query as it is written.
    pub(super) interpretations: Vec<QueryInterpretation>,
    pub(super) wants: WantedKinds,
    /// The glob that paths must match, if the query is one.
    pub(super) glob: Option<Glob>,
    /// The segments of a path, in lower case; empty if the query is no path.
    pub(super) path: Vec<String>,
    /// The last segment or only token, in lower case, if it has an extension that files in the tree have.
    pub(super) name: Option<String>,
    /// The needed tokens as they are spelled.
    pub(super) tokens: Vec<String>,
}

impl Query {
    /// Parses a request against the names of all roots.
    pub(super) fn parse(request: &FindRequest, roots: &[Root]) -> Self {
        let snapshots: Vec<&Snapshot> = roots.iter().map(|root| &root.snapshot).collect();
        let corpus = Corpus::new(&snapshots);
        let glob = Glob::parse(&request.query);
        let text = if glob.is_some() { literal_part(&request.query) } else { strip_syntax(&request.query) };
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let mut parsed = ParsedQuery::from_tokens(&tokens, &|word| corpus.is_known(word));
        parsed.wants.implementation |= request.implementation;
        let last = parsed.tokens.last().map(|token| fold(token.as_bytes()).into_owned()).unwrap_or_default();
        let name = last.rsplit('/').next().unwrap_or_default();
        let (_, extension) = split_extension(name.as_bytes());
        let extension = String::from_utf8_lossy(extension).into_owned();
        let known = !extension.is_empty() && corpus.extension_share(&extension) > 0.0;
        // `auth middleware py`
        let apart =
            parsed.tokens.len() > 1 && last.len() <= EXTENSION_LETTERS_MAX && corpus.extension_share(&last) > 0.0;
        let path: Vec<String> = match &parsed.tokens[..] {
            [token] if token.contains('/') && glob.is_none() => {
                let folded = fold(token.as_bytes());
                folded.split('/').filter(|segment| !segment.is_empty() && *segment != ".").map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let cut = if known { extension.len() + 1 } else { 0 };
        let mut written = QueryInterpretation::from_tokens(&parsed.tokens, cut, &corpus);
        written.extension = known.then(|| (extension.clone(), ExtensionMatch::Preferred));
        let parts = match &*written.words {
            [alone] => word::split_compound(&alone.text, &snapshots),
            _ => None,
        };
        let mut interpretations = vec![written];
        interpretations.extend(parts.map(|parts| QueryInterpretation {
            extension: interpretations[0].extension.clone(),
            is_compound_split: true,
            ..QueryInterpretation::new(&parts.concat(), weigh_words(parts, &corpus))
        }));
        if apart {
            // The last word may be a part of a name too: `babel conf`.
            let rest = &parsed.tokens[..parsed.tokens.len() - 1];
            interpretations.push(QueryInterpretation {
                extension: Some((last.clone(), ExtensionMatch::Required)),
                ..QueryInterpretation::from_tokens(rest, 0, &corpus)
            });
        } else if known && path.is_empty() {
            // An extension may be a part of the name too: `nature.css` in `nature.css.jinja`.
            interpretations.push(QueryInterpretation::from_tokens(&parsed.tokens, 0, &corpus));
        }
        // `find Router` names two words of a path, or asks for one.
        if let [verb, _] = &parsed.tokens[..]
            && is_request(verb)
        {
            let rest = QueryInterpretation::from_tokens(&parsed.tokens[1..], cut, &corpus);
            interpretations.push(QueryInterpretation { extension: interpretations[0].extension.clone(), ..rest });
        }
        Self {
            interpretations,
            wants: parsed.wants,
            glob,
            path,
            name: known.then(|| name.to_owned()),
            tokens: parsed.tokens,
        }
    }

    /// Returns the words of the first interpretation.
    pub(super) fn words(&self) -> &[Word] {
        &self.interpretations[0].words
    }
}

impl QueryInterpretation {
    fn new(joined: &str, words: Vec<Word>) -> Self {
        let key = squash(joined.as_bytes());
        let (letters, typos) = (letter_set(&key), distance::Pattern::new(&key));
        Self { letters, typos, key, words, is_compound_split: false, extension: None }
    }

    /// Interprets tokens, without the last `cut` bytes of the last one.
    fn from_tokens(tokens: &[String], cut: usize, corpus: &Corpus<'_>) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let mut joined = String::new();
        for (at, token) in tokens.iter().enumerate() {
            let cut = if at + 1 == tokens.len() { cut } else { 0 };
            for_each_word(&token.as_bytes()[..token.len().saturating_sub(cut)], |word| {
                joined.push_str(word);
                if !texts.iter().any(|known| known == word) && texts.len() < WEIGHED_WORDS_MAX {
                    texts.push(word.to_owned());
                }
            });
        }
        Self::new(&joined, weigh_words(texts, corpus))
    }

    /// Returns whether names in the tree have each of the words.
    pub(super) fn is_known(&self) -> bool {
        self.words.iter().all(|word| word.is_known)
    }

    /// Returns the total weight of the words.
    pub(super) fn weight(&self) -> f32 {
        self.words.iter().map(|word| word.weight).sum::<f32>().max(f32::MIN_POSITIVE)
    }
}

/// Returns the words of a glob's name; its extension is only matched.
fn literal_part(pattern: &str) -> String {
    let name = pattern.rfind('/').map_or(0, |slash| slash + 1);
    let end = pattern[name..].rfind('.').map_or(pattern.len(), |dot| name + dot);
    strip_syntax(&pattern[..end].replace(['*', '{', '}', '?', '/', ','], " "))
}

/// Weighs words by rarity, and keeps the rarest in their order.
fn weigh_words(texts: Vec<String>, corpus: &Corpus<'_>) -> Vec<Word> {
    let weight = |text: &str| {
        let short = if text.chars().count() < PART_LETTERS_MIN { 0.6 } else { 1.0 };
        (0.3 + 0.7 * corpus.rarity(text)) * short
    };
    let mut words: Vec<(usize, Word)> = texts
        .into_iter()
        .map(|text| Word { weight: weight(&text), is_known: corpus.is_known(&text), text })
        .enumerate()
        .collect();
    if words.len() > WORDS_MAX {
        words.sort_by(|left, right| right.1.weight.total_cmp(&left.1.weight).then(left.0.cmp(&right.0)));
        words.truncate(WORDS_MAX);
        words.sort_by_key(|(at, _)| *at);
    }
    words.into_iter().map(|(_, word)| word).collect()
}
