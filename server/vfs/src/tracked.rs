//! Lists the files that git tracks, for `check`.

use std::collections::HashSet;
use std::path::Path;

use super::cache_file::digest;
use super::dependencies::{DependencyLog, Observed, Query};
use super::git::{self, GitDir};
use super::stamp::{UNSURE, stamp_following_links};

/// Returns the files below a root (canonical) that git tracks, relative to it; empty if there are none.
pub fn read_tracked_files(root: &Path, log: Option<&DependencyLog>) -> HashSet<Vec<u8>> {
    let stamp = log.map_or(UNSURE, |log| stamp_index(root, log));
    let read = git::index_around(root);
    let below = read.iter().flat_map(|(index, inside)| {
        index.entries().iter().filter_map(|entry| entry.path(index).strip_prefix(inside.as_slice()))
    });
    let files: Vec<&[u8]> = below.map(|path| -> &[u8] { path }).collect();
    if let Some(log) = log {
        log.record(Query::Tracked, b"", Observed { stamp, digest: digest(&files.join(&0)) });
    }
    files.into_iter().map(<[u8]>::to_vec).collect()
}

/// Returns the stamp of git's index; [`UNSURE`] without one.
pub(crate) fn stamp_index(root: &Path, log: &DependencyLog) -> u64 {
    let git = git::worktree_top(root).and_then(GitDir::from_worktree);
    git.map_or(UNSURE, |git| stamp_following_links(&git.index_file(), log.start()))
}
