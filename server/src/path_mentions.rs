//! Where paths stand in free text: in logs, stack traces, messages and prompts.

mod error_path;
mod scan;

use std::ops::Range;
use std::path::Path;

pub(crate) use error_path::error_path;
pub(crate) use scan::{path_mentions, words};

/// A path in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathMention {
    /// Where it stands, without line numbers and quotes.
    pub(crate) range: Range<usize>,
    /// What to ask for it, where that is more than the text itself: the package of a Java file, for instance.
    pub(crate) asked: Option<String>,
    /// Whether quotes stand around it.
    pub(crate) quoted: bool,
}

impl PathMention {
    /// The text of the path.
    pub(crate) fn text<'t>(&self, line: &'t str) -> &'t str {
        &line[self.range.clone()]
    }

    /// What to ask for it.
    pub(crate) fn asked<'t>(&'t self, line: &'t str) -> &'t str {
        self.asked.as_deref().unwrap_or_else(|| self.text(line))
    }
}

/// Directories below which what is installed lies: of what is not there another version is, elsewhere, and no project's file
/// is meant.
const INSTALLED: [&str; 12] = [
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

/// Whether a path is one of something that is installed.
pub(crate) fn is_installed(path: &str) -> bool {
    path.split(['/', '\\']).any(|segment| INSTALLED.contains(&segment)) || path.contains("/go/pkg/mod/")
}

/// Directories that are the system's on every machine, and such whose contents come and go: nobody's project is there.
const SYSTEM: [&str; 15] = [
    "usr", "etc", "lib", "lib64", "bin", "sbin", "boot", "proc", "dev", "sys", "run", "var", "tmp", "System", "Library",
];

/// Whether an absolute path speaks of a place on this machine outside the project: then what is missing there is no slip in a
/// path of the project. On other machines, and below a home that was misspelt, the directories do not exist either.
pub(crate) fn is_elsewhere(path: &Path, root: &Path) -> bool {
    if !path.is_absolute() || path.starts_with(root) {
        return false;
    }
    let top = |path: &Path| path.components().nth(1).map(|part| part.as_os_str().to_owned());
    let first = top(path);
    if first.as_ref().is_some_and(|first| SYSTEM.iter().any(|system| first == system)) && first != top(root) {
        return true;
    }
    // `/home`, `/srv` and `/Users` exist on many machines; what is below that is somewhere.
    let there = path.ancestors().skip(1).find(|ancestor| ancestor.exists());
    there.is_some_and(|there| there.components().count() > 2 && !root.starts_with(there))
}

#[cfg(test)]
mod tests;
