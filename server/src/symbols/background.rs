//! `Reader`: reads what files declare in the background, on half of the processors, and waits while somebody asks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pathfinder_core::symbols::Symbols;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Backlog, ReadLimits, Validation, cache, read_backlog};
use crate::os::memory;
use crate::snapshot::WorkspaceSnapshot;

/// How long a file waits at most for who asks: queries that follow one another without end must not stop it.
const MAX_YIELD: Duration = Duration::from_millis(50);
/// How often it is looked whether the query has its answer.
const YIELD_STEP: Duration = Duration::from_millis(1);

/// Stamps of a root are looked at again at most for one part in so many of the time, as its tree is read.
const STAMP_INTERVAL_FACTOR: u32 = 20;

/// See the module's text. One thread reads at a time; what is told meanwhile is taken up when it has ended.
#[derive(Default)]
pub(crate) struct SymbolReader {
    pending: Mutex<PendingSymbols>,
    /// How many ask at this moment.
    queries: AtomicUsize,
}

/// Files, by root.
type ChangedFiles = FxHashMap<PathBuf, FxHashSet<String>>;

#[derive(Default)]
struct PendingSymbols {
    is_reading: bool,
    /// What was told since the thread looked: whether the trees were read again, or only single files are others.
    requested: Option<Validation>,
    /// By root, files whose contents are others.
    changed: ChangedFiles,
    /// When the stamps of all files were looked at last, and how long that took.
    last_stamp_check: Option<(Instant, Duration)>,
}

/// Somebody asks as long as this lives.
pub(crate) struct QueryGuard<'r>(&'r SymbolReader);

impl Drop for QueryGuard<'_> {
    fn drop(&mut self) {
        self.0.queries.fetch_sub(1, Ordering::Relaxed);
    }
}

impl SymbolReader {
    /// Makes reading wait.
    pub(crate) fn begin_query(&self) -> QueryGuard<'_> {
        self.queries.fetch_add(1, Ordering::Relaxed);
        QueryGuard(self)
    }

    /// Whether anybody asks at this moment.
    pub(crate) fn has_queries(&self) -> bool {
        self.queries.load(Ordering::Relaxed) > 0
    }

    /// These files below a root (by its canonical path) came, went or are others than before; of a directory all below it.
    pub(crate) fn mark_changed(&self, root: &Path, files: &[String]) {
        let mut pending = self.pending();
        pending.changed.entry(root.to_path_buf()).or_default().extend(files.iter().cloned());
    }

    /// Whether who calls this is to read: there is something new, and nobody reads.
    pub(crate) fn request(&self, validation: Validation) -> bool {
        let mut pending = self.pending();
        pending.requested = pending.requested.max(Some(validation));
        !std::mem::replace(&mut pending.is_reading, true)
    }

    /// Reads until nothing is due, or `stop` is set. `current` gives the session as it is, `take` puts in what is known of one
    /// of its roots (by its canonical path), and says whether there is such a root. `watched`: somebody tells what is
    /// written, so that trees are read again only when that is not enough.
    pub(crate) fn read(
        &self,
        stop: &AtomicBool,
        is_watched: &dyn Fn() -> bool,
        current: &dyn Fn() -> Option<Arc<WorkspaceSnapshot>>,
        take: &(dyn Fn(&Path, &Symbols) -> bool + Sync),
    ) {
        // Whatever happens, another may begin afterwards.
        let _guard = ReadingGuard(self);
        let Some(pool) = pool() else { return };
        while let Some((validation, written)) = self.next(stop) {
            let Some(workspace) = current() else { continue };
            let validation = if is_watched() { validation } else { self.without_recent_stamps(validation) };
            let start = Instant::now();
            let mut has_read = false;
            for (root, opened) in workspace.opened().iter().enumerate() {
                let at = &opened.root.canonical;
                let known = &workspace.engine().roots()[root].symbols;
                let cached = (known.progress() == (0, 0)).then(|| cache::load(opened)).flatten();
                // What was kept may be of another day.
                let validation = if cached.is_some() { Validation::Stamps } else { validation };
                let known = cached.as_ref().unwrap_or(known);
                let none = FxHashSet::default();
                let written = written.get(at).unwrap_or(&none);
                let backlog = pool.install(|| Backlog::new(&workspace, root, known, written, validation));
                if validation == Validation::Stamps {
                    self.pending().last_stamp_check = Some((start, start.elapsed()));
                }
                let total = known.progress().1;
                if backlog.is_empty() && total > 0 && cached.is_none() || stop.load(Ordering::Relaxed) {
                    continue;
                }
                has_read = true;
                let changes = !backlog.is_empty();
                // Other roots may be open by now.
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
            if has_read {
                memory::give_back();
            }
        }
    }

    /// What was written since the last time, if there is anything to do. Whoever tells something afterwards begins anew.
    fn next(&self, stop: &AtomicBool) -> Option<(Validation, ChangedFiles)> {
        let mut pending = self.pending();
        let requested = pending.requested.take().filter(|_| !stop.load(Ordering::Relaxed));
        if requested.is_none() {
            pending.is_reading = false;
        }
        Some((requested?, std::mem::take(&mut pending.changed)))
    }

    /// The same without looking at stamps that were looked at just now.
    fn without_recent_stamps(&self, validation: Validation) -> Validation {
        let recent =
            self.pending().last_stamp_check.is_some_and(|(at, took)| at.elapsed() < took * STAMP_INTERVAL_FACTOR);
        if recent { validation.min(Validation::Tree) } else { validation }
    }

    /// Waits while somebody asks; whether to end. For all that runs in the background.
    pub(crate) fn yield_to_queries(&self, stop: &AtomicBool) -> bool {
        let start = Instant::now();
        while self.queries.load(Ordering::Relaxed) > 0 && start.elapsed() < MAX_YIELD && !stop.load(Ordering::Relaxed) {
            thread::sleep(YIELD_STEP);
        }
        stop.load(Ordering::Relaxed)
    }

    fn pending(&self) -> MutexGuard<'_, PendingSymbols> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks reading as ended when it is dropped by a panic.
struct ReadingGuard<'r>(&'r SymbolReader);

impl Drop for ReadingGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.pending().is_reading = false;
        }
    }
}

/// Threads on half of the processors, which leave again with what they read.
fn pool() -> Option<ThreadPool> {
    let threads = thread::available_parallelism().map_or(1, |all| all.get().div_ceil(2));
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|at| format!("symbols-{at}")).build();
    pool.map_err(|error| tracing::warn!(%error, "declarations are not read")).ok()
}
