//! What files declare, on disk: read again only as far as files have changed since.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use pathfinder_core::symbols::Symbols;
use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::CacheFormat;

/// The files. A million declarations take some 60 MB; what is larger is read anew.
const FORMAT: CacheFormat = CacheFormat { extension: "symbols", magic: *b"pathsymb", version: 1, max_bytes: 1 << 30 };

#[derive(Serialize, Deserialize)]
struct SymbolsHeader {
    root: Vec<u8>,
    reader: BuildId,
}

/// Which program read the files: another one may see other declarations in them, and nobody has to remember to say so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BuildId {
    version: String,
    size: u64,
    /// When it was written, in nanoseconds since 1970.
    built: u128,
}

impl BuildId {
    /// This one; `None` if the system does not tell.
    fn current() -> Option<&'static Self> {
        static CURRENT: OnceLock<Option<BuildId>> = OnceLock::new();
        let look = || {
            let metadata = std::env::current_exe().ok()?.metadata().ok()?;
            let built = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).duration_since(UNIX_EPOCH).ok()?;
            let version = env!("CARGO_PKG_VERSION").to_owned();
            Some(Self { version, size: metadata.len(), built: built.as_nanos() })
        };
        CURRENT.get_or_init(look).as_ref()
    }
}

/// What was kept of a root (canonical).
pub(crate) fn load(directory: &Path, root: &Path) -> Option<Symbols> {
    let root = bytes::from_os_str(root.as_os_str());
    let body = FORMAT.load(&FORMAT.path_for(directory, &root)?)?;
    let (header, image): (SymbolsHeader, &[u8]) = postcard::take_from_bytes(&body).ok()?;
    if header.root != *root || Some(&header.reader) != BuildId::current() {
        return None;
    }
    Symbols::from_image(image)
}

/// Keeps what the files of a root (canonical) declare.
pub(crate) fn save(directory: &Path, root: &Path, symbols: &Symbols) {
    let root = bytes::from_os_str(root.as_os_str());
    let Some(reader) = BuildId::current().cloned() else { return };
    let header = SymbolsHeader { root: root.to_vec(), reader };
    if let (Some(path), Ok(mut body)) = (FORMAT.path_for(directory, &root), postcard::to_stdvec(&header)) {
        body.extend_from_slice(&symbols.to_image());
        FORMAT.save(&path, &body);
    }
}
