//! Tokens of languages with braces: names and single signs with their lines, without comments and the contents of literals. `braces`
//! reads declarations from them; the lexer is that of `pathfinder-syntax`.

use pathfinder_syntax::lexer::{Lexer, LexerOptions, TokenKind};

/// A name or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    /// Empty for a string or character literal, whose contents are not needed.
    pub(crate) text: &'t str,
    pub(crate) is_name: bool,
    /// Counted from 1.
    pub(crate) line: u32,
    /// True if it is the first on its line, without a space before it.
    pub(crate) at_margin: bool,
}

impl Token<'_> {
    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        !self.is_name && self.text == sign
    }
}

/// Splits a text into tokens.
pub(crate) fn tokenize(text: &str, options: LexerOptions) -> Vec<Token<'_>> {
    let (mut line, mut counted) = (1, 0);
    let mut tokens = Vec::new();
    for token in Lexer::new(text, options) {
        let start = token.range.start;
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..start]).count() as u32;
        counted = start;
        let at_margin = start == 0 || text.as_bytes()[start - 1] == b'\n';
        let written = &text[token.range];
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::String => tokens.push(Token { text: "", is_name: false, line, at_margin: false }),
            // A quote that delimits nothing.
            TokenKind::Punct if matches!(written, "'" | "`") => {}
            TokenKind::Punct => tokens.push(Token { text: written, is_name: false, line, at_margin }),
            TokenKind::Word if written.starts_with('`') => {
                let name = written[1..].strip_suffix('`');
                tokens.extend(name.map(|text| Token { text, is_name: true, line, at_margin }));
            }
            TokenKind::Word => {
                let is_name = !written.starts_with(|first: char| first.is_ascii_digit());
                tokens.push(Token { text: written, is_name, line, at_margin });
            }
        }
    }
    tokens
}
