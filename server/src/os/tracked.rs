//! Which files git has.

use std::collections::HashSet;
use std::path::Path;

use super::bytes;
use super::git::{self, GitDir};

/// The files below a root (canonical) that git tracks, relative to it; empty where nothing is tracked.
pub(crate) fn tracked(root: &Path) -> HashSet<Vec<u8>> {
    let Some(top) = git::worktree_top(root) else { return HashSet::new() };
    let Some(index) = GitDir::of(top).and_then(|git| git.index()) else { return HashSet::new() };
    let mut inside = bytes::of(root.strip_prefix(top).unwrap_or(Path::new("")).as_os_str()).into_owned();
    if !inside.is_empty() {
        inside.push(b'/');
    }
    let below = index.entries().iter().filter_map(|entry| entry.path(&index).strip_prefix(inside.as_slice()));
    below.map(<[u8]>::to_vec).collect()
}
