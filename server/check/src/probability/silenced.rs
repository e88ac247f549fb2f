//! Detects comments that silence another checker of imports: the author knows that the path is missing.

use std::ops::Range;

use pathfinder_literals::Source;

/// Comments that keep the compiler of TypeScript from reporting what is wrong below them.
const COMPILER_MARKS: [&str; 2] = ["@ts-ignore", "@ts-expect-error"];

/// Parts of the comments that keep linters and other checkers from reporting a missing module. Comments that turn off a
/// whole checker say less, and are left out.
const MARKS: [&str; 4] =
    ["reportMissingImports", "disable=import-error", "type: ignore[import", "markdown-link-check-disable"];

/// Rules of linters of JavaScript about missing paths, which comments name for a line and for a file.
const RULES: [&str; 6] = [
    "import/no-unresolved",
    "import-x/no-unresolved",
    "n/no-missing-import",
    "n/no-missing-require",
    "node/no-missing-import",
    "node/no-missing-require",
];

/// Beginnings of the comments that silence the rest of a file, before their rules: `# pylint: disable=a, import-error`.
const FILE_MARKS: [&str; 3] = ["pylint: disable=", "eslint-disable ", "pyright: "];

/// Their other rules about missing paths.
const FILE_RULES: [&str; 4] =
    ["import-error", "no-name-in-module", "reportMissingImports=false", "reportMissingModuleSource=false"];

/// Bytes at the beginning of a file that are searched for comments on the whole of it: they stand above the first import, after
/// a licence.
const HEAD_BYTES: usize = 4 << 10;

/// Bytes on each side of a literal that are searched: no comment is further from what it silences, and a minified line can have
/// thousands of literals.
const MAX_DISTANCE_BYTES: usize = 4 << 10;

/// Most other places in which a file writes a literal that are searched for such comments.
const MAX_PLACES: usize = 16;

/// Returns whether such a comment is on the line of this literal, on the last line before that is not empty, at another place in which the file writes it, or in
/// a line of its own above for the whole file.
pub(super) fn is_silenced(source: &Source<'_>, range: &Range<usize>) -> bool {
    let offset = source.offset();
    is_silenced_in(source.text(), &(range.start - offset..range.end - offset))
}

fn is_silenced_in(text: &str, range: &Range<usize>) -> bool {
    let at = range.start;
    is_silenced_at(text, at)
        || is_file_silenced(&text[..text.floor_char_boundary(at.min(HEAD_BYTES))])
        || has_compiler_mark(text) && is_silenced_elsewhere(text, range)
}

/// Returns whether a comment silences the compiler where the file writes this literal, in quotes, at another place.
fn is_silenced_elsewhere(text: &str, range: &Range<usize>) -> bool {
    let Some(literal) = text.get(range.clone()) else { return false };
    let places = text.match_indices(literal).map(|(at, _)| at).take(MAX_PLACES);
    let is_quoted = |at: &usize| {
        let end = text.as_bytes().get(at + literal.len());
        *at != range.start && *at > 0 && end == text.as_bytes().get(at - 1) && matches!(end, Some(b'\'' | b'"'))
    };
    places.filter(is_quoted).any(|at| is_silenced_at(text, at))
}

/// Returns whether a line at the beginning of a file silences all below it.
fn is_file_silenced(head: &str) -> bool {
    let comments = head.lines().filter(|line| line.starts_with(['#', '/']));
    comments.into_iter().any(|line| {
        let rules = FILE_MARKS.iter().find_map(|mark| Some(line.split_once(mark)?.1));
        rules.is_some_and(|rules| {
            rules.split([',', ' ', '\t']).any(|rule| FILE_RULES.contains(&rule) || RULES.contains(&rule))
        })
    })
}

fn has_compiler_mark(text: &str) -> bool {
    COMPILER_MARKS.iter().any(|mark| text.contains(mark))
}

fn is_silenced_at(text: &str, at: usize) -> bool {
    let start = text.floor_char_boundary(at.saturating_sub(MAX_DISTANCE_BYTES));
    let end = text.floor_char_boundary(at.saturating_add(MAX_DISTANCE_BYTES));
    let (Some(before), Some(after)) = (text.get(start..at), text.get(at..end)) else { return false };
    let begin_of_last = |before: &str| before.rfind('\n').map_or(0, |at| at + 1);
    let line = begin_of_last(before);
    let above = begin_of_last(before[..line].strip_suffix('\n').unwrap_or_default());
    let to = after.find('\n').unwrap_or(after.len());
    // The compiler skips empty lines after its comment, and linters do not.
    let comment = before[..line].trim_end().lines().next_back().unwrap_or_default();
    let is_marked = |text: &str| MARKS.iter().chain(&RULES).any(|mark| text.contains(mark)) || has_compiler_mark(text);
    is_marked(&text[start + above..at + to]) || has_compiler_mark(comment)
}

#[cfg(test)]
mod tests {
    use super::is_silenced_in;

    #[test]
    fn detects_comments_of_other_checkers() {
        let check = |text: &str, expect: bool| {
            let at = text.find("gone").unwrap_or_default();
            assert_eq!(is_silenced_in(text, &(at..at + 4)), expect, "{text}");
        };
        check("// eslint-disable-next-line import/no-unresolved\nimport './gone'\n", true);
        check("import './gone' // @ts-ignore\n", true);
        check("// @ts-ignore\n\nimport './gone'\n", true);
        check("// @ts-check\n\nimport './gone'\n", false);
        check("from a import gone  # type: ignore[import-not-found]\n", true);
        check("// @ts-expect-error\nlet a;\nimport './gone'\n", false);
        check("import './gone'\n// @ts-expect-error\nlet a;\n", false);
        check("# pylint: disable=invalid-name, import-error\nimport uuid\n\nfrom .gone import x\n", true);
        check("/* eslint-disable no-console, import/no-unresolved */\n\nimport './gone'\n", true);
        check("# pylint: disable=invalid-name\n\nfrom .gone import x\n", false);
        check("# pylint: disable=not-callable\n\nfrom .gone import x\n", false);
        check("/* eslint-disable import/no-unresolved-x */\n\nimport './gone'\n", false);
        check("import a  # pylint: disable=no-name-in-module\n\nfrom .gone import x\n", false);
        check("from .gone import x\n# pylint: disable=import-error\n", false);
        check("// eslint-disable-next-line no-console\nimport './gone'\n", false);
        let twice = |text: &str| is_silenced_in(text, &(8..14));
        assert!(twice("import('./gone')\n\n// @ts-ignore\n\nimport('./gone')\n"));
        assert!(!twice("import('./gone')\n\n// @ts-ignore\nimport('./other')\n"));
    }
}
