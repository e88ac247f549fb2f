//! A lexer for C-like languages: words, strings, comments and punctuation. Imports of JVM languages, Go, Dart, Gradle, PHP and
//! Swift are read with it, and declarations of C#, Kotlin, Scala and Swift, because it is much faster than a grammar.
//!
//! Not `logos`: it generates a lexer for one set of tokens, and these languages differ in a few [`LexerOptions`].

use std::ops::Range;

/// The lexical differences between languages.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each rule is independent of the others")]
pub struct LexerOptions {
    /// True if `/* /* */ */` is one comment.
    pub nested_comments: bool,
    /// The meaning of backquotes.
    pub backquote: Backquote,
    /// True if `'x'` is a string of any length (Dart, Groovy). Otherwise it is one character.
    pub single_quote: bool,
    /// The meaning of three quotes or more.
    pub triple_quotes: TripleQuotes,
    /// True if `$` is part of words.
    pub dollar_in_words: bool,
    /// True if lines that begin with `#` are preprocessor directives, which are read as comments.
    pub preprocessor: bool,
    /// True if `@"…"` is a string over several lines in which quotes are doubled (C#).
    pub verbatim_strings: bool,
}

impl LexerOptions {
    /// The rules of Go, from which those of other languages differ in some fields.
    pub const C_LIKE: Self = Self {
        nested_comments: false,
        backquote: Backquote::String,
        single_quote: false,
        triple_quotes: TripleQuotes::None,
        dollar_in_words: true,
        preprocessor: false,
        verbatim_strings: false,
    };
}

/// The meaning of text in backquotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backquote {
    /// A string over several lines (Go).
    String,
    /// An escaped identifier (Kotlin, Scala).
    Name,
}

/// The meaning of three quotes or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TripleQuotes {
    /// Empty strings.
    None,
    /// Three quotes delimit a string over several lines.
    Three,
    /// A string over several lines ends with as many double quotes as it begins with (C#).
    Counted,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A comment, with its delimiters.
    Comment,
    /// A string, with its quotes.
    String,
    /// A name or a number.
    Word,
    /// One punctuation character.
    Punct,
}

/// A token and its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexerToken {
    /// The kind.
    pub kind: TokenKind,
    /// The byte range in the text.
    pub range: Range<usize>,
}

