//! `walk`: lists the entries below a root: everything that git tracks, and everything else that is not ignored. Called
//! by `listing` and `events`.
//!
//! Two sources are read at the same time. The `ignore` crate's parallel walker lists directories and applies the ignore
//! files. A thread beside it reads git's indexes. Tracked paths that the walk did not list, because they are ignored,
//! are then added if they exist. Directories named in `INCLUDE_DIRS` are walked in a second pass without any rules.
//!
//! Never listed: `.git`, and entries behind symbolic links (the links themselves are).

mod additions;
mod collector;
mod ignore_files;
mod include;
mod path_rules;
mod subtrees;
mod tracked;
mod unreadable;

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::{mem, thread};

use ignore::{DirEntry, WalkBuilder};
use parking_lot::Mutex;
use pathfinder_core::index::WalkedEntries;
use pathfinder_core::{Kind, RelPath};
use rustc_hash::FxHashSet;

use super::bytes;
use super::git::{self, GitDir};
use super::roots::{RootDir, RootError, check_listable};
use super::stamp::DirStat;
use additions::Additions;
pub(crate) use additions::TrackedExtras;
use collector::{Collectors, WalkPass};
pub(super) use ignore_files::{IGNORE_FILE_NAMES, add_file};
use include::IncludeDir;
pub(super) use path_rules::{IgnoreRules, ancestors};
pub(super) use subtrees::{SubtreeFilter, walk_subtrees};
pub(super) use tracked::{Repository, TrackedFiles, Worktree};
pub(crate) use unreadable::UnreadableDirs;

/// `ignore`'s own maximum. On 2 cores the tree of 100,000 files takes 1.8 times as long with one thread as with two,
/// and no longer with eight: idle walkers sleep, so a wrong number here costs little.
const MAX_THREADS: usize = 12;

/// Options of a walk.
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    /// `INCLUDE_DIRS`: directories with this name, or with this relative path such as `out/gen`, below any walked
    /// directory. They are listed without ignore rules.
    pub include_dirs: Vec<String>,
}

/// Result of a walk. `S` collects the entries; it is [`WalkedEntries`] outside of tests.
#[derive(Debug)]
pub struct WalkResult<S = WalkedEntries> {
    /// Every entry once, without the root itself; one part per thread, in no order.
    pub found: Vec<S>,
    /// Listed files that may name packages, sorted: the input of [`crate::package_manifests::read`].
    pub(crate) package_files: Vec<RelPath>,
    /// Directories that could not be listed.
    pub unreadable: UnreadableDirs,
    /// Repositories whose index was read, sorted.
    pub(super) repositories: Vec<Repository>,
    /// Tracked paths that do not exist; `None` if there are too many.
    pub(super) absent: Option<Vec<RelPath>>,
    /// Entries that are listed although they are ignored, and their parents; sorted.
    pub(super) additions: Vec<RelPath>,
    /// All tracked paths that the walk did not meet, whether or not they exist.
    pub(super) tracked_extras: TrackedExtras,
    /// The directories below the root that have ignore files, but for `additions`; `None` if some were not looked at.
    pub(super) ruled: Option<FxHashSet<Vec<u8>>>,
}

/// Collects the entries that one thread finds.
pub trait Sink: Default + Send {
    /// Adds the entry `name` of `directory`, which is relative to the root (empty for the root itself).
    fn add_entry(&mut self, directory: &[u8], name: &[u8], kind: Kind);
}

impl Sink for WalkedEntries {
    fn add_entry(&mut self, directory: &[u8], name: &[u8], kind: Kind) {
        self.push(directory, name, kind);
    }
}

/// Output of one thread.
#[derive(Default)]
struct ThreadOutput<S> {
    found: S,
    /// [`path_hash`] of every entry in `found`.
    hashes: Vec<u64>,
    package_files: Vec<RelPath>,
    unreadable: UnreadableDirs,
    /// Directories of `INCLUDE_DIRS` that were met, relative to the root.
    included: Vec<RelPath>,
}

/// Directories below the root by what their ignore files are.
#[derive(Default)]
struct InspectedDirs {
    /// Those that were not entered because reading their ignore files might never end.
    blocked: Vec<PathBuf>,
    /// Those that have ignore files, relative to the root.
    ruled: FxHashSet<Vec<u8>>,
}

/// Lists the entries below a root.
///
/// # Errors
/// If the root itself is gone or cannot be listed. Other unreadable directories are counted and left out.
pub fn walk(root: &RootDir, options: &WalkOptions) -> Result<WalkResult, RootError> {
    walk_into(root, options, None)
}

