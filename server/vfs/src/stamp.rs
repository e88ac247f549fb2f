//! Computes stamps: numbers that change whenever a file or directory changes.

use std::fs::Metadata;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::bytes;

/// Times closer to the moment of reading than this prove nothing, because file system clocks advance in steps and
/// remote clocks differ. (git calls such entries racy.) Such entries are read again.
pub(crate) const RACY_INTERVAL: Duration = Duration::from_secs(10);

/// Stamp of an entry that may have changed after it was read. It equals no stamp, not even itself.
pub(crate) const UNSURE: u64 = 0;
/// Stamp of a missing entry.
const ABSENT: u64 = 2;

/// Returns the stamp of the entry at a path, which the caller read after `start`.
pub(crate) fn stamp(path: &Path, start: SystemTime) -> u64 {
    path.symlink_metadata().map_or(ABSENT, |metadata| stamp_of(&metadata, start))
}

/// Returns the stamp of the target at a path, following links.
pub(crate) fn stamp_following_links(path: &Path, start: SystemTime) -> u64 {
    path.metadata().map_or(ABSENT, |metadata| stamp_of(&metadata, start))
}

/// Returns whether an earlier stamp and a current one prove that nothing changed.
pub(crate) fn is_unchanged(before: u64, now: u64) -> bool {
    before != UNSURE && before == now
}

/// Flags for opening a directory only as a base for relative paths.
#[cfg(target_os = "linux")]
const OPEN_DIRECTORY_FLAGS: rustix::fs::OFlags =
    rustix::fs::OFlags::PATH.union(rustix::fs::OFlags::DIRECTORY).union(rustix::fs::OFlags::CLOEXEC);

/// Stats entries relative to an open directory. That takes the system a quarter less time than absolute paths.
#[derive(Debug)]
pub(crate) struct DirStat {
    root: PathBuf,
    #[cfg(target_os = "linux")]
    open: Option<std::os::fd::OwnedFd>,
}

impl DirStat {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            #[cfg(target_os = "linux")]
            open: {
                use rustix::fs::{Mode, open};
                open(root, OPEN_DIRECTORY_FLAGS, Mode::empty()).ok()
            },
        }
    }

    /// Opens a directory below this one, to stat many entries there; `None` if that does not help or it is not a
    /// directory any more.
    #[cfg(target_os = "linux")]
    pub(crate) fn open_below(&self, directory: &[u8]) -> Option<Self> {
        use rustix::fs::{Mode, OFlags, openat};
        let open = self.open.as_ref().filter(|_| !directory.is_empty())?;
        let open = openat(open, directory, OPEN_DIRECTORY_FLAGS | OFlags::NOFOLLOW, Mode::empty()).ok()?;
        Some(Self { root: self.root.join(bytes::to_path(directory)?), open: Some(open) })
    }

    /// Returns `None`, because entries are stat-ed by absolute paths on this system.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "elsewhere it is asked")]
    pub(crate) fn open_below(&self, _: &[u8]) -> Option<Self> {
        None
    }

    /// Returns the same number as [`stamp`] for a path below the directory; the empty path is the directory itself.
    pub(crate) fn stamp(&self, path: &[u8], start: SystemTime) -> u64 {
        #[cfg(target_os = "linux")]
        if let Some(open) = &self.open {
            use rustix::fs::{AtFlags, StatxFlags, statx};
            let wanted = StatxFlags::MTIME | StatxFlags::CTIME | StatxFlags::INO | StatxFlags::SIZE;
            let name = if path.is_empty() { b"." } else { path };
            let time = |time: rustix::fs::StatxTimestamp| (time.tv_sec, i64::from(time.tv_nsec));
            match statx(open, name, AtFlags::SYMLINK_NOFOLLOW, wanted) {
                Ok(found) => {
                    let (modified, changed) = (time(found.stx_mtime), time(found.stx_ctime));
                    return stamp_number(&FileTimes { modified, changed, inode: found.stx_ino }, found.stx_size, start);
                }
                Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => return ABSENT,
                // A sandbox may reject `statx`. Without the fallback below nothing would ever change there.
                Err(_) => {}
            }
        }
        bytes::to_path(path).map_or(UNSURE, |path| stamp(&self.root.join(path), start))
    }

    /// Returns whether an entry exists below the directory, following links.
    pub(crate) fn exists(&self, path: &[u8]) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(open) = &self.open {
            use rustix::fs::{Access, AtFlags, accessat};
            return accessat(open, path, Access::EXISTS, AtFlags::empty()).is_ok();
        }
        bytes::to_path(path).is_some_and(|path| self.root.join(path).exists())
    }
}

