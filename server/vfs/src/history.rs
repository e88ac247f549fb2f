//! Reads git's history of a root: renames, deletions and recently changed files. Called by `snapshot::root_history`, in
//! the background for servers. The result is cached on disk and later reads continue from it.
//!
//! Only commits with one parent are compared, with that parent. A merge adds nothing in the usual case. Comparing it
//! with its first parent would read every branch a second time as one large commit, named by the merge instead of the
//! commit that moved the file. A move that only a merge made (a file that a branch added to a directory renamed
//! meanwhile) is still found by its directory.
//!
//! Renames are found by git's own steps and numbers, except for empty files, which git pairs at random.
//!
//! The repository is opened read-only, without the user's and the system's configuration. Nothing here starts a
//! program.

mod cache;
mod compare;
mod read;
mod recent;
mod rename_pairs;
mod repository;
mod similarity;
pub mod subjects;
mod uncommitted;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use gix::ObjectId;
use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitMoves, Renames};
use pathfinder_core::index::Snapshot;

use super::roots::RootDir;
use cache::CachedHistory;
use read::{CommitRange, ComparedRange};
pub(super) use repository::RepoLocation;
use repository::SharedRepository;

/// Git history of a root, as far as it was read.
#[derive(Debug, Default)]
pub struct GitHistory {
    /// Targets of moved paths, and deleted paths.
    pub renames: Renames,
    /// Files that the newest commits changed, with the weight of each change relative to a use of the file.
    pub recent: Vec<(RelPath, f32)>,
    /// The commit at which the history starts; `None` without a repository or before its first commit.
    pub head: Option<String>,
    /// True if the whole history was read. A shallow clone is complete although it ends where it was cut off.
    pub complete: bool,
    /// Number of commits with one parent that were compared, now or for the cache.
    pub commits: usize,
    /// Number of these commits in which file contents were not compared, because they are missing or too many.
    pub inexact: usize,
    /// True if part of it came from the cache.
    pub from_cache: bool,
}

/// Amount of history to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryScope {
    /// All of it as far as the time allows, continuing an earlier read. The result is cached.
    All,
    /// The cached history, and at most this many newer commits. Nothing is cached: a command that answers once uses
    /// this.
    Newest(usize),
}

