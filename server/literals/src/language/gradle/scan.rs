//! Where the names stand in a Gradle script.

use std::ops::Range;

use crate::language::lexer::{Backquote, Lexer, LexerOptions, TokenKind};
use crate::language::string_ranges::inside;

/// Groovy's strings; Kotlin's are among them.
const GRADLE: LexerOptions =
    LexerOptions { nested_comments: false, backquote: Backquote::Name, single_quote: true, triple_quotes: true };

/// One name.
pub(super) struct Named {
    pub(super) kind: &'static str,
    /// Without quotes.
    pub(super) range: Range<usize>,
}

/// What a script names, in order. Only settings include.
pub(super) fn named(text: &str, is_settings: bool) -> Vec<Named> {
    let mut found = Vec::new();
    // What the words up to here are the beginning of.
    let mut kind: Option<&'static str> = None;
    // Blocks: `include` in one is mostly that of a filter, or of a loop.
    let mut depth = 0_usize;
    for token in Lexer::new(text, GRADLE).filter(|token| token.kind != TokenKind::Comment) {
        let word = &text[token.range.clone()];
        match (token.kind, word) {
            (TokenKind::Punct, "{") => (depth, kind) = (depth + 1, None),
            (TokenKind::Punct, "}") => (depth, kind) = (depth.saturating_sub(1), None),
            (TokenKind::Word, "include") if is_settings && depth == 0 => kind = Some("gradle.include"),
            (TokenKind::Word, "includeBuild") if is_settings => kind = Some("gradle.include_build"),
            (TokenKind::Word, "apply") => kind = Some("apply"),
            (TokenKind::Word, "from") if kind == Some("apply") => kind = Some("gradle.apply"),
            (TokenKind::String, _) => {
                if let Some(kind) = kind.filter(|kind| *kind != "apply") {
                    found.extend(inside(text, token.range).map(|range| Named { kind, range }));
                }
            }
            // The list goes on, also on the next line.
            (TokenKind::Punct, "(" | "," | ":" | "=" | "[") => {}
            // `'a' + x` is computed: what is written is not what is meant.
            (TokenKind::Punct, "+") => {
                if kind.take().is_some() {
                    found.pop();
                }
            }
            // `file(...)`, `rootProject.file(...)`: from another directory. A list ends with its line, too.
            _ => kind = None,
        }
    }
    found
}
