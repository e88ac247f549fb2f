//! `WordTable`: the words of paths as numbers, for the literals of one run. Hundreds of targets are compared for each literal, and
//! comparing numbers takes a tenth of the time of comparing strings.

use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;

use super::paths::{is_index, name, parent, without_extension, word_similarity, words};
use super::surroundings::{normalize, path_stem};

/// Maximum number of paths whose words are stored: they take some 200 bytes each.
const MAX_PATHS: usize = 1 << 16;

/// The words of one path, each list sorted.
#[derive(Debug)]
pub(super) struct PathWords {
    /// Words of its name.
    pub(super) name: Vec<u32>,
    /// If it is an index file, the words of its directory's name, by which a program refers to it.
    pub(super) directory: Option<Vec<u32>>,
    /// Words of the whole path.
    pub(super) all: Vec<u32>,
    /// The segment by which a program refers to the path, in plain form.
    pub(super) stem: String,
}

/// Numbers of words, and the words of paths that were asked for. The numbers depend on the order of the questions, so only their
/// equality says anything.
#[derive(Debug, Default)]
pub(super) struct WordTable {
    numbers: Mutex<FxHashMap<String, u32>>,
    paths: RwLock<FxHashMap<String, Arc<PathWords>>>,
}

impl PathWords {
    /// The similarity of two names: 0–1. If only one of them is that of an index file, it also stands for its directory: `a.rst` often
    /// became `a/index.rst`.
    pub(super) fn name_similarity(&self, other: &Self) -> f32 {
        let by_name = word_similarity(&self.name, &other.name);
        match (&self.directory, &other.directory) {
            (Some(directory), None) => by_name.max(word_similarity(directory, &other.name)),
            (None, Some(directory)) => by_name.max(word_similarity(&self.name, directory)),
            _ => by_name,
        }
    }
}

impl WordTable {
    /// The words of a text, sorted, each once.
    pub(super) fn words(&self, text: &str) -> Vec<u32> {
        let words = words(text);
        let mut numbers = self.numbers.lock();
        let mut all: Vec<u32> = Vec::with_capacity(words.len());
        for word in words {
            let next = numbers.len() as u32;
            all.push(*numbers.entry(word).or_insert(next));
        }
        drop(numbers);
        all.sort_unstable();
        all
    }

    /// The words of a path without its extension.
    pub(super) fn path_words(&self, path: &str) -> Arc<PathWords> {
        if let Some(known) = self.paths.read().get(path) {
            return Arc::clone(known);
        }
        let words = Arc::new(PathWords {
            name: self.words(without_extension(name(path))),
            directory: is_index(path).then(|| self.words(name(parent(path)))),
            all: self.words(without_extension(path)),
            stem: normalize(path_stem(path)),
        });
        let mut paths = self.paths.write();
        if paths.len() < MAX_PATHS {
            paths.insert(path.to_owned(), Arc::clone(&words));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::WordTable;

    #[test]
    fn numbers_words() {
        let table = WordTable::default();
        let one = table.path_words("docs/getStarted/README.md");
        assert_eq!((one.name.len(), one.all.len(), one.stem.as_str()), (1, 4, "getstarted"));
        let other = table.path_words("started/get.md");
        assert_eq!(other.all.iter().filter(|word| one.all.contains(word)).count(), 2);
        assert_eq!(table.words("docs docs"), table.words("Docs"));
        assert!(other.all.is_sorted() && one.all.is_sorted());
    }

    #[test]
    fn compares_an_index_file_by_its_directory() {
        let table = WordTable::default();
        let check = |one, other, expect: f32| {
            let (one, other) = (table.path_words(one), table.path_words(other));
            assert!((one.name_similarity(&other) - expect).abs() < 0.01, "{one:?} {other:?}");
            assert!((other.name_similarity(&one) - expect).abs() < 0.01, "{one:?} {other:?}");
        };
        check("usage/rst/domains.rst", "usage/domains/index.rst", 1.0);
        check("usage/rst/domains.rst", "usage/rst/index.rst", 0.0);
        check("src/http_bench.rs", "src/http/main.rs", 2.0 / 3.0);
        // Two index files have one name, and a root has none.
        check("a/index.rst", "b/index.rst", 1.0);
        check("a/index.rst", "a/mod.rs", 0.0);
        check("a.rst", "index.rst", 0.0);
    }
}
