//! The parts of a style sheet that can name something.

/// What names something, with its place without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// `url(…)`.
    Url { at: usize, end: usize },
    /// The string of a rule: `@import "…"`.
    Rule { rule: Rule, at: usize, end: usize },
}

/// The rules whose strings are paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Import,
    Use,
    Forward,
}

/// All parts, in order. Line comments (`//`) are those of Sass and Less only. `is_indented`: Sass without braces, where
/// the end of a line ends a rule.
pub(super) fn parts(text: &str, has_line_comments: bool, is_indented: bool) -> Vec<Part> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
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
                    parts.push(Part::Rule { rule: known, at: at + 1, end });
                    // `@use "x" with ($a: "b")`: only `@import` has several.
                    rule = (known == Rule::Import).then_some(known);
                }
                at = end + 1;
                continue;
            }
            b'\\' => at += 1,
            b'\n' if is_indented => rule = None,
            b';' | b'{' | b'}' => rule = None,
            b'@' => {
                let name = word(bytes, at + 1);
                rule = match &bytes[at + 1..name] {
                    b"import" => Some(Rule::Import),
                    b"use" => Some(Rule::Use),
                    b"forward" => Some(Rule::Forward),
                    _ => None,
                };
                at = name;
                continue;
            }
            // `supports(…)` and `layer(…)` follow an import; `(reference)` goes before it.
            b'(' if rule == Some(Rule::Import) => {
                let close = memchr::memchr(b')', &bytes[at..]).map_or(bytes.len(), |length| at + length + 1);
                at = close;
                continue;
            }
            _ if is_url(bytes, at) => {
                let (start, end, after) = url(bytes, at + 4);
                parts.push(Part::Url { at: start, end });
                at = after;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    parts.retain(|part| {
        let (Part::Url { at, end } | Part::Rule { at, end, .. }) = *part;
        text.get(at..end).is_some()
    });
    parts
}

/// Whether `url(` begins here, and no longer word ends so.
fn is_url(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'$');
    matches!(bytes[at], b'u' | b'U')
        && bytes.get(at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"url("))
        && !at.checked_sub(1).is_some_and(|before| is_word(bytes[before]))
}

/// Start, end and what follows the closing parenthesis of what stands in `url(`.
fn url(bytes: &[u8], from: usize) -> (usize, usize, usize) {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    if let Some(b'"' | b'\'') = bytes.get(at) {
        let end = string_end(bytes, at);
        let close = memchr::memchr(b')', &bytes[end.min(bytes.len())..]);
        let after = close.map_or(bytes.len(), |length| end + length + 1);
        // `url("a" + $b)` is computed.
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

/// Where the string that begins here ends: at its mark, or at the end of its line, where it is broken.
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

fn word(bytes: &[u8], from: usize) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    bytes[from..].iter().position(|byte| !is_word(byte)).map_or(bytes.len(), |length| from + length)
}

#[cfg(test)]
mod tests {
    use super::{Part, parts};

    #[test]
    fn scanned() {
        let check = |text: &str, expect: &[&str]| {
            let parts = parts(text, true, false);
            let written: Vec<&str> = parts
                .iter()
                .map(|part| match *part {
                    Part::Url { at, end } | Part::Rule { at, end, .. } => &text[at..end],
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
