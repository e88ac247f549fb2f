//! State that the threads of a `Workspace` share, and its locks.
//!
//! Snapshots are immutable, so an update makes a new one. Only the holder of the update lock builds a snapshot with another
//! tree. Readers keep using the old one; only the pointer swap takes the state lock. Symbols, history and uses are added to
//! the current snapshot in one step under the state lock. The update lock is taken before the state lock, never after it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};
use pathfinder_content::{CommitSubjects, ContentIndex};
use pathfinder_core::symbols::Symbols;

use super::WorkspaceError;
use super::usage::UsageHistory;
use super::watch::WatchState;
use crate::settings::Overrides;
use crate::snapshot::{AskError, SnapshotError, WorkspaceSnapshot};
use crate::symbols::{SymbolReader, Validation};
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::watch::PendingChanges;

/// Shared state of a workspace.
pub(super) struct Shared {
    /// Command-line settings for later reads.
    pub(super) flags: Mutex<Overrides>,
    state: Mutex<WorkspaceState>,
    update_lock: Mutex<()>,
    /// Notified when the state changes.
    pub(super) changed: Condvar,
    usage: Mutex<UsageHistory>,
    /// Watching for changes on disk.
    pub(super) watch: WatchState,
    /// Reads declarations in the background.
    pub(super) symbol_reader: SymbolReader,
    /// Stops background work when set.
    pub(super) stop: AtomicBool,
}

/// The reason why the trees are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadReason {
    /// A caller has requested it, or something has changed.
    Requested,
    /// Time has passed: if the trees are the same, subscribers are not notified.
    Routine,
}

/// State under the state lock.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are of different things, and change one by one")]
pub(super) struct WorkspaceState {
    /// The roots as given. Empty means the default root; `None` means that no root was opened.
    pub(super) roots: Option<Vec<PathBuf>>,
    /// True if the user gave the roots: only then they may be as wide as the disk.
    pub(super) is_user_given: bool,
    /// Increases when other roots are opened: results of an older generation are dropped.
    pub(super) generation: u64,
    /// True while a thread reads the roots.
    pub(super) is_opening: bool,
    /// Number of reads that have started.
    pub(super) started_reads: u64,
    /// Number of the last read that has finished.
    pub(super) finished_reads: u64,
    /// True while a thread reads git history.
    pub(super) is_reading_history: bool,
    /// True if there were commits since that thread started its round.
    pub(super) has_new_commits: bool,
    /// The current snapshot, once the roots were read.
    pub(super) workspace: Option<Arc<WorkspaceSnapshot>>,
    /// Snapshot from the cache or git's index, until the trees are read for the first time.
    pub(super) provisional: Option<Arc<WorkspaceSnapshot>>,
    /// The reason why the last opening failed.
    pub(super) open_error: Option<Arc<SnapshotError>>,
    /// The reason why the trees could not be read again, the last time.
    pub(super) reread_error: Option<Arc<SnapshotError>>,
    /// The time of the last reading of the trees, and its duration.
    pub(super) last_read: Option<(Stopwatch, Duration)>,
    /// Increases when trees or history were read, or could not be; change events and uses do not count.
    pub(super) version: u64,
    /// Increases when trees were read.
    pub(super) tree_version: u64,
    /// Changes reported during a read, which may have missed them.
    pub(super) pending_changes: Vec<PendingChanges>,
}

impl WorkspaceState {
    /// Returns the state without roots. Its counters go on, so that results of the closed roots are told apart.
    pub(super) fn closed(&self) -> Self {
        let &Self { generation, started_reads, finished_reads, version, tree_version, .. } = self;
        let generation = generation + 1;
        Self { generation, started_reads, finished_reads, version, tree_version, ..Self::default() }
    }

    /// Chooses the default root if none was chosen yet. A question that is still running must not open it after the
    /// roots were closed.
    pub(super) fn open_default_roots(&mut self) -> Result<(), WorkspaceError> {
        if self.roots.is_none() && self.generation > 0 {
            return Err(WorkspaceError::Closed);
        }
        self.generation = self.generation.max(1);
        self.roots.get_or_insert_default();
        Ok(())
    }
}

