//! `Reader`: reads what files declare in the background, on half of the processors, and waits while somebody asks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pathfinder_core::symbols::Symbols;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Due, Pace, Validation, bring_up, kept};
use crate::os::memory;
use crate::snapshot::WorkspaceSnapshot;

/// How long a file waits at most for who asks: queries that follow one another without end must not stop it.
const YIELD_MAX: Duration = Duration::from_millis(50);
/// How often it is looked whether the query has its answer.
const YIELD_STEP: Duration = Duration::from_millis(1);

/// Stamps of a root are looked at again at most for one part in so many of the time, as its tree is read.
const STAMPS_FACTOR: u32 = 20;

/// See the module's text. One thread reads at a time; what is told meanwhile is taken up when it has ended.
#[derive(Default)]
pub(crate) struct Reader {
    told: Mutex<Told>,
    /// How many ask at this moment.
    asking: AtomicUsize,
}

/// Files, by root.
type Written = FxHashMap<PathBuf, FxHashSet<String>>;

#[derive(Default)]
struct Told {
    reading: bool,
    /// What was told since the thread looked: whether the trees were read again, or only single files are others.
    again: Option<Validation>,
    /// By root, files whose contents are others.
    written: Written,
    /// When the stamps of all files were looked at last, and how long that took.
    stamps: Option<(Instant, Duration)>,
}

/// Somebody asks as long as this lives.
pub(crate) struct Asking<'r>(&'r Reader);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Reader {
    /// Makes reading wait.
    pub(crate) fn asking(&self) -> Asking<'_> {
        self.asking.fetch_add(1, Ordering::Relaxed);
        Asking(self)
    }

    /// Whether anybody asks at this moment.
    pub(crate) fn is_asked(&self) -> bool {
        self.asking.load(Ordering::Relaxed) > 0
    }

    /// These files below a root (by its canonical path) came, went or are others than before; of a directory all below it.
    pub(crate) fn wrote(&self, root: &Path, files: &[String]) {
        let mut told = self.told();
        told.written.entry(root.to_path_buf()).or_default().extend(files.iter().cloned());
    }

    /// Whether who calls this is to read: there is something new, and nobody reads.
    pub(crate) fn begin(&self, trust: Validation) -> bool {
        let mut told = self.told();
        told.again = told.again.max(Some(trust));
        !std::mem::replace(&mut told.reading, true)
    }

    /// Reads until nothing is due, or `stop` is set. `current` gives the session as it is, `take` puts in what is known of one
    /// of its roots (by its canonical path), and says whether there is such a root. `watched`: somebody tells what is
    /// written, so that trees are read again only when that is not enough.
    pub(crate) fn read(
        &self,
        stop: &AtomicBool,
        watched: &dyn Fn() -> bool,
        current: &dyn Fn() -> Option<Arc<WorkspaceSnapshot>>,
        take: &(dyn Fn(&Path, &Symbols) -> bool + Sync),
    ) {
        // Whatever happens, another may begin afterwards.
        let _ended = Ended(self);
        let Some(pool) = pool() else { return };
        while let Some((trust, written)) = self.next(stop) {
            let Some(workspace) = current() else { continue };
            let trust = if watched() { trust } else { self.sparing(trust) };
            let start = Instant::now();
            let mut worked = false;
            for (root, opened) in workspace.opened().iter().enumerate() {
                let at = &opened.root.canonical;
                let known = &workspace.engine().roots()[root].symbols;
                let recalled = (known.progress() == (0, 0)).then(|| kept::load(opened)).flatten();
                // What was kept may be of another day.
                let trust = if recalled.is_some() { Validation::Stamps } else { trust };
                let known = recalled.as_ref().unwrap_or(known);
                let none = FxHashSet::default();
                let written = written.get(at).unwrap_or(&none);
                let due = pool.install(|| Due::new(&workspace, root, known, written, trust));
                if trust == Validation::Stamps {
                    self.told().stamps = Some((start, start.elapsed()));
                }
                let total = known.progress().1;
                if due.is_empty() && total > 0 && recalled.is_none() || stop.load(Ordering::Relaxed) {
                    continue;
                }
                worked = true;
                let changes = !due.is_empty();
                // Other roots may be open by now.
                let gone = AtomicBool::new(false);
                let pace = Pace { ended: &|| self.waits(stop) || gone.load(Ordering::Relaxed), wanted: &|_| true };
                let mut report = |known: &Symbols| gone.store(!take(at, known), Ordering::Relaxed);
                let done = pool.install(|| bring_up(&workspace, root, known, due, &pace, &mut report));
                take(at, &done);
                if changes && !stop.load(Ordering::Relaxed) {
                    kept::save(opened, &done);
                }
                let (stats, took) = (done.stats(), start.elapsed());
                tracing::info!(root = %at.display(), ?stats, ?took, "declarations read");
            }
            if worked {
                memory::give_back();
            }
        }
    }

    /// What was written since the last time, if there is anything to do. Whoever tells something afterwards begins anew.
    fn next(&self, stop: &AtomicBool) -> Option<(Validation, Written)> {
        let mut told = self.told();
        let again = told.again.take().filter(|_| !stop.load(Ordering::Relaxed));
        if again.is_none() {
            told.reading = false;
        }
        Some((again?, std::mem::take(&mut told.written)))
    }

    /// The same without looking at stamps that were looked at just now.
    fn sparing(&self, trust: Validation) -> Validation {
        let recent = self.told().stamps.is_some_and(|(at, took)| at.elapsed() < took * STAMPS_FACTOR);
        if recent { trust.min(Validation::All) } else { trust }
    }

    /// Waits while somebody asks; whether to end. For all that runs in the background.
    pub(crate) fn waits(&self, stop: &AtomicBool) -> bool {
        let start = Instant::now();
        while self.asking.load(Ordering::Relaxed) > 0 && start.elapsed() < YIELD_MAX && !stop.load(Ordering::Relaxed) {
            thread::sleep(YIELD_STEP);
        }
        stop.load(Ordering::Relaxed)
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks reading as ended when it is dropped by a panic.
struct Ended<'r>(&'r Reader);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.told().reading = false;
        }
    }
}

/// Threads on half of the processors, which leave again with what they read.
fn pool() -> Option<ThreadPool> {
    let threads = thread::available_parallelism().map_or(1, |all| all.get().div_ceil(2));
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|at| format!("symbols-{at}")).build();
    pool.map_err(|error| tracing::warn!(%error, "declarations are not read")).ok()
}
