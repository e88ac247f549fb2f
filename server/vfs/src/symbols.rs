//! Stores the declarations of all files in the cache directory. `symbols` reads a file again only if it has changed
//! since.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use pathfinder_core::symbols::Symbols;
use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::CacheFormat;

/// A million declarations take some 60 MB. Larger caches are not read.
const FORMAT: CacheFormat = CacheFormat { extension: "symbols", magic: *b"pathsymb", version: 1, max_bytes: 1 << 30 };

#[derive(Serialize, Deserialize)]
struct SymbolsHeader {
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

/// Loads the declarations below a root (canonical).
pub fn load(directory: &Path, root: &Path) -> Option<Symbols> {
    let root = bytes::from_os_str(root.as_os_str());
    let body = FORMAT.load(&FORMAT.path_for(directory, &root)?)?;
    let (header, image): (SymbolsHeader, &[u8]) = postcard::take_from_bytes(&body).ok()?;
    if header.root != *root || Some(&header.build) != BuildId::current() {
        return None;
    }
    Symbols::from_image(image)
}

/// Stores the declarations below a root (canonical).
pub fn save(directory: &Path, root: &Path, symbols: &Symbols) {
    let root = bytes::from_os_str(root.as_os_str());
    let Some(build) = BuildId::current().cloned() else { return };
    let header = SymbolsHeader { root: root.to_vec(), build };
    if let (Some(path), Ok(mut body)) = (FORMAT.path_for(directory, &root), postcard::to_stdvec(&header)) {
        body.extend_from_slice(&symbols.to_image());
        FORMAT.save(&path, &body);
    }
}
