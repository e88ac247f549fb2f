//! Tests of updates: an index after changes equals one that is built anew.

use pathfinder_core::symbols::Symbols;
use proptest::prelude::*;

use super::*;
use crate::search::{ContentRoot, search};
use crate::terms::TermReader;

fn read(path: &str, text: &str) -> ContentChange {
    ContentChange::Read(Box::new(FileContent::read(
        path,
        text.len() as u64,
        Some(text),
        &[],
        &mut TermReader::default(),
    )))
}

/// Returns every term with the lines of the chunks that have it.
fn dump(index: &ContentIndex) -> Vec<String> {
    let mut lines = Vec::new();
    for part in &*index.parts {
        let layer = &part.layer;
        for term in 0..layer.terms.len() {
            let term = layer.terms.text(term);
            for posting in layer.postings(term).into_iter().flatten() {
                let file = layer.chunk_files[posting.chunk as usize];
                if part.is_live(file) {
                    let line = layer.lines[posting.chunk as usize];
                    lines.push(format!("{term} {}:{line} {posting:?}", layer.path(file)));
                }
            }
        }
    }
    // Chunk numbers depend on the order of updates.
    let mut lines: Vec<String> = lines
        .into_iter()
        .map(|line| {
            let (before, after) = line.split_once("chunk: ").unwrap_or((&line, ""));
            format!("{before}{}", after.split_once(',').map_or("", |(_, rest)| rest))
        })
        .collect();
    lines.sort_unstable();
    lines
}

#[test]
fn removes_files_and_directories() {
    let index =
        ContentIndex::default().apply(vec![read("a/b.rs", "store"), read("a/c.rs", "store"), read("ab.rs", "store")]);
    assert_eq!(index.progress(), (3, 3));
    let index = index.apply(vec![ContentChange::Removed("a".into())]);
    assert_eq!(index.stamps().collect::<Vec<_>>(), [("ab.rs", 5)]);
    assert_eq!((index.stamp("ab.rs"), index.stamp("a/b.rs")), (Some(5), None));
    let index = index.apply(vec![read("ab.rs", "depot!")]);
    assert_eq!((index.stats().files, index.stats().text_bytes), (1, 6));
}

proptest! {
    /// For any order of updates, the index equals the one built of the last versions.
    #[test]
    fn updates_equal_a_new_build(
        batches in proptest::collection::vec(proptest::collection::vec((0..6_u8, "[a-c ]{0,12}", any::<bool>()), 1..5), 1..8)
    ) {
        let mut index = ContentIndex::default();
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        for batch in batches {
            let mut changes = Vec::new();
            for (file, text, is_there) in batch {
                let path = format!("d/{file}.rs");
                if is_there {
                    changes.push(read(&path, &text));
                    last.insert(path, text);
                } else {
                    changes.push(ContentChange::Removed(path.as_str().into()));
                    last.remove(&path);
                }
            }
            index = index.apply(changes);
        }
        let fresh = ContentIndex::default().apply(last.iter().map(|(path, text)| read(path, text)).collect());
        prop_assert_eq!(dump(&index), dump(&fresh));
        prop_assert_eq!(dump(&index.compact()), dump(&fresh));
        prop_assert_eq!(index.progress().0, last.len());
        prop_assert_eq!(index.totals.lengths, fresh.totals.lengths);
    }
}

/// Reads these files into an index with limits, `with_total` files in the root, and compares files, left-out files and text bytes.
#[track_caller]
fn check_limits(limits: (usize, u64), files: &[(&str, &str)], total: usize, expect: (usize, usize, u64)) {
    let limits = ContentLimits { files: limits.0, bytes: limits.1 };
    let index = ContentIndex::default().with_limits(limits).with_total(total);
    let index = index.apply(files.iter().map(|(path, text)| read(path, text)).collect());
    let counts = |index: &ContentIndex| (index.stats().files, index.stats().left_out, index.stats().text_bytes);
    assert_eq!(counts(&index), expect);
    // A file that is read again is counted once.
    let again = index.apply(files.iter().map(|(path, text)| read(path, text)).collect());
    assert_eq!(counts(&again), expect, "again");
    assert_eq!((counts(&again.compact()), again.total_in_root()), (expect, total), "compact");
    let loaded = ContentIndex::from_image(&again.to_image()).expect("an index").with_limits(limits).with_total(total);
    assert_eq!(counts(&loaded), expect, "loaded");
}

#[test]
fn counts_what_is_left_out() {
    let files = [("a.rs", "store one"), ("b.rs", "store two"), ("c.rs", "store six")];
    check_limits((3, 27), &files, 3, (3, 0, 27));
    check_limits((2, 27), &files, 3, (2, 1, 18));
    check_limits((3, 26), &files, 3, (3, 1, 18));
    check_limits((2, 9), &files, 3, (2, 2, 9));
}

/// The limit of all texts counts those that are indexed.
#[test]
fn texts_that_are_not_indexed_take_no_room() {
    let data = format!("[{}]", "\"word\",\n".repeat(20_000));
    let read = |path: &str, text: &str| {
        ContentChange::Read(Box::new(FileContent::read(path, 7, Some(text), &[], &mut TermReader::default())))
    };
    let index = ContentIndex::default().apply(vec![read("data.json", &data), read("a.rs", "fn open() {}")]);
    assert_eq!((index.stats().files, index.stats().path_only, index.stats().text_bytes), (2, 1, 12));
    let again = index.apply(vec![read("a.rs", "fn close() {}")]);
    assert_eq!((again.stats().files, again.stats().left_out, again.stats().text_bytes), (2, 0, 13));
}

/// More files than are scored at a time, in one part or in several, some of whose files are gone: the answer is the same.
#[test]
fn parts_do_not_change_answers() {
    let symbols = Symbols::default();
    let ask = |index: &ContentIndex, query: &str| {
        let files = search(query, &[ContentRoot { index, symbols: &symbols, subjects: None }], 50).files;
        files.into_iter().map(|file| (file.path, file.points, file.features)).collect::<Vec<_>>()
    };
    let text = |number: usize| {
        let words = ["store", "retry", "upload", "quorum", "lease"];
        let lines = (0..number % 90).map(|line| format!("{} {}\n\n", words[(number + line) % 5], words[line % 3]));
        lines.collect::<String>()
    };
    let path = |number: usize| format!("{}/file{number}.rs", number % 7);
    let read_all = |numbers: std::ops::Range<usize>| numbers.map(|number| read(&path(number), &text(number))).collect();
    let whole = ContentIndex::default().apply(read_all(0..900));
    let old = (700..720).map(|number| read(&path(number), "old store")).collect();
    let several = ContentIndex::default().apply(read_all(0..850)).apply(old).apply(read_all(700..720));
    let several = several.apply(read_all(850..900));
    assert!(several.parts.len() > 1 && several.parts[0].dead_count > 0);
    for query in ["retry the upload again", "quorum lease", "file7", "store"] {
        let answer = ask(&whole, query);
        assert!(!answer.is_empty(), "{query}");
        assert_eq!(ask(&several, query), answer, "{query}");
    }
}
