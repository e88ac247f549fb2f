//! `Stamp`: a number that is another one as soon as a file or a directory is.

use std::fs::Metadata;
use std::hash::Hasher as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Times that are nearer to the reading than this say nothing: clocks of file systems go in steps, and those of other machines
/// are not ours. (git calls such entries racy.) What is that new is read again.
const RACY: Duration = Duration::from_secs(10);

/// The stamp of what may have changed after it was read: equal to none, not even to itself.
pub(super) const UNSURE: u64 = 0;
/// The stamp of what is not there.
const ABSENT: u64 = 2;

/// The stamp of what is at a path, for who reads it after `start` only.
pub(super) fn stamp(path: &Path, start: SystemTime) -> u64 {
    path.symlink_metadata().map_or(ABSENT, |metadata| of(&metadata, start))
}

/// The same with links followed.
pub(super) fn followed(path: &Path, start: SystemTime) -> u64 {
    path.metadata().map_or(ABSENT, |metadata| of(&metadata, start))
}

/// Whether a stamp from before and one from now say that nothing has changed.
pub(super) fn same(before: u64, now: u64) -> bool {
    before != UNSURE && before == now
}

fn of(metadata: &Metadata, start: SystemTime) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    let times = Times::of(metadata);
    let Some(newest) = times.newest() else { return UNSURE };
    if newest + RACY >= start {
        return UNSURE;
    }
    times.write(&mut hasher);
    hasher.write_u64(metadata.len());
    // Neither of the two that mean something.
    hasher.finish() | 1
}

/// What of a file's times cannot stay the same when it changes. A program can set the time of its last modification, but not
/// that of its last change where there is one.
#[cfg(unix)]
struct Times {
    modified: (i64, i64),
    changed: (i64, i64),
    inode: u64,
}

#[cfg(unix)]
impl Times {
    fn of(metadata: &Metadata) -> Self {
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
struct Times(Option<SystemTime>);

#[cfg(not(unix))]
impl Times {
    fn of(metadata: &Metadata) -> Self {
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
