//! Whether the project's ignore rules cover a path that need not be there: what a build would make.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::git::{self, DOT_GIT, GitDir};
use super::walk::add_file;

/// Files with rules, the later ones winning over those before.
const FILES: [&str; 2] = [".gitignore", ".ignore"];

/// Segments of a path that rules are held against, from the root on. Each is held against every rule, so that the time is
/// their number times the length of the path. No system opens a path of more than 4,096 bytes by its name, and trees that
/// people make have some twenty levels.
const MAX_SEGMENTS: usize = 256;

/// The ignore rules of one root, each file read once.
#[derive(Debug)]
pub(crate) struct Ignores {
    root: PathBuf,
    exclude: Option<Arc<Gitignore>>,
    /// Directories that were asked for, relative to the root: all that are there, and of the others those in which a path
    /// was asked for.
    directories: RwLock<HashMap<String, DirectoryVerdict>>,
}

/// The ignore rules' verdict on a directory and on its entries.
#[derive(Clone, Debug)]
struct DirectoryVerdict {
    /// The rules cover it, or a directory above it.
    is_covered: bool,
    /// It is on disk, so that rules can be in it.
    is_there: bool,
    /// The rules of it and of the directories above it, the nearest first.
    rules: Arc<[Arc<Gitignore>]>,
}

impl Ignores {
    /// The rules of a root (canonical). Only git's private ones and those of the root and above it are read yet.
    pub(crate) fn new(root: &Path) -> Self {
        // The worktree around the root, or the root itself: rules from further up do not count.
        let top = git::worktree_top(root).unwrap_or(root);
        let exclude = GitDir::from_worktree(top).map(|git| git.exclude_path()).filter(|path| path.is_file());
        let exclude = exclude.and_then(|path| read_rules(top, &[path]));
        let above = root.ancestors().take_while(|above| above.starts_with(top));
        let base =
            DirectoryVerdict { is_covered: false, is_there: true, rules: above.filter_map(read_rules_in).collect() };
        let directories = RwLock::new(HashMap::from([(String::new(), base)]));
        Self { root: root.to_path_buf(), exclude, directories }
    }

    /// Whether a path (relative to the root, `/` between segments) would be ignored if it were there. Of a path of more than
    /// [`MAX_SEGMENTS`] it says whether the directory is ignored in which so many of them end.
    pub(crate) fn cover(&self, path: &str) -> bool {
        if path.split('/').any(|segment| segment == DOT_GIT) {
            return true;
        }
        let path = path.match_indices('/').nth(MAX_SEGMENTS - 1).map_or(path, |(at, _)| &path[..at]);
        let directory = self.directory(path.rsplit_once('/').map_or("", |(parent, _)| parent));
        // A path that does not exist could be either, a file or a directory.
        directory.is_covered
            || self.is_hidden(&directory.rules, path, true)
            || self.is_hidden(&directory.rules, path, false)
    }

    /// The verdict on a directory. Each segment of its path is examined once.
    fn directory(&self, path: &str) -> DirectoryVerdict {
        let known = self.directories.read().unwrap_or_else(PoisonError::into_inner);
        let ends = || std::iter::once(path.len()).chain(path.rmatch_indices('/').map(|(at, _)| at));
        let (mut end, mut directory) = ends()
            .find_map(|end| Some((end, known.get(&path[..end])?.clone())))
            .unwrap_or_else(|| (0, known[""].clone()));
        drop(known);
        while end < path.len() {
            let from = if end == 0 { 0 } else { end + 1 };
            end = path[from..].find('/').map_or(path.len(), |at| from + at);
            let at = &path[..end];
            directory.is_covered = directory.is_covered || self.is_hidden(&directory.rules, at, true);
            let full = self.root.join(at);
            // In what is not there are no rules, and nothing that could have any.
            directory.is_there = directory.is_there && full.is_dir();
            if let Some(own) = directory.is_there.then(|| read_rules_in(&full)).flatten() {
                directory.rules = std::iter::once(own).chain(directory.rules.iter().cloned()).collect();
            }
            if directory.is_there || end == path.len() {
                let mut known = self.directories.write().unwrap_or_else(PoisonError::into_inner);
                known.insert(at.to_owned(), directory.clone());
            }
        }
        directory
    }

    /// Whether the rules that apply to one entry hide it: the nearest file that says anything decides.
    fn is_hidden(&self, rules: &[Arc<Gitignore>], path: &str, is_directory: bool) -> bool {
        if rules.is_empty() && self.exclude.is_none() {
            return false;
        }
        let path = self.root.join(path);
        for rules in rules {
            match rules.matched(&path, is_directory) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        self.exclude.as_ref().is_some_and(|rules| rules.matched(&path, is_directory).is_ignore())
    }
}

/// The rules in a directory, if there are any.
fn read_rules_in(directory: &Path) -> Option<Arc<Gitignore>> {
    let files: Vec<PathBuf> = FILES.iter().map(|name| directory.join(name)).filter(|path| path.is_file()).collect();
    if files.is_empty() { None } else { read_rules(directory, &files) }
}

/// The rules in these files; `None` where there are none.
fn read_rules(directory: &Path, files: &[PathBuf]) -> Option<Arc<Gitignore>> {
    let mut builder = GitignoreBuilder::new(directory);
    for file in files {
        add_file(&mut builder, file);
    }
    builder.build().ok().filter(|rules| !rules.is_empty()).map(Arc::new)
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Ignores, MAX_SEGMENTS};
    use crate::os::tests::tree::TestTree;

    #[test]
    fn what_need_not_be_there() {
        let tree = TestTree::new(
            "$ git init -q
             .gitignore: dist/\\n*.log\\n/out\\nbuild
             web/.gitignore: !keep.log\\ngen/*\\n!gen/kept
             .git/info/exclude: private",
        );
        let ignores = Ignores::new(&tree.path(""));
        for path in [
            "dist",
            "dist/a.js",
            "web/dist/a.js",
            "a.log",
            "out/x",
            "web/a.log",
            "web/gen/a",
            "build/a",
            "private",
            ".git/x",
        ] {
            assert!(ignores.cover(path), "{path}");
        }
        for path in ["src/a.js", "web/keep.log", "web/out/x", "web/gen/kept", "distance", "a.log.txt"] {
            assert!(!ignores.cover(path), "{path}");
        }
    }

    /// However long a path is, it is held against the rules a bounded number of times.
    #[test]
    fn long_paths() {
        let tree = TestTree::new("$ git init -q\n.gitignore: dist/\\n*.log\nd/a");
        let ignores = Ignores::new(&tree.path(""));
        let long = "d/".repeat(20_000);
        assert!(ignores.cover(&format!("d/dist/{long}a")) && ignores.cover(&format!("{}x.log", "d/".repeat(200))));
        assert!(!ignores.cover(&format!("{long}x.log")) && !ignores.cover(&format!("{long}a")));
        let known = ignores.directories.read().expect("no panic");
        let longest = known.keys().map(String::len).max();
        assert!(known.len() < 10 && longest < Some(3 * MAX_SEGMENTS), "{known:?}");
    }

    /// Rules above the root count where git would apply them.
    #[test]
    fn a_root_below_the_top() {
        let tree = TestTree::new("$ git init -q\n.gitignore: /pkg/dist/\npkg/a.rs");
        assert!(Ignores::new(&tree.path("pkg")).cover("dist/a"));
        assert!(!Ignores::new(&tree.path("pkg")).cover("pkg/dist/a"));
    }
}
