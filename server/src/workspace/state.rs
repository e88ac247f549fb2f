//! `Shared`: what the threads of a workspace share, and in which order it is locked.
//!
//! Sessions never change: what becomes known makes a new one. Who makes one of another tree has the *turn*, builds it while
//! everybody asks the old one, and holds the state for the exchange only. What is known besides (symbols, history, use) is put
//! into the session that is there, in one step under the state. The turn is taken before the state, never after it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pathfinder_core::symbols::Symbols;

use super::WorkspaceError;
use super::usage::UsageHistory;
use super::watch::WatchState;
use crate::os::watch::Told;
use crate::settings::Overrides;
use crate::snapshot::{AskError, SnapshotError, WorkspaceSnapshot};
use crate::symbols::{SymbolReader, Validation};

/// See the module's text.
pub(super) struct Shared {
    pub(super) flags: Mutex<Overrides>,
    state: Mutex<WorkspaceState>,
    update_lock: Mutex<()>,
    /// Told whenever the state changes.
    pub(super) changed: Condvar,
    usage: Mutex<UsageHistory>,
    /// Who tells what happens on disk.
    pub(super) watch: WatchState,
    /// Reads what files declare.
    pub(super) symbol_reader: SymbolReader,
    /// Ends what runs in the background.
    pub(super) stop: AtomicBool,
}

/// Why trees are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadReason {
    /// Somebody wants it, or something has happened.
    Requested,
    /// Some time has passed: if nothing is different nobody is told.
    Routine,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are of different things, and change one by one")]
pub(super) struct WorkspaceState {
    /// The roots as given; empty is the default root, none is that nobody has opened any.
    pub(super) roots: Option<Vec<PathBuf>>,
    /// Whether the user gave them, and so may mean the whole disk.
    pub(super) is_user_given: bool,
    /// Goes up with every opening of other roots: what an older one found out is of no use.
    pub(super) generation: u64,
    /// Whether a thread reads the roots.
    pub(super) is_opening: bool,
    /// How many readings of roots have begun, and the last of them that has ended.
    pub(super) started_reads: u64,
    pub(super) finished_reads: u64,
    /// Whether a thread reads what is left of git's history.
    pub(super) is_reading_history: bool,
    /// Whether there were commits since that thread began.
    pub(super) has_new_commits: bool,
    pub(super) workspace: Option<Arc<WorkspaceSnapshot>>,
    /// What was kept, or what git tracks, until the trees are read for the first time.
    pub(super) provisional: Option<Arc<WorkspaceSnapshot>>,
    /// Why the last opening failed.
    pub(super) open_error: Option<Arc<SnapshotError>>,
    /// Why the session's trees could not be read again, the last time.
    pub(super) reread_error: Option<Arc<SnapshotError>>,
    /// When the session's trees were read, and how long that took.
    pub(super) last_read: Option<(Instant, Duration)>,
    /// Goes up when trees or history were read, or could not be: what was told or used does not count.
    pub(super) version: u64,
    /// Goes up when trees were read.
    pub(super) trees: u64,
    /// What was told while the trees were read: it may have happened behind the reader's back.
    pub(super) pending_changes: Vec<Told>,
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

    /// A thread that panicked has left nothing half done: the state is replaced in single steps.
    pub(super) fn state(&self) -> MutexGuard<'_, WorkspaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn to make a session of another tree.
    pub(super) fn update_lock(&self) -> MutexGuard<'_, ()> {
        self.update_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn usage(&self) -> MutexGuard<'_, UsageHistory> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait(
        &self,
        state: MutexGuard<'_, WorkspaceState>,
        done: impl Fn(&WorkspaceState) -> bool,
    ) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let state = self.changed.wait_while(state, |state| !done(state)).unwrap_or_else(PoisonError::into_inner);
        match (&state.workspace, &state.open_error) {
            (_, Some(failure)) => Err(WorkspaceError::Roots(Arc::clone(failure))),
            (Some(workspace), None) => Ok(Arc::clone(workspace)),
            // The thread that read the roots has panicked; its message was printed.
            (None, None) => Err(AskError::Panicked("reading the roots failed".to_owned()).into()),
        }
    }

    /// Reads what files declare, in a thread of its own, unless one does already: that one then goes on.
    pub(super) fn read_symbols(self: &Arc<Self>, trust: Validation) {
        if !self.symbol_reader.request(trust) {
            return;
        }
        let shared = Arc::clone(self);
        thread::spawn(move || {
            let watched = || shared.watch.is_complete();
            let current = || shared.state().workspace.clone();
            shared
                .symbol_reader
                .read(&shared.stop, &watched, &current, &|root, symbols| shared.set_symbols(root, symbols));
        });
    }

    /// Puts what is known of the files of a root (by its canonical path) into the session, if that has
    /// such a root.
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

    /// Tells the session what is familiar by now.
    pub(super) fn refresh_frecency(&self) {
        let mut state = self.state();
        if let Some(workspace) = &state.workspace {
            state.workspace = Some(Arc::new(self.usage().with_frecency(workspace)));
        }
    }
}
