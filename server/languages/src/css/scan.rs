//! Scans a style sheet for references to files.
//!
//! Not `cssparser` or `lightningcss`: they read CSS, in which the `//` comments of Sass and Less are none.

/// A reference to a file, with its byte range without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StyleReference {
    /// The argument of `url_argument(…)`.
    Url { at: usize, end: usize },
    /// The string of a rule: `@import "…"`.
    AtRule { rule: AtRule, at: usize, end: usize },
}

/// The rules whose strings are paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtRule {
    Import,
    Use,
    Forward,
}

/// Returns all references in order. Only Sass and Less have line comments (`//`). `is_indented` means Sass without
/// braces, in which the end of a line ends a rule.
pub(super) fn find_references(text: &str, has_line_comments: bool, is_indented: bool) -> Vec<StyleReference> {
    let bytes = text.as_bytes();
    let mut references = Vec::new();
    let mut rule = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |length| at + 2 + length + 2);
                continue;
            }
            b'/' if has_line_comments && bytes.get(at + 1) == Some(&b'/') => {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
                continue;
            }
            b'"' | b'\'' => {
                let end = string_end(bytes, at);
                if let Some(known) = rule {
                    references.push(StyleReference::AtRule { rule: known, at: at + 1, end });
                    // `@use "x" with ($a: "b")`: only `@import` has several paths.
                    rule = (known == AtRule::Import).then_some(known);
                }
                at = end + 1;
                continue;
            }
            b'\\' => at += 1,
            b'\n' if is_indented => rule = None,
            b';' | b'{' | b'}' => rule = None,
            b'@' => {
                let name = word_end(bytes, at + 1);
                rule = match &bytes[at + 1..name] {
                    b"import" => Some(AtRule::Import),
                    b"use" => Some(AtRule::Use),
                    b"forward" => Some(AtRule::Forward),
                    _ => None,
                };
                at = name;
                continue;
            }
            // `supports(…)` and `layer(…)` follow an import; `(reference)` precedes it.
            b'(' if rule == Some(AtRule::Import) => {
                let close = memchr::memchr(b')', &bytes[at..]).map_or(bytes.len(), |length| at + length + 1);
                at = close;
                continue;
            }
            _ if is_url(bytes, at) => {
                let (start, end, after) = url_argument(bytes, at + 4);
                references.push(StyleReference::Url { at: start, end });
                at = after;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    references.retain(|reference| {
        let (StyleReference::Url { at, end } | StyleReference::AtRule { at, end, .. }) = *reference;
        text.get(at..end).is_some()
    });
    references
}

/// Returns whether `url_argument(` begins at a byte, and is not the end of a longer word.
fn is_url(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'$');
    matches!(bytes[at], b'u' | b'U')
        && bytes.get(at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"url("))
        && !at.checked_sub(1).is_some_and(|before| is_word(bytes[before]))
}

/// The start and end of the argument of `url_argument(`, and the byte after the closing parenthesis.
fn url_argument(bytes: &[u8], from: usize) -> (usize, usize, usize) {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    if let Some(b'"' | b'\'') = bytes.get(at) {
        let end = string_end(bytes, at);
        let close = memchr::memchr(b')', &bytes[end.min(bytes.len())..]);
        let after = close.map_or(bytes.len(), |length| end + length + 1);
        // `url_argument("a" + $b)` is computed.
        let rest = bytes.get(end + 1..after.saturating_sub(1)).unwrap_or_default();
        let is_whole = rest.iter().all(u8::is_ascii_whitespace);
        return if is_whole { (at + 1, end, after) } else { (at, at, after) };
    }
    let end =
        bytes[at..].iter().position(|byte| matches!(byte, b')' | b'\n')).map_or(bytes.len(), |length| at + length);
    let mut last = end;
    while last > at && bytes[last - 1].is_ascii_whitespace() {
        last -= 1;
    }
    (at, last, end + 1)
}

/// The end of the string that begins at a byte: its closing quote, or the end of its line if it is unclosed.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mark = bytes[at];
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' => break,
            _ if byte == mark => break,
            _ => {}
        }
        end += 1;
    }
    end.min(bytes.len())
}

/// The end of the word that begins at a byte.
fn word_end(bytes: &[u8], from: usize) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    bytes[from..].iter().position(|byte| !is_word(byte)).map_or(bytes.len(), |length| from + length)
}

#[cfg(test)]
mod tests {
    use super::{StyleReference, find_references};

    #[test]
    fn finds_references() {
        let check = |text: &str, expect: &[&str]| {
            let references = find_references(text, true, false);
            let written: Vec<&str> = references
                .iter()
                .map(|reference| match *reference {
                    StyleReference::Url { at, end } | StyleReference::AtRule { at, end, .. } => &text[at..end],
                })
                .collect();
            assert_eq!(written, expect, "{text}");
        };
        check("a{b:url(x.png) url( 'y.png' ) URL(\"z.png\")}", &["x.png", "y.png", "z.png"]);
        check("@import 'a', \"b\";", &["a", "b"]);
        check("@import url(a.css) layer(x) screen; a{content:'no'}", &["a.css"]);
        check("@import 'a' supports(content: 'b');", &["a"]);
        check("@import (reference) 'a';", &["a"]);
        check("@use 'a' with ($x: 'b', $y: 'c'); @forward \"d\" show e;", &["a", "d"]);
        check("/* url(x) */ // url(y)\n a{b:my-url(z)}", &[]);
        check("@plugin 'x'; @source '../y/*.ts'; @reference 'z'; @charset 'utf-8';", &[]);
        check("url(data:image/png;base64,//x)", &["data:image/png;base64,//x"]);
        check("@import 'a\nb{c:url(d)}", &["a", "d"]);
        check("url('a' + $b) url(\"c\"", &["", "c"]);
    }
}
