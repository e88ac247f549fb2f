//! `SymbolLayer`: an immutable, searchable table of declarations. Used by `Symbols`.
//!
//! A declaration is 8 bytes: its name's number, its line and its kind; those of one file are adjacent. A name is stored
//! once. Names are sorted by their keys, so a key is found by binary search and never stored. Besides, there is a
//! letter set per name (for typos) and two tables: name → declarations, word → names.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Symbol, SymbolKind, SymbolLocation, SymbolRef};
use crate::index::image::{ImageReader, ImageWriter};
use crate::index::strings::{PackedPostings, Postings, PostingsIter, Strings};
use crate::words::{for_each_word, key_of, letter_set, squash};

/// `BitSet` of `line_and_kind` that hold the kind.
const KIND_BITS: u32 = 5;
/// Largest line number that fits: 134 million.
const LINE_MAX: u32 = u32::MAX >> KIND_BITS;

/// The declarations of one file.
#[derive(Clone, Debug)]
pub(super) struct FileSymbols<'a> {
    pub(super) file: &'a str,
    pub(super) stamp: u64,
    /// Sorted by line.
    pub(super) symbols: Vec<SymbolRef<'a>>,
}

impl<'a> FileSymbols<'a> {
    /// Sorts a file's symbols by line and removes duplicates.
    pub(super) fn new(file: &'a str, stamp: u64, symbols: &'a [Symbol]) -> Self {
        let symbols =
            symbols.iter().map(|symbol| SymbolRef { name: &symbol.name, kind: symbol.kind, line: symbol.line });
        let mut symbols: Vec<_> = symbols.collect();
        symbols.sort_unstable_by_key(|symbol| (symbol.line, symbol.name, symbol.kind));
        symbols.dedup();
        Self { file, stamp, symbols }
    }
}

#[derive(Clone, Copy, Debug)]
struct SymbolEntry {
    name: u32,
    line_and_kind: u32,
}

/// A table of the declarations of many files, sorted for look-ups.
#[derive(Debug)]
pub(super) struct SymbolLayer {
    /// Sorted.
    files: Vec<Box<str>>,
    stamps: Vec<u64>,
    /// `starts[i]` is the first declaration of file `i`; one more than there are files.
    starts: Vec<u32>,
    entries: Vec<SymbolEntry>,
    /// In the order of their keys.
    names: Strings,
    letter_sets: Vec<u64>,
    by_name: Postings,
    words: Strings,
    names_by_word: PackedPostings,
}

