//! `Snapshot`: an immutable view of one root; a change makes a new one.
//!
//! Versions share a large base layer. Added entries are in a small second layer, and removed ones are marked dead. Both
//! layers have one type, so they are searched alike. When the second layer has grown, one layer is built from all live entries.

mod compare;
mod directory_lookup;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::bit_set::BitSet;
use super::change::Change;
use super::layer::{Layer, Node};
use super::package::Package;
use super::walked_entries::WalkedEntries;
use crate::probe::Kind;
use crate::words::{for_each_word, split_extension};

/// Least limit of changes beside a base before it is rebuilt. Each change rebuilds the second layer, which takes 5 ms at
/// this size.
const MIN_OVERLAY_ENTRIES: usize = 1024;
/// Divisor of the base's size that gives the limit of changes, so that rebuilding costs little per change.
const OVERLAY_SHARE_OF_BASE: usize = 64;
/// Greatest limit of changes beside a base: 6,000 changes took 35 ms, and a change should be visible within 50.
const MAX_OVERLAY_ENTRIES: usize = 4096;

/// Counts and sizes of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Files and symbolic links.
    pub files: usize,
    /// Directories, the root not counted.
    pub directories: usize,
    /// Different last segments among them.
    pub names: usize,
    /// Different words in these.
    pub words: usize,
    /// Packages named by metadata.
    pub packages: usize,
    /// Memory held, in bytes.
    pub bytes: usize,
}

/// A layer with marks for its dead entries.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) layer: Arc<Layer>,
    dead_files: BitSet,
    dead_directories: BitSet,
    /// True if all its directories exist: the dead ones are counted in the other part.
    is_complete: bool,
    /// The number of dead entries per word.
    dead_words: Arc<FxHashMap<String, u32>>,
    /// The number of dead files per extension.
    dead_extensions: Arc<FxHashMap<Vec<u8>, u32>>,
}

/// An immutable, searchable view of the entries of one root.
#[derive(Clone, Debug)]
pub struct Snapshot {
    parts: Vec<Part>,
    packages: Arc<[Package]>,
    files: usize,
    directories: usize,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self::build(&[], Vec::new())
    }
}

impl Snapshot {
    /// Builds a snapshot from the entries of walks; missing parents are added.
    pub fn build(found: &[WalkedEntries], mut packages: Vec<Package>) -> Self {
        packages.sort_unstable();
        packages.dedup();
        Self::from_layer(Arc::new(Layer::build(found)), packages)
    }

    /// A snapshot of one layer's entries. The packages must be sorted.
    pub(super) fn from_layer(layer: Arc<Layer>, packages: Vec<Package>) -> Self {
        let base = Part::new(layer);
        Self {
            files: base.layer.file_count() as usize,
            directories: base.layer.directory_count() as usize - 1,
            parts: vec![base],
            packages: packages.into(),
        }
    }

    /// A copy with one layer and no dead entries.
    pub(super) fn merge_layers(&self) -> Self {
        let base = &self.parts[0];
        if self.parts.len() == 1 && base.dead_files.count + base.dead_directories.count == 0 {
            return self.clone();
        }
        let mut found = WalkedEntries::default();
        self.parts.iter().flat_map(Part::live_entries).for_each(|(path, kind)| found.push_path(&path, kind));
        Self::build(&[found], self.packages.to_vec())
    }

    /// The snapshot after these changes, applied in order; this one does not change.
    #[must_use]
    pub fn apply(&self, changes: &[Change]) -> Self {
        let mut base = self.parts[0].clone();
        let mut added = Overlay::default();
        for part in &self.parts[1..] {
            part.live_entries().for_each(|(path, kind)| added.insert(&path, kind, &base));
        }
        for change in changes {
            match change {
                Change::Added(path, kind) => {
                    base.remove_files_above(path.as_bytes());
                    added.make_room(path.as_bytes(), *kind);
                    if base.revive(path.as_bytes(), *kind) {
                        added.entries.remove(path.as_bytes());
                    } else {
                        added.insert(path.as_bytes(), *kind, &base);
                    }
                }
                Change::Removed(path) => {
                    base.remove(path.as_bytes());
                    added.remove(path.as_bytes());
                }
            }
        }
        let gone = base.dead_files.count + base.dead_directories.count;
        let total = base.layer.file_count() as usize + base.layer.directory_count() as usize;
        let size = added.entries.len() + gone;
        let packages = self.packages.clone();
        if size > (total / OVERLAY_SHARE_OF_BASE).clamp(MIN_OVERLAY_ENTRIES, MAX_OVERLAY_ENTRIES) {
            let mut found = WalkedEntries::default();
            base.live_entries().for_each(|(path, kind)| found.push_path(&path, kind));
            added.entries.iter().for_each(|(path, &kind)| found.push_path(path, kind));
            return Self::build(&[found], packages.to_vec());
        }
        let (mut files, mut directories) = base.count();
        let mut parts = vec![base];
        if let Some(part) = added.into_part(&parts[0]) {
            let (more_files, more_directories) = part.count();
            files += more_files;
            directories += more_directories;
            parts.push(part);
        }
        Self { parts, packages, files, directories }
    }

