//! Reads git's plain files: the worktree around a directory, its index, its private ignore file and its configuration.
//!
//! No repository is opened here, so a broken, partial or foreign object database (a mounted container, a shallow clone)
//! does not matter.

mod precheck;

use std::fs;
use std::path::{Path, PathBuf};

use gix::index::entry::{Flags, Mode};

use super::{bytes, regular_file};

/// Name of the entry at the top of a worktree: a directory, or a file that points to one.
pub(super) const DOT_GIT: &str = ".git";

/// Path of the patterns of a sparse checkout, in the git directory of a worktree.
const SPARSE_PATTERNS: &str = "info/sparse-checkout";

/// Returns false if the `.git` at a worktree's top is a directory without patterns of a sparse checkout: most are. One system
/// call, where finding the git directory takes four.
pub(super) fn may_be_sparse(top: &Path) -> bool {
    let patterns = fs::metadata(top.join(DOT_GIT).join(SPARSE_PATTERNS));
    // A `.git` that is a file gives another error.
    patterns.err().is_none_or(|error| error.kind() != std::io::ErrorKind::NotFound)
}

/// Limit for `.git` files and `commondir`, which hold one path: longer than the longest path of any system.
pub(super) const MAX_POINTER_BYTES: u64 = 64 * 1024;

/// Size limit of an ignore file: the largest in real projects are a few dozen kilobytes.
pub(crate) const MAX_IGNORE_FILE_BYTES: u64 = 1024 * 1024;

/// Limit for configuration files, which have a few kilobytes and a section for each branch.
pub(super) const MAX_CONFIG_BYTES: u64 = 16 * 1024 * 1024;

/// Limit for an index: ten million files take about one gigabyte.
pub(super) const MAX_INDEX_BYTES: u64 = 4 << 30;

/// Returns the top of the worktree that contains `directory` (absolute), which may be `directory` itself.
pub(super) fn worktree_top(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|ancestor| ancestor.join(DOT_GIT).exists())
}

/// Returns whether a sparse checkout leaves out an index entry: a file, or a whole directory in a sparse index. Outside
/// of a sparse checkout the user sets the same flag on files with local changes.
pub(super) fn is_left_out(entry: &gix::index::Entry) -> bool {
    entry.mode == Mode::DIR || entry.flags.contains(Flags::SKIP_WORKTREE)
}

/// Reads git's index of the worktree around a root (canonical). Also returns the prefix of paths below the root in it.
pub(super) fn index_around(root: &Path) -> Option<(gix::index::File, Vec<u8>)> {
    let top = worktree_top(root)?;
    let index = GitDir::from_worktree(top)?.index()?;
    let mut inside = bytes::from_os_str(root.strip_prefix(top).ok()?.as_os_str()).into_owned();
    if !inside.is_empty() {
        inside.push(b'/');
    }
    Some((index, inside))
}

/// The git directory that a worktree's `.git` leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GitDir {
    /// Directory with the state of this worktree alone, such as `index`.
    own: PathBuf,
    /// Directory with the state that all worktrees of the repository share, such as `config` and `info/exclude`.
    common: PathBuf,
    /// True if `.git` is a file, as in linked worktrees and submodules.
    linked: bool,
}

impl GitDir {
    /// Follows the `.git` of a worktree's top; `None` if it is missing or broken.
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

    /// Returns the directory with this worktree's own state.
    pub(super) fn own(&self) -> &Path {
        &self.own
    }

    /// Returns the path of the index, which need not exist.
    pub(super) fn index_file(&self) -> PathBuf {
        self.own.join("index")
    }

    /// Checks that gix can open the repository and everything in it without blocking on a pipe or reading a device.
    ///
    /// # Errors
    /// If a file is unsuitable; the error names the first one.
    pub(super) fn check_openable(&self) -> std::io::Result<()> {
        precheck::check(self)
    }

