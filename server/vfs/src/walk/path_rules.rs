//! Answers for single paths what a walk would list, without walking the tree. Called by `events`, `listing::catch_up`
//! and `probe`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ignore::{DirEntry, IncrementalIgnore};

use super::super::{bytes, git};
use super::include::IncludeDir;
use super::{WalkOptions, ignore_files, walk_with_rules};

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
        let ignore =
            is_usable.then(|| walk_with_rules(root, git::worktree_top(root), |_| true, |_| ()).build_matchers().pop());
        let include = IncludeDir::parse_all(&options.include_dirs);
        Self { include, ignore: ignore.flatten(), root: root.to_path_buf(), blocked: BTreeMap::new() }
    }

    /// Returns whether the rules hide a path (relative to the root) or one of its parents.
    pub(crate) fn is_hidden(&mut self, path: &[u8], is_directory: bool) -> bool {
        if path.split(|&byte| byte == b'/').any(|segment| segment == git::DOT_GIT.as_bytes()) {
            return true;
        }
        if ancestors(path).chain([path]).any(|parent| self.include.iter().any(|include| include.matches(parent))) {
            return false;
        }
        if ancestors(path).any(|directory| self.is_blocked(directory)) {
            return true;
        }
        let (Some(relative), Some(ignore)) = (bytes::to_path(path), &mut self.ignore) else { return true };
        ignore.matched(relative, is_directory).is_ignore()
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

/// Returns whether a walk of `root` (canonical) hides the existing `path` (relative to it): it is in `.git`, or ignore
/// rules match. Lists only the directories above it.
pub(crate) fn is_path_hidden(root: &Path, options: &WalkOptions, path: &[u8]) -> bool {
    if path.split(|&byte| byte == b'/').any(|segment| segment == git::DOT_GIT.as_bytes()) {
        return true;
    }
    let include = IncludeDir::parse_all(&options.include_dirs);
    let parents = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| &path[..at]);
    if parents.chain([path]).any(|parent| include.iter().any(|include| include.matches(parent))) {
        return false;
    }
    let Some(relative) = bytes::to_path(path) else { return true };
    if ignore_files::find_unusable(root).is_some() {
        return true;
    }
    let target = root.join(relative);
    let on_the_way = target.clone();
    let is_wanted = move |entry: &DirEntry| on_the_way.starts_with(entry.path());
    let builder = walk_with_rules(root, git::worktree_top(root), is_wanted, |_| ());
    !builder.build().any(|entry| entry.is_ok_and(|entry| entry.path() == target))
}

/// Returns the names in `directory` (relative to `root`, reached through no links) that a walk lists; `None` if it
/// lists all of them. Lists only that directory and those above it.
pub(crate) fn listed_names(root: &Path, options: &WalkOptions, directory: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
    let include = IncludeDir::parse_all(&options.include_dirs);
    let included = |path: &[u8]| include.iter().any(|include| include.matches(path));
    let parents = directory.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| &directory[..at]);
    if parents.chain([directory]).any(included) {
        return None;
    }
    let target = match bytes::to_path(directory) {
        Some(relative) if !directory.is_empty() => root.join(relative),
        _ => root.to_path_buf(),
    };
    if ignore_files::find_unusable(root).is_some() {
        return Some(BTreeSet::new());
    }
    let within = target.clone();
    let is_wanted =
        move |entry: &DirEntry| within.starts_with(entry.path()) || entry.path().parent() == Some(within.as_path());
    let mut builder = walk_with_rules(root, git::worktree_top(root), is_wanted, |_| ());
    builder.max_depth(Some(target.strip_prefix(root).map_or(0, |below| below.components().count()) + 1));
    let children = builder.build().filter_map(Result::ok).filter(|entry| entry.path().parent() == Some(&target));
    let mut names: BTreeSet<Vec<u8>> =
        children.map(|entry| bytes::from_os_str(entry.file_name()).into_owned()).collect();
    // Directories of `INCLUDE_DIRS` are walked although they are ignored.
    let spared = include.iter().map(|include| include.last_name().to_vec());
    let own = |name: &[u8]| if directory.is_empty() { name.to_vec() } else { [directory, b"/", name].concat() };
    names.extend(spared.filter(|name| included(&own(name))));
    Some(names)
}
