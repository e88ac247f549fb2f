//! `Ignores`: answers whether the project's ignore rules cover a path that need not exist, such as a build output.
//! Called by `check`, which reports no broken link to such a path.
//!
//! `walk::IgnoreRules` answers for paths that exist. It also obeys the user's global rules, which would make findings differ
//! between machines, and keeps a matcher for each directory that was asked about, existing or not.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use parking_lot::RwLock;

use super::cache_file::digest;
use super::dependencies::{DependencyLog, Observed, Query, combine_stamps};
use super::git::{self, DOT_GIT, GitDir, MAX_IGNORE_FILE_BYTES};
use super::stamp::{UNSURE, stamp_following_links};
use super::walk::{IGNORE_FILE_NAMES, add_file};
use super::{bytes, regular_file};

/// Leading segments of a path that are matched. Each is matched against every rule, so the time is the number of
/// segments times the length of the path. No system opens a path of more than 4,096 bytes, and real trees have about
/// twenty levels.
const MAX_SEGMENTS: usize = 256;

/// The ignore rules of one root. Each file is read once.
#[derive(Debug)]
pub struct Ignores {
    root: PathBuf,
    exclude: Option<Arc<Gitignore>>,
    /// Verdicts by directory, relative to the root: all existing directories that were asked about, the missing ones in them, and
    /// those that are the parent of such a path.
    directories: RwLock<HashMap<String, DirectoryVerdict>>,
    /// Records the files of rules that are read.
    log: Option<Arc<DependencyLog>>,
}

/// Verdict of the ignore rules on a directory and on its entries.
#[derive(Clone, Debug)]
struct DirectoryVerdict {
    /// True if the rules cover the directory or one of its parents.
    is_covered: bool,
    /// True if the directory exists, so that it can hold ignore files.
    is_there: bool,
    /// Rules of the directory and of its parents, nearest first.
    rules: Arc<[Arc<Gitignore>]>,
}

impl Ignores {
    /// Creates the rules of a root (canonical). Reads git's private ignore file and the ignore files of the root and
    /// above it; others follow on demand.
    pub fn new(root: &Path, log: Option<&Arc<DependencyLog>>) -> Self {
        // Rules from above the worktree, or above a root outside of any worktree, do not apply.
        let top = git::worktree_top(root).unwrap_or(root);
        if let Some(log) = log {
            observe_exclude(root, log);
        }
        let exclude = GitDir::from_worktree(top).map(|git| git.exclude_path()).filter(|path| path.is_file());
        let exclude = exclude.and_then(|path| read_rules(top, &[path]));
        let above = root.ancestors().take_while(|above| above.starts_with(top));
        let rules = above.filter_map(|above| {
            if let Some(log) = log {
                observe_rules(above, log);
            }
            read_rules_in(above)
        });
        let base = DirectoryVerdict { is_covered: false, is_there: true, rules: rules.collect() };
        let directories = RwLock::new(HashMap::from([(String::new(), base)]));
        Self { root: root.to_path_buf(), exclude, directories, log: log.cloned() }
    }

    /// Returns whether a path (relative to the root, `/` between segments) would be ignored if it existed. For a path
    /// of more than `MAX_SEGMENTS` segments, this is the answer for the directory at that depth.
    pub fn is_ignored(&self, path: &str) -> bool {
        self.is_covered_or(path, |rules, path| self.can_be_hidden(rules, path))
    }

    /// Returns what [`is_ignored`](Self::is_ignored) does, for a path that can be a file only: rules for directories say nothing of it.
    pub fn is_ignored_file(&self, path: &str) -> bool {
        self.is_covered_or(path, |rules, path| self.is_hidden(rules, path, false))
    }

    /// Returns whether a directory above a path is ignored, or `is_hidden` holds for the rules there and the path.
    fn is_covered_or(&self, path: &str, is_hidden: impl Fn(&[Arc<Gitignore>], &str) -> bool) -> bool {
        if path.split('/').any(|segment| segment == DOT_GIT) {
            return true;
        }
        let path = path.match_indices('/').nth(MAX_SEGMENTS - 1).map_or(path, |(at, _)| &path[..at]);
        let directory = self.directory(path.rsplit_once('/').map_or("", |(parent, _)| parent));
        directory.is_covered || is_hidden(&directory.rules, path)
    }

    /// Returns the verdict on a directory. Each segment of its path is examined once.
    fn directory(&self, path: &str) -> DirectoryVerdict {
        let known = self.directories.read();
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
            // A missing directory holds no rules.
            let was_there = directory.is_there;
            directory.is_there =
                was_there && self.log.as_ref().map_or_else(|| full.is_dir(), |log| observe_rules(&full, log));
            if let Some(own) = directory.is_there.then(|| read_rules_in(&full)).flatten() {
                directory.rules = std::iter::once(own).chain(directory.rules.iter().cloned()).collect();
            }
            if was_there || end == path.len() {
                let mut known = self.directories.write();
                known.insert(at.to_owned(), directory.clone());
            }
        }
        directory
    }

    /// Returns whether rules hide a path that could be a file or a directory.
    fn can_be_hidden(&self, rules: &[Arc<Gitignore>], path: &str) -> bool {
        // Each rule for files is one for directories too: nothing hides a file whose path no rule matches as a directory's.
        match self.verdict(rules, path, true) {
            Match::None => false,
            Match::Ignore(()) => true,
            Match::Whitelist(()) => self.is_hidden(rules, path, false),
        }
    }

    /// Returns whether rules hide one entry.
    fn is_hidden(&self, rules: &[Arc<Gitignore>], path: &str, is_directory: bool) -> bool {
        self.verdict(rules, path, is_directory).is_ignore()
    }

    /// Returns the verdict of rules on one entry. The nearest file with a matching rule decides.
    fn verdict(&self, rules: &[Arc<Gitignore>], path: &str, is_directory: bool) -> Match<()> {
        if rules.is_empty() && self.exclude.is_none() {
            return Match::None;
        }
        let path = self.root.join(path);
        let all = rules.iter().chain(&self.exclude);
        let mut all = all.map(|rules| rules.matched(&path, is_directory).map(|_| ()));
        all.find(|verdict| !verdict.is_none()).unwrap_or(Match::None)
    }
}

