//! `Details`: the terms that the described files and their chunks have. Called by `search`.
//!
//! Read from the postings for these files alone: of the other files, which are nearly all, only scores are needed.

use std::ops::Range;

use crate::collection::{Collection, PartView};
use crate::file_content::Field;
use crate::layer::Postings;
use crate::question::Question;
use crate::score::Scores;

/// Terms of a question that a file has, by place. Bit `i` is term `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TermSets {
    /// In its text or path.
    pub(crate) anywhere: u64,
    pub(crate) stem: u64,
    pub(crate) directories: u64,
    pub(crate) names: u64,
    pub(crate) comments: u64,
}

/// The terms of one file, and the place of its chunks.
#[derive(Clone, Debug)]
struct FileDetails {
    /// Its chunks in its layer.
    chunks: Range<u32>,
    /// Position of its first chunk in the lists of [`Details`].
    first: usize,
    sets: TermSets,
}

/// The terms of some files and their chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Details {
    /// Numbers in the collection, in order.
    numbers: Vec<u32>,
    /// In the same order.
    files: Vec<FileDetails>,
    /// Terms that each chunk has; none for the first, which is the path.
    chunk_terms: Vec<u64>,
    /// True for a chunk that declares a name with a word of the question.
    declares_word: Vec<bool>,
}

impl Details {
    /// Begins with no terms. `files` are sorted.
    pub(crate) fn new(collection: &Collection<'_>, files: Vec<u32>) -> Self {
        let mut first = 0;
        let begin = |&file: &u32| {
            let (view, own) = collection.locate(file as usize);
            let chunks = view.part.layer.chunks_of(own);
            let own = FileDetails { chunks: chunks.start as u32..chunks.end as u32, first, sets: TermSets::default() };
            first += chunks.len();
            own
        };
        let known: Vec<FileDetails> = files.iter().map(begin).collect();
        Self { numbers: files, files: known, chunk_terms: vec![0; first], declares_word: vec![false; first] }
    }

    /// Adds the term with a number from its postings in one part.
    pub(crate) fn add(&mut self, view: &PartView<'_>, number: usize, is_word: bool, mut postings: Postings<'_>) {
        let bit = 1 << number;
        let set = |sets: &mut u64, holds: bool| *sets |= if holds { bit } else { 0 };
        let count = view.part.layer.file_count();
        let place = |file: usize| self.numbers.partition_point(|&number| (number as usize) < file);
        let of_part = place(view.first_file)..place(view.first_file + count);
        let mut next = postings.next();
        for file in &mut self.files[of_part] {
            while next.is_some_and(|posting| posting.chunk < file.chunks.start) {
                next = postings.next();
            }
            if next.is_none() {
                return;
            }
            while let Some(posting) = next.filter(|posting| posting.chunk < file.chunks.end) {
                set(&mut file.sets.anywhere, true);
                if posting.chunk == file.chunks.start {
                    set(&mut file.sets.stem, posting.has(Field::Code));
                    set(&mut file.sets.directories, posting.has(Field::Comment));
                } else {
                    let is_named = posting.has(Field::Name);
                    set(&mut file.sets.names, is_named);
                    set(&mut file.sets.comments, posting.has(Field::Comment));
                    let chunk = file.first + (posting.chunk - file.chunks.start) as usize;
                    self.chunk_terms[chunk] |= bit;
                    self.declares_word[chunk] |= is_word && is_named;
                }
                next = postings.next();
            }
        }
    }

    fn find(&self, file: usize) -> Option<&FileDetails> {
        let at = self.numbers.binary_search_by_key(&file, |&number| number as usize).ok()?;
        self.files.get(at)
    }

    /// Returns the terms that a file has.
    pub(crate) fn sets(&self, file: usize) -> TermSets {
        self.find(file).map(|own| own.sets).unwrap_or_default()
    }

    /// Returns the terms that each chunk of a file has, the path first.
    fn chunks(&self, file: usize) -> &[u64] {
        self.find(file).map_or(&[], |own| &self.chunk_terms[own.first..own.first + own.chunks.len()])
    }

    /// Returns the lines of a file, from and to (exclusive), whose declarations may have a word of the question: those of the chunks
    /// that the index knows to declare one.
    pub(crate) fn declaring_lines(&self, collection: &Collection<'_>, file: usize) -> Vec<(u32, u32)> {
        let Some(own) = self.find(file) else { return Vec::new() };
        let starts = &collection.locate(file).0.part.layer.lines;
        let starts = &starts[own.chunks.start as usize..own.chunks.end as usize];
        if starts.len() == 1 {
            // Only its path is indexed; its declarations may be known all the same.
            return vec![(0, u32::MAX)];
        }
        let declares = |at: &usize| self.declares_word[own.first + at];
        let lines = |at: usize| (starts[at], starts.get(at + 1).copied().unwrap_or(u32::MAX));
        (1..starts.len()).filter(declares).map(lines).collect()
    }

    /// Returns the largest share of the question in one chunk of a file, without and with synonyms.
    pub(crate) fn chunk_cover(&self, scores: &Scores<'_>, question: &Question, file: usize) -> (f32, f32) {
        let mut best = (0.0_f32, 0.0_f32);
        let mut last = 0;
        for &terms in self.chunks(file).iter().skip(1) {
            if terms != 0 && terms != last {
                best.0 = best.0.max(scores.share(terms));
                best.1 = best.1.max(scores.share_with_synonyms(question, terms));
            }
            last = terms;
        }
        best
    }

    /// Returns the largest share of the question in one chunk of a file and its path, if a synonym counts half, and the terms
    /// that these have.
    pub(crate) fn best_passage(&self, scores: &Scores<'_>, question: &Question, file: usize) -> (f32, u64) {
        let sets = self.sets(file);
        let path = sets.stem | sets.directories;
        let mut best = (0.0, path);
        for terms in self.chunks(file) {
            let cover = scores.share_with_synonyms(question, terms | path);
            if cover > best.0 {
                best = (cover, terms | path);
            }
        }
        best
    }
}
