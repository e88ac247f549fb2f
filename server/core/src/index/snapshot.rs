//! `Snapshot`: an immutable view of one root, changed by making a new one.
//!
//! A large base layer is shared between versions; what was added since lies in a small second layer, what
//! is gone is marked. Both have the same shape, so searching is written once. When the second layer has
//! grown, one layer is built of what is alive.

mod compare;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::change::Change;
use super::found::Found;
use super::layer::{Layer, Node};
use super::package::Package;
use crate::probe::Kind;
use crate::words::{for_each_word, split_extension};

/// Changes kept beside a base before it is rebuilt, at least: each change builds the second layer anew, which takes 5 ms
/// when it holds as many.
const OVERLAY_MIN: usize = 1024;
/// The same as a share of the base, so that rebuilding it costs little for each change.
const OVERLAY_SHARE: usize = 64;
/// The same at most: 6,000 changes took 35 ms, and a change should be seen within 50.
const OVERLAY_MAX: usize = 4096;

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

/// A layer and which of its entries count.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) layer: Arc<Layer>,
    dead_files: Bits,
    dead_directories: Bits,
    /// All its directories exist; those that do not count are in another part too.
    complete: bool,
    /// For words of dead entries: how many entries fewer have them.
    dead_words: Arc<FxHashMap<String, u32>>,
    /// For extensions of dead files: how many files fewer have them.
    dead_extensions: Arc<FxHashMap<Vec<u8>, u32>>,
}

