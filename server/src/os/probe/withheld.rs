//! `DiskProbe::find_withheld`: whether what lies at a path may be shown, or a call redirected to it, without the user's word.

use std::path::{Path, PathBuf};

use pathfinder_core::RelPath;
use pathfinder_core::secret::is_secret_name;
use thiserror::Error;

use super::{DiskProbe, ResolvedPath, escapes_root};
use crate::os::walk::{IgnoreRules, WalkOptions};
use crate::os::{bytes, git};

/// Why a path is withheld. None of the texts names it: the caller does.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum Withheld {
    /// It lies in a `.git` directory, or is one.
    #[error("is git's own")]
    Git,
    /// Its name, or the one that a link leads to, is that of a file with credentials.
    #[error("has the name of a file with credentials")]
    Secret,
    /// The project ignores it, and git does not track it.
    #[error("is ignored by the project")]
    Ignored,
    /// Nothing is there, or a link leads out of the roots.
    #[error("is not there, or leads out of the roots")]
    Outside,
}

impl DiskProbe {
    /// Why a path is withheld; `None` if it may be shown. Both the path and what its links lead to count. IgnoreRules are those of the
    /// repository alone: directories that a project's settings have indexed although they are ignored stay ignored here, because
    /// those settings lie in the repository.
    pub(crate) fn find_withheld(&self, root: usize, path: &RelPath) -> Option<Withheld> {
        let (root, real) = match self.find_open(root, path) {
            Ok(place) => place,
            Err(withheld) => return Some(withheld),
        };
        let Some(held) = self.roots.get(root) else { return Some(Withheld::Outside) };
        let bytes = bytes::from_os_str(real.as_os_str());
        let is_directory = self.with_root(root, |dir| super::stat(dir, &real, true)).is_ok_and(|entry| entry.is_dir());
        let is_ignored = !bytes.is_empty()
            && IgnoreRules::new(held.path(), &WalkOptions::default()).is_hidden(&bytes, is_directory)
            && !is_tracked(held.path(), &bytes, is_directory);
        is_ignored.then_some(Withheld::Ignored)
    }

    /// The same without ignore rules: why a path must not even be named.
    pub(crate) fn find_withheld_name(&self, root: usize, path: &RelPath) -> Option<Withheld> {
        self.find_open(root, path).err()
    }

    /// The real location of a path, if neither its names nor those that its links lead to are withheld.
    fn find_open(&self, root: usize, path: &RelPath) -> Result<(usize, PathBuf), Withheld> {
        let own = path.as_bytes();
        if escapes_root(own) {
            return Err(Withheld::Outside);
        }
        withheld_by_name(own).map_or(Ok(()), Err)?;
        let Some(ResolvedPath::Inside(root, real)) =
            bytes::to_path(own).map(|path| self.resolve_by_name(root, path, true))
        else {
            return Err(Withheld::Outside);
        };
        withheld_by_name(&bytes::from_os_str(real.as_os_str())).map_or(Ok(()), Err)?;
        Ok((root, real.into_owned()))
    }
}

/// Whether a path is withheld by its name alone: git's own, or one of a file with credentials.
pub(crate) fn is_withheld_name(path: &[u8]) -> bool {
    withheld_by_name(path).is_some()
}

/// Whether the name alone withholds a path. Case is ignored, as some file systems do.
fn withheld_by_name(path: &[u8]) -> Option<Withheld> {
    if path.split(|&byte| byte == b'/').any(|name| name.eq_ignore_ascii_case(git::DOT_GIT.as_bytes())) {
        return Some(Withheld::Git);
    }
    is_secret_name(path).then_some(Withheld::Secret)
}

/// Whether git's index has a path below a root (canonical): the file, or of a directory anything in it.
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

    use super::Withheld;
    use crate::os::probe::DiskProbe;
    use crate::os::tests::tree::TestTree;
    use crate::os::walk::WalkOptions;

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
    fn check(path: &str, expect: Option<Withheld>) {
        let tree = TestTree::new(TREE);
        let options = WalkOptions { include_dirs: vec!["ignored".to_owned()] };
        let probe = DiskProbe::open(&tree.roots(&["one", "two"])).expect("both roots");
        let probe = probe.with_options(vec![options; 2]);
        assert_eq!(probe.find_withheld(0, &RelPath::from(path)), expect, "{path}");
    }

    #[test]
    fn shows_what_is_tracked_or_not_ignored() {
        for path in
            ["", "src", "src/main.rs", "kept.txt", ".env.example", "ignored/kept.txt", "ignored", "link", "two/t"]
        {
            check(path, None);
        }
    }

    #[test]
    fn withholds_the_rest() {
        for (path, why) in [
            (".git", Withheld::Git),
            (".git/config", Withheld::Git),
            (".GIT/config", Withheld::Git),
            ("config", Withheld::Git),
            (".env", Withheld::Secret),
            ("env", Withheld::Secret),
            ("tls/server.key", Withheld::Secret),
            ("two/.env", Withheld::Secret),
            ("a.log", Withheld::Ignored),
            ("log", Withheld::Ignored),
            ("ignored/a.txt", Withheld::Ignored),
            ("out", Withheld::Outside),
            ("src/../../outside", Withheld::Outside),
            ("nowhere", Withheld::Outside),
        ] {
            check(path, Some(why));
        }
    }
}
