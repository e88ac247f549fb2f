//! Git's list of files in place of a walk: for the time until the tree is walked, or where it must not be.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime};

use gix::index::entry::Mode;
use pathfinder_core::Kind;
use pathfinder_core::index::{Found, Snapshot};

use super::super::git::{self, GitDir};
use super::super::roots::RootDir;
use super::super::walk::Unreadable;
use super::super::{bytes, on_demand};
use super::stamp::{followed, same};
use super::{Listing, Source, kept};

/// A shorter list is that of a tree which is walked while one reads it: 10,000 files take some 40 ms.
const TRACKED_MIN: usize = 10_000;

/// See [`Listing::early`].
pub(super) fn early(root: &RootDir, kept: Option<&Path>) -> Option<Listing> {
    // Where there is no walk nothing is to be had before it.
    if kept.is_some_and(|directory| kept::is_there(directory, &root.canonical)) || on_demand::why(root).is_some() {
        return None;
    }
    let is_sparse = git::worktree_top(&root.canonical).and_then(GitDir::of).is_some_and(|git| git.is_sparse());
    listing(root, is_sparse, TRACKED_MIN, Source::Tracked)
}

/// The listing of a root whose files are fetched when they are looked at; `None` where they are simply there, or git has no list
/// of them. As long as git's list is the one from before, so is the listing.
pub(super) fn on_demand(root: &RootDir, before: Option<&Listing>, now: SystemTime) -> Option<Listing> {
    let why = on_demand::why(root)?;
    let stamp = followed(&git::worktree_top(&root.canonical).and_then(GitDir::of)?.index_file(), now);
    let known = before.filter(|before| matches!(before.source, Source::OnDemand(_, known) if same(known, stamp)));
    // Of a sparse checkout too all is there as soon as somebody looks.
    known.cloned().or_else(|| listing(root, false, 0, Source::OnDemand(why, stamp)))
}

/// What git's list has below a root, `is_sparse` without what is left out; `None` if that is less than `least`.
fn listing(root: &RootDir, is_sparse: bool, least: usize, source: Source) -> Option<Listing> {
    let start = Instant::now();
    let (index, inside) = git::index_around(&root.canonical)?;
    let there = || index.entries().iter().filter(|entry| !is_sparse || !git::is_left_out(entry));
    if there().count() < least {
        return None;
    }
    let mut found = Found::default();
    for entry in there() {
        let Some(path) = entry.path(&index).strip_prefix(inside.as_slice()) else { continue };
        let kind = match entry.mode {
            Mode::SYMLINK => Kind::Symlink,
            Mode::COMMIT | Mode::DIR => Kind::Directory,
            _ => Kind::File,
        };
        // A directory that stands for all below it ends in a slash.
        let (directory, name) = bytes::split(path.strip_suffix(b"/").unwrap_or(path));
        found.push(directory, name, kind);
    }
    let read = start.elapsed();
    let begun = Instant::now();
    let snapshot = Snapshot::build(&[found], Vec::new());
    let build = begun.elapsed();
    let unreadable = Unreadable::default();
    Some(Listing { snapshot, unreadable, source, read, build, seen: None, basis: OnceLock::new() })
}
