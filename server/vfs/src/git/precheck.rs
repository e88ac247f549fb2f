//! Checks the files that gix opens in a repository before it does: gix blocks on a pipe and reads a device or an
//! endless file to its end.
//!
//! The check takes one system call for each loose object, each loose reference and each of their directories. A process
//! that swaps a file between the check and gix can still block the history thread. Servers shut down anyway, because
//! they do not join that thread.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::super::{bytes, regular_file};
use super::{GitDir, MAX_CONFIG_BYTES, MAX_INDEX_BYTES, MAX_POINTER_BYTES};

/// Ten million references take about 700 MB; hosting services with more use another format.
const MAX_PACKED_REFS_BYTES: u64 = 1 << 30;
/// Lists the boundary commits of a shallow clone: 41 bytes each, some thousand at most.
const MAX_SHALLOW_BYTES: u64 = 16 << 20;
/// A reference holds one hash or one name; `FETCH_HEAD` has a line for each remote branch.
const MAX_REFERENCE_BYTES: u64 = 16 << 20;
/// Limit of entries in `refs` and `objects`. git packs beyond 6,700 loose objects by itself, and git is not usable with
/// a million loose files.
const MAX_ENTRIES: usize = 1_000_000;
/// Depth of directories below `refs`: the number of segments in branch names, with room to spare.
const MAX_DEPTH: usize = 64;
/// Limit of object databases that one repository borrows from in a chain; git itself follows five levels.
const MAX_ALTERNATES: usize = 32;

/// Files in the git directory or the common directory, each with its size limit in bytes.
const FILES: [(&str, u64); 8] = [
    ("HEAD", MAX_REFERENCE_BYTES),
    ("commondir", MAX_POINTER_BYTES),
    ("config", MAX_CONFIG_BYTES),
    ("config.worktree", MAX_CONFIG_BYTES),
    ("gitdir", MAX_POINTER_BYTES),
    ("index", MAX_INDEX_BYTES),
    ("packed-refs", MAX_PACKED_REFS_BYTES),
    ("shallow", MAX_SHALLOW_BYTES),
];

/// Checks that gix can open a repository and everything in it without blocking.
///
/// # Errors
/// If a file is not regular, is too large, or cannot be stat-ed; the error names the first one.
pub(super) fn check(git: &GitDir) -> io::Result<()> {
    let mut budget = Budget { entries: MAX_ENTRIES };
    let directories: BTreeSet<&Path> = [git.own.as_path(), git.common.as_path()].into();
    for directory in directories {
        for (name, max_bytes) in FILES {
            check_file(&directory.join(name), max_bytes)?;
        }
        budget.check_files(directory, &|name| if is_pseudo_ref(name) { MAX_REFERENCE_BYTES } else { u64::MAX })?;
        for name in ["refs", "logs"] {
            budget.check_tree(&directory.join(name), MAX_REFERENCE_BYTES, MAX_DEPTH)?;
        }
    }
    for objects in object_databases(&git.common.join("objects"))? {
        budget.check_objects(&objects)?;
    }
    Ok(())
}

/// Returns the object database of a repository and all that it borrows from, in the order in which gix follows them.
fn object_databases(objects: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = vec![objects.to_path_buf()];
    let mut at = 0;
    while let Some(directory) = all.get(at) {
        at += 1;
        let alternates = directory.join("info").join("alternates");
        let text = match regular_file::read(&alternates, MAX_POINTER_BYTES) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => continue,
            Err(error) => return Err(with_path(&alternates, &error)),
        };
        let others =
            gix::odb::alternate::parse(&text).map_err(|error| with_path(&alternates, &io::Error::other(error)))?;
        for other in others {
            let other = objects.join(other);
            if !all.contains(&other) {
                all.push(other);
            }
        }
        if all.len() > MAX_ALTERNATES {
            return Err(with_path(&alternates, &io::Error::other("it names too many object databases")));
        }
    }
    Ok(all)
}

