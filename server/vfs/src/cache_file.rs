//! `CacheFormat`: a versioned, checksummed file in the cache directory. Readers get the whole body as it was written,
//! or nothing. Also holds [`trim`], which bounds the size of the cache directory, and [`lock`].
//!
//! Called by the caches of listings, history, symbols, vectors and visits.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use gix::hash::Kind;
use xxhash_rust::xxh3::Xxh3;

use super::regular_file;

/// Size of version, body length and checksum, which follow the magic.
const HEADER_BYTES: usize = 4 + 8 + CHECKSUM_BYTES;
/// XXH3 with 128 bits. Only this user writes to the cache directory, so the checksum guards against accidents, not
/// attacks. It must be fast: a tree of a million files has 30 MB.
const CHECKSUM_BYTES: usize = 16;

/// Minimum time between two updates of a file's modification time, which [`trim`] reads as the time of last use. One
/// hour is enough to tell today's projects from last month's.
const TOUCH_INTERVAL: Duration = Duration::from_hours(1);
/// Age at which a temporary file is taken for the remains of a killed process.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);

/// Name, version and size limit of one kind of cache file.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheFormat {
    /// File name extension.
    pub(super) extension: &'static str,
    /// First bytes of the file.
    pub(super) magic: [u8; 8],
    /// Format version; raised whenever the meaning of the body changes.
    pub(super) version: u32,
    /// Size limit in bytes; larger files are not read.
    pub(super) max_bytes: u64,
}

impl CacheFormat {
    /// Returns the path of the file for `subject` in `directory`. The body has to prove that it belongs to the subject.
    pub(super) fn path_for(&self, directory: &Path, subject: &[u8]) -> Option<PathBuf> {
        path_for(directory, subject, self.extension)
    }

    /// Reads the body of a file; `None` if it is missing, broken, or of another version.
    pub(super) fn load(&self, path: &Path) -> Option<Vec<u8>> {
        let mut reader = self.open(path)?;
        let body = reader.read_rest()?;
        reader.is_valid(&[&body]).then_some(body)
    }

    /// Opens a file for reading in pieces, so that the caller can decode one piece while the next is read; `None` if it
    /// is missing or its header does not match.
    pub(super) fn open(&self, path: &Path) -> Option<CacheReader> {
        let opened = open_body(path, self.max_bytes, |header| self.parse_header(header));
        match opened {
            Ok(Some((file, left, checksum))) => Some(CacheReader { path: path.to_owned(), file, left, checksum }),
            Ok(None) => {
                warn_broken(path);
                None
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(?path, %error, "cannot read the cache file; rebuilding it");
                }
                None
            }
        }
    }

    /// Returns the length and checksum of the body if the header belongs to this format.
    fn parse_header(&self, header: &Header) -> Option<(u64, [u8; CHECKSUM_BYTES])> {
        let rest = header.strip_prefix(&self.magic)?.strip_prefix(&self.version.to_le_bytes())?;
        let (length, checksum) = rest.split_first_chunk::<8>()?;
        Some((u64::from_le_bytes(*length), checksum.try_into().ok()?))
    }

    /// Replaces the file. A failure is logged and only costs the cached data.
    pub(super) fn save(&self, path: &Path, body: &[u8]) {
        if let Err(error) = write(path, &self.encode(body)) {
            tracing::warn!(?path, %error, "cannot write the cache file");
        }
    }

    /// Returns whether a body is small enough to be read again.
    pub(super) fn fits(&self, body: &[u8]) -> bool {
        (size_of::<Header>() + body.len()) as u64 <= self.max_bytes
    }

    /// Returns the bytes of a whole file with this body.
    fn encode(&self, body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.magic.len() + HEADER_BYTES + body.len());
        bytes.extend_from_slice(&self.magic);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&checksum(&[body]));
        bytes.extend_from_slice(body);
        bytes
    }
}

/// Magic, version, body length and checksum.
type Header = [u8; 8 + HEADER_BYTES];

/// Reads a cache file in pieces. Decoded data must be discarded unless [`is_valid`](Self::is_valid) returns true.
#[derive(Debug)]
pub(super) struct CacheReader {
    path: PathBuf,
    file: File,
    left: u64,
    checksum: [u8; CHECKSUM_BYTES],
}

impl CacheReader {
    /// Reads the next `length` bytes of the body; `None` if it has fewer.
    pub(super) fn read_piece(&mut self, length: u64) -> Option<Vec<u8>> {
        let mut piece = Vec::new();
        let is_complete = length <= self.left && {
            piece.reserve_exact(usize::try_from(length).ok()?);
            (&self.file).take(length).read_to_end(&mut piece).is_ok_and(|read| read as u64 == length)
        };
        if !is_complete {
            warn_broken(&self.path);
            return None;
        }
        self.left -= length;
        Some(piece)
    }

    /// Reads the rest of the body.
    pub(super) fn read_rest(&mut self) -> Option<Vec<u8>> {
        self.read_piece(self.left)
    }

