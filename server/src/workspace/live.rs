//! `Live`: the session stays what the disk is while things happen there, by whoever tells of them.

mod moves;
mod placing;
mod watching;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};

use super::state::{Reading, Shared};
use crate::os::events::{self, Ground, Looked, Touched};
use crate::os::listing::Listing;
use crate::os::packages;
use crate::os::watch::{Told, Watch};
use crate::snapshot::WorkspaceSnapshot;
use crate::symbols::Validation;
use placing::{Placed, place};

/// A system that gives no watches is asked again after so long: to try takes as many watches as there are.
const REFUSED: Duration = Duration::from_mins(5);

/// Directories that come one in another are found one after the other, and are never nested as deep as this. One that is mounted
/// in two places of a root is new under each of its names in turn, for ever.
const LOOKS_MAX: usize = 100;

/// Who tells what happens on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChangeSource {
    /// Nobody: trees are read again by the times of their directories.
    #[default]
    Nobody,
    /// The system, as far as it can.
    System,
    /// A client, by [`Workspace::happened`](super::Workspace::happened).
    Client,
}

/// What was taken in below a root.
#[derive(Clone, Debug)]
pub(crate) struct ChangeBatch {
    /// Its canonical path.
    pub(crate) root: PathBuf,
    /// What came and went.
    pub(crate) changes: Vec<Change>,
    /// What was below the directories that went: who takes this in may know a later tree by then.
    pub(crate) below: Vec<RelPath>,
    /// Files whose contents are others.
    pub(crate) written: Vec<RelPath>,
    /// Whether ignore rules, or lists of tracked files, are others.
    pub(crate) rules: bool,
}

/// See the module's text.
#[derive(Default)]
pub(super) struct Live {
    teller: Mutex<ChangeSource>,
    watch: Mutex<Option<Watching>>,
    /// Held by who places watches.
    placing: Mutex<()>,
    /// Whether all that happens is told at this moment.
    told: AtomicBool,
    /// Why the system does not tell it.
    refused: Mutex<Option<(Instant, String)>>,
    /// By root (its canonical path); only who has the turn changes them.
    grounds: Mutex<BTreeMap<PathBuf, Ground>>,
    heeding: Mutex<Option<Sender<ChangeBatch>>>,
    /// Entries that were mended because they were not as the disk has them.
    mended: AtomicUsize,
    /// When something was told last, and whether that was since the last look at everything.
    last: Mutex<Option<(Instant, bool)>>,
}

/// The system's watches.
struct Watching {
    watch: Watch,
    extent: Extent,
}

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All directories.
    All,
    /// Only what git tells by, as watchman tells the rest.
    Beside,
    /// Only what git tells by.
    Git,
}

impl Live {
    /// Nobody tells anything, until trees were read again.
    pub(super) fn reset(&self) {
        self.told.store(false, Ordering::Relaxed);
        *lock(&self.watch) = None;
        *lock(&self.refused) = None;
    }

    /// Whether all that happens is told.
    pub(super) fn is_told(&self) -> bool {
        self.told.load(Ordering::Relaxed)
    }

    /// How many entries were not as the disk has them, until all was looked at.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn mended(&self) -> usize {
        self.mended.load(Ordering::Relaxed)
    }

    /// Who tells.
    pub(super) fn teller(&self) -> ChangeSource {
        *lock(&self.teller)
    }

    /// Why the system does not tell all that happens, if it was asked to.
    pub(super) fn refused(&self) -> Option<String> {
        lock(&self.refused).as_ref().map(|(_, reason)| reason.clone())
    }

    /// Whether the system refused so short a time ago that it need not be asked again.
    fn was_just_refused(&self) -> bool {
        lock(&self.refused).as_ref().is_some_and(|(at, _)| at.elapsed() < REFUSED)
    }

    /// What is taken in from now on.
    pub(super) fn heed(&self) -> Receiver<ChangeBatch> {
        let (sender, receiver) = channel();
        *lock(&self.heeding) = Some(sender);
        receiver
    }

    /// What a reading of the trees has found beside their entries.
    pub(super) fn know(&self, workspace: &WorkspaceSnapshot) {
        let known = workspace.opened().iter();
        let known = known.map(|opened| (opened.root.canonical.clone(), opened.listing.ground()));
        *lock(&self.grounds) = known.collect();
    }

    fn give(&self, happened: ChangeBatch) {
        if let Some(sender) = &*lock(&self.heeding) {
            // Who heeds it may be gone at the very end.
            _ = sender.send(happened);
        }
    }
}

impl Shared {
    /// Takes in what was told.
    pub(super) fn happened(self: &Arc<Self>, told: &Told) {
        *lock(&self.live.last) = Some((Instant::now(), true));
        if told.lost || told.ended {
            return self.lost(told.ended);
        }
        let turn = self.turn();
        let mut state = self.state();
        if state.opening {
            state.told.push(told.clone());
        }
        let Some(workspace) = state.workspace.clone() else { return };
        drop(state);
        let mut heard = Vec::new();
        let (mut settings, mut committed, mut hint) = (false, false, false);
        for at in 0..workspace.opened().len() {
            let root = &workspace.opened()[at].root.canonical;
            let mut placed = place(root, lock(&self.live.grounds).get(root), told);
            settings |= placed.settings;
            committed |= placed.committed;
            let is_git = placed.committed || !placed.touched.tracked.is_empty();
            // Where directories are not watched, git's own files say when it is time to look.
            hint |= is_git && !self.live.is_told();
            if workspace.opened()[at].listing.on_demand().is_some() {
                // Git's list is all that is known of it, whoever tells.
                hint |= is_git;
                placed.touched.keep_files(root);
            }
            heard.extend(self.take_in(&workspace, at, placed, &told.moves));
        }
        let any = !heard.is_empty();
        for happened in heard {
            let files: Vec<String> = happened.touched_files().collect();
            self.reader.wrote(&happened.root, &files);
            self.live.give(happened);
        }
        // Not before it is given: who takes in what happened next would overtake this.
        drop(turn);
        if any {
            self.read_symbols(Validation::Told);
        }
        if settings || hint {
            let mut state = self.state();
            if !state.opening {
                self.start(&mut state, if settings { Reading::Wanted } else { Reading::Routine });
            }
        }
        if committed {
            self.committed();
        }
    }