/// Limits of one read.
#[derive(Clone, Copy)]
struct Limits<'a> {
    deadline: Option<Instant>,
    /// Maximum number of commits compared in one range.
    max_commits: usize,
    /// Returns true to stop reading. Called often. It may block while more urgent work runs.
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Limits<'_> {
    fn is_reached(&self) -> bool {
        (self.stop)() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Returns the history of a root, newest commits first, as far as `extent`, `budget` and `stop` allow. With a `cache`
/// directory, the result is stored there and later calls continue from it.
///
/// Never fails: unreadable parts are missing, and [`GitHistory::complete`] is false.
pub fn load_or_read(
    root: &RootDir,
    cache: Option<&Path>,
    extent: HistoryScope,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> GitHistory {
    let max_commits = if let HistoryScope::Newest(most) = extent { most } else { usize::MAX };
    let limits = Limits { deadline: Instant::now().checked_add(budget), max_commits, stop };
    let Some(location) = RepoLocation::find(root) else { return GitHistory::default() };
    // A repository without commits need not be opened.
    if location.is_unborn() {
        return GitHistory { complete: true, ..GitHistory::default() };
    }
    let Some(repository) = location.open() else { return GitHistory::default() };
    let Some(head) = location.head(&repository) else {
        return GitHistory { complete: true, ..GitHistory::default() };
    };
    let origin = location.origin(root, &repository);
    let known = cache.and_then(|directory| cache::load(directory, &origin));
    let known = known.filter(|known| repository::is_ancestor(&repository, head, known.head));
    let shared = SharedRepository::new(repository);

    let before = known.as_ref().map(|known| (known.head, known.read));
    let (recent, (next, lasting)) = thread::scope(|scope| {
        let recent = scope.spawn(|| recent::recent_changes(&location, &shared.local(), head, limits));
        let read = match known {
            Some(known) => resume(&location, &shared, known, head, limits),
            None => (read_from_head(&location, &shared, head, limits), true),
        };
        let recent = recent.join().unwrap_or_else(|_| {
            tracing::warn!("reading the newest commits failed");
            Vec::new()
        });
        (recent, read)
    });
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

/// Returns the newest commit, and the files that it and those before it changed, with the weight of each change relative to a use of
/// the file: what [`load_or_read`] returns of them, without the moves. `None` if there is no commit.
pub fn read_recent(
    root: &RootDir,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<(String, Vec<(RelPath, f32)>)> {
    let limits = Limits { deadline: Instant::now().checked_add(budget), max_commits: 0, stop };
    let location = RepoLocation::find(root).filter(|location| !location.is_unborn())?;
    let repository = location.open()?;
    let head = location.head(&repository)?;
    Some((head.to_string(), recent::recent_changes(&location, &repository, head, limits)))
}

/// Returns the newest commit of a root's repository, if there is one.
pub fn head(root: &RootDir) -> Option<String> {
    let location = RepoLocation::find(root).filter(|location| !location.is_unborn())?;
    Some(location.head(&location.open()?)?.to_string())
}

/// Returns what the history of a root begins and ends with: the newest commit, and a hash of the commits at which a shallow
/// clone was cut off. The same position has the same history. Empty without a commit.
pub fn position(root: &RootDir) -> String {
    let read = || {
        let location = RepoLocation::find(root).filter(|location| !location.is_unborn())?;
        let repository = location.open()?;
        let head = location.head(&repository)?;
        let cut = location.origin(root, &repository).cut;
        Some(format!("{head} {cut}"))
    };
    read().unwrap_or_default()
}

/// Returns whether a root has a history that can be read.
pub fn is_recorded(root: &RootDir) -> bool {
    RepoLocation::find(root).is_some_and(|location| !location.is_unborn())
}

/// Returns whether the history of a root is cut off: its repository is a shallow clone.
pub fn is_cut_off(root: &RootDir) -> bool {
    super::git::worktree_top(&root.canonical)
        .and_then(super::git::GitDir::from_worktree)
        .is_some_and(|git| git.is_shallow())
}

/// Returns the uncommitted renames below a root; `None` if there are none or `budget` runs out.
pub fn uncommitted(root: &RootDir, snapshot: &Snapshot, budget: Duration) -> Option<CommitMoves> {
    let limits = Limits { deadline: Instant::now().checked_add(budget), max_commits: 0, stop: &|| false };
    uncommitted::find_uncommitted(root, snapshot, limits)
}

/// Reads from the newest commit on.
fn read_from_head(
    location: &RepoLocation,
    shared: &SharedRepository,
    head: ObjectId,
    limits: Limits<'_>,
) -> CachedHistory {
    let part = read::read_range(location, shared, CommitRange { from: head, hide: None, skip: 0 }, limits);
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

/// Adds newer commits, then the older ones that were not read before. Returns false if there is a gap between the two,
/// so that the result must not be continued.
fn resume(
    location: &RepoLocation,
    shared: &SharedRepository,
    known: CachedHistory,
    head: ObjectId,
    limits: Limits<'_>,
) -> (CachedHistory, bool) {
    let nothing = || ComparedRange { complete: true, ..ComparedRange::default() };
    let newer = if known.head == head {
        nothing()
    } else {
        read::read_range(location, shared, CommitRange { from: head, hide: Some(known.head), skip: 0 }, limits)
    };
    if newer.broken {
        // The repository may have become shallower since. Starting over finds the commits that are still reachable.
        return (read_from_head(location, shared, head, limits), true);
    }
    let older = if known.complete || !newer.complete || known.read >= limits.max_commits {
        ComparedRange { complete: known.complete && newer.complete, ..ComparedRange::default() }
    } else {
        read::read_range(location, shared, CommitRange { from: known.start, hide: None, skip: known.read }, limits)
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