impl SymbolLayer {
    /// Builds a layer of files in the order of their paths.
    pub(super) fn build(files: &[FileSymbols<'_>]) -> Self {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut spelled: Vec<&str> = Vec::new();
        for symbol in files.iter().flat_map(|declares| &declares.symbols) {
            numbers.entry(symbol.name).or_insert_with(|| {
                spelled.push(symbol.name);
                spelled.len() as u32 - 1
            });
        }
        let mut keyed: Vec<(Vec<u8>, &str)> = spelled.iter().map(|&name| (squash(name.as_bytes()), name)).collect();
        keyed.sort_unstable();
        for (rank, (_, name)) in keyed.iter().enumerate() {
            numbers.insert(name, rank as u32);
        }
        let mut starts = Vec::with_capacity(files.len() + 1);
        let mut entries = Vec::with_capacity(files.iter().map(|declares| declares.symbols.len()).sum());
        for declares in files {
            starts.push(entries.len() as u32);
            entries.extend(declares.symbols.iter().map(|symbol| SymbolEntry {
                name: numbers[symbol.name],
                line_and_kind: symbol.line.min(LINE_MAX) << KIND_BITS | symbol.kind as u32,
            }));
        }
        starts.push(entries.len() as u32);
        let pairs = entries.iter().enumerate().map(|(at, entry)| (entry.name, at as u32));
        let by_name = Postings::group(keyed.len(), pairs);
        let (words, names_by_word) = index_words(&keyed);
        Self {
            stamps: files.iter().map(|declares| declares.stamp).collect(),
            files: files.iter().map(|declares| declares.file.into()).collect(),
            starts,
            by_name,
            names: Strings::from_sorted(keyed.iter().map(|(_, name)| name.as_bytes())),
            letter_sets: keyed.iter().map(|(key, _)| letter_set(key)).collect(),
            words,
            names_by_word,
            entries,
        }
    }

    /// Appends the layer, without the parts that are quick to recompute.
    pub(super) fn write(&self, out: &mut ImageWriter) {
        let files = self.files.iter().map(|file| file.as_bytes());
        let files = Strings::from_sorted(files);
        for strings in [&files, &self.names, &self.words] {
            let (bytes, ends) = strings.parts();
            out.bytes(bytes);
            out.numbers(ends.iter().copied());
        }
        out.large(self.stamps.iter().copied());
        out.numbers(self.starts.iter().copied());
        out.numbers(self.entries.iter().map(|entry| entry.name));
        out.numbers(self.entries.iter().map(|entry| entry.line_and_kind));
        out.large(self.letter_sets.iter().copied());
        let (starts, bytes) = self.names_by_word.parts();
        out.numbers(starts.iter().copied());
        out.bytes(bytes);
    }

    /// Reads the next layer; `None` for invalid bytes.
    pub(super) fn read(from: &mut ImageReader<'_>) -> Option<Self> {
        let paths = Strings::from_parts(from.bytes()?.to_vec(), from.numbers()?)?;
        let names = Strings::from_unsorted_parts(from.bytes()?.to_vec(), from.numbers()?)?;
        let words = Strings::from_parts(from.bytes()?.to_vec(), from.numbers()?)?;
        let (stamps, starts) = (from.large()?, from.numbers()?);
        let (of_names, lines) = (from.numbers()?, from.numbers()?);
        let letter_sets = from.large()?;
        let (packed, bytes) = (from.numbers()?, from.bytes()?.to_vec());
        let names_by_word = PackedPostings::from_parts(packed, bytes, words.len(), names.len() as u32)?;
        let path = |at| std::str::from_utf8(paths.get(at)).ok().map(Box::from);
        let files = (0..paths.len() as u32).map(path).collect::<Option<Vec<Box<str>>>>()?;
        let is_kind = |&line: &u32| ((line & ((1 << KIND_BITS) - 1)) as usize) < SymbolKind::ALL.len();
        let sound = stamps.len() == files.len()
            && starts.len() == files.len() + 1
            && starts.is_sorted()
            && starts[0] == 0
            && starts[files.len()] as usize == of_names.len()
            && lines.len() == of_names.len()
            && letter_sets.len() == names.len()
            && of_names.iter().all(|&name| (name as usize) < names.len())
            && lines.iter().all(is_kind);
        if !sound {
            return None;
        }
        let pairs = of_names.iter().enumerate().map(|(at, &name)| (name, at as u32));
        let by_name = Postings::group(names.len(), pairs);
        let entries =
            of_names.iter().zip(&lines).map(|(&name, &line_and_kind)| SymbolEntry { name, line_and_kind }).collect();
        Some(Self { files, stamps, starts, entries, names, letter_sets, by_name, words, names_by_word })
    }

    pub(super) fn file_count(&self) -> usize {
        self.files.len()
    }

    pub(super) fn symbol_count(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn name_count(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of a file.
    pub(super) fn find(&self, file: &str) -> Option<u32> {
        self.files.binary_search_by(|other| (**other).cmp(file)).ok().map(|at| at as u32)
    }

    /// Returns the numbers of the file at a path, or of all files below it.
    pub(super) fn files_at(&self, path: &str) -> impl Iterator<Item = u32> + use<> {
        let below = format!("{path}/");
        let start = self.files.partition_point(|file| **file < *below);
        let count = self.files[start..].iter().take_while(|file| file.starts_with(&below)).count();
        self.find(path).into_iter().chain(start as u32..(start + count) as u32)
    }

    /// Returns the path of a file.
    pub(super) fn file(&self, file: u32) -> &str {
        &self.files[file as usize]
    }

    pub(super) fn stamp(&self, file: u32) -> u64 {
        self.stamps[file as usize]
    }

    /// Returns the declarations of a file.
    pub(super) fn declares(&self, file: u32) -> FileSymbols<'_> {
        let entries = self.starts[file as usize]..self.starts[file as usize + 1];
        let symbols = entries.map(|entry| self.symbol_at(entry)).collect();
        FileSymbols { file: &self.files[file as usize], stamp: self.stamp(file), symbols }
    }

    /// Returns the declarations of a file whose line and name `is_wanted` accepts.
    pub(super) fn declares_wanted(
        &self,
        file: u32,
        mut is_wanted: impl FnMut(u32, &[u8]) -> bool,
    ) -> impl Iterator<Item = SymbolRef<'_>> {
        (self.starts[file as usize]..self.starts[file as usize + 1]).filter_map(move |entry| {
            let SymbolEntry { name, line_and_kind } = self.entries[entry as usize];
            is_wanted(line_and_kind >> KIND_BITS, self.names.get(name)).then(|| self.symbol_at(entry))
        })
    }

    /// Returns the declarations of a name, with their files' numbers, by file and line.
    pub(super) fn locations_of_name(&self, name: u32) -> impl Iterator<Item = (u32, SymbolLocation<'_>)> {
        self.by_name.get(name).iter().map(|&entry| {
            // The last file that begins no later; files before it may be empty and begin there too.
            let file = self.starts.partition_point(|&start| start <= entry) as u32 - 1;
            (file, SymbolLocation { file: &self.files[file as usize], symbol: self.symbol_at(entry) })
        })
    }

    fn symbol_at(&self, entry: u32) -> SymbolRef<'_> {
        let SymbolEntry { name, line_and_kind } = self.entries[entry as usize];
        let kind = SymbolKind::from_number(line_and_kind & ((1 << KIND_BITS) - 1));
        SymbolRef { name: self.name(name), kind, line: line_and_kind >> KIND_BITS }
    }

