//! Words of the files of a snapshot: read in parallel within a time budget, and updated while files change. Called by
//! `find` for single commands, and by the background reader of a workspace after the declarations.

mod admission;

use std::hash::{Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pathfinder_content::{
    CommitSubjects, ContentChange, ContentIndex, FileContent, MAX_COMMITS, MAX_FILES_PER_COMMIT, MAX_TEXT_BYTES,
    TermReader,
};
use pathfinder_core::index::Snapshot;
use pathfinder_core::symbols::{Symbol, SymbolKind};
use pathfinder_core::{Kind, RelPath};
use rayon::prelude::*;
use rustc_hash::{FxHashSet, FxHasher};

use admission::Admission;

use crate::asked_directories;
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};
use crate::symbols::{BATCH_SIZE, Backlog, DiskStamps, FileIndex, SNIFF_BYTES, Validation};
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::file_index::{CONTENTS, SUBJECT_WORDS};
use pathfinder_vfs::history::{self, subjects};
use pathfinder_vfs::probe::UNSURE;
use pathfinder_vfs::probe::withheld::is_withheld_name;

/// The cache is written when at least one part in this many of the files was read: writing all words for one saved file
/// costs more than reading that file again at the next start.
const SAVED_SHARE: usize = 20;

impl FileIndex for ContentIndex {
    /// Files that no answer may quote are not read. Ignored files are in no tree.
    fn accepts(path: &str) -> bool {
        !is_withheld_name(path.as_bytes())
    }

    fn progress(&self) -> (usize, usize) {
        self.progress()
    }

    fn total_in_root(&self) -> usize {
        self.total_in_root()
    }

    fn stamps(&self) -> impl Iterator<Item = (&str, u64)> {
        self.stamps()
    }
}

/// The words of the files of a snapshot's roots as they are cached, and the subjects of their commits. None of it depends on the
/// declarations, so that both are loaded at once.
pub(crate) struct CachedContents {
    words: Vec<Option<ContentIndex>>,
    subjects: Vec<Option<Arc<CommitSubjects>>>,
}

impl CachedContents {
    /// Loads the words of roots that have none, and reads the subjects.
    pub(crate) fn load(workspace: &WorkspaceSnapshot) -> Self {
        let load_words = |opened: &LoadedRoot| {
            let cached = load_if_unknown(opened);
            cached.iter().for_each(ContentIndex::prepare);
            cached
        };
        let words = workspace.opened().iter().map(load_words).collect();
        let roots = 0..workspace.opened().len();
        Self { words, subjects: roots.map(|root| Some(read_subjects(workspace, root, &|| false))).collect() }
    }
}

/// Reads the files of all roots whose words are unknown or out of date, on all processors, within a time budget. Saves
/// the result. Returns the snapshot with the words and the subjects.
pub(crate) fn read(
    workspace: &WorkspaceSnapshot,
    cached: CachedContents,
    budget: Duration,
    stamps: &mut DiskStamps,
) -> WorkspaceSnapshot {
    let start = Stopwatch::start();
    let mut contents: Vec<ContentIndex> = workspace.opened().iter().map(|opened| opened.contents.clone()).collect();
    for ((root, current), cached) in contents.iter_mut().enumerate().zip(cached.words) {
        let should_stop = || start.elapsed() >= budget;
        let mut report = |new: &ContentIndex| {
            *current = new.clone();
            true
        };
        let index = cached.as_ref().unwrap_or(&workspace.opened()[root].contents);
        let known = KnownWords { index, is_loaded: cached.is_some() };
        let written = FxHashSet::default();
        let backlog = Backlog::new(workspace, root, index, &written, Validation::Stamps, Some(stamps));
        read_backlog(workspace, root, known, backlog, &written, &should_stop, &mut report);
    }
    workspace.with_contents(contents, Some(cached.subjects))
}

