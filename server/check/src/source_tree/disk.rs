//! `DiskTree`: a snapshot's first root as it is on disk.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, RwLock};
use pathfinder_core::history::{MoveEvidence, PathHistory, day, short_id};
use pathfinder_core::{Kind as Entry, Presence, Probe as _, RelPath, Root};
use pathfinder_literals::{Kind, Moved, Tree, path};
use rustc_hash::FxHashMap;

use super::super::name_index::NameIndex;
use super::lacking::LackingDirectories;
use super::listed_files::files;
use super::text_cache::TextCache;
use super::{DiskCounts, HistoryVerdict, MAX_FILE_BYTES, PastText, SourceTree, decode};
use pathfinder_project::snapshot::{LoadedRoot, WorkspaceSnapshot};
use pathfinder_vfs::commit::TreeEntries;
use pathfinder_vfs::history::is_cut_off;
use pathfinder_vfs::ignores::Ignores;
use pathfinder_vfs::past_commits::{PastCommit, PastCommits};
use pathfinder_vfs::tracked::read_tracked_files;

/// Numbers of disk accesses.
#[derive(Debug, Default)]
struct DiskCounters {
    stats: AtomicUsize,
    reads: AtomicUsize,
}

/// A source tree on disk, with the snapshot's index and caches of what was read.
pub(crate) struct DiskTree {
    workspace: Arc<WorkspaceSnapshot>,
    ignores: Ignores,
    files: OnceLock<Vec<String>>,
    tracked: OnceLock<HashSet<Vec<u8>>>,
    /// True if the repository is a shallow clone.
    is_cut_off: OnceLock<bool>,
    /// The files that moved within a month. Three indexes ask for them.
    recent_moves: OnceLock<Vec<(String, Moved)>>,
    /// Names by directory. Thousands of missing literals in one file need the same few directories.
    names: Mutex<FxHashMap<String, Arc<[String]>>>,
    /// Names with their summaries by directory. Each missing literal is compared with those beside it.
    name_indexes: RwLock<FxHashMap<String, Arc<NameIndex>>>,
    /// Kinds by path. Each tested fix resolves most literals of its file again. Below a missing directory, only that
    /// directory is queried and stored.
    kinds: RwLock<FxHashMap<String, Option<Kind>>>,
    /// True for a directory that the index lacks if nothing can exist in it. Literals try many paths in the same ones.
    empty_places: RwLock<FxHashMap<String, bool>>,
    lacking: LackingDirectories,
    /// Verdicts of the ignore rules in one run. The targets of all fixes of a file are mostly the same.
    ignored: RwLock<FxHashMap<String, bool>>,
    /// Texts read in one run; `None` if files can change between two queries.
    texts: Option<TextCache>,
    counts: DiskCounters,
    /// The entries of the commit that the tree is compared with, if it is.
    earlier: Option<TreeEntries>,
    /// The commits that tell how old a literal is; `None` within if there are none, or the settings forbid to read them.
    past: OnceLock<Option<PastCommits>>,
    /// True if a file of a commit has a path as a word; `None` if that is not known.
    searched: Mutex<FxHashMap<(PastCommit, String), Option<bool>>>,
    /// True if a directory is deserted. Every literal below it needs this.
    deserted: RwLock<FxHashMap<String, bool>>,
}

impl DiskTree {
    pub(crate) fn new(workspace: Arc<WorkspaceSnapshot>) -> Self {
        let ignores = Ignores::new(&workspace.opened()[0].root.canonical, workspace.probe().log());
        Self {
            workspace,
            ignores,
            files: OnceLock::new(),
            tracked: OnceLock::new(),
            is_cut_off: OnceLock::new(),
            recent_moves: OnceLock::new(),
            names: Mutex::default(),
            name_indexes: RwLock::default(),
            kinds: RwLock::default(),
            empty_places: RwLock::default(),
            past: OnceLock::new(),
            searched: Mutex::default(),
            deserted: RwLock::default(),
            lacking: LackingDirectories::default(),
            ignored: RwLock::default(),
            texts: None,
            counts: DiskCounters::default(),
            earlier: None,
        }
    }

    /// Reads each text once. Only for a run during which no file changes.
    pub(crate) fn with_text_cache(self) -> Self {
        Self { texts: Some(TextCache::default()), ..self }
    }

    /// Compares the tree with a commit.
    pub(crate) fn with_earlier(self, entries: TreeEntries) -> Self {
        Self { earlier: Some(entries), ..self }
    }

