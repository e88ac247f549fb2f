//! A listing of what git tracks, for the time until the tree is walked.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use gix::index::entry::Mode;
use pathfinder_core::Kind;
use pathfinder_core::index::{Found, Snapshot};

use super::super::roots::RootDir;
use super::super::walk::Unreadable;
use super::super::{bytes, git};
use super::{Listing, Source};

/// A shorter list is that of a tree which is walked while one reads it: 10,000 files take some 40 ms.
const TRACKED_MIN: usize = 10_000;

/// See [`Listing::tracked`].
pub(super) fn tracked(root: &RootDir) -> Option<Listing> {
    let start = Instant::now();
    let (index, inside) =
        git::index_around(&root.canonical).filter(|(index, _)| index.entries().len() >= TRACKED_MIN)?;
    let mut found = Found::default();
    for entry in index.entries() {
        let Some(path) = entry.path(&index).strip_prefix(inside.as_slice()) else { continue };
        let kind = match entry.mode {
            Mode::SYMLINK => Kind::Symlink,
            Mode::COMMIT | Mode::DIR => Kind::Directory,
            _ => Kind::File,
        };
        let (directory, name) = bytes::split(path);
        found.push(directory, name, kind);
    }
    let read = start.elapsed();
    let begun = Instant::now();
    let snapshot = Snapshot::build(&[found], Vec::new());
    let build = begun.elapsed();
    let (unreadable, source, packages) = (Unreadable::default(), Source::Tracked, Duration::ZERO);
    Some(Listing { snapshot, unreadable, source, read, packages, build, seen: None, basis: OnceLock::new() })
}
