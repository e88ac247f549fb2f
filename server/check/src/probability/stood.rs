//! Detects a miss that has stood: git had the same line and the same miss a month before its newest commit. Code that is built and
//! tested does not stay broken for so long; a page, a list or a configuration can.

use pathfinder_literals::{Checked, Missing, Source};

use super::evidence::Evidence;
use crate::source_tree::SourceTree;

/// A longer line is not written by hand; so much of it around the literal is compared.
const MAX_DISTANCE_BYTES: usize = 512;
/// Paths that a literal tries are compared up to this number: a path with each of the extensions of a language.
const MAX_PATHS: usize = 16;

/// Returns whether a miss of code has stood for a month, given the literal's construct.
pub(super) fn has_stood(
    construct: Evidence,
    tree: &dyn SourceTree,
    source: &Source<'_>,
    literal: &Checked,
    missing: &Missing,
) -> bool {
    let is_code = matches!(construct, Evidence::Relative | Evidence::Named | Evidence::Mock);
    let (language, name) = literal.kind.as_str().split_once('.').unwrap_or_default();
    // A word of a file without rules may have no reader, a browser or an editor does without an absent file, and PHP loads a class
    // only where it is used.
    if !is_code || matches!(language, "words" | "php") || matches!(name, "url" | "reference") {
        return false;
    }
    is_month_old(tree, source, literal, missing)
}

/// Returns whether git had the line of a literal, and its miss, a month before the newest commit.
pub(super) fn is_month_old(tree: &dyn SourceTree, source: &Source<'_>, literal: &Checked, missing: &Missing) -> bool {
    // A path that exists today does not satisfy the literal, so it did not then.
    let tried = literal.tried.iter().map(String::as_str).filter(|path| tree.kind(path).is_none());
    let paths: Vec<&str> = std::iter::once(missing.wanted.as_str()).chain(tried).take(MAX_PATHS).collect();
    let line = line_of(source, literal);
    !line.is_empty() && tree.missed_a_month_ago(source.path(), line, &paths)
}

/// The line of a literal without spaces around it.
pub(super) fn line_of<'s>(source: &'s Source<'_>, literal: &Checked) -> &'s str {
    line_around(source.text(), literal.range.start.saturating_sub(source.offset()))
}

/// The line with this offset without spaces around it.
fn line_around(text: &str, at: usize) -> &str {
    let (start, end) =
        (text.floor_char_boundary(at.saturating_sub(MAX_DISTANCE_BYTES)), at.saturating_add(MAX_DISTANCE_BYTES));
    let (Some(before), Some(after)) = (text.get(start..at), text.get(at..text.floor_char_boundary(end))) else {
        return "";
    };
    let from = before.rfind('\n').map_or(start, |line| start + line + 1);
    let to = after.find('\n').map_or(at + after.len(), |line| at + line);
    text[from..to].trim()
}

#[cfg(test)]
mod tests {
    use super::line_around;

    #[test]
    fn finds_the_line() {
        let check = |text: &str, at: usize, expect: &str| assert_eq!(line_around(text, at), expect, "{text:?} {at}");
        check("a\n  import 'b';\r\nc", 6, "import 'b';");
        check("import 'b'", 0, "import 'b'");
        check("a\nb\n", 4, "");
        check("", 0, "");
        check("é", 1, "");
        check("a", 5, "");
    }
}
