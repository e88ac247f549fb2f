//! `Query`: a question as the scan and the evidence read it.

use super::glob::Glob;
use super::query_parser::{ParsedQuery, WantedKinds, strip_syntax};
use super::{FindRequest, word};
use crate::corpus::Corpus;
use crate::distance;
use crate::index::Snapshot;
use crate::root::Root;
use crate::words::{fold, for_each_word, letter_set, split_extension, squash};

/// Words of a query that are looked for: a byte of each name's similarity for each of them fits one machine word. Of
/// more, the rarest.
pub(super) const WORDS_MAX: usize = 8;

/// Words that are weigh_words to find these: a pasted page is no question.
const WEIGHED_WORDS_MAX: usize = 64;

/// Longer last words are no extension that stands apart.
const EXTENSION_LETTERS_MAX: usize = 4;

/// Words this short are not taken apart, and their parts are no words.
const PART_LETTERS_MIN: usize = 3;

/// A word that is needed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// In lower case.
    pub(super) text: String,
    /// How much it says: 0.3 in every name … 1 in none or one.
    pub(super) weight: f32,
    /// Whether a name here has it.
    pub(super) known: bool,
}

/// One way to understand the words.
#[derive(Clone, Debug)]
pub(super) struct QueryInterpretation {
    pub(super) words: Vec<Word>,
    /// All of them as one name's key.
    pub(super) key: Vec<u8>,
    pub(super) letters: u64,
    pub(super) typos: distance::Pattern,
    /// Whether it takes a word apart that was written as one.
    pub(super) taken_apart: bool,
    /// The extension that was asked for, in lower case, and whether nothing else fits.
    pub(super) extension: Option<(String, ExtensionMatch)>,
}

/// What an extension says that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExtensionMatch {
    /// Files that have it are better, and others not good.
    Preferred,
    /// No others fit: it stood where a word stands.
    Required,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// The first is as it was written.
    pub(super) interpretations: Vec<QueryInterpretation>,
    pub(super) wants: WantedKinds,
    /// What paths have to fit, if a pattern was asked for.
    pub(super) glob: Option<Glob>,
    /// The segments of a path, in lower case; empty where none was written.
    pub(super) path: Vec<String>,
    /// The last segment or only token, in lower case, if it has an extension that files here have.
    pub(super) name: Option<String>,
    /// The needed tokens as they are spelled.
    pub(super) tokens: Vec<String>,
}

impl Query {
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
            taken_apart: true,
            ..QueryInterpretation::new(&parts.concat(), weigh_words(parts, &corpus))
        }));
        if apart {
            // The last word may as well be one of a name: `babel conf`.
            let rest = &parsed.tokens[..parsed.tokens.len() - 1];
            interpretations.push(QueryInterpretation {
                extension: Some((last.clone(), ExtensionMatch::Required)),
                ..QueryInterpretation::from_tokens(rest, 0, &corpus)
            });
        } else if known && path.is_empty() {
            // So may an extension: `nature.css` in `nature.css.jinja`.
            interpretations.push(QueryInterpretation::from_tokens(&parsed.tokens, 0, &corpus));
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

    /// The words as they were written.
    pub(super) fn words(&self) -> &[Word] {
        &self.interpretations[0].words
    }
}

impl QueryInterpretation {
    fn new(joined: &str, words: Vec<Word>) -> Self {
        let key = squash(joined.as_bytes());
        let (letters, typos) = (letter_set(&key), distance::Pattern::new(&key));
        Self { letters, typos, key, words, taken_apart: false, extension: None }
    }

    /// Of tokens, without so many bytes at the end of the last.
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

    /// Whether names here have each of the words.
    pub(super) fn is_known(&self) -> bool {
        self.words.iter().all(|word| word.known)
    }

    /// The weight of all words.
    pub(super) fn weight(&self) -> f32 {
        self.words.iter().map(|word| word.weight).sum::<f32>().max(f32::MIN_POSITIVE)
    }
}

/// What a pattern says of names; its extension is only what has to fit.
fn literal_part(pattern: &str) -> String {
    let name = pattern.rfind('/').map_or(0, |slash| slash + 1);
    let end = pattern[name..].rfind('.').map_or(pattern.len(), |dot| name + dot);
    strip_syntax(&pattern[..end].replace(['*', '{', '}', '?', '/', ','], " "))
}

/// Words with what they say; of too many the rarest, in their order.
fn weigh_words(texts: Vec<String>, corpus: &Corpus<'_>) -> Vec<Word> {
    let weight = |text: &str| {
        let short = if text.chars().count() < PART_LETTERS_MIN { 0.6 } else { 1.0 };
        (0.3 + 0.7 * corpus.rarity(text)) * short
    };
    let mut words: Vec<(usize, Word)> = texts
        .into_iter()
        .map(|text| Word { weight: weight(&text), known: corpus.is_known(&text), text })
        .enumerate()
        .collect();
    if words.len() > WORDS_MAX {
        words.sort_by(|left, right| right.1.weight.total_cmp(&left.1.weight).then(left.0.cmp(&right.0)));
        words.truncate(WORDS_MAX);
        words.sort_by_key(|(at, _)| *at);
    }
    words.into_iter().map(|(_, word)| word).collect()
}
