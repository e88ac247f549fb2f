//! `CommitSubjects`: the words of the subjects of commits, by the files that they changed. A subject says in people's
//! words what a file is about.

use rustc_hash::FxHashMap;

use crate::image::{ImageReader, ImageWriter};
use crate::strings::{StringTable, push_varint, read_varint};
use crate::terms::TermReader;

/// Commits that are read, newest first.
pub const MAX_COMMITS: usize = 4000;
/// A commit that changed more files than this says nothing about any of them.
pub const MAX_FILES_PER_COMMIT: usize = 20;
/// Subjects of one file that count, newest first.
const MAX_SUBJECTS_PER_FILE: u32 = 60;
/// Weights are kept as multiples of one part in this many.
const WEIGHT_STEPS: f32 = 16.0;

/// The subjects of one root's commits, searchable by word. Immutable.
#[derive(Clone, Debug, Default)]
pub struct CommitSubjects {
    /// Sorted.
    paths: StringTable,
    /// Sum of the weights of each file's words.
    lengths: Vec<f32>,
    /// Sorted.
    terms: StringTable,
    posting_ends: Vec<u32>,
    /// Gap of file numbers and weight, as two numbers each.
    postings: Vec<u8>,
}

impl CommitSubjects {
    /// Indexes commits, newest first: each a subject and the changed files. `is_present` returns whether a file still
    /// exists.
    pub fn build<'c>(
        commits: impl Iterator<Item = (&'c str, &'c [String])>,
        is_present: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut reader = TermReader::default();
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut subjects: Vec<u32> = Vec::new();
        // By the numbers of a term and a file.
        let mut weights: FxHashMap<(u32, u32), f32> = FxHashMap::default();
        let mut names: Vec<&str> = Vec::new();
        let mut terms: FxHashMap<String, u32> = FxHashMap::default();
        for (subject, files) in commits.filter(|(_, files)| files.len() <= MAX_FILES_PER_COMMIT).take(MAX_COMMITS) {
            let there: Vec<&str> = files.iter().map(String::as_str).filter(|file| is_present(file)).collect();
            if there.is_empty() {
                continue;
            }
            let mut stems: Vec<u32> = Vec::new();
            reader.for_each_stem(subject, |stem| {
                let known = terms.get(stem).copied();
                stems.push(known.unwrap_or_else(|| {
                    let number = terms.len() as u32;
                    terms.insert(stem.to_owned(), number);
                    number
                }));
            });
            stems.sort_unstable();
            stems.dedup();
            let weight = 1.0 / (there.len() as f32).sqrt();
            for file in there {
                let number = *numbers.entry(file).or_insert_with(|| {
                    names.push(file);
                    subjects.push(0);
                    names.len() as u32 - 1
                });
                if subjects[number as usize] == MAX_SUBJECTS_PER_FILE {
                    continue;
                }
                subjects[number as usize] += 1;
                for &stem in &stems {
                    *weights.entry((stem, number)).or_default() += weight;
                }
            }
        }
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        order.sort_unstable_by_key(|&number| names[number as usize]);
        let mut ranks = vec![0_u32; names.len()];
        let mut built = Self { lengths: vec![0.0; names.len()], ..Self::default() };
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as u32;
            built.paths.push(names[number as usize].as_bytes());
        }
        let mut terms: Vec<(String, u32)> = terms.into_iter().collect();
        terms.sort_unstable();
        let mut term_ranks = vec![0_u32; terms.len()];
        for (rank, (_, number)) in terms.iter().enumerate() {
            term_ranks[*number as usize] = rank as u32;
        }
        let rank =
            |((term, file), weight): ((u32, u32), f32)| (term_ranks[term as usize], ranks[file as usize], weight);
        let mut entries: Vec<(u32, u32, f32)> = weights.into_iter().map(rank).collect();
        entries.sort_unstable_by_key(|entry| (entry.0, entry.1));
        for of_term in entries.chunk_by(|one, other| one.0 == other.0) {
            let mut last = 0;
            for &(_, path, weight) in of_term {
                push_varint(&mut built.postings, path - last);
                push_varint(&mut built.postings, (weight * WEIGHT_STEPS).round() as u32);
                built.lengths[path as usize] += weight;
                last = path;
            }
            built.terms.push(terms[of_term[0].0 as usize].0.as_bytes());
            built.posting_ends.push(built.postings.len() as u32);
        }
        built.paths.shrink();
        built.terms.shrink();
        built.posting_ends.shrink_to_fit();
        built.postings.shrink_to_fit();
        built
    }

    /// Writes the subjects as bytes.
    pub fn to_image(&self) -> Vec<u8> {
        let mut out = ImageWriter::default();
        out.strings(&self.paths);
        out.numbers(self.lengths.iter().map(|length| length.to_le_bytes()));
        out.strings(&self.terms);
        out.numbers(self.posting_ends.iter().map(|end| end.to_le_bytes()));
        out.bytes(&self.postings);
        out.0
    }

    /// Reads subjects of an image with this length; `read` returns the next bytes of it. `None` if the bytes are invalid. A posting is
    /// validated when it is read.
    pub fn from_pieces(length: u64, read: &mut dyn FnMut(u64) -> Option<Vec<u8>>) -> Option<Self> {
        let mut from = ImageReader::new(length, read);
        let (paths, lengths) = (from.strings()?, from.numbers(f32::from_le_bytes)?);
        let (terms, posting_ends, postings) = (from.strings()?, from.numbers(u32::from_le_bytes)?, from.bytes()?);
        let is_sound = from.is_at_end()
            && lengths.len() == paths.len()
            && posting_ends.len() == terms.len()
            && posting_ends.is_sorted()
            && posting_ends.last().map_or(0, |&end| end as usize) == postings.len();
        is_sound.then_some(Self { paths, lengths, terms, posting_ends, postings })
    }

    /// Returns whether no commit is known.
    pub fn is_empty(&self) -> bool {
        self.paths.len() == 0
    }

    /// Returns the number of files, and the memory held in bytes.
    pub fn stats(&self) -> (usize, usize) {
        let strings = |table: &StringTable| table.bytes.capacity() + 4 * table.ends.capacity();
        let own = 4 * (self.lengths.capacity() + self.posting_ends.capacity()) + self.postings.capacity();
        (self.paths.len(), own + strings(&self.paths) + strings(&self.terms))
    }

    pub(crate) fn file_count(&self) -> usize {
        self.paths.len()
    }

    pub(crate) fn path(&self, file: u32) -> &str {
        self.paths.text(file as usize)
    }

    /// Returns the length of a file's subjects, and the mean of all.
    pub(crate) fn length(&self, file: u32) -> f32 {
        self.lengths[file as usize]
    }

    pub(crate) fn mean_length(&self) -> f32 {
        (self.lengths.iter().sum::<f32>() / self.lengths.len().max(1) as f32).max(f32::MIN_POSITIVE)
    }

    /// Returns the files whose subjects have a term, each with its weight.
    pub(crate) fn postings(&self, term: &str) -> Vec<(u32, f32)> {
        let Some(term) = self.terms.find(term.as_bytes()) else { return Vec::new() };
        let start = if term == 0 { 0 } else { self.posting_ends[term - 1] as usize };
        let mut rest = &self.postings[start..self.posting_ends[term] as usize];
        let (mut found, mut path) = (Vec::new(), 0_u32);
        while let (Some(gap), Some(weight)) = (read_varint(&mut rest), read_varint(&mut rest)) {
            // Damaged bytes may name a file that is none.
            let Some(next) = path.checked_add(gap).filter(|&next| (next as usize) < self.paths.len()) else { break };
            path = next;
            found.push((path, weight as f32 / WEIGHT_STEPS));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::CommitSubjects;

    fn subjects() -> CommitSubjects {
        let commits = [
            ("Retry failed uploads", vec!["b.rs".to_owned()]),
            ("Fix retries", vec!["a.rs".to_owned(), "b.rs".to_owned(), "gone.rs".to_owned()]),
            ("Format", (0..30).map(|number| format!("{number}.rs")).collect()),
        ];
        CommitSubjects::build(commits.iter().map(|(subject, files)| (*subject, files.as_slice())), &|file| {
            file != "gone.rs"
        })
    }

    fn from_image(mut image: &[u8]) -> Option<CommitSubjects> {
        CommitSubjects::from_pieces(image.len() as u64, &mut |length| {
            let (piece, rest) = image.split_at_checked(usize::try_from(length).ok()?)?;
            image = rest;
            Some(piece.to_vec())
        })
    }

    #[test]
    fn images_round_trip() {
        let image = subjects().to_image();
        let again = from_image(&image).expect("subjects");
        assert_eq!(again.to_image(), image);
        assert_eq!(again.postings("retri"), subjects().postings("retri"));
        for length in 0..image.len() {
            assert!(from_image(&image[..length]).is_none(), "{length}");
        }
        assert!(from_image(&[&image[..], &[0]].concat()).is_none());
    }

    /// Damaged bytes give no subjects, or some that can be asked.
    #[test]
    fn damaged_images_do_no_harm() {
        let image = subjects().to_image();
        for at in 0..image.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut image = image.clone();
                image[at] = byte;
                if let Some(subjects) = from_image(&image) {
                    let files = ["retri", "upload", "fix"].into_iter().flat_map(|term| subjects.postings(term));
                    files.for_each(|(file, _)| _ = (subjects.path(file), subjects.length(file)));
                }
            }
        }
    }

    #[test]
    fn weighs_words_of_subjects() {
        let subjects = subjects();
        let files = |term: &str| -> Vec<String> {
            subjects.postings(term).iter().map(|(file, weight)| format!("{} {weight}", subjects.path(*file))).collect()
        };
        assert_eq!(files("upload"), ["b.rs 1"]);
        assert_eq!(files("retri"), ["a.rs 0.6875", "b.rs 1.6875"]);
        assert_eq!(files("format"), [""; 0]);
    }
}
