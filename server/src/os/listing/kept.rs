//! Listings on disk.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::index::Snapshot;
use serde::{Deserialize, Serialize};

use super::super::bytes;
use super::super::cache_file::{CacheFormat, broken};
use super::super::walk::Unreadable;
use super::basis::Basis;
use super::{Listing, Source};

/// The files. A million paths take some 60 MB; what is larger is walked.
const KEPT: CacheFormat = CacheFormat { extension: "listing", magic: *b"pathlist", version: 5, bytes_max: 1 << 30 };

#[derive(Serialize, Deserialize)]
struct Head {
    root: Vec<u8>,
    /// How many, how many of them by their length, and examples.
    unreadable: (usize, usize, Vec<Vec<u8>>),
    basis: Basis,
}

/// What was kept of a root (canonical), if something comes of `meanwhile`: it is called with what it depends on while the rest is
/// read.
pub(super) fn load<T: Send>(
    directory: &Path,
    root: &Path,
    meanwhile: impl FnOnce(&Basis) -> Option<T> + Send,
) -> Option<(Listing, T)> {
    let name = bytes::of(root.as_os_str());
    let path = KEPT.file(directory, &name)?;
    let mut begun = KEPT.begin(&path)?;
    let length = begun.next(8)?;
    let head = begun.next(u64::from_le_bytes(*length.first_chunk()?))?;
    let read_head = || {
        let known: Head = postcard::from_bytes(&head).ok().filter(|known: &Head| known.root == *name)?;
        Some((meanwhile(&known.basis), known))
    };
    let read_image = || {
        let Some(image) = begun.rest() else { return (None, false) };
        rayon::join(|| Snapshot::from_image(&image), || begun.is_sound(&[&length, &head, &image]))
    };
    let ((snapshot, sound), head) = rayon::join(read_image, read_head);
    // None of it is believed before all of it was held against the checksum.
    if !sound {
        return None;
    }
    let Some((snapshot, (made, head))) = snapshot.zip(head) else {
        broken(&path);
        return None;
    };
    let made = made?;
    let (count, too_long, examples) = head.unreadable;
    let unreadable = Unreadable { count, too_long, examples: examples.into_iter().map(RelPath::new).collect() };
    let (source, none) = (Source::CaughtUp(0), Duration::ZERO);
    let basis = Arc::new(head.basis).into();
    Some((Listing { snapshot, unreadable, source, read: none, packages: none, build: none, seen: None, basis }, made))
}

/// Keeps the listing of a root (canonical).
pub(super) fn save(directory: &Path, root: &Path, listing: &Listing) {
    let Some(basis) = listing.basis(root) else { return };
    let root = bytes::of(root.as_os_str());
    let Listing { snapshot, unreadable, .. } = listing;
    let examples = unreadable.examples.iter().map(|path| path.as_bytes().to_vec()).collect();
    let head = Head {
        root: root.to_vec(),
        unreadable: (unreadable.count, unreadable.too_long, examples),
        basis: basis.clone(),
    };
    if let (Some(path), Ok(head)) = (KEPT.file(directory, &root), postcard::to_stdvec(&head)) {
        let mut body = (head.len() as u64).to_le_bytes().to_vec();
        body.extend_from_slice(&head);
        body.extend_from_slice(&snapshot.to_image());
        KEPT.save(&path, &body);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::bytes;
    use super::{KEPT, load};

    /// Whole, and yet no listing.
    #[test]
    fn whatever_else_was_kept_there_is_refused() {
        let (cache, root) = (tempfile::tempdir().unwrap(), Path::new("/somewhere"));
        let path = KEPT.file(cache.path(), &bytes::of(root.as_os_str())).unwrap();
        let sized = |length: u64, rest: &[u8]| [&length.to_le_bytes()[..], rest].concat();
        let bodies = [
            vec![],
            b"short".to_vec(),
            sized(0, b""),
            sized(u64::MAX, b"x"),
            sized(3, &[0xff; 90]),
            sized(90, &[7; 90]),
        ];
        for body in bodies {
            KEPT.save(&path, &body);
            assert!(load(cache.path(), root, |_| Some(())).is_none(), "{body:?}");
        }
    }
}
