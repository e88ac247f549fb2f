//! Who watches, what is watched, and what is done where not everything can be.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};

use super::{ChangeSource, Extent, Ground, Looked, Shared, Touched, Watching, lock};
use crate::os::listing::Listing;
use crate::os::watch::{self, Told, Watch};
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};
use crate::workspace::state::Reading;

/// How often it is looked whether there is something to do that nobody asks for.
const TICK: Duration = Duration::from_secs(5);
/// After so long without anything told, all is held against a walk: drift costs somebody time only if it lasts.
const IDLE: Duration = Duration::from_secs(30);

impl Shared {
    /// From now on this one tells what happens.
    pub(in crate::workspace) fn follow(self: &Arc<Self>, teller: ChangeSource) {
        if std::mem::replace(&mut *lock(&self.live.teller), teller) == ChangeSource::Nobody
            && teller != ChangeSource::Nobody
        {
            let shared = Arc::downgrade(self);
            thread::spawn(move || tend(&shared));
        }
    }

    /// Watches the trees that were just read, where that is for the system to do, and looks what has happened meanwhile. Whether all
    /// is told from now on that was not before.
    pub(in crate::workspace) fn watch(self: &Arc<Self>, generation: u64) -> bool {
        // Who watches for roots that are given up by now must not undo what another does for those that came after.
        let _placing = lock(&self.live.placing);
        let teller = *lock(&self.live.teller);
        let state = self.state();
        let Some(workspace) = state.workspace.clone().filter(|_| state.generation == generation) else { return false };
        drop(state);
        match teller {
            ChangeSource::Nobody => false,
            ChangeSource::Client => {
                let begins = !self.live.told.swap(true, Ordering::Relaxed);
                if begins {
                    // It may begin to watch only later, and says nothing of what was before: that is looked for when all is quiet.
                    *lock(&self.live.last) = Some((Instant::now(), true));
                }
                begins
            }
            ChangeSource::System if self.live.was_just_refused() => false,
            ChangeSource::System => {
                let start = Instant::now();
                let watched = self.watch_all(&workspace);
                if let Err(reason) = &watched {
                    tracing::warn!("changes are found by the times of directories, within some seconds: {reason}");
                }
                // Between the reading and the watching nobody looked.
                let mended = self.look_again(&workspace, false);
                tracing::info!(watched = watched.is_ok(), mended, took = ?start.elapsed(), "watching");
                let before = self.live.told.swap(watched.is_ok(), Ordering::Relaxed);
                let begins = watched.is_ok() && !before;
                *lock(&self.live.refused) = watched.err().map(|reason| (Instant::now(), reason));
                begins
            }
        }
    }

    /// Watches all that the index has, or else what git tells by.
    ///
    /// # Errors
    /// In words, when that cannot be.
    fn watch_all(self: &Arc<Self>, workspace: &WorkspaceSnapshot) -> Result<(), String> {
        let mut slot = lock(&self.live.watch);
        let watch = if let Some(Watching { watch, .. }) = slot.take().filter(|_| self.live.is_told()) {
            watch
        } else {
            let shared = Arc::downgrade(self);
            Watch::begin(move |told| {
                if let Some(shared) = shared.upgrade() {
                    shared.happened(&told);
                }
            })?
        };
        let roots: Vec<&Path> = workspace.opened().iter().map(|opened| opened.root.canonical.as_path()).collect();
        let grounds = lock(&self.live.grounds).clone();
        let git: Vec<PathBuf> =
            roots.iter().filter_map(|root| Some(grounds.get(*root)?.watched(root))).flatten().collect();
        let directories: usize =
            workspace.engine().roots().iter().map(|root| root.snapshot.stats().directories + 1).sum();
        let git_only = |watch: &Watch| watch.add(git.iter().map(PathBuf::as_path));
        if let Err(reason) = workspace.opened().iter().try_for_each(LoadedRoot::may_be_watched) {
            git_only(&watch);
            *slot = Some(Watching { watch, extent: Extent::Git });
            return Err(reason);
        }
        if watch::are_many(directories) {
            match watch.ask_watchman(&roots) {
                Ok(by) => {
                    git_only(&watch);
                    tracing::info!(by, directories, "what happens is told");
                    *slot = Some(Watching { watch, extent: Extent::Beside });
                    return Ok(());
                }
                Err(reason) => tracing::debug!(reason, "directories are watched one by one"),
            }
        }
        if let Err(reason) = watch::room(directories) {
            git_only(&watch);
            *slot = Some(Watching { watch, extent: Extent::Git });
            return Err(reason);
        }
        let mut added = watch.add_roots(roots.iter().copied());
        for (root, known) in roots.iter().zip(workspace.engine().roots()) {
            let below = known.snapshot.directories().into_iter();
            let below = below.filter_map(|path| Some(root.join(crate::os::bytes::to_path(&path)?)));
            let below: Vec<PathBuf> = below.collect();
            added.refused = added.refused || watch.add(below.iter().map(PathBuf::as_path)).refused;
        }
        added.refused = added.refused || git_only(&watch).refused;
        if added.refused {
            // Half of it is of no use, and somebody else needs them.
            watch.forget(&[PathBuf::from("/")]);
            git_only(&watch);
            *slot = Some(Watching { watch, extent: Extent::Git });
            let limit = watch::limit().unwrap_or_default();
            return Err(format!("no watches are left (fs.inotify.max_user_watches is {limit})"));
        }
        tracing::debug!(watches = watch.count(), "watched");
        *slot = Some(Watching { watch, extent: Extent::All });
        Ok(())
    }

