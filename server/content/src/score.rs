//! `Scores`: lexical scores of all files and chunks for a question. BM25F on whole files and on chunks; see
//! `facts/find-content.md` for the formulas' origin.
//!
//! All terms are added for a few files at a time, and of each file only its sums and its best chunk are kept. What else is needed
//! of the few files that are described is read from the postings again (`details`).

use std::ops::Range;

use crate::collection::{Collection, PartView};
use crate::details::Details;
use crate::file_content::{FIELDS, Field};
use crate::layer::{LEVELS, Layer, Posting, Postings};
use crate::path_class::PathClass;
use crate::question::{Question, QuestionTerm, TermKind};

/// Weights and length normalisation of the fields of a chunk: code, comment, declared names.
const FIELD_WEIGHTS: [f32; FIELDS] = [1.0, 1.0, 1.5];
const FIELD_LENGTH_SHARES: [f32; FIELDS] = [0.75, 0.5, 0.3];
/// Added to a chunk's frequency if the stem or a directory has the term.
const STEM_IN_CHUNK: f32 = 3.0;
const DIRECTORY_IN_CHUNK: f32 = 1.5;
/// Saturation of a chunk's frequency.
const CHUNK_SATURATION: f32 = 1.8;

/// Weights of comments and declared names in a file's frequency, beside code.
const FILE_COMMENT_WEIGHT: f32 = 0.8;
const FILE_NAME_WEIGHT: f32 = 3.0;
const STEM_IN_FILE: f32 = 8.0;
const DIRECTORY_IN_FILE: f32 = 3.0;
/// Share of a file's length that counts.
const FILE_LENGTH_SHARE: f32 = 0.7;
/// Saturation of a file's frequency. Larger than usual: a file that is about a word has it often.
const FILE_SATURATION: f32 = 8.0;

/// Shorter words that nothing in the tree has are noise.
const MIN_UNKNOWN_WORD_CHARS: usize = 4;

/// A term of the question as the tree knows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScoredTerm {
    /// Weight in the question times rarity.
    pub(crate) value: f32,
    /// True if a file has it.
    pub(crate) is_known: bool,
    /// True if it counts in shares of the question: words and written identifiers do, guessed joins do not.
    pub(crate) counts: bool,
}

/// A file that has a term of the question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchingFile {
    pub(crate) file: u32,
    /// BM25F of the whole file.
    pub(crate) score: f32,
    /// Score of its best chunk, and the sum of its best three.
    pub(crate) best: f32,
    pub(crate) three: f32,
    /// Number of the best chunk in its layer.
    chunk: u32,
    /// Shares of the question in its stem and in its directories.
    pub(crate) stem_cover: f32,
    pub(crate) directory_cover: f32,
    pub(crate) class: PathClass,
}

/// Scores of files, numbered as in the [`Collection`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Scores<'i> {
    /// BM25F of the whole file; 0 for one without a term.
    pub(crate) files: Vec<f32>,
    /// The files that have a term, in order.
    pub(crate) matching: Vec<MatchingFile>,
    /// In the order of the question's terms.
    pub(crate) terms: Vec<ScoredTerm>,
    /// The postings of each term, one by part.
    postings: Vec<Vec<Option<Postings<'i>>>>,
    /// The terms that count.
    counting: u64,
    /// Sum of the values of all terms that count.
    pub(crate) total: f32,
}

/// The best chunks of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BestChunks {
    pub(crate) best: f32,
    pub(crate) three: f32,
    /// First line of the best chunk.
    pub(crate) line: u32,
}

impl<'i> Scores<'i> {
    /// Scores all files, or only those with the numbers `among`, which are sorted: rarity then counts these alone.
    pub(crate) fn compute(question: &Question, collection: &Collection<'i>, among: Option<&[usize]>) -> Self {
        let mut scores = Self { files: vec![0.0; collection.file_count], ..Self::default() };
        for term in &question.terms {
            scores.look_up(term, collection, among);
        }
        let chunk_scores = ChunkScores::new(collection);
        for part in 0..collection.parts.len() {
            scores.score_part(collection, part, &chunk_scores, among);
        }
        scores
    }

