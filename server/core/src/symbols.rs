//! `Symbols`: an index of what files declare (types, functions, headings, tables …), searched by name. Used by `find`.
//!
//! Core reads no files: the `server` package reads declarations and applies them as changes. `Symbols` is immutable; a
//! change makes a new value that shares layers with the old one, like a [`Snapshot`](crate::index::Snapshot). Layers
//! are merged whenever one is at most twice as large as the next. So a background build costs each file a few merges,
//! and a saved file only the small layers.

mod image;
mod kind;
mod layer;
mod search;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use kind::SymbolKind;
use layer::{FileSymbols, SymbolLayer};

use crate::index::bit_set::BitSet;

/// Most locations per look-up: a name with more declarations does not distinguish them.
pub const LOCATIONS_MAX: usize = 256;

/// One declaration in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    /// The name as the file spells it, without its container.
    pub name: Box<str>,
    /// The kind of declaration.
    pub kind: SymbolKind,
    /// Line, counted from 1.
    pub line: u32,
}

/// One declaration, borrowed from the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolRef<'s> {
    /// The name as the file spells it.
    pub name: &'s str,
    /// The kind of declaration.
    pub kind: SymbolKind,
    /// Line, counted from 1.
    pub line: u32,
}

/// A declaration and its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolLocation<'s> {
    /// The file, relative to the root.
    pub file: &'s str,
    /// The declaration.
    pub symbol: SymbolRef<'s>,
}

/// A change of one file or directory. Lists of changes apply in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolChange {
    /// The file was read, and declares this and nothing else.
    Read {
        /// The file, relative to the root.
        file: Box<str>,
        /// The reader's version of the contents; opaque to this module.
        stamp: u64,
        /// Its declarations, in any order.
        symbols: Vec<Symbol>,
    },
    /// The file is gone, or the directory with everything below it.
    Removed(Box<str>),
}

/// Counts and sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolStats {
    /// Files that were read.
    pub files: usize,
    /// Their declarations.
    pub symbols: usize,
    /// Different names among these.
    pub names: usize,
    /// Memory held, in bytes.
    pub bytes: usize,
}

/// The declarations of one root's files, as far as they were read. Immutable, and cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The large ones first.
    parts: Arc<[SymbolPart]>,
    /// Files to read.
    total: usize,
}

/// A layer, and the set of its files that are dead.
#[derive(Clone, Debug)]
struct SymbolPart {
    layer: Arc<SymbolLayer>,
    dead: BitSet,
}

impl SymbolPart {
    fn new(files: &[FileSymbols<'_>]) -> Self {
        Self { layer: Arc::new(SymbolLayer::build(files)), dead: BitSet::default() }
    }

    /// Cost of building it anew.
    fn weight(&self) -> usize {
        self.layer.file_count() + self.layer.symbol_count()
    }

    fn live_files(&self) -> usize {
        self.layer.file_count() - self.dead.count
    }

    /// Marks a file, or all files below a directory, as dead.
    fn remove(&mut self, path: &str) {
        let size = self.layer.file_count() as u32;
        for file in self.layer.files_at(path) {
            self.dead.set(file, true, size);
        }
    }

    fn live_numbers(&self) -> impl Iterator<Item = (&SymbolLayer, u32)> {
        let files = (0..self.layer.file_count() as u32).filter(|&file| !self.dead.get(file));
        files.map(|file| (&*self.layer, file))
    }

    /// Returns the declarations of its live files.
    fn live_declarations(&self) -> impl Iterator<Item = FileSymbols<'_>> {
        self.live_numbers().map(|(layer, file)| layer.declares(file))
    }
}

impl Symbols {
    /// Applies changes to a copy and returns it.
    #[must_use]
    pub fn apply(&self, changes: &[SymbolChange]) -> Self {
        let mut parts = self.parts.to_vec();
        let mut new: BTreeMap<&str, FileSymbols<'_>> = BTreeMap::new();
        for change in changes {
            match change {
                SymbolChange::Read { file, stamp, symbols } => {
                    new.insert(file, FileSymbols::new(file, *stamp, symbols));
                }
                SymbolChange::Removed(path) => {
                    let below = |file: &str| file.strip_prefix(&**path).is_some_and(|rest| rest.starts_with('/'));
                    new.retain(|file, _| *file != &**path && !below(file));
                    remove_path(&mut parts, path);
                }
            }
        }
        for file in new.keys() {
            remove_path(&mut parts, file);
        }
        if !new.is_empty() {
            parts.push(SymbolPart::new(&new.into_values().collect::<Vec<_>>()));
        }
        Self { parts: merge_neighbours(parts).into(), total: self.total }
    }

