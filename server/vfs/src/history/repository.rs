//! `RepoLocation`: the worktree around a root and the root's path in it. Opens the repository.

use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::super::roots::RootDir;
use super::super::{bytes, git};

/// Cache for objects that are read again soon: a commit's tree is compared with those of its neighbours. With 16 or 64
/// MB, reading 39,000 commits is no faster and takes 34 or 90 MB more at its peak. A cache for delta bases would save a
/// tenth of the time for 40 MB more.
const OBJECT_CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Memory limit for one object. No tree is that large, and larger files are not compared. A few packed kilobytes can
/// expand to any size.
const OBJECT_LIMIT: &str = "gitoxide.objects.allocLimit=536870912";

/// The worktree around a root and the root's path in it.
#[derive(Clone, Debug)]
pub(crate) struct RepoLocation {
    top: PathBuf,
    /// Segments of the root's path relative to the top of the worktree.
    pub(crate) inside: Vec<Vec<u8>>,
}

/// Key of a cached history: it is only valid for an equal origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// Canonical path of the root.
    pub(super) root: Vec<u8>,
    /// Path of the root in the worktree.
    pub(crate) inside: Vec<u8>,
    /// Hash of the boundary commits of a shallow clone; empty if the clone is not shallow.
    pub(super) cut: String,
}

impl RepoLocation {
    /// Finds the worktree around a root; `None` if there is none.
    pub(crate) fn find(root: &RootDir) -> Option<Self> {
        let top = git::worktree_top(&root.canonical)?;
        let below = root.canonical.strip_prefix(top).unwrap_or(Path::new(""));
        let inside = below.iter().map(|name| bytes::from_os_str(name).into_owned()).collect();
        Some(Self { top: top.to_path_buf(), inside })
    }

    /// Returns whether there is no commit yet: `HEAD` names a branch that does not exist. This reads plain files only.
    /// Opening a fresh repository would cost some milliseconds and a megabyte.
    pub(crate) fn is_unborn(&self) -> bool {
        git::GitDir::from_worktree(&self.top).is_some_and(|git| git.is_unborn())
    }

    /// Opens the repository; `None` if that fails, because everything works without history.
    pub(crate) fn open(&self) -> Option<gix::Repository> {
        let git = git::GitDir::from_worktree(&self.top)?;
        if let Err(error) = git.check_openable() {
            tracing::warn!(top = ?self.top, %error, "repository skipped; its history is unknown");
            return None;
        }
        // `isolated` ignores the configuration of user and system, the environment and included files.
        // `open_path_as_is` keeps gix from opening the parent directory as a repository if this path is not one.
        let options = gix::open::Options::isolated().open_path_as_is(true).config_overrides([OBJECT_LIMIT]);
        let opened = gix::open_opts(git.own(), options);
        let opened = opened.inspect_err(|error| tracing::debug!(top = ?self.top, %error, "history not read")).ok()?;
        Some(with_cache(opened))
    }

    /// Returns the newest commit; `None` if there is none yet or `HEAD` cannot be resolved.
    pub(crate) fn head(&self, repository: &gix::Repository) -> Option<ObjectId> {
        let head = repository.head().and_then(|mut head| head.try_peel_to_id().map(|id| id.map(gix::Id::detach)));
        head.inspect_err(|error| tracing::debug!(top = ?self.top, %error, "no history")).ok()?
    }

    /// Returns the cache key of this root's history.
    pub(super) fn origin(&self, root: &RootDir, repository: &gix::Repository) -> Origin {
        let cut = repository.shallow_commits().ok().flatten().map(|commits| {
            let mut hasher = gix::hash::hasher(repository.object_hash());
            commits.iter().for_each(|id| hasher.update(id.as_bytes()));
            hasher.try_finalize().map(|hash| hash.to_string()).unwrap_or_default()
        });
        Origin {
            root: bytes::from_os_str(root.canonical.as_os_str()).into_owned(),
            inside: self.inside.join(&b'/'),
            cut: cut.unwrap_or_default(),
        }
    }
}

/// A repository for several threads, which read its configuration and its lists of packs once.
pub(super) struct SharedRepository(gix::ThreadSafeRepository);

impl SharedRepository {
    /// Shares an open repository.
    pub(super) fn new(repository: gix::Repository) -> Self {
        Self(repository.into_sync())
    }

    /// Returns the repository for the current thread, with a cache of its own.
    pub(super) fn local(&self) -> gix::Repository {
        with_cache(self.0.to_thread_local())
    }
}

fn with_cache(mut repository: gix::Repository) -> gix::Repository {
    repository.object_cache_size(OBJECT_CACHE_BYTES);
    repository
}

/// Returns whether `old` equals `new` or is one of its ancestors.
pub(super) fn is_ancestor(repository: &gix::Repository, new: ObjectId, old: ObjectId) -> bool {
    new == old || repository.merge_base(new, old).is_ok_and(|base| base.is_some_and(|base| base == old))
}
