//! Splits and normalises names: stem and extension, words, keys, letter sets.
//!
//! Terminology: the *stem* of `client_test.go` is `client_test`, its *extension* `go`; its *words* are `client` and
//! `test`. Its *key* is `clienttest`: the letters and digits of the stem in lower case. Names that differ only in
//! separators or case have equal keys.

use std::borrow::Cow;

use smallvec::SmallVec;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Longest extension in bytes: `caddyfiletest` and `code-workspace` exist; longer endings belong to the stem.
const EXTENSION_MAX: usize = 16;

/// Splits a name at its last dot into stem and extension (without the dot, empty if there is none).
/// A leading dot starts a hidden name, not an extension; an extension is short, alphanumeric and has a letter.
pub fn split_extension(name: &[u8]) -> (&[u8], &[u8]) {
    let Some(dot) = name.iter().rposition(|&byte| byte == b'.') else {
        return (name, b"");
    };
    let (stem, extension) = (&name[..dot], &name[dot + 1..]);
    let plausible = dot > 0
        && !extension.is_empty()
        && extension.len() <= EXTENSION_MAX
        && extension.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && extension.iter().any(u8::is_ascii_alphabetic);
    if plausible { (stem, extension) } else { (name, b"") }
}

/// Returns the name in composed form (NFC) and lower case; bytes that are not UTF-8 become U+FFFD.
pub fn fold(name: &[u8]) -> Cow<'_, str> {
    if let Some(text) = as_ascii(name) {
        return lower_ascii(text);
    }
    let text = String::from_utf8_lossy(name);
    let composed: String =
        if is_nfc_quick(text.chars()) == IsNormalized::Yes { text.into_owned() } else { text.nfc().collect() };
    Cow::Owned(composed.to_lowercase())
}

/// Appends the key of a stem to `key`: its letters and digits in lower case, without accents.
pub fn squash_into(stem: &[u8], key: &mut Vec<u8>) {
    if stem.is_ascii() {
        key.extend(stem.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase));
    } else {
        // Accents and ligatures are dropped: people leave them out, and `café` is no typo of `cafe`.
        let folded = fold(stem);
        let mut buffer = [0; 4];
        for letter in folded.nfkd().filter(|letter| letter.is_alphanumeric()) {
            key.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
        }
    }
}

/// Returns the key of a stem without a copy where the stem is its own key.
pub(crate) fn key_of(stem: &[u8]) -> Cow<'_, [u8]> {
    let is_key = stem.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is_key { Cow::Borrowed(stem) } else { Cow::Owned(squash(stem)) }
}

/// Returns the key of a stem; see [`squash_into`].
pub fn squash(stem: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(stem.len());
    squash_into(stem, &mut key);
    key
}

/// Calls `each` with every word of a name in lower case: runs of letters, split where lower case meets
/// upper case (`camelCase`), before the last capital of a run of them (`HTTPServer`), and runs of digits.
pub fn for_each_word(name: &[u8], mut each: impl FnMut(&str)) {
    if let Some(text) = as_ascii(name) {
        split_words(ascii_classes(text), text.len(), |start, end| {
            let word = &text[start..end];
            if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
                each(&word.to_ascii_lowercase());
            } else {
                each(word);
            }
        });
    } else {
        let composed: String = String::from_utf8_lossy(name).nfc().collect();
        let classes = composed.char_indices().map(|(at, letter)| (at, classify(letter)));
        split_words(classes, composed.len(), |start, end| each(&composed[start..end].to_lowercase()));
    }
}

/// The words of a name in lower case, in order; see [`for_each_word`]. They share one buffer, and most names are their own.
#[derive(Debug)]
pub(crate) struct WordList<'a> {
    text: Cow<'a, str>,
    /// Start and end of each word in the text.
    ranges: WordRanges,
}

/// Six words are in nearly all names, and need no memory of their own.
type WordRanges = SmallVec<[(u32, u32); 6]>;

