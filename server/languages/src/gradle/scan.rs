//! Finds the references to projects, builds and scripts in a Gradle script.

use crate::gradle::kinds;
use pathfinder_literals::LiteralKind;
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
    pub(super) kind: LiteralKind,
    /// Without quotes.
    pub(super) range: Range<usize>,
}

/// The keyword that begins the next reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    /// `apply`, before `from`.
    Apply,
    /// A keyword before a string.
    Reference(LiteralKind),
}

use Keyword::{Apply, Reference};

/// All references of a script, in order. Only settings include projects.
pub(super) fn find_references(text: &str, is_settings: bool) -> Vec<GradleReference> {
    let mut found = Vec::new();
    let mut keyword: Option<Keyword> = None;
    // The depth of blocks: `include` in a block usually belongs to a filter or a loop.
    let mut depth = 0_usize;
    for token in Lexer::new(text, GRADLE).filter(|token| token.kind != TokenKind::Comment) {
        let word = &text[token.range.clone()];
        match (token.kind, word) {
            (TokenKind::Punct, "{") => (depth, keyword) = (depth + 1, None),
            (TokenKind::Punct, "}") => (depth, keyword) = (depth.saturating_sub(1), None),
            (TokenKind::Word, "include") if is_settings && depth == 0 => keyword = Some(Reference(kinds::INCLUDE)),
            (TokenKind::Word, "includeBuild") if is_settings => keyword = Some(Reference(kinds::INCLUDE_BUILD)),
            (TokenKind::Word, "apply") => keyword = Some(Apply),
            (TokenKind::Word, "from") if keyword == Some(Apply) => keyword = Some(Reference(kinds::APPLY)),
            (TokenKind::String, _) => {
                if let Some(Reference(kind)) = keyword {
                    found.extend(string_content(text, token.range).map(|range| GradleReference { kind, range }));
                }
            }
            // The list continues, possibly on the next line.
            (TokenKind::Punct, "(" | "," | ":" | "=" | "[") => {}
            // `'a' + x` is computed, so the literal is only a part.
            (TokenKind::Punct, "+") => {
                if keyword.take().is_some() {
                    found.pop();
                }
            }
            // `file(...)` and `rootProject.file(...)` start from another directory. A list also ends with its line.
            _ => keyword = None,
        }
    }
    found
}