    fn root(&self) -> &Root {
        &self.workspace.engine().roots()[0]
    }

    /// Returns whether a directory is only the remainder of a move: git's history says where its files went, and it
    /// holds none. Other checkouts lack it, since git stores no empty directories.
    fn is_deserted(&self, path: &str) -> bool {
        if self.root().renames.is_empty() {
            return false;
        }
        let known = self.deserted.read().get(path).copied();
        known.unwrap_or_else(|| {
            let is = self.has_no_file(path.as_bytes()) && self.find_move(path).is_some();
            self.deserted.write().insert(path.to_owned(), is);
            is
        })
    }

    /// Returns whether a path exists and is not `path`: for a directory that still exists, the question is where its files went.
    fn has_other(&self, path: &str, other: &RelPath) -> bool {
        other.as_bytes() != path.as_bytes() && self.root().snapshot.get(other.as_bytes()).is_some()
    }

    /// Looks up a path in git's history.
    fn look_up(&self, path: &str) -> Option<PathHistory> {
        self.root().renames.look_up(&RelPath::from(path), |other| self.has_other(path, other))
    }

    /// The new location of a path according to git's history, whatever exists there now.
    fn find_move(&self, path: &str) -> Option<Moved> {
        match self.look_up(path)? {
            PathHistory::Moved { to, commit, seconds, .. } if self.has_other(path, &to) => {
                let known = || format!("{} ({})", short_id(&commit), day(seconds));
                let commit = if commit.is_empty() { "the working tree".to_owned() } else { known() };
                Some(Moved { to: to.text().into_owned(), commit })
            }
            _ => None,
        }
    }

    /// Returns whether a directory and all below it hold only directories.
    fn has_no_file(&self, directory: &[u8]) -> bool {
        let children = self.root().snapshot.children(directory);
        children.values().all(|kind| *kind == Entry::Directory)
            && children.keys().all(|name| self.has_no_file(&[directory, b"/", name].concat()))
    }

    /// Returns whether a path that the index lacks lies below a missing directory or a file. One query covers all paths
    /// below it.
    fn is_below_nothing(&self, path: &str) -> bool {
        let Some((directory, _)) = path.rsplit_once('/') else { return false };
        let known = self.empty_places.read().get(directory).copied();
        known.unwrap_or_else(|| {
            let depth = self.root().snapshot.depth(path.as_bytes());
            let missing = path.match_indices('/').nth(depth);
            let is = missing.is_some_and(|(end, _)| matches!(self.stat_once(&path[..end]), None | Some(Kind::File)));
            self.empty_places.write().insert(directory.to_owned(), is);
            is
        })
    }

    /// Calls [`Self::stat`] once per path that its directory may have.
    fn stat_once(&self, path: &str) -> Option<Kind> {
        let known = self.kinds.read().get(path).copied();
        if known.is_none() && self.is_lacking(path, || self.is_listed(path::parent(path))) {
            return None;
        }
        known.unwrap_or_else(|| {
            self.counts.stats.fetch_add(1, Ordering::Relaxed);
            let kind = self.stat(path);
            self.kinds.write().insert(path.to_owned(), kind);
            kind
        })
    }

    /// The kind of a path that the index lacks, or knows as a link.
    fn stat(&self, path: &str) -> Option<Kind> {
        match self.workspace.probe().presence(0, path.as_bytes()) {
            Presence::Absent => None,
            Presence::Present(Entry::Directory) => Some(Kind::Directory),
            Presence::Present(Entry::File) => Some(Kind::File),
            Presence::Present(Entry::Symlink) => match self.workspace.probe().stat(0, &RelPath::from(path)) {
                Ok(details) if details.kind == "directory" => Some(Kind::Directory),
                _ => Some(Kind::File),
            },
            Presence::Outside => Some(Kind::Elsewhere),
        }
    }

    /// Returns whether the directory of a path has no such name for certain: neither on disk nor in the index, which also has what a
    /// sparse checkout leaves out. Only for a run during which no file changes.
    fn is_lacking(&self, path: &str, is_listed: impl FnOnce() -> bool) -> bool {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let read = || {
            let mut names = self.workspace.probe().read_names(0, &RelPath::from(directory))?;
            let listed = self.root().snapshot.children(directory.as_bytes());
            names.extend(listed.keys().map(|name| String::from_utf8_lossy(name).into_owned()));
            Some(names)
        };
        let is_lacking = self.texts.is_some() && self.lacking.lacks(directory, name, is_listed, read);
        is_lacking.then(|| self.workspace.probe().take_as_absent(directory.as_bytes(), name.as_bytes())).is_some()
    }

