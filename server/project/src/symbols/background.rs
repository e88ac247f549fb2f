//! `SymbolReader`: reads declarations in the background for a `Workspace`, on half of the processors, and yields to
//! queries.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use pathfinder_content::{CommitSubjects, ContentIndex};
use pathfinder_core::symbols::Symbols;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Backlog, ReadLimits, Validation, cache, read_backlog};
use crate::contents;
use crate::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::memory;

/// Longest time that a file yields to queries: a stream of queries must not stop the reading.
const MAX_YIELD: Duration = Duration::from_millis(50);
/// Interval at which it checks whether the queries have ended.
const YIELD_STEP: Duration = Duration::from_millis(1);

/// Checking all stamps of a root takes at most one part in this many of the time.
const STAMP_INTERVAL_FACTOR: u32 = 20;

/// The background reader. One thread reads at a time; requests meanwhile are handled when it has finished.
#[derive(Default)]
pub(crate) struct SymbolReader {
    pending: Mutex<PendingSymbols>,
    /// Number of queries in progress.
    queries: AtomicUsize,
}

/// Stores the words of the files of a root (canonical path), and the subjects of its commits if they were read.
type TakeContents<'t> = dyn Fn(&Path, &ContentIndex, Option<&Arc<CommitSubjects>>) -> bool + Sync + 't;

/// Changed files, by root.
type ChangedFiles = FxHashMap<PathBuf, FxHashSet<String>>;

/// Requests that the thread has not taken up yet.
#[derive(Default)]
struct PendingSymbols {
    is_reading: bool,
    /// The strictest validation requested since the thread started its round.
    requested: Option<Validation>,
    /// Files whose contents have changed, by root.
    changed: ChangedFiles,
    /// The time of the last check of all stamps, and its duration.
    last_stamp_check: Option<(Stopwatch, Duration)>,
}

/// A query in progress; the reader yields until it is dropped.
pub struct QueryGuard<'r>(&'r SymbolReader);

impl Drop for QueryGuard<'_> {
    fn drop(&mut self) {
        self.0.queries.fetch_sub(1, Ordering::Relaxed);
    }
}

