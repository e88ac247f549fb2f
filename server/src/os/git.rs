//! Where git keeps what we read: the worktree around a directory, its index, its own ignore file.
//!
//! Only plain files are read. No repository is opened, so a broken, partial or foreign object database
//! (a mounted container, a shallow clone) does not matter.

mod precheck;

use std::fs;
use std::path::{Path, PathBuf};

use gix::index::entry::{Flags, Mode};

use super::walk::MAX_IGNORE_FILE_BYTES;
use super::{bytes, regular_file};

/// The name that marks the top of a worktree, as a directory or as a file that points to one.
pub(super) const DOT_GIT: &str = ".git";

/// `.git` files and `commondir` hold one path; longer than any system's longest path is not one of them.
pub(super) const MAX_POINTER_BYTES: u64 = 64 * 1024;

/// The configurations of repositories have a few kilobytes, with a section for each branch; beyond this it is none.
pub(super) const MAX_CONFIG_BYTES: u64 = 16 * 1024 * 1024;

/// The index of a repository with ten million files has about one gigabyte; beyond this it is none.
pub(super) const MAX_INDEX_BYTES: u64 = 4 << 30;

/// The top of the worktree that holds `directory` (absolute), which may be `directory` itself.
pub(super) fn worktree_top(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|ancestor| ancestor.join(DOT_GIT).exists())
}

/// Whether an entry of the index of a sparse checkout is one of those that are left out: a file, or of a sparse index a whole
/// directory. Elsewhere the same flag marks files that somebody has changed for themselves alone.
pub(super) fn is_left_out(entry: &gix::index::Entry) -> bool {
    entry.mode == Mode::DIR || entry.flags.contains(Flags::SKIP_WORKTREE)
}

/// Git's index for the worktree that holds a root (canonical), and what the paths below the root begin with in it.
pub(super) fn index_around(root: &Path) -> Option<(gix::index::File, Vec<u8>)> {
    let top = worktree_top(root)?;
    let index = GitDir::from_worktree(top)?.index()?;
    let mut inside = bytes::from_os_str(root.strip_prefix(top).ok()?.as_os_str()).into_owned();
    if !inside.is_empty() {
        inside.push(b'/');
    }
    Some((index, inside))
}

/// What a worktree's `.git` leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GitDir {
    /// Holds this worktree's own state, `index` among it.
    own: PathBuf,
    /// Holds what all worktrees of the repository share: `config`, `info/exclude`.
    common: PathBuf,
    /// Whether `.git` is a file, as in linked worktrees and submodules.
    linked: bool,
}

impl GitDir {
    /// Follows the `.git` of the worktree whose top is given; `None` when there is none or it leads nowhere.
    pub(super) fn from_worktree(top: &Path) -> Option<Self> {
        let dot_git = top.join(DOT_GIT);
        let linked = fs::metadata(&dot_git).ok()?.is_file();
        let own = if linked {
            let text = read_pointer(&dot_git)?;
            top.join(text.strip_prefix("gitdir:")?.trim_start())
        } else {
            dot_git
        };
        let common = match read_pointer(&own.join("commondir")) {
            Some(text) => own.join(text),
            None => own.clone(),
        };
        own.is_dir().then_some(Self { own, common, linked })
    }

    /// Where this worktree's own state is.
    pub(super) fn own(&self) -> &Path {
        &self.own
    }

    /// Where the list of tracked files is, if there is one.
    pub(super) fn index_file(&self) -> PathBuf {
        self.own.join("index")
    }

    /// Checks that gix can open the repository, and everything in it, without waiting for a pipe or reading a device.
    ///
    /// # Errors
    /// Names the first file that stands in the way.
    pub(super) fn check_openable(&self) -> std::io::Result<()> {
        precheck::check(self)
    }

