//! Reads files and directories below the roots in parts that fit a client's answer. Called by `retry` and `suggestion`.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::UNIX_EPOCH;

use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use memchr::memchr;
use pathfinder_core::{Probe as _, RelPath};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::withheld::is_withheld_name;
use super::{DiskProbe, Query, ResolvedPath, UNSURE, escapes_root, is_escape_error};
use crate::bytes;
use crate::cache_file::digest;

/// Bytes of text in one answer. Clients cut off results of more than about 25,000 tokens (Claude Code's limit); source
/// of this size stays just below.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Bytes that are skipped to reach the first line: a tenth of a second. A file of this size is not source.
const MAX_SKIPPED_BYTES: u64 = 128 << 20;
/// A NUL in the first bytes makes a file binary: git examines as many.
const SNIFFED_BYTES: usize = 8000;
/// Limit of entries in one directory listing.
const MAX_LISTED_ENTRIES: usize = 1000;
/// Limit of entries that are read and sorted, so that the listed ones are the first in order: a fifth of a second. In a
/// larger directory only the entries that the system returns first are considered.
const MAX_READ_ENTRIES: usize = 200_000;

/// A range of lines in a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Window {
    /// Number of the first line, counted from 1.
    pub first: usize,
    /// Maximum number of lines.
    pub lines: usize,
}

impl Window {
    /// Default number of lines: agents' own reading tools return as many.
    pub const LINES: usize = 2000;
}

/// Contents of a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contents {
    /// Lines of text.
    Text {
        /// The lines with their line endings.
        text: String,
        /// Number of the next line, if there are more.
        next: Option<usize>,
        /// True if the last line was cut because it alone exceeds the limit.
        cut: bool,
        /// True if bytes that are not UTF-8 were replaced.
        lossy: bool,
    },
    /// A binary file.
    Binary {
        /// Size of the file in bytes.
        bytes: u64,
    },
}

/// Entries of a directory.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoryListing {
    /// Sorted names; those of directories end with `/`.
    pub entries: Vec<String>,
    /// True if there are more entries.
    pub more: bool,
    /// Number of entries that were left out because they are ignored or have names of credential files.
    pub ignored: usize,
}

/// Metadata of an entry.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// `file`, `directory`, or a phrase for a special file.
    pub kind: Cow<'static, str>,
    /// Size of a file in bytes.
    pub bytes: Option<u64>,
    /// Time of the last modification in seconds since 1970.
    pub modified: Option<i64>,
}

/// Reasons why a path cannot be read. The messages do not name the path; the caller does.
#[derive(Debug, Error)]
pub enum ContentsError {
    /// It does not exist (any more).
    #[error("is not there any more")]
    Absent,
    /// A link leads out of the roots.
    #[error("leads out of the roots")]
    Outside,
    /// It is a directory instead of a file.
    #[error("is a directory")]
    IsADirectory,
    /// It is a file instead of a directory.
    #[error("is not a directory")]
    NotADirectory,
    /// It has no contents to read.
    #[error("is {0}, which is not read")]
    Special(&'static str),
    /// The window begins after the last line.
    #[error("has {lines} lines only")]
    Short {
        /// Number of lines in the file.
        lines: usize,
    },
    /// The window begins after `MAX_SKIPPED_BYTES`.
    #[error("line {line} is beyond the first {} MiB, which is the limit", MAX_SKIPPED_BYTES >> 20)]
    TooFar {
        /// The requested first line.
        line: usize,
    },
    /// The caller's evidence is not in it.
    #[error("does not contain the evidence")]
    Lacks,
    /// It cannot be searched for the evidence.
    #[error("cannot be searched for the evidence")]
    Unsearchable,
    /// The system refused.
    #[error("cannot be read: {0}")]
    Refused(io::Error),
}

impl From<io::Error> for ContentsError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Absent,
            io::ErrorKind::NotADirectory => Self::NotADirectory,
            io::ErrorKind::IsADirectory => Self::IsADirectory,
            _ => Self::Refused(error),
        }
    }
}

impl DiskProbe {
    /// Reads lines of a text file.
    ///
    /// # Errors
    /// If the file or the lines cannot be read.
    pub fn read(&self, root: usize, path: &RelPath, window: Window) -> Result<Contents, ContentsError> {
        self.reject_log();
        self.with_resolved(root, path, |dir, path, _| {
            let (file, bytes) = open(dir, path)?;
            read_window(BufReader::with_capacity(64 * 1024, file), window, bytes)
        })
    }