/// An iterator over the tokens of a text. It skips white space.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    options: LexerOptions,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer for a whole text.
    pub fn new(text: &'a str, options: LexerOptions) -> Self {
        Self { text, at: 0, options }
    }

    /// Returns the end of the comment at `from`; `None` if there is none.
    fn comment_end(&self, from: usize) -> Option<usize> {
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
            } else if self.options.nested_comments && rest[at..].starts_with(b"/*") {
                depth += 1;
                at += 2;
            } else {
                at += 1;
            }
        }
        Some(from + at)
    }

    /// Returns whether only white space lies between the start of the line and a byte.
    fn is_first_on_line(&self, at: usize) -> bool {
        let before = self.text.as_bytes()[..at].iter().rev();
        before.take_while(|&&byte| byte != b'\n').all(u8::is_ascii_whitespace)
    }

    /// Returns whether the quote at `from` begins a string in which quotes are doubled.
    fn is_verbatim(&self, from: usize) -> bool {
        let before = &self.text.as_bytes()[from.saturating_sub(2)..from];
        self.options.verbatim_strings && (before.ends_with(b"@") || before == b"@$")
    }

    /// Returns the end of the string at `from`, in which quotes are doubled.
    fn verbatim_end(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from + 1;
        while let Some(next) = memchr::memchr(b'"', &bytes[at..]) {
            at += next + 1;
            if bytes.get(at) != Some(&b'"') {
                return at;
            }
            at += 1;
        }
        bytes.len()
    }

    /// Returns the end of the string that `quote` opens at `from`; `None` if it opens none.
    fn string_end(&self, from: usize, quote: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let rest = &bytes[from..];
        if quote == b'`' {
            let end = if self.options.backquote == Backquote::String {
                memchr::memchr(b'`', &rest[1..]).map_or(rest.len(), |at| at + 2)
            } else {
                memchr::memchr2(b'`', b'\n', &rest[1..]).map_or(rest.len(), |at| at + 2)
            };
            return Some(from + end);
        }
        if quote == b'"' && self.is_verbatim(from) {
            return Some(self.verbatim_end(from));
        }
        if self.options.triple_quotes == TripleQuotes::Counted && rest.starts_with(b"\"\"\"") {
            let quotes = rest.iter().take_while(|&&byte| byte == b'"').count();
            // `""""""` is an empty string.
            let quotes = if quotes >= 6 { 3 } else { quotes };
            let (mark, inside) = rest.split_at(quotes);
            return Some(from + memchr::memmem::find(inside, mark).map_or(rest.len(), |at| at + 2 * quotes));
        }
        if self.options.triple_quotes == TripleQuotes::Three && rest.len() >= 3 && rest[1] == quote && rest[2] == quote
        {
            let end = memchr::memmem::find(&rest[3..], &[quote; 3]).map_or(rest.len(), |at| at + 6);
            return Some(from + end);
        }
        if quote == b'\'' && !self.options.single_quote {
            // A character literal, or the quote of a symbol or a label.
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

impl Iterator for Lexer<'_> {
    type Item = LexerToken;

    fn next(&mut self) -> Option<LexerToken> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let from = self.at;
        let first = *bytes.get(from)?;
        let dollar = self.options.dollar_in_words;
        let is_word =
            |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || dollar && *byte == b'$' || *byte >= 0x80;
        let (kind, end) = if is_word(&first) {
            let length = bytes[from..].iter().position(|byte| !is_word(byte)).unwrap_or(bytes.len() - from);
            (TokenKind::Word, from + length)
        } else if let Some(end) = (first == b'/').then(|| self.comment_end(from)).flatten() {
            (TokenKind::Comment, end)
        } else if first == b'#' && self.options.preprocessor && self.is_first_on_line(from) {
            (TokenKind::Comment, memchr::memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |at| from + at))
        } else if let Some(end) = matches!(first, b'"' | b'\'' | b'`').then(|| self.string_end(from, first)).flatten() {
            let is_name = first == b'`' && self.options.backquote == Backquote::Name;
            (if is_name { TokenKind::Word } else { TokenKind::String }, end)
        } else {
            (TokenKind::Punct, from + 1)
        };
        self.at = end.min(bytes.len());
        Some(LexerToken { kind, range: from..self.at })
    }
}

#[cfg(test)]
mod tests {
    use super::{Backquote, Lexer, LexerOptions, TokenKind, TripleQuotes};

    const C_LIKE: LexerOptions = LexerOptions::C_LIKE;

    fn check(options: LexerOptions, text: &str, expect: &[&str]) {
        let tokens = Lexer::new(text, options).filter(|token| token.kind != TokenKind::Comment);
        assert_eq!(tokens.map(|token| &text[token.range]).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn recognises_tokens() {
        check(C_LIKE, "a // b\n/* c */ \"d\\\"e\" `f\n\"g` '\"' h", &["a", "\"d\\\"e\"", "`f\n\"g`", "'\"'", "h"]);
        check(C_LIKE, "a \"b\nc '\\'' é.x", &["a", "\"b", "c", "'\\''", "é", ".", "x"]);
        check(C_LIKE, "/* /* */ a", &["a"]);
        let kotlin = LexerOptions {
            nested_comments: true,
            backquote: Backquote::Name,
            triple_quotes: TripleQuotes::Three,
            ..C_LIKE
        };
        check(kotlin, "/* /* */ a */ `in b` \"\"\"x\n\"y\"\"\" 'c", &["`in b`", "\"\"\"x\n\"y\"\"\"", "'", "c"]);
        let dart = LexerOptions { single_quote: true, ..kotlin };
        check(dart, "import 'a.dart'; '''b\n'c'''", &["import", "'a.dart'", ";", "'''b\n'c'''"]);
    }

    #[test]
    fn accepts_unterminated_tokens() {
        for text in ["/*", "/*/", "\"\\", "'\\", "'", "`", "'''", "\"\"\"", "/", "'é", "'\\é"] {
            for options in [C_LIKE, LexerOptions { triple_quotes: TripleQuotes::Three, single_quote: true, ..C_LIKE }] {
                for token in Lexer::new(text, options) {
                    assert!(text.get(token.range).is_some(), "{text}");
                }
            }
        }
    }
}