    /// Looks a term up and weighs it.
    fn look_up(&mut self, term: &QuestionTerm, collection: &Collection<'i>, among: Option<&[usize]>) {
        let is_word = matches!(term.kind, TermKind::Word | TermKind::Compound);
        let postings = collection.postings(&term.term);
        let parts = collection.parts.iter().zip(&postings);
        let files_with: usize = parts.map(|(view, postings)| count_files(view, postings.clone(), among)).sum();
        let n = among.map_or(collection.totals.files, <[usize]>::len) as f32;
        let is_missing_word =
            term.kind == TermKind::Word && term.word.chars().count() >= MIN_UNKNOWN_WORD_CHARS && !term.is_value;
        let value = match files_with {
            0 if is_missing_word => term.weight * (1.0 + n).ln(),
            0 => 0.0,
            _ => term.weight * idf(n, files_with as f32),
        };
        self.terms.push(ScoredTerm { value, is_known: files_with > 0, counts: is_word });
        self.postings.push(postings);
        if is_word {
            self.counting |= 1 << (self.terms.len() - 1);
            self.total += value;
        }
    }

    /// Scores the files of one part, some at a time: what is summed for them stays in the processor's cache, and no list has an
    /// entry for each chunk of the tree.
    fn score_part(
        &mut self,
        collection: &Collection<'i>,
        part: usize,
        chunk_scores: &ChunkScores,
        among: Option<&[usize]>,
    ) {
        /// Files at a time: some 30 kB of sums, if a file has ten chunks.
        const WINDOW_FILES: u32 = 256;
        let view = &collection.parts[part];
        let layer: &Layer = &view.part.layer;
        let known = self.terms.iter().zip(&self.postings).enumerate().filter(|(_, (term, _))| term.is_known);
        let mut cursors: Vec<Cursor<'_>> = known
            .filter_map(|(number, (term, postings))| Cursor::new(number, term.value, postings[part].clone()?))
            .collect();
        let mut window = Window { view, among, chunk_scores, first_file: 0, files: Vec::new(), chunks: Vec::new() };
        let count = layer.file_count() as u32;
        for first in (0..count).step_by(WINDOW_FILES as usize) {
            window.begin(first..count.min(first.saturating_add(WINDOW_FILES)));
            for cursor in &mut cursors {
                window.add(cursor);
            }
            for (file, sums) in (first..).zip(&window.files).filter(|(_, sums)| sums.score > 0.0) {
                let number = view.first_file + file as usize;
                self.files[number] = sums.score;
                let (best, three, chunk) = window.best_chunks(file, sums.path_points);
                self.matching.push(MatchingFile {
                    file: number as u32,
                    score: sums.score,
                    best,
                    three,
                    chunk,
                    stem_cover: self.share(sums.stem),
                    directory_cover: self.share(sums.directories),
                    class: layer.class(file),
                });
            }
        }
    }

    /// Returns which terms some files and their chunks have. The files are sorted.
    pub(crate) fn details(&self, question: &Question, collection: &Collection<'_>, files: Vec<u32>) -> Details {
        let mut details = Details::new(collection, files);
        for (number, (term, postings)) in question.terms.iter().zip(&self.postings).enumerate() {
            for (view, postings) in collection.parts.iter().zip(postings) {
                if let Some(postings) = postings {
                    details.add(view, number, term.kind == TermKind::Word, postings.clone());
                }
            }
        }
        details
    }

