//! Walks only some directories of a root. Called by `events` for directories that changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pathfinder_core::Kind;

use super::super::roots::{RootDir, RootError};
use super::super::{bytes, git};
use super::path_rules::ancestors;
use super::{Sink, TrackedExtras, WalkOptions, WalkResult, walk_into};

/// The directories to walk, and the tracked paths known in them.
pub(crate) struct SubtreeFilter<'a> {
    /// Relative to the root; the empty one is the root itself.
    pub(crate) directories: Arc<BTreeSet<Vec<u8>>>,
    /// Known tracked paths that a walk does not meet; `None` reads git's indexes.
    pub(crate) known: Option<&'a TrackedExtras>,
}

/// Entries by path.
#[derive(Debug, Default)]
pub(crate) struct EntryMap(pub(crate) BTreeMap<Vec<u8>, Kind>);

impl Sink for EntryMap {
    fn add_entry(&mut self, directory: &[u8], name: &[u8], kind: Kind) {
        self.0.insert(bytes::join(directory, name), kind);
    }
}

/// Lists some directories and everything below, as a walk of the whole root would.
///
/// # Errors
/// Those of [`walk`](super::walk).
pub(crate) fn walk_subtrees(
    root: &RootDir,
    options: &WalkOptions,
    below: &SubtreeFilter<'_>,
) -> Result<WalkResult<EntryMap>, RootError> {
    let mut walked: WalkResult<EntryMap> = walk_into(root, options, Some(below))?;
    for part in &mut walked.found {
        part.0.retain(|path, _| below.contains(path) || below.directories.contains(path));
    }
    Ok(walked)
}

impl SubtreeFilter<'_> {
    /// Returns whether git's indexes must be read.
    pub(super) fn needs_git(&self) -> bool {
        self.known.is_none()
    }

    /// Returns whether a path lies below one of the directories.
    pub(super) fn contains(&self, path: &[u8]) -> bool {
        contains(&self.directories, path)
    }

    /// Returns whether a directory is one of them, lies below one, or is above one.
    pub(super) fn concerns(&self, path: &[u8]) -> bool {
        contains(&self.directories, path) || is_on_the_way(&self.directories, path)
    }

    /// Returns the known tracked paths below the directories.
    pub(super) fn tracked(&self) -> Vec<(Vec<u8>, bool)> {
        let known = self.known.into_iter();
        let all = known.flat_map(|known| self.directories.iter().flat_map(|directory| known.below(directory)));
        all.map(|(path, is_submodule)| (path.to_vec(), is_submodule)).collect()
    }

    /// Returns whether a walk visits an entry of a directory: it lies below the directories or above one.
    pub(super) fn is_wanted(&self, directory: &[u8], name: &[u8], path: &[u8]) -> bool {
        // Repositories above the directories decide what is tracked.
        let is_repository =
            self.needs_git() && name == git::DOT_GIT.as_bytes() && is_on_the_way(&self.directories, directory);
        is_repository || self.concerns(path)
    }
}

/// Returns whether a path lies below one of these directories.
fn contains(directories: &BTreeSet<Vec<u8>>, path: &[u8]) -> bool {
    !path.is_empty() && (directories.contains(&b""[..]) || ancestors(path).any(|above| directories.contains(above)))
}

/// Returns whether a directory is one of these, or is above one.
fn is_on_the_way(directories: &BTreeSet<Vec<u8>>, path: &[u8]) -> bool {
    let below = bytes::join(path, b"");
    path.is_empty()
        || directories.contains(path)
        || directories.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below))
}