    /// Returns the name with this number.
    pub(super) fn name(&self, name: u32) -> &str {
        // Names come from `str`, and their bytes were not changed.
        std::str::from_utf8(self.names.get(name)).unwrap_or_default()
    }

    /// Returns the numbers of the names that have this key.
    pub(super) fn names_with_key(&self, key: &[u8]) -> Range<u32> {
        let count = self.names.len() as u32;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = u32::midpoint(low, high);
            if *key_of(self.names.get(middle)) < *key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // A key has few spellings.
        let end = (low..count).find(|&name| *key_of(self.names.get(name)) != *key).unwrap_or(count);
        low..end
    }

    /// Returns the letter sets of the names' keys, by number.
    pub(super) fn letter_sets(&self) -> &[u64] {
        &self.letter_sets
    }

    /// Returns the numbers of the names that have this word (lower case), in order.
    pub(super) fn names_with_word(&self, word: &str) -> Option<PostingsIter<'_>> {
        Some(self.names_by_word.get(self.words.find(word.as_bytes())?))
    }

    /// Memory held, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.files.iter().map(|file| file.len() + size_of::<Box<str>>()).sum::<usize>()
            + self.stamps.capacity() * size_of::<u64>()
            + self.starts.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<SymbolEntry>()
            + self.names.memory()
            + self.letter_sets.capacity() * size_of::<u64>()
            + self.by_name.memory()
            + self.words.memory()
            + self.names_by_word.memory()
    }
}

/// Returns the words of names, and the names of each word.
fn index_words(names: &[(Vec<u8>, &str)]) -> (Strings, PackedPostings) {
    let mut numbers: FxHashMap<Box<str>, u32> = FxHashMap::default();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (name, (_, text)) in names.iter().enumerate() {
        for_each_word(text.as_bytes(), |word| {
            let known = numbers.get(word).copied();
            let number = known.unwrap_or_else(|| {
                numbers.insert(word.into(), numbers.len() as u32);
                numbers.len() as u32 - 1
            });
            // A name may contain a word twice.
            if !pairs.iter().rev().take_while(|pair| pair.1 == name as u32).any(|pair| pair.0 == number) {
                pairs.push((number, name as u32));
            }
        });
    }
    let mut sorted: Vec<(Box<str>, u32)> = numbers.into_iter().collect();
    sorted.sort_unstable();
    let mut ranks = vec![0; sorted.len()];
    for (rank, (_, number)) in sorted.iter().enumerate() {
        ranks[*number as usize] = rank as u32;
    }
    let pairs = pairs.iter().map(|&(number, name)| (ranks[number as usize], name));
    let postings = PackedPostings::pack(&Postings::group(sorted.len(), pairs));
    (Strings::from_sorted(sorted.iter().map(|(word, _)| word.as_bytes())), postings)
}
