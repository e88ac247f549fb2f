//! `BenchTree`: a tree in memory, for measurements without a disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pathfinder_literals::{Kind, Moved, Tree};
use rustc_hash::FxHashMap;

/// Files with their texts and indexes for lookups.
pub(crate) struct BenchTree {
    pub(crate) texts: BTreeMap<String, String>,
    kinds: FxHashMap<String, Kind>,
    names: FxHashMap<String, Arc<[String]>>,
    files: Vec<String>,
}

impl BenchTree {
    pub(crate) fn new(texts: BTreeMap<String, String>) -> Self {
        let mut kinds = FxHashMap::default();
        let mut names: FxHashMap<String, BTreeSet<String>> = FxHashMap::default();
        for path in texts.keys() {
            kinds.insert(path.clone(), Kind::File);
            let mut below = path.as_str();
            while !below.is_empty() {
                let (parent, name) = below.rsplit_once('/').unwrap_or(("", below));
                names.entry(parent.to_owned()).or_default().insert(name.to_owned());
                kinds.insert(parent.to_owned(), Kind::Directory);
                below = parent;
            }
        }
        let names = names.into_iter().map(|(path, names)| (path, names.into_iter().collect())).collect();
        let files = texts.keys().cloned().collect();
        Self { texts, kinds, names, files }
    }
}

impl Tree for BenchTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        self.kinds.get(path).copied()
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        self.names.get(directory).cloned().unwrap_or_default()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.texts.get(path).cloned()
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn is_ignored(&self, _path: &str) -> bool {
        false
    }

    fn is_tracked(&self, _path: &str) -> Option<bool> {
        None
    }

    fn moved(&self, _path: &str) -> Option<Moved> {
        None
    }

    fn origins(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }
}