    /// Looks at what was told of one root, as often as what is found there has to be watched first. For who has the turn.
    fn take_in(
        &self,
        workspace: &Arc<WorkspaceSnapshot>,
        at: usize,
        placed: Placed,
        moves: &[(PathBuf, PathBuf)],
    ) -> Option<ChangeBatch> {
        let start = Instant::now();
        let opened = &workspace.opened()[at];
        let root = &opened.root;
        let Placed { mut touched, mut written, .. } = placed;
        let told = touched.paths.len();
        if touched.is_empty() && written.is_empty() {
            return None;
        }
        let before = workspace.engine().roots()[at].snapshot.clone();
        let mut now = before.clone();
        let mut ground = lock(&self.live.grounds).get(&root.canonical).cloned().unwrap_or_default();
        let mut happened =
            ChangeBatch { root: root.canonical.clone(), changes: vec![], below: vec![], written: vec![], rules: false };
        let mut looks = 0;
        while !touched.is_empty() && looks < LOOKS_MAX {
            looks += 1;
            let looked = match events::look(root, &workspace.options(at), &now, &mut ground, &touched) {
                Ok(looked) => looked,
                Err(error) => {
                    tracing::warn!(%error, "not looked at");
                    return Some(happened);
                }
            };
            happened.rules |= looked.rules;
            let gone = looked.changes.iter().filter_map(|change| match change {
                Change::Removed(path) if now.get(path.as_bytes()) == Some(Kind::Directory) => {
                    Some(now.entries_below(path.as_bytes()))
                }
                _ => None,
            });
            happened.below.extend(gone.flatten().map(|(path, _)| RelPath::new(path)));
            now = now.apply(&looked.changes);
            touched = self.watch_new(&root.canonical, &ground, &now, &looked);
            happened.changes.extend(looked.changes);
        }
        if !touched.is_empty() {
            tracing::warn!(paths = touched.paths.len(), "looked at too often, and left until all is looked at again");
        }
        written.retain(|file| now.get(file.as_bytes()).is_some());
        happened.written = written;
        now = packages::again(root, &before, now, &happened.changes, &happened.written);
        let moves = moves::seen(&root.canonical, &before, &now, moves);
        lock(&self.live.grounds).insert(root.canonical.clone(), ground);
        tracing::debug!(told, changes = happened.changes.len(), looks, took = ?start.elapsed(), "taken in");
        if !happened.changes.is_empty() || !before.same_packages(&now) {
            self.exchange(&root.canonical, &now, moves);
        }
        Some(happened)
    }

    /// Puts a tree into the session that is there by now. For who has the turn.
    fn exchange(&self, root: &Path, now: &Snapshot, moves: Option<pathfinder_core::history::CommitMoves>) {
        let mut state = self.state();
        let Some(workspace) = &state.workspace else { return };
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == root);
        if let Some(at) = at {
            state.workspace = Some(Arc::new(workspace.with_tree(at, now.clone(), moves)));
        }
    }

    /// Holds the session against a listing that was read by itself, and mends what is different; how many entries were. What
    /// has happened meanwhile is not undone: each difference is looked at again.
    pub(super) fn settle(&self, root: &Path, listing: &Listing) -> usize {
        let _turn = self.turn();
        let Some(workspace) = self.state().workspace.clone() else { return 0 };
        let Some(at) = workspace.opened().iter().position(|opened| opened.root.canonical == root) else { return 0 };
        let differences = workspace.engine().roots()[at].snapshot.differences(&listing.snapshot);
        let ground = listing.ground();
        let touched = Touched {
            doubtful: differences.into_iter().map(|change| change.path().as_bytes().to_vec()).collect(),
            tracked: ground.tracked(),
            ..Touched::default()
        };
        lock(&self.live.grounds).insert(root.to_path_buf(), ground);
        let placed = Placed { touched, ..Placed::default() };
        let Some(happened) = self.take_in(&workspace, at, placed, &[]) else { return 0 };
        let count = happened.changes.len();
        if happened.changes.iter().any(|change| matches!(change, Change::Removed(_))) {
            self.see_uncommitted(root);
        }
        if count > 0 {
            let files: Vec<String> = happened.touched_files().collect();
            self.reader.wrote(root, &files);
            self.live.give(happened);
        }
        count
    }
}

impl Shared {
    /// Asks git what was renamed below a root, where no event told it. The caller holds the turn.
    fn see_uncommitted(&self, root: &Path) {
        let Some(workspace) = self.state().workspace.clone() else { return };
        let Some(at) = workspace.opened().iter().position(|opened| opened.root.canonical == root) else { return };
        if let Some(moves) = workspace.uncommitted(at) {
            self.exchange(root, &workspace.engine().roots()[at].snapshot, Some(moves));
        }
    }
}

impl ChangeBatch {
    /// Files that came, went or were written, as text; of a directory that went, itself.
    fn touched_files(&self) -> impl Iterator<Item = String> + '_ {
        let changed = self.changes.iter().map(Change::path);
        changed.chain(&self.written).filter_map(|path| String::from_utf8(path.as_bytes().to_vec()).ok())
    }
}

/// A thread that panicked has left nothing half done: all of it is replaced in single steps.
fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
