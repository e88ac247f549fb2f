//! `RepoLocation`: the repository that a root lies in, and where in it.

use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::super::roots::RootDir;
use super::super::{bytes, git};

/// For objects that are asked for again soon: a commit's trees are those that its neighbours are compared with.
/// With 16 or 64 MB, reading 39,000 commits is no faster and takes 34 or 90 MB more at its peak; a cache for the
/// bases of deltas beside it saves a tenth of the time for 40 MB more.
const OBJECT_CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Memory that one object may take: no list of a directory is as large, and larger files are not compared. A few kilobytes that
/// were packed for it can become any number.
const OBJECT_LIMIT: &str = "gitoxide.objects.allocLimit=536870912";

/// A worktree, and the root's place in it.
#[derive(Clone, Debug)]
pub(in crate::os) struct RepoLocation {
    top: PathBuf,
    /// The root relative to the top, one name after the other.
    pub(in crate::os) inside: Vec<Vec<u8>>,
}

/// What a history on disk must be of to be of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The root's canonical path.
    pub(super) root: Vec<u8>,
    /// Where it lies in the worktree.
    pub(in crate::os) inside: Vec<u8>,
    /// Where the history was cut off by a shallow clone: a hash of these commits, or nothing.
    pub(super) cut: String,
}

impl RepoLocation {
    /// The place of a root; `None` outside of any worktree.
    pub(in crate::os) fn find(root: &RootDir) -> Option<Self> {
        let top = git::worktree_top(&root.canonical)?;
        let below = root.canonical.strip_prefix(top).unwrap_or(Path::new(""));
        let inside = below.iter().map(|name| bytes::from_os_str(name).into_owned()).collect();
        Some(Self { top: top.to_path_buf(), inside })
    }

    /// Whether there is surely no commit yet, by a look at the files alone: `HEAD` names a branch that does not exist.
    /// Saves fresh repositories the opening, which costs some milliseconds and a megabyte.
    pub(super) fn is_unborn(&self) -> bool {
        git::GitDir::from_worktree(&self.top).is_some_and(|git| git.is_unborn())
    }

    /// Opens the repository; `None` if it cannot be, since all works without history.
    pub(in crate::os) fn open(&self) -> Option<gix::Repository> {
        let git = git::GitDir::from_worktree(&self.top)?;
        if let Err(error) = git.check_openable() {
            tracing::warn!(top = ?self.top, %error, "the repository is not read, and history is unknown");
            return None;
        }
        // Isolated: nothing of the user's or the system's configuration, no environment, no included files. As is: gix
        // would take the directory around for a repository if this one is none.
        let options = gix::open::Options::isolated().open_path_as_is(true).config_overrides([OBJECT_LIMIT]);
        let opened = gix::open_opts(git.own(), options);
        let mut repository =
            opened.inspect_err(|error| tracing::debug!(top = ?self.top, %error, "history not read")).ok()?;
        repository.object_cache_size(OBJECT_CACHE_BYTES);
        Some(repository)
    }

    /// The newest commit; `None` if there is none yet, or `HEAD` cannot be followed.
    pub(in crate::os) fn head(&self, repository: &gix::Repository) -> Option<ObjectId> {
        let head = repository.head().and_then(|mut head| head.try_peel_to_id().map(|id| id.map(gix::Id::detach)));
        head.inspect_err(|error| tracing::debug!(top = ?self.top, %error, "no history")).ok()?
    }

    /// What identifies the history of this root.
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

/// Whether `old` is `new` or one of the commits before it.
pub(super) fn is_ancestor(repository: &gix::Repository, new: ObjectId, old: ObjectId) -> bool {
    new == old || repository.merge_base(new, old).is_ok_and(|base| base.is_some_and(|base| base == old))
}
