//! Lexer for C-like languages: names and single signs, without comments and the contents of literals; used by `braces`.

/// A name or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// Empty for a string or character literal, whose contents are not needed.
    pub text: &'t str,
    /// True for a name, false for a sign or a literal.
    pub is_name: bool,
    /// Counted from 1.
    pub line: u32,
    /// True if it is the first on its line, without a space before it.
    pub at_margin: bool,
}

impl Token<'_> {
    /// Returns whether the token is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        !self.is_name && self.text == sign
    }
}

/// Lexical differences between languages.
#[derive(Clone, Copy, Debug, Default)]
pub struct LexerOptions {
    /// True if lines that begin with `#` are preprocessor directives.
    pub has_preprocessor: bool,
    /// True if block comments nest.
    pub has_nested_comments: bool,
    /// True if `@"…"` is a string that ends at a quote that is not doubled.
    pub has_verbatim_strings: bool,
}

/// Splits a text into tokens. An unclosed literal ends with its line, or with the text if it may span lines.
pub fn tokenize(text: &str, options: LexerOptions) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, line: 1, options, tokens: Vec::new() };
    while lexer.at < lexer.bytes.len() {
        lexer.lex_token();
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: u32,
    options: LexerOptions,
    tokens: Vec<Token<'t>>,
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Lexer<'_> {
    fn lex_token(&mut self) {
        let at_margin = self.at == 0 || self.bytes[self.at - 1] == b'\n';
        match self.bytes[self.at] {
            b'\n' => {
                self.line += 1;
                self.at += 1;
            }
            byte if byte.is_ascii_whitespace() => self.at += 1,
            b'/' if self.starts_with(b"//") => self.skip_line(),
            b'/' if self.starts_with(b"/*") => self.skip_comment(),
            b'#' if self.options.has_preprocessor && self.is_first_on_line() => self.skip_line(),
            b'"' if self.starts_with(b"\"\"\"") && !self.is_verbatim() => self.skip_raw_string(),
            b'"' => self.skip_string(),
            b'\'' => self.skip_character(),
            b'`' => self.push_quoted_name(at_margin),
            byte if is_name_byte(byte) => {
                let length = self.bytes[self.at..].iter().take_while(|&&byte| is_name_byte(byte)).count();
                self.push(length, byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80, at_margin);
            }
            byte if byte.is_ascii() => self.push(1, false, at_margin),
            _ => self.at += 1,
        }
    }

    fn starts_with(&self, what: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(what)
    }

    fn is_first_on_line(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev();
        before.take_while(|&&byte| byte != b'\n').all(u8::is_ascii_whitespace)
    }

    fn push(&mut self, length: usize, is_name: bool, at_margin: bool) {
        let text = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.tokens.push(Token { text, is_name, line: self.line, at_margin });
        self.at += length;
    }

    fn skip_to(&mut self, end: usize) {
        let end = end.min(self.bytes.len());
        self.line += memchr::memchr_iter(b'\n', &self.bytes[self.at..end]).count() as u32;
        self.at = end;
    }

    fn line_end(&self) -> usize {
        memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |length| self.at + length)
    }

    fn skip_line(&mut self) {
        self.at = self.line_end();
    }

    fn skip_comment(&mut self) {
        let mut depth = 0_usize;
        let mut end = self.at;
        while end < self.bytes.len() {
            if self.bytes[end..].starts_with(b"/*") && (depth == 0 || self.options.has_nested_comments) {
                depth += 1;
                end += 2;
            } else if self.bytes[end..].starts_with(b"*/") {
                depth -= 1;
                end += 2;
                if depth == 0 {
                    break;
                }
            } else {
                end += 1;
            }
        }
        self.skip_to(end);
    }

    /// Skips `"""…"""`, which ends with as many quotes as it begins with.
    fn skip_raw_string(&mut self) {
        let quotes = self.bytes[self.at..].iter().take_while(|&&byte| byte == b'"').count();
        // `""""""` is an empty string.
        let quotes = if quotes >= 6 { 3 } else { quotes };
        let begin = self.at + quotes;
        let mark = &self.bytes[self.at..begin];
        let end =
            memchr::memmem::find(&self.bytes[begin..], mark).map_or(self.bytes.len(), |found| begin + found + quotes);
        self.push_literal();
        self.skip_to(end);
    }

    /// Returns whether the quote here begins a string in which quotes are doubled.
    fn is_verbatim(&self) -> bool {
        let before = &self.bytes[self.at.saturating_sub(2)..self.at];
        self.options.has_verbatim_strings && (before.ends_with(b"@") || before == b"@$")
    }

    fn skip_string(&mut self) {
        let verbatim = self.is_verbatim();
        let limit = if verbatim { self.bytes.len() } else { self.line_end() };
        let mut end = self.at + 1;
        while end < limit {
            match self.bytes[end] {
                b'"' if verbatim && self.bytes.get(end + 1) == Some(&b'"') => end += 2,
                b'"' => break,
                b'\\' if !verbatim => end += 2,
                _ => end += 1,
            }
        }
        self.push_literal();
        self.skip_to((end + 1).min(limit.max(self.at + 1)));
    }

    /// Skips `'x'` and `'\n'`; any other quote is ignored.
    fn skip_character(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let length = match rest.first() {
            Some(b'\\') => rest.iter().skip(2).take(10).position(|&byte| byte == b'\'').map(|at| at + 2),
            Some(&byte) if byte != b'\n' => {
                rest.iter().take(5).skip(1).position(|&byte| byte == b'\'').map(|at| at + 1)
            }
            _ => None,
        };
        // Two quotes around more than one character are not a literal, unless the bytes are one character.
        let length = length.filter(|&length| rest[0] == b'\\' || length == 1 || rest[0] >= 0x80);
        match length {
            Some(length) => {
                self.push_literal();
                self.at += length + 2;
            }
            None => self.at += 1,
        }
    }

    fn push_quoted_name(&mut self, at_margin: bool) {
        let line = &self.bytes[self.at + 1..self.line_end().max(self.at + 1)];
        let Some(length) = memchr::memchr(b'`', line) else {
            self.at += 1;
            return;
        };
        self.at += 1;
        self.push(length, true, at_margin);
        self.at += 1;
    }

    fn push_literal(&mut self) {
        self.tokens.push(Token { text: "", is_name: false, line: self.line, at_margin: false });
    }
}
