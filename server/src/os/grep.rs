//! Searching the contents of the files that are indexed, as many as one question may cost.
//!
//! The bound is work, so that the same question has the same answer on every machine. The clock is for those that are so
//! slow, or so busy, that nobody would wait for that work; the answer then says so.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use grep_matcher::Matcher as _;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use pathfinder_core::find::{Contents, Extent, Passage, Searched};
use pathfinder_core::{Kind, RelPath, Root};
use rayon::prelude::*;

use super::probe::DiskProbe;

/// So much of a file is searched: what people write is smaller.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// PassageSink looked at in one file: one with more is a list of everything.
const MAX_LINES_PER_FILE: usize = 2000;
/// Words shorter than this stand alone, or they would be in everything.
const MIN_SUBSTRING_CHARS: usize = 4;
/// Files that say most; more are ranked by nobody.
const MAX_PASSAGES: usize = 4096;
/// Files that are searched at once; after each such batch it is seen whether that is enough. Whole portions are searched,
/// whichever of their files is done first.
const BATCH_SIZE: usize = 512;

/// What one search may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Files that are opened.
    pub(crate) files: usize,
    /// Bytes that are read of them.
    pub(crate) bytes: u64,
    /// The time after which nobody waits any more.
    pub(crate) time: Duration,
}

/// See the module's text.
pub(crate) struct Grep<'a> {
    probe: &'a DiskProbe,
    bounds: Bounds,
}

impl<'a> Grep<'a> {
    pub(crate) fn new(probe: &'a DiskProbe, bounds: Bounds) -> Self {
        Self { probe, bounds }
    }

    /// What a file has of the words, if it has any, and how many bytes were read.
    fn passage(&self, root: usize, path: Vec<u8>, words: &Words) -> (u64, Option<Passage>) {
        let path = RelPath::new(path);
        let Some((_, bytes)) = self.probe.beginning(root, &path, MAX_FILE_BYTES) else { return (0, None) };
        let mut sink = PassageSink { words, all: 0, best: 0, line: 0, left: MAX_LINES_PER_FILE };
        let searched = searcher().search_slice(&words.any, &bytes, &mut sink);
        let found = searched.is_ok() && sink.all != 0;
        let passage = Passage { root, path, line: sink.line, words: sink.all, together: sink.best };
        (bytes.len() as u64, found.then_some(passage))
    }
}

impl Contents for Grep<'_> {
    fn search(&self, roots: &[Root], words: &[&str]) -> Searched {
        let start = Instant::now();
        let Some(words) = Words::new(words) else { return Searched::default() };
        let files = files(roots, self.bounds.files);
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
                let (length, passage) = self.passage(root, path, &words);
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
        Searched { passages: found, extent }
    }
}

/// The files of all roots by path; where there are more than are searched, those first that are in a language.
fn files(roots: &[Root], most: usize) -> Vec<(usize, Vec<u8>)> {
    let of_root = |(number, root): (usize, &Root)| {
        let entries = root.snapshot.entries().into_iter();
        entries.filter(|(_, kind)| *kind == Kind::File).map(move |(path, _)| (number, path)).collect::<Vec<_>>()
    };
    let mut files: Vec<_> = roots.iter().enumerate().flat_map(of_root).collect();
    if files.len() > most {
        // Stable: else by path.
        files.sort_by_cached_key(|(_, path)| !std::str::from_utf8(path).is_ok_and(pathfinder_symbols::is_read));
    }
    files
}

/// Whether a text has one of these words (lower case) in it, whatever the case; all texts have one of none.
pub(crate) fn has_any(text: &[u8], words: &[String]) -> bool {
    words.is_empty() || words.iter().any(|word| contains(text, word.as_bytes()))
}

/// Looks for the first letter in either case, which is fast, and compares there.
fn contains(text: &[u8], word: &[u8]) -> bool {
    let Some(&first) = word.first() else { return true };
    if !word.is_ascii() {
        // As seldom as such words are, the text may be copied for them.
        return memchr::memmem::find(String::from_utf8_lossy(text).to_lowercase().as_bytes(), word).is_some();
    }
    let hits = memchr::memchr2_iter(first, first.to_ascii_uppercase(), text);
    hits.into_iter().any(|at| text.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word)))
}

/// Matchers for each word, and for any.
struct Words {
    each: Vec<RegexMatcher>,
    any: RegexMatcher,
}

impl Words {
    fn new(words: &[&str]) -> Option<Self> {
        let escaped: Vec<String> = words.iter().map(|word| expression(word)).collect();
        let matcher = |expression: &str| RegexMatcherBuilder::new().case_insensitive(true).build(expression).ok();
        let each = escaped.iter().map(|word| matcher(word)).collect::<Option<Vec<_>>>()?;
        Some(Self { any: matcher(&escaped.join("|"))?, each }).filter(|words| !words.each.is_empty())
    }
}

/// A word as an expression. It has letters and digits only, none of which means anything else.
fn expression(word: &str) -> String {
    let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if word.chars().count() < MIN_SUBSTRING_CHARS { format!(r"\b{word}\b") } else { word }
}

fn searcher() -> Searcher {
    SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).line_number(true).build()
}

/// Notes which words there are, and the line that has most of them.
struct PassageSink<'w> {
    words: &'w Words,
    all: u32,
    best: u32,
    line: u32,
    left: usize,
}

impl Sink for PassageSink<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let here = self
            .words
            .each
            .iter()
            .enumerate()
            .fold(0, |bits, (at, word)| bits | u32::from(word.is_match(found.bytes()).unwrap_or(false)) << at);
        self.all |= here;
        if here.count_ones() > self.best.count_ones() {
            self.best = here;
            self.line = found.line_number().and_then(|line| u32::try_from(line).ok()).unwrap_or(1);
        }
        self.left -= 1;
        Ok(self.left > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::has_any;

    #[test]
    fn words_in_any_case() {
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