    /// Lists a directory. Leaves out ignored entries and credential files, unless the directory itself is ignored.
    /// `known` returns whether the index has a path, which saves matching ignore rules.
    ///
    /// # Errors
    /// If it is not a readable directory.
    pub fn list(
        &self,
        root: usize,
        path: &RelPath,
        known: &dyn Fn(usize, &[u8]) -> bool,
    ) -> Result<DirectoryListing, ContentsError> {
        self.reject_log();
        let mut names = self.with_resolved(root, path, |dir, path, entry| {
            if !entry.is_dir() {
                return Err(ContentsError::NotADirectory);
            }
            let list = if path.as_os_str().is_empty() { dir.entries()? } else { dir.read_dir(path)? };
            let mut names = Vec::new();
            for entry in list.take(MAX_READ_ENTRIES + 1) {
                let entry = entry?;
                let directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
                names.push((bytes::from_os_str(&entry.file_name()).into_owned(), directory));
            }
            Ok(names)
        })?;
        let more = names.len() > MAX_READ_ENTRIES;
        names.retain(|(name, _)| name != b".git");
        names.sort_unstable();
        // Ignore rules apply to the real location, not to a link on the way.
        let (root, path) = match bytes::to_path(path.as_bytes()).map(|path| self.resolve_by_name(root, path, true)) {
            Some(ResolvedPath::Inside(root, real)) => (root, bytes::from_os_str(real.as_os_str()).into_owned()),
            _ => (root, path.as_bytes().to_vec()),
        };
        let own = |name: &[u8]| if path.is_empty() { name.to_vec() } else { [&*path, b"/", name].concat() };
        let indexed = |name: &[u8]| known(root, &own(name));
        let all = names.len();
        let whole = !path.is_empty() && !known(root, &path) && self.is_ignored(root, &path);
        if !whole && !names.iter().all(|(name, _)| indexed(name)) {
            let listed = self.listed_names(root, &path);
            names.retain(|(name, _)| indexed(name) || listed.as_ref().is_none_or(|listed| listed.contains(name)));
        }
        if !whole {
            names.retain(|(name, _)| !is_withheld_name(&own(name)));
        }
        let ignored = all - names.len();
        let more = more || names.len() > MAX_LISTED_ENTRIES;
        names.truncate(MAX_LISTED_ENTRIES);
        let entries = names.into_iter().map(|(name, directory)| {
            let slash = if directory { "/" } else { "" };
            format!("{}{slash}", String::from_utf8_lossy(&name))
        });
        Ok(DirectoryListing { entries: entries.collect(), more, ignored })
    }

    /// Returns the metadata of an entry, following links.
    ///
    /// # Errors
    /// If it does not exist, or leads out of the roots.
    pub fn stat(&self, root: usize, path: &RelPath) -> Result<Details, ContentsError> {
        let details = self.with_resolved(root, path, |_, _, entry| {
            let modified = entry.modified().ok().and_then(|at| at.into_std().duration_since(UNIX_EPOCH).ok());
            Ok(Details {
                kind: kind_of(entry).into(),
                bytes: entry.is_file().then_some(entry.len()),
                modified: modified.and_then(|since| i64::try_from(since.as_secs()).ok()),
            })
        });
        let shown = || digest(format!("{:?}", details.as_ref().ok()).as_bytes());
        self.record(root, Query::Details, path.as_bytes(), UNSURE, shown);
        details
    }

    /// Runs `look` with the real location of a path and its metadata.
    pub(super) fn with_resolved<T>(
        &self,
        root: usize,
        path: &RelPath,
        look: impl FnOnce(&Dir, &Path, &Metadata) -> Result<T, ContentsError>,
    ) -> Result<T, ContentsError> {
        if escapes_root(path.as_bytes()) {
            return Err(ContentsError::Outside);
        }
        let path = bytes::to_path(path.as_bytes()).ok_or(ContentsError::Absent)?;
        let found = self.with_root(root, |dir| super::stat(dir, path, true));
        let (root, path, entry) = match found {
            Ok(entry) => (root, Cow::Borrowed(path), entry),
            Err(error) if is_escape_error(&error) => match self.resolve_by_name(root, path, true) {
                ResolvedPath::Inside(root, path) => {
                    let entry = self.with_root(root, |dir| super::stat(dir, &path, true))?;
                    (root, path, entry)
                }
                ResolvedPath::Absent => return Err(ContentsError::Absent),
                ResolvedPath::Outside => return Err(ContentsError::Outside),
            },
            Err(_) => return Err(ContentsError::Absent),
        };
        // `with_root` only returns errors of the system, so `look`'s result takes another way.
        let mut result = None;
        self.with_root(root, |dir| {
            result = Some(look(dir, &path, &entry));
            Ok(())
        })?;
        result.unwrap_or(Err(ContentsError::Absent))
    }
}

