//! `DirRules`: the ignore rules that hold for the entries of one directory. Called by `traversal`, which knows from the
//! listing which ignore files there are: the `ignore` crate's own walk opens them before a caller can look at them, and
//! one may be a pipe. Its matchers are used; the order of precedence is the same, and `tests/walk.rs` compares both.

use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::super::git::{DOT_GIT, GitDir};
use super::ignore_files::{self, GITIGNORE, IGNORE};

/// Name of the directory of a repository of Jujutsu, where rules of an outer repository end too.
const DOT_JJ: &str = ".jj";

/// Names of the entries of a directory that affect rules.
const NAMES: [&str; 4] = [GITIGNORE, IGNORE, DOT_GIT, DOT_JJ];

/// The entries of a directory that affect rules: for each of [`NAMES`], whether it is there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RuleFiles([bool; NAMES.len()]);

impl RuleFiles {
    /// For a directory that was not listed: each may be there.
    const ANY: Self = Self([true; NAMES.len()]);

    /// Adds an entry of the directory.
    pub(super) fn add(&mut self, name: &[u8]) {
        // Nearly all names end here.
        if name.first() != Some(&b'.') {
            return;
        }
        for (known, is_there) in NAMES.iter().zip(&mut self.0) {
            *is_there |= name == known.as_bytes();
        }
    }

    /// Returns whether there is an ignore file.
    pub(super) fn has_rules(self) -> bool {
        self.has(GITIGNORE) || self.has(IGNORE)
    }

    /// Returns whether one of these files of `directory` must not be opened.
    pub(super) fn blocks_walk(self, directory: &Path) -> bool {
        self.has_rules() && ignore_files::find_unusable(directory).is_some()
            || self.has(DOT_GIT) && ignore_files::has_unusable_exclude(directory)
    }

    fn has(self, name: &str) -> bool {
        NAMES.iter().zip(self.0).any(|(known, is_there)| is_there && *known == name)
    }

    fn is_empty(self) -> bool {
        self.0 == [false; NAMES.len()]
    }
}

/// The kinds of rules that a walk reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleOptions {
    /// True if rules of an outer repository end at a nested one; otherwise they apply everywhere.
    pub(super) ends_at_repositories: bool,
    /// True if the private rules of repositories below the root are read.
    pub(super) reads_private: bool,
    /// True if `.gitignore` precedes `.ignore`, as in a walk without git's rules.
    pub(super) gitignore_first: bool,
}

/// Matchers of one kind of file, innermost first.
type Matchers = Vec<Arc<Gitignore>>;

/// The rules for the entries of one directory.
#[derive(Clone, Debug)]
pub(super) struct DirRules {
    options: RuleOptions,
    /// Those of `.ignore` files.
    ignore: Matchers,
    /// Those of `.gitignore` files.
    git: Matchers,
    /// Those of `.git/info/exclude`.
    private: Matchers,
    /// The user's own rules, then those that the caller adds.
    last: Matchers,
}

impl DirRules {
    /// Creates the rules above a root, which precede no others. `last` are lowest, in order of precedence.
    pub(super) fn new(options: RuleOptions, last: Vec<Gitignore>) -> Self {
        let last = last.into_iter().filter(|rules| !rules.is_empty()).map(Arc::new).collect();
        Self { options, ignore: Vec::new(), git: Vec::new(), private: Vec::new(), last }
    }

    /// Returns the rules below a directory that was not listed.
    pub(super) fn below_unlisted(&self, directory: &Path) -> Self {
        self.below(directory, RuleFiles::ANY).unwrap_or_else(|| self.clone())
    }

    /// Returns the rules for the entries of a directory with these files; `None` if they are those of its parent.
    pub(super) fn below(&self, directory: &Path, files: RuleFiles) -> Option<Self> {
        if files.is_empty() {
            return None;
        }
        let is_repository = self.options.ends_at_repositories
            && (files.has(DOT_GIT) && directory.join(DOT_GIT).metadata().is_ok()
                || files.has(DOT_JJ) && directory.join(DOT_JJ).exists());
        let mut rules = self.clone();
        if is_repository {
            rules.git.clear();
            rules.private.clear();
        }
        if files.has(IGNORE) {
            add(&mut rules.ignore, directory, &directory.join(IGNORE));
        }
        if files.has(GITIGNORE) {
            add(&mut rules.git, directory, &directory.join(GITIGNORE));
        }
        if files.has(DOT_GIT)
            && self.options.reads_private
            && let Some(private) = ignore_files::private_rules(directory)
        {
            add(&mut rules.private, directory, &private);
        }
        Some(rules)
    }

    /// Returns whether the entry at an absolute path is ignored.
    pub(super) fn is_ignored(&self, path: &Path, is_directory: bool) -> bool {
        let (first, second) =
            if self.options.gitignore_first { (&self.git, &self.ignore) } else { (&self.ignore, &self.git) };
        let all = first.iter().chain(second).chain(&self.private).chain(&self.last);
        let mut found = all.map(|rules| rules.matched(path, is_directory));
        found.find(|found| !found.is_none()).is_some_and(|found: Match<_>| found.is_ignore())
    }
}

/// Returns the user's own rules and the private ones of a linked worktree, anchored at `base`.
pub(super) fn lowest_rules(base: &Path, top: Option<&Path>, reads_global: bool) -> Vec<Gitignore> {
    let mut all = Vec::new();
    if reads_global {
        all.push(GitignoreBuilder::new(base).build_global().0);
    }
    // The `ignore` crate finds the private rules of other worktrees.
    if let Some(exclude) = top.and_then(GitDir::from_worktree).and_then(|git| git.exclude_file()) {
        all.extend(read(base, &exclude));
    }
    all
}

/// Adds the rules of a file, which hold below `base`, as the first ones.
fn add(matchers: &mut Matchers, base: &Path, file: &Path) {
    if let Some(rules) = read(base, file).filter(|rules| !rules.is_empty()) {
        matchers.insert(0, Arc::new(rules));
    }
}

fn read(base: &Path, file: &Path) -> Option<Gitignore> {
    if !file.exists() {
        return None;
    }
    let mut builder = GitignoreBuilder::new(base);
    if let Some(error) = builder.add(file) {
        tracing::debug!(?file, %error, "ignore file is partly invalid");
    }
    builder.build().ok()
}