/// Implements [`walk`] with any [`Sink`]. With `below`, the result is complete only below those directories.
///
/// # Errors
/// Those of [`walk`].
pub(super) fn walk_into<S: Sink>(
    root: &RootDir,
    options: &WalkOptions,
    below: Option<&SubtreeFilter<'_>>,
) -> Result<WalkResult<S>, RootError> {
    check_listable(&root.canonical, &root.given)?;
    if let Some(name) = ignore_files::find_unusable(&root.canonical) {
        return Err(RootError::IgnoreFile { given: root.given.clone(), name });
    }
    let include = IncludeDir::parse_all(&options.include_dirs);
    let top = git::worktree_top(&root.canonical);
    let parts = Mutex::new(Vec::new());
    let (worktrees, to_read) = mpsc::channel::<Worktree>();
    let pass = WalkPass {
        prefix: bytes::prefix_len(&root.canonical),
        root: &root.canonical,
        include: &include,
        parts: &parts,
    };

    let (mut tracked, included, ruled) = thread::scope(|scope| {
        let reader = scope.spawn(move || to_read.into_iter().map(TrackedFiles::read).collect::<Vec<_>>());
        if let Some(top) = top.filter(|_| below.is_none_or(SubtreeFilter::needs_git)) {
            // Sending fails only if the reader has panicked, which `join` reports below.
            _ = worktrees.send(Worktree::enclosing(&root.canonical, top));
        }
        let inspected = Arc::new(Mutex::new(InspectedDirs::default()));
        let is_below = below.map(|below| below.entry_filter(&root.canonical));
        let is_wanted = move |entry: &DirEntry| is_below.as_ref().is_none_or(|it| it(entry));
        let is_blocked = inspector(&root.canonical, Arc::clone(&inspected));
        let builder = walk_with_rules(&root.canonical, top, is_wanted, is_blocked);
        builder.build_parallel().visit(&mut Collectors::new(&pass, worktrees.clone()));
        let InspectedDirs { blocked, ruled } = mem::take(&mut *inspected.lock());
        add_blocked(&pass, &blocked);
        let mut included = take_included(&parts);
        included.retain(|path| below.is_none_or(|below| below.concerns(path.as_bytes())));
        if let Some(unfiltered) = walk_without_rules(&root.canonical, &included) {
            let pass = WalkPass { include: &[], ..pass };
            unfiltered.build_parallel().visit(&mut Collectors::new(&pass, worktrees.clone()));
        }
        drop(worktrees);
        let tracked = reader.join().unwrap_or_else(|_| {
            tracing::warn!("reading git's index failed; tracked but ignored files are missing");
            Vec::new()
        });
        (tracked, included, ruled)
    });
    tracked.sort_by(|a, b| a.worktree().cmp(b.worktree()));

    // `INCLUDE_DIRS` are walked without a look at ignore files.
    let ruled = included.is_empty().then_some(ruled);
    Ok(WalkResult { ruled, ..assemble(root, parts.into_inner(), &included, tracked, below) })
}

/// Returns a function that tells whether a directory must not be entered, and collects what it found.
fn inspector(root: &Path, inspected: Arc<Mutex<InspectedDirs>>) -> impl Fn(&Path) -> bool + Send + Sync + 'static {
    let (dir_stat, prefix) = (DirStat::new(root), bytes::prefix_len(root));
    move |directory| {
        let path = bytes::from_os_str(directory.as_os_str());
        let relative = path.get(prefix..).unwrap_or_default();
        let found = ignore_files::inspect(&dir_stat, relative, directory);
        if found.has_rules {
            inspected.lock().ruled.insert(relative.to_vec());
        }
        if found.is_blocked {
            inspected.lock().blocked.push(directory.to_path_buf());
        }
        found.is_blocked
    }
}

/// Adds the directories that were not entered because reading their ignore files might never end.
fn add_blocked<S: Sink>(pass: &WalkPass<'_, S>, blocked: &[PathBuf]) {
    let mut part: ThreadOutput<S> = ThreadOutput::default();
    for directory in blocked {
        let path = bytes::from_os_str(directory.as_os_str());
        let path = path.get(pass.prefix..).unwrap_or_default();
        tracing::warn!(
            ?directory,
            "directory skipped: its ignore file, or that of its repository, is not a readable file"
        );
        let (parent, name) = bytes::split(path);
        part.hashes.push(path_hash(path));
        part.found.add_entry(parent, name, Kind::Directory);
        part.unreadable.add(RelPath::new(path));
    }
    pass.parts.lock().push(part);
}

