//! `ContentIndex`: the words of all files below one root, as far as they were read.
//!
//! Immutable and cheap to clone. A change makes a new index that shares layers with the old one; a changed file is
//! marked as dead in its layer and added in a new one. Layers are merged whenever one is at most twice as large as the
//! next, as with [`Symbols`](pathfinder_core::symbols::Symbols): a build costs each file a few merges, a saved file
//! only the small layers.
//!
//! An index of our own instead of tantivy (0.26): one posting per term and chunk with packed counts of three fields
//! serves chunk scores, file scores and path words, where tantivy scores fields one by one and knows no chunks of a
//! file. Its writer takes at least 15 MB a thread and makes a segment of many small files at every commit, for one
//! saved file too; it deletes by term at commit, and brings some 45 direct dependencies. What it would save, block
//! compression and merging in the background, pays from about a million files.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::file_content::{FIELDS, FileContent};
use crate::graph::ImportGraph;
use crate::layer::Layer;

/// Files that one index holds. More are counted, and left out.
pub const MAX_FILES: usize = 200_000;
/// Text that one index holds, in bytes: the index took 0.28 of it in memory over 18 repositories.
pub const MAX_INDEXED_BYTES: u64 = 1 << 30;

/// A change of one file or directory. Lists of changes apply in order.
#[derive(Clone, Debug)]
pub enum ContentChange {
    /// The file was read.
    Read(Box<FileContent>),
    /// The file is gone, or the directory with everything below it.
    Removed(Box<str>),
}

/// Counts and sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentStats {
    /// Files in the index.
    pub files: usize,
    /// Files in the index of which only the path is known: binary, large, or data.
    pub path_only: usize,
    /// Files that were left out because the index was full.
    pub left_out: usize,
    /// Passages that are ranked on their own.
    pub chunks: usize,
    /// Bytes of the indexed texts.
    pub text_bytes: u64,
    /// Memory held, in bytes.
    pub bytes: usize,
}

/// A layer, and the files of it that are gone.
#[derive(Clone, Debug)]
pub(crate) struct ContentPart {
    pub(crate) layer: Arc<Layer>,
    dead: Arc<[u64]>,
    dead_count: usize,
}

impl ContentPart {
    pub(crate) fn new(layer: Layer) -> Self {
        Self { layer: Arc::new(layer), dead: Arc::new([]), dead_count: 0 }
    }

    pub(crate) fn is_live(&self, file: u32) -> bool {
        self.dead.get(file as usize / 64).is_none_or(|bits| bits & (1 << (file % 64)) == 0)
    }

    fn live_count(&self) -> usize {
        self.layer.file_count() - self.dead_count
    }

    /// Cost of building it anew.
    fn weight(&self) -> usize {
        self.layer.postings.len() + 64 * self.layer.file_count()
    }

    fn remove(&mut self, path: &str) {
        let gone: Vec<u32> = self.layer.files_at(path).into_iter().filter(|&file| self.is_live(file)).collect();
        if gone.is_empty() {
            return;
        }
        let mut dead = self.dead.to_vec();
        dead.resize(self.layer.file_count().div_ceil(64), 0);
        for file in &gone {
            dead[*file as usize / 64] |= 1 << (file % 64);
        }
        self.dead_count += gone.len();
        self.dead = dead.into();
    }

    pub(crate) fn live_files(&self) -> impl Iterator<Item = u32> {
        (0..self.layer.file_count() as u32).filter(|&file| self.is_live(file))
    }
}

/// Sums over the live files, for mean lengths.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) files: usize,
    pub(crate) text_files: usize,
    pub(crate) chunks: usize,
    pub(crate) lengths: [u64; FIELDS],
    pub(crate) text_bytes: u64,
}

/// The words of one root's files. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct ContentIndex {
    /// The large ones first.
    pub(crate) parts: Arc<[ContentPart]>,
    pub(crate) totals: Totals,
    /// Files to read.
    total: usize,
    left_out: usize,
    graph: Arc<OnceLock<ImportGraph>>,
}

