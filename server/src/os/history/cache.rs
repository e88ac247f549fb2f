//! A root's history on disk: one file, replaced as a whole, believed only if all of it is as it was written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::hash::Kind;
use pathfinder_core::RelPath;
use pathfinder_core::history::{By, CommitMoves, DirectoryMove, Move};
use serde::{Deserialize, Serialize};

use super::repository::Origin;

/// What our files begin with.
const MAGIC: &[u8; 8] = b"pathhist";
/// Goes up with every change of what the bytes mean, also of how commits are compared.
const VERSION: u32 = 1;
/// Magic, version, length of the body, hash of the body.
const HEADER: usize = 8 + 4 + 8 + 32;
/// Larger ones are not read: a thousand times the history of a project of 40,000 commits.
const BYTES_MAX: u64 = 1 << 30;

/// What is known of a history, in a form that can be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The newest commit.
    pub(super) head: ObjectId,
    /// Where the walk began that reached back furthest.
    pub(super) start: ObjectId,
    /// How many commits of that walk were compared.
    pub(super) read: usize,
    /// Whether it reached the beginning.
    pub(super) complete: bool,
    /// How many commits were compared in all walks.
    pub(super) compared: usize,
    /// How many of these inexactly.
    pub(super) inexact: usize,
    /// What they say, newest first.
    pub(super) commits: Vec<CommitMoves>,
}

/// A path in the file.
type Bytes<'a> = &'a [u8];

/// The body of a file.
#[derive(Serialize, Deserialize)]
struct Body<'a> {
    root: &'a [u8],
    inside: &'a [u8],
    cut: &'a str,
    head: &'a [u8],
    start: &'a [u8],
    read: usize,
    complete: bool,
    compared: usize,
    inexact: usize,
    #[serde(borrow)]
    commits: Vec<Commit<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Commit<'a> {
    id: &'a str,
    seconds: i64,
    /// From, to, whether known by the directory only.
    #[serde(borrow)]
    moves: Vec<(Bytes<'a>, Bytes<'a>, bool)>,
    #[serde(borrow)]
    deletions: Vec<Bytes<'a>>,
    /// From, to, whether nothing stayed.
    #[serde(borrow)]
    directories: Vec<(Bytes<'a>, Option<Bytes<'a>>, bool)>,
}

/// The history that `directory` has of this origin, if it is sound.
pub(super) fn load(directory: &Path, origin: &Origin) -> Option<Known> {
    let path = file(directory, origin)?;
    let bytes = match read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::debug!(?path, %error, "history on disk not read");
            return None;
        }
    };
    let known = decode(&bytes, origin);
    if known.is_none() {
        tracing::debug!(?path, "history on disk is broken, old or of something else");
    }
    known
}

/// Keeps a history in `directory`. A failure costs time in the next session and nothing else.
pub(super) fn save(directory: &Path, origin: &Origin, known: &Known) {
    let Some(path) = file(directory, origin) else { return };
    if let Err(error) = encode(origin, known).and_then(|bytes| write(directory, &path, &bytes)) {
        tracing::debug!(?path, %error, "history not kept on disk");
    }
}

fn file(directory: &Path, origin: &Origin) -> Option<PathBuf> {
    // Half of the hash is enough that two roots never share a file; `decode` compares the root itself.
    Some(directory.join(format!("{}.history", hash(&origin.root)?.to_hex_with_len(32))))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > BYTES_MAX {
        return Err(io::Error::other("not a file of ours"));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.take(BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes beside the file, then puts it in its place: readers see the old one or the new one.
fn write(directory: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_private(directory)?;
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

fn encode(origin: &Origin, known: &Known) -> io::Result<Vec<u8>> {
    let body = Body {
        root: &origin.root,
        inside: &origin.inside,
        cut: &origin.cut,
        head: known.head.as_bytes(),
        start: known.start.as_bytes(),
        read: known.read,
        complete: known.complete,
        compared: known.compared,
        inexact: known.inexact,
        commits: known.commits.iter().map(Commit::of).collect(),
    };
    let body = postcard::to_stdvec(&body).map_err(io::Error::other)?;
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(hash(&body).ok_or_else(|| io::Error::other("no checksum"))?.as_bytes());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

fn decode(bytes: &[u8], origin: &Origin) -> Option<Known> {
    let rest = bytes.strip_prefix(MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (checksum, body) = rest.split_first_chunk::<32>()?;
    if u64::from_le_bytes(*length) != body.len() as u64 || hash(body)?.as_bytes() != checksum {
        return None;
    }
    let body: Body<'_> = postcard::from_bytes(body).ok()?;
    if (body.root, body.inside, body.cut) != (&origin.root[..], &origin.inside[..], &origin.cut[..]) {
        return None;
    }
    Some(Known {
        head: ObjectId::try_from(body.head).ok()?,
        start: ObjectId::try_from(body.start).ok()?,
        read: body.read,
        complete: body.complete,
        compared: body.compared,
        inexact: body.inexact,
        commits: body.commits.into_iter().map(Commit::into_moves).collect::<Option<_>>()?,
    })
}

impl<'a> Commit<'a> {
    fn of(commit: &'a CommitMoves) -> Self {
        let moves = commit.moves.iter();
        let directories = commit.directories.iter();
        Self {
            id: &commit.id,
            seconds: commit.seconds,
            moves: moves.map(|it| (it.from.as_bytes(), it.to.as_bytes(), it.by == By::Directory)).collect(),
            deletions: commit.deletions.iter().map(RelPath::as_bytes).collect(),
            directories: directories
                .map(|it| (it.from.as_bytes(), it.to.as_ref().map(RelPath::as_bytes), it.whole))
                .collect(),
        }
    }

    fn into_moves(self) -> Option<CommitMoves> {
        let moves = self.moves.into_iter().map(|(from, to, guessed)| {
            let by = if guessed { By::Directory } else { By::File };
            Some(Move { from: rel_path(from)?, to: rel_path(to)?, by })
        });
        let directories = self.directories.into_iter().map(|(from, to, whole)| {
            let to = match to {
                Some(to) => Some(rel_path(to)?),
                None => None,
            };
            Some(DirectoryMove { from: rel_path(from)?, to, whole })
        });
        Some(CommitMoves {
            id: self.id.to_owned(),
            seconds: self.seconds,
            moves: moves.collect::<Option<_>>()?,
            deletions: self.deletions.into_iter().map(rel_path).collect::<Option<_>>()?,
            directories: directories.collect::<Option<_>>()?,
        })
    }
}

/// The path that these bytes are, if they are one: the hash says that nothing broke, not who wrote it.
fn rel_path(bytes: &[u8]) -> Option<RelPath> {
    let sound = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
    (bytes.is_empty() || bytes.split(|&byte| byte == b'/').all(sound)).then(|| RelPath::new(bytes))
}

fn hash(bytes: &[u8]) -> Option<ObjectId> {
    let mut hasher = gix::hash::hasher(Kind::Sha256);
    hasher.update(bytes);
    // Only SHA-1 can fail, when it detects an attack on itself.
    hasher.try_finalize().ok()
}
