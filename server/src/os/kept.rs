//! `Kept`: a file in the cache directory, replaced as a whole, believed only if all of it is as it was written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::hash::Kind;

/// Version, length of the body, hash of the body; the magic stands before them.
const HEADER: usize = 4 + 8 + 32;

/// What a kind of file is called, and how it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// The ending of its name.
    pub(super) extension: &'static str,
    /// What such files begin with.
    pub(super) magic: [u8; 8],
    /// Goes up with every change of what the bytes mean.
    pub(super) version: u32,
    /// Larger ones are not read.
    pub(super) bytes_max: u64,
}

impl Kept {
    /// The file in `directory` that belongs to what `subject` names. Whether it does is for its body to say.
    pub(super) fn file(&self, directory: &Path, subject: &[u8]) -> Option<PathBuf> {
        // Half of the hash is enough that two subjects never share a file.
        Some(directory.join(format!("{}.{}", hash(subject)?.to_hex_with_len(32), self.extension)))
    }

    /// The body of a file; `None` if it is not there, or not as it was written.
    pub(super) fn load(&self, path: &Path) -> Option<Vec<u8>> {
        let bytes = match read(path, self.bytes_max) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::debug!(?path, %error, "not read");
                return None;
            }
        };
        let body = self.body(&bytes);
        if body.is_none() {
            tracing::debug!(?path, "broken, or of another version");
        }
        body.map(<[u8]>::to_vec)
    }

    /// Puts a body in the place of the file. A failure costs what was known and nothing else.
    pub(super) fn save(&self, path: &Path, body: &[u8]) {
        if let Err(error) = self.bytes(body).and_then(|bytes| write(path, &bytes)) {
            tracing::debug!(?path, %error, "not kept on disk");
        }
    }

    /// The whole file with this body.
    ///
    /// # Errors
    /// When there is no checksum.
    pub(super) fn bytes(&self, body: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.magic.len() + HEADER + body.len());
        bytes.extend_from_slice(&self.magic);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(hash(body).ok_or_else(|| io::Error::other("no checksum"))?.as_bytes());
        bytes.extend_from_slice(body);
        Ok(bytes)
    }

    /// The body in the bytes of a file, if they are sound.
    pub(super) fn body<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let rest = bytes.strip_prefix(&self.magic)?.strip_prefix(&self.version.to_le_bytes())?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (checksum, body) = rest.split_first_chunk::<32>()?;
        let sound = u64::from_le_bytes(*length) == body.len() as u64 && hash(body)?.as_bytes() == checksum;
        sound.then_some(body)
    }
}

fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > bytes_max {
        return Err(io::Error::other("not a file of ours"));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes beside the file, then puts it in its place: readers see the old one or the new one.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_private(path.parent().unwrap_or(Path::new("")))?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    // Left by a process of the same number that was killed.
    _ = fs::remove_file(&beside);
    let written =
        create_new(&beside).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        _ = fs::remove_file(&beside);
    }
    written
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

fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

fn hash(bytes: &[u8]) -> Option<ObjectId> {
    let mut hasher = gix::hash::hasher(Kind::Sha256);
    hasher.update(bytes);
    // Only SHA-1 can fail, when it detects an attack on itself.
    hasher.try_finalize().ok()
}
