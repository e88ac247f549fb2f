//! Matches glob patterns in literals against the files of a tree.

use globset::{GlobBuilder, GlobMatcher};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use crate::project::Project;
use crate::project_index::ProjectIndex;

/// Returns whether a text has glob characters.
pub fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Patterns that were compiled, which takes longer than matching. The packages of a repository have the same ones, each below its own
/// directory.
#[derive(Default)]
struct Matchers(RwLock<FxHashMap<String, GlobMatcher>>);

impl ProjectIndex for Matchers {
    fn build(_: &Project) -> Self {
        Self::default()
    }
}

impl Matchers {
    /// A compiled pattern has some tens of kilobytes, and most projects have fewer than a hundred.
    const MAX_PATTERNS: usize = 512;

    fn get(&self, pattern: &str) -> Result<GlobMatcher, globset::Error> {
        if let Some(known) = self.0.read().get(pattern) {
            return Ok(known.clone());
        }
        let matcher = GlobBuilder::new(pattern).literal_separator(true).build()?.compile_matcher();
        let mut all = self.0.write();
        if all.len() < Self::MAX_PATTERNS {
            all.insert(pattern.to_owned(), matcher.clone());
        }
        Ok(matcher)
    }
}

/// Returns the first file or directory that a pattern (relative to the root) matches.
///
/// # Errors
///
/// Fails if the pattern is invalid.
pub fn first_match(project: &Project, pattern: &str) -> Result<Option<String>, globset::Error> {
    let pattern = pattern.trim_end_matches('/');
    // The part before the first glob character is literal, so only files below it can match.
    let fixed = pattern.find(['*', '?', '[', '{', '}', '\\']).unwrap_or(pattern.len());
    let below = pattern[..fixed].rfind('/').map_or(0, |at| at + 1);
    let (directory, pattern) = pattern.split_at(below);
    let glob = project.index::<Matchers>().get(pattern)?;
    let files = project.tree().files();
    let from = files.partition_point(|path| path.as_str() < directory);
    let mut before = "";
    for path in files[from..].iter().map_while(|path| path.strip_prefix(directory)) {
        // The directories of the path before did not match.
        let shared = path.bytes().zip(before.bytes()).take_while(|(one, other)| one == other).count();
        before = path;
        // The listing has files only: a directory exists if a file is below it.
        let directories = path.rmatch_indices('/').map(|(end, _)| end).take_while(|end| *end >= shared);
        if let Some(end) = std::iter::once(path.len()).chain(directories).find(|end| glob.is_match(&path[..*end])) {
            return Ok(Some(format!("{directory}{}", &path[..end])));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::first_match;
    use crate::project::Project;
    use crate::testing::MemoryTree;

    #[test]
    fn finds_the_first_match() {
        let project = Project::new(Arc::new(MemoryTree::new("a/b/c.ts\na/b.x/d.ts\na/e.js\nab/b/f.ts\ng}h/i.ts")), &[]);
        let check = |pattern: &str, expect: Option<&str>| {
            // The second one finds what the first has compiled.
            for _ in 0..2 {
                let found = first_match(&project, pattern).map_err(|_| ());
                assert_eq!(found, Ok(expect.map(str::to_owned)), "{pattern}");
            }
        };
        check("a/**/*.ts", Some("a/b.x/d.ts"));
        check("ab/**/*.ts", Some("ab/b/f.ts"));
        check("a/b/**/*.ts", Some("a/b/c.ts"));
        check("a/**", Some("a/b.x/d.ts"));
        check("a/*", Some("a/b.x"));
        check("a/?", Some("a/b"));
        check("a/*/", Some("a/b.x"));
        check("*", Some("a"));
        check("**/b", Some("a/b"));
        check("{ab,x}/b", Some("ab/b"));
        check("a/*.css", None);
        check("gone/**", None);
        assert!(first_match(&project, "g}h/*.ts").is_err(), "a brace that closes nothing");
        assert!(first_match(&project, "a/{b").is_err(), "a brace that nothing closes");
    }
}
