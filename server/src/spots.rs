//! Where paths stand in free text: in logs, stack traces, messages and prompts.

mod complaint;
mod scan;

use std::ops::Range;
use std::path::{Component, Path};

pub(crate) use complaint::complaint;
pub(crate) use scan::{spots, words};

/// A path in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Where it stands, without line numbers and quotes.
    pub(crate) range: Range<usize>,
    /// What to ask for it, where that is more than the text itself: the package of a Java file, for instance.
    pub(crate) asked: Option<String>,
    /// Whether quotes stand around it.
    pub(crate) quoted: bool,
}

impl Spot {
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

/// Directories whose contents come and go, and are nobody's project.
const FLEETING: [&str; 6] = ["tmp", "proc", "dev", "sys", "run", "var"];

/// Whether an absolute path speaks of a place on this machine outside the project: then what is missing there is no slip in a
/// path of the project. On other machines, and below a home that was misspelt, the directories do not exist either.
pub(crate) fn is_elsewhere(path: &Path, root: &Path) -> bool {
    if !path.is_absolute() || path.starts_with(root) {
        return false;
    }
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let top = names.next();
    let fleeting = top.is_some_and(|top| FLEETING.iter().any(|fleeting| top == *fleeting));
    if fleeting && !root.components().nth(1).is_some_and(|own| Some(own.as_os_str()) == top) {
        return true;
    }
    // `/home` and `/Users` exist on every machine, and so does the user's own; what is below that is somewhere.
    let there = path.ancestors().skip(1).find(|ancestor| ancestor.exists());
    there.is_some_and(|there| !root.starts_with(there))
}

#[cfg(test)]
mod tests;
