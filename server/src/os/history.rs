//! Git's history of a root: read in the background, kept on disk, continued where it was left.
//!
//! Only commits with one parent are compared, with that parent. A merge says nothing new in the usual case,
//! and comparing it with its first parent would read every branch a second time as one large commit, named
//! by the merge instead of the commit that moved the file. What only a merge moved (a file that a branch
//! added to a directory renamed meanwhile) is still led by the directory.
//!
//! Renames are found by the steps and numbers of git itself, but for empty files, which git pairs at random.
//!
//! The repository is opened without the user's and the system's configuration and is only read. Nothing here
//! starts a program.

mod cache;
mod compare;
mod read;
mod recent;
mod rename_pairs;
mod repository;
mod similarity;
mod uncommitted;

use std::path::Path;
use std::time::{Duration, Instant};

use gix::ObjectId;
use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitMoves, Renames};
use pathfinder_core::index::Snapshot;

use super::roots::RootDir;
use cache::CachedHistory;
use read::{CommitRange, ComparedRange};
pub(super) use repository::RepoLocation;

/// What is known of a root's history.
#[derive(Debug, Default)]
pub(crate) struct GitHistory {
    /// Where paths that are gone went.
    pub(crate) renames: Renames,
    /// What the newest commits changed, and how much that counts against a use in a session.
    pub(crate) recent: Vec<(RelPath, f32)>,
    /// The commit that this is the history of; `None` without a repository, or before its first commit.
    pub(crate) head: Option<String>,
    /// Whether all there is was read. A shallow clone ends where it was cut off, and is complete.
    pub(crate) complete: bool,
    /// How many commits with one parent were compared, now or for the cache.
    pub(crate) commits: usize,
    /// In how many of them files were not compared, because these are missing or too many.
    pub(crate) inexact: usize,
    /// Whether part of it was on disk already.
    pub(crate) from_cache: bool,
}

/// How much of a history is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryScope {
    /// All of it, as far as the time allows, from where an earlier reading was left. It is kept.
    All,
    /// The cached history, and of newer commits so many at most. Writes no cache: this is for a command that asks one question.
    Newest(usize),
}

pub(crate) use {GitHistory as History, HistoryScope as Extent};

/// When to leave off.
#[derive(Clone, Copy)]
struct Limits<'a> {
    deadline: Option<Instant>,
    /// Commits that are compared in one range.
    commits_max: usize,
    /// Asked often: whether to leave off. It may take its time to say so, while somebody else has work that is more urgent.
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Limits<'_> {
    fn reached(&self) -> bool {
        (self.stop)() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The history of a root, newest commits first, as far as `extent`, `budget` and `stop` allow; later calls go on from
/// there. With a `cache` directory, what was read is kept in it.
///
/// Never fails: what cannot be read is missing, and [`GitHistory::complete`] says so.
pub(crate) fn load_or_read(
    root: &RootDir,
    cache: Option<&Path>,
    extent: HistoryScope,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> GitHistory {
    let commits_max = if let HistoryScope::Newest(most) = extent { most } else { usize::MAX };
    let limits = Limits { deadline: Instant::now().checked_add(budget), commits_max, stop };
    let Some(place) = RepoLocation::find(root) else { return GitHistory::default() };
    // Nothing to open a repository for.
    if place.is_unborn() {
        return GitHistory { complete: true, ..GitHistory::default() };
    }
    let Some(repository) = place.open() else { return GitHistory::default() };
    let Some(head) = place.head(&repository) else {
        return GitHistory { complete: true, ..GitHistory::default() };
    };
    let origin = place.origin(root, &repository);
    let known = cache.and_then(|directory| cache::load(directory, &origin));
    let known = known.filter(|known| repository::is_ancestor(&repository, head, known.head));
    drop(repository);

    let recent = recent::recent_changes(&place, head, limits);
    let before = known.as_ref().map(|known| (known.head, known.read));
    let (next, lasting) = match known {
        Some(known) => resume(&place, known, head, limits),
        None => (read_from_head(&place, head, limits), true),
    };
    if let Some(directory) =
        cache.filter(|_| extent == HistoryScope::All && lasting && before != Some((next.head, next.read)))
    {
        cache::save(directory, &origin, &next);
    }
    GitHistory {
        renames: Renames::new(&next.commits),
        recent,
        head: Some(next.head.to_string()),
        complete: next.complete,
        commits: next.compared,
        inexact: next.inexact,
        from_cache: before.is_some(),
    }
}

/// The newest commit of a root's repository at this moment, if there is one.
pub(crate) fn head(root: &RootDir) -> Option<String> {
    let place = RepoLocation::find(root).filter(|place| !place.is_unborn())?;
    Some(place.head(&place.open()?)?.to_string())
}

/// Whether a root has a history that can be read.
pub(crate) fn is_recorded(root: &RootDir) -> bool {
    RepoLocation::find(root).is_some_and(|place| !place.is_unborn())
}

/// The renames below a root that are not committed yet; `None` if there are none, or if they cannot be found within `budget`.
pub(crate) fn uncommitted(root: &RootDir, snapshot: &Snapshot, budget: Duration) -> Option<CommitMoves> {
    let limits = Limits { deadline: Instant::now().checked_add(budget), commits_max: 0, stop: &|| false };
    uncommitted::find_uncommitted(root, snapshot, limits)
}

/// Reads from the newest commit on.
fn read_from_head(place: &RepoLocation, head: ObjectId, limits: Limits<'_>) -> CachedHistory {
    let part = read::read_range(place, CommitRange { from: head, hide: None, skip: 0 }, limits);
    CachedHistory {
        head,
        start: head,
        read: part.compared,
        complete: part.complete,
        compared: part.compared,
        inexact: part.inexact,
        commits: part.commits,
    }
}

/// Adds what is new since, and then what was left over then. False if there is a gap between the two, so
/// that the result must not be continued.
fn resume(place: &RepoLocation, known: CachedHistory, head: ObjectId, limits: Limits<'_>) -> (CachedHistory, bool) {
    let nothing = || ComparedRange { complete: true, ..ComparedRange::default() };
    let newer = if known.head == head {
        nothing()
    } else {
        read::read_range(place, CommitRange { from: head, hide: Some(known.head), skip: 0 }, limits)
    };
    if newer.broken {
        // Perhaps the repository was cut shorter since. What can be reached now is found by starting over.
        return (read_from_head(place, head, limits), true);
    }
    let older = if known.complete || !newer.complete || known.read >= limits.commits_max {
        ComparedRange { complete: known.complete && newer.complete, ..ComparedRange::default() }
    } else {
        read::read_range(place, CommitRange { from: known.start, hide: None, skip: known.read }, limits)
    };
    let joined = newer.complete;
    let next = CachedHistory {
        head,
        start: known.start,
        read: known.read + older.compared,
        complete: older.complete,
        compared: newer.compared + known.compared + older.compared,
        inexact: newer.inexact + known.inexact + older.inexact,
        commits: [newer.commits, known.commits, older.commits].concat(),
    };
    (next, joined)
}
