//! `ListedDir`: a directory that a walk has opened. On Linux it is opened below its parent's handle, because resolving
//! long paths took the system more time than listing. Called by `traversal`.

use std::io;
use std::time::SystemTime;

use pathfinder_core::Kind;

use super::super::stamp;

/// Names and kinds of the entries of one directory. One list serves all directories of a thread.
#[derive(Default)]
pub(super) struct EntryNames {
    bytes: Vec<u8>,
    /// End of each name in `bytes`, and its kind.
    entries: Vec<(usize, Kind)>,
    #[cfg(target_os = "linux")]
    buffer: Vec<u8>,
}

impl EntryNames {
    /// All entries, in the order of the system.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Kind)> {
        let mut start = 0;
        self.entries.iter().map(move |&(end, kind)| {
            let name = &self.bytes[start..end];
            start = end;
            (name, kind)
        })
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }

    fn push(&mut self, name: &[u8], kind: Kind) {
        self.bytes.extend_from_slice(name);
        self.entries.push((self.bytes.len(), kind));
    }
}

/// A directory of a walk: an open one on Linux, elsewhere its path.
pub(super) struct ListedDir(
    #[cfg(target_os = "linux")] std::os::fd::OwnedFd,
    #[cfg(not(target_os = "linux"))] std::path::PathBuf,
);

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;

    use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, fstat, open, openat, statat};

    use super::{EntryNames, Kind, ListedDir, SystemTime, io, stamp};

    /// A link that takes the place of a directory is not followed.
    const FLAGS: OFlags =
        OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK);

    /// The C library's size: some 500 names a call.
    const BUFFER_BYTES: usize = 32 * 1024;

    impl ListedDir {
        /// Opens the directory at a canonical path.
        pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(open(path, FLAGS, Mode::empty())?))
        }

        /// Opens a directory by its path relative to this one.
        pub(in super::super) fn open_below(&self, path: &[u8]) -> io::Result<Self> {
            Ok(Self(openat(&self.0, path, FLAGS, Mode::empty())?))
        }

        /// Returns the stamp of a directory that is read after `start`.
        pub(in super::super) fn stamp(&self, start: SystemTime) -> u64 {
            fstat(&self.0).map_or(stamp::UNSURE, |stat| stamp::stamp_of_stat(&stat, start))
        }

        /// Reads the entries. Those before an error are kept.
        pub(in super::super) fn list(&self, names: &mut EntryNames) -> io::Result<()> {
            names.clear();
            let mut buffer = std::mem::take(&mut names.buffer);
            buffer.clear();
            buffer.reserve(BUFFER_BYTES);
            let result = self.list_into(names, &mut buffer);
            names.buffer = buffer;
            result
        }

        fn list_into(&self, names: &mut EntryNames, buffer: &mut Vec<u8>) -> io::Result<()> {
            let mut entries = RawDir::new(&self.0, buffer.spare_capacity_mut());
            while let Some(entry) = entries.next() {
                let entry = entry?;
                let name = entry.file_name();
                if matches!(name.to_bytes(), b"." | b"..") {
                    continue;
                }
                let mut kind = entry.file_type();
                if kind == FileType::Unknown {
                    // Some file systems keep no kinds in directories.
                    kind = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)
                        .map_or(kind, |stat| FileType::from_raw_mode(stat.st_mode));
                }
                let kind = match kind {
                    FileType::Directory => Kind::Directory,
                    FileType::Symlink => Kind::Symlink,
                    _ => Kind::File,
                };
                names.push(name.to_bytes(), kind);
            }
            Ok(())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use std::path::Path;

    use super::super::super::bytes;
    use super::{EntryNames, Kind, ListedDir, SystemTime, io, stamp};

    impl ListedDir {
        /// Keeps the canonical path of a directory.
        #[expect(clippy::unnecessary_wraps, reason = "on Linux the directory is opened, which can fail")]
        pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(path.to_path_buf()))
        }

        /// Keeps the path of a directory that is given relative to this one.
        pub(in super::super) fn open_below(&self, path: &[u8]) -> io::Result<Self> {
            let path = bytes::to_path(path).ok_or(io::ErrorKind::InvalidFilename)?;
            Ok(Self(self.0.join(path)))
        }

        /// Returns the stamp of a directory that is read after `start`.
        pub(in super::super) fn stamp(&self, start: SystemTime) -> u64 {
            stamp::stamp(&self.0, start)
        }

        /// Reads the entries. Those before an error are kept.
        pub(in super::super) fn list(&self, names: &mut EntryNames) -> io::Result<()> {
            names.clear();
            for entry in self.0.read_dir()? {
                let entry = entry?;
                let kind = match entry.file_type() {
                    Ok(kind) if kind.is_dir() => Kind::Directory,
                    Ok(kind) if kind.is_symlink() => Kind::Symlink,
                    _ => Kind::File,
                };
                names.push(&bytes::from_os_str(&entry.file_name()), kind);
            }
            Ok(())
        }
    }
}
