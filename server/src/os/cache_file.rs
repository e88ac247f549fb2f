//! `CacheFormat`: a file in the cache directory, replaced as a whole, believed only if all of it is as it was written.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use gix::hash::Kind;
use xxhash_rust::xxh3::Xxh3;

use super::regular_file;

/// Version, length of the body, checksum of the body; the magic stands before them.
const HEADER_BYTES: usize = 4 + 8 + CHECKSUM_BYTES;
/// XXH3 with 128 bits: nobody but this user writes here, so that it has to tell accidents only, and a tree of a million files has 30 MB.
const CHECKSUM_BYTES: usize = 16;

/// It is noted once in so long that a file is used: often enough to tell projects of today from those of last month.
const TOUCH_INTERVAL: Duration = Duration::from_hours(1);
/// What is being written for so long is written by nobody any more.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);

/// What a kind of file is called, and how it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheFormat {
    /// The ending of its name.
    pub(super) extension: &'static str,
    /// What such files begin with.
    pub(super) magic: [u8; 8],
    /// Goes up with every change of what the bytes mean.
    pub(super) version: u32,
    /// Larger ones are not read.
    pub(super) max_bytes: u64,
}

impl CacheFormat {
    /// The file in `directory` that belongs to what `subject` names. Whether it does is for its body to say.
    pub(super) fn file(&self, directory: &Path, subject: &[u8]) -> Option<PathBuf> {
        file(directory, subject, self.extension)
    }

    /// The body of a file; `None` if it is not there, or not as it was written.
    pub(super) fn load(&self, path: &Path) -> Option<Vec<u8>> {
        let mut reader = self.open(path)?;
        let body = reader.rest()?;
        reader.is_sound(&[&body]).then_some(body)
    }

    /// The same for who reads it in pieces and makes something of them meanwhile; `None` if it is not there, or begins in another way.
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
                    tracing::warn!(?path, %error, "what was kept cannot be read, and is made anew");
                }
                None
            }
        }
    }

    /// The length of the body and its checksum, if these are the first bytes of such a file.
    fn parse_header(&self, header: &Header) -> Option<(u64, [u8; CHECKSUM_BYTES])> {
        let rest = header.strip_prefix(&self.magic)?.strip_prefix(&self.version.to_le_bytes())?;
        let (length, checksum) = rest.split_first_chunk::<8>()?;
        Some((u64::from_le_bytes(*length), checksum.try_into().ok()?))
    }

    /// Puts a body in the place of the file. A failure costs what was known and nothing else.
    pub(super) fn save(&self, path: &Path, body: &[u8]) {
        if let Err(error) = write(path, &self.bytes(body)) {
            tracing::warn!(?path, %error, "not kept on disk");
        }
    }

    /// The whole file with this body.
    pub(super) fn bytes(&self, body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.magic.len() + HEADER_BYTES + body.len());
        bytes.extend_from_slice(&self.magic);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&checksum(&[body]));
        bytes.extend_from_slice(body);
        bytes
    }
}

/// What stands before a body, magic included.
type Header = [u8; 8 + HEADER_BYTES];

/// A file that is read in pieces. Nothing that is made of them is to be believed before [`is_sound`](Self::is_sound) has said so.
#[derive(Debug)]
pub(super) struct CacheReader {
    path: PathBuf,
    file: File,
    left: u64,
    checksum: [u8; CHECKSUM_BYTES],
}

impl CacheReader {
    /// The next bytes of the body, if there are so many.
    pub(super) fn next(&mut self, length: u64) -> Option<Vec<u8>> {
        let mut piece = Vec::new();
        let there = length <= self.left && {
            piece.reserve_exact(usize::try_from(length).ok()?);
            (&self.file).take(length).read_to_end(&mut piece).is_ok_and(|read| read as u64 == length)
        };
        if !there {
            warn_broken(&self.path);
            return None;
        }
        self.left -= length;
        Some(piece)
    }

    /// All that is left of it.
    pub(super) fn rest(&mut self) -> Option<Vec<u8>> {
        self.next(self.left)
    }

    /// Whether these pieces are all of the body, and as they were written.
    pub(super) fn is_sound(&self, pieces: &[&[u8]]) -> bool {
        let sound = self.left == 0 && checksum(pieces) == self.checksum;
        if !sound {
            warn_broken(&self.path);
        }
        sound
    }
}

/// Says that a file is of no use, and will be written anew.
pub(super) fn warn_broken(path: &Path) {
    tracing::warn!(?path, "what was kept is broken, or of another version, and is made anew");
}

