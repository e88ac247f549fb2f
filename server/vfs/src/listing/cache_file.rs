//! Stores listings in the cache directory.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::index::Snapshot;
use serde::{Deserialize, Serialize};

use super::super::bytes;
use super::super::cache_file::{CacheFormat, warn_broken};
use super::super::walk::UnreadableDirs;
use super::fingerprint::ListingFingerprint;
use super::{Listing, ListingSource};

/// A million paths take some 60 MB. Larger trees are walked.
const FORMAT: CacheFormat = CacheFormat { extension: "listing", magic: *b"pathlist", version: 5, max_bytes: 1 << 30 };

#[derive(Serialize, Deserialize)]
struct ListingHeader {
    root: Vec<u8>,
    /// Number of directories, number of those with too long paths, and examples.
    unreadable: (usize, usize, Vec<Vec<u8>>),
    fingerprint: ListingFingerprint,
}

/// Loads the listing of a root (canonical). `check_stale` runs on the fingerprint while the rest is read; `None` if it
/// returns `None`.
pub(super) fn load<T: Send>(
    directory: &Path,
    root: &Path,
    check_stale: impl FnOnce(&ListingFingerprint) -> Option<T> + Send,
) -> Option<(Listing, T)> {
    let name = bytes::from_os_str(root.as_os_str());
    let path = FORMAT.path_for(directory, &name)?;
    let mut file = FORMAT.open(&path)?;
    let length = file.read_piece(8)?;
    let header = file.read_piece(u64::from_le_bytes(*length.first_chunk()?))?;
    let read_header = || {
        let known: ListingHeader =
            postcard::from_bytes(&header).ok().filter(|known: &ListingHeader| known.root == *name)?;
        Some((check_stale(&known.fingerprint), known))
    };
    let read_image = || {
        let Some(image) = file.read_rest() else { return (None, false) };
        rayon::join(|| Snapshot::from_image(&image), || file.is_valid(&[&length, &header, &image]))
    };
    let ((snapshot, valid), header) = rayon::join(read_image, read_header);
    // Nothing is used before the checksum of all pieces was verified.
    if !valid {
        return None;
    }
    let Some((snapshot, (result, header))) = snapshot.zip(header) else {
        warn_broken(&path);
        return None;
    };
    let result = result?;
    let (count, too_long, examples) = header.unreadable;
    let unreadable = UnreadableDirs { count, too_long, examples: examples.into_iter().map(RelPath::new).collect() };
    let (source, none) = (ListingSource::CaughtUp(0), Duration::ZERO);
    let fingerprint = Arc::new(header.fingerprint).into();
    Some((
        Listing { snapshot, unreadable, source, read: none, packages: none, build: none, evidence: None, fingerprint },
        result,
    ))
}

/// Stores the listing of a root (canonical).
pub(super) fn save(directory: &Path, root: &Path, listing: &Listing) {
    let Some(fingerprint) = listing.fingerprint(root) else { return };
    let root = bytes::from_os_str(root.as_os_str());
    let Listing { snapshot, unreadable, .. } = listing;
    let examples = unreadable.examples.iter().map(|path| path.as_bytes().to_vec()).collect();
    let header = ListingHeader {
        root: root.to_vec(),
        unreadable: (unreadable.count, unreadable.too_long, examples),
        fingerprint: fingerprint.clone(),
    };
    if let (Some(path), Ok(header)) = (FORMAT.path_for(directory, &root), postcard::to_stdvec(&header)) {
        let mut body = (header.len() as u64).to_le_bytes().to_vec();
        body.extend_from_slice(&header);
        body.extend_from_slice(&snapshot.to_image());
        FORMAT.save(&path, &body);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::bytes;
    use super::{FORMAT, load};

    /// Files with a valid checksum that hold no listing.
    #[test]
    fn rejects_files_without_a_listing() {
        let (cache, root) = (tempfile::tempdir().unwrap(), Path::new("/somewhere"));
        let path = FORMAT.path_for(cache.path(), &bytes::from_os_str(root.as_os_str())).unwrap();
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
            FORMAT.save(&path, &body);
            assert!(load(cache.path(), root, |_| Some(())).is_none(), "{body:?}");
        }
    }
}