/// Opens a regular file. Everything else is refused: a pipe would block, and opening a device may have effects.
pub(super) fn open(dir: &Dir, path: &Path) -> Result<(File, u64), ContentsError> {
    open_entry(dir, path, &super::stat(dir, path, true)?)
}

/// Opens a regular file as [`open`] does, given its metadata.
pub(super) fn open_entry(dir: &Dir, path: &Path, entry: &Metadata) -> Result<(File, u64), ContentsError> {
    check_regular(entry)?;
    let (file, entry) = open_regular(dir, path)?;
    Ok((file, entry.len()))
}

/// Opens a regular file to which no link leads; `None` for anything else. The type of the entry is looked up by one call of the system,
/// by which links above it are followed; opening refuses those that lead out of the directory.
#[cfg(unix)]
pub(super) fn open_unlinked(dir: &Dir, path: &Path) -> Option<(File, Metadata)> {
    use rustix::fs::{AtFlags, FileType, statat};
    let entry = statat(dir, path, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    (FileType::from_raw_mode(entry.st_mode) == FileType::RegularFile).then(|| open_regular(dir, path).ok()).flatten()
}

#[cfg(not(unix))]
pub(super) fn open_unlinked(_: &Dir, _: &Path) -> Option<(File, Metadata)> {
    None
}

/// Opens an entry that was a regular file just now.
fn open_regular(dir: &Dir, path: &Path) -> Result<(File, Metadata), ContentsError> {
    let mut options = OpenOptions::new();
    options.read(true);
    // A pipe that takes the file's place meanwhile must not block.
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    let file = dir.open_with(path, &options)?;
    let entry = file.metadata()?;
    check_regular(&entry)?;
    Ok((file, entry))
}

fn check_regular(entry: &Metadata) -> Result<(), ContentsError> {
    match kind_of(entry) {
        "file" => Ok(()),
        "directory" => Err(ContentsError::IsADirectory),
        other => Err(ContentsError::Special(other)),
    }
}

fn kind_of(entry: &Metadata) -> &'static str {
    let kind = entry.file_type();
    if kind.is_file() {
        return "file";
    }
    if kind.is_dir() {
        return "directory";
    }
    #[cfg(unix)]
    {
        use cap_std::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    "a special file"
}

/// Reads lines of a file that has `bytes` bytes.
fn read_window(mut file: impl BufRead, window: Window, bytes: u64) -> Result<Contents, ContentsError> {
    let start = file.fill_buf()?;
    if memchr(0, &start[..start.len().min(SNIFFED_BYTES)]).is_some() {
        return Ok(Contents::Binary { bytes });
    }
    skip_lines(&mut file, window.first)?;
    let mut text = Vec::new();
    let mut line = window.first;
    let (mut cut, mut dropped) = (false, false);
    while line - window.first < window.lines {
        let before = text.len();
        let ended = take_line(&mut file, &mut text)?;
        if text.len() == before {
            break;
        }
        if ended {
            line += 1;
        } else if text.len() > MAX_TEXT_BYTES {
            // The line does not fit beside the text so far, or not at all.
            (cut, dropped) = (before == 0, before > 0);
            text.truncate(if cut { MAX_TEXT_BYTES } else { before });
            line += usize::from(cut);
            break;
        }
    }
    if memchr(0, &text).is_some() {
        return Ok(Contents::Binary { bytes });
    }
    let more = cut || dropped || !file.fill_buf()?.is_empty();
    let text = trim_partial_char(text, cut);
    let lossy = std::str::from_utf8(&text).is_err();
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(Contents::Text { text, next: more.then_some(line), cut, lossy })
}

/// Skips to the beginning of line `first`.
fn skip_lines(file: &mut impl BufRead, first: usize) -> Result<(), ContentsError> {
    let (mut line, mut read) = (1, 0_u64);
    // The last line may lack a line ending.
    let mut open_line = false;
    while line < first {
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            return Err(ContentsError::Short { lines: line - usize::from(!open_line) });
        }
        if read > MAX_SKIPPED_BYTES {
            return Err(ContentsError::TooFar { line: first });
        }
        let used = memchr(b'\n', buffer).map(|at| at + 1);
        let length = used.unwrap_or(buffer.len());
        line += usize::from(used.is_some());
        open_line = used.is_none();
        read += length as u64;
        file.consume(length);
    }
    if first > 1 && file.fill_buf()?.is_empty() {
        return Err(ContentsError::Short { lines: first - 1 });
    }
    Ok(())
}