    fn is_listed(&self, directory: &str) -> bool {
        directory.is_empty() || self.root().snapshot.get(directory.as_bytes()) == Some(Entry::Directory)
    }

    /// Reads the text of a file from the disk.
    fn read_text(&self, path: &str) -> Option<String> {
        self.counts.reads.fetch_add(1, Ordering::Relaxed);
        let bytes = self.bytes(path)?;
        if let Some(texts) = self.texts.as_ref().filter(|_| bytes.starts_with("\u{feff}".as_bytes())) {
            texts.mark(path);
        }
        decode(bytes)
    }

    fn loaded_root(&self) -> &LoadedRoot {
        &self.workspace.opened()[0]
    }
}

impl Tree for DiskTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        if path.is_empty() {
            return Some(Kind::Directory);
        }
        // A directory whose names are known was listed when they were read.
        if self.is_lacking(path, || false) {
            return None;
        }
        match self.root().snapshot.get(path.as_bytes()) {
            Some(Entry::File) => return Some(Kind::File),
            Some(Entry::Directory) => return (!self.is_deserted(path)).then_some(Kind::Directory),
            // A link, or a path that the index lacks: the disk decides.
            Some(Entry::Symlink) | None => {}
        }
        if self.is_below_nothing(path) { None } else { self.stat_once(path) }
    }

    fn can_have_entries(&self, directory: &str) -> bool {
        if directory.is_empty() {
            return true;
        }
        match self.root().snapshot.get(directory.as_bytes()) {
            Some(Entry::Directory) => true,
            Some(Entry::File) => false,
            // A link, or a directory that the index lacks: the disk decides.
            Some(Entry::Symlink) | None => {
                !self.is_below_nothing(directory) && !matches!(self.stat_once(directory), None | Some(Kind::File))
            }
        }
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let mut known = self.names.lock();
        if let Some(names) = known.get(directory) {
            return Arc::clone(names);
        }
        let names: Arc<[String]> = self.workspace.probe().names(0, &RelPath::from(directory)).into();
        known.insert(directory.to_owned(), Arc::clone(&names));
        names
    }

    fn read(&self, path: &str) -> Option<String> {
        // A missing file is never opened, however often it is wanted.
        if matches!(self.kind(path), None | Some(Kind::Directory)) {
            return None;
        }
        let read = || self.read_text(path);
        self.texts.as_ref().map_or_else(read, |texts| texts.get(path, read))
    }

    fn read_shared(&self, path: &str) -> Option<Arc<str>> {
        let Some(texts) = &self.texts else { return self.read(path).map(Arc::from) };
        if matches!(self.kind(path), None | Some(Kind::Directory)) {
            return None;
        }
        texts.get_shared(path, || self.read_text(path))
    }

    fn files(&self) -> &[String] {
        self.files.get_or_init(|| files(&self.workspace))
    }

    fn is_ignored(&self, path: &str) -> bool {
        // While files can change, so can the rules.
        if self.texts.is_none() {
            return self.ignores.is_ignored(path);
        }
        let known = self.ignored.read().get(path).copied();
        known.unwrap_or_else(|| {
            let is = self.ignores.is_ignored(path);
            self.ignored.write().insert(path.to_owned(), is);
            is
        })
    }

    fn is_ignored_file(&self, path: &str) -> bool {
        self.ignores.is_ignored_file(path)
    }

    fn is_tracked(&self, path: &str) -> Option<bool> {
        let tracked = self.tracked.get_or_init(|| {
            let log = self.workspace.probe().log().map(|log| &**log);
            read_tracked_files(&self.loaded_root().root.canonical, log)
        });
        (!tracked.is_empty()).then(|| tracked.contains(path.as_bytes()))
    }

    fn moved(&self, path: &str) -> Option<Moved> {
        let is_gone = self.root().snapshot.get(path.as_bytes()).is_none() || self.is_deserted(path);
        if is_gone { self.find_move(path) } else { None }
    }

    fn was_there(&self, path: &str) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| earlier.contains_key(path)) && self.kind(path).is_none()
    }

    fn recent_moves(&self) -> Vec<(String, Moved)> {
        self.recent_moves.get_or_init(|| self.find_recent_moves()).clone()
    }

    fn origins(&self, path: &str) -> Vec<String> {
        let origins = self.root().renames.origins(&RelPath::from(path));
        origins.iter().map(|path| path.text().into_owned()).collect()
    }

    fn had_text_at_origin(&self, file: &str, origin: &str, text: &str) -> Option<bool> {
        let Some(PathHistory::Moved { commit, .. } | PathHistory::Deleted { commit, .. }) = self.look_up(origin) else {
            return None;
        };
        let (commits, before) = self.past().and_then(|all| Some((all, all.find_before(&commit)?)))?;
        // A file of several moves had another of its paths then.
        let names: Vec<String> = std::iter::once(file.to_owned()).chain(self.origins(file)).collect();
        let was_there = names.iter().any(|name| commits.has(before, name));
        was_there.then(|| names.iter().any(|name| commits.contains(before, name, text.as_bytes(), MAX_FILE_BYTES)))
    }

    fn was_left_at_move(&self, file: &str, origin: &str, text: &str) -> bool {
        let Some(PathHistory::Moved { commit, .. }) = self.look_up(origin) else { return false };
        self.past().is_some_and(|all| all.was_left(&commit, file, text.as_bytes(), MAX_FILE_BYTES))
    }
}

