//! Reads whole files, stamps, file beginnings and directory names. Called by `check` and `symbols`.

use std::hash::{Hash as _, Hasher as _};
use std::io::{ErrorKind, Read as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cap_std::fs::{File, Metadata};
use pathfinder_core::RelPath;

use super::contents::{ContentsError, open, open_entry, open_unlinked};
use super::{DiskProbe, escapes_root};
use crate::bytes;
use crate::cache_file::digest;
use crate::dependencies::Query;

/// The number in a log of a file that cannot be read.
pub(crate) const NO_CONTENTS: u128 = 0;

impl DiskProbe {
    /// Reads a regular file; `None` if it is not one, cannot be read, or has more than `most` bytes.
    pub fn whole(&self, root: usize, path: &RelPath, most: u64) -> Option<Vec<u8>> {
        let mut stamp = UNSURE;
        let mut read_entry = |file: File, entry: &Metadata| {
            stamp = self.log_stamp(entry);
            read_at_most(file, entry.len(), most)
        };
        let read = match self.open_directly(root, path) {
            Some((file, entry)) => read_entry(file, &entry),
            None => self.with_resolved(root, path, |dir, path, entry| {
                let (file, _) = open_entry(dir, path, entry)?;
                read_entry(file, entry)
            }),
        };
        let read = read.ok().filter(|bytes| bytes.len() as u64 <= most);
        let query = Query::Contents { max_bytes: most };
        // A file that cannot be read has no stamp: its permissions, or those of a directory above it, may change.
        let stamp = if read.is_some() { stamp } else { UNSURE };
        self.record(root, query, path.as_bytes(), stamp, || read.as_deref().map_or(NO_CONTENTS, digest));
        read
    }

    /// Opens a regular file in the usual case, by few calls of the system; `None` if it may still be one.
    fn open_directly(&self, root: usize, path: &RelPath) -> Option<(File, Metadata)> {
        let path = Some(path.as_bytes()).filter(|path| !escapes_root(path)).and_then(bytes::to_path)?;
        self.with_root(root, |dir| Ok(open_unlinked(dir, path))).ok()?
    }

    /// Returns the stamp that the log would have of the file or directory at a path, links followed.
    pub(crate) fn target_stamp(&self, root: usize, path: &RelPath) -> u64 {
        self.with_resolved(root, path, |_, _, entry| Ok(self.log_stamp(entry))).unwrap_or(UNSURE)
    }

    /// Returns a stamp of a regular file's contents, made of its size and times; `None` if it is not a regular file or
    /// leads out of the root.
    pub fn stamp(&self, root: usize, path: &RelPath) -> Option<u64> {
        self.reject_log();
        let path = bytes::to_path(path.as_bytes())?;
        self.with_root(root, |dir| super::stat(dir, path, false))
            .ok()
            .filter(Metadata::is_file)
            .map(|entry| stamp(&entry))
    }

    /// Returns the stamps of files by their names in a directory, each as [`stamp`](Self::stamp) returns it. The directory is opened
    /// once, so that a file costs one system call instead of three.
    pub fn stamps_in(&self, root: usize, directory: &str, names: &[&str]) -> Vec<Option<u64>> {
        self.reject_log();
        #[cfg(target_os = "linux")]
        if let Some(path) = bytes::to_path(directory.as_bytes()).filter(|_| names.len() > 1)
            && let Ok(stamps) = self.with_root(root, |dir| {
                if directory.is_empty() { stat_all(dir, names) } else { stat_all(&dir.open_dir(path)?, names) }
            })
        {
            return stamps;
        }
        let join = |name: &&str| if directory.is_empty() { (*name).to_owned() } else { format!("{directory}/{name}") };
        names.iter().map(|name| self.stamp(root, &RelPath::from(join(name).as_str()))).collect()
    }

    /// Reads the first `most` bytes of a regular file and its stamp. The stamp is [`UNSURE`] if the file was changed
    /// just now. Links are not followed.
    pub fn beginning(&self, root: usize, path: &RelPath, most: u64) -> Option<(u64, Vec<u8>)> {
        self.reject_log();
        let path = bytes::to_path(path.as_bytes())?;
        let read = self.with_root(root, |dir| {
            let entry = super::stat(dir, path, false)?;
            let stamp = if is_racy(&entry, SystemTime::now()) { UNSURE } else { stamp(&entry) };
            let Ok((file, length)) = open(dir, path) else { return Err(std::io::ErrorKind::Other.into()) };
            let mut bytes = Vec::with_capacity(length.min(most) as usize);
            file.take(most).read_to_end(&mut bytes)?;
            Ok((stamp, bytes))
        });
        read.ok()
    }

    /// Returns the names in a directory, sorted; empty if it is not one. The order of the disk differs between machines and would decide
    /// which of them a limit keeps.
    pub fn names(&self, root: usize, path: &RelPath) -> Vec<String> {
        let mut stamp = UNSURE;
        let names = self.list_names(root, path, |entry| stamp = self.log_stamp(entry));
        let stamp = if names.is_ok() { stamp } else { UNSURE };
        let mut names = names.unwrap_or_default();
        names.sort_unstable();
        self.record(root, Query::Names, path.as_bytes(), stamp, || digest(names.join("\0").as_bytes()));
        names
    }

    /// Returns the names in a directory in the order of the disk, unrecorded; `None` if it cannot be read. The caller records what it
    /// learns from them.
    pub fn read_names(&self, root: usize, path: &RelPath) -> Option<Vec<String>> {
        self.list_names(root, path, |_| ()).ok()
    }

    fn list_names(
        &self,
        root: usize,
        path: &RelPath,
        look: impl FnOnce(&Metadata),
    ) -> Result<Vec<String>, ContentsError> {
        self.with_resolved(root, path, |dir, path, entry: &Metadata| {
            look(entry);
            if !entry.is_dir() {
                return Err(ContentsError::NotADirectory);
            }
            let list = if path.as_os_str().is_empty() { dir.entries()? } else { dir.read_dir(path)? };
            let names = list.filter_map(Result::ok).map(|entry| entry.file_name());
            Ok(names.map(|name| String::from_utf8_lossy(&bytes::from_os_str(&name)).into_owned()).collect())
        })
    }
}

/// Reads a file of about `length` bytes, at most `most` and one more.
fn read_at_most(file: File, length: u64, most: u64) -> Result<Vec<u8>, ContentsError> {
    if length > most {
        return Err(ContentsError::Special("too large"));
    }
    let mut file = file.take(most + 1);
    // Room for one byte more: a read that ends at the known length has reached the end of the file.
    let mut bytes = vec![0; length as usize + 1];
    let read = match file.read(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::Interrupted => 0,
        read => read?,
    };
    if read == length as usize {
        bytes.truncate(read);
        return Ok(bytes);
    }
    // The file was written meanwhile, or the system returned a part.
    bytes.truncate(read);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Stamp of a file that may change again without getting another stamp.
pub const UNSURE: u64 = 0;

/// Times closer to the moment of reading than this prove nothing, because file system clocks advance in steps. Listings
/// use the same interval.
const RACY_INTERVAL: Duration = Duration::from_secs(10);

fn is_racy(entry: &Metadata, now: SystemTime) -> bool {
    entry.modified().is_ok_and(|at| at.into_std() + RACY_INTERVAL >= now)
}

/// Hashes size and times with the system's precision. A program can set the modification time, but not the change time
/// (on Unix).
fn stamp(entry: &Metadata) -> u64 {
    let modified = entry.modified().ok().and_then(|at| at.into_std().duration_since(UNIX_EPOCH).ok());
    #[cfg(unix)]
    let changed = {
        use cap_std::fs::MetadataExt as _;
        Some((entry.ctime(), entry.ctime_nsec()))
    };
    #[cfg(not(unix))]
    let changed = None;
    stamp_number(entry.len(), modified, changed)
}

/// Implements [`stamp`]; `changed` is the change time in seconds and nanoseconds, if the system has one.
fn stamp_number(length: u64, modified: Option<Duration>, changed: Option<(i64, i64)>) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    (length, modified).hash(&mut hasher);
    if let Some(changed) = changed {
        changed.hash(&mut hasher);
    }
    hasher.finish().max(UNSURE + 1)
}

/// Returns the stamps of files directly in a directory. Links are not followed.
///
/// # Errors
/// If a name has a slash, or the system rejects the call.
#[cfg(target_os = "linux")]
fn stat_all(dir: &cap_std::fs::Dir, names: &[&str]) -> std::io::Result<Vec<Option<u64>>> {
    use rustix::fs::{AtFlags, FileType, StatxFlags, statx};
    use rustix::io::Errno;
    let wanted = StatxFlags::TYPE | StatxFlags::SIZE | StatxFlags::MTIME | StatxFlags::CTIME;
    let stat = |name: &&str| {
        // Other names lead out of the directory.
        if name.contains('/') || matches!(*name, "" | "." | "..") {
            return Err(ErrorKind::InvalidInput.into());
        }
        let found = match statx(dir, *name, AtFlags::SYMLINK_NOFOLLOW, wanted) {
            Ok(found) => found,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let modified = u64::try_from(found.stx_mtime.tv_sec).ok();
        let modified = modified.map(|seconds| Duration::new(seconds, found.stx_mtime.tv_nsec));
        let changed = (found.stx_ctime.tv_sec, i64::from(found.stx_ctime.tv_nsec));
        let is_file = FileType::from_raw_mode(found.stx_mode.into()) == FileType::RegularFile;
        Ok(is_file.then(|| stamp_number(found.stx_size, modified, Some(changed))))
    };
    names.iter().map(stat).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use pathfinder_core::RelPath;

    use crate::probe::DiskProbe;
    use crate::testing::TestTree;

    /// `directory` and the names in it, each with whether it is a file there.
    #[track_caller]
    fn check(directory: &str, names: &[(&str, bool)]) {
        let tree = TestTree::new(
            "one/a: x\none/b\none/in/c\none/in/d: d\ntwo/t\n$ cd one && ln -s b link; ln -s ../two out; ln -s in to; touch -d 1960-01-01 b",
        );
        let probe = DiskProbe::open(&tree.roots(&["one"])).expect("a root");
        let own: Vec<&str> = names.iter().map(|name| name.0).collect();
        let stamps = probe.stamps_in(0, directory, &own);
        for ((name, is_file), stamp) in names.iter().zip(&stamps) {
            let path = if directory.is_empty() { (*name).to_owned() } else { format!("{directory}/{name}") };
            assert_eq!(*stamp, probe.stamp(0, &RelPath::from(path.as_str())), "{path}");
            assert_eq!(stamp.is_some(), *is_file, "{path}");
        }
    }

    #[test]
    fn stamps_of_a_directory_equal_those_of_its_files() {
        check("", &[("a", true), ("b", true), ("in", false), ("link", false), ("gone", false)]);
        check("in", &[("c", true), ("d", true)]);
        check("to", &[("c", true), ("d", true)]);
        check("out", &[("t", false), ("u", false)]);
        check("gone", &[("c", false), ("d", false)]);
        check("in", &[("c", true), ("../a", true)]);
    }
}
