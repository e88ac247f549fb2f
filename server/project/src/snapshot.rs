//! Immutable snapshot of a workspace: indexed roots, their engine and probe. Commands, servers and hooks answer from one.

mod ask;
mod file_contents;
mod file_indexes;
mod inputs;
mod root_checks;
mod root_history;
mod timings;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pathfinder_content::{CommitSubjects, ContentIndex};
use pathfinder_core::frecency::{Frecency, Visits};
use pathfinder_core::history::CommitMoves;
use pathfinder_core::index::Snapshot;
use pathfinder_core::symbols::Symbols;
use pathfinder_core::{Engine, Root};
use thiserror::Error;

use crate::asked_directories::AskedDirectories;
use crate::settings::{Overrides, SettingError, Settings};
use crate::similarity::{self, LazyModel};
pub use ask::{AskError, Timing, catch_panic};
pub use inputs::SnapshotInputs;
use pathfinder_vfs::cache_file::trim;
use pathfinder_vfs::changed::find_changed_files;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::environment::{self, home_variable as home};
use pathfinder_vfs::history::{self, HistoryScope};
use pathfinder_vfs::listing::{Listing, ListingSource};
use pathfinder_vfs::memory;
use pathfinder_vfs::probe::DiskProbe;
use pathfinder_vfs::roots::{self, RootDir, RootError, RootSet};
use pathfinder_vfs::walk::WalkOptions;
pub use root_checks::{check_roots_and_settings, refuse_too_wide};
use root_history::{
    CutParts, HistoryLoad, MAX_COMMITS_PER_QUESTION, MAX_UNCOMMITTED_MOVES, load_history, load_recent, uncommitted,
    uncommitted_in_time,
};
pub(crate) use root_history::{NewerHistory, RootHistory};
pub(crate) use timings::OpenTimings;

/// The reason why a snapshot could not be opened.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// A root cannot be used.
    #[error(transparent)]
    Root(#[from] RootError),
    /// A setting has an invalid value.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A root, or the current directory without one, is too wide to be a project.
    #[error("the root {0} is a whole disk or a home directory, no project: name a project's with --root")]
    TooWide(String),
}

/// One opened root: its settings, listing, timings and history.
#[derive(Clone, Debug)]
pub struct LoadedRoot {
    /// Name and paths of the root.
    pub root: RootDir,
    /// Settings that apply to the root.
    pub settings: Settings,
    /// The listing that the snapshot was opened with.
    pub listing: Arc<Listing>,
    /// Timings of opening the root, besides the listing's own.
    pub times: OpenTimings,
    /// Known git history.
    history: RootHistory,
    /// The words of its files, as far as they are read.
    pub contents: ContentIndex,
    /// The words of its commits' subjects, once they are read.
    pub subjects: Option<Arc<CommitSubjects>>,
    /// Directories that questions were about.
    pub(crate) asked: Arc<AskedDirectories>,
}

impl LoadedRoot {
    /// Returns whether all git history was read.
    pub fn has_full_history(&self) -> bool {
        self.history.is_complete
    }
}

/// `RootSet`, engine and probe. Immutable: an update makes a new snapshot that shares unchanged parts with this one.
pub struct WorkspaceSnapshot {
    engine: Engine,
    probe: Arc<DiskProbe>,
    opened: Arc<[LoadedRoot]>,
}

impl WorkspaceSnapshot {
    /// Finds, walks and indexes the roots; without any, the enclosing git worktree or else the current directory.
    ///
    /// Git history is read in parallel, for as long as the settings allow but at most `timeout` after the start once the
    /// walk has ended. Trees that `before` contains are only brought up to date.
    ///
    /// # Errors
    /// If a root or a setting cannot be used.
    pub fn open(
        given: &[PathBuf],
        flags: &Overrides,
        timeout: Duration,
        before: Option<&Self>,
    ) -> Result<Self, SnapshotError> {
        Self::open_with(given, flags, HistoryLoad::Within(timeout), before)
    }

    /// Opens the roots without git history; [`WorkspaceSnapshot::with_newest_history`] adds it.
    ///
    /// # Errors
    /// If a root or a setting cannot be used.
    pub fn open_without_history(given: &[PathBuf], flags: &Overrides) -> Result<Self, SnapshotError> {
        Self::open_with(given, flags, HistoryLoad::Skip, None)
    }