impl DiskTree {
    fn find_recent_moves(&self) -> Vec<(String, Moved)> {
        /// A commit of more files moves a whole tree, in which most names stay right.
        const MAX_MOVES: usize = 500;
        let renames = &self.root().renames;
        let month_ago = || self.past().and_then(PastCommits::month_before_newest);
        let Some(since) = (!renames.is_empty()).then(month_ago).flatten() else { return Vec::new() };
        let is_gone = |path: &RelPath| self.root().snapshot.get(path.as_bytes()).is_none();
        let paths = renames.moved_since(since, MAX_MOVES, is_gone);
        let moved = |path: String| self.find_move(&path).map(|moved| (path, moved));
        paths.into_iter().filter_map(|path| moved(path.text().into_owned())).collect()
    }

    /// The commits of the root, opened once.
    fn past(&self) -> Option<&PastCommits> {
        let loaded = self.loaded_root();
        let open = || (!loaded.settings.history.is_zero()).then(|| PastCommits::open(&loaded.root)).flatten();
        self.past.get_or_init(open).as_ref()
    }

    /// Returns whether the directory of a path existed once and is gone.
    fn has_lost_directory(&self, path: &str) -> bool {
        let Some((directory, _)) = path.rsplit_once('/') else { return false };
        self.root().snapshot.get(directory.as_bytes()).is_none()
            && self.root().renames.has_changes_at(&RelPath::from(directory))
    }
}

