//! `Direction`: the sum of the vectors of a file's words, so that a file in other words than the question's is found to be near it.
//!
//! A word that tells much has a long vector. The vectors were learned from comments, names, titles of tests and subjects of commits
//! beside their code (`models/README.md`). Only directions are compared, so that one byte a number is enough.

use std::hash::BuildHasher as _;
use std::sync::LazyLock;

use rustc_hash::FxBuildHasher;

use crate::file_content::Occurrence;
use crate::question::{Question, TermKind};

/// Files that are compared by meaning: the best ones by all else. A file that shares few words is near by chance.
const COMPARED_MAX: usize = 50;
/// Numbers of a vector.
pub(crate) const NUMBERS: usize = 128;
/// Bytes of a word's vector: a number takes half of one. With eight bits a number files are ordered no better.
const PACKED: usize = NUMBERS / 2;

/// The direction of a text. Its largest number is 127.
pub(crate) type Direction = [i8; NUMBERS];

/// The words, sorted, one a line; and their vectors in the same order.
const WORDS: &str = include_str!("meaning/words.txt");
const VECTORS: &[u8] = include_bytes!("meaning/vectors.bin");

/// The numbers of the words: a hash table of 0.2 MB, where a map of texts takes 0.8.
struct WordNumbers {
    /// The number of the word with this hash, or of an earlier one; `FREE` ends the search.
    slots: Box<[u16]>,
    /// The end of each word in [`WORDS`], behind its line feed.
    ends: Box<[u32]>,
}

impl WordNumbers {
    const FREE: u16 = u16::MAX;
    /// Three times the words, so that most are found at once.
    const SLOTS: usize = 1 << 16;

    fn new() -> Self {
        let mut slots = vec![Self::FREE; Self::SLOTS].into_boxed_slice();
        let mut ends = Vec::with_capacity(VECTORS.len() / PACKED);
        let mut end = 0;
        for (number, line) in WORDS.split_inclusive('\n').enumerate() {
            end += line.len();
            ends.push(end as u32);
            let free = Self::places(line.trim_end()).find(|&place| slots[place] == Self::FREE);
            slots[free.expect("fewer words than slots")] = number as u16;
        }
        Self { slots, ends: ends.into() }
    }

    /// The slots in which a word may be, in order.
    fn places(word: &str) -> impl Iterator<Item = usize> + use<> {
        let first = FxBuildHasher.hash_one(word) as usize;
        (0..Self::SLOTS).map(move |step| first.wrapping_add(step) % Self::SLOTS)
    }

    fn word(&self, number: u16) -> &'static str {
        let number = usize::from(number);
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        WORDS[start..self.ends[number] as usize].trim_end()
    }

    fn find(&self, word: &str) -> Option<usize> {
        let mut numbers = Self::places(word).map(|place| self.slots[place]).take_while(|&number| number != Self::FREE);
        numbers.find(|&number| self.word(number) == word).map(usize::from)
    }
}

/// Returns the vector of a word; `None` if it was not learned.
fn vector(word: &str) -> Option<&'static [u8; PACKED]> {
    static NUMBERS_OF_WORDS: LazyLock<WordNumbers> = LazyLock::new(WordNumbers::new);
    VECTORS.as_chunks().0.get(NUMBERS_OF_WORDS.find(word)?)
}

/// Adds a vector to a sum, as often as a word counts.
fn add(sum: &mut [i32; NUMBERS], vector: &[u8; PACKED], count: i32) {
    for (sums, byte) in sum.as_chunks_mut::<2>().0.iter_mut().zip(vector) {
        // The lower half is first; a shift of a signed number keeps its sign.
        let numbers = [(byte << 4).cast_signed() >> 4, byte.cast_signed() >> 4];
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum = sum.saturating_add(i32::from(number).saturating_mul(count));
        }
    }
}

/// Returns the direction of a file. A word counts once in each chunk that has it; one of the path, which is the first chunk, in all.
/// `occurrences` are sorted by term and chunk.
pub(crate) fn direction(chunks: usize, terms: &[Box<str>], occurrences: &[Occurrence]) -> Direction {
    let mut sum = [0; NUMBERS];
    let texts = chunks.saturating_sub(1).max(1);
    for of_term in occurrences.chunk_by(|one, other| one.term == other.term) {
        if let Some(vector) = vector(&terms[of_term[0].term as usize]) {
            let count = if of_term[0].chunk == 0 { texts } else { of_term.len() };
            add(&mut sum, vector, i32::try_from(count).unwrap_or(i32::MAX));
        }
    }
    let most = sum.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0).max(1);
    sum.map(|number| (number as f32 * 127.0 / most as f32).round() as i8)
}

