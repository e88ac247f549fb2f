//! Declarations in the files of a snapshot: read in parallel within a time budget, and updated while files change.
//!
//! `find` and `index` call [`read`]; a workspace has a `SymbolReader` in the background.

mod background;
mod cache;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use pathfinder_core::symbols::{SymbolChange, Symbols};
use pathfinder_core::{Kind, RelPath};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use background::{QueryGuard, SymbolReader};
pub use cache::{save_changed, with_cached};

use crate::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::probe::UNSURE;

/// Files that are read before their symbols are stored: few enough that a query in between finds most of them, enough that
/// layers are not merged all the time. Not tuned: the first guess kept answers fast.
pub(crate) const BATCH_SIZE: usize = 256;

/// The limits of reading, and the files to parse.
pub(crate) struct ReadLimits<'p> {
    /// Asked before each file; true stops the reading.
    pub(crate) should_stop: &'p (dyn Fn() -> bool + Sync),
    /// Returns whether contents are parsed. Other files count as read for now, without symbols.
    pub is_wanted: &'p (dyn Fn(&[u8]) -> bool + Sync),
}

/// Reads the files of all roots whose symbols are unknown or out of date, on all processors, within a time budget.
///
/// Any budget but zero allows at least one batch, so that answers in a small tree do not depend on the load. Only files
/// whose contents are `wanted` are parsed: a single query needs those with a word of it, which is much faster.
/// [`Symbols::progress`] of each root tells how many files were read.
pub fn read(
    workspace: &WorkspaceSnapshot,
    budget: Duration,
    wanted: &(dyn Fn(&[u8]) -> bool + Sync),
) -> WorkspaceSnapshot {
    read_once(workspace, budget, wanted, &mut DiskStamps::default())
}

/// Reads as [`read`] does, and remembers the stamps of files.
pub(crate) fn read_once(
    workspace: &WorkspaceSnapshot,
    budget: Duration,
    wanted: &(dyn Fn(&[u8]) -> bool + Sync),
    stamps: &mut DiskStamps,
) -> WorkspaceSnapshot {
    let (start, started) = (Stopwatch::start(), AtomicUsize::new(0));
    let is_more = || started.fetch_add(1, Ordering::Relaxed) >= BATCH_SIZE;
    let limits =
        ReadLimits { should_stop: &|| start.elapsed() >= budget && (budget.is_zero() || is_more()), is_wanted: wanted };
    let mut symbols: Vec<Symbols> = workspace.engine().roots().iter().map(|root| root.symbols.clone()).collect();
    for (root, known) in symbols.iter_mut().enumerate() {
        let backlog = Backlog::new(workspace, root, known, &FxHashSet::default(), Validation::Stamps, Some(stamps));
        *known = read_backlog(workspace, root, known, backlog, &limits, &mut |_| ());
    }
    workspace.with_symbols(symbols)
}

/// The files of each root and their stamps, as one command has listed and read them: it compares them with the declarations and with the
/// words. For snapshots of the same tree only.
#[derive(Default)]
pub(crate) struct DiskStamps {
    stamps: FxHashMap<usize, FxHashMap<String, Option<u64>>>,
    files: FxHashMap<usize, Arc<[String]>>,
}

/// Returns the files of a root whose paths are texts, sorted.
fn list_files(workspace: &WorkspaceSnapshot, root: usize) -> Arc<[String]> {
    let entries = workspace.engine().roots()[root].snapshot.entries().into_iter();
    entries.filter(|(_, kind)| *kind == Kind::File).filter_map(|(path, _)| String::from_utf8(path).ok()).collect()
}

/// The extent to which known symbols are compared with the disk. Each variant includes the one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Validation {
    /// Only paths from change events are compared.
    Events,
    /// The list of files is compared with the tree too.
    Tree,
    /// The stamp of each file is compared too.
    Stamps,
}

/// An index that is kept up to date with the files of a root.
pub(crate) trait FileIndex {
    /// Returns whether files with this path belong in it.
    fn accepts(path: &str) -> bool;
    /// Returns the number of files that were read, and the total.
    fn progress(&self) -> (usize, usize);
    /// Returns the number of files in the root that belong in it, as far as it is known.
    fn total_in_root(&self) -> usize {
        self.progress().1
    }
    /// Returns the files that were read, each with its stamp, in no order.
    fn stamps(&self) -> impl Iterator<Item = (&str, u64)>;
}

