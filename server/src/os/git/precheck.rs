//! Checks the files of a repository that gix would open, because gix opens them by itself: it waits for a pipe, and reads a
//! device or a file of any size to its end.
//!
//! The check takes a system call for each loose object and each loose reference, and one for each of their directories. A
//! process that exchanges a file between the check and gix can still block the thread that reads history; servers end all the
//! same, since their end waits for no thread.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::super::{bytes, regular_file};
use super::{GitDir, MAX_CONFIG_BYTES, MAX_INDEX_BYTES, MAX_POINTER_BYTES};

/// Ten million references have about 700 MB; repositories of hosting services with more keep them in another format.
const MAX_PACKED_REFS_BYTES: u64 = 1 << 30;
/// Commits at which a shallow clone was cut off: 41 bytes each, some thousand of them at most.
const MAX_SHALLOW_BYTES: u64 = 16 << 20;
/// A reference holds one hash or one name; `FETCH_HEAD` has a line for each remote branch.
const MAX_REFERENCE_BYTES: u64 = 16 << 20;
/// Entries of `refs` and of `objects` that are looked at. git packs beyond 6,700 loose objects by itself, and a repository with
/// a million loose files is none that git is usable in.
const MAX_ENTRIES: usize = 1_000_000;
/// Directories below `refs`, one in another: as deep as the names of branches have segments, with room.
const MAX_DEPTH: usize = 64;
/// Object databases that one repository may borrow from, one after the other; git itself follows five levels.
const MAX_ALTERNATES: usize = 32;

/// Files directly in the directory of a worktree or of the repository, and how large each may be.
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

/// Checks that gix can open a repository and everything in it without waiting for anything but the disk.
///
/// # Errors
/// Names the first file that is not a regular one, is too large, or cannot be looked at.
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

/// The object database of a repository and all that it borrows from, as gix follows them.
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
            return Err(with_path(&alternates, &io::Error::other("it leads to too many object databases")));
        }
    }
    Ok(all)
}

/// How many entries may still be looked at.
struct Budget {
    entries: usize,
}

impl Budget {
    /// Loose objects, packs, and what indexes them. All of it is mapped into memory and none read as a whole, so that any size
    /// will do.
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

    /// Files directly in a directory.
    fn check_files(&mut self, directory: &Path, max_bytes: &dyn Fn(&str) -> u64) -> io::Result<()> {
        for (name, is_directory) in self.entries(directory)? {
            if !is_directory {
                check_file(&directory.join(&name), max_bytes(name.to_str().unwrap_or_default()))?;
            }
        }
        Ok(())
    }

    /// Files in a directory and all below it.
    fn check_tree(&mut self, directory: &Path, max_bytes: u64, depth: usize) -> io::Result<()> {
        for (name, is_directory) in self.entries(directory)? {
            let path = directory.join(&name);
            if !is_directory {
                check_file(&path, max_bytes)?;
            } else if depth == 0 {
                return Err(with_path(&path, &io::Error::other("it is too deep")));
            } else {
                self.check_tree(&path, max_bytes, depth - 1)?;
            }
        }
        Ok(())
    }

    /// Names in a directory, and whether each is a directory itself; none if it is not there.
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

/// Checks one file, if it is there.
fn check_file(path: &Path, max_bytes: u64) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_absent(&error) => return Ok(()),
        Err(error) => return Err(with_path(path, &error)),
    };
    let metadata = if metadata.is_symlink() {
        match fs::metadata(path) {
            Ok(target) if is_special(&target) => {
                return Err(with_path(path, &io::Error::other("it is a link to no plain file")));
            }
            Ok(target) => target,
            Err(error) if is_absent(&error) => return Ok(()),
            Err(error) => return Err(with_path(path, &error)),
        }
    } else {
        metadata
    };
    // A socket cannot be opened at all; git's file system monitor keeps one here.
    if metadata.is_dir() || is_socket(&metadata) {
        return Ok(());
    }
    regular_file::check(&metadata, max_bytes).map_err(|error| with_path(path, &error))
}

/// Whether reading a file may not end although it counts as a regular one: those of `/proc` and `/sys` have no size.
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

/// Whether a name is one of those that references outside of `refs` have, as `ORIG_HEAD`.
fn is_pseudo_ref(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// An error that names the file.
fn with_path(path: &Path, error: &io::Error) -> io::Error {
    let path = String::from_utf8_lossy(&bytes::from_os_str(path.as_os_str())).into_owned();
    io::Error::new(error.kind(), format!("{path}: {error}"))
}