    /// The kind of the entry at this path; `None` if there is none.
    pub fn get(&self, path: &[u8]) -> Option<Kind> {
        self.parts.iter().find_map(|part| {
            let node = part.layer.find(path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty()))?;
            part.is_live(node).then(|| part.layer.kind(node))
        })
    }

    /// Makes the next thousands of [`Self::get`] faster, for some memory.
    pub fn prepare_lookups(&self) {
        self.parts.iter().for_each(|part| part.layer.names().prepare_lookups());
    }

    /// Number of leading segments of a path that exist in the snapshot.
    pub fn depth(&self, path: &[u8]) -> usize {
        let depth = |part: &Part| {
            let way = part.layer.path_nodes(path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty()));
            let is_there = |node: &Node| {
                if node.is_directory() { part.has_directory(node.number()) } else { part.is_live(*node) }
            };
            way.take_while(is_there).count()
        };
        self.parts.iter().map(depth).max().unwrap_or(0)
    }

    /// All entries but the root, sorted by path.
    pub fn entries(&self) -> Vec<(Vec<u8>, Kind)> {
        let mut entries: Vec<_> = self.parts.iter().flat_map(Part::live_entries).collect();
        entries.sort_unstable();
        entries
    }

    /// Names of files directly in a directory, at most `limit` from each part.
    pub(crate) fn files_in(&self, directory: &[u8], limit: usize) -> Vec<&[u8]> {
        let names = self.parts.iter().filter_map(|part| {
            let segments = directory.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
            let node = part.layer.find(segments).filter(|node| node.is_directory())?;
            let files = part.layer.files_in(node.number()).map(Node::file).filter(|&node| part.is_live(node));
            Some(files.take(limit).map(|node| part.layer.names().get(part.layer.name_of(node))))
        });
        names.flatten().collect()
    }

    /// Returns the paths of at most `limit` files of each layer below a directory, in order.
    pub(crate) fn files_below(&self, directory: &[u8], limit: usize) -> Vec<Vec<u8>> {
        let paths = self.parts.iter().filter_map(|part| {
            let segments = directory.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
            let node = part.layer.find(segments).filter(|node| node.is_directory())?;
            let files = part.layer.files_below(node.number()).map(Node::file).filter(|&node| part.is_live(node));
            Some(files.take(limit).map(|node| part.layer.path(node)))
        });
        paths.flatten().collect()
    }

    /// The paths of all directories but the root, in no order.
    pub fn directories(&self) -> Vec<Vec<u8>> {
        let live = self.parts.iter().flat_map(|part| {
            let directories = (1..part.layer.directory_count()).map(Node::directory);
            directories.filter(|&node| part.is_live(node)).map(|node| part.layer.path(node))
        });
        live.collect()
    }

    /// Names and kinds of the entries directly in a directory; empty if there is no such directory.
    pub fn children(&self, directory: &[u8]) -> BTreeMap<Vec<u8>, Kind> {
        let mut children = BTreeMap::new();
        for part in &self.parts {
            let segments = directory.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
            let Some(node) = part.layer.find(segments).filter(|node| node.is_directory()) else { continue };
            let directories = part.layer.directories_in(node.number()).map(Node::directory);
            let nodes = directories.chain(part.layer.files_in(node.number()).map(Node::file));
            for node in nodes.filter(|&node| part.is_live(node)) {
                let name = part.layer.names().get(part.layer.name_of(node));
                children.insert(name.to_vec(), part.layer.kind(node));
            }
        }
        children
    }

    /// A copy with these packages.
    #[must_use]
    pub fn with_packages(&self, mut packages: Vec<Package>) -> Self {
        packages.sort_unstable();
        packages.dedup();
        Self { packages: packages.into(), ..self.clone() }
    }

    /// Counts and sizes.
    pub fn stats(&self) -> Stats {
        let sum = |count: fn(&Layer) -> usize| self.parts.iter().map(|part| count(&part.layer)).sum();
        Stats {
            files: self.files,
            directories: self.directories,
            // Without the root's empty name.
            names: sum(|layer| layer.names().len() - 1),
            words: sum(|layer| layer.words().len()),
            packages: self.packages.len(),
            bytes: sum(Layer::memory),
        }
    }

    /// Package names and their directories, sorted by name.
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The packages of this name.
    pub(crate) fn packages_named(&self, name: &str) -> &[Package] {
        let start = self.packages.partition_point(|package| package.name.as_str() < name);
        let count = self.packages[start..].iter().take_while(|package| package.name == name).count();
        &self.packages[start..start + count]
    }

    /// Number of entries with this name.
    pub(crate) fn entries_named(&self, name: &[u8]) -> usize {
        let count = |part: &Part| {
            let name = part.layer.names().find(name)?;
            let nodes = part.layer.nodes_named(name);
            let all_live = part.dead_files.count + part.dead_directories.count == 0;
            Some(if all_live { nodes.len() } else { nodes.filter(|&node| part.is_live(node)).count() })
        };
        self.parts.iter().filter_map(count).sum()
    }

    /// Returns whether an entry of this name is in a directory of that name; checks a limited number of entries.
    pub(crate) fn has_in(&self, directory: &[u8], name: &[u8]) -> bool {
        const MAX_ENTRIES_CHECKED: usize = 600;
        self.parts.iter().any(|part| {
            let layer = &part.layer;
            let (Some(directory), Some(name)) = (layer.names().find(directory), layer.names().find(name)) else {
                return false;
            };
            let inside = |node: &Node| layer.directory_name(layer.parent(*node)) == directory;
            layer.nodes_named(name).take(MAX_ENTRIES_CHECKED).any(|node| inside(&node) && part.is_live(node))
        })
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Files, without directories.
    pub(crate) fn files(&self) -> usize {
        self.files
    }

    /// Files and directories, the root not counted.
    pub(crate) fn len(&self) -> usize {
        self.files + self.directories
    }

    /// Number of entries with this word (lower case) in their own name.
    pub(crate) fn entries_with_word(&self, word: &str) -> u32 {
        self.parts.iter().map(|part| part.entries_with_word(word)).sum()
    }

    /// The share of files with an extension (lower case) on a logarithmic scale: 0 for none, 1 for all.
    pub(crate) fn extension_share(&self, extension: &[u8]) -> f32 {
        let count: u32 = self.parts.iter().map(|part| part.files_with_extension(extension)).sum();
        (count as f32).ln_1p() / (self.files as f32).ln_1p().max(1.0)
    }
}

