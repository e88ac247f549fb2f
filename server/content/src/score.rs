//! `Scores`: lexical scores of all files and chunks for a question. BM25F on whole files and on chunks; see
//! `facts/find-content.md` for the formulas' origin.

use crate::collection::Collection;
use crate::file_content::Field;
use crate::layer::Posting;
use crate::path_class::PathClass;
use crate::question::{Question, TermKind};

/// Weights and length normalisation of the fields of a chunk: code, comment, declared names.
const FIELD_WEIGHTS: [f32; 3] = [1.0, 1.0, 1.5];
const FIELD_LENGTH_SHARES: [f32; 3] = [0.75, 0.5, 0.3];
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

/// Scores by file and chunk, numbered as in the [`Collection`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Scores {
    /// BM25F of the whole file.
    pub(crate) files: Vec<f32>,
    /// Terms that each file has, one bit each in the order of the question's terms.
    pub(crate) has: Vec<TermSets>,
    /// Score that every chunk of a file has by its path.
    path_points: Vec<f32>,
    /// Score of a chunk beyond that.
    chunk_points: Vec<f32>,
    /// Terms that each chunk has.
    chunk_has: Vec<u64>,
    /// True for a chunk that declares a name with a word of the question.
    declares_word: Vec<bool>,
    /// In the order of the question's terms.
    pub(crate) terms: Vec<ScoredTerm>,
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
    /// Number of the best chunk in its layer.
    pub(crate) chunk: usize,
}

impl Scores {
    /// Scores all files, or only those with the numbers `among`, which are sorted: rarity then counts these alone.
    pub(crate) fn compute(question: &Question, collection: &Collection<'_>, among: Option<&[usize]>) -> Self {
        let (files, chunks) = (collection.file_count, collection.chunk_count);
        let mut scores = Self {
            files: vec![0.0; files],
            has: vec![TermSets::default(); files],
            path_points: vec![0.0; files],
            chunk_points: vec![0.0; chunks],
            chunk_has: vec![0; chunks],
            declares_word: vec![false; chunks],
            ..Self::default()
        };
        let mut postings: Vec<(usize, Posting)> = Vec::new();
        for term in &question.terms {
            let is_word = matches!(term.kind, TermKind::Word | TermKind::Compound);
            postings.clear();
            let files_with = collection.collect(&term.term, &mut postings);
            let (n, files_with) = match among {
                Some(among) => (among.len() as f32, keep_among(collection, &mut postings, among)),
                None => (collection.totals.files as f32, files_with),
            };
            let rarity = idf(n, files_with as f32);
            let is_missing_word =
                term.kind == TermKind::Word && term.word.chars().count() >= MIN_UNKNOWN_WORD_CHARS && !term.is_value;
            let value = match files_with {
                0 if is_missing_word => term.weight * (1.0 + n).ln(),
                0 => 0.0,
                _ => term.weight * rarity,
            };
            scores.terms.push(ScoredTerm { value, is_known: files_with > 0, counts: is_word });
            if is_word {
                scores.counting |= 1 << (scores.terms.len() - 1);
                scores.total += value;
            }
            if files_with > 0 {
                let bit = 1 << (scores.terms.len() - 1);
                scores.add_term(collection, &postings, value, bit);
                if term.kind == TermKind::Word {
                    scores.note_declared_words(collection, &postings);
                }
            }
        }
        scores
    }

