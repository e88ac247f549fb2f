//! Detects comments that silence another checker of imports: the author knows that the path is missing.

/// Parts of the comments that keep linters and compilers from reporting a missing module. Comments that turn off a
/// whole checker say less, and are left out.
const MARKS: [&str; 12] = [
    "import/no-unresolved",
    "import-x/no-unresolved",
    "n/no-missing-import",
    "n/no-missing-require",
    "node/no-missing-import",
    "node/no-missing-require",
    "@ts-ignore",
    "@ts-expect-error",
    "reportMissingImports",
    "disable=import-error",
    "type: ignore[import",
    "markdown-link-check-disable",
];

/// Bytes on each side of a literal that are searched: no comment is further from what it silences, and a minified line can have
/// thousands of literals.
const MAX_DISTANCE_BYTES: usize = 4 << 10;

/// Returns whether such a comment is on the line of this offset, or on the line before.
pub(super) fn is_silenced(text: &str, at: usize) -> bool {
    let start = text.floor_char_boundary(at.saturating_sub(MAX_DISTANCE_BYTES));
    let end = text.floor_char_boundary(at.saturating_add(MAX_DISTANCE_BYTES));
    let (Some(before), Some(after)) = (text.get(start..at), text.get(at..end)) else { return false };
    let from = before.rmatch_indices('\n').nth(1).map_or(0, |(at, _)| at + 1);
    let to = after.find('\n').unwrap_or(after.len());
    MARKS.iter().any(|mark| text[start + from..at + to].contains(mark))
}

#[cfg(test)]
mod tests {
    use super::is_silenced;

    #[test]
    fn detects_comments_of_other_checkers() {
        let check = |text: &str, expect: bool| {
            let at = text.find("gone").unwrap_or_default();
            assert_eq!(is_silenced(text, at), expect, "{text}");
        };
        check("// eslint-disable-next-line import/no-unresolved\nimport './gone'\n", true);
        check("import './gone' // @ts-ignore\n", true);
        check("from a import gone  # type: ignore[import-not-found]\n", true);
        check("// @ts-expect-error\nlet a;\nimport './gone'\n", false);
        check("import './gone'\n// @ts-expect-error\nlet a;\n", false);
        check("// eslint-disable-next-line no-console\nimport './gone'\n", false);
    }
}
