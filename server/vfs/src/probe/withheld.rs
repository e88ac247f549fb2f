//! `DiskProbe::find_withheld`: decides whether a path may be shown, or a call redirected to it, without the user's
//! consent. Called by the MCP server and by hooks.

use std::path::{Path, PathBuf};

use pathfinder_core::RelPath;
use pathfinder_core::secret::is_secret_name;
use thiserror::Error;

use super::{DiskProbe, ResolvedPath, escapes_root};
use crate::walk::{IgnoreRules, WalkOptions};
use crate::{bytes, git};

/// Reasons why a path is withheld. The messages do not name the path; the caller does.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WithheldReason {
    /// It is a `.git` directory or lies in one.
    #[error("is git's own")]
    Git,
    /// Its name, or that of a link's target, is the name of a credential file.
    #[error("has the name of a file with credentials")]
    Secret,
    /// The project ignores it, and git does not track it.
    #[error("is ignored by the project")]
    Ignored,
    /// It does not exist, or a link leads out of the roots.
    #[error("is not there, or leads out of the roots")]
    Outside,
}

impl DiskProbe {
    /// Returns the reason why a path is withheld; `None` if it may be shown. Both the path and the targets of its links
    /// count. Only the repository's ignore rules apply: `INCLUDE_DIRS` does not lift them here, because it can be set
    /// in the repository.
    pub fn find_withheld(&self, root: usize, path: &RelPath) -> Option<WithheldReason> {
        let (root, real) = match self.find_open(root, path) {
            Ok(place) => place,
            Err(withheld) => return Some(withheld),
        };
        let Some(held) = self.roots.get(root) else { return Some(WithheldReason::Outside) };
        let bytes = bytes::from_os_str(real.as_os_str());
        let is_directory = self.with_root(root, |dir| super::stat(dir, &real, true)).is_ok_and(|entry| entry.is_dir());
        let is_ignored = !bytes.is_empty()
            && IgnoreRules::new(held.path(), &WalkOptions::default()).is_hidden(&bytes, is_directory)
            && !is_tracked(held.path(), &bytes, is_directory);
        is_ignored.then_some(WithheldReason::Ignored)
    }

    /// Returns the reason why a path must not even be named. Ignore rules do not count.
    pub fn find_withheld_name(&self, root: usize, path: &RelPath) -> Option<WithheldReason> {
        self.find_open(root, path).err()
    }

    /// Returns the real location of a path, unless its name or that of a link's target is withheld.
    fn find_open(&self, root: usize, path: &RelPath) -> Result<(usize, PathBuf), WithheldReason> {
        let own = path.as_bytes();
        if escapes_root(own) {
            return Err(WithheldReason::Outside);
        }
        withheld_by_name(own).map_or(Ok(()), Err)?;
        let Some(ResolvedPath::Inside(root, real)) =
            bytes::to_path(own).map(|path| self.resolve_by_name(root, path, true))
        else {
            return Err(WithheldReason::Outside);
        };
        withheld_by_name(&bytes::from_os_str(real.as_os_str())).map_or(Ok(()), Err)?;
        Ok((root, real.into_owned()))
    }
}

/// Returns whether a path is withheld by its name alone: git's own files and credential files.
pub fn is_withheld_name(path: &[u8]) -> bool {
    withheld_by_name(path).is_some()
}

/// Returns the reason why a name withholds a path. Case is ignored, as some file systems do.
fn withheld_by_name(path: &[u8]) -> Option<WithheldReason> {
    if path.split(|&byte| byte == b'/').any(|name| name.eq_ignore_ascii_case(git::DOT_GIT.as_bytes())) {
        return Some(WithheldReason::Git);
    }
    is_secret_name(path).then_some(WithheldReason::Secret)
}

/// Returns whether git tracks a file, or anything in a directory, below a root (canonical).
fn is_tracked(root: &Path, path: &[u8], is_directory: bool) -> bool {
    let Some((index, mut inside)) = git::index_around(root) else { return false };
    inside.extend_from_slice(path);
    if is_directory {
        inside.push(b'/');
        return index.prefixed_entries_range(inside.as_slice().into()).is_some_and(|range| !range.is_empty());
    }
    index.entry_by_path(inside.as_slice().into()).is_some()
}

#[cfg(all(test, unix))]
mod tests {
    use pathfinder_core::RelPath;

    use super::WithheldReason;
    use crate::probe::DiskProbe;
    use crate::testing::TestTree;
    use crate::walk::WalkOptions;

    const TREE: &str = r"
        $ git init -q one
        one/.gitignore: ignored/\n*.log\nkept.txt
        one/src/main.rs
        one/kept.txt
        one/a.log
        one/ignored/a.txt
        one/ignored/kept.txt
        one/.env
        one/.env.example
        one/tls/server.key
        one/link -> src/main.rs
        one/env -> .env
        one/config -> .git/config
        one/log -> a.log
        one/out -> ../outside
        one/two -> ../two
        outside: x
        two/.env
        two/t
        $ cd one && git add -f kept.txt ignored/kept.txt tls/server.key
    ";

    #[track_caller]
    fn check(path: &str, expect: Option<WithheldReason>) {
        let tree = TestTree::new(TREE);
        let options = WalkOptions { include_dirs: vec!["ignored".to_owned()] };
        let probe = DiskProbe::open(&tree.roots(&["one", "two"])).expect("both roots");
        let probe = probe.with_options(vec![options; 2]);
        assert_eq!(probe.find_withheld(0, &RelPath::from(path)), expect, "{path}");
    }

    #[test]
    fn allows_tracked_and_unignored_paths() {
        for path in
            ["", "src", "src/main.rs", "kept.txt", ".env.example", "ignored/kept.txt", "ignored", "link", "two/t"]
        {
            check(path, None);
        }
    }

    #[test]
    fn withholds_ignored_secret_and_outside_paths() {
        for (path, why) in [
            (".git", WithheldReason::Git),
            (".git/config", WithheldReason::Git),
            (".GIT/config", WithheldReason::Git),
            ("config", WithheldReason::Git),
            (".env", WithheldReason::Secret),
            ("env", WithheldReason::Secret),
            ("tls/server.key", WithheldReason::Secret),
            ("two/.env", WithheldReason::Secret),
            ("a.log", WithheldReason::Ignored),
            ("log", WithheldReason::Ignored),
            ("ignored/a.txt", WithheldReason::Ignored),
            ("out", WithheldReason::Outside),
            ("src/../../outside", WithheldReason::Outside),
            ("nowhere", WithheldReason::Outside),
        ] {
            check(path, Some(why));
        }
    }
}