/// Immutable view of one root: what exists in it, searchable.
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
    /// Builds a snapshot of what walks found; parents of what they found are added.
    pub fn build(found: &[Found], mut packages: Vec<Package>) -> Self {
        packages.sort_unstable();
        packages.dedup();
        Self::of_layer(Arc::new(Layer::build(found)), packages)
    }

    /// A snapshot of what one layer holds. The packages are sorted.
    pub(super) fn of_layer(layer: Arc<Layer>, packages: Vec<Package>) -> Self {
        let base = Part::new(layer);
        Self {
            files: base.layer.file_count() as usize,
            directories: base.layer.directory_count() as usize - 1,
            parts: vec![base],
            packages: packages.into(),
        }
    }

    /// The same in one layer in which nothing is gone.
    pub(super) fn in_one_layer(&self) -> Self {
        let base = &self.parts[0];
        if self.parts.len() == 1 && base.dead_files.count + base.dead_directories.count == 0 {
            return self.clone();
        }
        let mut found = Found::default();
        self.parts.iter().flat_map(Part::live).for_each(|(path, kind)| found.push_path(&path, kind));
        Self::build(&[found], self.packages.to_vec())
    }

    /// The snapshot after these changes, which are applied in order; this one stays as it is.
    #[must_use]
    pub fn apply(&self, changes: &[Change]) -> Self {
        let mut base = self.parts[0].clone();
        let mut added = Overlay::default();
        for part in &self.parts[1..] {
            part.live().for_each(|(path, kind)| added.insert(&path, kind, &base));
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
        if size > (total / OVERLAY_SHARE).clamp(OVERLAY_MIN, OVERLAY_MAX) {
            let mut found = Found::default();
            base.live().for_each(|(path, kind)| found.push_path(&path, kind));
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

    /// What is at this path in the snapshot, if anything.
    pub fn get(&self, path: &[u8]) -> Option<Kind> {
        self.parts.iter().find_map(|part| {
            let node = part.layer.find(path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty()))?;
            part.is_live(node).then(|| part.layer.kind(node))
        })
    }

    /// How many segments of a path, from the root on, lead to something that is in the snapshot.
    pub fn depth(&self, path: &[u8]) -> usize {
        let depth = |part: &Part| {
            let way = part.layer.way(path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty()));
            let is_there = |node: &Node| {
                if node.is_directory() { part.has_directory(node.number()) } else { part.is_live(*node) }
            };
            way.take_while(is_there).count()
        };
        self.parts.iter().map(depth).max().unwrap_or(0)
    }

    /// All entries but the root, sorted by path.
    pub fn entries(&self) -> Vec<(Vec<u8>, Kind)> {
        let mut entries: Vec<_> = self.parts.iter().flat_map(Part::live).collect();
        entries.sort_unstable();
        entries
    }

    /// Names of files that are directly in a directory, as many as `limit` in each part.
    pub(crate) fn files_in(&self, directory: &[u8], limit: usize) -> Vec<&[u8]> {
        let names = self.parts.iter().filter_map(|part| {
            let segments = directory.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
            let node = part.layer.find(segments).filter(|node| node.is_directory())?;
            let files = part.layer.files_in(node.number()).map(Node::file).filter(|&node| part.is_live(node));
            Some(files.take(limit).map(|node| part.layer.names().get(part.layer.name_of(node))))
        });
        names.flatten().collect()
    }

    /// The paths of all directories but the root, in no order.
    pub fn directories(&self) -> Vec<Vec<u8>> {
        let live = self.parts.iter().flat_map(|part| {
            let directories = (1..part.layer.directory_count()).map(Node::directory);
            directories.filter(|&node| part.is_live(node)).map(|node| part.layer.path(node))
        });
        live.collect()
    }

    /// Names and kinds of what is directly in a directory; nothing if there is no such directory.
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

    /// The same tree with these packages.
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
            // The root's own name is none.
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

    /// How many entries have this name.
    pub(crate) fn entries_named(&self, name: &[u8]) -> usize {
        let count = |part: &Part| {
            let name = part.layer.names().find(name)?;
            let nodes = part.layer.nodes_named(name);
            let all_live = part.dead_files.count + part.dead_directories.count == 0;
            Some(if all_live { nodes.len() } else { nodes.filter(|&node| part.is_live(node)).count() })
        };
        self.parts.iter().filter_map(count).sum()
    }

    /// Whether an entry of this name stands in a directory of that name; of thousands of the name some are looked at.
    pub(crate) fn has_in(&self, directory: &[u8], name: &[u8]) -> bool {
        const LOOKED_AT: usize = 600;
        self.parts.iter().any(|part| {
            let layer = &part.layer;
            let (Some(directory), Some(name)) = (layer.names().find(directory), layer.names().find(name)) else {
                return false;
            };
            let inside = |node: &Node| layer.directory_name(layer.parent(*node)) == directory;
            layer.nodes_named(name).take(LOOKED_AT).any(|node| inside(&node) && part.is_live(node))
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

    /// How many entries have this word (lower case) in their own name.
    pub(crate) fn entries_with_word(&self, word: &str) -> u32 {
        self.parts.iter().map(|part| part.entries_with_word(word)).sum()
    }

    /// How usual an extension (lower case) is: 0 no file has it, 1 all have, on a logarithmic scale.
    pub(crate) fn extension_share(&self, extension: &[u8]) -> f32 {
        let count: u32 = self.parts.iter().map(|part| part.files_with_extension(extension)).sum();
        (count as f32).ln_1p() / (self.files as f32).ln_1p().max(1.0)
    }
}

impl Part {
    fn new(layer: Arc<Layer>) -> Self {
        Self {
            dead_files: Bits::default(),
            dead_directories: Bits::default(),
            complete: false,
            dead_words: Arc::default(),
            dead_extensions: Arc::default(),
            layer,
        }
    }

    /// Whether the entry exists in this version.
    pub(crate) fn is_live(&self, node: Node) -> bool {
        let dead = if node.is_directory() { &self.dead_directories } else { &self.dead_files };
        !dead.get(node.number())
    }

    /// Whether the directory exists in this version, be it that another part counts it.
    pub(crate) fn has_directory(&self, directory: u32) -> bool {
        self.complete || !self.dead_directories.get(directory)
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

    fn live(&self) -> impl Iterator<Item = (Vec<u8>, Kind)> + '_ {
        let directories = (1..self.layer.directory_count()).map(Node::directory);
        let nodes = directories.chain((0..self.layer.file_count()).map(Node::file));
        nodes.filter(|&node| self.is_live(node)).map(|node| (self.layer.path(node), self.layer.kind(node)))
    }

    fn find(&self, path: &[u8]) -> Option<Node> {
        self.layer.find(path.split(|&byte| byte == b'/'))
    }

    /// Marks an entry, and all below it, as gone.
    fn remove(&mut self, path: &[u8]) {
        let Some(node) = self.find(path) else { return };
        if node.is_directory() {
            let layer = Arc::clone(&self.layer);
            for directory in node.number()..layer.below(node.number()).end {
                self.set_dead(Node::directory(directory), true);
            }
            for file in layer.files_below(node.number()) {
                self.set_dead(Node::file(file), true);
            }
        } else {
            self.set_dead(node, true);
        }
    }

    /// Marks what is not a directory, but would have to be one for `path` to exist, as gone.
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

    /// Brings an entry back; false if the layer never had it as this kind, or it lies below something dead.
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

/// What was added since the base was built.
#[derive(Default)]
struct Overlay {
    entries: BTreeMap<Vec<u8>, Kind>,
}

impl Overlay {
    /// Adds an entry and those of its parents that the base does not have (alive).
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

    /// Takes away what cannot be there beside an entry of this kind: what is no directory above it, and what lies
    /// below it when it is none itself. Either may stand here while the base, which knew another kind, takes the
    /// entry back.
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
        let mut found = Found::default();
        self.entries.iter().for_each(|(path, &kind)| found.push_path(path, kind));
        let mut part = Part { complete: true, ..Part::new(Arc::new(Layer::build(&[found]))) };
        // Parents that the base has are in this layer only to spell paths; they must not count twice.
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
