//! `Collection`: the indexes of all roots as one numbered set of files and chunks, for one search.

use crate::index::{ContentIndex, ContentPart, Totals};
use crate::layer::Postings;

/// One part of one root's index.
#[derive(Clone, Debug)]
pub(crate) struct PartView<'i> {
    pub(crate) root: usize,
    pub(crate) part: &'i ContentPart,
    pub(crate) first_file: usize,
    /// Number of its first file within its root.
    pub(crate) first_in_root: usize,
    /// Words of each file.
    pub(crate) file_lengths: &'i [u32],
}

/// Returns a mean of lengths, at least 1.
fn mean(sum: u64, count: usize) -> f32 {
    (sum as f32 / count.max(1) as f32).max(1.0)
}

/// All parts of all roots.
#[derive(Clone, Debug)]
pub(crate) struct Collection<'i> {
    pub(crate) parts: Vec<PartView<'i>>,
    pub(crate) file_count: usize,
    pub(crate) totals: Totals,
    /// Mean words of a chunk by field, at least 1.
    pub(crate) mean_chunk: [f32; 3],
    /// Mean words of a file with text.
    pub(crate) mean_file: f32,
}

impl<'i> Collection<'i> {
    pub(crate) fn new(indexes: &[&'i ContentIndex]) -> Self {
        let mut collection =
            Self { parts: Vec::new(), file_count: 0, totals: Totals::default(), mean_chunk: [1.0; 3], mean_file: 1.0 };
        for (root, index) in indexes.iter().enumerate() {
            let mut first_in_root = 0;
            for part in &*index.parts {
                collection.parts.push(PartView {
                    root,
                    part,
                    first_file: collection.file_count,
                    first_in_root,
                    file_lengths: &part.layer.file_lengths,
                });
                first_in_root += part.layer.file_count();
                collection.file_count += part.layer.file_count();
            }
            let (sum, own) = (&mut collection.totals, index.totals);
            sum.files += own.files;
            sum.text_files += own.text_files;
            sum.chunks += own.chunks;
            for (sum, own) in sum.lengths.iter_mut().zip(own.lengths) {
                *sum += own;
            }
        }
        let totals = collection.totals;
        collection.mean_chunk = totals.lengths.map(|sum| mean(sum, totals.chunks));
        collection.mean_file = mean(totals.lengths.iter().sum(), totals.text_files);
        collection
    }

    /// Sets the mean lengths to those of these files.
    pub(crate) fn set_means(&mut self, files: &[usize]) {
        let (mut lengths, mut chunks, mut text_files, mut words) = ([0_u64; 3], 0, 0, 0_u64);
        for &file in files {
            let (view, own) = self.locate(file);
            let length = view.file_lengths[own as usize];
            words += u64::from(length);
            text_files += usize::from(length > 0);
            let texts = view.part.layer.texts_of(own);
            chunks += texts.len();
            for (sum, list) in lengths.iter_mut().zip(&view.part.layer.lengths) {
                *sum += list[texts.clone()].iter().map(|&length| u64::from(length)).sum::<u64>();
            }
        }
        self.mean_chunk = lengths.map(|sum| mean(sum, chunks));
        self.mean_file = mean(words, text_files);
    }

    /// Returns the postings of a term in each part.
    pub(crate) fn postings(&self, term: &str) -> Vec<Option<Postings<'i>>> {
        self.parts.iter().map(|view| view.part.layer.postings(term)).collect()
    }

    /// Estimates how many files have a term, by the length of its postings.
    pub(crate) fn estimate_files_with(&self, term: &str) -> f32 {
        /// Bytes of postings for a file: two chunks of two bytes each. A guess, not measured.
        const BYTES_PER_FILE: f32 = 4.0;
        self.parts.iter().map(|view| view.part.layer.posting_bytes(term)).sum::<usize>() as f32 / BYTES_PER_FILE
    }

    /// Returns the root and the path of a file, by which ties break.
    pub(crate) fn place(&self, file: usize) -> (usize, &str) {
        let (view, own) = self.locate(file);
        (view.root, view.part.layer.path(own))
    }

    /// Returns the part of a file, and its number there.
    pub(crate) fn locate(&self, file: usize) -> (&PartView<'i>, u32) {
        let at = self.parts.partition_point(|view| view.first_file <= file) - 1;
        let view = &self.parts[at];
        (view, (file - view.first_file) as u32)
    }

    /// Returns the number of the file at a path below a root.
    pub(crate) fn find(&self, root: usize, path: &str) -> Option<usize> {
        self.parts.iter().filter(|view| view.root == root).find_map(|view| {
            let file = view.part.layer.find(path)?;
            view.part.is_live(file).then_some(view.first_file + file as usize)
        })
    }
}