/// Time limit for reading the subjects of commits. Not tuned: at 0.05 to 0.2 ms each, 4,000 take less than a second.
const SUBJECTS_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads the subjects of the newest commits of a root, and indexes them by the files that are still there. Empty if the
/// settings disable history, or there is none.
pub(crate) fn read_subjects(
    workspace: &WorkspaceSnapshot,
    root: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Arc<CommitSubjects> {
    let opened = &workspace.opened()[root];
    if opened.settings.history.is_zero() {
        return Arc::default();
    }
    let cache_dir = opened.settings.cache_dir.as_deref();
    let snapshot = &workspace.engine().roots()[root].snapshot;
    let canonical = &opened.root.canonical;
    let files = hash_files(snapshot);
    if let Some(head) = cache_dir.and_then(|_| history::head(&opened.root))
        && let Some(known) =
            cache_dir.and_then(|directory| load_subjects(directory, canonical, &subjects_key(&head, files)))
    {
        return Arc::new(known);
    }
    let (commits, head) =
        subjects::read_subjects(&opened.root, cache_dir, MAX_COMMITS, MAX_FILES_PER_COMMIT, SUBJECTS_TIMEOUT, stop);
    let commits = commits.iter().map(|(subject, files)| (subject.as_str(), files.as_slice()));
    let is_present = |file: &str| snapshot.get(file.as_bytes()) == Some(Kind::File);
    let built = CommitSubjects::build(commits, &is_present);
    if let (Some(directory), Some(head)) = (cache_dir, head) {
        let image = [subjects_key(&head, files).as_slice(), &built.to_image()].concat();
        SUBJECT_WORDS.save(directory, canonical, &image);
    }
    Arc::new(built)
}

/// Returns a number of a tree's files. The words of subjects count only for files that are there.
fn hash_files(snapshot: &Snapshot) -> u64 {
    let files = snapshot.entries().into_iter().filter(|(_, kind)| *kind == Kind::File).map(|(path, _)| path);
    let mut hasher = FxHasher::default();
    files.for_each(|path| path.hash(&mut hasher));
    hasher.finish()
}

/// Returns the key of the words of subjects: the newest commit and the files.
fn subjects_key(head: &str, files: u64) -> Vec<u8> {
    let text = format!("{head} {files:016x}");
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
}

/// Loads the words of subjects, if they are cached with this key.
fn load_subjects(directory: &Path, root: &Path, key: &[u8]) -> Option<CommitSubjects> {
    SUBJECT_WORDS.load_in_pieces(directory, root, |length, read| {
        let rest = length.checked_sub(key.len() as u64)?;
        (read(key.len() as u64)? == key).then(|| CommitSubjects::from_pieces(rest, read)).flatten()
    })
}

/// Returns whether the words of all files of all roots are known.
pub fn is_complete(workspace: &WorkspaceSnapshot) -> bool {
    let mut roots = workspace.opened().iter().zip(workspace.engine().roots());
    roots.all(|(opened, root)| match opened.contents.progress() {
        (0, 0) => {
            let is_read = |path: &[u8]| str::from_utf8(path).is_ok_and(ContentIndex::accepts);
            !root.snapshot.entries().iter().any(|(path, kind)| *kind == Kind::File && is_read(path))
        }
        (read, all) => read >= all,
    })
}

/// Returns the directories of a root that questions were about, the current one of this process first.
fn asked_directories(workspace: &WorkspaceSnapshot, root: usize) -> Vec<String> {
    let cwd = workspace.engine().cwd().filter(|cwd| cwd.0 == root && !cwd.1.is_empty());
    cwd.map(|cwd| cwd.1.to_owned()).into_iter().chain(workspace.opened()[root].asked.latest()).collect()
}

/// Notes the directories that a question is about: those in its words, and the current one. Returns whether a limited index has to
/// be read again for a new one.
pub fn note_directories(workspace: &WorkspaceSnapshot, query: &str) -> bool {
    let cwd = workspace.engine().cwd();
    let mut is_new = false;
    for (number, (opened, root)) in workspace.opened().iter().zip(workspace.engine().roots()).enumerate() {
        let own = cwd.filter(|(root, _)| *root == number).map(|(_, directory)| directory.to_owned());
        for directory in
            own.into_iter().chain(asked_directories::directories(query, root)).filter(|directory| !directory.is_empty())
        {
            is_new |= opened.asked.note(&directory) && opened.contents.left_out() > 0;
        }
    }
    is_new
}

/// Brings the words of one root up to date. `report` gets the index after each batch, and returns false to end the
/// reading. Returns whether anything was read.
pub(crate) fn update(
    workspace: &WorkspaceSnapshot,
    root: usize,
    written: &FxHashSet<String>,
    validation: Validation,
    should_stop: &(dyn Fn() -> bool + Sync),
    report: &mut dyn FnMut(&ContentIndex) -> bool,
) -> bool {
    let opened = &workspace.opened()[root];
    let cached = load_if_unknown(opened);
    let index = cached.as_ref().unwrap_or(&opened.contents);
    let (read, all) = index.progress();
    let validation = match validation {
        _ if cached.is_some() => Validation::Stamps,
        // An interrupted reading is continued.
        Validation::Events if read < all => Validation::Tree,
        other => other,
    };
    let known = KnownWords { index, is_loaded: cached.is_some() };
    let backlog = Backlog::new(workspace, root, index, written, validation, None);
    read_backlog(workspace, root, known, backlog, written, should_stop, report)
}

/// The words of a root before it is brought up to date.
#[derive(Clone, Copy)]
struct KnownWords<'i> {
    index: &'i ContentIndex,
    /// True if they were loaded for this, and no snapshot has them yet.
    is_loaded: bool,
}

