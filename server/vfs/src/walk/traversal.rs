//! `Traversal`: lists directories in parallel, and collects their entries by thread.
//!
//! The `ignore` crate's walk puts each file into a queue of its own, and the system looks up a whole path for each call.
//! This one takes 5 calls of the system for a directory (open, times, two lists, close), each below an open parent.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::SystemTime;
use std::{mem, thread};

use parking_lot::{Mutex, MutexGuard};
use pathfinder_core::{Kind, RelPath};
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

use super::super::{bytes, git};
use super::dir_rules::{DirRules, RuleFiles};
use super::include::IncludeDir;
use super::listed_dir::{EntryNames, ListedDir};
use super::thread_output::ThreadOutput;
use super::tracked::Worktree;
use super::{Sink, SubtreeFilter};

/// On 2 cores the tree of 100,000 files takes 1.8 times as long with one thread as with two, and no longer with eight.
/// The walk has threads of its own, so that questions about what is already known do not wait for a slow disk.
const MAX_THREADS: usize = 12;

/// Limit of open directories that wait for their children, far below the 1,024 files that systems allow by default. The
/// children of others are opened by their whole paths. Only trees deeper than this reach it.
const MAX_OPEN_PARENTS: usize = 256;

/// Limit of an absolute path on Linux, with the byte that ends it. Longer ones could be opened below their parents, but
/// not by programs.
const MAX_PATH_BYTES: usize = 4096;

/// State of one thread: its output, and memory that it uses for each directory.
struct Worker<S> {
    output: ThreadOutput<S>,
    names: EntryNames,
    /// Absolute path of the current entry.
    path: Vec<u8>,
    /// Directories to list that were found in the current one, relative to the root.
    children: Vec<Vec<u8>>,
}

impl<S: Default> Default for Worker<S> {
    fn default() -> Self {
        Self { output: ThreadOutput::default(), names: EntryNames::default(), path: Vec::new(), children: Vec::new() }
    }
}

/// A walk of one root.
pub(super) struct Traversal<'a, S> {
    root: &'a Path,
    /// Absolute path of the root, ending in `/`.
    prefix: Vec<u8>,
    include: &'a [IncludeDir],
    below: Option<&'a SubtreeFilter<'a>>,
    worktrees: mpsc::Sender<Worktree>,
    start: SystemTime,
    top: ListedDir,
    pool: ThreadPool,
    workers: Vec<Mutex<Worker<S>>>,
    open_parents: Arc<AtomicUsize>,
}

/// A directory to list.
struct PendingDir {
    relative: Vec<u8>,
    parent: Option<Arc<OpenParent>>,
    /// The rules for this directory, which those for its entries extend; `None` lists all entries.
    rules: Option<Arc<DirRules>>,
}

/// An open directory whose children wait.
struct OpenParent {
    handle: ListedDir,
    count: Arc<AtomicUsize>,
}

