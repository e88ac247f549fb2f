//! Finds paths in free text: logs, stack traces, error messages and prompts. Used by the hooks and by `pathfinder rewrite`.

mod error_path;
mod scan;

use std::ops::Range;
use std::path::Path;

pub use error_path::find_error_path;
use pathfinder_vfs::paths;
pub use scan::{find_command_words, find_path_mentions};

/// A path in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMention {
    /// Byte range in the line, without line numbers and quotes.
    pub range: Range<usize>,
    /// Text to resolve instead of the path itself, such as the JVM stack frame of a file name.
    pub query: Option<String>,
    /// True if the path stands in quotes.
    pub is_quoted: bool,
}

impl PathMention {
    /// Returns the text of the path.
    pub fn text<'t>(&self, line: &'t str) -> &'t str {
        &line[self.range.clone()]
    }

    /// Returns the text to resolve.
    pub fn query<'t>(&'t self, line: &'t str) -> &'t str {
        self.query.as_deref().unwrap_or_else(|| self.text(line))
    }
}

/// Directories of installed packages. A missing path there belongs to another version or place, and means no file of a project.
const PACKAGE_DIRECTORIES: [&str; 12] = [
    "site-packages",
    "dist-packages",
    "node_modules",
    "bower_components",
    ".cargo",
    ".rustup",
    "rustc",
    "rustlib",
    ".m2",
    ".gradle",
    ".npm",
    ".venv",
];

/// Returns whether a path lies in an installed package.
pub(crate) fn is_installed(path: &str) -> bool {
    path.split(['/', '\\']).any(|segment| PACKAGE_DIRECTORIES.contains(&segment)) || path.contains("/go/pkg/mod/")
}

/// Top-level directories of the system, and those with short-lived contents. No project lies there.
const SYSTEM_DIRECTORIES: [&str; 15] = [
    "usr", "etc", "lib", "lib64", "bin", "sbin", "boot", "proc", "dev", "sys", "run", "var", "tmp", "System", "Library",
];

/// Returns whether an absolute path lies on this machine but outside the project; it is then no typo of a project's path.
///
/// Paths of other machines, and paths below a misspelt home directory, have no existing parent directories.
pub fn is_elsewhere(path: &Path, root: &Path) -> bool {
    if !path.is_absolute() || path.starts_with(root) {
        return false;
    }
    let top = |path: &Path| path.components().nth(1).map(|part| part.as_os_str().to_owned());
    let first = top(path);
    if first.as_ref().is_some_and(|first| SYSTEM_DIRECTORIES.iter().any(|system| first == system)) && first != top(root)
    {
        return true;
    }
    // `/home`, `/srv` and `/Users` exist on many machines. A directory below them is a definite place.
    paths::nearest_above(path)
        .is_some_and(|(existing, _)| existing.components().count() > 2 && !root.starts_with(existing))
}

#[cfg(test)]
mod tests;
