//! Finds the directives of a Dart file.

use std::ops::Range;

use crate::language::code::inside;
use crate::language::tokens::{Backquote, Shape, Syntax, Tokens};

/// Dart's strings and comments.
const DART: Syntax =
    Syntax { nested_comments: true, backquote: Backquote::Name, single_quote: true, triple_quotes: true };

/// One URI of a directive.
pub(super) struct Directive {
    pub(super) kind: &'static str,
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
    for token in Tokens::new(text, DART).filter(|token| token.shape != Shape::Comment) {
        let word = &text[token.range.clone()];
        match (kind, token.shape, word) {
            (_, Shape::Mark, "(") => depth += 1,
            (_, Shape::Mark, ")") => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            (_, Shape::Mark, ";") => kind = None,
            (None, Shape::Mark, "@" | ".") => is_annotation = true,
            (None, Shape::Word, "import") => kind = Some("dart.import"),
            (None, Shape::Word, "export") => kind = Some("dart.export"),
            (None, Shape::Word, "part") => kind = Some("dart.part"),
            (None, Shape::Word, "library") => kind = Some("dart.library"),
            (None, Shape::Word, _) if is_annotation => is_annotation = false,
            (Some("dart.part"), Shape::Word, "of") => kind = Some("dart.part_of"),
            (Some(kind), Shape::Text, _) => {
                found.extend(inside(text, token.range).map(|range| Directive { kind, range }));
            }
            // The first declaration.
            (None, ..) => break,
            _ => {}
        }
    }
    found
}