    /// Returns the best chunks of a file.
    pub(crate) fn best_chunks(&self, collection: &Collection<'_>, file: usize) -> BestChunks {
        let Ok(at) = self.matching.binary_search_by_key(&file, |one| one.file as usize) else {
            return BestChunks::default();
        };
        let MatchingFile { best, three, chunk, .. } = self.matching[at];
        let (view, own) = collection.locate(file);
        let is_path = chunk as usize == view.part.layer.chunks_of(own).start;
        BestChunks { best, three, line: if is_path { 0 } else { view.part.layer.lines[chunk as usize] } }
    }

    /// Returns the share of the question that a set of terms covers.
    pub(crate) fn share(&self, terms: u64) -> f32 {
        let mut sum = 0.0;
        let mut rest = terms & self.counting;
        while rest != 0 {
            sum += self.terms[rest.trailing_zeros() as usize].value;
            rest &= rest - 1;
        }
        sum / self.total.max(f32::MIN_POSITIVE)
    }

    /// Returns the share that a set covers if a synonym counts half.
    pub(crate) fn share_with_synonyms(&self, question: &Question, terms: u64) -> f32 {
        let mut sum = 0.0;
        for (number, scored) in self.terms.iter().enumerate().filter(|(_, scored)| scored.counts) {
            if terms & (1 << number) != 0 {
                sum += scored.value;
            } else if question.synonyms(number) & terms != 0 {
                sum += 0.5 * scored.value;
            }
        }
        sum / self.total.max(f32::MIN_POSITIVE)
    }

    /// Returns the score of a file as a share of the highest that its words allow.
    pub(crate) fn share_of_highest(&self, file: usize) -> f32 {
        self.files[file] / ((FILE_SATURATION + 1.0) * self.total.max(f32::MIN_POSITIVE))
    }

    /// Returns the share of the guessed joins, by value, that a set of terms has.
    pub(crate) fn join_share(&self, question: &Question, terms: u64) -> f32 {
        let (mut all, mut has) = (0.0, 0.0);
        for (number, (term, scored)) in question.terms.iter().zip(&self.terms).enumerate() {
            if term.kind == TermKind::Join && scored.is_known {
                all += scored.value;
                has += if terms & (1 << number) != 0 { scored.value } else { 0.0 };
            }
        }
        if all > 0.0 { has / all } else { 0.0 }
    }
}

/// The largest value among plain code, at least a quarter of the largest of all: one long document must not press all code
/// together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Normaliser {
    of_code: f32,
    of_all: f32,
}

impl Normaliser {
    /// Returns the value by which these are divided.
    pub(crate) fn from_values(values: impl Iterator<Item = (f32, PathClass)>) -> f32 {
        let mut normaliser = Self::default();
        values.for_each(|(value, class)| normaliser.add(value, class.is_plain_code()));
        normaliser.value()
    }

    pub(crate) fn add(&mut self, value: f32, is_code: bool) {
        self.of_all = self.of_all.max(value);
        if is_code {
            self.of_code = self.of_code.max(value);
        }
    }

    pub(crate) fn value(self) -> f32 {
        self.of_code.max(self.of_all / 4.0).max(f32::MIN_POSITIVE)
    }
}

/// Counts the live files that have a term.
fn count_files(view: &PartView<'_>, postings: Option<Postings<'_>>, among: Option<&[usize]>) -> usize {
    let layer: &Layer = &view.part.layer;
    let (mut count, mut end) = (0, 0);
    for posting in postings.into_iter().flatten() {
        if posting.chunk >= end {
            let file = layer.chunk_files[posting.chunk as usize];
            end = layer.chunks_of(file).end as u32;
            count += usize::from(is_scored(view, file, among));
        }
    }
    count
}

/// Returns whether a file is there, and among those that are asked for.
fn is_scored(view: &PartView<'_>, file: u32, among: Option<&[usize]>) -> bool {
    view.part.is_live(file) && among.is_none_or(|among| among.binary_search(&(view.first_file + file as usize)).is_ok())
}

/// The next posting of a term in one part.
struct Cursor<'p> {
    bit: u64,
    value: f32,
    next: Option<Posting>,
    rest: Postings<'p>,
}

