//! Git history of one root as a `WorkspaceSnapshot` knows it: renames, recently changed paths, uncommitted moves.

use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitMoves, Renames};
use pathfinder_core::index::Snapshot;

use crate::settings::Settings;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::history::{self, GitHistory, HistoryScope};
use pathfinder_vfs::roots::RootDir;

/// `GitHistory` of one root. Snapshots share it.
#[derive(Clone, Debug, Default)]
pub struct RootHistory {
    /// Committed renames and deletions.
    pub(super) renames: Arc<Renames>,
    /// Paths that the newest commits changed, with their weights.
    pub(super) recent: Arc<[(RelPath, f32)]>,
    /// Paths with uncommitted changes. Only `WorkspaceSnapshot::read_full_history` fills it: a single command does not stat
    /// every file.
    pub(super) changed: Arc<[RelPath]>,
    /// The commit that the history was read from.
    pub(super) head: Option<String>,
    /// True if all history was read.
    pub(super) is_complete: bool,
    /// True if there is more history to read.
    pub(super) is_pending: bool,
    /// The parts that were cut off by a time limit.
    pub(super) cut: CutParts,
    /// Uncommitted moves, newest first.
    pub(super) uncommitted_moves: Vec<CommitMoves>,
}

/// Parts of a history for which the time was over, so that another read may find more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CutParts {
    pub(super) commits: bool,
    pub(super) moves: bool,
}

/// Tells which of two histories is newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewerHistory {
    /// The snapshot's own; the other one was read before.
    Own,
    /// The other one; it was read for this snapshot.
    Other,
}

/// Commits read for one question if no history is cached. At 0.05 to 0.2 ms each they take no longer than the start of the
/// process, and users still use the old names of recently renamed files.
pub(super) const MAX_COMMITS_PER_QUESTION: usize = 128;

/// The amount of git history that opening the roots reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum HistoryLoad {
    /// Commits within the time that the settings allow; once the walk has ended, only until this long after the start.
    Within(Duration),
    /// Only the files that the newest commits changed: a search asks for no moves.
    Recent,
    /// None.
    Skip,
}

/// Most uncommitted moves that are remembered: more than a user makes between commits.
pub(super) const MAX_UNCOMMITTED_MOVES: usize = 100;

impl RootHistory {
    /// Returns the state before any history is read.
    pub(super) fn new(root: &RootDir, settings: &Settings) -> Self {
        Self { is_pending: !settings.history.is_zero() && history::is_recorded(root), ..Self::default() }
    }

    /// Returns committed and uncommitted renames.
    pub(super) fn all_renames(&self) -> Arc<Renames> {
        if self.uncommitted_moves.is_empty() {
            return Arc::clone(&self.renames);
        }
        Arc::new(self.renames.with_commits(self.uncommitted_moves.clone(), Vec::new()))
    }

    /// Returns recently changed paths with their weights; an uncommitted change weighs 1.
    pub(super) fn uses(&self) -> impl Iterator<Item = (RelPath, f32)> {
        let changed = self.changed.iter().map(|path| (path.clone(), 1.0));
        self.recent.iter().cloned().chain(changed)
    }
}

/// Returns uncommitted renames below a root; `snapshot` is the present tree.
pub(super) fn uncommitted(root: &RootDir, settings: &Settings, snapshot: &Snapshot) -> Vec<CommitMoves> {
    if settings.history.is_zero() {
        return Vec::new();
    }
    history::uncommitted(root, snapshot, settings.history).into_iter().collect()
}

/// Returns uncommitted renames as [`uncommitted`] does, and whether its time was over.
pub(super) fn uncommitted_in_time(
    root: &RootDir,
    settings: &Settings,
    snapshot: &Snapshot,
) -> (Vec<CommitMoves>, bool) {
    let start = Stopwatch::start();
    let moves = uncommitted(root, settings, snapshot);
    (moves, !settings.history.is_zero() && start.elapsed() >= settings.history)
}

/// Reads the files that the newest commits changed, within the time that the settings allow. Empty if they disable history.
pub(super) fn load_recent(root: &RootDir, settings: &Settings) -> RootHistory {
    let before = RootHistory::new(root, settings);
    let read = before.is_pending.then(|| history::read_recent(root, settings.history, &|| false)).flatten();
    match read {
        Some((head, recent)) => RootHistory { recent: recent.into(), head: Some(head), ..before },
        None => before,
    }
}

/// Reads history within a time budget, until `stop` returns true. Empty if the settings disable history.
pub(super) fn load_history(
    root: &RootDir,
    settings: &Settings,
    extent: HistoryScope,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> RootHistory {
    if settings.history.is_zero() {
        return RootHistory::default();
    }
    let start = Stopwatch::start();
    let read = history::load_or_read(root, settings.cache_dir.as_deref(), extent, budget, stop);
    let is_cut = stop() || start.elapsed() >= budget;
    let GitHistory { renames, recent, head, complete, commits, inexact, from_cache } = read;
    let (moves, memory) = (renames.len(), renames.memory());
    tracing::info!(head, commits, moves, complete, inexact, from_cache, memory, "history");
    let pending = head.is_some() && !complete;
    RootHistory {
        renames: Arc::new(renames),
        recent: recent.into(),
        head,
        is_complete: complete,
        is_pending: pending,
        cut: CutParts { commits: is_cut, moves: false },
        ..RootHistory::default()
    }
}
