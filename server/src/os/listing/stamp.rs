//! `Stamp`: a number that is another one as soon as a file or a directory is.

use std::fs::Metadata;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::super::bytes;

/// Times that are nearer to the reading than this say nothing: clocks of file systems go in steps, and those of other machines
/// are not ours. (git calls such entries racy.) What is that new is read again.
pub(super) const RACY_INTERVAL: Duration = Duration::from_secs(10);

/// The stamp of what may have changed after it was read: equal to none, not even to itself.
pub(super) const UNSURE: u64 = 0;
/// The stamp of what is not there.
const ABSENT: u64 = 2;

/// The stamp of what is at a path, for who reads it after `start` only.
pub(super) fn stamp(path: &Path, start: SystemTime) -> u64 {
    path.symlink_metadata().map_or(ABSENT, |metadata| stamp_of(&metadata, start))
}

/// The same with links followed.
pub(super) fn stamp_following_links(path: &Path, start: SystemTime) -> u64 {
    path.metadata().map_or(ABSENT, |metadata| stamp_of(&metadata, start))
}

/// Whether a stamp from before and one from now say that nothing has changed.
pub(super) fn is_unchanged(before: u64, now: u64) -> bool {
    before != UNSURE && before == now
}

/// How a directory is opened that is only a place to look from.
#[cfg(target_os = "linux")]
const OPEN_DIRECTORY_FLAGS: rustix::fs::OFlags =
    rustix::fs::OFlags::PATH.union(rustix::fs::OFlags::DIRECTORY).union(rustix::fs::OFlags::CLOEXEC);

/// A directory below which many entries are asked for their stamps. Each is found from there, which takes the system a quarter less
/// than from the top of the disk.
#[derive(Debug)]
pub(super) struct DirStat {
    root: PathBuf,
    #[cfg(target_os = "linux")]
    open: Option<std::os::fd::OwnedFd>,
}

impl DirStat {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            #[cfg(target_os = "linux")]
            open: {
                use rustix::fs::{Mode, open};
                open(root, OPEN_DIRECTORY_FLAGS, Mode::empty()).ok()
            },
        }
    }

    /// The same of a directory below this one, for many entries there; `None` where that is of no use, or it is no directory any
    /// more.
    #[cfg(target_os = "linux")]
    pub(super) fn open_below(&self, directory: &[u8]) -> Option<Self> {
        use rustix::fs::{Mode, OFlags, openat};
        let open = self.open.as_ref().filter(|_| !directory.is_empty())?;
        let open = openat(open, directory, OPEN_DIRECTORY_FLAGS | OFlags::NOFOLLOW, Mode::empty()).ok()?;
        Some(Self { root: self.root.join(bytes::to_path(directory)?), open: Some(open) })
    }

    /// The same where entries are only ever asked by their whole paths.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "elsewhere it is asked")]
    pub(super) fn open_below(&self, _: &[u8]) -> Option<Self> {
        None
    }

    /// The same number as [`stamp`] gives of a path below the directory; of the directory itself that is empty.
    pub(super) fn stamp(&self, path: &[u8], start: SystemTime) -> u64 {
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
                // A sandbox may not know this question: nothing would ever change there.
                Err(_) => {}
            }
        }
        bytes::to_path(path).map_or(UNSURE, |path| stamp(&self.root.join(path), start))
    }

    /// Whether there is anything at a path below the directory, links followed.
    pub(super) fn exists(&self, path: &[u8]) -> bool {
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
    // Neither of the two that mean something.
    hasher.finish() | 1
}

/// What of a file's times cannot stay the same when it changes. A program can set the time of its last modification, but not
/// that of its last change where there is one.
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

    use super::super::super::tests::tree::TestTree;
    use super::{ABSENT, DirStat, UNSURE, stamp};

    #[test]
    fn both_ways_say_the_same() {
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
        // What has just been made may still change within the same step of the clock.
        assert_eq!(dir_stat.stamp(b"a", SystemTime::now()), UNSURE);
    }
}