    /// Opens the roots for searches, which need no moves: only the files that the newest commits changed are read.
    ///
    /// # Errors
    /// If a root or a setting cannot be used.
    pub fn open_for_find(given: &[PathBuf], flags: &Overrides) -> Result<Self, SnapshotError> {
        Self::open_with(given, flags, HistoryLoad::Recent, None)
    }

    fn open_with(
        given: &[PathBuf],
        flags: &Overrides,
        reading: HistoryLoad,
        before: Option<&Self>,
    ) -> Result<Self, SnapshotError> {
        let start = Stopwatch::start();
        let RootSet { dirs, cwd } = roots::find(given, &roots::current_dir_for(given)?)?;
        // Before the walk, so that a wrong setting is reported at once.
        let settings = dirs.iter().map(|root| load_settings(flags, root)).collect::<Result<Vec<_>, _>>()?;
        let mut found = start.elapsed();
        let mut opened = Vec::with_capacity(dirs.len());
        let mut indexed = Vec::with_capacity(dirs.len());
        for (root, settings) in dirs.iter().zip(settings) {
            let known = before.and_then(|before| before.opened.iter().find(|it| it.root.canonical == root.canonical));
            let (mut loaded, root) = index(root, settings, reading, known.map(|known| &*known.listing))?;
            loaded.times.roots = std::mem::take(&mut found);
            tracing::info!(root = %loaded.root.given, read = ?loaded.listing.read, source = ?loaded.listing.source, "indexed");
            opened.push(loaded);
            indexed.push(root);
        }
        // An update needs little memory, and giving memory back takes time.
        if opened.iter().any(|loaded| loaded.listing.source == ListingSource::Walk) {
            memory::trim_heap();
        }
        let options = opened.iter().map(|loaded| options(&loaded.settings)).collect();
        let probe = DiskProbe::open(&dirs)?.with_options(options);
        let mut engine = Engine::new(indexed, cwd, home());
        // A question is about all roots; the settings of the first one count.
        if let Some(settings) = opened.first().map(|loaded| &loaded.settings)
            && let Some(model) = similarity::shared_model(settings)
        {
            engine = engine.with_model(model, settings.topk);
        }
        Ok(Self { engine, probe: Arc::new(probe), opened: opened.into() })
    }

    /// Makes a snapshot from git's index, for questions during the first read. `None` if a full read is nearly as fast, or
    /// a root has no complete index.
    pub(crate) fn from_git_index(given: &[PathBuf], flags: &Overrides) -> Option<Self> {
        Self::from_listings(given, flags, |root, _| Listing::tracked(root))
    }

    /// Makes a snapshot from cached listings that are still to be validated. `None` if a root has none.
    pub fn from_cache(given: &[PathBuf], flags: &Overrides) -> Option<Self> {
        Self::from_listings(given, flags, |root, settings| {
            Listing::load(settings.cache_dir.as_deref()?, root)
                .filter(|kept| kept.has_options(root, &options(settings)))
        })
    }

    /// Makes a snapshot from listings that are not compared with the disk.
    fn from_listings(
        given: &[PathBuf],
        flags: &Overrides,
        list: impl Fn(&RootDir, &Settings) -> Option<Listing>,
    ) -> Option<Self> {
        let RootSet { dirs, cwd } = roots::find(given, &roots::current_dir_for(given).ok()?).ok()?;
        let mut opened = Vec::with_capacity(dirs.len());
        let mut indexed = Vec::with_capacity(dirs.len());
        for root in &dirs {
            let settings = load_settings(flags, root).ok()?;
            let listing = list(root, &settings)?;
            let history = RootHistory::new(root, &settings);
            let (loaded, root) = build_root(root, settings, listing, history);
            opened.push(loaded);
            indexed.push(root);
        }
        let options = opened.iter().map(|loaded| options(&loaded.settings)).collect();
        let probe = DiskProbe::open(&dirs).ok()?.with_options(options);
        Some(Self { engine: Engine::new(indexed, cwd, home()), probe: Arc::new(probe), opened: opened.into() })
    }