impl SourceTree for DiskTree {
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        if let Some(bytes) = self.texts.as_ref().and_then(|texts| texts.stored_bytes(path)) {
            return Some(bytes);
        }
        self.workspace.probe().whole(0, &RelPath::from(path), MAX_FILE_BYTES)
    }

    fn name_index(&self, directory: &str) -> Arc<NameIndex> {
        if let Some(known) = self.name_indexes.read().get(directory) {
            return Arc::clone(known);
        }
        let index = Arc::new(NameIndex::new(self.names(directory)));
        self.name_indexes.write().insert(directory.to_owned(), Arc::clone(&index));
        index
    }

    fn history(&self, path: &str) -> HistoryVerdict {
        /// A shorter history says too little, or belongs to a shallow clone.
        const MIN_HISTORY_PATHS: usize = 50;
        // An existing path was not lost, whatever a commit once did to it.
        if self.kind(path).is_some() {
            return HistoryVerdict::Unknown;
        }
        // A removal that is not committed yet is not part of the history, whether it is staged or not.
        let is_committed =
            || self.past().is_some_and(|commits| commits.newest().is_some_and(|at| commits.has(at, path)));
        if self.is_tracked(path) == Some(true) || is_committed() {
            return HistoryVerdict::Had;
        }
        let renames = &self.root().renames;
        let is_cut_off = || *self.is_cut_off.get_or_init(|| is_cut_off(&self.loaded_root().root));
        // The history of a shallow clone was read to its end, which is not the first commit.
        let has_all = || self.loaded_root().has_full_history() && !is_cut_off();
        match self.look_up(path) {
            Some(
                PathHistory::Moved { by: MoveEvidence::File, .. } | PathHistory::Deleted { by: MoveEvidence::File, .. },
            ) => HistoryVerdict::Had,
            // Most ancestor directories lost files once. That only matters if the directory is gone.
            Some(_) if self.has_lost_directory(path) => HistoryVerdict::HadDirectory,
            _ if renames.len() >= MIN_HISTORY_PATHS && has_all() => HistoryVerdict::Never,
            _ if renames.len() >= MIN_HISTORY_PATHS => HistoryVerdict::NotLately,
            _ if is_cut_off() => HistoryVerdict::CutOff,
            _ => HistoryVerdict::Unknown,
        }
    }

    fn text_when_removed(&self, file: &str, text: &str, path: &str, is_built: bool) -> Option<PastText> {
        let (PathHistory::Moved { commit, .. } | PathHistory::Deleted { commit, .. }) = self.look_up(path)?;
        let commits = self.past()?;
        // A text that was written lately is a mistake of today: an agent or a person knows the path as it was.
        let writes_it = |at: PastCommit| commits.contains(at, file, text.as_bytes(), MAX_FILE_BYTES);
        let month_old = commits.month_old()?;
        let is_old = writes_it(month_old);
        let is_known = is_old || is_built && !commits.has(month_old, path) && commits.newest().is_some_and(writes_it);
        let removal = commits.find(&commit).filter(|_| is_known)?;
        // The commit that removed the target can have corrected the text, which a branch then brings back.
        let before = commits.find_before(&commit).unwrap_or(removal);
        let mut names = std::iter::once(file.to_owned()).chain(self.origins(file));
        let had_text = |name: &str| {
            [removal, before].iter().any(|at| commits.contains(*at, name, text.as_bytes(), MAX_FILE_BYTES))
        };
        if names.any(|name| had_text(&name)) {
            return Some(PastText::InFile);
        }
        // Code that was written lately was built without the target.
        if !is_old {
            return Some(PastText::Nowhere);
        }
        // Text is copied, split off and converted.
        let key = (before, text.to_owned());
        let known = self.searched.lock().get(&key).copied();
        let found = known.unwrap_or_else(|| {
            let found = commits.any_has_word(before, text);
            self.searched.lock().insert(key, found);
            found
        });
        Some(if found == Some(false) { PastText::Nowhere } else { PastText::InOther })
    }

    fn missed_a_month_ago(&self, file: &str, line: &str, paths: &[&str], follows_moves: bool) -> bool {
        let Some((commits, commit)) = self.past().and_then(|commits| Some((commits, commits.month_old()?))) else {
            return false;
        };
        let had = |path: &str| commits.has(commit, path);
        let missed = |name: String| {
            let had_at = |path: &&str| had(path) || path::before_move(path, file, &name).is_some_and(|path| had(&path));
            commits.contains(commit, &name, line.as_bytes(), MAX_FILE_BYTES) && !paths.iter().any(had_at)
        };
        let earlier = if follows_moves { self.origins(file) } else { Vec::new() };
        std::iter::once(file.to_owned()).chain(earlier).any(missed)
    }

    fn were_together(&self, removed: &str, other: &str) -> bool {
        let commit = match self.look_up(removed) {
            Some(PathHistory::Deleted { by: MoveEvidence::Directory, .. }) => return false,
            Some(PathHistory::Moved { commit, .. } | PathHistory::Deleted { commit, .. }) => commit,
            None => String::new(),
        };
        // A file that moved in the working tree was there in the newest commit.
        let before = |commits: &PastCommits| commits.find_before(&commit).or_else(|| commits.newest());
        self.past().is_some_and(|commits| before(commits).is_some_and(|commit| commits.has(commit, other)))
    }

    fn was_changed_since(&self, file: &str, path: &str) -> bool {
        let Some(PathHistory::Moved { commit, .. } | PathHistory::Deleted { commit, .. }) = self.look_up(path) else {
            return false;
        };
        let times = |commits: &PastCommits| Some([commits.find(&commit)?, commits.month_old()?]);
        self.past().is_some_and(|commits| times(commits).is_some_and(|times| commits.differ(times, file)))
    }

    fn was_there_a_month_ago(&self, path: &str) -> bool {
        let had = |commits: &PastCommits| commits.month_old().is_some_and(|commit| commits.has(commit, path));
        self.past().is_some_and(had)
    }

    fn release_unused(&self) -> bool {
        self.past.get().and_then(Option::as_ref).is_some_and(PastCommits::release_unused)
    }

    fn counts(&self) -> DiskCounts {
        let DiskCounters { stats, reads } = &self.counts;
        DiskCounts { stats: stats.load(Ordering::Relaxed), reads: reads.load(Ordering::Relaxed) }
    }
}