    /// Adds one term. `postings` are the live chunks that have it, by part.
    fn add_term(&mut self, collection: &Collection<'_>, postings: &[(usize, Posting)], value: f32, bit: u64) {
        let mut rest = postings;
        while let Some(&(part, first)) = rest.first() {
            let view = &collection.parts[part];
            let layer = &*view.part.layer;
            let file = layer.chunk_files[first.chunk as usize];
            let chunks = layer.chunks_of(file);
            let count =
                rest.iter().take_while(|(at, one)| *at == part && chunks.contains(&(one.chunk as usize))).count();
            let of_file = &rest[..count];
            rest = &rest[count..];

            let number = view.first_file + file as usize;
            let is_path = first.chunk as usize == chunks.start;
            let in_stem = is_path && first.count(Field::Code) > 0.0;
            let in_directories = is_path && first.count(Field::Comment) > 0.0;
            let by_path =
                if in_stem { STEM_IN_CHUNK } else { 0.0 } + if in_directories { DIRECTORY_IN_CHUNK } else { 0.0 };
            let path_score = value * saturate(by_path, CHUNK_SATURATION);
            self.path_points[number] += path_score;
            let mut frequency = 0.0;
            let (mut is_named, mut is_commented) = (false, false);
            for (_, posting) in &of_file[usize::from(is_path)..] {
                let chunk = posting.chunk as usize;
                let counted = [Field::Code, Field::Comment, Field::Name].map(|field| posting.count(field));
                is_commented |= counted[1] > 0.0;
                is_named |= counted[2] > 0.0;
                frequency += counted[0] + FILE_COMMENT_WEIGHT * counted[1] + FILE_NAME_WEIGHT * counted[2];
                let lengths = layer.chunks[chunk].lengths;
                let mut weighted = by_path;
                for field in 0..counted.len() {
                    let share = FIELD_LENGTH_SHARES[field];
                    let length = f32::from(lengths[field]) / collection.mean_chunk[field];
                    weighted += FIELD_WEIGHTS[field] * counted[field] / (1.0 - share + share * length);
                }
                self.chunk_points[view.first_chunk + chunk] +=
                    value * saturate(weighted, CHUNK_SATURATION) - path_score;
                self.chunk_has[view.first_chunk + chunk] |= bit;
            }
            let length = view.file_lengths[file as usize] as f32 / collection.mean_file;
            let mut weighted = frequency / (1.0 - FILE_LENGTH_SHARE + FILE_LENGTH_SHARE * length);
            weighted += if in_stem { STEM_IN_FILE } else { 0.0 } + if in_directories { DIRECTORY_IN_FILE } else { 0.0 };
            self.files[number] += value * saturate(weighted, FILE_SATURATION);
            let has = &mut self.has[number];
            let set = |sets: &mut u64, holds: bool| *sets |= if holds { bit } else { 0 };
            set(&mut has.anywhere, true);
            set(&mut has.stem, in_stem);
            set(&mut has.directories, in_directories);
            set(&mut has.names, is_named);
            set(&mut has.comments, is_commented);
        }
    }

    /// Notes the chunks that declare a name with a term.
    fn note_declared_words(&mut self, collection: &Collection<'_>, postings: &[(usize, Posting)]) {
        for (part, posting) in postings {
            if posting.count(Field::Name) > 0.0 {
                self.declares_word[collection.parts[*part].first_chunk + posting.chunk as usize] = true;
            }
        }
    }