    /// Watches what is new, and no more what is gone; what of that has to be looked at once more, as something may have happened
    /// there before it was watched.
    pub(super) fn watch_new(&self, root: &Path, ground: &Ground, now: &Snapshot, looked: &Looked) -> Touched {
        let slot = lock(&self.live.watch);
        let (watch, extent) = match slot.as_ref() {
            None | Some(Watching { extent: Extent::Git, .. }) => return Touched::default(),
            Some(Watching { watch, extent }) => (watch, *extent),
        };
        let at = |path: &[u8]| Some(root.join(crate::os::bytes::to_path(path)?));
        if looked.rules {
            // What is removed tells so itself; what is there and not listed any more would go on.
            let gone = looked.changes.iter().filter_map(|change| match change {
                Change::Removed(path) => at(path.as_bytes()).filter(|path| path.is_dir()),
                Change::Added(..) => None,
            });
            watch.forget(&gone.collect::<Vec<_>>());
        }
        // A directory that has another name by now is told of under the old one until it is added again.
        let below = looked.listed.iter().flat_map(|directory| {
            let below = now.entries_below(directory).into_iter().filter(|(_, kind)| *kind == Kind::Directory);
            let own = now.get(directory).filter(|kind| *kind == Kind::Directory).map(|_| directory.clone());
            below.map(|(path, _)| path).chain(own)
        });
        let new = looked.changes.iter().filter_map(|change| match change {
            Change::Added(path, Kind::Directory) if now.get(path.as_bytes()) == Some(Kind::Directory) => {
                Some(path.as_bytes().to_vec())
            }
            _ => None,
        });
        let expectant = looked.expectant.iter().filter(|path| at(path).is_some_and(|path| path.is_dir())).cloned();
        let all: BTreeSet<Vec<u8>> = match extent {
            Extent::All => below.chain(new).chain(expectant).collect(),
            // Whoever tells of the directories tells of new ones.
            Extent::Beside | Extent::Git => BTreeSet::new(),
        };
        let mut touched = Touched::default();
        for path in all {
            if let Some(directory) = at(&path)
                && watch.add([directory.as_path()]).new > 0
            {
                touched.paths.insert(RelPath::new(path));
            }
        }
        if looked.rules || looked.repositories {
            let git = ground.watched(root);
            if watch.add(git.iter().map(PathBuf::as_path)).new > 0 {
                touched.tracked = ground.tracked();
            }
        }
        touched
    }

    /// The system has lost count, or a root is gone: everything is looked at.
    pub(super) fn lost(self: &Arc<Self>, ended: bool) {
        if ended {
            self.live.reset();
        }
        let mut state = self.state();
        if state.opening {
            // Who reads has begun before.
            state.told.push(Told { lost: true, ..Told::default() });
        } else if state.roots.is_some() {
            self.start(&mut state, Reading::Wanted);
        }
    }

    /// Reads the trees of the present session once more, by times.
    pub(in crate::workspace) fn look_again_now(&self) {
        let workspace = self.state().workspace.clone();
        if let Some(workspace) = workspace {
            self.look_again(&workspace, false);
        }
    }

    /// Reads each tree once more, by times or by a walk, and mends what is different; how many entries were.
    fn look_again(&self, workspace: &WorkspaceSnapshot, walks: bool) -> usize {
        let mut mended = 0;
        let walked = workspace.opened().iter().enumerate().filter(|(_, opened)| opened.listing.on_demand().is_none());
        for (at, opened) in walked {
            let before = (!walks).then_some(&*opened.listing);
            match Listing::read(&opened.root, &workspace.options(at), before) {
                Ok(listing) => mended += self.settle(&opened.root.canonical, &listing),
                Err(error) => tracing::warn!(%error, "not looked at again"),
            }
        }
        mended
    }

    /// Holds the trees against a walk if nothing has happened for a while; how many entries were mended.
    pub(in crate::workspace) fn check(&self) -> usize {
        let Some(workspace) = self.state().workspace.clone() else { return 0 };
        let start = Instant::now();
        let mended = self.look_again(&workspace, true);
        self.live.mended.fetch_add(mended, Ordering::Relaxed);
        if mended > 0 && self.live.teller() == ChangeSource::Client {
            tracing::info!(mended, took = ?start.elapsed(), "what the client has not told was mended");
        } else if mended > 0 {
            tracing::warn!(mended, took = ?start.elapsed(), "the index was not what the disk is, and was mended");
        } else {
            tracing::debug!(took = ?start.elapsed(), "the index is what the disk is");
        }
        mended
    }

    fn tend_once(self: &Arc<Self>) {
        let told = self.live.is_told();
        let mut state = self.state();
        let is_heeded = lock(&self.live.heeding).is_some();
        let replaced = told && state.workspace.as_ref().is_some_and(|workspace| workspace.is_replaced());
        // Who only answers looks when it is asked.
        if !state.opening && (replaced || !told && is_heeded && state.is_old()) {
            if replaced {
                self.live.reset();
            }
            self.start(&mut state, if replaced { Reading::Wanted } else { Reading::Routine });
            return;
        }
        drop(state);
        let mut last = lock(&self.live.last);
        let is_due = last.is_some_and(|(at, since)| since && at.elapsed() > IDLE);
        if told && is_due && !self.reader.is_asked() {
            *last = last.map(|(at, _)| (at, false));
            drop(last);
            self.check();
        }
    }
}

/// Does from time to time what nobody asks for, as long as there is a workspace. Runs in a thread of its own.
fn tend(shared: &Weak<Shared>) {
    loop {
        thread::sleep(TICK);
        let Some(shared) = shared.upgrade().filter(|shared| !shared.stop.load(Ordering::Relaxed)) else { return };
        shared.tend_once();
    }
}