impl Part {
    fn new(layer: Arc<Layer>) -> Self {
        Self {
            dead_files: BitSet::default(),
            dead_directories: BitSet::default(),
            is_complete: false,
            dead_words: Arc::default(),
            dead_extensions: Arc::default(),
            layer,
        }
    }

    /// Returns whether the entry exists in this version.
    pub(crate) fn is_live(&self, node: Node) -> bool {
        let dead = if node.is_directory() { &self.dead_directories } else { &self.dead_files };
        !dead.get(node.number())
    }

    /// Returns whether the directory exists in this version, even if the other part counts it.
    pub(crate) fn has_directory(&self, directory: u32) -> bool {
        self.is_complete || !self.dead_directories.get(directory)
    }

    fn entries_with_word(&self, word: &str) -> u32 {
        let Some(number) = self.layer.words().find(word.as_bytes()) else { return 0 };
        self.layer.entries_with_word(number) - self.dead_words.get(word).copied().unwrap_or(0)
    }

    fn files_with_extension(&self, extension: &[u8]) -> u32 {
        self.layer.files_with_extension(extension) - self.dead_extensions.get(extension).copied().unwrap_or(0)
    }

    /// Live files and directories, the root not counted.
    fn count(&self) -> (usize, usize) {
        let files = self.layer.file_count() as usize - self.dead_files.count;
        (files, self.layer.directory_count() as usize - 1 - self.dead_directories.count)
    }