impl<'p> Cursor<'p> {
    fn new(number: usize, value: f32, mut rest: Postings<'p>) -> Option<Self> {
        Some(Self { bit: 1 << number, value, next: Some(rest.next()?), rest })
    }
}

/// Sums over the terms for one file.
#[derive(Clone, Copy, Default)]
struct FileSums {
    score: f32,
    /// Score that every chunk of the file has by its path.
    path_points: f32,
    stem: u64,
    directories: u64,
}

/// Files of a part that are scored together.
struct Window<'w> {
    view: &'w PartView<'w>,
    among: Option<&'w [usize]>,
    chunk_scores: &'w ChunkScores,
    first_file: u32,
    files: Vec<FileSums>,
    /// Score of each chunk beyond that of the path.
    chunks: Vec<f32>,
}

impl Window<'_> {
    fn layer(&self) -> &Layer {
        &self.view.part.layer
    }

    /// Clears the sums for these files.
    fn begin(&mut self, files: Range<u32>) {
        let chunks = self.layer().first_chunk(files.start)..self.layer().first_chunk(files.end);
        self.first_file = files.start;
        self.files.clear();
        self.files.resize(files.len(), FileSums::default());
        self.chunks.clear();
        self.chunks.resize(chunks.len(), 0.0);
    }

    /// Returns the score of the best chunk of a file, the sum of the best three, and the number of the best.
    fn best_chunks(&self, file: u32, by_path: f32) -> (f32, f32, u32) {
        let chunks = self.layer().chunks_of(file);
        let first = self.layer().first_chunk(self.first_file);
        let mut best = [f32::NEG_INFINITY; 3];
        let mut chunk = chunks.start;
        for (number, &score) in (chunks.start + 1..).zip(&self.chunks[chunks.start + 1 - first..chunks.end - first]) {
            if score <= best[2] {
                continue;
            }
            if score > best[0] && score > 0.0 {
                chunk = number;
            }
            best[2] = score;
            best.sort_unstable_by(|one, other| other.total_cmp(one));
        }
        if !best[0].is_finite() {
            return (by_path, by_path, chunk as u32);
        }
        let three = best.iter().filter(|score| score.is_finite()).map(|score| by_path + score).sum();
        (by_path + best[0], three, chunk as u32)
    }

    /// Adds a term as far as the window reaches.
    fn add(&mut self, cursor: &mut Cursor<'_>) {
        let layer: &Layer = &self.view.part.layer;
        let first_chunk = layer.first_chunk(self.first_file) as u32;
        let end = first_chunk + self.chunks.len() as u32;
        let (value, bit) = (cursor.value, cursor.bit);
        while let Some(mut posting) = cursor.next.filter(|posting| posting.chunk < end) {
            let file = layer.chunk_files[posting.chunk as usize];
            let chunks = layer.chunks_of(file);
            if !is_scored(self.view, file, self.among) {
                cursor.next = cursor.rest.find(|posting| posting.chunk as usize >= chunks.end);
                continue;
            }
            let sums = &mut self.files[(file - self.first_file) as usize];
            let (mut in_path, mut by_path, mut path_score) = (0.0, 0.0, 0.0);
            let mut next = Some(posting);
            if posting.chunk as usize == chunks.start {
                let (in_stem, in_directories) = (posting.has(Field::Code), posting.has(Field::Comment));
                by_path =
                    if in_stem { STEM_IN_CHUNK } else { 0.0 } + if in_directories { DIRECTORY_IN_CHUNK } else { 0.0 };
                in_path =
                    if in_stem { STEM_IN_FILE } else { 0.0 } + if in_directories { DIRECTORY_IN_FILE } else { 0.0 };
                path_score = value * saturate(by_path, CHUNK_SATURATION);
                sums.path_points += path_score;
                sums.stem |= if in_stem { bit } else { 0 };
                sums.directories |= if in_directories { bit } else { 0 };
                next = cursor.rest.next();
            }
            let mut frequency = 0.0;
            while let Some(text) = next.filter(|next| (next.chunk as usize) < chunks.end) {
                posting = text;
                frequency += file_frequency(posting);
                let of_chunk = self.chunk_scores.score(by_path, posting, layer);
                self.chunks[(posting.chunk - first_chunk) as usize] += value * of_chunk - path_score;
                next = cursor.rest.next();
            }
            cursor.next = next;
            let length = self.view.file_lengths[file as usize] as f32 / self.chunk_scores.mean_file;
            let mut weighted = frequency / (1.0 - FILE_LENGTH_SHARE + FILE_LENGTH_SHARE * length);
            weighted += in_path;
            sums.score += value * saturate(weighted, FILE_SATURATION);
        }
    }
}