#[cfg(not(unix))]
use PortableTimes as FileTimes;
#[cfg(unix)]
use UnixTimes as FileTimes;

/// Returns the stamp of an opened entry from its metadata.
#[cfg(unix)]
pub(crate) fn stamp_of_entry(entry: &cap_std::fs::Metadata, start: SystemTime) -> u64 {
    use cap_std::fs::MetadataExt as _;
    let times = FileTimes {
        modified: (entry.mtime(), entry.mtime_nsec()),
        changed: (entry.ctime(), entry.ctime_nsec()),
        inode: entry.ino(),
    };
    stamp_number(&times, entry.len(), start)
}

/// Always [`UNSURE`]: without a change time, a program can hide a change.
#[cfg(not(unix))]
pub(crate) fn stamp_of_entry(_: &cap_std::fs::Metadata, _: SystemTime) -> u64 {
    UNSURE
}

/// Returns the stamp of an opened entry from its status.
#[cfg(target_os = "linux")]
pub(crate) fn stamp_of_stat(entry: &rustix::fs::Stat, start: SystemTime) -> u64 {
    let nanoseconds = |value| i64::try_from(value).unwrap_or_default();
    let times = FileTimes {
        modified: (entry.st_mtime, nanoseconds(entry.st_mtime_nsec)),
        changed: (entry.st_ctime, nanoseconds(entry.st_ctime_nsec)),
        inode: entry.st_ino,
    };
    stamp_number(&times, u64::try_from(entry.st_size).unwrap_or_default(), start)
}

fn stamp_of(metadata: &Metadata, start: SystemTime) -> u64 {
    stamp_number(&FileTimes::new(metadata), metadata.len(), start)
}

fn stamp_number(times: &FileTimes, length: u64, start: SystemTime) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    let Some(newest) = times.newest() else { return UNSURE };
    if newest + RACY_INTERVAL >= start {
        return UNSURE;
    }
    times.write(&mut hasher);
    hasher.write_u64(length);
    // The lowest bit keeps it apart from `UNSURE` and `ABSENT`.
    hasher.finish() | 1
}

/// The times of a file, of which at least one differs after any change. A program can set the modification time, but
/// not the change time (on Unix).
#[cfg(unix)]
struct UnixTimes {
    modified: (i64, i64),
    changed: (i64, i64),
    inode: u64,
}

#[cfg(unix)]
impl UnixTimes {
    fn new(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }

    fn newest(&self) -> Option<SystemTime> {
        let (seconds, nanoseconds) = self.changed;
        let since = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanoseconds).ok()?);
        SystemTime::UNIX_EPOCH.checked_add(since)
    }

    fn write(&self, hasher: &mut rustc_hash::FxHasher) {
        for number in [self.modified.0, self.modified.1, self.changed.0, self.changed.1] {
            hasher.write_i64(number);
        }
        hasher.write_u64(self.inode);
    }
}

#[cfg(not(unix))]
struct PortableTimes(Option<SystemTime>);

#[cfg(not(unix))]
impl PortableTimes {
    fn new(metadata: &Metadata) -> Self {
        Self(metadata.modified().ok())
    }

    fn newest(&self) -> Option<SystemTime> {
        self.0
    }

    fn write(&self, hasher: &mut rustc_hash::FxHasher) {
        let since = self.0.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        hasher.write_u128(since.map_or(0, |since| since.as_nanos()));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::{ABSENT, DirStat, UNSURE, stamp};
    use crate::testing::TestTree;

    #[test]
    fn relative_and_absolute_stamps_agree() {
        let tree = TestTree::new("a/b.rs\na/c/d.rs\n$ ln -s b.rs a/link; ln -s nowhere a/broken");
        let (root, later) = (tree.path(""), SystemTime::now() + Duration::from_hours(1));
        let dir_stat = DirStat::new(&root);
        let long = "x".repeat(300);
        let there = ["", "a", "a/b.rs", "a/c", "a/link", "a/broken"];
        for path in there.into_iter().chain(["gone", "a/b.rs/c", &long]) {
            let one = dir_stat.stamp(path.as_bytes(), later);
            assert_eq!(one, stamp(&root.join(path), later), "{path}");
            assert_eq!(one == ABSENT, !there.contains(&path), "{path}");
            assert!(path.is_empty() || dir_stat.exists(path.as_bytes()) == root.join(path).exists(), "{path}");
        }
        // An entry that was just created may still change within the same step of the clock.
        assert_eq!(dir_stat.stamp(b"a", SystemTime::now()), UNSURE);
    }
}
