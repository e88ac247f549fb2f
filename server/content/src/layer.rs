//! `Layer`: the postings of a set of files, immutable. An index is a few layers, the large ones first.
//!
//! The posting of a term names the chunks that have it, as gaps, each with one byte of counts: 3 bits for code, 3 for
//! comments, 2 for declared names. Large counts are rounded, since scores saturate anyway. The first chunk of a file is
//! its path. So one list serves chunk scores, file scores and words of paths.

use rustc_hash::FxHashMap;

use crate::file_content::{Chunk, FIELDS, Field, FileContent};
use crate::meaning::Direction;
use crate::path_class::PathClass;
use crate::strings::{Beginnings, StringTable, push_varint, read_varint};

/// Counts that 3 bits stand for.
pub(crate) const LEVELS: [u16; 8] = [0, 1, 2, 3, 4, 6, 9, 14];
const LEVEL_BITS: u32 = 3;
const MAX_NAME_COUNT: u16 = 3;

/// Files of one or more batches, with their postings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    pub(crate) paths: StringTable,
    /// File numbers in the order of paths.
    pub(crate) by_path: Vec<u32>,
    pub(crate) stamps: Vec<u64>,
    pub(crate) classes: Vec<u16>,
    /// Bytes of each file.
    pub(crate) sizes: Vec<u32>,
    /// The first chunk of each file, and the number of chunks.
    pub(crate) first_chunks: Vec<u32>,
    /// The first line of each chunk.
    pub(crate) lines: Vec<u32>,
    /// The words of each chunk, a list for each field: scores mostly need those of one.
    pub(crate) lengths: [Vec<u16>; FIELDS],
    /// The file of each chunk.
    pub(crate) chunk_files: Vec<u32>,
    /// Words of each file.
    pub(crate) file_lengths: Vec<u32>,
    /// Names that each file imports, one a line.
    pub(crate) imports: StringTable,
    /// Sorted.
    pub(crate) terms: StringTable,
    pub(crate) term_beginnings: Beginnings,
    /// The end of each term's posting.
    pub(crate) posting_ends: Vec<u32>,
    pub(crate) postings: Vec<u8>,
    /// The direction of each file.
    pub(crate) directions: Vec<Direction>,
}

/// A chunk that has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) chunk: u32,
    counts: u8,
}

impl Posting {
    /// Returns the rounded numbers of occurrences, by field.
    pub(crate) fn counts(self) -> [f32; FIELDS] {
        let counts = usize::from(self.counts);
        let (code, comment) = (LEVELS[counts & 7], LEVELS[counts >> LEVEL_BITS & 7]);
        [f32::from(code), f32::from(comment), f32::from(self.counts >> (2 * LEVEL_BITS))]
    }

    /// Returns the level of the count in code; `None` if the term occurs in another field.
    pub(crate) fn only_code(self) -> Option<usize> {
        let level = usize::from(self.counts);
        (level < LEVELS.len()).then_some(level)
    }

    /// Returns whether the term occurs in a field.
    pub(crate) fn has(self, field: Field) -> bool {
        let bits = match field {
            Field::Code => 7,
            Field::Comment => 7 << LEVEL_BITS,
            Field::Name => 3 << (2 * LEVEL_BITS),
        };
        self.counts & bits != 0
    }
}

/// Packs counts in one byte.
fn pack_counts(counts: [u16; FIELDS]) -> u8 {
    let level = |count: u16| LEVELS.iter().rposition(|&level| level <= count).unwrap_or(0) as u8;
    level(counts[0]) | level(counts[1]) << LEVEL_BITS | (counts[2].min(MAX_NAME_COUNT) as u8) << (2 * LEVEL_BITS)
}

/// The chunks of one term, in order. Ends at a chunk that the layer does not have.
#[derive(Clone, Debug)]
pub(crate) struct Postings<'l> {
    rest: &'l [u8],
    chunk: u32,
    /// Chunks of the layer.
    count: u32,
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        // Nearly all gaps take one byte.
        let (gap, counts) = if let [gap @ ..0x80, counts, ref rest @ ..] = *self.rest {
            self.rest = rest;
            (u32::from(gap), counts)
        } else {
            let gap = read_varint(&mut self.rest)?;
            let (&counts, rest) = self.rest.split_first()?;
            self.rest = rest;
            (gap, counts)
        };
        self.chunk = self.chunk.checked_add(gap).filter(|&chunk| chunk < self.count)?;
        Some(Posting { chunk: self.chunk, counts })
    }
}

/// Writes one posting list.
#[derive(Debug, Default)]
struct PostingWriter {
    last: u32,
}

impl PostingWriter {
    fn push(&mut self, bytes: &mut Vec<u8>, chunk: u32, counts: u8) {
        push_varint(bytes, chunk - self.last);
        bytes.push(counts);
        self.last = chunk;
    }
}

