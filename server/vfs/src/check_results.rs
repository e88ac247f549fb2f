//! Stores results of `pathfinder check` in the cache directory. `pathfinder_check` knows what is in them.

use std::path::Path;

use super::bytes;
use super::cache_file::{CacheFormat, digest};

/// The result of a run over 100,000 files takes some 15 MB. A larger one has thousands of findings, and is not worth
/// reading.
const FORMAT: CacheFormat = CacheFormat { extension: "check", magic: *b"pathchek", version: 1, max_bytes: 64 << 20 };

/// Results kept for one root: a user alternates between few sets of options.
const MAX_RESULTS_PER_ROOT: u128 = 4;

/// Loads the result of a request about a root (canonical); `None` if there is none, or another one took its place.
pub fn load(directory: &Path, root: &Path, request: u128) -> Option<Vec<u8>> {
    let body = FORMAT.load(&FORMAT.path_for(directory, &subject(root, request))?)?;
    body.strip_prefix(&prefix(root, request)[..]).map(<[u8]>::to_vec)
}

/// Stores the result of a request about a root (canonical). A failure only costs time in the next run.
pub fn save(directory: &Path, root: &Path, request: u128, result: &[u8]) {
    let body = [&prefix(root, request)[..], result].concat();
    if let Some(path) = FORMAT.path_for(directory, &subject(root, request)).filter(|_| FORMAT.fits(&body)) {
        FORMAT.save(&path, &body);
    }
}

/// The name of the file: each request has one of few places.
fn subject(root: &Path, request: u128) -> Vec<u8> {
    [&bytes::from_os_str(root.as_os_str())[..], &[0, (request % MAX_RESULTS_PER_ROOT) as u8]].concat()
}

/// The first bytes of a body, which prove what it is about.
fn prefix(root: &Path, request: u128) -> [u8; 32] {
    let mut prefix = [0; 32];
    prefix[..16].copy_from_slice(&digest(&bytes::from_os_str(root.as_os_str())).to_le_bytes());
    prefix[16..].copy_from_slice(&request.to_le_bytes());
    prefix
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{MAX_RESULTS_PER_ROOT, load, save};

    #[test]
    fn loads_only_what_the_request_left() {
        let directory = tempfile::tempdir().unwrap();
        let (root, at) = (Path::new("/somewhere"), directory.path());
        assert_eq!(load(at, root, 1), None);
        save(at, root, 1, b"one");
        save(at, root, 2, b"two");
        save(at, root, 1 + MAX_RESULTS_PER_ROOT, b"later");
        assert_eq!(load(at, root, 1), None, "its place is taken");
        assert_eq!(load(at, root, 2).as_deref(), Some(&b"two"[..]));
        assert_eq!(load(at, root, 1 + MAX_RESULTS_PER_ROOT).as_deref(), Some(&b"later"[..]));
        assert_eq!(load(at, Path::new("/elsewhere"), 2), None);
        for request in 0..50 {
            save(at, root, request, b"many");
        }
        assert_eq!(at.read_dir().unwrap().count(), usize::try_from(MAX_RESULTS_PER_ROOT).unwrap());
        for entry in at.read_dir().unwrap() {
            let file = entry.unwrap().path();
            let bytes = std::fs::read(&file).unwrap();
            std::fs::write(file, &bytes[..bytes.len() - 1]).unwrap();
        }
        assert!((0..50).all(|request| load(at, root, request).is_none()), "truncated");
    }
}
