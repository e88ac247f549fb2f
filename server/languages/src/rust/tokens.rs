//! Tokenizes attributes and macro arguments of Rust, for which a syntax tree has only tokens too.
//!
//! Not `proc-macro2`: it gives nothing for a text with an open bracket or quote.

use std::ops::Range;

/// A token with its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RustToken {
    pub(super) kind: RustTokenKind,
    pub(super) range: Range<usize>,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RustTokenKind {
    /// A name or a keyword.
    Word,
    /// A string without escapes; its range is between the quotes.
    Text,
    /// A string with escapes, whose value differs from its text.
    Escaped,
    /// Any other character.
    Punct(u8),
}

impl RustToken {
    /// Returns whether the token is this punctuation.
    pub(super) fn is_punct(&self, sign: u8) -> bool {
        self.kind == RustTokenKind::Punct(sign)
    }
}

/// A text with more tokens than this is data, not code.
const MAX_TOKENS: usize = 200_000;

/// The bytes of names, keywords and numbers.
const IS_WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        is_word[byte] = byte >= 0x80 || byte == b'_' as usize || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    is_word
};

/// The tokens in a range of a text, without comments.
pub(super) fn tokenize(text: &str, range: Range<usize>) -> Vec<RustToken> {
    let bytes = &text.as_bytes()[..range.end.min(text.len())];
    let mut tokens = Vec::new();
    let mut at = range.start;
    while let Some(&byte) = bytes.get(at) {
        if tokens.len() == MAX_TOKENS {
            break;
        }
        let rest = &bytes[at..];
        match byte {
            b' ' | b'\n' | b'\t' | b'\r' | 0x0c => at += 1,
            b'/' if rest.starts_with(b"//") => {
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
            b'/' if rest.starts_with(b"/*") => at += comment_length(rest),
            b'"' => at = push_string(bytes, at, &mut tokens),
            b'\'' => at += character_length(rest),
            byte if IS_WORD[usize::from(byte)] && !byte.is_ascii_digit() => {
                let end = at + rest.iter().position(|byte| !IS_WORD[usize::from(*byte)]).unwrap_or(rest.len());
                let begins_string = matches!(bytes.get(end), Some(b'"' | b'#'));
                if let Some(after) = begins_string.then(|| push_prefixed_string(bytes, at..end, &mut tokens)).flatten()
                {
                    at = after;
                } else {
                    tokens.push(RustToken { kind: RustTokenKind::Word, range: at..end });
                    at = end;
                }
            }
            byte => {
                tokens.push(RustToken { kind: RustTokenKind::Punct(byte), range: at..at + 1 });
                at += 1;
            }
        }
    }
    tokens
}

/// Returns whether a text may have `mod name;` outside of its strings and comments. Tests of tools for Rust have it in most of theirs.
pub(super) fn can_declare_module(text: &str) -> bool {
    let tokens = tokenize(text, 0..text.len());
    let declares = |all: &[RustToken]| {
        all[0].kind == RustTokenKind::Word
            && &text[all[0].range.clone()] == "mod"
            && all[1].kind == RustTokenKind::Word
            // `mod r#name;` is of more tokens.
            && matches!(all[2].kind, RustTokenKind::Punct(b';' | b'#'))
    };
    tokens.len() == MAX_TOKENS || tokens.windows(3).any(declares)
}

/// Adds the string that begins with a prefix and, perhaps, number signs. Returns the offset after it; `None` if a word or another sign
/// begins here.
fn push_prefixed_string(bytes: &[u8], prefix: Range<usize>, tokens: &mut Vec<RustToken>) -> Option<usize> {
    let end = prefix.end;
    let prefix = &bytes[prefix];
    let hashes = bytes[end..].iter().take_while(|byte| **byte == b'#').count();
    let is_raw = matches!(prefix, b"r" | b"br" | b"cr");
    let is_string = bytes.get(end + hashes) == Some(&b'"') && (is_raw || hashes == 0 && matches!(prefix, b"b" | b"c"));
    is_string.then(|| {
        if is_raw { push_raw_string(bytes, end + hashes, hashes, tokens) } else { push_string(bytes, end, tokens) }
    })
}

/// The length of the comment that begins here; comments nest.
fn comment_length(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (2, 1_usize);
    while depth > 0 && at < rest.len() {
        if rest[at..].starts_with(b"*/") {
            (at, depth) = (at + 2, depth - 1);
        } else if rest[at..].starts_with(b"/*") {
            (at, depth) = (at + 2, depth + 1);
        } else {
            at += 1;
        }
    }
    at
}

/// The length of a character literal, or of the quote of a lifetime.
fn character_length(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        // The character after the backslash can be a quote.
        return rest.iter().skip(3).position(|byte| *byte == b'\'').map_or(rest.len(), |length| length + 4);
    }
    let end = rest.iter().take(6).skip(2).position(|byte| *byte == b'\'');
    end.map_or(1, |length| length + 3)
}