impl<'a> WordList<'a> {
    /// Splits a name.
    pub(crate) fn new(name: &'a [u8]) -> Self {
        let mut ranges = WordRanges::new();
        if let Some(text) = as_ascii(name) {
            split_words(ascii_classes(text), text.len(), |start, end| ranges.push((start as u32, end as u32)));
            return Self { text: lower_ascii(text), ranges };
        }
        let mut text = String::new();
        for_each_word(name, |word| {
            let start = text.len() as u32;
            text.push_str(word);
            ranges.push((start, text.len() as u32));
        });
        Self { text: Cow::Owned(text), ranges }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.ranges.iter().map(|&(start, end)| &self.text[start as usize..end as usize])
    }

    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

/// Returns a name as text if it is ASCII: most are, and need neither checks for UTF-8 nor composition.
fn as_ascii(name: &[u8]) -> Option<&str> {
    if name.is_ascii() { std::str::from_utf8(name).ok() } else { None }
}

fn lower_ascii(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the words of a name, in order; see [`for_each_word`].
pub fn words(name: &[u8]) -> Vec<String> {
    let mut list = Vec::new();
    for_each_word(name, |word| list.push(word.to_owned()));
    list
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Lower,
    Upper,
    Digit,
    Other,
}

fn classify(letter: char) -> CharClass {
    if letter.is_ascii() {
        classify_ascii(letter as u8)
    } else if letter.is_uppercase() {
        CharClass::Upper
    } else if letter.is_numeric() {
        CharClass::Digit
    } else if letter.is_alphanumeric() || unicode_normalization::char::is_combining_mark(letter) {
        CharClass::Lower
    } else {
        CharClass::Other
    }
}

/// The classes of all ASCII letters: a look-up for each byte, where most names are split.
static ASCII_CLASSES: [CharClass; 128] = {
    let mut classes = [CharClass::Other; 128];
    let mut at = 0;
    while at < classes.len() {
        classes[at] = classify_ascii(at as u8);
        at += 1;
    }
    classes
};

const fn classify_ascii(byte: u8) -> CharClass {
    match byte {
        b'a'..=b'z' => CharClass::Lower,
        b'A'..=b'Z' => CharClass::Upper,
        b'0'..=b'9' => CharClass::Digit,
        _ => CharClass::Other,
    }
}

/// The position and class of each byte of an ASCII text.
fn ascii_classes(text: &str) -> impl Iterator<Item = (usize, CharClass)> {
    text.bytes().map(|byte| ASCII_CLASSES[usize::from(byte & 0x7f)]).enumerate()
}

/// Calls `each` with start and end of the words of a text of this length, given the position and class of each letter.
fn split_words(classes: impl Iterator<Item = (usize, CharClass)>, length: usize, mut each: impl FnMut(usize, usize)) {
    let mut start = 0;
    let mut last_capital = 0;
    let mut previous = CharClass::Other;
    for (at, now) in classes {
        let boundary = match (previous, now) {
            (before, after) if before == after => false,
            (CharClass::Upper, CharClass::Lower) => {
                // `HTTPServer`: the last capital belongs to the word that follows.
                if last_capital > start {
                    each(start, last_capital);
                    start = last_capital;
                }
                false
            }
            _ => true,
        };
        if boundary {
            if previous != CharClass::Other && at > start {
                each(start, at);
            }
            start = at;
        }
        if now == CharClass::Upper {
            last_capital = at;
        }
        previous = now;
    }
    if previous != CharClass::Other && start < length {
        each(start, length);
    }
}

/// Returns the set of letters and digits of a key, and of frequent letters that occur at least twice.
///
/// A filter for edit distance: one edit removes at most one bit and adds at most one, so two keys within `k` edits
/// differ by at most `k` bits each way. 26 letters, 10 digits and one bit for all else leave 27 bits. These mark second
/// occurrences of the letters most frequent in file names.
pub fn letter_set(key: &[u8]) -> u64 {
    let mut set = 0_u64;
    for &byte in key {
        let (first, second) = LETTER_BITS[usize::from(byte)];
        set |= if set & first == 0 { first } else { second };
    }
    set
}

/// For each byte, its bit in a letter set, and that of its second occurrence; 0 if that has none.
static LETTER_BITS: [(u64, u64); 256] = {
    const REPEATABLE: &[u8; 27] = b"abcdefghijklmnoprstuvxy0123";
    let mut bits = [(1 << 36, 0); 256];
    let mut at = 0;
    while at < 26 {
        bits[b'a' as usize + at].0 = 1 << at;
        at += 1;
    }
    while at < 36 {
        bits[b'0' as usize + at - 26].0 = 1 << at;
        at += 1;
    }
    at = 0;
    while at < REPEATABLE.len() {
        bits[REPEATABLE[at] as usize].1 = 1 << (37 + at);
        at += 1;
    }
    bits
};

/// Returns the first letter of a word as a set: bit 0–25 for a–z, other letters share the 64 bits by their code.
pub fn initial(word: &str) -> u64 {
    word.bytes().next().map_or(0, |first| 1 << (first.wrapping_sub(b'a') % 64))
}

/// Returns the set of first letters of some words.
pub fn initials<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    words.fold(0, |set, word| set | initial(word))
}

/// Returns whether two letter sets allow an edit distance of at most `edits`.
pub fn may_be_within(left: u64, right: u64, edits: u32) -> bool {
    (left & !right).count_ones() <= edits && (right & !left).count_ones() <= edits
}

/// Calls `each` with the positions of the sets that allow a distance of at most `edits` (0–3) from `wanted`.
pub fn for_each_within(wanted: u64, sets: &[u64], edits: usize, mut each: impl FnMut(usize)) {
    match edits {
        0 => scan::<0>(wanted, sets, &mut each),
        1 => scan::<1>(wanted, sets, &mut each),
        2 => scan::<2>(wanted, sets, &mut each),
        _ => scan::<3>(wanted, sets, &mut each),
    }
}

/// Sets tested together: the flags of a block fit one word. The inner loop has no branch, so the compiler vectorises
/// it.
const BLOCK_SIZE: usize = 64;

fn scan<const EDITS: usize>(wanted: u64, sets: &[u64], each: &mut impl FnMut(usize)) {
    // At most k bits are set if nothing is left after clearing the lowest one k times. Cheaper than counting where the
    // processor's own count may not be used.
    let at_most = |mut bits: u64| {
        for _ in 0..EDITS {
            bits &= bits.wrapping_sub(1);
        }
        bits
    };
    for (block, sets) in sets.chunks(BLOCK_SIZE).enumerate() {
        // Few sets have the wanted letters, so the other way is tested for these only.
        let mut lacking = [0_u64; BLOCK_SIZE];
        for (lacking, &set) in lacking.iter_mut().zip(sets) {
            *lacking = at_most(wanted & !set);
        }
        for (at, (&lacking, &set)) in lacking.iter().zip(sets).enumerate() {
            if lacking == 0 && at_most(set & !wanted) == 0 {
                each(block * BLOCK_SIZE + at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_extensions() {
        let check = |name: &str, stem: &str, extension: &str| {
            assert_eq!(split_extension(name.as_bytes()), (stem.as_bytes(), extension.as_bytes()), "{name}");
        };
        check("client.go", "client", "go");
        check("a.test.ts", "a.test", "ts");
        check(".gitignore", ".gitignore", "");
        check(".golangci.yml", ".golangci", "yml");
        check("Makefile", "Makefile", "");
        check("notes-v1.2", "notes-v1.2", "");
        check("x.caddyfiletest", "x", "caddyfiletest");
        check("a. b", "a. b", "");
        check("dot.", "dot.", "");
    }

    #[test]
    fn splits_words() {
        let check = |name: &str, expected: &str| assert_eq!(words(name.as_bytes()).join(" "), expected, "{name}");
        check("client_test", "client test");
        check("HTTPServerV2", "http server v 2");
        check("getCompletionRecords", "get completion records");
        check("tutorial019", "tutorial 019");
        check("RELEASE-CHECKLIST", "release checklist");
        check("__init__", "init");
        check("@acme/ui-kit", "acme ui kit");
        check("über-uns", "über uns");
        check("cre\u{300}me", "crème");
        check("日本語", "日本語");
        check("--", "");
    }

    #[test]
    fn keys_ignore_style() {
        for name in ["prepare_tests", "prepareTests", "prepare-tests", "PREPARE.TESTS"] {
            assert_eq!(squash(name.as_bytes()), b"preparetests", "{name}");
        }
        assert_eq!(squash("cre\u{300}me".as_bytes()), b"creme");
        assert_eq!(squash("ﬁle".as_bytes()), b"file");
        assert_eq!(squash("日本語".as_bytes()), "日本語".as_bytes());
    }

    #[test]
    fn letter_sets_keep_near_keys() {
        // (left, right, true edit distance)
        for (left, right, edits) in [
            ("client", "clinet", 1),
            ("cargo", "caargo", 1),
            ("index", "indeex", 1),
            ("parse", "parser", 1),
            ("aa", "", 2),
        ] {
            assert!(may_be_within(letter_set(left.as_bytes()), letter_set(right.as_bytes()), edits), "{left} {right}");
        }
        assert!(!may_be_within(letter_set(b"client"), letter_set(b"server"), 1));
    }

    #[test]
    fn scan_equals_single_tests() {
        // Multiplying by an odd constant spreads the bits: sets of all sizes, equal on every run.
        let sets: Vec<u64> = (0..1000_u64).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (at % 60)).collect();
        for edits in 0..=3 {
            for &wanted in &sets[..50] {
                let mut found = Vec::new();
                for_each_within(wanted, &sets, edits, |at| found.push(at));
                let expected: Vec<usize> =
                    (0..sets.len()).filter(|&at| may_be_within(wanted, sets[at], edits as u32)).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