    /// Reads the index; `None` if it is missing or broken.
    pub(super) fn index(&self) -> Option<gix::index::File> {
        let path = self.index_file();
        // gix opens the file itself and would block on a pipe.
        regular_file::open(&path, MAX_INDEX_BYTES).ok()?;
        // The checksum is not verified: that doubles the time, and every path is stat-ed anyway.
        gix::index::File::at(&path, self.object_hash(), true, gix::index::decode::Options::default())
            .inspect_err(|error| tracing::debug!(?path, %error, "git's index cannot be read"))
            .ok()
    }

    /// Returns whether `HEAD` names a branch that does not exist yet, as before the first commit. False if plain files
    /// cannot tell, as with packed references or reftables.
    pub(super) fn is_unborn(&self) -> bool {
        let packed = ["packed-refs", "reftable"].iter().any(|name| self.common.join(name).exists());
        let head = read_pointer(&self.own.join("HEAD"));
        let branch = head.as_deref().and_then(|head| head.strip_prefix("ref: refs/heads/"));
        !packed && branch.is_some_and(|branch| !self.common.join("refs/heads").join(branch).exists())
    }

    /// Returns whether commits before the oldest one were left out, as in the one-commit checkouts of CI.
    pub(super) fn is_shallow(&self) -> bool {
        fs::metadata(self.common.join("shallow")).is_ok_and(|file| file.is_file() && file.len() > 0)
    }

    /// Returns the repository's private ignore file if `ignore` cannot find it. That crate follows a `.git` file only
    /// if it holds an absolute path to a linked worktree (read in 0.4.34, `resolve_git_commondir`).
    pub(super) fn exclude_file(&self) -> Option<PathBuf> {
        Some(self.exclude_path()).filter(|path| self.linked && regular_file::open(path, MAX_IGNORE_FILE_BYTES).is_ok())
    }

    /// Returns the path of the repository's private ignore file, which need not exist.
    pub(super) fn exclude_path(&self) -> PathBuf {
        self.common.join("info").join("exclude")
    }

    /// Returns whether this is a sparse checkout.
    pub(super) fn is_sparse(&self) -> bool {
        self.worktree_value("core.sparseCheckout").is_some_and(|value| is_git_true(&value))
    }

    /// Returns the path of the patterns of a sparse checkout.
    pub(super) fn sparse_patterns(&self) -> PathBuf {
        self.own.join(SPARSE_PATTERNS)
    }

    /// Returns a value of the worktree's configuration if that is in use, else of the repository's. Included files are
    /// not read.
    fn worktree_value(&self, key: &str) -> Option<Vec<u8>> {
        let common = read_config(&self.common.join("config"))?;
        let per_worktree = common.string("extensions.worktreeConfig").is_some_and(|value| is_git_true(&value));
        let own = per_worktree.then(|| read_config(&self.own.join("config.worktree"))).flatten();
        let value = own.and_then(|own| own.string(key)).or_else(|| common.string(key))?;
        Some(value.to_vec())
    }

    /// Returns the kind of object hash, which decides the layout of the index.
    fn object_hash(&self) -> gix::hash::Kind {
        let format =
            read_config(&self.common.join("config")).and_then(|config| config.string("extensions.objectFormat"));
        match format {
            Some(name) if name.eq_ignore_ascii_case(b"sha256") => gix::hash::Kind::Sha256,
            _ => gix::hash::Kind::Sha1,
        }
    }
}

/// Reads a git configuration; `None` if it is not a regular file or cannot be parsed.
fn read_config(path: &Path) -> Option<gix::config::File> {
    let text = regular_file::read(path, MAX_CONFIG_BYTES).ok()?;
    let source = gix::config::file::Metadata::from(gix::config::Source::Local);
    gix::config::File::from_bytes_no_includes(&text, source, gix::config::file::init::Options::default()).ok()
}

/// Returns whether git reads this value as true.
fn is_git_true(value: &[u8]) -> bool {
    value.is_empty() || [&b"true"[..], b"yes", b"on", b"1"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

/// Reads the single line of a small file.
fn read_pointer(path: &Path) -> Option<String> {
    Some(regular_file::read_to_string(path, MAX_POINTER_BYTES).ok()?.trim_end().to_owned())
}
