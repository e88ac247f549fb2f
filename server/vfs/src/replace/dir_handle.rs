//! `DirHandle`: accesses files relative to an open directory and never follows a link. A directory that is swapped for
//! a link between two steps cannot redirect an access. Used by `replace` on Unix.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RawMode};

use super::super::regular_file::{self, NON_BLOCKING};

/// Attempts to find an unused random name; a single collision is already unlikely.
const MAX_NAME_ATTEMPTS: usize = 16;

/// Returns the flags for every open: links are not followed, and nothing blocks.
fn flags() -> OFlags {
    OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::from_bits_retain(NON_BLOCKING.cast_unsigned())
}

/// An open directory.
pub(super) struct DirHandle(OwnedFd);

impl DirHandle {
    /// Opens a directory by its canonical path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(CWD, path, flags() | OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty())?))
    }

    /// Returns the directory that holds a file below this one, and the file's name. `make` creates missing directories.
    pub(super) fn parent_of(self, path: &Path, make: bool) -> io::Result<(Self, OsString)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        let mut directory = self;
        for component in path.parent().unwrap_or(Path::new("")).components() {
            let Component::Normal(name) = component else { return Err(io::ErrorKind::InvalidInput.into()) };
            directory = match directory.directory(name) {
                Err(error) if make && error.kind() == io::ErrorKind::NotFound => {
                    match rustix::fs::mkdirat(&directory.0, name, Mode::from_raw_mode(0o777)) {
                        // Another process may have created it meanwhile.
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

    /// Returns the metadata of a regular file.
    pub(super) fn metadata(&self, name: &OsStr) -> io::Result<Metadata> {
        let metadata = self.file(name, OFlags::RDONLY)?.metadata()?;
        regular_file::check(&metadata, u64::MAX)?;
        Ok(metadata)
    }

    /// Checks that the file's own permissions allow writing.
    pub(super) fn try_writing(&self, name: &OsStr) -> io::Result<()> {
        self.file(name, OFlags::WRONLY).map(drop)
    }

    /// Reads a regular file, at most `max_bytes` and one more byte, so that the caller detects a longer one.
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

    /// Creates a file; fails if the name exists, even as a dangling link.
    pub(super) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let how = flags() | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(File::from(rustix::fs::openat(&self.0, name, how, Mode::from_raw_mode(mode as RawMode))?))
    }

    /// Creates a temporary file, which is removed on drop unless it replaces another one.
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

/// A temporary file that is being written.
pub(super) struct NewFile<'d> {
    directory: &'d DirHandle,
    name: OsString,
    file: File,
    is_renamed: bool,
}

impl NewFile<'_> {
    /// Writes all of it, with the mode and, if permitted, the owner of another file.
    pub(super) fn write(&mut self, bytes: &[u8], like: &Metadata) -> io::Result<()> {
        self.file.write_all(bytes)?;
        let own = self.file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            // Only the superuser may change the owner; other users keep the file as theirs.
            _ = std::os::unix::fs::fchown(&self.file, Some(like.uid()), Some(like.gid()));
        }
        self.file.set_permissions(std::fs::Permissions::from_mode(like.mode()))?;
        self.file.sync_all()
    }

    /// Renames it over another file.
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