/// Number of entries that may still be checked.
struct Budget {
    entries: usize,
}

impl Budget {
    /// Checks loose objects, packs and their indexes. gix maps them into memory instead of reading them whole, so any
    /// size will do.
    fn check_objects(&mut self, objects: &Path) -> io::Result<()> {
        for (name, is_directory) in self.entries(objects)? {
            let holds_objects = name.to_str().is_some_and(|name| {
                ["pack", "info"].contains(&name) || name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
            if is_directory && holds_objects {
                self.check_files(&objects.join(&name), &|_| u64::MAX)?;
            }
        }
        self.check_files(&objects.join("info").join("commit-graphs"), &|_| u64::MAX)
    }

    /// Checks the files directly in a directory.
    fn check_files(&mut self, directory: &Path, max_bytes: &dyn Fn(&str) -> u64) -> io::Result<()> {
        for (name, is_directory) in self.entries(directory)? {
            if !is_directory {
                check_file(&directory.join(&name), max_bytes(name.to_str().unwrap_or_default()))?;
            }
        }
        Ok(())
    }

    /// Checks the files in a directory and below it.
    fn check_tree(&mut self, directory: &Path, max_bytes: u64, depth: usize) -> io::Result<()> {
        for (name, is_directory) in self.entries(directory)? {
            let path = directory.join(&name);
            if !is_directory {
                check_file(&path, max_bytes)?;
            } else if depth == 0 {
                return Err(with_path(&path, &io::Error::other("it is nested too deeply")));
            } else {
                self.check_tree(&path, max_bytes, depth - 1)?;
            }
        }
        Ok(())
    }

    /// Lists a directory as (name, is a directory); empty if it does not exist.
    fn entries(&mut self, directory: &Path) -> io::Result<Vec<(OsString, bool)>> {
        let list = match fs::read_dir(directory) {
            Ok(list) => list,
            Err(error) if is_absent(&error) => return Ok(Vec::new()),
            Err(error) => return Err(with_path(directory, &error)),
        };
        let mut entries = Vec::new();
        for entry in list {
            let entry = entry.map_err(|error| with_path(directory, &error))?;
            self.entries = self.entries.checked_sub(1).ok_or_else(|| {
                with_path(directory, &io::Error::other(format!("there are more than {MAX_ENTRIES} loose files")))
            })?;
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            entries.push((entry.file_name(), is_directory));
        }
        Ok(entries)
    }
}

/// Checks one file if it exists.
fn check_file(path: &Path, max_bytes: u64) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_absent(&error) => return Ok(()),
        Err(error) => return Err(with_path(path, &error)),
    };
    let metadata = if metadata.is_symlink() {
        match fs::metadata(path) {
            Ok(target) if is_special(&target) => {
                return Err(with_path(path, &io::Error::other("it links to a special file")));
            }
            Ok(target) => target,
            Err(error) if is_absent(&error) => return Ok(()),
            Err(error) => return Err(with_path(path, &error)),
        }
    } else {
        metadata
    };
    // A socket cannot be opened at all. git's file system monitor keeps one here.
    if metadata.is_dir() || is_socket(&metadata) {
        return Ok(());
    }
    regular_file::check(&metadata, max_bytes).map_err(|error| with_path(path, &error))
}

/// Returns whether reading a regular file may never end: files of `/proc` and `/sys` have size 0.
fn is_special(target: &Metadata) -> bool {
    target.is_file() && target.len() == 0
}

#[cfg(unix)]
fn is_socket(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_socket(_: &Metadata) -> bool {
    false
}

/// Returns whether a name is that of a reference outside of `refs`, such as `ORIG_HEAD`.
fn is_pseudo_ref(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Adds the path to an error.
fn with_path(path: &Path, error: &io::Error) -> io::Error {
    let path = String::from_utf8_lossy(&bytes::from_os_str(path.as_os_str())).into_owned();
    io::Error::new(error.kind(), format!("{path}: {error}"))
}
