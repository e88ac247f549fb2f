//! Finds the directives of a Dart file.

use crate::dart::kinds;
use pathfinder_literals::LiteralKind;
use std::ops::Range;

use pathfinder_syntax::lexer::{Backquote, Lexer, LexerOptions, TokenKind, TripleQuotes};
use pathfinder_syntax::string_ranges::string_content;

/// Dart's strings and comments.
const DART: LexerOptions = LexerOptions {
    nested_comments: true,
    backquote: Backquote::Name,
    single_quote: true,
    triple_quotes: TripleQuotes::Three,
    ..LexerOptions::C_LIKE
};

/// One URI of a directive.
pub(super) struct Directive {
    pub(super) kind: LiteralKind,
    /// Without quotes.
    pub(super) range: Range<usize>,
}

/// The directives at the beginning of a file, with each URI of a conditional one.
pub(super) fn find_directives(text: &str) -> Vec<Directive> {
    let mut found = Vec::new();
    let mut kind = None;
    // Brackets contain conditions or arguments of annotations.
    let mut depth = 0_usize;
    let mut is_annotation = false;
    for token in Lexer::new(text, DART).filter(|token| token.kind != TokenKind::Comment) {
        let word = &text[token.range.clone()];
        match (kind, token.kind, word) {
            (_, TokenKind::Punct, "(") => depth += 1,
            (_, TokenKind::Punct, ")") => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            (_, TokenKind::Punct, ";") => kind = None,
            (None, TokenKind::Punct, "@" | ".") => is_annotation = true,
            (None, TokenKind::Word, "import") => kind = Some(kinds::IMPORT),
            (None, TokenKind::Word, "export") => kind = Some(kinds::EXPORT),
            (None, TokenKind::Word, "part") => kind = Some(kinds::PART),
            (None, TokenKind::Word, "library") => kind = Some(kinds::LIBRARY),
            (None, TokenKind::Word, _) if is_annotation => is_annotation = false,
            (Some(kinds::PART), TokenKind::Word, "of") => kind = Some(kinds::PART_OF),
            (Some(kind), TokenKind::String, _) => {
                found.extend(string_content(text, token.range).map(|range| Directive { kind, range }));
            }
            // The first declaration.
            (None, ..) => break,
            _ => {}
        }
    }
    found
}