/// Builds the walk that obeys ignore files, limited to entries that are `is_wanted`. `top` is the worktree around the
/// root, if any. Directories below the root that are `is_blocked` are not entered. The caller must have checked the
/// root's own ignore files.
fn walk_with_rules(
    root: &Path,
    top: Option<&Path>,
    is_wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
    is_blocked: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.filter_entry(move |entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        is_wanted(entry) && !(is_directory && entry.depth() > 0 && is_blocked(entry.path()))
    });
    builder
        .threads(thread_count())
        .standard_filters(true)
        .hidden(false)
        // Rules from above the root apply only if git would apply them too. A stray ignore file in a home directory
        // says nothing about an unversioned project in it.
        .parents(top.is_some_and(|top| top != root))
        .git_exclude(!root.ancestors().any(ignore_files::has_unusable_exclude))
        // If set, rules of an outer repository end at a nested one; otherwise they apply everywhere.
        .require_git(top.is_some())
        // Global rules such as `/build` are anchored here; the default is the process's current directory.
        .current_dir(top.unwrap_or(root));
    if let Some(exclude) = top.and_then(GitDir::from_worktree).and_then(|git| git.exclude_file())
        && let Some(error) = builder.add_ignore(exclude)
    {
        tracing::debug!(%error, "ignore file is partly invalid");
    }
    if root.ancestors().skip(1).any(|above| ignore_files::find_unusable(above).is_some()) {
        // `ignore` opens the ignore files of all parent directories unless all of git's rules are off. Those of the
        // root and below are added as custom ignore files.
        tracing::warn!(?root, "ignore files above the root are skipped: one of them is not a readable file");
        builder.parents(false).git_ignore(false).git_exclude(false).git_global(false);
        builder.add_custom_ignore_filename(ignore_files::GITIGNORE);
    }
    builder
}

/// Builds the walk of `INCLUDE_DIRS`; `None` if none were met.
fn walk_without_rules(root: &Path, directories: &[RelPath]) -> Option<WalkBuilder> {
    let mut paths = directories.iter().filter_map(|path| Some(root.join(bytes::to_path(path.as_bytes())?)));
    let mut builder = WalkBuilder::new(paths.next()?);
    for path in paths {
        builder.add(path);
    }
    builder.standard_filters(false).threads(thread_count());
    Some(builder)
}

/// Takes the `INCLUDE_DIRS` that the first pass met: sorted, none inside another.
fn take_included<S>(parts: &Mutex<Vec<ThreadOutput<S>>>) -> Vec<RelPath> {
    let mut parts = parts.lock();
    let mut all: Vec<RelPath> = parts.iter_mut().flat_map(|part| mem::take(&mut part.included)).collect();
    // Sorting by segments puts a directory right before its contents ("a", "a/b", "a.b").
    all.sort_by(|a, b| segments(a).cmp(segments(b)));
    all.dedup_by(|inner, outer| {
        inner.as_bytes().strip_prefix(outer.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    });
    all
}

fn segments(path: &RelPath) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|&byte| byte == b'/')
}

/// Merges the output of the threads and adds ignored paths that git tracks.
fn assemble<S: Sink>(
    root: &RootDir,
    parts: Vec<ThreadOutput<S>>,
    included: &[RelPath],
    tracked: Vec<TrackedFiles>,
    below: Option<&SubtreeFilter<'_>>,
) -> WalkResult<S> {
    let mut walked = WalkResult {
        found: Vec::with_capacity(parts.len() + 1),
        package_files: vec![],
        unreadable: UnreadableDirs::default(),
        repositories: vec![],
        absent: None,
        additions: vec![],
        tracked_extras: TrackedExtras::default(),
        ruled: None,
    };
    let mut hashes = Vec::with_capacity(parts.len());
    for part in parts {
        walked.found.push(part.found);
        walked.package_files.extend(part.package_files);
        walked.unreadable.merge(part.unreadable);
        hashes.push(part.hashes);
    }
    if walked.unreadable.too_long > 0 {
        let (root, directories) = (&root.given, walked.unreadable.too_long);
        tracing::warn!(root, directories, "directories not indexed: their paths are too long for the system");
    }
    let mut additions = Additions::new(&root.canonical, &hashes);
    additions.add_parents(included);
    additions.add_tracked(tracked, below);
    let additions::AdditionResult { found, package_files, repositories, absent, all, tracked_extras } =
        additions.into_result();
    walked.found.push(found);
    walked.package_files.extend(package_files);
    walked.package_files.sort_unstable();
    walked.repositories = repositories;
    walked.absent = absent;
    walked.additions = all;
    walked.tracked_extras = tracked_extras;
    walked
}

fn thread_count() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MAX_THREADS)
}

/// Hashes a path, to check whether the walk has listed it. With 64 bits, two of a million paths collide in one of 40
/// million trees.
pub(super) fn path_hash(path: &[u8]) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = rustc_hash::FxHasher::default();
    // If the file system ignores case, git's spelling of a name can differ from the one on disk.
    if cfg!(any(windows, target_os = "macos")) {
        hasher.write(&path.to_ascii_lowercase());
    } else {
        hasher.write(path);
    }
    hasher.finish()
}