    /// Sets the number of files to read on a copy and returns it.
    #[must_use]
    pub fn with_total(&self, total: usize) -> Self {
        Self { parts: Arc::clone(&self.parts), total }
    }

    /// Merges all layers into one, which is searched faster than several: for when all files were read.
    #[must_use]
    pub fn compact(&self) -> Self {
        if self.parts.len() < 2 && self.parts.iter().all(|part| part.dead.count == 0) {
            return self.clone();
        }
        Self { parts: Arc::new([merge(&self.parts)]), total: self.total }
    }

    /// Returns the number of files that were read, and the total.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.parts.iter().map(SymbolPart::live_files).sum();
        (done, self.total.max(done))
    }

    /// Returns the stamp with which a file was read; `None` if it was not.
    pub fn stamp(&self, file: &str) -> Option<u64> {
        self.find(file).map(|(layer, number)| layer.stamp(number))
    }

    /// Returns a file's declarations by line.
    pub fn in_file(&self, file: &str) -> Vec<SymbolRef<'_>> {
        self.find(file).map_or_else(Vec::new, |(layer, number)| layer.declares(number).symbols)
    }

    /// Returns those of a file's declarations, by line, whose line and name (in bytes) `is_wanted` accepts. Names are decoded for
    /// these alone.
    pub fn wanted_in_file(
        &self,
        file: &str,
        is_wanted: impl FnMut(u32, &[u8]) -> bool,
    ) -> impl Iterator<Item = SymbolRef<'_>> {
        let found = self.find(file).map(|(layer, number)| layer.declares_wanted(number, is_wanted));
        found.into_iter().flatten()
    }

    /// Returns the files that were read, each with its stamp, in no order.
    pub fn stamps(&self) -> impl Iterator<Item = (&str, u64)> {
        self.parts.iter().flat_map(SymbolPart::live_numbers).map(|(layer, file)| (layer.file(file), layer.stamp(file)))
    }

    /// Returns every declaration, in no order.
    pub fn locations(&self) -> impl Iterator<Item = SymbolLocation<'_>> {
        let all = self.parts.iter().flat_map(SymbolPart::live_declarations);
        all.flat_map(|FileSymbols { file, symbols, .. }| {
            symbols.into_iter().map(move |symbol| SymbolLocation { file, symbol })
        })
    }

    /// Counts and sizes.
    pub fn stats(&self) -> SymbolStats {
        let mut stats = SymbolStats { files: self.progress().0, ..SymbolStats::default() };
        for part in &*self.parts {
            stats.symbols += part.layer.symbol_count();
            stats.names += part.layer.name_count();
            stats.bytes += part.layer.memory();
        }
        stats
    }

    fn find(&self, file: &str) -> Option<(&SymbolLayer, u32)> {
        self.parts.iter().find_map(|part| {
            let number = part.layer.find(file)?;
            (!part.dead.get(number)).then_some((&*part.layer, number))
        })
    }
}

/// Marks a file, or all files below a directory, as dead in all parts.
fn remove_path(parts: &mut [SymbolPart], path: &str) {
    for part in parts {
        part.remove(path);
    }
}

/// Merges neighbours until each part is more than twice as large as the next. So each file is rebuilt only a few times,
/// however many changes come, and there are only a few parts.
fn merge_neighbours(mut parts: Vec<SymbolPart>) -> Vec<SymbolPart> {
    parts.retain(|part| part.live_files() > 0);
    for part in &mut parts {
        if part.dead.count * 2 > part.layer.file_count() {
            *part = merge(std::slice::from_ref(part));
        }
    }
    let mut settled: Vec<SymbolPart> = Vec::with_capacity(parts.len());
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
fn merge(parts: &[SymbolPart]) -> SymbolPart {
    let mut files: Vec<FileSymbols<'_>> = parts.iter().flat_map(SymbolPart::live_declarations).collect();
    files.sort_unstable_by_key(|declares| declares.file);
    SymbolPart::new(&files)
}

#[cfg(test)]
mod tests;
