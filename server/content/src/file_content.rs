//! `FileContent`: the terms of one file by chunk and field, as an index takes them.

use pathfinder_core::words::split_extension;
use pathfinder_symbols::Symbol;
use rustc_hash::FxHashMap;

use crate::chunks::ChunkCutter;
use crate::comments::CommentLines;
use crate::imports;
use crate::meaning::{self, Direction};
use crate::path_class::PathClass;
use crate::terms::{TermReader, for_each_identifier};

/// Bytes of a file from which on only its path is indexed: longer files are data or generated.
pub const MAX_TEXT_BYTES: usize = 1_500_000;
/// The limit for JSON, which is mostly data.
const MAX_JSON_BYTES: usize = 100_000;
/// Mean bytes of a line from which on a text is data.
const MAX_MEAN_LINE_BYTES: usize = 500;
/// Terms of one file that are kept. A file with more is a list of words.
const MAX_TERMS: usize = 1 << 16;
/// Directories above a file whose words count, the nearest ones.
const MAX_DIRECTORIES: usize = 4;

/// A field of a chunk. The path is a chunk of its own: its stem is in `Code`, its directories are in `Comment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Field {
    Code,
    Comment,
    Name,
}

/// Number of fields.
pub(crate) const FIELDS: usize = 3;

/// A passage of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// First line, counted from 1.
    pub(crate) line: u32,
    /// Words of each field.
    pub(crate) lengths: [u16; FIELDS],
}

/// Occurrences of one term in one chunk, by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) term: u32,
    pub(crate) chunk: u32,
    pub(crate) counts: [u16; FIELDS],
}

/// Terms, chunks and imports of one file.
#[derive(Clone, Debug)]
pub struct FileContent {
    pub(crate) path: Box<str>,
    pub(crate) stamp: u64,
    pub(crate) class: PathClass,
    pub(crate) bytes: u32,
    /// The first is the path.
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) terms: Vec<Box<str>>,
    /// Sorted by term and chunk.
    pub(crate) occurrences: Vec<Occurrence>,
    /// Last components of what it imports, one a line.
    pub(crate) imports: String,
    pub(crate) direction: Direction,
}

impl FileContent {
    /// Reads a file: `path` is relative to its root, `stamp` the caller's version of the contents, `symbols` are its
    /// declarations. Without a text, or if the text is data, only the path is kept.
    pub fn read(path: &str, stamp: u64, text: Option<&str>, symbols: &[Symbol], reader: &mut TermReader) -> Self {
        let bytes = text.map_or(0, |text| u32::try_from(text.len()).unwrap_or(u32::MAX));
        let text = text.filter(|text| is_readable(path, text));
        let mut collector = Collector::default();
        collector.add_path(path, reader);
        let mut class = PathClass::from_path(path);
        let mut imports = String::new();
        if let Some(text) = text {
            class = class.with(PathClass::from_text(text));
            let extension = extension_of(path);
            collector.add_text(&extension, text, reader);
            collector.add_symbols(symbols, reader);
            imports = imports::imported_names(&extension, text);
        }
        let (chunks, terms, occurrences) = collector.finish();
        let direction = meaning::direction(chunks.len(), &terms, &occurrences);
        Self { path: path.into(), stamp, class, bytes, chunks, terms, occurrences, imports, direction }
    }

    /// Returns the content of a file for whose text the index has no room: its path.
    pub fn without_text(path: &str, stamp: u64) -> Self {
        let file = Self::read(path, stamp, None, &[], &mut TermReader::default());
        Self { class: file.class.with(PathClass::TEXT_LEFT_OUT), ..file }
    }

    /// Returns the bytes of the text that is indexed.
    pub fn text_bytes(&self) -> u64 {
        if self.chunks.len() > 1 { u64::from(self.bytes) } else { 0 }
    }

    /// The path, relative to its root.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Returns the extension of a path in lower case.
fn extension_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    String::from_utf8_lossy(split_extension(name.as_bytes()).1).to_ascii_lowercase()
}

/// Returns whether a text is worth more than its path.
fn is_readable(path: &str, text: &str) -> bool {
    let limit = if extension_of(path) == "json" { MAX_JSON_BYTES } else { MAX_TEXT_BYTES };
    if text.len() > limit {
        return false;
    }
    // A short text is read in any case: a licence on one line is no data.
    let lines = text.lines().count().max(4);
    text.len() / lines <= MAX_MEAN_LINE_BYTES
}

/// Collects the terms of one file.
#[derive(Debug, Default)]
struct Collector {
    numbers: FxHashMap<Box<str>, u32>,
    terms: Vec<Box<str>>,
    chunks: Vec<Chunk>,
    /// Term, chunk and field of each occurrence, packed so that sorting groups them.
    keys: Vec<u64>,
}

const FIELD_BITS: u32 = 2;
const CHUNK_BITS: u32 = 30;

