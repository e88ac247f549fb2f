//! `NameIndex`: the names of a directory with a summary of each, so that few are compared with a mistyped name.

use std::hash::{BuildHasher as _, BuildHasherDefault};
use std::sync::Arc;

use rustc_hash::FxHasher;

/// The bits of digits, which are never mistyped.
const DIGITS: u64 = (1 << 10) - 1;
/// The bits of letters and digits, in any case; separators and other characters have none.
const CHARACTERS: u64 = (1 << 36) - 1;
/// Set if a name has two dots, so that a word between them can be mistyped.
const INNER_WORDS: u64 = 1 << 36;
/// The bits from here on are a hash of what must be equal: the extension, and whether the name begins with a dot.
const HASH_SHIFT: u32 = 37;
/// A replaced letter leaves one set and joins the other, and two edits are the most that are looked for.
const MAX_DIFFERING_LETTERS: u32 = 4;

/// The names in a directory, each with its summary.
pub(super) struct NameIndex {
    names: Arc<[String]>,
    summaries: Box<[u64]>,
}

impl NameIndex {
    pub(super) fn new(names: Arc<[String]>) -> Self {
        let summaries = names.iter().map(|name| summarize(name)).collect();
        Self { names, summaries }
    }

    /// The names that can be the mistyped one: of the same extension and digits, with at most two other letters.
    pub(super) fn near<'n>(&'n self, mistyped: &str) -> impl Iterator<Item = &'n str> {
        let mistyped = summarize(mistyped);
        let is_near = move |summary: u64| {
            let differing = summary ^ mistyped;
            let has_same = differing & !(CHARACTERS & !DIGITS | INNER_WORDS) == 0
                && (differing & CHARACTERS).count_ones() <= MAX_DIFFERING_LETTERS;
            has_same || summary & mistyped & INNER_WORDS != 0
        };
        let near = self.summaries.iter().zip(self.names.iter()).filter(move |(summary, _)| is_near(**summary));
        near.map(|(_, name)| name.as_str())
    }
}

/// Splits a name at its first dot; one at its beginning does not count.
pub(super) fn split_extension(name: &str) -> (&str, &str) {
    name.find('.').filter(|at| *at > 0).map_or((name, ""), |at| name.split_at(at))
}

/// The number of dots in a name.
pub(super) fn count_dots(name: &str) -> usize {
    memchr::memchr_iter(b'.', name.as_bytes()).count()
}

fn summarize(name: &str) -> u64 {
    const BITS: [u64; 256] = {
        let mut bits = [0; 256];
        let mut at = 0;
        while at < 36 {
            let byte = b"0123456789abcdefghijklmnopqrstuvwxyz"[at];
            bits[byte as usize] = 1 << at;
            bits[byte.to_ascii_uppercase() as usize] = 1 << at;
            at += 1;
        }
        bits
    };
    let (stem, extension) = split_extension(name);
    let characters = stem.bytes().fold(0, |set, byte| set | BITS[usize::from(byte)]);
    let inner_words = if count_dots(name) >= 2 { INNER_WORDS } else { 0 };
    let hasher = BuildHasherDefault::<FxHasher>::default();
    characters | inner_words | hasher.hash_one((extension, name.starts_with('.'))) << HASH_SHIFT
}

#[cfg(test)]
mod tests {
    use super::NameIndex;

    #[test]
    fn keeps_near_names() {
        let check = |mistyped: &str, names: &[&str], expect: &[&str]| {
            let index = NameIndex::new(names.iter().map(|name| (*name).to_owned()).collect());
            assert_eq!(index.near(mistyped).collect::<Vec<_>>(), expect, "{mistyped}");
        };
        check("buton.ts", &["button.ts", "button.js", "table.ts", "Batten.ts"], &["button.ts", "Batten.ts"]);
        check("note-12.md", &["note-13.md", "notes-21.md", "nodes_12.md"], &["notes-21.md", "nodes_12.md"]);
        check("config", &[".config", "confgi", "config.ts"], &["confgi"]);
        check("a.tset.ts", &["b.other.js", "a.test.ts", "a.ts"], &["b.other.js", "a.test.ts"]);
        check("", &["a", "abcde", "é"], &["a", "é"]);
    }
}
