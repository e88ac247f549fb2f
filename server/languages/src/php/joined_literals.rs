//! Finds path literals that PHP code concatenates to a call or a constant: `plugin_path() . 'inc/a.php'`, `MY_DIR . '/a.js'`.
//!
//! It reads text and not a syntax tree, as the index over all files of a project uses it.

use std::ops::Range;

use memchr::memchr2_iter;
use pathfinder_literals::path::extension;

use crate::keyword_hits::line_before;

/// Longest arguments of a call: several times those of `plugin_dir_path( dirname( __FILE__, 2 ) )`.
const MAX_ARGUMENTS_BYTES: usize = 160;
/// Longest literal: below the 255 bytes of a file name on most file systems. It bounds the search for the closing quote.
const MAX_LITERAL_BYTES: usize = 240;

/// A path literal with an extension, and the expression before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JoinedLiteral<'t> {
    /// The byte range of the expression.
    pub(super) base: Range<usize>,
    /// The byte at which the literal's content begins.
    pub(super) start: usize,
    /// The literal's content.
    pub(super) literal: &'t str,
    /// True if the line tests for a file or ignores that it is missing.
    pub(super) is_optional: bool,
}

/// Finds the joined literals of a text outside of comments, in order.
pub(super) fn find(text: &str) -> impl Iterator<Item = JoinedLiteral<'_>> {
    let bytes = text.as_bytes();
    memchr2_iter(b'\'', b'"', bytes).filter_map(move |quote| {
        let dot = trim_end(bytes, quote).checked_sub(1).filter(|at| bytes[*at] == b'.')?;
        let literal = literal_at(text, quote)?;
        let base = base_before(bytes, dot)?;
        let line = line_before(text, base.start)?.trim_start();
        let is_comment = ["//", "#", "*", "/*"].iter().any(|mark| line.starts_with(mark));
        let is_optional = super::FILE_TESTS.iter().any(|test| line.contains(test)) || line.contains('@');
        (!is_comment).then_some(JoinedLiteral { base, start: quote + 1, literal, is_optional })
    })
}

/// Returns the text of an expression without spaces and without a leading `\`, so that it can be compared.
pub(super) fn normalize_base(written: &str) -> String {
    written.chars().filter(|c| !c.is_whitespace()).collect::<String>().trim_start_matches('\\').to_owned()
}

/// Returns whether the value of an expression depends on its file.
pub(super) fn depends_on_file(base: &str) -> bool {
    ["__FILE__", "__DIR__"].iter().any(|word| base.contains(word))
}

/// Returns whether a literal can be a path below a directory: it has an extension and nothing computed.
pub(super) fn is_path_literal(literal: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-');
    literal.bytes().all(is_part) && !literal.starts_with(['.', '-']) && !extension(literal).is_empty()
}

/// The literal that begins with the quote at an offset, if nothing more is appended to it.
fn literal_at(text: &str, quote: usize) -> Option<&str> {
    let rest = &text.as_bytes()[quote + 1..];
    let end = rest.iter().take(MAX_LITERAL_BYTES).position(|byte| *byte == text.as_bytes()[quote])?;
    let literal = text.get(quote + 1..quote + 1 + end)?;
    let is_open = rest[end + 1..].trim_ascii_start().first() == Some(&b'.');
    (!is_open && is_path_literal(literal)).then_some(literal)
}

/// The range of the call or constant before the dot at an offset, unless it is a part of a longer expression.
fn base_before(bytes: &[u8], dot: usize) -> Option<Range<usize>> {
    let end = trim_end(bytes, dot);
    let name_end = if end.checked_sub(1).map(|at| bytes[at]) == Some(b')') {
        trim_end(bytes, call_start(bytes, end)?)
    } else {
        end
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\\' | b':');
    let start = bytes[..name_end].iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    let name = &bytes[start..name_end];
    let is_name = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'\\'));
    // The value of these differs by class or by file.
    let is_local = [b"self::".as_slice(), b"static::", b"parent::"].iter().any(|class| name.starts_with(class))
        || name_end == end && matches!(name, b"__FILE__" | b"__DIR__");
    let before = &bytes[..trim_end(bytes, start)];
    let is_member = before.ends_with(b"->") || before.ends_with(b".") || before.ends_with(b"$");
    (is_name && !is_local && !is_member).then_some(start..end)
}

/// The offset of the parenthesis that is closed before `end`, if no variable is between them.
fn call_start(bytes: &[u8], end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (end.saturating_sub(MAX_ARGUMENTS_BYTES)..end).rev() {
        match bytes[at] {
            b')' => depth += 1,
            b'(' => depth -= 1,
            b'$' | b';' | b'{' | b'}' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The end of a text before an offset, without the spaces there.
fn trim_end(bytes: &[u8], end: usize) -> usize {
    bytes[..end].trim_ascii_end().len()
}

#[cfg(test)]
mod tests {
    use super::{find, normalize_base};

    #[track_caller]
    fn check(text: &str, expect: &[(&str, &str, bool)]) {
        let found: Vec<(String, &str, bool)> =
            find(text).map(|one| (normalize_base(&text[one.base.clone()]), one.literal, one.is_optional)).collect();
        let found: Vec<(&str, &str, bool)> =
            found.iter().map(|(base, path, test)| (base.as_str(), *path, *test)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn finds_calls_and_constants() {
        check("require_once( get_dir( ) . '/a/b.php' );", &[("get_dir()", "/a/b.php", false)]);
        check(
            "require MY_DIR.\"a.php\"; f(\\A\\dir()\n . 'b.js', A::DIR . '/c.css')",
            &[("MY_DIR", "a.php", false), ("A\\dir()", "b.js", false), ("A::DIR", "/c.css", false)],
        );
        check(
            "plugin_dir_path( dirname( __FILE__ ) ) . 'x.php'",
            &[("plugin_dir_path(dirname(__FILE__))", "x.php", false)],
        );
        check(
            "file_exists(DIR . '/a.php') && @include DIR . '/b.php';",
            &[("DIR", "/a.php", true), ("DIR", "/b.php", true)],
        );
    }

    #[test]
    fn leaves_other_expressions() {
        for text in [
            "$dir . '/a.php'",
            "$this->dir() . '/a.php'",
            "'x' . DIR . '/a.php'",
            "DIR . '/a.php' . $b",
            "DIR . '/a' . 'b'",
            "DIR . \"/$a.php\"",
            "DIR . '.php'",
            "self::DIR . '/a.php'",
            "__DIR__ . '/a.php'",
            "dir($a) . '/a.php'",
            "// DIR . '/a.php'",
            ") . '/a.php'",
            ". '/a.php'",
            "DIR . '/a.php",
        ] {
            check(text, &[]);
        }
    }
}
