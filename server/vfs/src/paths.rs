//! Questions about single paths outside of a `Probe`: real paths, and what is there.

use std::io;
use std::path::{Path, PathBuf};

/// Returns the absolute path without symbolic links.
///
/// # Errors
/// If nothing is there, or it cannot be reached.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// Returns the absolute path without symbolic links. A path that does not exist yet is below its real parent directory.
pub fn real_or_new(path: &Path) -> Option<PathBuf> {
    real(path).ok().or_else(|| Some(real(path.parent()?).ok()?.join(path.file_name()?)))
}

/// Returns the nearest existing directory above a path, as it is written there and as its real path.
pub fn nearest_above(path: &Path) -> Option<(&Path, PathBuf)> {
    path.ancestors().skip(1).find_map(|above| Some((above, real(above).ok()?)))
}

/// Returns whether something is there, be it a broken link.
pub fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns whether something is there, or may be: a directory above it cannot be searched.
pub fn may_exist(path: &Path) -> bool {
    path.try_exists().unwrap_or_else(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

/// Returns whether a regular file is there, or a link to one.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns whether a directory is there, or a link to one.
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Returns whether a directory is there whose entries can be listed.
pub fn is_readable_directory(path: &Path) -> bool {
    path.read_dir().is_ok()
}
