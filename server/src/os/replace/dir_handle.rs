//! Files below a directory that is held open: no link is followed on the way, so that a directory that is exchanged for a link
//! between two steps leads nowhere else.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};

use super::super::regular_file::{self, NON_BLOCKING};

/// Names that are tried for a new file before giving up: two that are alike are an accident already.
const MAX_NAME_ATTEMPTS: usize = 16;

/// Flags for all that is opened here: links are not followed, and nothing is waited for.
fn flags() -> OFlags {
    OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::from_bits_retain(NON_BLOCKING.cast_unsigned())
}

/// A directory that is held open.
pub(super) struct DirHandle(OwnedFd);

impl DirHandle {
    /// Opens a directory by its canonical path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(CWD, path, flags() | OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty())?))
    }

    /// The directory that holds a file below this one, and the file's name. With `make`, directories that are not there are
    /// made.
    pub(super) fn parent_of(self, path: &Path, make: bool) -> io::Result<(Self, OsString)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        let mut directory = self;
        for component in path.parent().unwrap_or(Path::new("")).components() {
            let Component::Normal(name) = component else { return Err(io::ErrorKind::InvalidInput.into()) };
            directory = match directory.directory(name) {
                Err(error) if make && error.kind() == io::ErrorKind::NotFound => {
                    match rustix::fs::mkdirat(&directory.0, name, Mode::from_raw_mode(0o777)) {
                        // Another process may have been faster.
                        Ok(()) | Err(rustix::io::Errno::EXIST) => directory.directory(name)?,
                        Err(error) => return Err(error.into()),
                    }
                }
                opened => opened?,
            };
        }
        Ok((directory, name))
    }

    fn directory(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(&self.0, name, flags() | OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty())?))
    }

    /// The metadata of a regular file.
    pub(super) fn metadata(&self, name: &OsStr) -> io::Result<Metadata> {
        let metadata = self.file(name, OFlags::RDONLY)?.metadata()?;
        regular_file::check(&metadata, u64::MAX)?;
        Ok(metadata)
    }

    /// Whether a file may be written to, by its own permissions.
    pub(super) fn try_writing(&self, name: &OsStr) -> io::Result<()> {
        self.file(name, OFlags::WRONLY).map(drop)
    }

    /// The contents of a regular file, and at most one byte more than so many.
    pub(super) fn read(&self, name: &OsStr, max_bytes: usize) -> io::Result<Vec<u8>> {
        let file = self.file(name, OFlags::RDONLY)?;
        regular_file::check(&file.metadata()?, u64::MAX)?;
        let mut bytes = Vec::with_capacity(max_bytes + 1);
        file.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn file(&self, name: &OsStr, how: OFlags) -> io::Result<File> {
        Ok(File::from(rustix::fs::openat(&self.0, name, flags() | how, Mode::empty())?))
    }

    /// Creates a file; fails if anything has the name, even a dangling link.
    pub(super) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let how = flags() | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(File::from(rustix::fs::openat(&self.0, name, how, Mode::from_raw_mode(mode))?))
    }

    /// Makes a file beside others, which goes again unless it takes the place of one.
    pub(super) fn create_beside(&self) -> io::Result<NewFile<'_>> {
        for _ in 0..MAX_NAME_ATTEMPTS {
            let name = OsString::from(format!(".pathfinder-{:016x}", fastrand::u64(..)));
            match self.create(&name, 0o600) {
                Ok(file) => return Ok(NewFile { directory: self, name, file, is_renamed: false }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// A file that is being written.
pub(super) struct NewFile<'d> {
    directory: &'d DirHandle,
    name: OsString,
    file: File,
    is_renamed: bool,
}

impl NewFile<'_> {
    /// Writes all of it, with the mode and, where that is allowed, the owner of another file.
    pub(super) fn write(&mut self, bytes: &[u8], like: &Metadata) -> io::Result<()> {
        self.file.write_all(bytes)?;
        let own = self.file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            // Only the superuser may change the owner; for other users the file stays theirs.
            _ = std::os::unix::fs::fchown(&self.file, Some(like.uid()), Some(like.gid()));
        }
        self.file.set_permissions(std::fs::Permissions::from_mode(like.mode()))?;
        self.file.sync_all()
    }

    /// Puts it in the place of another one.
    pub(super) fn replace(mut self, name: &OsStr) -> io::Result<()> {
        rustix::fs::renameat(&self.directory.0, &self.name, &self.directory.0, name)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.is_renamed {
            _ = rustix::fs::unlinkat(&self.directory.0, &self.name, AtFlags::empty());
        }
    }
}
