//! How the paths of an answer are written: as the caller wrote, so that it can go on with them.

use std::path::Path;

use pathfinder_core::{Answer, Candidate, RelPath, Status};

use super::answer::shown;
use crate::command_line::to_operand;
use crate::snapshot::WorkspaceSnapshot;
use crate::workspace::absolute;

/// Alternatives that are shown: a model that gets more chooses worse (the original's measurements say 2 to 3).
pub(crate) const ALTERNATIVES: usize = 5;

/// An alternative is worth showing from this share of the first one's score on; two always are.
const HOPEFUL: f32 = 0.3;

/// The candidates that are worth showing to whom there is no certain answer. Of a path that nothing plausible was found
/// for there is none: weak ones would be taken for an answer.
pub(crate) fn hopeful(answer: &Answer) -> impl Iterator<Item = &Candidate> {
    let shown = if answer.status == Status::NotFound { 0 } else { ALTERNATIVES };
    let least = answer.candidates.first().map_or(0.0, |first| first.score * HOPEFUL);
    let hopeful = answer.candidates.iter().enumerate().take_while(move |(at, one)| *at < 2 || one.score >= least);
    hopeful.take(shown).map(|(_, candidate)| candidate)
}

/// A path as who asked from this directory (canonical) can open it: absolute if it was asked for by an absolute one or lies
/// elsewhere, else relative to the directory. One that would begin like an option begins with `./`.
pub(crate) fn seen_from(directory: &Path, asked: &str, root: &Path, path: &RelPath) -> String {
    let full = absolute(root, path);
    if is_absolute(asked) {
        return full;
    }
    // From above it is named as an answer names it, from below by what is left of it.
    match Path::new(&full).strip_prefix(Path::new(&*directory.to_string_lossy())) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".to_owned(),
        Ok(rest) => to_operand(&rest.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")).into_owned(),
        Err(_) if directory == root => to_operand(&shown(path)).into_owned(),
        Err(_) => full,
    }
}

/// A path on one line: with several roots, its root stands before it.
pub(crate) fn placed(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) -> String {
    let path = shown(path);
    match workspace.opened() {
        [_] => path.into_owned(),
        several => format!("{}/{path}", several[root].root.given.trim_end_matches(['/', '\\'])),
    }
}

/// Whether a path was written as an absolute one, here or on another machine.
pub(crate) fn is_absolute(asked: &str) -> bool {
    let asked = asked.trim_start_matches([' ', '"', '\'', '`', '<', '(', '[']);
    let drive =
        |text: &str| matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    asked.starts_with(['/', '~']) || asked.starts_with("\\\\") || asked.starts_with("file://") || drive(asked)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_absolute, seen_from};

    #[test]
    fn absolute_paths() {
        for asked in ["/a/b", "~/a", "file:///a", "C:\\a", "c:/a", "\\\\host\\share", "`/a/b`", " \"/a\""] {
            assert!(is_absolute(asked), "{asked}");
        }
        for asked in ["a/b", "./a", "../a", "", "a:1", "C:a", "file:a"] {
            assert!(!is_absolute(asked), "{asked}");
        }
    }

    #[test]
    fn from_where_one_is() {
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
                seen_from(Path::new(directory), asked, Path::new("/p"), &path.into()),
                expect,
                "{directory} {path}"
            );
        }
    }
}
