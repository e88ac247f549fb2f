//! `Grep`: searches the contents of indexed files for `find`, up to a number of files and bytes.
//!
//! The limit is an amount of work, so that a query has the same answer on every machine. The time limit only matters on
//! a very slow or busy machine; the answer then reports it.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use memchr::{memchr, memchr_iter, memrchr};
use pathfinder_core::find::{ContentMatch, ContentMatches, Contents, Extent};
use pathfinder_core::{Kind, RelPath, Root};
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::probe::DiskProbe;

/// Bytes of a file that are searched: hand-written files are smaller.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Matching lines that are examined in one file: a file with more is a list of everything.
const MAX_LINES_PER_FILE: usize = 2000;
/// Shorter words match only as whole words, because they occur inside of too many others.
const MIN_SUBSTRING_CHARS: usize = 4;
/// A file with a zero byte in its first part is binary. As in ripgrep.
const BINARY_DETECTION_BYTES: usize = 64 << 10;
/// Files that are returned for ranking, best first.
const MAX_PASSAGES: usize = 4096;
/// Files that are searched in parallel before the limits are checked again. A batch is always finished, so the result
/// does not depend on timing.
const BATCH_SIZE: usize = 512;

/// Limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Files that are opened.
    pub files: usize,
    /// Bytes that are read.
    pub bytes: u64,
    /// Time after which the search stops.
    pub time: Duration,
}

/// Searches file contents below the roots of a probe.
pub(crate) struct Grep<'a> {
    probe: &'a DiskProbe,
    bounds: Bounds,
}

impl<'a> Grep<'a> {
    pub(crate) fn new(probe: &'a DiskProbe, bounds: Bounds) -> Self {
        Self { probe, bounds }
    }

    /// Searches one file. Returns the number of bytes read, and the passage if any word occurs.
    fn search_file(&self, root: usize, path: Vec<u8>, words: &Words) -> (u64, Option<ContentMatch>) {
        let path = RelPath::new(path);
        let Some((_, bytes)) = self.probe.beginning(root, &path, MAX_FILE_BYTES) else { return (0, None) };
        let passage = words.search(&decode(&bytes));
        let found = |passage: Passage| ContentMatch {
            root,
            path,
            line: passage.line,
            words: passage.all,
            together: passage.best,
        };
        (bytes.len() as u64, (passage.all != 0).then(|| found(passage)))
    }
}

impl Contents for Grep<'_> {
    fn search(&self, roots: &[Root], words: &[&str]) -> ContentMatches {
        let start = Stopwatch::start();
        let Some(words) = Words::new(words) else { return ContentMatches::default() };
        let files = files_to_search(roots, self.bounds.files);
        let (late, searched, bytes) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicU64::new(0));
        let (of, mut found) = (files.len(), Vec::new());
        let mut rest = files.into_iter().take(self.bounds.files).peekable();
        while rest.peek().is_some()
            && bytes.load(Ordering::Relaxed) < self.bounds.bytes
            && !late.load(Ordering::Relaxed)
        {
            let batch: Vec<_> = rest.by_ref().take(BATCH_SIZE).collect();
            found.par_extend(batch.into_par_iter().filter_map(|(root, path)| {
                if late.load(Ordering::Relaxed) || start.elapsed() >= self.bounds.time {
                    late.store(true, Ordering::Relaxed);
                    return None;
                }
                let (length, passage) = self.search_file(root, path, &words);
                searched.fetch_add(1, Ordering::Relaxed);
                bytes.fetch_add(length, Ordering::Relaxed);
                passage
            }));
        }
        if found.len() > MAX_PASSAGES {
            found.sort_by_key(|passage| std::cmp::Reverse((passage.together.count_ones(), passage.words.count_ones())));
            found.truncate(MAX_PASSAGES);
        }
        let extent = Extent { files: searched.into_inner(), of, late: late.into_inner() };
        ContentMatches { passages: found, extent }
    }
}

/// Returns the files of all roots, sorted by path. If there are more than `max_files`, files in a known language come
/// first.
fn files_to_search(roots: &[Root], max_files: usize) -> Vec<(usize, Vec<u8>)> {
    let of_root = |(number, root): (usize, &Root)| {
        let entries = root.snapshot.entries().into_iter();
        entries.filter(|(_, kind)| *kind == Kind::File).map(move |(path, _)| (number, path)).collect::<Vec<_>>()
    };
    let mut files: Vec<_> = roots.iter().enumerate().flat_map(of_root).collect();
    if files.len() > max_files {
        // The sort is stable, so files stay in path order.
        files.sort_by_cached_key(|(_, path)| !std::str::from_utf8(path).is_ok_and(pathfinder_symbols::is_read));
    }
    files
}

/// Returns whether a text contains one of these lower-case words in any case. True if there are no words.
pub(crate) fn has_any(text: &[u8], words: &[String]) -> bool {
    words.is_empty() || words.iter().any(|word| contains(text, word.as_bytes()))
}

