//! `RootHandle`: keeps a root open and detects that it was replaced.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use parking_lot::RwLock;

use super::super::roots::{RootDir, RootError, check_listable};

/// An open root. The handle follows the path: if the directory is created again (a fresh checkout, a mount that comes
/// back), [`check`](Self::check) opens the new one, because the user named a path.
#[derive(Debug)]
pub(super) struct RootHandle {
    path: PathBuf,
    open: RwLock<OpenDir>,
    /// Identity of the directory that was opened first.
    first: DirIdentity,
}

#[derive(Debug)]
struct OpenDir {
    dir: Dir,
    identity: DirIdentity,
}

/// Device and inode, which differ between a directory and its replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DirIdentity(u64, u64);

impl DirIdentity {
    #[cfg(unix)]
    fn new(metadata: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(metadata.dev(), metadata.ino())
    }

    /// Windows does not remove an open directory, so its identity never changes.
    #[cfg(not(unix))]
    fn new(_: &fs::Metadata) -> Self {
        Self(0, 0)
    }
}

impl RootHandle {
    /// Opens a root.
    ///
    /// # Errors
    /// If it is gone or cannot be listed.
    pub(super) fn open(root: &RootDir) -> Result<Self, RootError> {
        check_listable(&root.canonical, &root.given)?;
        let unreadable = |reason| RootError::Unreadable { given: root.given.clone(), reason };
        let identity = DirIdentity::new(&fs::symlink_metadata(&root.canonical).map_err(unreadable)?);
        let open = OpenDir::open(&root.canonical, identity).map_err(unreadable)?;
        Ok(Self { path: root.canonical.clone(), open: RwLock::new(open), first: identity })
    }

    /// Returns the canonical path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `look` on the open directory.
    pub(super) fn with<T>(&self, look: impl FnOnce(&Dir) -> io::Result<T>) -> io::Result<T> {
        look(&self.open.read().dir)
    }

    /// Returns whether the root was removed or replaced by now.
    pub(super) fn is_replaced(&self) -> bool {
        !fs::symlink_metadata(&self.path).is_ok_and(|now| DirIdentity::new(&now) == self.first)
    }

    /// Returns the reason why the root is unusable, in words that follow "root x: ".
    pub(super) fn check(&self) -> Option<String> {
        let now = match fs::symlink_metadata(&self.path) {
            Ok(now) if now.is_dir() => now,
            Ok(_) => return Some("is not a directory any more".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some("was removed".to_owned()),
            Err(error) => return Some(format!("cannot be read: {error}")),
        };
        let identity = DirIdentity::new(&now);
        if self.open.read().identity != identity {
            match OpenDir::open(&self.path, identity) {
                Ok(open) => *self.open.write() = open,
                Err(error) => return Some(format!("was replaced, and cannot be opened: {error}")),
            }
        }
        // Its own entry needs no search permission; "." does.
        self.with(stat_self).err().map(|error| format!("cannot be read: {error}"))
    }
}

/// Looks up "." in an open directory. `cap-std` opens what it stats; "." leads nowhere, so one system call is enough.
#[cfg(unix)]
fn stat_self(dir: &Dir) -> io::Result<()> {
    Ok(rustix::fs::statat(dir, ".", rustix::fs::AtFlags::empty()).map(|_| ())?)
}

#[cfg(not(unix))]
fn stat_self(dir: &Dir) -> io::Result<()> {
    dir.metadata(".").map(|_| ())
}

impl OpenDir {
    fn open(path: &Path, identity: DirIdentity) -> io::Result<Self> {
        Ok(Self { dir: Dir::open_ambient_dir(path, ambient_authority())?, identity })
    }
}
