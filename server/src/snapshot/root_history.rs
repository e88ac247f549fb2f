//! `RootHistory`: what a session knows of a root's git history.

use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitMoves, Renames};
use pathfinder_core::index::Snapshot;

use crate::os::history::{self, Extent, History};
use crate::os::listing::Listing;
use crate::os::roots::RootDir;
use crate::settings::Settings;

/// A root's history, shared by the sessions that know it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootHistory {
    pub(super) renames: Arc<Renames>,
    /// Paths that the newest commits changed, with the weight of each.
    pub(super) recent: Arc<[(RelPath, f32)]>,
    /// Paths changed since, not committed. Only `WorkspaceSnapshot::read_on` fills it: a command that asks once does not stat every
    /// file for it.
    pub(super) changed: Arc<[RelPath]>,
    pub(super) head: Option<String>,
    pub(super) is_complete: bool,
    /// Whether there is more of it, which is not read yet.
    pub(super) is_pending: bool,
    /// Moves since, not committed, newest first.
    pub(super) uncommitted_moves: Vec<CommitMoves>,
}

/// Which of two histories is the newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewerHistory {
    /// The session's own: the given one was read before.
    Own,
    /// The given one: it was read for this session.
    Other,
}

/// Commits that are read for one question where nothing is kept: at 0.05 to 0.2 ms each they take no longer than starting, and
/// people still use the old name of a file that was renamed lately.
pub(super) const MAX_COMMITS_PER_QUESTION: usize = 128;

/// How much of git's history is read when roots are opened.
#[derive(Clone, Copy, Debug)]
pub(super) enum HistoryLoad {
    /// As much as the settings allow, but beyond the walk only for as long as this.
    Within(Duration),
    /// Nothing yet.
    Skip,
}

/// Moves that are remembered without a commit: more than a person makes by hand before committing.
pub(super) const MAX_UNCOMMITTED_MOVES: usize = 100;

impl RootHistory {
    /// The state before anything is read.
    pub(super) fn unread(root: &RootDir, settings: &Settings) -> Self {
        Self { is_pending: !settings.history.is_zero() && history::is_recorded(root), ..Self::default() }
    }

    /// All that is known to have moved.
    pub(super) fn all_renames(&self) -> Arc<Renames> {
        if self.uncommitted_moves.is_empty() {
            return Arc::clone(&self.renames);
        }
        Arc::new(self.renames.extended(self.uncommitted_moves.clone(), Vec::new()))
    }

    /// Paths that changed lately; each change counts as one use at most.
    pub(super) fn uses(&self) -> impl Iterator<Item = (RelPath, f32)> {
        let changed = self.changed.iter().map(|path| (path.clone(), 1.0));
        self.recent.iter().cloned().chain(changed)
    }
}

/// Renames below a root that are not committed; `snapshot` is what is on disk. Trees whose files are fetched on access are skipped.
pub(super) fn uncommitted(
    root: &RootDir,
    settings: &Settings,
    listing: &Listing,
    snapshot: &Snapshot,
) -> Vec<CommitMoves> {
    if settings.history.is_zero() || listing.on_demand().is_some() {
        return Vec::new();
    }
    history::uncommitted(root, snapshot, settings.history).into_iter().collect()
}

/// The history as far as it can be read in this time, until `stop` says so; nothing where the settings say so.
pub(super) fn load_history(
    root: &RootDir,
    settings: &Settings,
    extent: Extent,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> RootHistory {
    if settings.history.is_zero() {
        return RootHistory::default();
    }
    let read = history::load_or_read(root, settings.cache_dir.as_deref(), extent, budget, stop);
    let History { renames, recent, head, complete, commits, inexact, from_cache } = read;
    let (moves, memory) = (renames.len(), renames.memory());
    tracing::info!(head, commits, moves, complete, inexact, from_cache, memory, "history");
    let pending = head.is_some() && !complete;
    RootHistory {
        renames: Arc::new(renames),
        recent: recent.into(),
        head,
        is_complete: complete,
        is_pending: pending,
        ..RootHistory::default()
    }
}