impl FileIndex for Symbols {
    fn accepts(path: &str) -> bool {
        pathfinder_symbols::is_read(path)
    }

    fn progress(&self) -> (usize, usize) {
        self.progress()
    }

    fn stamps(&self) -> impl Iterator<Item = (&str, u64)> {
        self.stamps()
    }
}

/// The work to be done in a root.
pub(crate) struct Backlog {
    /// Files to read, most recently used first.
    pub(crate) files: Vec<String>,
    /// Files that are gone.
    pub(crate) gone: Vec<String>,
    /// Number of readable files in the root.
    pub(crate) total: usize,
}

impl Backlog {
    /// Compares an index with the tree. `written` are files whose contents have changed.
    pub(crate) fn new<I: FileIndex>(
        workspace: &WorkspaceSnapshot,
        root: usize,
        known: &I,
        written: &FxHashSet<String>,
        validation: Validation,
        mut on_disk: Option<&mut DiskStamps>,
    ) -> Self {
        if validation == Validation::Events && known.progress().1 > 0 {
            return Self::from_events(workspace, root, known, written);
        }
        let stamps: FxHashMap<&str, u64> = known.stamps().collect();
        let list = || list_files(workspace, root);
        let listed = match &mut on_disk {
            Some(on_disk) => Arc::clone(on_disk.files.entry(root).or_insert_with(list)),
            None => list(),
        };
        // Known files were accepted; a look-up takes less time than `accepts`.
        let is_accepted = |file: &&str| stamps.contains_key(file) || I::accepts(file);
        let all: Vec<&str> = listed.iter().map(String::as_str).filter(is_accepted).collect();
        let there: FxHashSet<&str> = all.iter().copied().collect();
        let mut gone: Vec<String> =
            stamps.keys().filter(|file| !there.contains(**file)).map(|file| (*file).to_owned()).collect();
        gone.sort_unstable();
        let total = all.len();
        let is_new = |file: &str| stamps.get(file).is_none_or(|stamp| *stamp == UNSURE) || written.contains(file);
        let changed = if validation == Validation::Stamps {
            let known: Vec<&str> = all.iter().copied().filter(|file| !is_new(file)).collect();
            changed_on_disk(workspace, root, &known, &stamps, on_disk)
        } else {
            FxHashSet::default()
        };
        let is_read = |file: &&str| is_new(file) || changed.contains(*file);
        let mut files: Vec<String> = all.into_iter().filter(is_read).map(str::to_owned).collect();
        let frecency = &workspace.engine().roots()[root].frecency;
        if !frecency.is_empty() {
            // A stable sort: the rest stays in the order of paths.
            files.sort_by_cached_key(|file| (frecency.score(&RelPath::from(file.as_str())) * -1e6) as i64);
        }
        Self { files, gone, total }
    }

    /// Compares only these paths, and files below them if they were directories.
    fn from_events<I: FileIndex>(
        workspace: &WorkspaceSnapshot,
        root: usize,
        known: &I,
        changed: &FxHashSet<String>,
    ) -> Self {
        let snapshot = &workspace.engine().roots()[root].snapshot;
        let is_there = |file: &str| snapshot.get(file.as_bytes()) == Some(Kind::File);
        let mut files: Vec<String> =
            changed.iter().filter(|file| I::accepts(file) && is_there(file)).cloned().collect();
        files.sort_unstable();
        let is_changed = |file: &str| {
            let mut above = file.match_indices('/').map(|(at, _)| &file[..at]);
            changed.contains(file) || above.any(|above| changed.contains(above))
        };
        let known_files = || known.stamps().map(|(file, _)| file);
        let mut gone: Vec<String> =
            known_files().filter(|file| is_changed(file) && !is_there(file)).map(str::to_owned).collect();
        gone.sort_unstable();
        let before: FxHashSet<&str> = known_files().filter(|file| is_changed(file)).collect();
        let new = files.iter().filter(|file| !before.contains(file.as_str())).count();
        let total = (known.total_in_root() + new).saturating_sub(gone.len());
        Self { files, gone, total }
    }

    /// Returns whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.gone.is_empty()
    }
}