impl SymbolReader {
    /// Makes the reader yield while the guard lives.
    pub(crate) fn begin_query(&self) -> QueryGuard<'_> {
        self.queries.fetch_add(1, Ordering::Relaxed);
        QueryGuard(self)
    }

    /// Returns whether a query is in progress.
    pub(crate) fn has_queries(&self) -> bool {
        self.queries.load(Ordering::Relaxed) > 0
    }

    /// Records changed files below a root (canonical path); a directory stands for all files below it.
    pub(crate) fn mark_changed(&self, root: &Path, files: &[String]) {
        let mut pending = self.pending();
        pending.changed.entry(root.to_path_buf()).or_default().extend(files.iter().cloned());
    }

    /// Requests a read. Returns true if no thread is reading: the caller then has to call [`read`](Self::read).
    pub(crate) fn request(&self, validation: Validation) -> bool {
        let mut pending = self.pending();
        pending.requested = pending.requested.max(Some(validation));
        !std::mem::replace(&mut pending.is_reading, true)
    }

    /// Reads until nothing is left to do, or `stop` is set. `current` returns the present snapshot. `take` stores the
    /// symbols of a root (canonical path), and returns false if the root is no longer open; so does `take_contents` for
    /// the words of its files, which are read after all declarations. `is_watched` returns whether
    /// change events are complete; without them stamps are compared, but not too often.
    pub(crate) fn read(
        &self,
        stop: &AtomicBool,
        is_watched: &dyn Fn() -> bool,
        current: &dyn Fn() -> Option<Arc<WorkspaceSnapshot>>,
        take: &(dyn Fn(&Path, &Symbols) -> bool + Sync),
        take_contents: &TakeContents<'_>,
    ) {
        // After a panic another thread may start.
        let _guard = ReadingGuard(self);
        let Some(pool) = pool() else { return };
        while let Some((validation, written)) = self.next(stop) {
            let Some(workspace) = current() else { continue };
            let validation = if is_watched() { validation } else { self.without_recent_stamps(validation) };
            let start = Stopwatch::start();
            let mut has_read = false;
            for (root, opened) in workspace.opened().iter().enumerate() {
                let at = &opened.root.canonical;
                let known = &workspace.engine().roots()[root].symbols;
                let cached = (known.progress() == (0, 0)).then(|| cache::load(opened)).flatten();
                // Files may have changed since the cache was written.
                let validation = if cached.is_some() { Validation::Stamps } else { validation };
                let known = cached.as_ref().unwrap_or(known);
                let none = FxHashSet::default();
                let written = written.get(at).unwrap_or(&none);
                let backlog = pool.install(|| Backlog::new(&workspace, root, known, written, validation, None));
                if validation == Validation::Stamps {
                    self.pending().last_stamp_check = Some((start, start.elapsed()));
                }
                let total = known.progress().1;
                if backlog.is_empty() && total > 0 && cached.is_none() || stop.load(Ordering::Relaxed) {
                    continue;
                }
                has_read = true;
                let changes = !backlog.is_empty();
                // Set if the root was closed meanwhile.
                let gone = AtomicBool::new(false);
                let limits = ReadLimits {
                    should_stop: &|| self.yield_to_queries(stop) || gone.load(Ordering::Relaxed),
                    is_wanted: &|_| true,
                };
                let mut report = |known: &Symbols| gone.store(!take(at, known), Ordering::Relaxed);
                let done = pool.install(|| read_backlog(&workspace, root, known, backlog, &limits, &mut report));
                take(at, &done);
                if changes && !stop.load(Ordering::Relaxed) {
                    cache::save(opened, &done);
                }
                let (stats, took) = (done.stats(), start.elapsed());
                tracing::info!(root = %at.display(), ?stats, ?took, "declarations read");
            }
            // Declarations are a field of the contents.
            if let Some(workspace) = current() {
                for root in 0..workspace.opened().len() {
                    let at = &workspace.opened()[root].root.canonical;
                    let none = FxHashSet::default();
                    let written = written.get(at).unwrap_or(&none);
                    let should_stop = || self.yield_to_queries(stop);
                    // Changed files come first; the rest is read in the next round.
                    let mut report =
                        |known: &ContentIndex| take_contents(at, known, None) && self.pending().requested.is_none();
                    has_read |= pool
                        .install(|| contents::update(&workspace, root, written, validation, &should_stop, &mut report));
                    // Once for each opening: a commit more changes little.
                    let is_stopped = || stop.load(Ordering::Relaxed);
                    let is_unread = workspace.opened()[root].subjects.is_none();
                    if let Some(subjects) = is_unread.then(|| contents::read_subjects(&workspace, root, &is_stopped))
                        && let Some(now) = current()
                        && let Some(now) = now.opened().iter().find(|now| now.root.canonical == *at)
                    {
                        take_contents(at, &now.contents, Some(&subjects));
                    }
                }
            }
            if has_read {
                memory::trim_heap();
            }
        }
    }

    /// Returns the requested validation and the changed files, or `None` if there is no request. After `None` the next
    /// [`request`](Self::request) starts a thread.
    fn next(&self, stop: &AtomicBool) -> Option<(Validation, ChangedFiles)> {
        let mut pending = self.pending();
        let requested = pending.requested.take().filter(|_| !stop.load(Ordering::Relaxed));
        if requested.is_none() {
            pending.is_reading = false;
        }
        Some((requested?, std::mem::take(&mut pending.changed)))
    }

    /// Lowers the validation if the stamps were checked a short time ago.
    fn without_recent_stamps(&self, validation: Validation) -> Validation {
        let recent =
            self.pending().last_stamp_check.is_some_and(|(at, took)| at.elapsed() < took * STAMP_INTERVAL_FACTOR);
        if recent { validation.min(Validation::Tree) } else { validation }
    }

    /// Waits while queries are in progress. Returns whether to stop. All background work calls it.
    pub(crate) fn yield_to_queries(&self, stop: &AtomicBool) -> bool {
        let start = Stopwatch::start();
        while self.queries.load(Ordering::Relaxed) > 0 && start.elapsed() < MAX_YIELD && !stop.load(Ordering::Relaxed) {
            thread::sleep(YIELD_STEP);
        }
        stop.load(Ordering::Relaxed)
    }

    fn pending(&self) -> MutexGuard<'_, PendingSymbols> {
        self.pending.lock()
    }
}

/// Marks the reading as ended if the thread panics.
struct ReadingGuard<'r>(&'r SymbolReader);

impl Drop for ReadingGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.pending().is_reading = false;
        }
    }
}

/// Makes a thread pool on half of the processors. Its threads, and the memory that they cache, end with the reading.
fn pool() -> Option<ThreadPool> {
    let threads = thread::available_parallelism().map_or(1, |all| all.get().div_ceil(2));
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|at| format!("symbols-{at}")).build();
    pool.map_err(|error| tracing::warn!(%error, "declarations are not read")).ok()
}
