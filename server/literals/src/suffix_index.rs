//! `SuffixIndex`: finds files and directories by the last segments of their path.
//!
//! Resolvers use it where the directory that a path starts in is unknown: it says whether any directory of the tree would
//! make the path resolve.

use crate::project::Project;
use crate::project_index::ProjectIndex;
use rustc_hash::FxHashMap;

/// The files and directories of a tree by their last segment.
pub(crate) struct SuffixIndex {
    /// For each name: the index of a listed file, and the byte at which the entry's path ends in the file's path. The entry
    /// is the file itself or a directory above it.
    by_name: FxHashMap<String, Vec<(u32, u32)>>,
}

impl ProjectIndex for SuffixIndex {
    fn build(project: &Project) -> Self {
        Self::new(project.tree().files())
    }
}

impl SuffixIndex {
    /// Indexes the sorted paths of all files.
    pub(crate) fn new(files: &[String]) -> Self {
        let mut by_name: FxHashMap<String, Vec<(u32, u32)>> = FxHashMap::default();
        let mut before = "";
        for (index, path) in files.iter().enumerate() {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            for end in ends {
                // A directory is entered once: with the first file below it.
                let known = end < path.len() && before.get(..=end) == path.get(..=end);
                if !known {
                    let name = path[..end].rsplit('/').next().unwrap_or_default();
                    by_name.entry(name.to_owned()).or_default().push((index as u32, end as u32));
                }
            }
            before = path;
        }
        Self { by_name }
    }

    /// Returns the first path that ends in the segments of `suffix`.
    pub(crate) fn find<'f>(&self, files: &'f [String], suffix: &str) -> Option<&'f str> {
        self.find_all(files, suffix).next()
    }

    /// Returns every path that ends in the segments of `suffix`, in order.
    pub(crate) fn find_all<'f>(&self, files: &'f [String], suffix: &str) -> impl Iterator<Item = &'f str> {
        let name = suffix.rsplit('/').next().unwrap_or(suffix);
        self.by_name.get(name).into_iter().flatten().filter_map(move |&(index, end)| {
            let path = files.get(index as usize)?.get(..end as usize)?;
            let before = path.strip_suffix(suffix)?;
            (before.is_empty() || before.ends_with('/')).then_some(path)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::SuffixIndex;

    #[test]
    fn finds_paths_by_suffix() {
        let files: Vec<String> = ["a/b/c.h", "a/b/d.h", "a/bc/c.h", "c.h"].map(str::to_owned).into();
        let index = SuffixIndex::new(&files);
        let check = |suffix: &str, expect: Option<&str>| assert_eq!(index.find(&files, suffix), expect, "{suffix}");
        check("c.h", Some("a/b/c.h"));
        check("b/d.h", Some("a/b/d.h"));
        check("bc", Some("a/bc"));
        check("a/b", Some("a/b"));
        check("b", Some("a/b"));
        check("x/c.h", None);
        check("bc/d.h", None);
        check("", None);
    }
}
