//! `ContentIndex`: the words of all files below one root, as far as they were read.
//!
//! Immutable and cheap to clone. A change makes a new index that shares layers with the old one; a changed file is
//! marked as dead in its layer and added in a new one. Layers are merged whenever one is at most twice as large as the
//! next, as with [`Symbols`](pathfinder_core::symbols::Symbols): a build costs each file a few merges, a saved file
//! only the small layers.
//!
//! An index of our own instead of tantivy (0.26): one posting per term and chunk with packed counts of three fields
//! serves chunk scores, file scores and path words, where tantivy scores fields one by one and knows no chunks of a
//! file. Measured beside each other (`tests/bench/runs/2026-11-29/tantivy.md`): its commit for one saved file costs 13 to 33 ms
//! of CPU and is found after 50 ms and more, ours after 2 to 5; an open writer takes 10 MB, it brings 48 packages, and its own
//! score ranks 0.18 lower. It starts from disk in 1 ms where ours takes 0.2 s at 10,000 files, in a third of the memory.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::file_content::{FIELDS, FileContent};
use crate::graph::ImportGraph;
use crate::layer::Layer;
use crate::path_class::PathClass;

/// Limits of one index. Files beyond them are counted, and left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentLimits {
    /// Files that it holds.
    pub files: usize,
    /// Text that it holds, in bytes.
    pub bytes: u64,
}

impl Default for ContentLimits {
    /// 200,000 files, more than nearly all trees have. The index took 0.28 of its text in memory over 18 repositories, so that
    /// 1 GiB of text takes 0.3.
    fn default() -> Self {
        Self { files: 200_000, bytes: 1 << 30 }
    }
}

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
    /// Files of the root that were left out because the index is full, or their texts.
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
    /// Files whose texts were left out because the index was full.
    left_out: usize,
}

/// The words of one root's files. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct ContentIndex {
    /// The large ones first.
    pub(crate) parts: Arc<[ContentPart]>,
    pub(crate) totals: Totals,
    limits: ContentLimits,
    /// Files to read.
    total: usize,
    /// Files of the root beyond the limit.
    outside: usize,
    graph: Arc<OnceLock<ImportGraph>>,
}

impl ContentIndex {
    /// Sets the limits on a copy and returns it. They apply to later changes.
    #[must_use]
    pub fn with_limits(&self, limits: ContentLimits) -> Self {
        Self { limits, ..self.clone() }
    }

    /// Returns the limits.
    pub fn limits(&self) -> ContentLimits {
        self.limits
    }

    /// Applies changes to a copy and returns it. Files beyond the limit are left out, and texts beyond that of bytes.
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
        let mut kept: Vec<FileContent> = Vec::with_capacity(new.len());
        for mut file in new.into_values() {
            if files >= self.limits.files {
                continue;
            }
            if bytes + file.text_bytes() > self.limits.bytes {
                // With its stamp it is not read again and again.
                file = FileContent::without_text(&file.path, file.stamp);
            }
            files += 1;
            bytes += file.text_bytes();
            kept.push(file);
        }
        if !kept.is_empty() {
            parts.push(ContentPart::new(Layer::build(&kept)));
        }
        self.with_parts(merge_neighbours(parts))
    }

    pub(crate) fn from_parts(parts: Vec<ContentPart>) -> Self {
        Self::default().with_parts(parts)
    }

    fn with_parts(&self, parts: Vec<ContentPart>) -> Self {
        Self { totals: sum_totals(&parts), parts: parts.into(), graph: Arc::default(), ..*self }
    }

    /// Sets the number of files that the root has on a copy and returns it. Those beyond the limit are left out.
    #[must_use]
    pub fn with_total(&self, total: usize) -> Self {
        let outside = total.saturating_sub(self.limits.files);
        Self { total: total - outside, outside, ..self.clone() }
    }

    /// Returns the number of files that the root has, as far as it is known.
    pub fn total_in_root(&self) -> usize {
        self.progress().1 + self.outside
    }

    /// Returns the number of files of the root that were left out because the index is full, or whose texts were.
    pub fn left_out(&self) -> usize {
        self.outside + self.totals.left_out
    }

    /// Returns the bytes of text that still fit.
    pub fn free_bytes(&self) -> u64 {
        self.limits.bytes.saturating_sub(self.totals.text_bytes)
    }

    /// Returns the bytes of a file's text in the index.
    pub fn text_bytes(&self, path: &str) -> u64 {
        let of_part = |part: &ContentPart| {
            part.layer.find(path).filter(|&file| part.is_live(file)).map(|file| part.layer.text_bytes(file))
        };
        self.parts.iter().find_map(of_part).unwrap_or(0)
    }

    /// Merges all layers into one, which is searched faster than several: for when all files were read.
    #[must_use]
    pub fn compact(&self) -> Self {
        if self.parts.len() < 2 && self.parts.iter().all(|part| part.dead_count == 0) {
            return self.clone();
        }
        self.with_parts(vec![merge(&self.parts)])
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
            left_out: self.left_out(),
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
            totals.text_bytes += part.layer.text_bytes(file);
            totals.left_out += usize::from(part.layer.class(file).has(PathClass::TEXT_LEFT_OUT));
            for (sum, lengths) in totals.lengths.iter_mut().zip(&part.layer.lengths) {
                *sum += lengths[part.layer.texts_of(file)].iter().map(|&length| u64::from(length)).sum::<u64>();
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