    /// Returns whether these pieces are the whole body and match its checksum.
    pub(super) fn is_valid(&self, pieces: &[&[u8]]) -> bool {
        let valid = self.left == 0 && checksum(pieces) == self.checksum;
        if !valid {
            warn_broken(&self.path);
        }
        valid
    }
}

/// Reads a cache file in pieces that the caller keeps, and computes the checksum meanwhile: no second copy of the body is made.
/// Decoded data must be discarded unless [`is_valid`](Self::is_valid) returns true.
pub(super) struct HashedReader {
    reader: CacheReader,
    hasher: Xxh3,
}

impl HashedReader {
    /// Reads the body of an opened file.
    pub(super) fn new(reader: CacheReader) -> Self {
        Self { reader, hasher: Xxh3::new() }
    }

    /// Returns the bytes of the body that are not read yet.
    pub(super) fn left(&self) -> u64 {
        self.reader.left
    }

    /// Reads the next `length` bytes of the body; `None` if it has fewer.
    pub(super) fn read_piece(&mut self, length: u64) -> Option<Vec<u8>> {
        let piece = self.reader.read_piece(length)?;
        self.hasher.update(&piece);
        Some(piece)
    }

    /// Returns whether the whole body was read and matches its checksum.
    pub(super) fn is_valid(&self) -> bool {
        let valid = self.reader.left == 0 && self.hasher.digest128().to_le_bytes() == self.reader.checksum;
        if !valid {
            warn_broken(&self.reader.path);
        }
        valid
    }
}

/// Logs that a file is unusable and will be written again.
pub(super) fn warn_broken(path: &Path) {
    tracing::warn!(?path, "the cache file is broken or of another version; rebuilding it");
}

/// Opens a file and parses its header; `None` if the header or the length does not match.
fn open_body(
    path: &Path,
    max_bytes: u64,
    parse_header: impl FnOnce(&Header) -> Option<(u64, [u8; CHECKSUM_BYTES])>,
) -> io::Result<Option<(File, u64, [u8; CHECKSUM_BYTES])>> {
    let (mut file, metadata) = regular_file::open(path, max_bytes)?;
    // `trim` takes the modification time for the time of last use. A file whose time cannot be set is removed first.
    let now = SystemTime::now();
    if metadata.modified().is_ok_and(|used| used + TOUCH_INTERVAL < now) {
        _ = regular_file::options().append(true).open(path).and_then(|file| file.set_modified(now));
    }
    let mut header: Header = [0; _];
    if let Err(error) = file.read_exact(&mut header) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let whole =
        |(length, _): &(u64, [u8; CHECKSUM_BYTES])| metadata.len().checked_sub(header.len() as u64) == Some(*length);
    Ok(parse_header(&header).filter(whole).map(|(length, checksum)| (file, length, checksum)))
}

/// Removes the least recently used cache files until the directory holds at most `max_bytes`. Also removes temporary
/// files of killed processes. Other files are left alone. Failures are ignored: they only cost disk space.
pub fn trim(directory: &Path, max_bytes: u64) {
    let Ok(entries) = directory.read_dir() else { return };
    let now = SystemTime::now();
    let mut cache_files: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for entry in entries.flatten() {
        let (path, metadata) = (entry.path(), entry.metadata());
        let Some((used, metadata)) = metadata.ok().and_then(|it| Some((it.modified().ok()?, it))) else { continue };
        if !metadata.is_file() || !is_cache_file(&path) {
            continue;
        }
        if path.extension().is_some_and(|ending| ending == "new") {
            if used + ABANDONED_AFTER < now {
                _ = fs::remove_file(&path);
            }
            continue;
        }
        cache_files.push((used, path, metadata.len()));
    }
    let mut total: u64 = cache_files.iter().map(|(_, _, bytes)| bytes).sum();
    cache_files.sort_unstable();
    for (_, path, bytes) in cache_files {
        if total <= max_bytes {
            return;
        }
        // Another process may have removed it already.
        if fs::remove_file(&path).is_ok() {
            tracing::info!(?path, bytes, "removed from the cache to stay below its size limit");
        }
        total -= bytes;
    }
}