/// Appends the rest of a line, up to a little more than the limit. Returns true at the end of the line or of the file.
fn take_line(file: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            return Ok(text.len() <= MAX_TEXT_BYTES);
        }
        let end = memchr(b'\n', buffer).map(|at| at + 1);
        let length = end.unwrap_or(buffer.len());
        text.extend_from_slice(&buffer[..length]);
        file.consume(length);
        if text.len() > MAX_TEXT_BYTES {
            return Ok(false);
        }
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Removes a partial character that cutting left at the end.
fn trim_partial_char(mut text: Vec<u8>, cut: bool) -> Vec<u8> {
    if let Some(error) = std::str::from_utf8(&text).err().filter(|error| cut && error.error_len().is_none()) {
        text.truncate(error.valid_up_to());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `lines` lines from `first` on; compares the text and the next line, or the error.
    #[track_caller]
    fn check(file: &[u8], (first, lines): (usize, usize), expect: Result<(&str, Option<usize>), &str>) {
        let read = read_window(file, Window { first, lines }, file.len() as u64);
        let read = match &read {
            Ok(Contents::Text { text, next, cut: false, .. }) => Ok((text.as_str(), *next)),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        };
        assert_eq!(read, expect.map_err(str::to_owned));
    }

    #[test]
    fn reads_line_windows() {
        check(b"a\nb\nc\n", (1, 9), Ok(("a\nb\nc\n", None)));
        check(b"a\nb\nc\n", (2, 1), Ok(("b\n", Some(3))));
        check(b"a\nb\nc", (3, 9), Ok(("c", None)));
        check(b"a\r\nb\r\n", (1, 1), Ok(("a\r\n", Some(2))));
        check(b"", (1, 9), Ok(("", None)));
        check(b"\n\n", (2, 1), Ok(("\n", None)));
    }

    #[test]
    fn rejects_windows_past_the_end() {
        check(b"a\nb\n", (3, 1), Err("has 2 lines only"));
        check(b"a\nb", (3, 1), Err("has 2 lines only"));
        check(b"a\nb\n", (9, 1), Err("has 2 lines only"));
        check(b"a\nb", (9, 1), Err("has 2 lines only"));
        check(b"", (2, 1), Err("has 0 lines only"));
    }

    #[test]
    fn detects_binary_files() {
        check(b"GIF\0\n", (1, 9), Err("Binary { bytes: 5 }"));
        check(&[vec![b'a'; SNIFFED_BYTES + 1], vec![0]].concat(), (1, 9), Err("Binary { bytes: 8002 }"));
    }

    /// Returns as many lines as fit. A line that does not fit by itself is cut between characters.
    #[test]
    fn cuts_at_the_size_limit() {
        let line = "é".repeat(999) + "\n";
        let fit = MAX_TEXT_BYTES / line.len();
        check(line.repeat(100).as_bytes(), (1, 100), Ok((&line.repeat(fit), Some(fit + 1))));
        let long = format!("a{}\nb\n", "é".repeat(MAX_TEXT_BYTES));
        let Ok(Contents::Text { text, next, cut, lossy }) =
            read_window(long.as_bytes(), Window { first: 1, lines: 9 }, long.len() as u64)
        else {
            panic!("it is text")
        };
        assert_eq!((text.len(), next, cut, lossy), (MAX_TEXT_BYTES - 1, Some(2), true, false));
    }

    #[test]
    fn replaces_invalid_utf8() {
        let read = read_window(&b"caf\xe9\n"[..], Window { first: 1, lines: 1 }, 5).expect("it is text");
        assert_eq!(read, Contents::Text { text: "caf\u{fffd}\n".to_owned(), next: None, cut: false, lossy: true });
    }
}
