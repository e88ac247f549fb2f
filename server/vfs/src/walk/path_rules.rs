//! Answers for single paths what a walk would list, without walking the tree. Called by `events`, `listing::catch_up`
//! and `probe`.
//!
//! `os::ignores` answers another question, whether the project's own rules cover a path that need not exist, and so is
//! not built on this: the user's global rules do not count there, and its memory stays small for any number of missing
//! paths, while the `ignore` crate keeps a matcher for each directory that was asked about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ignore::{IncrementalIgnore, WalkBuilder};

use super::super::bytes;
use super::super::git::{self, GitDir};
use super::include::IncludeDir;
use super::{WalkOptions, ignore_files};

/// The ignore rules of a root. Each ignore file is read once, on demand. No directory is listed.
pub(crate) struct IgnoreRules {
    include: Vec<IncludeDir>,
    ignore: Option<IncrementalIgnore>,
    root: PathBuf,
    /// For each directory that was checked, true if its ignore files must not be opened.
    blocked: BTreeMap<Vec<u8>, bool>,
}

impl IgnoreRules {
    /// Creates the rules of a root (canonical). An ignore file is read before the first path below it is matched.
    pub(crate) fn new(root: &Path, options: &WalkOptions) -> Self {
        let is_usable = ignore_files::find_unusable(root).is_none();
        let ignore = is_usable.then(|| walk_with_rules(root, git::worktree_top(root)).build_matchers().pop());
        let include = IncludeDir::parse_all(&options.include_dirs);
        Self { include, ignore: ignore.flatten(), root: root.to_path_buf(), blocked: BTreeMap::new() }
    }

    /// Returns whether the rules hide a path (relative to the root) or one of its parents.
    pub(crate) fn is_hidden(&mut self, path: &[u8], is_directory: bool) -> bool {
        if path.split(|&byte| byte == b'/').any(|segment| segment == git::DOT_GIT.as_bytes()) {
            return true;
        }
        if self.is_included(path) {
            return false;
        }
        if ancestors(path).any(|directory| self.is_blocked(directory)) {
            return true;
        }
        let (Some(relative), Some(ignore)) = (bytes::to_path(path), &mut self.ignore) else { return true };
        ignore.matched(relative, is_directory).is_ignore()
    }

    /// Returns whether a walk leaves an existing path out: the rules hide it, or it is behind a link.
    pub(crate) fn leaves_out(&mut self, path: &[u8]) -> bool {
        let is_directory = self.is_directory(path);
        self.is_hidden(path, is_directory)
            || !self.is_included(path) && !ancestors(path).all(|at| self.is_directory(at))
    }

    /// Returns the names in a directory that a walk lists, none for a directory behind links; `None` if it lists all of
    /// them. Lists only that directory.
    pub(crate) fn listed_names(&mut self, directory: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
        if self.is_included(directory) {
            return None;
        }
        let mut names = BTreeSet::new();
        if !ancestors(directory).chain([directory]).all(|at| self.is_directory(at)) {
            return Some(names);
        }
        let entries = bytes::to_path(directory).and_then(|path| self.root.join(path).read_dir().ok());
        for entry in entries.into_iter().flatten().flatten() {
            let name = bytes::from_os_str(&entry.file_name()).into_owned();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !self.is_hidden(&bytes::join(directory, &name), is_directory) {
                names.insert(name);
            }
        }
        Some(names)
    }

    /// Returns whether a path is or lies in a directory of `INCLUDE_DIRS`.
    fn is_included(&self, path: &[u8]) -> bool {
        ancestors(path).chain([path]).any(|parent| self.include.iter().any(|include| include.matches(parent)))
    }

    /// Returns whether a path is a directory, and no link to one.
    fn is_directory(&self, path: &[u8]) -> bool {
        let entry = bytes::to_path(path).and_then(|path| self.root.join(path).symlink_metadata().ok());
        entry.is_some_and(|entry| entry.is_dir())
    }

    /// Returns whether the ignore files of a directory must not be opened, so that a walk does not enter it.
    fn is_blocked(&mut self, directory: &[u8]) -> bool {
        if let Some(known) = self.blocked.get(directory) {
            return *known;
        }
        let is_blocked = bytes::to_path(directory).is_none_or(|path| ignore_files::blocks_walk(&self.root.join(path)));
        self.blocked.insert(directory.to_vec(), is_blocked);
        is_blocked
    }

    /// Returns the topmost hidden directory above a path.
    pub(crate) fn topmost_hidden<'p>(&mut self, path: &'p [u8]) -> Option<&'p [u8]> {
        ancestors(path).find(|directory| self.is_hidden(directory, true))
    }
}

/// Returns the directories above a path, topmost first.
pub(crate) fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| &path[..at])
}

/// Builds a walk with the rules of [`rules_above`](super::rules_above). `top` is the worktree around the root, if any.
/// The caller must have checked the root's own ignore files.
fn walk_with_rules(root: &Path, top: Option<&Path>) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(true)
        .hidden(false)
        .parents(top.is_some_and(|top| top != root))
        .git_exclude(!root.ancestors().any(ignore_files::has_unusable_exclude))
        // If set, rules of an outer repository end at a nested one; otherwise they apply everywhere.
        .require_git(top.is_some())
        // The default is the process's current directory.
        .current_dir(top.unwrap_or(root));
    if let Some(exclude) = top.and_then(GitDir::from_worktree).and_then(|git| git.exclude_file())
        && let Some(error) = builder.add_ignore(exclude)
    {
        tracing::debug!(%error, "ignore file is partly invalid");
    }
    if root.ancestors().skip(1).any(|above| ignore_files::find_unusable(above).is_some()) {
        // `ignore` opens the ignore files of all parent directories unless all of git's rules are off. Those of the
        // root and below are added as custom ignore files.
        builder.parents(false).git_ignore(false).git_exclude(false).git_global(false);
        builder.add_custom_ignore_filename(ignore_files::GITIGNORE);
    }
    builder
}