/// Returns whether a file has a name that [`CacheFormat::path_for`] makes.
fn is_cache_file(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let hash = name.split('.').next().unwrap_or_default();
    hash.len() == 32 && name.len() > 33 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Writes a private temporary file and renames it over `path`, so that readers see the old file or the new one. Several
/// threads and processes may write at once. The temporary file is removed if anything fails.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new(""));
    create_private(directory)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut file = tempfile::Builder::new().prefix(&name).suffix(".new").tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Returns the path of the file for `subject` with this extension.
fn path_for(directory: &Path, subject: &[u8], extension: &str) -> Option<PathBuf> {
    // Half of the hash is enough: no two subjects share a file.
    Some(directory.join(format!("{}.{extension}", hash(&[subject])?.to_hex_with_len(32))))
}

/// Takes a lock on `subject` for one purpose. It is held as long as the returned file is open; `None` while another
/// process holds it. The empty lock file stays in `directory`. On a file system without locks every caller gets it.
///
/// # Errors
/// If the lock file cannot be created or opened.
pub fn lock(directory: &Path, subject: &[u8], purpose: &str) -> io::Result<Option<File>> {
    let path = path_for(directory, subject, purpose).ok_or_else(|| io::Error::other("the lock file has no name"))?;
    create_private(directory)?;
    let file = regular_file::options().create(true).truncate(false).write(true).open(path)?;
    regular_file::check(&file.metadata()?, u64::MAX)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Writes into a lock file that the work for which it is held is done.
///
/// # Errors
/// If the file cannot be written.
pub fn mark(lock: &mut File) -> io::Result<()> {
    lock.rewind()?;
    lock.write_all(b".")
}

/// Returns whether a lock file was marked at most this long ago.
pub fn was_marked_within(lock: &File, interval: Duration) -> bool {
    let is_recent = |moment: SystemTime| moment.elapsed().is_ok_and(|since| since < interval);
    lock.metadata().is_ok_and(|last| last.len() > 0 && last.modified().is_ok_and(is_recent))
}

#[cfg(unix)]
fn create_private(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

#[cfg(not(unix))]
fn create_private(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// Returns 16 hex digits that identify `subject`, enough that no two subjects of one user collide.
pub fn short_hash(subject: &[u8]) -> Option<String> {
    Some(hash(&[subject])?.to_hex_with_len(16).to_string())
}

fn checksum(pieces: &[&[u8]]) -> [u8; CHECKSUM_BYTES] {
    let mut hasher = Xxh3::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.digest128().to_le_bytes()
}

/// Returns XXH3 with 128 bits of some bytes, for comparing contents between runs.
pub fn digest(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

fn hash(pieces: &[&[u8]]) -> Option<ObjectId> {
    let mut hasher = gix::hash::hasher(Kind::Sha256);
    for piece in pieces {
        hasher.update(piece);
    }
    // Only SHA-1 can fail, if it detects a collision attack.
    hasher.try_finalize().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use super::{CacheFormat, Header, trim};

    const FORMAT: CacheFormat =
        CacheFormat { extension: "tested", magic: *b"pathtest", version: 1, max_bytes: 1 << 20 };

    /// Creates files of a thousand bytes, last used `hours` ago, and checks which of them `trim` leaves.
    #[track_caller]
    fn check(hours: &[u64], max_bytes: u64, expect: &[u64]) {
        let directory = tempfile::tempdir().unwrap();
        let at = |hour: u64| FORMAT.path_for(directory.path(), &hour.to_le_bytes()).unwrap();
        let foreign = directory.path().join("somebody-elses.listing");
        fs::write(&foreign, [0; 9000]).unwrap();
        for &hour in hours {
            FORMAT.save(&at(hour), &[1; 1000 - size_of::<Header>()]);
            let used = SystemTime::now() - Duration::from_hours(hour);
            File::options().append(true).open(at(hour)).unwrap().set_modified(used).unwrap();
        }
        let left = at(77).with_extension("tested.x1y2z3.new");
        fs::write(&left, "half").unwrap();
        File::options().append(true).open(&left).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        trim(directory.path(), max_bytes);
        assert!(foreign.exists() && !left.exists());
        let there: Vec<u64> = hours.iter().copied().filter(|&hour| at(hour).exists()).collect();
        assert_eq!(there, expect);
    }

    #[test]
    fn trims_least_recently_used_first() {
        check(&[5, 1, 9, 3], 4000, &[5, 1, 9, 3]);
        check(&[5, 1, 9, 3], 3999, &[5, 1, 3]);
        check(&[5, 1, 9, 3], 2500, &[1, 3]);
        check(&[5, 1, 9, 3], 0, &[]);
    }

    #[test]
    fn writes_several_kinds_concurrently() {
        let directory = tempfile::tempdir().unwrap();
        let kinds = ["one", "two", "three", "four"].map(|extension| CacheFormat { extension, ..FORMAT });
        std::thread::scope(|scope| {
            for kind in &kinds {
                let file = kind.path_for(directory.path(), b"subject").unwrap();
                scope.spawn(move || {
                    for number in 0..200_u8 {
                        kind.save(&file, &[kind.extension.as_bytes(), &[number]].concat());
                        assert_eq!(kind.load(&file).unwrap(), [kind.extension.as_bytes(), &[number]].concat());
                    }
                });
            }
        });
        assert_eq!(directory.path().read_dir().unwrap().count(), kinds.len(), "nothing is left beside them");
    }

    #[test]
    fn reading_counts_as_use() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) =
            (FORMAT.path_for(directory.path(), b"1").unwrap(), FORMAT.path_for(directory.path(), b"2").unwrap());
        for (file, hours) in [(&one, 9), (&other, 5)] {
            FORMAT.save(file, b"body");
            let used = SystemTime::now() - Duration::from_hours(hours);
            File::options().append(true).open(file).unwrap().set_modified(used).unwrap();
        }
        assert_eq!(FORMAT.load(&one).as_deref(), Some(&b"body"[..]));
        trim(directory.path(), 60);
        assert!(one.exists() && !other.exists());
    }
}
