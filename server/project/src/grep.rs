//! `Grep`: searches the contents of indexed files for `find`, up to a number of files and bytes.
//!
//! The limit is an amount of work, so that a query has the same answer on every machine. The time limit only matters on
//! a very slow or busy machine; the answer then reports it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use grep_matcher::Matcher as _;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use pathfinder_core::find::{ContentMatch, ContentMatches, Contents, Extent};
use pathfinder_core::{Kind, RelPath, Root};
use rayon::prelude::*;

use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::probe::DiskProbe;

/// Bytes of a file that are searched: hand-written files are smaller.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Matching lines that are examined in one file: a file with more is a list of everything.
const MAX_LINES_PER_FILE: usize = 2000;
/// Shorter words match only as whole words, because they occur inside of too many others.
const MIN_SUBSTRING_CHARS: usize = 4;
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
        let mut sink = PassageSink { words, all: 0, best: 0, line: 0, left: MAX_LINES_PER_FILE };
        let searched = new_searcher().search_slice(&words.any, &bytes, &mut sink);
        let found = searched.is_ok() && sink.all != 0;
        let passage = ContentMatch { root, path, line: sink.line, words: sink.all, together: sink.best };
        (bytes.len() as u64, found.then_some(passage))
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

/// One matcher for each word, and one for any of them.
struct Words {
    each: Vec<RegexMatcher>,
    any: RegexMatcher,
}

impl Words {
    fn new(words: &[&str]) -> Option<Self> {
        let escaped: Vec<String> = words.iter().map(|word| word_regex(word)).collect();
        let matcher = |expression: &str| RegexMatcherBuilder::new().case_insensitive(true).build(expression).ok();
        let each = escaped.iter().map(|word| matcher(word)).collect::<Option<Vec<_>>>()?;
        Some(Self { any: matcher(&escaped.join("|"))?, each }).filter(|words| !words.each.is_empty())
    }
}

/// Returns a regular expression for a word. Only letters and digits remain, so nothing needs escaping.
fn word_regex(word: &str) -> String {
    let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if word.chars().count() < MIN_SUBSTRING_CHARS { format!(r"\b{word}\b") } else { word }
}

fn new_searcher() -> Searcher {
    SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).line_number(true).build()
}

/// Collects the words that occur in a file and the line that has most of them.
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