impl Shared {
    pub(super) fn new(flags: Overrides) -> Self {
        Self {
            flags: Mutex::new(flags),
            state: Mutex::default(),
            update_lock: Mutex::default(),
            changed: Condvar::new(),
            usage: Mutex::default(),
            watch: WatchState::default(),
            symbol_reader: SymbolReader::default(),
            stop: AtomicBool::new(false),
        }
    }

    /// Locks the state. It is valid after a panic, since each change is a single step.
    pub(super) fn state(&self) -> MutexGuard<'_, WorkspaceState> {
        self.state.lock()
    }

    /// Locks updates of the tree.
    pub(super) fn update_lock(&self) -> MutexGuard<'_, ()> {
        self.update_lock.lock()
    }

    /// Locks the recorded uses.
    pub(super) fn usage(&self) -> MutexGuard<'_, UsageHistory> {
        self.usage.lock()
    }

    /// Waits until the state is `done`, and returns the snapshot.
    ///
    /// # Errors
    /// If the roots cannot be used, or the reading thread has panicked.
    pub(super) fn wait_until(
        &self,
        mut state: MutexGuard<'_, WorkspaceState>,
        done: impl Fn(&WorkspaceState) -> bool,
    ) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        self.changed.wait_while(&mut state, |state| !done(state));
        match (&state.workspace, &state.open_error) {
            (_, Some(failure)) => Err(WorkspaceError::Roots(Arc::clone(failure))),
            (Some(workspace), None) => Ok(Arc::clone(workspace)),
            // The reading thread has panicked; its message was printed.
            (None, None) => Err(AskError::Panicked("reading the roots failed".to_owned()).into()),
        }
    }

    /// Starts a thread that reads declarations, or has the running one continue.
    pub(super) fn read_symbols(self: &Arc<Self>, trust: Validation) {
        if !self.symbol_reader.request(trust) {
            return;
        }
        let shared = Arc::clone(self);
        thread::spawn(move || {
            let watched = || shared.watch.is_complete();
            let current = || shared.state().workspace.clone();
            shared.symbol_reader.read(
                &shared.stop,
                &watched,
                &current,
                &|root, symbols| shared.set_symbols(root, symbols),
                &|root, contents, subjects| shared.set_contents(root, contents, subjects),
            );
        });
    }

    /// Stores the symbols of a root (canonical path). Returns false if the root is not open.
    fn set_symbols(&self, root: &Path, symbols: &Symbols) -> bool {
        let mut state = self.state();
        let Some(workspace) = &state.workspace else { return false };
        if !workspace.opened().iter().any(|opened| opened.root.canonical == root) {
            return false;
        }
        let roots = workspace.opened().iter().zip(workspace.engine().roots());
        let known = roots.map(
            |(opened, known)| {
                if opened.root.canonical == root { symbols.clone() } else { known.symbols.clone() }
            },
        );
        state.workspace = Some(Arc::new(workspace.with_symbols(known.collect())));
        true
    }

    /// Stores the words of the files of a root (canonical path), and the subjects of its commits if they were read. Returns false if the root is not open.
    fn set_contents(&self, root: &Path, contents: &ContentIndex, subjects: Option<&Arc<CommitSubjects>>) -> bool {
        let mut state = self.state();
        let Some(workspace) = &state.workspace else { return false };
        if !workspace.opened().iter().any(|opened| opened.root.canonical == root) {
            return false;
        }
        let known = workspace
            .opened()
            .iter()
            .map(|opened| if opened.root.canonical == root { contents.clone() } else { opened.contents.clone() });
        let all_subjects = subjects.map(|subjects| {
            let known = workspace.opened().iter().map(|opened| {
                if opened.root.canonical == root { Some(Arc::clone(subjects)) } else { opened.subjects.clone() }
            });
            known.collect()
        });
        state.workspace = Some(Arc::new(workspace.with_contents(known.collect(), all_subjects)));
        true
    }

    /// Updates the snapshot with the recorded uses.
    pub(super) fn refresh_frecency(&self) {
        let mut state = self.state();
        if let Some(workspace) = &state.workspace {
            state.workspace = Some(Arc::new(self.usage().with_frecency(workspace)));
        }
    }
}
