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
use super::live::Live;
use super::used::Used;
use crate::os::watch::Told;
use crate::settings::Overrides;
use crate::snapshot::{AskError, SnapshotError, WorkspaceSnapshot};
use crate::symbols::{Reader, Validation};

/// See the module's text.
pub(super) struct Shared {
    pub(super) flags: Mutex<Overrides>,
    state: Mutex<State>,
    turn: Mutex<()>,
    /// Told whenever the state changes.
    pub(super) changed: Condvar,
    used: Mutex<Used>,
    /// Who tells what happens on disk.
    pub(super) live: Live,
    /// Reads what files declare.
    pub(super) reader: Reader,
    /// Ends what runs in the background.
    pub(super) stop: AtomicBool,
}

/// Why trees are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Somebody wants it, or something has happened.
    Wanted,
    /// Some time has passed: if nothing is different nobody is told.
    Routine,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are of different things, and change one by one")]
pub(super) struct State {
    /// The roots as given; empty is the default root, none is that nobody has opened any.
    pub(super) roots: Option<Vec<PathBuf>>,
    /// Whether the user gave them, and so may mean the whole disk.
    pub(super) given: bool,
    /// Goes up with every opening of other roots: what an older one found out is of no use.
    pub(super) generation: u64,
    /// Whether a thread reads the roots.
    pub(super) opening: bool,
    /// How many readings of roots have begun, and the last of them that has ended.
    pub(super) begun: u64,
    pub(super) ended: u64,
    /// Whether a thread reads what is left of git's history.
    pub(super) reading_on: bool,
    /// Whether there were commits since that thread began.
    pub(super) committed: bool,
    pub(super) workspace: Option<Arc<WorkspaceSnapshot>>,
    /// What was kept, or what git tracks, until the trees are read for the first time.
    pub(super) early: Option<Arc<WorkspaceSnapshot>>,
    /// Why the last opening failed.
    pub(super) failure: Option<Arc<SnapshotError>>,
    /// Why the session's trees could not be read again, the last time.
    pub(super) unread: Option<Arc<SnapshotError>>,
    /// When the session's trees were read, and how long that took.
    pub(super) read: Option<(Instant, Duration)>,
    /// Goes up when trees or history were read, or could not be: what was told or used does not count.
    pub(super) version: u64,
    /// Goes up when trees were read.
    pub(super) trees: u64,
    /// What was told while the trees were read: it may have happened behind the reader's back.
    pub(super) told: Vec<Told>,
}

impl Shared {
    pub(super) fn new(flags: Overrides) -> Self {
        Self {
            flags: Mutex::new(flags),
            state: Mutex::default(),
            turn: Mutex::default(),
            changed: Condvar::new(),
            used: Mutex::default(),
            live: Live::default(),
            reader: Reader::default(),
            stop: AtomicBool::new(false),
        }
    }

    /// A thread that panicked has left nothing half done: the state is replaced in single steps.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn to make a session of another tree.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait(
        &self,
        state: MutexGuard<'_, State>,
        done: impl Fn(&State) -> bool,
    ) -> Result<Arc<WorkspaceSnapshot>, WorkspaceError> {
        let state = self.changed.wait_while(state, |state| !done(state)).unwrap_or_else(PoisonError::into_inner);
        match (&state.workspace, &state.failure) {
            (_, Some(failure)) => Err(WorkspaceError::Roots(Arc::clone(failure))),
            (Some(workspace), None) => Ok(Arc::clone(workspace)),
            // The thread that read the roots has panicked; its message was printed.
            (None, None) => Err(AskError::Panicked("reading the roots failed".to_owned()).into()),
        }
    }

    /// Reads what files declare, in a thread of its own, unless one does already: that one then goes on.
    pub(super) fn read_symbols(self: &Arc<Self>, trust: Validation) {
        if !self.reader.begin(trust) {
            return;
        }
        let shared = Arc::clone(self);
        thread::spawn(move || {
            let watched = || shared.live.is_told();
            let current = || shared.state().workspace.clone();
            shared.reader.read(&shared.stop, &watched, &current, &|root, symbols| shared.take(root, symbols));
        });
    }

    /// Puts what is known of the files of a root (by its canonical path) into the session, if that has
    /// such a root.
    fn take(&self, root: &Path, symbols: &Symbols) -> bool {
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
    pub(super) fn familiarise(&self) {
        let mut state = self.state();
        if let Some(workspace) = &state.workspace {
            state.workspace = Some(Arc::new(self.used().familiarised(workspace)));
        }
    }
}