/// Reads the backlog of [`update`] in batches.
fn read_backlog(
    workspace: &WorkspaceSnapshot,
    root: usize,
    known: KnownWords<'_>,
    mut backlog: Backlog,
    written: &FxHashSet<String>,
    should_stop: &(dyn Fn() -> bool + Sync),
    report: &mut dyn FnMut(&ContentIndex) -> bool,
) -> bool {
    let opened = &workspace.opened()[root];
    let KnownWords { index: known, is_loaded } = known;
    if backlog.is_empty() && !is_loaded && (known.progress().1 > 0 || backlog.total == 0) {
        return false;
    }
    let start = Stopwatch::start();
    let frecency = &workspace.engine().roots()[root].frecency;
    let admission = Admission::new(frecency, written, asked_directories(workspace, root));
    let evicted = admission.admit(known, &mut backlog);
    let mut index = known.with_total(backlog.total);
    let total = index.progress().1;
    let is_worth_saving = |read: usize| read > 0 && read * SAVED_SHARE >= total;
    let (mut read, mut left) = (0, backlog.files.len());
    let removed: Vec<ContentChange> =
        backlog.gone.into_iter().chain(evicted).map(|file| ContentChange::Removed(file.into())).collect();
    if !removed.is_empty() {
        index = index.apply(removed);
    }
    let ended = AtomicBool::new(false);
    for batch in backlog.files.chunks(BATCH_SIZE) {
        let mut changes: Vec<ContentChange> = batch
            .par_iter()
            .map_init(TermReader::default, |reader, file| {
                if ended.load(Ordering::Relaxed) || should_stop() {
                    ended.store(true, Ordering::Relaxed);
                    return None;
                }
                Some(read_file(workspace, root, file, reader))
            })
            .flatten_iter()
            .collect();
        read += changes.len();
        changes.splice(0..0, admission.make_room(&index, &changes));
        index = index.apply(changes);
        left -= batch.len();
        let is_ended = ended.load(Ordering::Relaxed);
        if !report(&index) && left > 0 || is_ended {
            // The next reading continues from there.
            if is_ended && is_worth_saving(read) {
                save(opened, &index);
            }
            return true;
        }
    }
    let index = if is_worth_saving(read) { index.compact() } else { index };
    index.prepare();
    report(&index);
    if is_worth_saving(read) {
        save(opened, &index);
    }
    tracing::info!(root = %opened.root.canonical.display(), stats = ?index.stats(), took = ?start.elapsed(), "contents read");
    true
}