impl Layer {
    /// Builds a layer of files, each with another path.
    pub(crate) fn build(files: &[FileContent]) -> Self {
        let mut layer = Self::default();
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut terms: Vec<&str> = Vec::new();
        // Term, chunk and counts of every occurrence.
        let mut occurrences: Vec<(u32, u32, u8)> =
            Vec::with_capacity(files.iter().map(|file| file.occurrences.len()).sum());
        for file in files {
            let first =
                layer.push_file(&file.path, file.stamp, file.class.bits(), file.bytes, file.chunks.iter().copied());
            layer.imports.push(file.imports.as_bytes());
            layer.directions.push(file.direction);
            let of_file: Vec<u32> = file
                .terms
                .iter()
                .map(|term| {
                    *numbers.entry(term).or_insert_with(|| {
                        terms.push(term);
                        terms.len() as u32 - 1
                    })
                })
                .collect();
            occurrences.extend(file.occurrences.iter().map(|occurrence| {
                (of_file[occurrence.term as usize], first + occurrence.chunk, pack_counts(occurrence.counts))
            }));
        }
        let mut order: Vec<u32> = (0..terms.len() as u32).collect();
        order.sort_unstable_by_key(|&number| terms[number as usize]);
        let mut ranks = vec![0_u32; terms.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        for occurrence in &mut occurrences {
            occurrence.0 = ranks[occurrence.0 as usize];
        }
        occurrences.sort_unstable();
        let mut rest = occurrences.as_slice();
        for (rank, &number) in order.iter().enumerate() {
            layer.terms.push(terms[number as usize].as_bytes());
            let mut writer = PostingWriter::default();
            let count = rest.iter().take_while(|occurrence| occurrence.0 as usize == rank).count();
            for &(_, chunk, counts) in &rest[..count] {
                writer.push(&mut layer.postings, chunk, counts);
            }
            rest = &rest[count..];
            layer.posting_ends.push(layer.postings.len() as u32);
        }
        layer.finish()
    }

    /// Builds a layer of the files of others for which `is_live` returns true, by position and number.
    pub(crate) fn merge(layers: &[&Self], is_live: &dyn Fn(usize, u32) -> bool) -> Self {
        let mut merged = Self::default();
        // The new number of each chunk; `u32::MAX` for chunks that are gone.
        let mut renumbered: Vec<Vec<u32>> = Vec::with_capacity(layers.len());
        for (at, layer) in layers.iter().enumerate() {
            let mut chunks = vec![u32::MAX; layer.lines.len()];
            for file in (0..layer.file_count() as u32).filter(|&file| is_live(at, file)) {
                let of_file = layer.chunks_of(file);
                let number = file as usize;
                let first = merged.push_file(
                    layer.path(file),
                    layer.stamps[number],
                    layer.classes[number],
                    layer.sizes[number],
                    of_file.clone().map(|chunk| layer.chunk(chunk)),
                );
                merged.imports.push(layer.imports.get(number));
                merged.directions.push(layer.directions[number]);
                for (new, old) in of_file.enumerate() {
                    chunks[old] = first + new as u32;
                }
            }
            renumbered.push(chunks);
        }
        let mut heads = vec![0_usize; layers.len()];
        loop {
            let present = layers.iter().zip(&heads).filter(|(layer, head)| **head < layer.terms.len());
            let Some(term) = present.map(|(layer, &head)| layer.terms.get(head)).min() else { break };
            let mut writer = PostingWriter::default();
            let before = merged.postings.len();
            for (at, layer) in layers.iter().enumerate() {
                let head = heads[at];
                if head >= layer.terms.len() || layer.terms.get(head) != term {
                    continue;
                }
                for posting in layer.postings_of(head) {
                    let chunk = renumbered[at][posting.chunk as usize];
                    if chunk != u32::MAX {
                        writer.push(&mut merged.postings, chunk, posting.counts);
                    }
                }
                heads[at] += 1;
            }
            if merged.postings.len() > before {
                merged.terms.push(term);
                merged.posting_ends.push(merged.postings.len() as u32);
            }
        }
        merged.finish()
    }

    /// Appends a file and returns the number of its first chunk.
    fn push_file(
        &mut self,
        path: &str,
        stamp: u64,
        class: u16,
        size: u32,
        chunks: impl ExactSizeIterator<Item = Chunk>,
    ) -> u32 {
        let (file, first) = (self.stamps.len() as u32, self.lines.len() as u32);
        self.paths.push(path.as_bytes());
        self.stamps.push(stamp);
        self.classes.push(class);
        self.sizes.push(size);
        self.first_chunks.push(first);
        self.chunk_files.extend(std::iter::repeat_n(file, chunks.len()));
        for Chunk { line, lengths } in chunks {
            self.lines.push(line);
            self.lengths.iter_mut().zip(lengths).for_each(|(list, length)| list.push(length));
        }
        first
    }

    /// Completes what follows from the files.
    pub(crate) fn finish(mut self) -> Self {
        self.first_chunks.push(self.lines.len() as u32);
        let words =
            |list: &Vec<u16>, file: u32| list[self.texts_of(file)].iter().map(|&length| u32::from(length)).sum::<u32>();
        self.file_lengths =
            (0..self.file_count() as u32).map(|file| self.lengths.iter().map(|list| words(list, file)).sum()).collect();
        self.by_path = (0..self.file_count() as u32).collect();
        let paths = &self.paths;
        self.by_path.sort_unstable_by(|&one, &other| paths.get(one as usize).cmp(paths.get(other as usize)));
        self.term_beginnings = Beginnings::new(&self.terms);
        self.shrink();
        self
    }

    /// Returns the memory that the lists reserved to grow: a third of the whole where files were appended one by one.
    fn shrink(&mut self) {
        for strings in [&mut self.paths, &mut self.imports, &mut self.terms] {
            strings.shrink();
        }
        let numbers = [&mut self.sizes, &mut self.first_chunks, &mut self.chunk_files, &mut self.posting_ends];
        numbers.into_iter().for_each(Vec::shrink_to_fit);
        self.stamps.shrink_to_fit();
        self.classes.shrink_to_fit();
        self.lines.shrink_to_fit();
        self.lengths.iter_mut().for_each(Vec::shrink_to_fit);
        self.postings.shrink_to_fit();
        self.directions.shrink_to_fit();
    }

    pub(crate) fn file_count(&self) -> usize {
        self.stamps.len()
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, file: u32) -> &str {
        self.paths.text(file as usize)
    }

    pub(crate) fn class(&self, file: u32) -> PathClass {
        PathClass::from_bits(self.classes[file as usize])
    }

    /// Returns the chunks of a file; the first is its path.
    pub(crate) fn chunks_of(&self, file: u32) -> std::ops::Range<usize> {
        self.first_chunks[file as usize] as usize..self.first_chunks[file as usize + 1] as usize
    }

    /// Returns the chunks of a file's text.
    pub(crate) fn texts_of(&self, file: u32) -> std::ops::Range<usize> {
        let chunks = self.chunks_of(file);
        chunks.start + 1..chunks.end
    }

    /// Returns a chunk by its number.
    pub(crate) fn chunk(&self, chunk: usize) -> Chunk {
        Chunk { line: self.lines[chunk], lengths: std::array::from_fn(|field| self.lengths[field][chunk]) }
    }

    /// Returns the first chunk of a file, or the number of chunks for the number behind the last file.
    pub(crate) fn first_chunk(&self, file: u32) -> usize {
        self.first_chunks[file as usize] as usize
    }

    /// Returns the bytes of a file's text; 0 if only its path is indexed.
    pub(crate) fn text_bytes(&self, file: u32) -> u64 {
        if self.chunks_of(file).len() > 1 { u64::from(self.sizes[file as usize]) } else { 0 }
    }

    /// Returns the numbers of the file at a path, or of all files below it.
    pub(crate) fn files_at(&self, path: &str) -> Vec<u32> {
        let below = format!("{path}/");
        let place =
            |wanted: &str| self.by_path.partition_point(|&file| self.paths.get(file as usize) < wanted.as_bytes());
        let own = self.by_path[place(path)..].iter().take(1).filter(|&&file| self.path(file) == path);
        let inside = self.by_path[place(&below)..].iter().take_while(|&&file| self.path(file).starts_with(&below));
        own.chain(inside).copied().collect()
    }

    /// Returns the number of the file at a path.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let at = self.by_path.partition_point(|&file| self.paths.get(file as usize) < path.as_bytes());
        self.by_path.get(at).copied().filter(|&file| self.path(file) == path)
    }

