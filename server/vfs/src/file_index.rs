//! Stores indexes of all files of a root in the cache directory: declarations and words. Their owners read a file again
//! only if it has changed since.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::CacheFormat;

/// The declarations. A million take some 60 MB. Larger caches are not read.
pub const DECLARATIONS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "symbols", magic: *b"pathsymb", version: 1, max_bytes: 1 << 30 });
/// The words. Those of a text take about 0.3 of it, and an index holds at most a gigabyte of text.
pub const CONTENTS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "contents", magic: *b"pathcont", version: 1, max_bytes: 1 << 30 });

/// The subjects of commits. 4,000 with 20 files each take some 8 MB.
pub(crate) const SUBJECTS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "subjects", magic: *b"pathsubj", version: 1, max_bytes: 64 << 20 });

/// A kind of index with a cache file of its own.
pub struct FileIndexCache(CacheFormat);

#[derive(Serialize, Deserialize)]
struct IndexHeader {
    root: Vec<u8>,
    build: BuildId,
}

/// Build of the program that read the files. Another build may find other declarations, so its cache is discarded
/// without a version to raise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BuildId {
    version: String,
    size: u64,
    /// Modification time of the executable in nanoseconds since 1970.
    built: u128,
}

impl BuildId {
    /// Returns the running build; `None` if the system does not tell.
    fn current() -> Option<&'static Self> {
        static CURRENT: OnceLock<Option<BuildId>> = OnceLock::new();
        let read_metadata = || {
            let metadata = std::env::current_exe().ok()?.metadata().ok()?;
            let built = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).duration_since(UNIX_EPOCH).ok()?;
            let version = env!("CARGO_PKG_VERSION").to_owned();
            Some(Self { version, size: metadata.len(), built: built.as_nanos() })
        };
        CURRENT.get_or_init(read_metadata).as_ref()
    }
}

impl FileIndexCache {
    /// Loads the index of a root (canonical); `None` if there is none, or another build or root wrote it.
    pub fn load<T>(&self, directory: &Path, root: &Path, decode: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let root = bytes::from_os_str(root.as_os_str());
        let body = self.0.load(&self.0.path_for(directory, &root)?)?;
        let (header, image): (IndexHeader, &[u8]) = postcard::take_from_bytes(&body).ok()?;
        if header.root != *root || Some(&header.build) != BuildId::current() {
            return None;
        }
        decode(image)
    }

    /// Stores the index of a root (canonical).
    pub fn save(&self, directory: &Path, root: &Path, image: &[u8]) {
        let root = bytes::from_os_str(root.as_os_str());
        let Some(build) = BuildId::current().cloned() else { return };
        let header = IndexHeader { root: root.to_vec(), build };
        if let (Some(path), Ok(mut body)) = (self.0.path_for(directory, &root), postcard::to_stdvec(&header)) {
            body.extend_from_slice(image);
            self.0.save(&path, &body);
        }
    }
}
