//! `ImportGraph`: which files of an index import which, by the last component of what they import.

use rustc_hash::FxHashMap;

use crate::index::ContentPart;

/// A name that more files have than this says nothing.
const MAX_TARGETS: usize = 3;
/// Probability of following an import rather than beginning anew, the usual value of `PageRank`.
const DAMPING: f32 = 0.85;
/// Rounds of `PageRank`. Not tuned: the difference to the limit shrinks by [`DAMPING`] in each.
const ROUNDS: usize = 15;

/// Importance of each file by what imports it. Files are numbered over all parts, the dead ones included.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportGraph {
    /// Start of each file's importers, and their number.
    starts: Vec<u32>,
    importers: Vec<u32>,
    /// Start of the files that each file imports, and their number.
    imported_starts: Vec<u32>,
    imported: Vec<u32>,
    /// ln(1 + importers) / the largest.
    pub(crate) in_degrees: Vec<f32>,
    /// `PageRank` / the largest.
    pub(crate) ranks: Vec<f32>,
}

impl ImportGraph {
    /// Resolves imports to files whose stem, or whose directory if they stand for it, has the imported name.
    pub(crate) fn build(parts: &[ContentPart]) -> Self {
        let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        let mut count = 0_u32;
        for part in parts {
            for file in part.live_files() {
                if let Some(name) = imported_as(part.layer.path(file)) {
                    by_name.entry(name).or_default().push(count + file);
                }
            }
            count += part.layer.file_count() as u32;
        }
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut base = 0;
        for part in parts {
            for file in part.live_files() {
                let from = base + file;
                for name in part.layer.imports.text(file as usize).lines() {
                    let Some(targets) = by_name.get(name).filter(|targets| targets.len() <= MAX_TARGETS) else {
                        continue;
                    };
                    edges.extend(targets.iter().filter(|&&target| target != from).map(|&target| (target, from)));
                }
            }
            base += part.layer.file_count() as u32;
        }
        edges.sort_unstable();
        edges.dedup();
        Self::from_edges(count as usize, &edges)
    }

    fn from_edges(count: usize, edges: &[(u32, u32)]) -> Self {
        let (starts, importers) = group(count, edges);
        let mut reversed: Vec<(u32, u32)> = edges.iter().map(|&(target, from)| (from, target)).collect();
        reversed.sort_unstable();
        let (imported_starts, imported) = group(count, &reversed);
        let mut ranks = vec![1.0_f32; count];
        for _ in 0..ROUNDS {
            let mut next = vec![1.0 - DAMPING; count];
            for &(target, from) in edges {
                next[target as usize] += DAMPING * ranks[from as usize]
                    / (imported_starts[from as usize + 1] - imported_starts[from as usize]) as f32;
            }
            ranks = next;
        }
        let in_degrees = (0..count).map(|file| (1.0 + (starts[file + 1] - starts[file]) as f32).ln()).collect();
        Self {
            starts,
            importers,
            imported_starts,
            imported,
            in_degrees: normalise(in_degrees),
            ranks: normalise(ranks),
        }
    }

    /// Returns the files that a file imports.
    pub(crate) fn imported_by(&self, file: u32) -> &[u32] {
        &self.imported[self.imported_starts[file as usize] as usize..self.imported_starts[file as usize + 1] as usize]
    }

    /// Returns the files that import a file.
    pub(crate) fn importers_of(&self, file: u32) -> &[u32] {
        &self.importers[self.starts[file as usize] as usize..self.starts[file as usize + 1] as usize]
    }
}

/// Groups sorted pairs by their first number: the start of each group, and the second numbers.
fn group(count: usize, pairs: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = Vec::with_capacity(count + 1);
    let mut at = 0;
    for key in 0..count as u32 {
        starts.push(at as u32);
        at += pairs[at..].iter().take_while(|pair| pair.0 == key).count();
    }
    starts.push(at as u32);
    (starts, pairs.iter().map(|pair| pair.1).collect())
}

fn normalise(mut values: Vec<f32>) -> Vec<f32> {
    let largest = values.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    for value in &mut values {
        *value /= largest;
    }
    values
}

/// Returns the name by which others import a file.
fn imported_as(path: &str) -> Option<String> {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().filter(|stem| !stem.is_empty())?;
    let is_index = matches!(stem, "index" | "mod" | "__init__" | "lib" | "init");
    let name = if is_index && !directories.is_empty() { directories.rsplit('/').next()? } else { stem };
    Some(name.to_lowercase())
}