/// Adds the string whose quote is at `open`. Returns the offset after it.
fn push_string(bytes: &[u8], open: usize, tokens: &mut Vec<RustToken>) -> usize {
    let mut at = open + 1;
    let mut kind = RustTokenKind::Text;
    while let Some(length) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += length;
        if bytes[at] == b'"' {
            tokens.push(RustToken { kind, range: open + 1..at });
            return at + 1;
        }
        kind = RustTokenKind::Escaped;
        at += 2;
    }
    bytes.len()
}

/// Adds the raw string whose quote is at `open`. Returns the offset after it.
fn push_raw_string(bytes: &[u8], open: usize, hashes: usize, tokens: &mut Vec<RustToken>) -> usize {
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    match memchr::memmem::find(&bytes[open + 1..], &close) {
        Some(length) => {
            let end = open + 1 + length;
            tokens.push(RustToken { kind: RustTokenKind::Text, range: open + 1..end });
            end + close.len()
        }
        None => bytes.len(),
    }
}

/// The index of the bracket that closes the one at `start`; the number of tokens if none does.
pub(super) fn closing_bracket(tokens: &[RustToken], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            RustTokenKind::Punct(b'{' | b'(' | b'[') => depth += 1,
            RustTokenKind::Punct(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::{RustTokenKind, can_declare_module, tokenize};

    #[test]
    fn finds_declarations_outside_of_strings() {
        let check = |text: &str, expect: bool| assert_eq!(can_declare_module(text), expect, "{text}");
        check("pub mod a;", true);
        check("mod /* b */ a ;", true);
        check("mod r#type;", true);
        check("m! { mod a; }", true);
        check("let a = r#\"mod a;\"#; // mod b;", false);
        check("mod a { fn b() {} } /* mod c; */", false);
        check("", false);
    }

    #[test]
    fn classifies_tokens() {
        let check = |text: &str, expect: &str| {
            let show = |token: super::RustToken| {
                let written = &text[token.range];
                match token.kind {
                    RustTokenKind::Word | RustTokenKind::Punct(_) => written.to_owned(),
                    RustTokenKind::Text => format!("<{written}>"),
                    RustTokenKind::Escaped => format!("<!{written}>"),
                }
            };
            let shown: Vec<String> = tokenize(text, 0..text.len()).into_iter().map(show).collect();
            assert_eq!(shown.join(" "), expect, "{text}");
        };
        check("path = \"a b\"", "path = <a b>");
        check("r#\"a\"b\"# r\"c\" br\"d\" b\"e\"", "<a\"b> <c> <d> <e>");
        check("\"a\\\"b\" c", "<!a\\\"b> c");
        check("'\"' '\\'' 'a, x /* \" /* */ */ y // z", "a , x y");
        check("r#type \"a", "r # type");
        check("x\u{e9}!(", "x\u{e9} ! (");
    }
}