impl ContentIndex {
    /// Applies changes to a copy and returns it. Files beyond [`MAX_FILES`] are left out, and the texts of those beyond
    /// [`MAX_INDEXED_BYTES`].
    #[must_use]
    pub fn apply(&self, changes: Vec<ContentChange>) -> Self {
        let mut parts = self.parts.to_vec();
        let mut new: BTreeMap<Box<str>, FileContent> = BTreeMap::new();
        for change in changes {
            match change {
                ContentChange::Read(file) => _ = new.insert(file.path.clone(), *file),
                ContentChange::Removed(path) => {
                    let below = |file: &str| file.strip_prefix(&*path).is_some_and(|rest| rest.starts_with('/'));
                    new.retain(|file, _| **file != *path && !below(file));
                    for part in &mut parts {
                        part.remove(&path);
                    }
                }
            }
        }
        for path in new.keys() {
            for part in &mut parts {
                part.remove(path);
            }
        }
        let rest = sum_totals(&parts);
        let (mut files, mut bytes) = (rest.files, rest.text_bytes);
        let mut left_out = self.left_out;
        let mut kept: Vec<FileContent> = Vec::with_capacity(new.len());
        for mut file in new.into_values() {
            if files >= MAX_FILES {
                left_out += 1;
                continue;
            }
            if bytes + file.text_bytes() > MAX_INDEXED_BYTES {
                left_out += 1;
                // With its stamp it is not read again and again.
                file = file.without_text();
            }
            files += 1;
            bytes += file.text_bytes();
            kept.push(file);
        }
        if !kept.is_empty() {
            parts.push(ContentPart::new(Layer::build(&kept)));
        }
        Self { left_out, ..Self::from_parts(merge_neighbours(parts), self.total) }
    }

    pub(crate) fn from_parts(parts: Vec<ContentPart>, total: usize) -> Self {
        let totals = sum_totals(&parts);
        Self { parts: parts.into(), totals, total, left_out: 0, graph: Arc::default() }
    }

    /// Sets the number of files to read on a copy and returns it.
    #[must_use]
    pub fn with_total(&self, total: usize) -> Self {
        Self { total, ..self.clone() }
    }

    /// Merges all layers into one, which is searched faster than several: for when all files were read.
    #[must_use]
    pub fn compact(&self) -> Self {
        if self.parts.len() < 2 && self.parts.iter().all(|part| part.dead_count == 0) {
            return self.clone();
        }
        Self { left_out: self.left_out, ..Self::from_parts(vec![merge(&self.parts)], self.total) }
    }

    /// Returns the number of files that were read, and the total.
    pub fn progress(&self) -> (usize, usize) {
        (self.totals.files, self.total.max(self.totals.files))
    }

    /// Returns the stamp with which a file was read; `None` if it was not.
    pub fn stamp(&self, path: &str) -> Option<u64> {
        self.parts.iter().find_map(|part| {
            let file = part.layer.find(path)?;
            part.is_live(file).then(|| part.layer.stamps[file as usize])
        })
    }

    /// Returns the files that were read, each with its stamp, in no order.
    pub fn stamps(&self) -> impl Iterator<Item = (&str, u64)> {
        self.parts
            .iter()
            .flat_map(|part| part.live_files().map(|file| (part.layer.path(file), part.layer.stamps[file as usize])))
    }

    /// Counts and sizes.
    pub fn stats(&self) -> ContentStats {
        ContentStats {
            files: self.totals.files,
            path_only: self.totals.files - self.totals.text_files,
            left_out: self.left_out,
            chunks: self.totals.chunks,
            text_bytes: self.totals.text_bytes,
            bytes: self.parts.iter().map(|part| part.layer.memory()).sum(),
        }
    }

    /// Returns what the files import; computed at the first call.
    pub(crate) fn graph(&self) -> &ImportGraph {
        self.graph.get_or_init(|| ImportGraph::build(&self.parts))
    }

    /// Computes what the first search would have to compute.
    pub fn prepare(&self) {
        self.graph();
    }
}

fn sum_totals(parts: &[ContentPart]) -> Totals {
    let mut totals = Totals::default();
    for part in parts {
        for file in part.live_files() {
            let chunks = part.layer.chunks_of(file);
            totals.files += 1;
            totals.text_files += usize::from(chunks.len() > 1);
            totals.chunks += chunks.len() - 1;
            if chunks.len() > 1 {
                totals.text_bytes += u64::from(part.layer.sizes[file as usize]);
            }
            for chunk in &part.layer.chunks[chunks.start + 1..chunks.end] {
                for (sum, length) in totals.lengths.iter_mut().zip(chunk.lengths) {
                    *sum += u64::from(length);
                }
            }
        }
    }
    totals
}

/// Merges neighbours until each part is more than twice as large as the next.
fn merge_neighbours(mut parts: Vec<ContentPart>) -> Vec<ContentPart> {
    parts.retain(|part| part.live_count() > 0);
    for part in &mut parts {
        if part.dead_count * 2 > part.layer.file_count() {
            *part = merge(std::slice::from_ref(part));
        }
    }
    let mut settled: Vec<ContentPart> = Vec::with_capacity(parts.len());
    for mut part in parts {
        while settled.last().is_some_and(|last| last.weight() <= 2 * part.weight())
            && let Some(last) = settled.pop()
        {
            part = merge(&[last, part]);
        }
        settled.push(part);
    }
    settled
}

/// Merges the live files of these parts into one part.
fn merge(parts: &[ContentPart]) -> ContentPart {
    let layers: Vec<&Layer> = parts.iter().map(|part| &*part.layer).collect();
    ContentPart::new(Layer::merge(&layers, &|at, file| parts[at].is_live(file)))
}

#[cfg(test)]
mod tests;