/// Reads the words of a few files, and returns an index of these alone for each root.
pub(crate) fn read_files(workspace: &WorkspaceSnapshot, files: &[(usize, &str)]) -> Vec<ContentIndex> {
    let read = |reader: &mut TermReader, (root, file): &(usize, &str)| {
        ContentIndex::accepts(file).then(|| (*root, read_file(workspace, *root, file, reader)))
    };
    let mut changes: Vec<Vec<ContentChange>> = workspace.opened().iter().map(|_| Vec::new()).collect();
    let read: Vec<Option<(usize, ContentChange)>> = files.par_iter().map_init(TermReader::default, read).collect();
    for (root, change) in read.into_iter().flatten() {
        changes[root].push(change);
    }
    changes.into_iter().map(|changes| ContentIndex::default().apply(changes)).collect()
}

/// Reads the words of a file on disk.
fn read_file(workspace: &WorkspaceSnapshot, root: usize, file: &str, reader: &mut TermReader) -> ContentChange {
    // One byte more than is indexed, to detect that the file is longer.
    let max_bytes = MAX_TEXT_BYTES as u64 + 1;
    // An unreadable file has no words until it changes.
    let (stamp, bytes) = workspace.probe().beginning(root, &RelPath::from(file), max_bytes).unwrap_or_default();
    let is_text = memchr::memchr(0, &bytes[..bytes.len().min(SNIFF_BYTES)]).is_none();
    let text = is_text.then(|| String::from_utf8_lossy(&bytes));
    let symbols = &workspace.engine().roots()[root].symbols;
    let declared: Vec<Symbol> = match &text {
        Some(_) if stamp != UNSURE && symbols.stamp(file) == Some(stamp) => {
            let known = symbols.in_file(file).into_iter();
            known.map(|symbol| Symbol { name: symbol.name.into(), kind: symbol.kind, line: symbol.line }).collect()
        }
        Some(text) => pathfinder_symbols::declared(file, text),
        None => Vec::new(),
    };
    ContentChange::Read(Box::new(FileContent::read(file, stamp, text.as_deref(), &declared, reader)))
}

/// Returns the set of these names that a file on disk declares.
pub(crate) fn declared_in(workspace: &WorkspaceSnapshot, (root, file): (usize, &RelPath), names: &[&str]) -> u64 {
    let Some((_, bytes)) = workspace.probe().beginning(root, file, MAX_TEXT_BYTES as u64) else { return 0 };
    // Most files do not have the name at all.
    let has = |name: &&str| memchr::memmem::find(&bytes, name.as_bytes()).is_some();
    if !names.iter().any(has) {
        return 0;
    }
    let declared = pathfinder_symbols::declared(&file.text(), &String::from_utf8_lossy(&bytes));
    let bit = |(at, name): (usize, &&str)| {
        u64::from(declared.iter().any(|symbol| symbol.kind != SymbolKind::Implementation && &*symbol.name == *name))
            << at
    };
    names.iter().enumerate().map(bit).fold(0, |set, bit| set | bit)
}

/// Loads the cached words of a root that has none in memory.
fn load_if_unknown(opened: &LoadedRoot) -> Option<ContentIndex> {
    let cached = (opened.contents.progress() == (0, 0)).then(|| load(opened)).flatten();
    cached.map(|cached| cached.with_limits(opened.contents.limits()))
}

/// Loads the cached words of a root. Files may have changed since they were saved.
fn load(opened: &LoadedRoot) -> Option<ContentIndex> {
    CONTENTS.load_in_pieces(opened.settings.cache_dir.as_deref()?, &opened.root.canonical, ContentIndex::from_pieces)
}

/// Saves the words of a root. Files that were changed just now are read again at the next start.
fn save(opened: &LoadedRoot, known: &ContentIndex) {
    if let Some(directory) = &opened.settings.cache_dir {
        CONTENTS.save(directory, &opened.root.canonical, &known.to_image());
    }
}

#[cfg(test)]
mod tests;