    fn live_entries(&self) -> impl Iterator<Item = (Vec<u8>, Kind)> + '_ {
        let directories = (1..self.layer.directory_count()).map(Node::directory);
        let nodes = directories.chain((0..self.layer.file_count()).map(Node::file));
        nodes.filter(|&node| self.is_live(node)).map(|node| (self.layer.path(node), self.layer.kind(node)))
    }

    fn find(&self, path: &[u8]) -> Option<Node> {
        self.layer.find(path.split(|&byte| byte == b'/'))
    }

    /// Marks an entry, and everything below it, as dead.
    fn remove(&mut self, path: &[u8]) {
        let Some(node) = self.find(path) else { return };
        if node.is_directory() {
            let layer = Arc::clone(&self.layer);
            for directory in node.number()..layer.directories_below(node.number()).end {
                self.set_dead(Node::directory(directory), true);
            }
            for file in layer.files_below(node.number()) {
                self.set_dead(Node::file(file), true);
            }
        } else {
            self.set_dead(node, true);
        }
    }

    /// Marks a file above `path` as dead: it must be a directory for `path` to exist.
    fn remove_files_above(&mut self, path: &[u8]) {
        let mut at = path;
        while let Some(slash) = at.iter().rposition(|&byte| byte == b'/') {
            at = &at[..slash];
            if let Some(node) = self.find(at) {
                if !node.is_directory() {
                    self.set_dead(node, true);
                }
                return;
            }
        }
    }

    /// Revives an entry and its parents; false if the layer never had it with this kind.
    fn revive(&mut self, path: &[u8], kind: Kind) -> bool {
        let Some(node) = self.find(path) else { return false };
        if self.layer.kind(node) != kind {
            self.remove(path);
            return false;
        }
        let mut at = self.layer.parent(node);
        while at != 0 {
            self.set_dead(Node::directory(at), false);
            at = self.layer.parent(Node::directory(at));
        }
        self.set_dead(node, false);
        true
    }

    fn set_dead(&mut self, node: Node, dead: bool) {
        let size = if node.is_directory() { self.layer.directory_count() } else { self.layer.file_count() };
        let bits = if node.is_directory() { &mut self.dead_directories } else { &mut self.dead_files };
        if !bits.set(node.number(), dead, size) {
            return;
        }
        let count = |counts: &mut u32| *counts = if dead { *counts + 1 } else { counts.saturating_sub(1) };
        let name = self.layer.names().get(self.layer.name_of(node));
        if !node.is_directory() {
            let extension = split_extension(name).1.to_ascii_lowercase();
            count(Arc::make_mut(&mut self.dead_extensions).entry(extension).or_insert(0));
        }
        let words = Arc::make_mut(&mut self.dead_words);
        let mut seen: Vec<String> = Vec::new();
        for_each_word(name, |word| {
            if !seen.iter().any(|known| known == word) {
                seen.push(word.to_owned());
            }
        });
        for word in seen {
            count(words.entry(word).or_insert(0));
        }
    }
}

/// The entries added since the base was built.
#[derive(Default)]
struct Overlay {
    entries: BTreeMap<Vec<u8>, Kind>,
}

impl Overlay {
    /// Adds an entry, and its parents that are not alive in the base.
    fn insert(&mut self, path: &[u8], kind: Kind, base: &Part) {
        let mut at = path;
        while let Some(slash) = at.iter().rposition(|&byte| byte == b'/') {
            at = &at[..slash];
            let known = base.find(at).is_some_and(|node| node.is_directory() && base.is_live(node));
            if known || self.entries.get(at) == Some(&Kind::Directory) {
                break;
            }
            self.entries.insert(at.to_vec(), Kind::Directory);
        }
        self.entries.insert(path.to_vec(), kind);
    }

    /// Removes entries that cannot exist beside an entry of this kind: files above it, and everything below it unless it
    /// is a directory. The overlay may have either while the base revives the entry with its former kind.
    fn make_room(&mut self, path: &[u8], kind: Kind) {
        let mut at = path;
        while let Some(slash) = at.iter().rposition(|&byte| byte == b'/') {
            at = &at[..slash];
            if self.entries.get(at).is_some_and(|&kind| kind != Kind::Directory) {
                self.entries.remove(at);
            }
        }
        if kind != Kind::Directory {
            self.remove(path);
        }
    }

    fn remove(&mut self, path: &[u8]) {
        self.entries.remove(path);
        let below = [path, b"/"].concat();
        let gone = self.entries.range(below.clone()..).take_while(|(other, _)| other.starts_with(&below));
        let gone: Vec<Vec<u8>> = gone.map(|(other, _)| other.clone()).collect();
        for path in gone {
            self.entries.remove(&path);
        }
    }

    fn into_part(self, base: &Part) -> Option<Part> {
        if self.entries.is_empty() {
            return None;
        }
        let mut found = WalkedEntries::default();
        self.entries.iter().for_each(|(path, &kind)| found.push_path(path, kind));
        let mut part = Part { is_complete: true, ..Part::new(Arc::new(Layer::build(&[found]))) };
        // Parents that the base has are in this layer only for the paths; they must not be counted twice.
        for directory in 1..part.layer.directory_count() {
            let node = Node::directory(directory);
            let path = part.layer.path(node);
            if base.find(&path).is_some_and(|known| known.is_directory() && base.is_live(known)) {
                part.set_dead(node, true);
            }
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests;
