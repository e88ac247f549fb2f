//! Writes the paths of an answer in the form of the request, so that the caller can continue with them.

use std::path::Path;

use pathfinder_core::{Answer, Candidate, RelPath, Status};
use serde::{Deserialize, Serialize};

use super::answer::path_text;
use crate::command_line::to_operand;
use pathfinder_project::snapshot::{LoadedRoot, WorkspaceSnapshot};
use pathfinder_project::workspace::absolute;

/// A root, as answers name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootName {
    /// As the user gave it.
    pub given: String,
    /// Canonical path as text; bytes that are not UTF-8 are replaced.
    pub canonical: String,
}

impl RootName {
    /// Returns the names of all roots, in the engine's order.
    pub fn list(workspace: &WorkspaceSnapshot) -> Vec<Self> {
        let name = |opened: &LoadedRoot| Self {
            given: opened.root.given.clone(),
            canonical: opened.root.canonical.to_string_lossy().into_owned(),
        };
        workspace.opened().iter().map(name).collect()
    }

    /// Returns the absolute path of an entry of this root.
    pub fn absolute(&self, path: &RelPath) -> String {
        absolute(Path::new(&self.canonical), path)
    }
}

/// Number of alternatives in an answer. Models choose worse among more (the original's measurements say 2 to 3).
pub const MAX_ALTERNATIVES: usize = 5;

/// Minimum score of an alternative, as a share of the first one's. The first two are always shown.
const MIN_SCORE_SHARE: f32 = 0.3;

/// Returns the candidates of an uncertain answer that are worth showing. `NotFound` has none: weak ones would be mistaken for an
/// answer.
pub fn plausible_candidates(answer: &Answer) -> impl Iterator<Item = &Candidate> {
    let max = if answer.status == Status::NotFound { 0 } else { MAX_ALTERNATIVES };
    let least = answer.candidates.first().map_or(0.0, |first| first.score * MIN_SCORE_SHARE);
    let plausible = answer.candidates.iter().enumerate().take_while(move |(at, one)| *at < 2 || one.score >= least);
    plausible.take(max).map(|(_, candidate)| candidate)
}

/// Returns a path that a caller in this directory (canonical) can open.
///
/// It is absolute if the request was, or if the path lies outside the directory, else relative to the directory. A path that would
/// begin like an option begins with `./`.
pub fn path_from_directory(directory: &Path, asked: &str, root: &Path, path: &RelPath) -> String {
    let full = absolute(root, path);
    if is_absolute(asked) {
        return full;
    }
    // An entry below the directory is written relative to it.
    match Path::new(&full).strip_prefix(Path::new(&*directory.to_string_lossy())) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".to_owned(),
        Ok(rest) => to_operand(&rest.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")).into_owned(),
        Err(_) if directory == root => to_operand(&path_text(path)).into_owned(),
        Err(_) => full,
    }
}

/// Returns a path on one line. With several roots, its root stands before it.
pub fn display_path(roots: &[RootName], root: usize, path: &RelPath) -> String {
    let path = path_text(path);
    match roots {
        [_] => path.into_owned(),
        several => format!("{}/{path}", several[root].given.trim_end_matches(['/', '\\'])),
    }
}

/// Returns whether a path was written as an absolute one, of this machine or another.
pub fn is_absolute(asked: &str) -> bool {
    let asked = asked.trim_start_matches([' ', '"', '\'', '`', '<', '(', '[']);
    let drive =
        |text: &str| matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    asked.starts_with(['/', '~']) || asked.starts_with("\\\\") || asked.starts_with("file://") || drive(asked)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_absolute, path_from_directory};

    #[test]
    fn detects_absolute_paths() {
        for asked in ["/a/b", "~/a", "file:///a", "C:\\a", "c:/a", "\\\\host\\share", "`/a/b`", " \"/a\""] {
            assert!(is_absolute(asked), "{asked}");
        }
        for asked in ["a/b", "./a", "../a", "", "a:1", "C:a", "file:a"] {
            assert!(!is_absolute(asked), "{asked}");
        }
    }

    #[test]
    fn writes_paths_relative_to_the_caller() {
        for (directory, asked, path, expect) in [
            ("/p", "x", "a/b.rs", "a/b.rs"),
            ("/p/a", "x", "a/b.rs", "b.rs"),
            ("/p/a", "x", "ab/c.rs", "/p/ab/c.rs"),
            ("/p/a", "x", "a", "."),
            ("/p", "/q/x", "a/b.rs", "/p/a/b.rs"),
            ("/q", "x", "a/b.rs", "/p/a/b.rs"),
            ("/p", "x", "", "."),
            ("/p", "x", "-a", "./-a"),
            ("/p", "x", "-a/b", "./-a/b"),
            ("/p/a", "x", "a/-b", "./-b"),
            ("/p", "x", "a/-b", "a/-b"),
            ("/p", "/q/x", "-a", "/p/-a"),
        ] {
            assert_eq!(
                path_from_directory(Path::new(directory), asked, Path::new("/p"), &path.into()),
                expect,
                "{directory} {path}"
            );
        }
    }
}
