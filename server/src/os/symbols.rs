//! What files declare, on disk: read again only as far as files have changed since.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use pathfinder_core::symbols::Symbols;
use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::CacheFormat;

/// The files. A million declarations take some 60 MB; what is larger is read anew.
const KEPT: CacheFormat = CacheFormat { extension: "symbols", magic: *b"pathsymb", version: 1, bytes_max: 1 << 30 };

#[derive(Serialize, Deserialize)]
struct Head {
    root: Vec<u8>,
    reader: Program,
}

/// Which program read the files: another one may see other declarations in them, and nobody has to remember to say so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Program {
    version: String,
    size: u64,
    /// When it was written, in nanoseconds since 1970.
    built: u128,
}

impl Program {
    /// This one; `None` if the system does not tell.
    fn this() -> Option<&'static Self> {
        static THIS: OnceLock<Option<Program>> = OnceLock::new();
        let look = || {
            let metadata = std::env::current_exe().ok()?.metadata().ok()?;
            let built = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).duration_since(UNIX_EPOCH).ok()?;
            let version = env!("CARGO_PKG_VERSION").to_owned();
            Some(Self { version, size: metadata.len(), built: built.as_nanos() })
        };
        THIS.get_or_init(look).as_ref()
    }
}

/// What was kept of a root (canonical).
pub(crate) fn load(directory: &Path, root: &Path) -> Option<Symbols> {
    let root = bytes::of(root.as_os_str());
    let body = KEPT.load(&KEPT.file(directory, &root)?)?;
    let (head, image): (Head, &[u8]) = postcard::take_from_bytes(&body).ok()?;
    if head.root != *root || Some(&head.reader) != Program::this() {
        return None;
    }
    Symbols::from_image(image)
}

/// Keeps what the files of a root (canonical) declare.
pub(crate) fn save(directory: &Path, root: &Path, symbols: &Symbols) {
    let root = bytes::of(root.as_os_str());
    let Some(reader) = Program::this().cloned() else { return };
    let head = Head { root: root.to_vec(), reader };
    if let (Some(path), Ok(mut body)) = (KEPT.file(directory, &root), postcard::to_stdvec(&head)) {
        body.extend_from_slice(&symbols.to_image());
        KEPT.save(&path, &body);
    }
}
