//! Whether the project's ignore rules cover a path that need not be there: what a build would make.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::git::{self, DOT_GIT, GitDir};

/// Files with rules, the later ones winning over those before.
const FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The ignore rules of one root, each file read once.
#[derive(Debug)]
pub(crate) struct Ignores {
    root: PathBuf,
    /// The worktree around the root, or the root itself: rules from further up do not count.
    top: PathBuf,
    exclude: Option<Arc<Gitignore>>,
    rules: Mutex<HashMap<PathBuf, Option<Arc<Gitignore>>>>,
}

impl Ignores {
    /// The rules of a root (canonical). None is read yet but git's private ones.
    pub(crate) fn new(root: &Path) -> Self {
        let top = git::worktree_top(root).unwrap_or(root).to_path_buf();
        let exclude = GitDir::of(&top).map(|git| git.exclude()).filter(|path| path.is_file());
        let exclude = exclude.and_then(|path| rules(&top, &[path]));
        Self { root: root.to_path_buf(), top, exclude, rules: Mutex::default() }
    }

    /// Whether a path (relative to the root, `/` between segments) would be ignored if it were there.
    pub(crate) fn cover(&self, path: &str) -> bool {
        let segments: Vec<&str> = path.split('/').collect();
        if segments.contains(&DOT_GIT) {
            return true;
        }
        let mut at = self.root.clone();
        segments.iter().enumerate().any(|(position, segment)| {
            at.push(segment);
            // Of what is not there nobody knows whether it would be a directory.
            let last = position + 1 == segments.len();
            self.hides(&at, true) || last && self.hides(&at, false)
        })
    }

    /// Whether the rules that apply to one entry hide it: the nearest file that says anything decides.
    fn hides(&self, path: &Path, directory: bool) -> bool {
        for parent in path.ancestors().skip(1).take_while(|parent| parent.starts_with(&self.top)) {
            if let Some(rules) = self.rules_in(parent) {
                match rules.matched(path, directory) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
        }
        self.exclude.as_ref().is_some_and(|rules| rules.matched(path, directory).is_ignore())
    }

    fn rules_in(&self, directory: &Path) -> Option<Arc<Gitignore>> {
        let mut known = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(directory) {
            return rules.clone();
        }
        let files: Vec<PathBuf> = FILES.iter().map(|name| directory.join(name)).filter(|path| path.is_file()).collect();
        let read = rules(directory, &files);
        known.insert(directory.to_path_buf(), read.clone());
        read
    }
}

/// The rules in these files; `None` where there are none.
fn rules(directory: &Path, files: &[PathBuf]) -> Option<Arc<Gitignore>> {
    let mut builder = GitignoreBuilder::new(directory);
    for file in files {
        if let Some(error) = builder.add(file) {
            tracing::debug!(?file, %error, "ignore file used in part");
        }
    }
    builder.build().ok().filter(|rules| !rules.is_empty()).map(Arc::new)
}

#[cfg(all(test, unix))]
mod tests {
    use super::Ignores;
    use crate::os::tests::tree::Tree;

    #[test]
    fn what_need_not_be_there() {
        let tree = Tree::new(
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

    /// Rules above the root count where git would apply them.
    #[test]
    fn a_root_below_the_top() {
        let tree = Tree::new("$ git init -q\n.gitignore: /pkg/dist/\npkg/a.rs");
        assert!(Ignores::new(&tree.path("pkg")).cover("dist/a"));
        assert!(!Ignores::new(&tree.path("pkg")).cover("pkg/dist/a"));
    }
}