    /// Saves the listings in the cache directory, for the next process.
    pub fn keep(&self) {
        for opened in self.opened.iter() {
            if let Some(directory) = &opened.settings.cache_dir {
                opened.listing.keep(directory, &opened.root);
                trim(directory, opened.settings.cache);
            }
        }
    }

    /// Reads all git history and the uncommitted changes, however long that takes, until `stop` returns true.
    pub(crate) fn read_full_history(&self, stop: &(dyn Fn() -> bool + Sync)) -> Vec<RootHistory> {
        let read = |opened: &LoadedRoot| {
            let off = opened.settings.history.is_zero();
            let is_known = off || opened.history.is_complete && history::head(&opened.root) == opened.history.head;
            let known = is_known.then(|| opened.history.clone());
            let read = || load_history(&opened.root, &opened.settings, HistoryScope::All, Duration::MAX, stop);
            let history = known.unwrap_or_else(read);
            RootHistory {
                changed: if off { Vec::new() } else { find_changed_files(&opened.root, stop) }.into(),
                ..history
            }
        };
        let histories = self.opened.iter().map(read).collect();
        memory::trim_heap();
        histories
    }

    /// Returns a snapshot with as much git history as can be read within this time, newest commits first. Opening reads
    /// what the settings allow; some questions need more.
    #[must_use]
    pub fn with_history(&self, within: Duration) -> Self {
        self.with_history_up_to(HistoryScope::All, |_| within)
    }

    /// Returns a snapshot with the cached git history, or else the newest commits: as much as a single question can wait
    /// for. The same history gives the same result, however busy the machine is.
    #[must_use]
    pub fn with_newest_history(&self) -> Self {
        self.with_history_up_to(HistoryScope::Newest(MAX_COMMITS_PER_QUESTION), |settings| settings.history)
    }

    fn with_history_up_to(&self, extent: HistoryScope, within: impl Fn(&Settings) -> Duration) -> Self {
        let mut opened = self.opened.to_vec();
        for loaded in opened.iter_mut().filter(|loaded| !loaded.history.is_complete) {
            let (root, settings, budget) = (&loaded.root, &loaded.settings, within(&loaded.settings));
            // The user of a single command waits for both.
            let moves = || (extent != HistoryScope::All).then(|| uncommitted(root, settings, &loaded.listing.snapshot));
            let (read, moves) = rayon::join(|| load_history(root, settings, extent, budget, &|| false), moves);
            let known = std::mem::take(&mut loaded.history);
            let cut = CutParts { moves: known.cut.moves, ..read.cut };
            let RootHistory { changed, uncommitted_moves, .. } = known;
            loaded.history = RootHistory { changed, cut, uncommitted_moves, ..read };
            if let Some(moves) = moves {
                loaded.history.uncommitted_moves = moves;
            }
        }
        self.with_loaded_roots(opened)
    }

    /// Returns whether there is git history that is not read yet.
    pub fn has_pending_history(&self) -> bool {
        self.opened.iter().any(|opened| opened.history.is_pending)
    }

    /// Returns a snapshot with these histories, one per root, where they are more complete or newer, and with their
    /// uncommitted changes. Known uncommitted moves stay.
    pub(crate) fn with_histories(&self, histories: &[RootHistory], newer: NewerHistory) -> Self {
        let mut opened = self.opened.to_vec();
        for (loaded, history) in opened.iter_mut().zip(histories) {
            let more = match newer {
                NewerHistory::Own => {
                    !loaded.history.is_complete && history.is_complete && history.head == loaded.history.head
                }
                NewerHistory::Other => history.is_complete || history.head != loaded.history.head,
            };
            let mut moves = loaded.history.uncommitted_moves.clone();
            if newer == NewerHistory::Own {
                let known = &loaded.history.uncommitted_moves;
                moves.extend(history.uncommitted_moves.iter().filter(|it| !known.contains(it)).cloned());
                moves.truncate(MAX_UNCOMMITTED_MOVES);
            }
            if more {
                loaded.history = history.clone();
            }
            // Committed moves are in the history itself.
            let newest = loaded.history.renames.newest_commit_time();
            moves.retain(|moves| newest.is_none_or(|newest| moves.seconds >= newest));
            loaded.history.uncommitted_moves = moves;
            loaded.history.changed = Arc::clone(&history.changed);
        }
        self.with_loaded_roots(opened)
    }

