//! `Tree`: a directory made from a text, and what lies outside of it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use tempfile::TempDir;

/// A small project that most tests ask about: names that occur once, twice, and as directory and file.
pub(crate) const PROJECT: &str = "
    .github/workflows/release.yml
    README.md
    docs/guide/getting-started.md
    internal/app/main.go
    internal/infra/reranker/client.go = func NewReranker() {}
    internal/infra/reranker/config.go
    internal/infra/vllm/client.go = func NewCompletion() {}
    src/config.rs
    src/lib.rs
    src/main.rs = fn main() {}
    src/net/client.rs
    src/net/server.rs
    web/src/App.tsx
    web/src/components/Button.tsx
    web/src/components/Dialog.tsx
";

/// A directory for one test. It is removed with the value.
pub(crate) struct Tree {
    place: TempDir,
    /// Names of what the text puts outside the root; no output may ever have them.
    pub(crate) secrets: Vec<String>,
}

impl Tree {
    /// Lays out one entry per line: `file`, `file = contents`, `directory/`, `link -> target`.
    /// A line that begins with `../` lies outside the root. `\xNN` is one byte of a name.
    pub(crate) fn new(text: &str) -> Self {
        Self::new_at(tempfile::tempdir().unwrap(), text)
    }

    /// Lays out a tree in memory, if the system has a directory there: it lists names in the order in which they were made.
    pub(crate) fn new_in_memory(text: &str) -> Self {
        let place = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self::new_at(place.unwrap(), text)
    }

    fn new_at(place: TempDir, text: &str) -> Self {
        let tree = Self { place, secrets: Vec::new() };
        fs::create_dir(tree.root()).unwrap();
        fs::create_dir(tree.home()).unwrap();
        let mut secrets = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let name = line.split(" = ").next().and_then(|line| line.split(" -> ").next()).unwrap();
            if let Some(outside) = name.strip_prefix("../") {
                secrets.extend(outside.rsplit('/').find(|name| !name.is_empty()).map(str::to_owned));
            }
            let path = tree.root().join(unescaped(name));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if let Some((_, target)) = line.split_once(" -> ") {
                symlink(target, path).unwrap();
            } else if name.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::write(path, line.split_once(" = ").map_or("", |(_, contents)| contents)).unwrap();
            }
        }
        Self { secrets, ..tree }
    }

    /// The root that is asked about.
    pub(crate) fn root(&self) -> PathBuf {
        self.place().join("root")
    }

    /// The directory around the root.
    pub(crate) fn place(&self) -> PathBuf {
        dunce::canonicalize(self.place.path()).unwrap()
    }

    /// A home of its own, so that the user's configuration has no part in a test.
    pub(crate) fn home(&self) -> PathBuf {
        self.place().join("home")
    }

    /// Takes all permissions from an entry until the value that is returned is dropped.
    pub(crate) fn forbid(&self, path: &str) -> Forbidden {
        let path = self.root().join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        Forbidden(path)
    }
}

/// An entry without permissions.
pub(crate) struct Forbidden(PathBuf);

impl Drop for Forbidden {
    fn drop(&mut self) {
        // Otherwise an ordinary user could not remove the directory.
        let _ = fs::set_permissions(&self.0, fs::Permissions::from_mode(0o755));
    }
}

fn unescaped(name: &str) -> PathBuf {
    let mut parts = name.split("\\x");
    let first = parts.next().unwrap().as_bytes().to_vec();
    let rest = parts.flat_map(|part| {
        let byte = u8::from_str_radix(&part[..2], 16).unwrap();
        iter::once(byte).chain(part.as_bytes()[2..].iter().copied()).collect::<Vec<_>>()
    });
    PathBuf::from(OsString::from_vec(first.into_iter().chain(rest).collect()))
}

/// Returns whether an entry is there, be it a link that points nowhere.
pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