    /// The list of tracked files; `None` where there is none, or one that cannot be understood.
    pub(super) fn index(&self) -> Option<gix::index::File> {
        let path = self.index_file();
        // gix opens it by itself, and would wait for a pipe.
        regular_file::open(&path, MAX_INDEX_BYTES).ok()?;
        // Its checksum is not verified: that doubles the time, and every path is looked up on disk anyway.
        gix::index::File::at(&path, self.object_hash(), true, gix::index::decode::Options::default())
            .inspect_err(|error| tracing::debug!(?path, %error, "git's index left out"))
            .ok()
    }

    /// Whether `HEAD` names a branch that does not exist, as before the first commit. False where that cannot be told by
    /// plain files, as with packed references or another way of keeping them.
    pub(super) fn is_unborn(&self) -> bool {
        let packed = ["packed-refs", "reftable"].iter().any(|name| self.common.join(name).exists());
        let head = read_pointer(&self.own.join("HEAD"));
        let branch = head.as_deref().and_then(|head| head.strip_prefix("ref: refs/heads/"));
        !packed && branch.is_some_and(|branch| !self.common.join("refs/heads").join(branch).exists())
    }

    /// The repository's private ignore file, where `ignore` cannot find it by itself: it follows a `.git` file
    /// only when that one is absolute and leads to a linked worktree (seen in 0.4.34, `resolve_git_commondir`).
    pub(super) fn exclude_file(&self) -> Option<PathBuf> {
        Some(self.exclude()).filter(|path| self.linked && regular_file::open(path, MAX_IGNORE_FILE_BYTES).is_ok())
    }

    /// Where the repository's private ignore file would be.
    pub(super) fn exclude(&self) -> PathBuf {
        self.common.join("info").join("exclude")
    }

    /// Whether only a part of what is tracked is checked out.
    pub(super) fn is_sparse(&self) -> bool {
        self.worktree_value("core.sparseCheckout").is_some_and(|value| is_true(&value))
    }

    /// Which part that is: the patterns of a sparse checkout.
    pub(super) fn sparse_patterns(&self) -> PathBuf {
        self.own.join("info").join("sparse-checkout")
    }

    /// Whether a program of its own decides which of the tracked files are really there: those of VFS for Git, as the
    /// configuration says. It is never run.
    pub(super) fn is_virtual(&self) -> bool {
        self.worktree_value("core.virtualFilesystem").is_some_and(|value| !value.is_empty())
    }

    /// A value of the repository's own configuration, or of this worktree's, which wins where it is in use. No included files.
    fn worktree_value(&self, key: &str) -> Option<Vec<u8>> {
        let common = config(&self.common.join("config"))?;
        let per_worktree = common.string("extensions.worktreeConfig").is_some_and(|value| is_true(&value));
        let own = per_worktree.then(|| config(&self.own.join("config.worktree"))).flatten();
        let value = own.and_then(|own| own.string(key)).or_else(|| common.string(key))?;
        Some(value.to_vec())
    }

    /// The hash that names objects here, which decides the layout of the index.
    fn object_hash(&self) -> gix::hash::Kind {
        let format = config(&self.common.join("config")).and_then(|config| config.string("extensions.objectFormat"));
        match format {
            Some(name) if name.eq_ignore_ascii_case(b"sha256") => gix::hash::Kind::Sha256,
            _ => gix::hash::Kind::Sha1,
        }
    }
}

/// A file of git's configuration, if it is a regular one that can be understood.
fn config(path: &Path) -> Option<gix::config::File> {
    let text = regular_file::read(path, MAX_CONFIG_BYTES).ok()?;
    let source = gix::config::file::Metadata::from(gix::config::Source::Local);
    gix::config::File::from_bytes_no_includes(&text, source, gix::config::file::init::Options::default()).ok()
}

/// Whether git takes this for true.
fn is_true(value: &[u8]) -> bool {
    value.is_empty() || [&b"true"[..], b"yes", b"on", b"1"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

/// The line that a small file consists of.
fn read_pointer(path: &Path) -> Option<String> {
    Some(regular_file::read_to_string(path, MAX_POINTER_BYTES).ok()?.trim_end().to_owned())
}