    /// Returns a snapshot with the histories of these loaded roots.
    fn with_loaded_roots(&self, opened: Vec<LoadedRoot>) -> Self {
        let roots = self.engine.roots().iter().zip(&opened).map(|(root, loaded)| Root {
            renames: loaded.history.all_renames(),
            frecency: Arc::new(Frecency::new(loaded.history.uses())),
            ..root.clone()
        });
        let engine = self.engine.with_roots(roots.collect());
        Self { engine, probe: Arc::clone(&self.probe), opened: opened.into() }
    }

    /// Returns the history of each root.
    pub fn histories(&self) -> Vec<RootHistory> {
        self.opened.iter().map(|opened| opened.history.clone()).collect()
    }

    /// Returns a snapshot with these visits, one value per root. `now` is in seconds since 1970.
    #[must_use]
    pub fn with_visits(&self, visits: &[Visits], now: i64) -> Self {
        let mut indexed = self.engine.roots().to_vec();
        for ((root, loaded), visits) in indexed.iter_mut().zip(self.opened.iter()).zip(visits) {
            root.frecency = Arc::new(Frecency::new(loaded.history.uses().chain(visits.uses(now))));
        }
        let (probe, opened) = (Arc::clone(&self.probe), Arc::clone(&self.opened));
        Self { engine: self.engine.with_roots(indexed), probe, opened }
    }

    /// Returns uncommitted renames below a root that are not known yet, if there are any.
    pub fn uncommitted(&self, root: usize) -> Option<CommitMoves> {
        let opened = &self.opened[root];
        let snapshot = &self.engine.roots()[root].snapshot;
        let moves = root_history::uncommitted(&opened.root, &opened.settings, snapshot);
        moves.into_iter().find(|moves| !opened.history.uncommitted_moves.contains(moves))
    }

    /// Returns a snapshot in which one root has this tree and these uncommitted moves.
    pub(crate) fn with_tree(&self, root: usize, snapshot: Snapshot, moves: Option<CommitMoves>) -> Self {
        let mut roots = self.engine.roots().to_vec();
        roots[root].snapshot = snapshot;
        let mut opened = Arc::clone(&self.opened);
        if let Some(moves) = moves {
            let mut own = opened.to_vec();
            own[root].history.uncommitted_moves.insert(0, moves);
            own[root].history.uncommitted_moves.truncate(MAX_UNCOMMITTED_MOVES);
            roots[root].renames = own[root].history.all_renames();
            opened = own.into();
        }
        Self { engine: self.engine.with_roots(roots), probe: Arc::clone(&self.probe), opened }
    }

    /// Returns the configured similarity model, if there is one. It may not be loaded yet.
    pub fn model(&self) -> Option<Arc<LazyModel>> {
        self.opened.first().and_then(|opened| similarity::shared_model(&opened.settings))
    }

    /// Returns the options for walking a root.
    pub fn options(&self, root: usize) -> WalkOptions {
        options(&self.opened[root].settings)
    }

    /// Returns whether another snapshot has equal trees.
    pub(crate) fn has_same_trees(&self, other: &Self) -> bool {
        let (own, others) = (self.engine.roots(), other.engine.roots());
        let alike = own.iter().zip(others).zip(self.opened.iter().zip(other.opened.iter()));
        own.len() == others.len()
            && alike.into_iter().all(|((one, other), (opened, known))| {
                opened.root.canonical == known.root.canonical
                    && one.snapshot.same_packages(&other.snapshot)
                    && one.snapshot.differences(&other.snapshot).is_empty()
            })
    }

