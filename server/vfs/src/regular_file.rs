//! Opens files of a repository or the cache directory safely: regular files only, without blocking, and up to a size.
//!
//! A repository can hold a named pipe, a link to a device or an endless file under any name. Opening a pipe for reading
//! blocks until there is a writer, and reading `/dev/zero` never ends. All such reads go through this module, or use
//! `NON_BLOCKING` and [`check`] below an open directory.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Flags for `open`: a pipe does not block, and a terminal does not become the controlling one.
#[cfg(unix)]
pub(crate) const NON_BLOCKING: i32 = libc::O_NONBLOCK | libc::O_NOCTTY;

/// Opens a regular file of at most `max_bytes` for reading; links are followed.
///
/// # Errors
/// If it is missing, not regular or larger, or the system refuses.
pub fn open(path: &Path, max_bytes: u64) -> io::Result<(File, Metadata)> {
    // Checked before opening, because opening a device can have effects.
    check(&fs::metadata(path)?, max_bytes)?;
    let file = options().read(true).open(path)?;
    let metadata = file.metadata()?;
    // Checked again, because another file may have taken its place.
    check(&metadata, max_bytes)?;
    Ok((file, metadata))
}

/// Reads a regular file of at most `max_bytes`.
///
/// # Errors
/// Those of [`open`], and if the file grows beyond `max_bytes` while it is read.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let (file, metadata) = open(path, max_bytes)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(too_large(max_bytes)) } else { Ok(bytes) }
}

/// Reads a regular file of UTF-8 text.
///
/// # Errors
/// Those of [`read`], and if it is not UTF-8.
pub fn read_to_string(path: &Path, max_bytes: u64) -> io::Result<String> {
    String::from_utf8(read(path, max_bytes)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Returns options with which opening a pipe does not block.
#[cfg(unix)]
pub fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options.custom_flags(NON_BLOCKING);
    options
}

/// Returns default options: on Windows no file of a directory is a pipe.
#[cfg(not(unix))]
pub fn options() -> OpenOptions {
    OpenOptions::new()
}

/// Checks that an entry is a regular file of at most `max_bytes`.
///
/// # Errors
/// If it is something else, or larger.
pub fn check(metadata: &Metadata, max_bytes: u64) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if metadata.len() > max_bytes { Err(too_large(max_bytes)) } else { Ok(()) }
}

fn too_large(max_bytes: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {max_bytes} bytes"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::testing::TestTree;

    #[test]
    fn reads_regular_files_only() {
        let tree = TestTree::new("$ mkfifo pipe; ln -s /dev/zero zero; ln -s nowhere dangling; mkdir directory");
        tree.run("printf 12345 > file; ln -s file link; truncate -s 1T endless");
        let read = |name: &str| read_to_string(&tree.path(name), 5).map_err(|error| error.to_string());
        assert_eq!(read("file").as_deref(), Ok("12345"));
        assert_eq!(read("link").as_deref(), Ok("12345"));
        for (name, expect) in [
            ("pipe", "it is not a regular file"),
            ("zero", "it is not a regular file"),
            ("endless", "it is larger than 5 bytes"),
            ("directory", "is a directory"),
        ] {
            assert_eq!(read(name), Err(expect.to_owned()), "{name}");
        }
        assert!(read("dangling").is_err());
    }
}