/// The direction of a question.
#[derive(Clone, Debug)]
struct QuestionMeaning([f32; NUMBERS]);

impl QuestionMeaning {
    /// Sums the words of a question; `None` if none was learned.
    fn new(question: &Question) -> Option<Self> {
        let mut sum = [0; NUMBERS];
        let words = question.terms.iter().filter(|term| term.kind == TermKind::Word);
        words.filter_map(|term| vector(&term.term)).for_each(|vector| add(&mut sum, vector, 1));
        let length = sum.iter().map(|&number| (number as f32).powi(2)).sum::<f32>().sqrt();
        (length > 0.0).then(|| Self(sum.map(|number| number as f32 / length)))
    }

    /// Returns the cosine to a direction, at least 0.
    fn nearness(&self, direction: &Direction) -> f32 {
        let product: f32 = self.0.iter().zip(direction).map(|(one, &other)| one * f32::from(other)).sum();
        let square: i32 = direction.iter().map(|&number| i32::from(number).pow(2)).sum();
        (product / (square as f32).sqrt().max(1.0)).max(0.0)
    }
}

/// Returns how near the first of these directions are to a question, over the nearest.
pub(crate) fn compare<'d>(question: &Question, directions: impl Iterator<Item = &'d Direction>) -> Vec<f32> {
    let Some(meaning) = QuestionMeaning::new(question) else { return Vec::new() };
    let near: Vec<f32> = directions.take(COMPARED_MAX).map(|direction| meaning.nearness(direction)).collect();
    let most = near.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    near.into_iter().map(|near| near / most).collect()
}

#[cfg(test)]
mod tests {
    use pathfinder_core::symbols::Symbols;

    use super::*;
    use crate::{ContentChange, ContentIndex, ContentRoot, FileContent, TermReader, search};

    #[test]
    fn every_word_has_a_vector() {
        let words: Vec<&str> = WORDS.lines().collect();
        assert!(words.is_sorted() && words.len() * PACKED == VECTORS.len());
        let vectors = VECTORS.as_chunks::<PACKED>().0;
        assert!(words.iter().zip(vectors).all(|(word, own)| vector(word) == Some(own)));
        assert_eq!(["", "qqxx", "\n"].map(vector), [None; 3]);
    }

    /// `near` is nearer to the question than `far`, and shares no word with it.
    #[track_caller]
    fn check(question: &str, near: &str, far: &str) {
        let meaning =
            QuestionMeaning::new(&Question::parse(question, &mut TermReader::default())).expect("known words");
        let cosine = |text: &str| {
            let file = FileContent::read("a.rs", 1, Some(text), &[], &mut TermReader::default());
            meaning.nearness(&file.direction)
        };
        assert!(cosine(near) > cosine(far) + 0.1, "{} {}", cosine(near), cosine(far));
    }

    #[test]
    fn near_words_are_near() {
        check("retry after a failure", "attempts.backoff()", "font.glyph(index)");
        check("remove a file", "unlink(path)", "font.glyph(index)");
        check("encrypt secrets", "let cipher = Aes::new(key);", "unlink(path)");
    }

    #[test]
    fn a_file_has_the_words_of_its_path() {
        let read = |path: &str| FileContent::read(path, 1, Some("qqxx\n"), &[], &mut TermReader::default()).direction;
        assert_ne!(read("archive/zip.rs"), read("colour.rs"));
        assert_eq!(read("qqxx.rs"), [0; NUMBERS]);
    }

    #[test]
    fn a_file_in_other_words_comes_first() {
        let read = |(path, text): (&str, &str)| {
            ContentChange::Read(Box::new(FileContent::read(path, 1, Some(text), &[], &mut TermReader::default())))
        };
        let files = [("a.rs", "secrets(font.glyph())"), ("b.rs", "secrets(cipher.aes())")];
        let index = ContentIndex::default().apply(files.map(read).into());
        let root = ContentRoot { index: &index, symbols: &Symbols::default(), subjects: None };
        let paths =
            |query: &str| search(query, &[root], 10).files.into_iter().map(|file| file.path).collect::<Vec<_>>();
        assert_eq!(paths("encrypt secrets"), ["b.rs", "a.rs"]);
    }
}