    /// Returns whether a root is another directory than when it was opened.
    pub fn is_replaced(&self) -> bool {
        self.probe.is_replaced()
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the roots, in the engine's order.
    pub fn opened(&self) -> &[LoadedRoot] {
        &self.opened
    }

    /// Returns the probe, which reads below the roots.
    pub fn probe(&self) -> &DiskProbe {
        &self.probe
    }
}

/// Finds the only root, and loads its settings; `None` if there are several.
///
/// # Errors
/// If it, or a setting, cannot be used.
pub fn find_single_root(given: &[PathBuf], flags: &Overrides) -> Result<Option<(RootDir, Settings)>, SnapshotError> {
    let RootSet { mut dirs, .. } = roots::find(given, &roots::current_dir_for(given)?)?;
    let Some(root) = dirs.pop().filter(|_| dirs.is_empty()) else { return Ok(None) };
    let settings = load_settings(flags, &root)?;
    Ok(Some((root, settings)))
}

/// Loads the settings of a root.
///
/// # Errors
/// If a setting has an invalid value.
pub fn load_settings(flags: &Overrides, root: &RootDir) -> Result<Settings, SnapshotError> {
    Ok(Settings::load(flags, &environment::variable, &root.canonical)?)
}

fn index(
    root: &RootDir,
    settings: Settings,
    reading: HistoryLoad,
    before: Option<&Listing>,
) -> Result<(LoadedRoot, Root), SnapshotError> {
    let HistoryLoad::Within(timeout) = reading else {
        let listed = || list(root, &settings, before);
        let ((listing, kept), history) = match reading {
            HistoryLoad::Recent => rayon::join(listed, || load_recent(root, &settings)),
            _ => (listed(), RootHistory::new(root, &settings)),
        };
        let (opened, root) = build_root(root, settings, listing?, history);
        return Ok((LoadedRoot { times: OpenTimings { cache: kept, ..OpenTimings::default() }, ..opened }, root));
    };
    // Stops the history if the walk has used up the timeout.
    let stop = AtomicBool::new(false);
    let start = Stopwatch::start();
    let (finished, receiver) = channel();
    let (listing, times, history) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let history =
                load_history(root, &settings, HistoryScope::All, settings.history, &|| stop.load(Ordering::Relaxed));
            // The receiver may have timed out.
            _ = finished.send(());
            (history, start.elapsed())
        });
        let (listing, kept) = list(root, &settings, before);
        let listed = Stopwatch::start();
        if receiver.recv_timeout(timeout.saturating_sub(start.elapsed())) == Err(RecvTimeoutError::Timeout) {
            stop.store(true, Ordering::Relaxed);
        }
        // A panic in the reader is already printed and leaves the history empty.
        let (history, took) = reader.join().unwrap_or_default();
        let times = OpenTimings { cache: kept, history: took, waited: listed.elapsed(), ..OpenTimings::default() };
        (listing, times, history)
    });
    let listing = listing?;
    let (uncommitted_moves, moves) = uncommitted_in_time(root, &settings, &listing.snapshot);
    let history = RootHistory { cut: CutParts { moves, ..history.cut }, uncommitted_moves, ..history };
    let (opened, root) = build_root(root, settings, listing, history);
    Ok((LoadedRoot { times, ..opened }, root))
}

/// Returns the loaded root, and the root as the engine uses it.
fn build_root(root: &RootDir, settings: Settings, listing: Listing, history: RootHistory) -> (LoadedRoot, Root) {
    let opened = Root {
        given: root.given.clone(),
        place: root.place(),
        snapshot: listing.snapshot.clone(),
        renames: history.all_renames(),
        frecency: Arc::new(Frecency::new(history.uses())),
        symbols: Symbols::default(),
    };
    let (root, listing, times) = (root.clone(), Arc::new(listing), OpenTimings::default());
    let (contents, subjects, asked) = (ContentIndex::default(), None, Arc::default());
    (LoadedRoot { root, settings, listing, times, history, contents, subjects, asked }, opened)
}

/// Lists a root, starting from `before` or else from the cache. Also returns how long reading the cache took.
fn list(root: &RootDir, settings: &Settings, before: Option<&Listing>) -> (Result<Listing, RootError>, Duration) {
    if before.is_some() {
        return (Listing::read(root, &options(settings), before), Duration::ZERO);
    }
    match Listing::resume(root, &options(settings), settings.cache_dir.as_deref()) {
        Ok((listing, kept)) => (Ok(listing), kept),
        Err(error) => (Err(error), Duration::ZERO),
    }
}

fn options(settings: &Settings) -> WalkOptions {
    WalkOptions { include_dirs: settings.include_dirs.clone() }
}
