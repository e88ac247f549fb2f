//! Finds the references to projects, builds and scripts in a Gradle script.

use std::ops::Range;

use pathfinder_syntax::lexer::{Backquote, Lexer, LexerOptions, TokenKind, TripleQuotes};
use pathfinder_syntax::string_ranges::string_content;

/// Groovy's strings, which include Kotlin's.
const GRADLE: LexerOptions = LexerOptions {
    backquote: Backquote::Name,
    single_quote: true,
    triple_quotes: TripleQuotes::Three,
    ..LexerOptions::C_LIKE
};

/// A reference with its literal kind.
pub(super) struct GradleReference {
    pub(super) kind: &'static str,
    /// Without quotes.
    pub(super) range: Range<usize>,
}

/// All references of a script, in order. Only settings include projects.
pub(super) fn find_references(text: &str, is_settings: bool) -> Vec<GradleReference> {
    let mut found = Vec::new();
    // The kind of reference that the words so far begin.
    let mut kind: Option<&'static str> = None;
    // The depth of blocks: `include` in a block usually belongs to a filter or a loop.
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
                    found.extend(string_content(text, token.range).map(|range| GradleReference { kind, range }));
                }
            }
            // The list continues, possibly on the next line.
            (TokenKind::Punct, "(" | "," | ":" | "=" | "[") => {}
            // `'a' + x` is computed, so the literal is only a part.
            (TokenKind::Punct, "+") => {
                if kind.take().is_some() {
                    found.pop();
                }
            }
            // `file(...)` and `rootProject.file(...)` start from another directory. A list also ends with its line.
            _ => kind = None,
        }
    }
    found
}