/// Opens a file whose first bytes are these; `None` if they are not.
fn open_body(
    path: &Path,
    max_bytes: u64,
    parse_header: impl FnOnce(&Header) -> Option<(u64, [u8; CHECKSUM_BYTES])>,
) -> io::Result<Option<(File, u64, [u8; CHECKSUM_BYTES])>> {
    let (mut file, metadata) = regular_file::open(path, max_bytes)?;
    // When it was used last is when it was written, as far as `trim` knows. Where that cannot be said it is the first to go.
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

/// Removes what was used longest ago from the cache directory until there are no more than so many bytes in it, and what a
/// process left there that was killed while it wrote. Nothing that is not ours is touched. A failure costs room and nothing
/// else.
pub(crate) fn trim(directory: &Path, max_bytes: u64) {
    let Ok(entries) = directory.read_dir() else { return };
    let now = SystemTime::now();
    let mut ours: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for entry in entries.flatten() {
        let (path, metadata) = (entry.path(), entry.metadata());
        let Some((used, metadata)) = metadata.ok().and_then(|it| Some((it.modified().ok()?, it))) else { continue };
        if !metadata.is_file() || !is_ours(&path) {
            continue;
        }
        if path.extension().is_some_and(|ending| ending == "new") {
            if used + ABANDONED_AFTER < now {
                _ = fs::remove_file(&path);
            }
            continue;
        }
        ours.push((used, path, metadata.len()));
    }
    let mut total: u64 = ours.iter().map(|(_, _, bytes)| bytes).sum();
    ours.sort_unstable();
    for (_, path, bytes) in ours {
        if total <= max_bytes {
            return;
        }
        // Another session may have been faster.
        if fs::remove_file(&path).is_ok() {
            tracing::info!(?path, bytes, "removed from the cache: there is too much in it");
        }
        total -= bytes;
    }
}

/// Whether a file has a name of the kind that [`CacheFormat::file`] makes.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let hash = name.split('.').next().unwrap_or_default();
    hash.len() == 32 && name.len() > 33 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Writes beside the file, then puts it in its place: readers see the old one or the new one. Several may do so at once, in this
/// process and in others: each writes a file of its own, private to the user, which goes again if anything fails.
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

/// Where what `subject` names has its file of such an ending.
fn file(directory: &Path, subject: &[u8], extension: &str) -> Option<PathBuf> {
    // Half of the hash is enough that two subjects never share a file.
    Some(directory.join(format!("{}.{extension}", hash(&[subject])?.to_hex_with_len(32))))
}

/// A lock in `directory` on what `subject` names, for a purpose of its own, which is held as long as the file is open; `None` while
/// another process holds it. The file stays there, empty. Where the file system has no locks everybody has it.
///
/// # Errors
/// When there is no place for it.
pub(crate) fn lock(directory: &Path, subject: &[u8], purpose: &str) -> io::Result<Option<File>> {
    let path = file(directory, subject, purpose).ok_or_else(|| io::Error::other("no name for it"))?;
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

#[cfg(unix)]
fn create_private(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

#[cfg(not(unix))]
fn create_private(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// A name for what `subject` names: 16 digits, enough that two of a user's subjects never share it.
pub(crate) fn named(subject: &[u8]) -> Option<String> {
    Some(hash(&[subject])?.to_hex_with_len(16).to_string())
}

fn checksum(pieces: &[&[u8]]) -> [u8; CHECKSUM_BYTES] {
    let mut hasher = Xxh3::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.digest128().to_le_bytes()
}

fn hash(pieces: &[&[u8]]) -> Option<ObjectId> {
    let mut hasher = gix::hash::hasher(Kind::Sha256);
    for piece in pieces {
        hasher.update(piece);
    }
    // Only SHA-1 can fail, when it detects an attack on itself.
    hasher.try_finalize().ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use super::{CacheFormat, Header, trim};

    const FORMAT: CacheFormat =
        CacheFormat { extension: "tested", magic: *b"pathtest", version: 1, max_bytes: 1 << 20 };

    /// Files of a thousand bytes that were used so many hours ago; what is left of them, by their hours.
    #[track_caller]
    fn check(hours: &[u64], max_bytes: u64, expect: &[u64]) {
        let directory = tempfile::tempdir().unwrap();
        let at = |hour: u64| FORMAT.file(directory.path(), &hour.to_le_bytes()).unwrap();
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
    fn what_was_used_longest_ago_goes_first() {
        check(&[5, 1, 9, 3], 4000, &[5, 1, 9, 3]);
        check(&[5, 1, 9, 3], 3999, &[5, 1, 3]);
        check(&[5, 1, 9, 3], 2500, &[1, 3]);
        check(&[5, 1, 9, 3], 0, &[]);
    }

    #[test]
    fn kinds_of_one_subject_are_written_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let kinds = ["one", "two", "three", "four"].map(|extension| CacheFormat { extension, ..FORMAT });
        std::thread::scope(|scope| {
            for kind in &kinds {
                let file = kind.file(directory.path(), b"subject").unwrap();
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
    fn reading_is_use() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (FORMAT.file(directory.path(), b"1").unwrap(), FORMAT.file(directory.path(), b"2").unwrap());
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
