//! `DirectoryEntries`: which include directories of a build have an entry of a name. `BuildFiles` asks it before it looks for an include in
//! each of them: most includes are headers of the system, and in none.

use pathfinder_literals::Tree;
use rustc_hash::FxHashMap;

/// The positions of directories by the names of their entries.
pub(super) struct DirectoryEntries {
    /// The names are in lower case: some file systems do not distinguish it.
    by_name: FxHashMap<String, Vec<usize>>,
    /// Those with a name that file systems compare in other ways.
    unsure: Vec<usize>,
    count: usize,
}

impl DirectoryEntries {
    pub(super) fn new(tree: &dyn Tree, directories: &[String]) -> Self {
        let mut entries = Self { by_name: FxHashMap::default(), unsure: Vec::new(), count: directories.len() };
        for (at, directory) in directories.iter().enumerate() {
            let names = tree.names(directory);
            if names.is_empty() || !names.iter().all(|name| name.is_ascii()) {
                entries.unsure.push(at);
            }
            for name in names.iter() {
                let all = entries.by_name.entry(name.to_ascii_lowercase()).or_default();
                if all.last() != Some(&at) {
                    all.push(at);
                }
            }
        }
        entries
    }

    /// The positions of the directories that can have a path below them, in order.
    pub(super) fn directories_with(&self, path: &str) -> impl Iterator<Item = usize> {
        let first = path.split('/').next().unwrap_or_default();
        // Windows has other names for one entry.
        let is_plain = cfg!(unix) && first.is_ascii() && !matches!(first, "" | "." | "..");
        let named = self.by_name.get(&first.to_ascii_lowercase()).filter(|_| is_plain);
        let mut all: Vec<usize> = if is_plain {
            named.into_iter().flatten().chain(&self.unsure).copied().collect()
        } else {
            (0..self.count).collect()
        };
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::DirectoryEntries;
    use crate::testing::MemoryTree;

    #[test]
    #[cfg_attr(windows, ignore = "Windows has other names for one entry, so that every directory can have it")]
    fn knows_the_directories_with_a_name() {
        let tree = MemoryTree::new("a/x.h\na/lib/y.h\nb/X.h\nc/é.h\nd/z.h");
        let directories = ["a", "b", "c", "d", "gone"].map(str::to_owned);
        let entries = DirectoryEntries::new(&tree, &directories);
        let check = |path: &str, expect: &[usize]| {
            assert_eq!(entries.directories_with(path).collect::<Vec<_>>(), expect, "{path}");
        };
        check("x.h", &[0, 1, 2, 4]);
        check("lib/gone.h", &[0, 2, 4]);
        check("vector", &[2, 4]);
        check("é.h", &[0, 1, 2, 3, 4]);
        check("../x.h", &[0, 1, 2, 3, 4]);
        check("./x.h", &[0, 1, 2, 3, 4]);
    }
}
