//! Stores indexes of all files of a root in the cache directory: declarations and words. Their owners read a file again
//! only if it has changed since.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::{CacheFormat, HashedReader};

/// The declarations. A million take some 60 MB. Larger caches are not read.
pub const DECLARATIONS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "symbols", magic: *b"pathsymb", version: 2, max_bytes: 1 << 30 });
/// The words. Those of a text take about 0.3 of it, and an index holds at most a gigabyte of text.
pub const CONTENTS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "contents", magic: *b"pathcont", version: 2, max_bytes: 1 << 30 });

/// The words of the subjects of commits. Those of 4,000 commits take about half of the subjects themselves.
pub const SUBJECT_WORDS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "subject-words", magic: *b"pathsubw", version: 1, max_bytes: 64 << 20 });

/// The subjects of commits. 4,000 with 20 files each take some 8 MB.
pub(crate) const SUBJECTS: FileIndexCache =
    FileIndexCache(CacheFormat { extension: "subjects", magic: *b"pathsubj", version: 2, max_bytes: 64 << 20 });

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
    pub fn load<T>(&self, directory: &Path, root: &Path, decode: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        self.load_in_pieces(directory, root, |length, read| decode(&read(length)?))
    }

    /// Loads the index of a root (canonical) as [`load`](Self::load) does. `decode` gets the length of the image and a function that
    /// reads its next bytes. The checksum is compared afterwards, so `decode` has to bear wrong bytes.
    pub fn load_in_pieces<T>(
        &self,
        directory: &Path,
        root: &Path,
        decode: impl FnOnce(u64, &mut dyn FnMut(u64) -> Option<Vec<u8>>) -> Option<T>,
    ) -> Option<T> {
        let root = bytes::from_os_str(root.as_os_str());
        let mut file = HashedReader::new(self.0.open(&self.0.path_for(directory, &root)?)?);
        let length = file.read_piece(8)?;
        let header = file.read_piece(u64::from_le_bytes(*length.first_chunk()?))?;
        let header: IndexHeader = postcard::from_bytes(&header).ok()?;
        if header.root != *root || Some(&header.build) != BuildId::current() {
            return None;
        }
        let decoded = decode(file.left(), &mut |length| file.read_piece(length));
        decoded.filter(|_| file.is_valid())
    }

    /// Stores the index of a root (canonical).
    pub fn save(&self, directory: &Path, root: &Path, image: &[u8]) {
        let root = bytes::from_os_str(root.as_os_str());
        let Some(build) = BuildId::current().cloned() else { return };
        let header = IndexHeader { root: root.to_vec(), build };
        if let (Some(path), Ok(header)) = (self.0.path_for(directory, &root), postcard::to_stdvec(&header)) {
            let body = [&(header.len() as u64).to_le_bytes()[..], &header, image].concat();
            self.0.save(&path, &body);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::CONTENTS;

    /// Loads what was saved after `change` has changed the file, in two pieces.
    #[track_caller]
    fn check(change: impl FnOnce(&mut Vec<u8>), expect: Option<(u64, &[u8])>) {
        let (cache, root) = (tempfile::tempdir().expect("a directory"), Path::new("/somewhere"));
        CONTENTS.save(cache.path(), root, b"an image");
        let path = cache.path().read_dir().expect("a directory").flatten().next().expect("a file").path();
        let mut bytes = fs::read(&path).expect("a file");
        change(&mut bytes);
        fs::write(&path, bytes).expect("a file");
        let loaded = CONTENTS
            .load_in_pieces(cache.path(), root, |length, read| Some((length, [read(3)?, read(length - 3)?].concat())));
        assert_eq!(loaded.as_ref().map(|(length, image)| (*length, &image[..])), expect);
        let whole = CONTENTS.load(cache.path(), root, |image| Some(image.to_vec()));
        assert_eq!(whole.as_deref(), expect.map(|(_, image)| image));
    }

    #[test]
    fn loads_whole_files_only() {
        check(|_| (), Some((8, b"an image")));
        check(|bytes| bytes.truncate(bytes.len() - 1), None);
        check(|bytes| bytes.truncate(30), None);
        check(Vec::clear, None);
        check(|bytes| bytes.push(0), None);
        check(|bytes| *bytes.last_mut().expect("a byte") ^= 1, None);
        // The length of the header.
        check(|bytes| bytes[36..44].fill(0xff), None);
        check(|bytes| bytes[36] += 1, None);
        // The version.
        check(|bytes| bytes[8] += 1, None);
    }

    /// A decoder that leaves bytes was given another image.
    #[test]
    fn rejects_images_that_are_not_read_to_the_end() {
        let (cache, root) = (tempfile::tempdir().expect("a directory"), Path::new("/somewhere"));
        CONTENTS.save(cache.path(), root, b"an image");
        assert_eq!(CONTENTS.load_in_pieces(cache.path(), root, |_, read| read(3)), None);
        assert_eq!(CONTENTS.load(cache.path(), Path::new("/elsewhere"), |image| Some(image.to_vec())), None);
    }
}
