//! Byte ranges in source code: the content of string literals, and sets of outermost ranges.

use std::ops::Range;

/// Returns the content of a string literal, without quotes, prefix (`r`, `b`, `f`) and `#`.
///
/// Quotes are one or three of a kind. `None` if the range is no string, or if it has escapes: its value then differs from the
/// source text.
pub fn string_content(text: &str, string: Range<usize>) -> Option<Range<usize>> {
    let written = text.get(string.clone())?;
    let open = written.find(['"', '\'', '`'])?;
    let prefix = &written[..open];
    if !prefix.chars().all(|c| c.is_ascii_alphabetic() || c == '#' || c == '@') {
        return None;
    }
    let hashes = prefix.bytes().filter(|byte| *byte == b'#').count();
    let body = &written[open..];
    let quote = &body[..1];
    let quotes = if body.len() >= 6 && body.starts_with(&quote.repeat(3)) { 3 } else { 1 };
    let end = body.len().checked_sub(quotes + hashes).filter(|end| *end >= quotes)?;
    if !body.get(end..)?.starts_with(quote) || body.get(quotes..end)?.contains('\\') {
        return None;
    }
    let start = string.start + open;
    Some(start + quotes..start + end)
}

/// Sorts ranges by their start and removes those inside another.
pub fn outermost(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_outer = range.end > end;
        end = end.max(range.end);
        is_outer
    });
    ranges
}

/// Returns whether a byte lies in one of the ranges that [`outermost`] returned.
pub fn is_within_any(outermost: &[Range<usize>], at: usize) -> bool {
    let before = outermost.partition_point(|range| range.start <= at);
    outermost[..before].last().is_some_and(|range| range.contains(&at))
}

#[cfg(test)]
mod tests {
    use super::string_content;

    #[test]
    fn strips_quotes() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(string_content(text, 0..text.len()).map(|range| &text[range]), expect, "{text}");
        };
        check("'a/b'", Some("a/b"));
        check("\"\"", Some(""));
        check("r#\"a\"#", Some("a"));
        check("\"\"\"a\"\"\"", Some("a"));
        check("b'a'", Some("a"));
        check("`a`", Some("a"));
        check("'a\\n'", None);
        check("'", None);
        check("x", None);
        check("a('b')", None);
    }
}