impl Drop for OpenParent {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<'a, S: Sink> Traversal<'a, S> {
    /// Opens the root. `worktrees` receives the nested repositories that are met; `include` are the `INCLUDE_DIRS` to
    /// find in every directory. With `below`, other directories are left out. Directories that changed shortly before
    /// `start` or later get no valid stamp.
    ///
    /// # Errors
    /// If the root cannot be opened or the system has no threads.
    pub(super) fn new(
        root: &'a Path,
        include: &'a [IncludeDir],
        below: Option<&'a SubtreeFilter<'a>>,
        worktrees: mpsc::Sender<Worktree>,
        start: SystemTime,
    ) -> io::Result<Self> {
        let mut prefix = bytes::from_os_str(root.as_os_str()).into_owned();
        if !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MAX_THREADS);
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|at| format!("walk-{at}")).build();
        Ok(Self {
            root,
            prefix,
            include,
            below,
            worktrees,
            start,
            top: ListedDir::open(root)?,
            pool: pool.map_err(io::Error::other)?,
            workers: (0..threads).map(|_| Mutex::default()).collect(),
            open_parents: Arc::default(),
        })
    }

    /// Lists the root and everything below that these rules do not hide.
    pub(super) fn walk(&self, rules: DirRules) {
        let root = PendingDir { relative: Vec::new(), parent: None, rules: Some(Arc::new(rules)) };
        self.pool.scope(|scope| self.visit(scope, root, self.include));
    }

    /// Lists the `INCLUDE_DIRS` that were met, without any rules, and returns them: sorted, none inside another.
    pub(super) fn walk_included(&self) -> Vec<RelPath> {
        let mut included: Vec<RelPath> =
            self.workers.iter().flat_map(|worker| mem::take(&mut worker.lock().output.included)).collect();
        // Sorting by segments puts a directory right before its contents ("a", "a/b", "a.b").
        included.sort_by(|a, b| segments(a).cmp(segments(b)));
        included.dedup_by(|inner, outer| {
            inner.as_bytes().strip_prefix(outer.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        });
        included.retain(|path| self.below.is_none_or(|below| below.concerns(path.as_bytes())));
        self.pool.scope(|scope| {
            for path in &included {
                let (directory, name) = bytes::split(path.as_bytes());
                let relative = path.as_bytes().to_vec();
                self.worker().output.add(directory, name, &relative, Kind::Directory);
                scope.spawn(|scope| self.visit(scope, PendingDir { relative, parent: None, rules: None }, &[]));
            }
        });
        included
    }

    /// Returns what the threads collected.
    pub(super) fn into_outputs(self) -> Vec<ThreadOutput<S>> {
        self.workers.into_iter().map(|worker| worker.into_inner().output).collect()
    }

    /// Locks the state of the current thread of the pool, which no other thread locks.
    fn worker(&self) -> MutexGuard<'_, Worker<S>> {
        self.workers[rayon::current_thread_index().unwrap_or_default()].lock()
    }

    /// Lists one directory and leaves its children to the threads.
    fn visit<'s>(&'s self, scope: &Scope<'s>, pending: PendingDir, include: &'s [IncludeDir]) {
        let worker = &mut *self.worker();
        let Some(handle) = self.list(worker, &pending) else { return };
        let PendingDir { relative, rules, .. } = pending;
        let Some(directory) = bytes::to_path(&relative).map(|path| self.root.join(path)) else { return };
        let mut files = RuleFiles::default();
        if rules.is_some() {
            worker.names.iter().for_each(|(name, _)| files.add(name));
        }
        let output = &mut worker.output;
        if !relative.is_empty() && files.has_rules() {
            output.ruled.insert(relative.clone());
        }
        // The caller has checked the root.
        if !relative.is_empty() && files.blocks_walk(&directory) {
            tracing::warn!(
                ?directory,
                "directory skipped: its ignore file, or that of its repository, is not a readable file"
            );
            return output.unreadable.add(RelPath::new(relative));
        }
        let rules = rules.map(|rules| rules.below(&directory, files).map_or(rules, Arc::new));
        let found = include.iter().filter_map(|include| include.find_in(&directory, &relative));
        output.included.extend(found.map(RelPath::new));
        self.collect(worker, &relative, rules.as_deref(), include);

        if worker.children.is_empty() {
            return;
        }
        let parent = self.keep_open(handle);
        for child in worker.children.drain(..) {
            let child = PendingDir { relative: child, parent: parent.clone(), rules: rules.clone() };
            scope.spawn(move |scope| self.visit(scope, child, include));
        }
    }

    /// Opens a directory and lists its names. If that fails, it is noted as unreadable, and the names until then are
    /// used.
    fn list(&self, worker: &mut Worker<S>, pending: &PendingDir) -> Option<ListedDir> {
        let PendingDir { relative, parent, .. } = pending;
        let output = &mut worker.output;
        if cfg!(target_os = "linux") && self.prefix.len() + relative.len() >= MAX_PATH_BYTES {
            output.unreadable.add_too_long(RelPath::new(relative.as_slice()));
            return None;
        }
        let opened = match parent {
            Some(parent) => parent.handle.open_below(bytes::split(relative).1),
            None if relative.is_empty() => self.top.open_below(b"."),
            None => self.top.open_below(relative),
        };
        let handle = opened.map_err(|error| output.note_unreadable(&error, relative)).ok()?;
        // A change after this is in the list, or makes the stamp outdated, or both.
        let stamp = handle.stamp(self.start);
        match handle.list(&mut worker.names) {
            Ok(()) => output.stamps.push((relative.clone(), stamp)),
            Err(error) => output.note_unreadable(&error, relative),
        }
        Some(handle)
    }

    /// Adds the entries of the listed directory that these rules do not hide, and collects the directories among them.
    fn collect(&self, worker: &mut Worker<S>, relative: &[u8], rules: Option<&DirRules>, include: &[IncludeDir]) {
        let Worker { output, names, path, children } = worker;
        path.clear();
        path.extend_from_slice(&self.prefix);
        path.extend_from_slice(relative);
        if !relative.is_empty() {
            path.push(b'/');
        }
        let start = path.len();
        for (name, kind) in names.iter() {
            path.truncate(start);
            path.extend_from_slice(name);
            let entry = &path[self.prefix.len()..];
            let is_directory = kind == Kind::Directory;
            if let Some(rules) = rules
                && (self.absolute(path).is_some_and(|path| rules.is_ignored(&path, is_directory))
                    || self.below.is_some_and(|below| !below.is_wanted(relative, name, entry)))
            {
                continue;
            }
            if name == git::DOT_GIT.as_bytes() {
                // The repository around the root is known before the walk begins.
                if !relative.is_empty() {
                    _ = self.worktrees.send(Worktree::nested(self.root, relative));
                }
                continue;
            }
            // One of `INCLUDE_DIRS` was found in its parent; the second pass lists it.
            if is_directory && include.iter().any(|include| include.matches(entry)) {
                continue;
            }
            output.add(relative, name, entry, kind);
            if is_directory {
                children.push(entry.to_vec());
            }
        }
    }

    /// Returns the absolute path of the current entry for matchers.
    #[cfg(unix)]
    #[expect(clippy::unused_self, reason = "elsewhere the root is needed")]
    fn absolute<'p>(&self, path: &'p [u8]) -> Option<Cow<'p, Path>> {
        bytes::to_path(path).map(Cow::Borrowed)
    }

    /// Returns the absolute path of the current entry for matchers, with the system's separators before it.
    #[cfg(not(unix))]
    fn absolute(&self, path: &[u8]) -> Option<Cow<'static, Path>> {
        bytes::to_path(&path[self.prefix.len()..]).map(|path| Cow::Owned(self.root.join(path)))
    }

    /// Keeps a directory open for its children; `None` if too many are open.
    fn keep_open(&self, handle: ListedDir) -> Option<Arc<OpenParent>> {
        if self.open_parents.load(Ordering::Relaxed) >= MAX_OPEN_PARENTS {
            return None;
        }
        self.open_parents.fetch_add(1, Ordering::Relaxed);
        Some(Arc::new(OpenParent { handle, count: Arc::clone(&self.open_parents) }))
    }
}

fn segments(path: &RelPath) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|&byte| byte == b'/')
}