    /// Returns the chunks that have a term.
    pub(crate) fn postings(&self, term: &str) -> Option<Postings<'_>> {
        self.term_beginnings.find(&self.terms, term.as_bytes()).map(|number| self.postings_of(number))
    }

    /// Returns the bytes of a term's posting, which grow with the chunks that have it.
    pub(crate) fn posting_bytes(&self, term: &str) -> usize {
        self.postings(term).map_or(0, |postings| postings.rest.len())
    }

    /// Returns the posting of a term by its number.
    pub(crate) fn postings_of(&self, term: usize) -> Postings<'_> {
        let start = if term == 0 { 0 } else { self.posting_ends[term - 1] as usize };
        let rest = &self.postings[start..self.posting_ends[term] as usize];
        Postings { rest, chunk: 0, count: self.lines.len() as u32 }
    }

    /// Returns the memory held, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let strings = |table: &StringTable| table.bytes.capacity() + 4 * table.ends.capacity();
        strings(&self.paths)
            + strings(&self.imports)
            + strings(&self.terms)
            + self.term_beginnings.memory()
            + 4 * self.by_path.capacity()
            + 8 * self.stamps.capacity()
            + 2 * self.classes.capacity()
            + 4 * (self.sizes.capacity()
                + self.first_chunks.capacity()
                + self.chunk_files.capacity()
                + self.file_lengths.capacity())
            + 4 * self.lines.capacity()
            + 2 * self.lengths.iter().map(Vec::capacity).sum::<usize>()
            + 4 * self.posting_ends.capacity()
            + self.postings.capacity()
            + size_of::<Direction>() * self.directions.capacity()
    }
}
