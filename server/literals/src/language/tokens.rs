//! `tokens`: words, strings, comments and marks of languages that are written like C. It is what a reader of imports
//! and declarations needs, and reads a file at once where a grammar would take its time.

use std::ops::Range;

/// What differs between the languages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syntax {
    /// `/* /* */ */` is one comment.
    pub(crate) nested_comments: bool,
    /// What `` `x` `` is.
    pub(crate) backquote: Backquote,
    /// `'x'` is a string of any length (Dart, Groovy); otherwise it is one character.
    pub(crate) single_quote: bool,
    /// Three quotes hold a string over several lines.
    pub(crate) triple_quotes: bool,
}

/// What stands in backquotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backquote {
    /// A string over several lines (Go).
    Text,
    /// A name that would be no name otherwise (Kotlin, Scala).
    Name,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// With its marks.
    Comment,
    /// With its quotes.
    Text,
    /// A name or a number.
    Word,
    /// One sign.
    Mark,
}

/// One token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) shape: Shape,
    pub(crate) range: Range<usize>,
}

/// The tokens of a text, one after another.
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    syntax: Syntax,
}

impl<'a> Tokens<'a> {
    /// Of a whole text.
    pub(crate) fn new(text: &'a str, syntax: Syntax) -> Self {
        Self { text, at: 0, syntax }
    }

    /// Where the comment ends that begins here; `None` if none does.
    fn comment(&self, from: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[from..];
        if rest.starts_with(b"//") {
            return Some(memchr::memchr(b'\n', rest).map_or(self.text.len(), |at| from + at));
        }
        if !rest.starts_with(b"/*") {
            return None;
        }
        let mut depth = 1;
        let mut at = 2;
        while depth > 0 {
            let Some(next) = memchr::memchr2(b'/', b'*', &rest[at.min(rest.len())..]) else {
                return Some(self.text.len());
            };
            at += next;
            if rest[at..].starts_with(b"*/") {
                depth -= 1;
                at += 2;
            } else if self.syntax.nested_comments && rest[at..].starts_with(b"/*") {
                depth += 1;
                at += 2;
            } else {
                at += 1;
            }
        }
        Some(from + at)
    }

    /// Where the string ends that this quote begins; `None` if it begins none.
    fn string(&self, from: usize, quote: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let rest = &bytes[from..];
        if quote == b'`' {
            let end = if self.syntax.backquote == Backquote::Text {
                memchr::memchr(b'`', &rest[1..]).map_or(rest.len(), |at| at + 2)
            } else {
                memchr::memchr2(b'`', b'\n', &rest[1..]).map_or(rest.len(), |at| at + 2)
            };
            return Some(from + end);
        }
        if self.syntax.triple_quotes && rest.len() >= 3 && rest[1] == quote && rest[2] == quote {
            let end = memchr::memmem::find(&rest[3..], &[quote; 3]).map_or(rest.len(), |at| at + 6);
            return Some(from + end);
        }
        if quote == b'\'' && !self.syntax.single_quote {
            // A character, or the sign of a symbol or a label.
            let inside = self.text.get(from + 1..)?.chars().next()?;
            let after = from + 1 + inside.len_utf8();
            if inside == '\\' {
                let end = memchr::memchr2(b'\'', b'\n', bytes.get(after + 1..)?)?;
                return Some(after + 1 + end + 1);
            }
            return (inside != '\n' && bytes.get(after) == Some(&b'\'')).then_some(after + 1);
        }
        let mut at = 1;
        while let Some(next) = memchr::memchr3(quote, b'\\', b'\n', &rest[at.min(rest.len())..]) {
            at += next;
            match rest[at] {
                b'\\' => at += 2,
                // A string that is not closed ends with its line.
                b'\n' => return Some(from + at),
                _ => return Some(from + at + 1),
            }
        }
        Some(self.text.len())
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let from = self.at;
        let first = *bytes.get(from)?;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
        let (shape, end) = if is_word(&first) {
            let length = bytes[from..].iter().position(|byte| !is_word(byte)).unwrap_or(bytes.len() - from);
            (Shape::Word, from + length)
        } else if let Some(end) = (first == b'/').then(|| self.comment(from)).flatten() {
            (Shape::Comment, end)
        } else if let Some(end) = matches!(first, b'"' | b'\'' | b'`').then(|| self.string(from, first)).flatten() {
            let is_name = first == b'`' && self.syntax.backquote == Backquote::Name;
            (if is_name { Shape::Word } else { Shape::Text }, end)
        } else {
            (Shape::Mark, from + 1)
        };
        self.at = end.min(bytes.len());
        Some(Token { shape, range: from..self.at })
    }
}

#[cfg(test)]
mod tests {
    use super::{Backquote, Shape, Syntax, Tokens};

    const PLAIN: Syntax =
        Syntax { nested_comments: false, backquote: Backquote::Text, single_quote: false, triple_quotes: false };

    fn check(syntax: Syntax, text: &str, expect: &[&str]) {
        let tokens = Tokens::new(text, syntax).filter(|token| token.shape != Shape::Comment);
        assert_eq!(tokens.map(|token| &text[token.range]).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn told_apart() {
        check(PLAIN, "a // b\n/* c */ \"d\\\"e\" `f\n\"g` '\"' h", &["a", "\"d\\\"e\"", "`f\n\"g`", "'\"'", "h"]);
        check(PLAIN, "a \"b\nc '\\'' é.x", &["a", "\"b", "c", "'\\''", "é", ".", "x"]);
        check(PLAIN, "/* /* */ a", &["a"]);
        let kotlin =
            Syntax { nested_comments: true, backquote: Backquote::Name, single_quote: false, triple_quotes: true };
        check(kotlin, "/* /* */ a */ `in b` \"\"\"x\n\"y\"\"\" 'c", &["`in b`", "\"\"\"x\n\"y\"\"\"", "'", "c"]);
        let dart = Syntax { single_quote: true, ..kotlin };
        check(dart, "import 'a.dart'; '''b\n'c'''", &["import", "'a.dart'", ";", "'''b\n'c'''"]);
    }

    #[test]
    fn broken_text() {
        for text in ["/*", "/*/", "\"\\", "'\\", "'", "`", "'''", "\"\"\"", "/", "'é", "'\\é"] {
            for syntax in [PLAIN, Syntax { triple_quotes: true, single_quote: true, ..PLAIN }] {
                for token in Tokens::new(text, syntax) {
                    assert!(text.get(token.range).is_some(), "{text}");
                }
            }
        }
    }
}