/// Searches for the first letter in either case, which is fast, and compares from there.
fn contains(text: &[u8], word: &[u8]) -> bool {
    let Some(&first) = word.first() else { return true };
    if !word.is_ascii() {
        // Such words are rare, so copying the text is acceptable.
        return memchr::memmem::find(String::from_utf8_lossy(text).to_lowercase().as_bytes(), word).is_some();
    }
    let hits = memchr::memchr2_iter(first, first.to_ascii_uppercase(), text);
    hits.into_iter().any(|at| text.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word)))
}

/// One expression for each word, and one for any of them.
struct Words {
    each: Vec<Regex>,
    any: Regex,
}

impl Words {
    fn new(words: &[&str]) -> Option<Self> {
        let escaped: Vec<String> = words.iter().map(|word| word_regex(word)).collect();
        let compile = |expression: &str| RegexBuilder::new(expression).case_insensitive(true).build().ok();
        let each = escaped.iter().map(|word| compile(word)).collect::<Option<Vec<_>>>()?;
        Some(Self { any: compile(&escaped.join("|"))?, each }).filter(|words| !words.each.is_empty())
    }

    /// Searches a text line by line. A binary file has no lines.
    fn search(&self, text: &[u8]) -> Passage {
        let mut passage = Passage::default();
        if memchr(0, &text[..text.len().min(BINARY_DETECTION_BYTES)]).is_some() {
            return passage;
        }
        let (mut at, mut counted, mut line) = (0, 0, 1);
        for _ in 0..MAX_LINES_PER_FILE {
            let Some(found) = self.any.find_at(text, at) else { break };
            let start = memrchr(b'\n', &text[..found.start()]).map_or(0, |end| end + 1);
            let end = memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end);
            line += memchr_iter(b'\n', &text[counted..start]).count();
            counted = start;
            if memchr(0, &text[start..end]).is_some() {
                break;
            }
            passage.add(self.words_in(&text[start..end]), line);
            at = end + 1;
            if at >= text.len() {
                break;
            }
        }
        passage
    }

    /// Returns a bit for each word that occurs.
    fn words_in(&self, line: &[u8]) -> u32 {
        let hits = self.each.iter().enumerate();
        hits.fold(0, |bits, (number, word)| bits | u32::from(word.is_match(line)) << number)
    }
}

/// Returns a regular expression for a word. Only letters and digits remain, so nothing needs escaping.
fn word_regex(word: &str) -> String {
    let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if word.chars().count() < MIN_SUBSTRING_CHARS { format!(r"\b{word}\b") } else { word }
}

/// Decodes UTF-16 that says so in its first bytes, as some editors of Windows write it.
fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(bytes),
    };
    let units: Vec<u16> = bytes.chunks_exact(2).skip(1).map(|pair| unit([pair[0], pair[1]])).collect();
    Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
}

/// The words that occur in a file and the line that has most of them.
#[derive(Default)]
struct Passage {
    all: u32,
    best: u32,
    line: u32,
}

impl Passage {
    fn add(&mut self, words: u32, line: usize) {
        self.all |= words;
        if words.count_ones() > self.best.count_ones() {
            self.best = words;
            self.line = u32::try_from(line).unwrap_or(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Passage, Words, decode, has_any};

    #[test]
    fn finds_the_line_with_most_words() {
        let check = |words: &[&str], text: &[u8], expected: (u32, u32, u32)| {
            let Passage { all, best, line } = Words::new(words).expect("words").search(&decode(text));
            assert_eq!((all, best, line), expected, "{words:?} in {}", String::from_utf8_lossy(text));
        };
        let utf16 = |swap: bool, text: &str| -> Vec<u8> {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            units.flat_map(|unit| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        check(&["router", "shell"], b"a\nRouter\nshell router", (0b11, 0b11, 3));
        check(&["router", "shell"], b"router\nrouter\n\nmyshell\n", (0b11, 0b01, 1));
        // A short word is a whole one.
        check(&["run"], b"runs\r\nto run\r\n", (1, 1, 2));
        check(&["\u{e9}tat"], "L'\u{c9}TAT".as_bytes(), (1, 1, 1));
        check(&["router"], b"\xff\xff router \xff", (1, 1, 1));
        check(&["router"], b"route\nr", (0, 0, 0));
        check(&["router"], b"", (0, 0, 0));
        check(&["router"], b"router\n\0", (0, 0, 0));
        let mut late = b"router shell\n".to_vec();
        late.extend("x\n".repeat(64 << 10).bytes());
        late.extend(b"\0 router\nshell\n");
        check(&["router", "shell"], &late, (0b11, 0b11, 1));
        check(&["router"], &utf16(false, "a\nrouter"), (1, 1, 2));
        check(&["router"], &utf16(true, "a\nrouter"), (1, 1, 2));
    }

    #[test]
    fn ignores_case() {
        let words = ["router".to_owned(), "é".to_owned()];
        for (text, has) in [
            ("class CommandRouter", true),
            ("ROUTER", true),
            ("route", false),
            ("café", true),
            ("CAFÉ", true),
            ("", false),
        ] {
            assert_eq!(has_any(text.as_bytes(), &words), has, "{text}");
        }
        assert!(has_any(b"", &[]));
    }
}