/// Scores of one term in a chunk by its counts and the lengths of the fields: computed once for what nearly all chunks have.
struct ChunkScores {
    mean_chunk: [f32; FIELDS],
    mean_file: f32,
    /// The divisors of counts by length.
    divisors: [[f32; ChunkScores::LENGTHS]; FIELDS],
    /// Scores of terms that only the code has, and not the path, by level of the count and length.
    of_code: [[f32; ChunkScores::LENGTHS]; LEVELS.len()],
}

impl ChunkScores {
    /// A chunk has some 1,600 characters, and mostly fewer words than this.
    const LENGTHS: usize = 256;

    fn new(collection: &Collection<'_>) -> Self {
        let mean_chunk = collection.mean_chunk;
        let divisors = std::array::from_fn(|field| {
            std::array::from_fn(|length| divisor(field, length as f32 / mean_chunk[field]))
        });
        let mut scores =
            Self { mean_chunk, mean_file: collection.mean_file, divisors, of_code: [[0.0; Self::LENGTHS]; _] };
        for (level, own) in scores.of_code.iter_mut().enumerate() {
            for (divisor, score) in scores.divisors[Field::Code as usize].iter().zip(own) {
                let weighted = FIELD_WEIGHTS[Field::Code as usize] * f32::from(LEVELS[level]) / divisor;
                *score = saturate(weighted, CHUNK_SATURATION);
            }
        }
        scores
    }

    /// Returns the score of a chunk. `by_path` is the frequency that the path adds.
    fn score(&self, by_path: f32, posting: Posting, layer: &Layer) -> f32 {
        let chunk = posting.chunk as usize;
        if by_path <= 0.0
            && let Some(level) = posting.only_code()
            && let Some(&score) = self.of_code[level].get(usize::from(layer.lengths[Field::Code as usize][chunk]))
        {
            return score;
        }
        let mut weighted = by_path;
        for (field, count) in posting.counts().into_iter().enumerate() {
            // Most chunks have a term in one field.
            if count > 0.0 {
                let length = layer.lengths[field][chunk];
                let computed = self.divisors[field].get(usize::from(length)).copied();
                let divisor = computed.unwrap_or_else(|| divisor(field, f32::from(length) / self.mean_chunk[field]));
                weighted += FIELD_WEIGHTS[field] * count / divisor;
            }
        }
        saturate(weighted, CHUNK_SATURATION)
    }
}

/// Returns the divisor of a field's count. `length` is relative to the mean.
fn divisor(field: usize, length: f32) -> f32 {
    let share = FIELD_LENGTH_SHARES[field];
    1.0 - share + share * length
}

/// Frequency of a term in a file by its counts in one chunk.
fn file_frequency(posting: Posting) -> f32 {
    let [code, comment, name] = posting.counts();
    code + FILE_COMMENT_WEIGHT * comment + FILE_NAME_WEIGHT * name
}

/// Rarity of a term that `with` of `all` files have.
pub(crate) fn idf(all: f32, with: f32) -> f32 {
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}

fn saturate(frequency: f32, constant: f32) -> f32 {
    frequency * (constant + 1.0) / (frequency + constant)
}