    /// Returns the lines of a file, from and to (exclusive), whose declarations may have a word of the question: those of the chunks
    /// that the index knows to declare one.
    pub(crate) fn declaring_lines(&self, collection: &Collection<'_>, file: usize) -> Vec<(u32, u32)> {
        let (view, own) = collection.locate(file);
        let layer = &*view.part.layer;
        let chunks = layer.chunks_of(own);
        if chunks.len() == 1 {
            // Only its path is indexed; its declarations may be known all the same.
            return vec![(0, u32::MAX)];
        }
        let mut lines: Vec<(u32, u32)> = Vec::new();
        for chunk in chunks.start + 1..chunks.end {
            if self.declares_word[view.first_chunk + chunk] {
                let end = if chunk + 1 < chunks.end { layer.chunks[chunk + 1].line } else { u32::MAX };
                lines.push((layer.chunks[chunk].line, end));
            }
        }
        lines
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

    /// Returns the best chunks of a file.
    pub(crate) fn best_chunks(&self, collection: &Collection<'_>, file: usize) -> BestChunks {
        let (view, own) = collection.locate(file);
        let layer = &*view.part.layer;
        let chunks = layer.chunks_of(own);
        let base = self.path_points[file];
        let mut best = [f32::NEG_INFINITY; 3];
        let mut found = BestChunks { best: base, three: base, chunk: chunks.start, ..BestChunks::default() };
        for chunk in chunks.start + 1..chunks.end {
            let score = self.chunk_points[view.first_chunk + chunk];
            if score > best[0] && score > 0.0 {
                (found.line, found.chunk) = (layer.chunks[chunk].line, chunk);
            }
            if score > best[2] {
                best[2] = score;
                best.sort_unstable_by(|one, other| other.total_cmp(one));
            }
        }
        if best[0].is_finite() {
            found.best = base + best[0];
            found.three = best.iter().filter(|score| score.is_finite()).map(|score| base + score).sum();
        }
        found
    }

    /// Returns the largest share of the question in one chunk of a file, without and with synonyms.
    pub(crate) fn chunk_cover(&self, collection: &Collection<'_>, question: &Question, file: usize) -> (f32, f32) {
        let (view, own) = collection.locate(file);
        let chunks = view.part.layer.chunks_of(own);
        let mut best = (0.0_f32, 0.0_f32);
        let mut last = 0;
        for &terms in &self.chunk_has[view.first_chunk + chunks.start + 1..view.first_chunk + chunks.end] {
            if terms != 0 && terms != last {
                best.0 = best.0.max(self.share(terms));
                best.1 = best.1.max(self.share_with_synonyms(question, terms));
            }
            last = terms;
        }
        best
    }

    /// Returns the largest share of the question in one chunk of a file and its path, if a synonym counts half, and the terms
    /// that these have.
    pub(crate) fn best_passage(&self, collection: &Collection<'_>, question: &Question, file: usize) -> (f32, u64) {
        let (view, own) = collection.locate(file);
        let chunks = view.part.layer.chunks_of(own);
        let path = self.has[file].stem | self.has[file].directories;
        let mut best = (0.0, path);
        for terms in &self.chunk_has[view.first_chunk + chunks.start..view.first_chunk + chunks.end] {
            let cover = self.share_with_synonyms(question, terms | path);
            if cover > best.0 {
                best = (cover, terms | path);
            }
        }
        best
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

    /// Returns the largest value among plain code, at least a quarter of the largest of all: one long document must not
    /// press all code together.
    pub(crate) fn normaliser(values: impl Iterator<Item = (f32, PathClass)>) -> f32 {
        let (mut of_code, mut of_all) = (0.0_f32, 0.0_f32);
        for (value, class) in values {
            of_all = of_all.max(value);
            if class.is_plain_code() {
                of_code = of_code.max(value);
            }
        }
        of_code.max(of_all / 4.0).max(f32::MIN_POSITIVE)
    }
}

/// Keeps the postings of these files, which are sorted, and returns the number of files that are left.
fn keep_among(collection: &Collection<'_>, postings: &mut Vec<(usize, Posting)>, among: &[usize]) -> usize {
    let (mut files, mut last) = (0, None);
    postings.retain(|(part, posting)| {
        let view = &collection.parts[*part];
        let file = view.first_file + view.part.layer.chunk_files[posting.chunk as usize] as usize;
        let is_kept = among.binary_search(&file).is_ok();
        files += usize::from(is_kept && last != Some(file));
        last = if is_kept { Some(file) } else { last };
        is_kept
    });
    files
}

/// Rarity of a term that `with` of `all` files have.
pub(crate) fn idf(all: f32, with: f32) -> f32 {
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}

fn saturate(frequency: f32, constant: f32) -> f32 {
    frequency * (constant + 1.0) / (frequency + constant)
}
