//! Stores a root's history in one checksummed cache file.

#[cfg(test)]
mod fuzz;

use std::path::Path;

use gix::ObjectId;
use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitMoves, DirectoryMove, Move, MoveEvidence};
use serde::{Deserialize, Serialize};

use super::super::cache_file::CacheFormat;
use super::repository::Origin;

/// The size limit is a thousand times the history of a project with 40,000 commits. Raise the version also when commits
/// are compared in another way.
const FORMAT: CacheFormat = CacheFormat { extension: "history", magic: *b"pathhist", version: 2, max_bytes: 1 << 30 };

/// History of a root, in a form that can be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CachedHistory {
    /// The newest commit.
    pub(super) head: ObjectId,
    /// The first commit of the walk that reached back furthest.
    pub(super) start: ObjectId,
    /// Number of commits compared in that walk.
    pub(super) read: usize,
    /// True if that walk reached the first commit.
    pub(super) complete: bool,
    /// Number of commits compared in all walks.
    pub(super) compared: usize,
    /// Number of these that were compared inexactly.
    pub(super) inexact: usize,
    /// Moves and deletions of the commits, newest first.
    pub(super) commits: Vec<CommitMoves>,
}

/// A path in the file.
type Bytes<'a> = &'a [u8];

/// The body of the file.
#[derive(Serialize, Deserialize)]
struct HistoryBody<'a> {
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
    commits: Vec<CommitRecord<'a>>,
}

#[derive(Serialize, Deserialize)]
struct CommitRecord<'a> {
    id: &'a str,
    seconds: i64,
    /// From, to, and true if only the directory's move is known.
    #[serde(borrow)]
    moves: Vec<(Bytes<'a>, Bytes<'a>, bool)>,
    #[serde(borrow)]
    deletions: Vec<Bytes<'a>>,
    /// From, to, and true if no file stayed.
    #[serde(borrow)]
    directories: Vec<(Bytes<'a>, Option<Bytes<'a>>, bool)>,
}

/// Loads the history of this origin; `None` if the file is missing, broken or of another origin.
pub(super) fn load(directory: &Path, origin: &Origin) -> Option<CachedHistory> {
    decode(&FORMAT.load(&FORMAT.path_for(directory, &origin.root)?)?, origin)
}

/// Stores a history. A failure only costs time in the next process.
pub(super) fn save(directory: &Path, origin: &Origin, known: &CachedHistory) {
    if let (Some(path), Ok(body)) = (FORMAT.path_for(directory, &origin.root), encode(origin, known)) {
        FORMAT.save(&path, &body);
    }
}

fn encode(origin: &Origin, known: &CachedHistory) -> postcard::Result<Vec<u8>> {
    let body = HistoryBody {
        root: &origin.root,
        inside: &origin.inside,
        cut: &origin.cut,
        head: known.head.as_bytes(),
        start: known.start.as_bytes(),
        read: known.read,
        complete: known.complete,
        compared: known.compared,
        inexact: known.inexact,
        commits: known.commits.iter().map(CommitRecord::new).collect(),
    };
    postcard::to_stdvec(&body)
}

fn decode(body: &[u8], origin: &Origin) -> Option<CachedHistory> {
    let body: HistoryBody<'_> = postcard::from_bytes(body).ok()?;
    if (body.root, body.inside, body.cut) != (&origin.root[..], &origin.inside[..], &origin.cut[..]) {
        return None;
    }
    Some(CachedHistory {
        head: ObjectId::try_from(body.head).ok()?,
        start: ObjectId::try_from(body.start).ok()?,
        read: body.read,
        complete: body.complete,
        compared: body.compared,
        inexact: body.inexact,
        commits: body.commits.into_iter().map(CommitRecord::into_moves).collect::<Option<_>>()?,
    })
}

impl<'a> CommitRecord<'a> {
    fn new(commit: &'a CommitMoves) -> Self {
        let moves = commit.moves.iter();
        let directories = commit.directories.iter();
        Self {
            id: &commit.id,
            seconds: commit.seconds,
            moves: moves.map(|it| (it.from.as_bytes(), it.to.as_bytes(), it.by == MoveEvidence::Directory)).collect(),
            deletions: commit.deletions.iter().map(RelPath::as_bytes).collect(),
            directories: directories
                .map(|it| (it.from.as_bytes(), it.to.as_ref().map(RelPath::as_bytes), it.whole))
                .collect(),
        }
    }

    fn into_moves(self) -> Option<CommitMoves> {
        let moves = self.moves.into_iter().map(|(from, to, guessed)| {
            let by = if guessed { MoveEvidence::Directory } else { MoveEvidence::File };
            Some(Move { from: RelPath::plain(from)?, to: RelPath::plain(to)?, by })
        });
        let directories = self.directories.into_iter().map(|(from, to, whole)| {
            let to = match to {
                Some(to) => Some(RelPath::plain(to)?),
                None => None,
            };
            Some(DirectoryMove { from: RelPath::plain(from)?, to, whole })
        });
        Some(CommitMoves {
            id: self.id.to_owned(),
            seconds: self.seconds,
            moves: moves.collect::<Option<_>>()?,
            deletions: self.deletions.into_iter().map(RelPath::plain).collect::<Option<_>>()?,
            directories: directories.collect::<Option<_>>()?,
        })
    }
}
