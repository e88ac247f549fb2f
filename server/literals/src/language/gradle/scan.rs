//! Where the names stand in a Gradle script.

use std::ops::Range;

use crate::language::code::inside;
use crate::language::tokens::{Backquote, Shape, Syntax, Tokens};

/// Groovy's strings; Kotlin's are among them.
const GRADLE: Syntax =
    Syntax { nested_comments: false, backquote: Backquote::Name, single_quote: true, triple_quotes: true };

/// One name.
pub(super) struct GradleReference {
    pub(super) kind: &'static str,
    /// Without quotes.
    pub(super) range: Range<usize>,
}

/// What a script names, in order. Only settings include.
pub(super) fn find_references(text: &str, is_settings: bool) -> Vec<GradleReference> {
    let mut found = Vec::new();
    // What the words up to here are the beginning of.
    let mut kind: Option<&'static str> = None;
    // Blocks: `include` in one is mostly that of a filter, or of a loop.
    let mut depth = 0_usize;
    for token in Tokens::new(text, GRADLE).filter(|token| token.shape != Shape::Comment) {
        let word = &text[token.range.clone()];
        match (token.shape, word) {
            (Shape::Mark, "{") => (depth, kind) = (depth + 1, None),
            (Shape::Mark, "}") => (depth, kind) = (depth.saturating_sub(1), None),
            (Shape::Word, "include") if is_settings && depth == 0 => kind = Some("gradle.include"),
            (Shape::Word, "includeBuild") if is_settings => kind = Some("gradle.include_build"),
            (Shape::Word, "apply") => kind = Some("apply"),
            (Shape::Word, "from") if kind == Some("apply") => kind = Some("gradle.apply"),
            (Shape::Text, _) => {
                if let Some(kind) = kind.filter(|kind| *kind != "apply") {
                    found.extend(inside(text, token.range).map(|range| GradleReference { kind, range }));
                }
            }
            // The list goes on, also on the next line.
            (Shape::Mark, "(" | "," | ":" | "=" | "[") => {}
            // `'a' + x` is computed: what is written is not what is meant.
            (Shape::Mark, "+") => {
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