/// Records the ignore files in a directory (absolute), and returns whether it is one. Called before they are read, so that a later
/// change differs.
pub(crate) fn observe_rules(directory: &Path, log: &DependencyLog) -> bool {
    let stamp = stamp_rules(directory, log);
    let is_directory = stamp.is_some();
    let stamp = stamp.unwrap_or(UNSURE);
    let mut all = vec![u8::from(is_directory)];
    // Nothing is read in the many directories that a compiler would search and that do not exist.
    for name in IGNORE_FILE_NAMES.iter().filter(|_| is_directory) {
        append_file(&mut all, &directory.join(name));
    }
    let path = bytes::from_os_str(directory.as_os_str());
    log.record(Query::Rules, &path, Observed { stamp, digest: digest(&all) });
    is_directory
}

/// Returns a stamp of the ignore files in a directory; `None` if it is none.
pub(crate) fn stamp_rules(directory: &Path, log: &DependencyLog) -> Option<u64> {
    directory.is_dir().then(|| {
        combine_stamps(&IGNORE_FILE_NAMES.map(|name| stamp_following_links(&directory.join(name), log.start())))
    })
}

/// Records git's private ignore file for a root, and where it lies.
pub(crate) fn observe_exclude(root: &Path, log: &DependencyLog) {
    let top = git::worktree_top(root).unwrap_or(root);
    let mut all = top.as_os_str().as_encoded_bytes().to_vec();
    if let Some(path) = GitDir::from_worktree(top).map(|git| git.exclude_path()) {
        all.extend(path.as_os_str().as_encoded_bytes());
        append_file(&mut all, &path);
    }
    log.record(Query::Exclude, b"", Observed { stamp: UNSURE, digest: digest(&all) });
}

/// Appends the length and the bytes of a file, or a mark that it cannot be read.
fn append_file(all: &mut Vec<u8>, path: &Path) {
    let bytes = regular_file::read(path, MAX_IGNORE_FILE_BYTES).ok();
    all.extend(bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64).to_le_bytes());
    all.extend(bytes.unwrap_or_default());
}

/// Reads the rules in a directory, if there are any.
fn read_rules_in(directory: &Path) -> Option<Arc<Gitignore>> {
    let files: Vec<PathBuf> =
        IGNORE_FILE_NAMES.iter().map(|name| directory.join(name)).filter(|path| path.is_file()).collect();
    if files.is_empty() { None } else { read_rules(directory, &files) }
}

/// Reads the rules in these files; `None` if there are none.
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
    use crate::testing::TestTree;

    #[test]
    fn covers_build_outputs() {
        let tree = TestTree::new(
            "$ git init -q
             .gitignore: dist/\\n*.log\\n/out\\nbuild
             web/.gitignore: !keep.log\\ngen/*\\n!gen/kept
             .git/info/exclude: private",
        );
        let ignores = Ignores::new(&tree.path(""), None);
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
            assert!(ignores.is_ignored(path), "{path}");
        }
        for path in ["src/a.js", "web/keep.log", "web/out/x", "web/gen/kept", "distance", "a.log.txt"] {
            assert!(!ignores.is_ignored(path), "{path}");
        }
    }

    /// Git knows no alternatives; programs that search do.
    #[test]
    fn takes_braces_as_git_does() {
        let tree = TestTree::new("$ git init -q\n.gitignore: *.py{}\\n*.{js,ts}\\nx\\{y\\n[{]z\n.ignore: *.{css,scss}");
        let ignores = Ignores::new(&tree.path(""), None);
        for (path, expect) in [
            ("a.py", false),
            ("a.py{}", true),
            ("a.js", false),
            ("a.{js,ts}", true),
            ("x{y", true),
            ("{z", true),
            ("a.css", true),
        ] {
            assert_eq!(ignores.is_ignored(path), expect, "{path}");
        }
    }

    /// A path of any length is matched against the rules a bounded number of times.
    #[test]
    fn bounds_the_work_for_long_paths() {
        let tree = TestTree::new("$ git init -q\n.gitignore: dist/\\n*.log\nd/a");
        let ignores = Ignores::new(&tree.path(""), None);
        let long = "d/".repeat(20_000);
        assert!(
            ignores.is_ignored(&format!("d/dist/{long}a")) && ignores.is_ignored(&format!("{}x.log", "d/".repeat(200)))
        );
        assert!(!ignores.is_ignored(&format!("{long}x.log")) && !ignores.is_ignored(&format!("{long}a")));
        let known = ignores.directories.read();
        let longest = known.keys().map(String::len).max();
        assert!(known.len() < 10 && longest < Some(3 * MAX_SEGMENTS), "{known:?}");
    }

    /// Rules above the root apply as they do in git.
    #[test]
    fn obeys_rules_above_the_root() {
        let tree = TestTree::new("$ git init -q\n.gitignore: /pkg/dist/\npkg/a.rs");
        assert!(Ignores::new(&tree.path("pkg"), None).is_ignored("dist/a"));
        assert!(!Ignores::new(&tree.path("pkg"), None).is_ignored("pkg/dist/a"));
    }
}
