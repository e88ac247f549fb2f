//! Splits text into terms: the words of identifiers, stemmed, and each identifier of several words as one compound.
//!
//! `HTTPServer_v2` gives the terms `http`, `server`, `v2` and the compound `=httpserverv2`. Queries are split the same
//! way, so `flat_hash_map`, `FlatHashMap` and the words *flat hash map* meet.

use std::fmt;

use frostem::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

/// First byte of a compound: no word contains it.
pub(crate) const COMPOUND_MARK: char = '=';

/// Longer words are hashes and encoded data.
const MAX_WORD_BYTES: usize = 32;
/// Longer identifiers have no compound: a question does not spell them.
const MAX_COMPOUND_BYTES: usize = 64;
/// Digits alone that are longer are data, not names.
const MAX_NUMBER_DIGITS: usize = 4;
/// Words whose stems one reader remembers. A vocabulary is smaller; the bound is for texts made of random letters.
const MAX_REMEMBERED_STEMS: usize = 1 << 16;

/// Calls `each` with the position and text of every identifier: a run of letters, digits and `_`.
pub(crate) fn for_each_identifier<'t>(text: &'t str, mut each: impl FnMut(usize, &'t str)) {
    let mut start = None;
    for (at, letter) in text.char_indices() {
        let belongs =
            if letter.is_ascii() { letter.is_ascii_alphanumeric() || letter == '_' } else { letter.is_alphanumeric() };
        match (belongs, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                each(from, &text[from..at]);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        each(from, &text[from..]);
    }
}

/// Calls `each` with the parts of an identifier: split at `_`, where lower case meets upper case, and before the last
/// capital of a run. Digits stay with the letters before them.
pub(crate) fn for_each_part<'t>(identifier: &'t str, mut each: impl FnMut(&'t str)) {
    let mut start = 0;
    let mut previous = '_';
    let mut previous_at = 0;
    let mut letters = identifier.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        // `IPv6` is a word.
        let is_version = letter == 'v' && letters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        let is_separated = letter == '_' || previous == '_';
        let cut = if is_separated || letter.is_uppercase() && !previous.is_uppercase() {
            Some(at)
        } else if letter.is_lowercase() && !is_version && previous.is_uppercase() && previous_at > start {
            Some(previous_at)
        } else {
            None
        };
        if let Some(cut) = cut {
            let part = identifier[start..cut].trim_matches('_');
            if !part.is_empty() {
                each(part);
            }
            start = cut;
        }
        previous = letter;
        previous_at = at;
    }
    let part = identifier[start..].trim_matches('_');
    if !part.is_empty() {
        each(part);
    }
}

/// Stems words, and remembers the stems: a text repeats its words. One per thread.
pub struct TermReader {
    stemmer: Stemmer,
    /// The numbers of the stems of words.
    numbers: FxHashMap<Box<str>, u32>,
    stems: Vec<Box<str>>,
    lower: String,
}

impl Default for TermReader {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::new(Algorithm::English),
            numbers: FxHashMap::default(),
            stems: Vec::new(),
            lower: String::new(),
        }
    }
}

impl fmt::Debug for TermReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TermReader").field("stems", &self.stems.len()).finish_non_exhaustive()
    }
}

impl TermReader {
    /// Returns the stem of a word; `None` for data that is no word.
    pub(crate) fn stem(&mut self, word: &str) -> Option<&str> {
        if word.len() > MAX_WORD_BYTES {
            return None;
        }
        self.lower.clear();
        if word.is_ascii() {
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
            if word.len() > MAX_NUMBER_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
        } else {
            self.lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        let known = self.numbers.get(&*self.lower).copied();
        let number = known.unwrap_or_else(|| {
            if self.stems.len() >= MAX_REMEMBERED_STEMS {
                self.numbers.clear();
                self.stems.clear();
            }
            let number = self.stems.len() as u32;
            self.stems.push(self.stemmer.stem(&self.lower).into());
            self.numbers.insert(self.lower.as_str().into(), number);
            number
        });
        self.stems.get(number as usize).map(|stem| &**stem)
    }

    /// Calls `each` with the terms of an identifier: stems first, then its compound if it has several parts.
    pub(crate) fn for_each_term(&mut self, identifier: &str, mut each: impl FnMut(&str)) {
        let mut parts = 0;
        for_each_part(identifier, |part| {
            parts += 1;
            if let Some(stem) = self.stem(part) {
                each(stem);
            }
        });
        if parts > 1
            && let Some(compound) = compound(identifier)
        {
            each(&compound);
        }
    }

    /// Returns the terms of a text that are no compounds, in order.
    pub(crate) fn stems_of(&mut self, text: &str) -> Vec<String> {
        let mut stems = Vec::new();
        self.for_each_stem(text, |stem| stems.push(stem.to_owned()));
        stems
    }

    /// Calls `each` with the terms of a text that are no compounds, in order.
    pub(crate) fn for_each_stem(&mut self, text: &str, mut each: impl FnMut(&str)) {
        for_each_identifier(text, |_, identifier| {
            for_each_part(identifier, |part| {
                if let Some(stem) = self.stem(part) {
                    each(stem);
                }
            });
        });
    }
}

/// Returns the compound of an identifier: its letters and digits in lower case; `None` if it is too long.
pub(crate) fn compound(identifier: &str) -> Option<String> {
    if identifier.len() > MAX_COMPOUND_BYTES {
        return None;
    }
    let letters = identifier.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase);
    Some(std::iter::once(COMPOUND_MARK).chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> String {
        let mut reader = TermReader::default();
        let mut list = Vec::new();
        for_each_identifier(text, |_, identifier| {
            reader.for_each_term(identifier, |term| list.push(term.to_owned()));
        });
        list.join(" ")
    }

    #[test]
    fn splits_identifiers_into_terms() {
        for (text, expected) in [
            ("HTTPServer", "http server =httpserver"),
            ("flat_hash_map", "flat hash map =flathashmap"),
            ("utf8Reader v2", "utf8 reader =utf8reader v2"),
            ("__init__", "init"),
            ("defaults are read", "default are read"),
            ("a.b->c", "a b c"),
            ("x1234567 1234567 1234", "x1234567 1234"),
            ("IPv6Address", "ipv6 address =ipv6address"),
            ("größeRechnen", "größe rechnen =größerechnen"),
            ("_", ""),
            ("", ""),
        ] {
            assert_eq!(terms(text), expected, "{text}");
        }
    }
}
