//! Ignore files that may be read.

use std::fs;
use std::path::Path;

/// Names of the files whose rules the walk obeys.
const NAMES: [&str; 2] = [".gitignore", ".ignore"];

/// Larger ignore files are no ignore files: the largest that projects have are a few dozen kilobytes.
const SIZE_MAX: u64 = 1024 * 1024;

/// The ignore file of a root that must not be opened, if it has one: a pipe would never end, nor would a link to a
/// device, which a repository can contain. `ignore` opens whatever has the name. Asked of every directory it would make
/// the walk a sixth slower (measured at 100,000 files), so that below the root we are no safer than other tools.
pub(super) fn unusable(directory: &Path) -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        // Followed: rules may be shared by a link. Only their effect is ever seen, never their text.
        fs::metadata(directory.join(name))
            .is_ok_and(|entry| !entry.is_dir() && (!entry.is_file() || entry.len() > SIZE_MAX))
    })
}
