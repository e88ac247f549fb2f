//! `walk`: lists the entries below a root: everything that git tracks, and everything else that is not ignored. Called
//! by `listing` and `events`.
//!
//! Two sources are read at the same time. `Traversal` lists directories in parallel and applies the ignore files with the
//! `ignore` crate's matchers. A thread beside it reads git's indexes. Tracked paths that the walk did not list, because they are ignored,
//! are then added if they exist. Directories named in `INCLUDE_DIRS` are walked in a second pass without any rules.
//!
//! Never listed: `.git`, and entries behind symbolic links (the links themselves are).

mod additions;
mod dir_rules;
mod ignore_files;
mod include;
mod listed_dir;
mod path_rules;
mod subtrees;
mod thread_output;
mod tracked;
mod traversal;
mod unreadable;

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::SystemTime;

use pathfinder_core::index::WalkedEntries;
use pathfinder_core::{Kind, RelPath};
use rustc_hash::FxHashSet;

use super::git;
use super::roots::{RootDir, RootError, check_listable, to_root_error};
use additions::Additions;
pub(crate) use additions::TrackedExtras;
use dir_rules::{DirRules, RuleOptions, lowest_rules};
pub(super) use ignore_files::{IGNORE_FILE_NAMES, add_file};
use include::IncludeDir;
pub(super) use path_rules::{IgnoreRules, ancestors};
pub(super) use subtrees::{SubtreeFilter, walk_subtrees};
use thread_output::ThreadOutput;
pub(super) use tracked::{Repository, TrackedFiles, Worktree};
use traversal::Traversal;
pub(crate) use unreadable::UnreadableDirs;

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
    /// The directories that were listed, relative to the root, with the stamps that they had before.
    pub(super) stamps: Vec<(Vec<u8>, u64)>,
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
    walk_from(root, options, below, SystemTime::now())
}

/// Implements [`walk_into`] for a given time of its beginning.
///
/// # Errors
/// Those of [`walk`].
pub(super) fn walk_from<S: Sink>(
    root: &RootDir,
    options: &WalkOptions,
    below: Option<&SubtreeFilter<'_>>,
    start: SystemTime,
) -> Result<WalkResult<S>, RootError> {
    check_listable(&root.canonical, &root.given)?;
    if let Some(name) = ignore_files::find_unusable(&root.canonical) {
        return Err(RootError::IgnoreFile { given: root.given.clone(), name });
    }
    let include = IncludeDir::parse_all(&options.include_dirs);
    let top = git::worktree_top(&root.canonical);
    let (worktrees, to_read) = mpsc::channel::<Worktree>();
    let (parts, mut tracked, included) = thread::scope(|scope| {
        let reader = scope.spawn(move || to_read.into_iter().map(TrackedFiles::read).collect::<Vec<_>>());
        if let Some(top) = top.filter(|_| below.is_none_or(SubtreeFilter::needs_git)) {
            // Sending fails only if the reader has panicked, which `join` reports below.
            _ = worktrees.send(Worktree::enclosing(&root.canonical, top));
        }
        let traversal = Traversal::new(&root.canonical, &include, below, worktrees, start)
            .map_err(|error| to_root_error(&root.given, error))?;
        traversal.walk(rules_above(&root.canonical, top));
        let included = traversal.walk_included();
        // This ends the reader, too.
        let parts = traversal.into_outputs();
        let tracked = reader.join().unwrap_or_else(|_| {
            tracing::warn!("reading git's index failed; tracked but ignored files are missing");
            Vec::new()
        });
        Ok((parts, tracked, included))
    })?;
    tracked.sort_by(|a, b| a.worktree().cmp(b.worktree()));
    Ok(assemble(root, parts, &included, tracked, below))
}

/// Returns the rules from above a root. `top` is the worktree around it, if any. The caller must have checked the root's
/// own ignore files.
fn rules_above(root: &Path, top: Option<&Path>) -> DirRules {
    // Global rules such as `/build` are anchored at the worktree.
    let base = top.unwrap_or(root);
    if root.ancestors().skip(1).any(|above| ignore_files::find_unusable(above).is_some()) {
        // `IgnoreRules` can leave out the ignore files of parent directories only if all of git's rules are off.
        tracing::warn!(?root, "ignore files above the root are skipped: one of them is not a readable file");
        let options = RuleOptions { ends_at_repositories: false, reads_private: false, gitignore_first: true };
        return DirRules::new(options, lowest_rules(base, top, false));
    }
    let options = RuleOptions {
        ends_at_repositories: top.is_some(),
        reads_private: !root.ancestors().any(ignore_files::has_unusable_exclude),
        gitignore_first: false,
    };
    let mut rules = DirRules::new(options, lowest_rules(base, top, true));
    // Rules from above the root apply only if git would apply them too. A stray ignore file in a home directory says
    // nothing about an unversioned project in it.
    if top.is_some_and(|top| top != root) {
        let above: Vec<&Path> = root.ancestors().skip(1).collect();
        for directory in above.into_iter().rev() {
            rules = rules.below_unlisted(directory);
        }
    }
    rules
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
        stamps: vec![],
        // `INCLUDE_DIRS` are walked without a look at ignore files.
        ruled: included.is_empty().then(FxHashSet::default),
    };
    let mut hashes = Vec::with_capacity(parts.len());
    for part in parts {
        walked.found.push(part.found);
        walked.package_files.extend(part.package_files);
        walked.unreadable.merge(part.unreadable);
        walked.stamps.extend(part.stamps);
        if let Some(ruled) = &mut walked.ruled {
            ruled.extend(part.ruled);
        }
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
