//! Listings on disk.

use std::path::Path;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::index::Snapshot;
use serde::{Deserialize, Serialize};

use super::super::bytes;
use super::super::kept::Kept;
use super::super::walk::Unreadable;
use super::basis::Basis;
use super::{Listing, Source};

/// The files. A million paths take some 60 MB; what is larger is walked.
const KEPT: Kept = Kept { extension: "listing", magic: *b"pathlist", version: 2, bytes_max: 1 << 30 };

#[derive(Serialize, Deserialize)]
struct Head {
    root: Vec<u8>,
    unreadable: (usize, Vec<Vec<u8>>),
    basis: Basis,
}

/// What was kept of a root (canonical).
pub(super) fn load(directory: &Path, root: &Path) -> Option<Listing> {
    let root = bytes::of(root.as_os_str());
    let body = KEPT.load(&KEPT.file(directory, &root)?)?;
    let (head, image): (Head, &[u8]) = postcard::take_from_bytes(&body).ok()?;
    if head.root != *root {
        return None;
    }
    let (count, examples) = head.unreadable;
    let unreadable = Unreadable { count, examples: examples.into_iter().map(RelPath::new).collect() };
    let snapshot = Snapshot::from_image(image)?;
    let (source, none) = (Source::CaughtUp(0), Duration::ZERO);
    let basis = head.basis.into();
    Some(Listing { snapshot, unreadable, source, read: none, packages: none, build: none, seen: None, basis })
}

/// Keeps the listing of a root (canonical).
pub(super) fn save(directory: &Path, root: &Path, listing: &Listing) {
    let Some(basis) = listing.basis(root) else { return };
    let root = bytes::of(root.as_os_str());
    let Listing { snapshot, unreadable, .. } = listing;
    let examples = unreadable.examples.iter().map(|path| path.as_bytes().to_vec()).collect();
    let head = Head { root: root.to_vec(), unreadable: (unreadable.count, examples), basis: basis.clone() };
    if let (Some(path), Ok(mut body)) = (KEPT.file(directory, &root), postcard::to_stdvec(&head)) {
        body.extend_from_slice(&snapshot.to_image());
        KEPT.save(&path, &body);
    }
}