impl Collector {
    fn add_path(&mut self, path: &str, reader: &mut TermReader) {
        self.chunks.push(Chunk::default());
        let mut directories: Vec<&str> = path.split('/').collect();
        let name = directories.pop().unwrap_or(path);
        let stem = String::from_utf8_lossy(split_extension(name.as_bytes()).0).into_owned();
        self.add_name(&stem, 0, Field::Code, reader);
        for directory in directories.iter().rev().take(MAX_DIRECTORIES) {
            self.add_name(directory, 0, Field::Comment, reader);
        }
    }

    /// Adds the terms of a file name, in which `-` and `.` join words as `_` does.
    fn add_name(&mut self, name: &str, chunk: u32, field: Field, reader: &mut TermReader) {
        self.add_text_part(&name.replace(['-', '.', ' '], "_"), chunk, field, reader);
    }

    fn add_text_part(&mut self, text: &str, chunk: u32, field: Field, reader: &mut TermReader) {
        for_each_identifier(text, |_, identifier| {
            reader.for_each_term(identifier, |term| self.add(term, chunk, field));
        });
    }

    fn add_text(&mut self, extension: &str, text: &str, reader: &mut TermReader) {
        let (mut cutter, mut comments) = (ChunkCutter::default(), CommentLines::new(extension));
        for (at, line) in text.lines().enumerate() {
            if cutter.is_cut_before(line) || self.chunks.len() == 1 {
                self.chunks.push(Chunk { line: at as u32 + 1, ..Chunk::default() });
            }
            let field = if comments.is_comment(line) { Field::Comment } else { Field::Code };
            let chunk = self.chunks.len() as u32 - 1;
            self.add_text_part(line, chunk, field, reader);
        }
    }

    fn add_symbols(&mut self, symbols: &[Symbol], reader: &mut TermReader) {
        for symbol in symbols {
            let after = self.chunks.partition_point(|chunk| chunk.line <= symbol.line);
            let chunk = after.saturating_sub(1) as u32;
            if chunk > 0 {
                self.add_text_part(&symbol.name, chunk, Field::Name, reader);
            }
        }
    }

    fn add(&mut self, term: &str, chunk: u32, field: Field) {
        let known = self.numbers.get(term).copied();
        let number = match known {
            Some(number) => number,
            None if self.terms.len() >= MAX_TERMS => return,
            None => {
                let number = self.terms.len() as u32;
                self.terms.push(term.into());
                self.numbers.insert(term.into(), number);
                number
            }
        };
        if !term.starts_with(crate::terms::COMPOUND_MARK) {
            let length = &mut self.chunks[chunk as usize].lengths[field as usize];
            *length = length.saturating_add(1);
        }
        self.keys.push(u64::from(number) << (CHUNK_BITS + FIELD_BITS) | u64::from(chunk) << FIELD_BITS | field as u64);
    }

    fn finish(mut self) -> (Vec<Chunk>, Vec<Box<str>>, Vec<Occurrence>) {
        self.keys.sort_unstable();
        let mut occurrences: Vec<Occurrence> = Vec::new();
        for key in self.keys {
            let (term, chunk) =
                ((key >> (CHUNK_BITS + FIELD_BITS)) as u32, (key >> FIELD_BITS) as u32 & ((1 << CHUNK_BITS) - 1));
            let field = (key & ((1 << FIELD_BITS) - 1)) as usize;
            match occurrences.last_mut() {
                Some(last) if (last.term, last.chunk) == (term, chunk) => {
                    last.counts[field] = last.counts[field].saturating_add(1);
                }
                _ => {
                    let mut counts = [0; FIELDS];
                    counts[field] = 1;
                    occurrences.push(Occurrence { term, chunk, counts });
                }
            }
        }
        (self.chunks, self.terms, occurrences)
    }
}

#[cfg(test)]
mod tests {
    use pathfinder_symbols::declared;

    use super::*;

    #[test]
    fn reads_fields_of_a_file() {
        let text = "// Opens the store.\npub fn open_store() {}\n";
        let symbols = declared("src/disk-cache/store.rs", text);
        let file = FileContent::read("src/disk-cache/store.rs", 1, Some(text), &symbols, &mut TermReader::default());
        let counts = |term: &str| -> Vec<(u32, [u16; FIELDS])> {
            let number = file.terms.iter().position(|known| &**known == term).expect("a term") as u32;
            let found = file.occurrences.iter().filter(|occurrence| occurrence.term == number);
            found.map(|occurrence| (occurrence.chunk, occurrence.counts)).collect()
        };
        assert_eq!(counts("store"), [(0, [1, 0, 0]), (1, [1, 1, 1])]);
        assert_eq!(counts("=diskcache"), [(0, [0, 1, 0])]);
        assert_eq!(counts("=openstore"), [(1, [1, 0, 1])]);
        assert_eq!(file.chunks.len(), 2);
        assert_eq!(file.chunks[1], Chunk { line: 1, lengths: [4, 3, 2] });
    }

    #[test]
    fn reads_only_the_path_of_data() {
        let long = "x".repeat(4000);
        let file = FileContent::read("a.js", 1, Some(&long), &[], &mut TermReader::default());
        assert!(file.chunks.len() == 1);
    }
}