/// Returns the files whose stamps on disk differ from the known ones. Stamps are read once, if they are remembered.
fn changed_on_disk<'f>(
    workspace: &WorkspaceSnapshot,
    root: usize,
    files: &[&'f str],
    stamps: &FxHashMap<&str, u64>,
    on_disk: Option<&mut DiskStamps>,
) -> FxHashSet<&'f str> {
    let mut nothing = FxHashMap::default();
    let is_remembered = on_disk.is_some();
    let on_disk = on_disk.map_or(&mut nothing, |on_disk| on_disk.stamps.entry(root).or_default());
    let mut by_directory: FxHashMap<&str, Vec<&'f str>> = FxHashMap::default();
    for file in files.iter().filter(|file| !on_disk.contains_key(**file)) {
        by_directory.entry(file.rsplit_once('/').map_or("", |(directory, _)| directory)).or_default().push(file);
    }
    let stamps_in = |(directory, files): (&str, Vec<&'f str>)| {
        let names: Vec<&str> = files.iter().map(|file| file.rsplit_once('/').map_or(*file, |(_, name)| name)).collect();
        let now = workspace.probe().stamps_in(root, directory, &names);
        files.into_iter().zip(now).collect()
    };
    // In parallel: a stamp is a system call.
    let read: Vec<Vec<(&'f str, Option<u64>)>> = by_directory.into_par_iter().map(stamps_in).collect();
    let is_changed = |(file, now): &(&str, Option<u64>)| *now != stamps.get(file).copied();
    let remembered = files.iter().filter_map(|&file| Some((file, *on_disk.get(file)?)));
    let mut changed: FxHashSet<&str> = remembered.filter(is_changed).map(|(file, _)| file).collect();
    changed.extend(read.iter().flatten().copied().filter(is_changed).map(|(file, _)| file));
    if is_remembered {
        on_disk.extend(read.into_iter().flatten().map(|(file, now)| (file.to_owned(), now)));
    }
    changed
}

/// Reads the backlog in batches; `report` gets the symbols after each.
pub(crate) fn read_backlog(
    workspace: &WorkspaceSnapshot,
    root: usize,
    known: &Symbols,
    backlog: Backlog,
    limits: &ReadLimits<'_>,
    report: &mut dyn FnMut(&Symbols),
) -> Symbols {
    let gone: Vec<SymbolChange> = backlog.gone.into_iter().map(|file| SymbolChange::Removed(file.into())).collect();
    let mut known = known.with_total(backlog.total);
    if !gone.is_empty() {
        known = known.apply(&gone);
    }
    let ended = AtomicBool::new(false);
    for batch in backlog.files.chunks(BATCH_SIZE) {
        let changes: Vec<SymbolChange> = batch
            .par_iter()
            .filter_map(|file| {
                if ended.load(Ordering::Relaxed) || (limits.should_stop)() {
                    ended.store(true, Ordering::Relaxed);
                    return None;
                }
                Some(read_file(workspace, root, file, limits.is_wanted))
            })
            .collect();
        known = known.apply(&changes);
        if ended.load(Ordering::Relaxed) {
            return known;
        }
        report(&known);
    }
    known.compact()
}

/// Reads the symbols of a file on disk.
fn read_file(
    workspace: &WorkspaceSnapshot,
    root: usize,
    file: &str,
    wanted: &(dyn Fn(&[u8]) -> bool + Sync),
) -> SymbolChange {
    // One byte more than is parsed, to detect that the file is longer.
    let max_bytes = pathfinder_symbols::LENGTH_MAX as u64 + 1;
    // An unreadable file has no symbols until it changes.
    let (stamp, bytes) = workspace.probe().beginning(root, &RelPath::from(file), max_bytes).unwrap_or_default();
    let is_text = memchr::memchr(0, &bytes[..bytes.len().min(SNIFF_BYTES)]).is_none();
    let (stamp, symbols) = if !is_text {
        (stamp, Vec::new())
    } else if wanted(&bytes) {
        (stamp, pathfinder_symbols::declared(file, &String::from_utf8_lossy(&bytes)))
    } else {
        (UNSURE, Vec::new())
    };
    SymbolChange::Read { file: file.into(), stamp, symbols }
}

/// Bytes in which a zero marks a binary file, as in git.
pub(crate) const SNIFF_BYTES: usize = 8000;

#[cfg(all(test, unix))]
mod tests;
