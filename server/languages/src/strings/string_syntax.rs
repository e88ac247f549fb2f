//! `StringSyntax`: the language of a file and how its string literals are found.

use std::ops::Range;

use crate::strings::kinds;
use pathfinder_syntax::grammars::{Grammar, JAVASCRIPT, PHP, PYTHON, RUBY, RUST, TSX, TYPESCRIPT, Tree, ZIG};
use tree_sitter::Node;

use crate::python::statements;
use pathfinder_literals::path::extension;
use pathfinder_literals::{LiteralKind, Source};
use pathfinder_syntax::lexer::{Backquote, Lexer, LexerOptions, TokenKind, TripleQuotes};
use pathfinder_syntax::string_ranges::string_content;

/// The method to find string literals.
#[derive(Clone, Copy)]
enum StringFinder {
    Grammar(&'static Grammar),
    /// A grammar that parses each part of the text separately.
    Parts(&'static Grammar, fn(&str) -> Vec<Range<usize>>),
    Lexer(LexerOptions),
}

/// The kind and the method for one language.
#[derive(Clone, Copy)]
pub(super) struct StringSyntax {
    kind: LiteralKind,
    finder: StringFinder,
}

/// Strings and comments as in C and Go.
const C_LIKE: LexerOptions = LexerOptions::C_LIKE;

impl StringSyntax {
    /// Returns the syntax for a file, by its extension; `None` for other languages.
    pub(super) fn for_file(path: &str, text: &str) -> Option<Self> {
        let jvm = LexerOptions {
            nested_comments: true,
            backquote: Backquote::Name,
            triple_quotes: TripleQuotes::Three,
            ..C_LIKE
        };
        let (kind, finder) = match extension(path).as_str() {
            "js" | "jsx" | "mjs" | "cjs" => (kinds::JS_STRING, StringFinder::Grammar(&JAVASCRIPT)),
            "ts" | "mts" | "cts" => (kinds::TS_STRING, StringFinder::Grammar(&TYPESCRIPT)),
            "tsx" => (kinds::TS_STRING, StringFinder::Grammar(&TSX)),
            "php" | "phtml" if text.contains("<?") => (kinds::PHP_STRING, StringFinder::Grammar(&PHP)),
            "py" => (kinds::PY_STRING, StringFinder::Parts(&PYTHON, statements)),
            "rb" | "rake" | "gemspec" | "ru" => (kinds::RUBY_STRING, StringFinder::Grammar(&RUBY)),
            "rs" => (kinds::RUST_STRING, StringFinder::Grammar(&RUST)),
            "zig" => (kinds::ZIG_STRING, StringFinder::Grammar(&ZIG)),
            "go" => (kinds::GO_STRING, StringFinder::Lexer(C_LIKE)),
            "c" | "cc" | "cpp" | "cu" | "cuh" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "m" | "mm" => {
                (kinds::C_STRING, StringFinder::Lexer(C_LIKE))
            }
            "java" => (kinds::JAVA_STRING, StringFinder::Lexer(LexerOptions { nested_comments: false, ..jvm })),
            "kt" | "kts" => (kinds::KOTLIN_STRING, StringFinder::Lexer(jvm)),
            "scala" | "sc" => (kinds::SCALA_STRING, StringFinder::Lexer(jvm)),
            "groovy" => (
                kinds::GROOVY_STRING,
                StringFinder::Lexer(LexerOptions { nested_comments: false, single_quote: true, ..jvm }),
            ),
            "dart" => (kinds::DART_STRING, StringFinder::Lexer(LexerOptions { single_quote: true, ..jvm })),
            _ => return None,
        };
        Some(Self { kind, finder })
    }

    /// The literal kind of its strings.
    pub(super) fn kind(self) -> LiteralKind {
        self.kind
    }

    /// Returns the candidates that are the whole content of a string literal. They must be in source order.
    pub(super) fn strings(self, source: &Source<'_>, candidates: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let text = source.text();
        match self.finder {
            StringFinder::Grammar(grammar) => {
                let Some(tree) = source.parse(grammar) else { return Vec::new() };
                let root = tree.root_node();
                candidates.into_iter().filter(|range| is_string(root, text, range)).collect()
            }
            StringFinder::Parts(grammar, parts) => {
                let mut candidates = candidates.into_iter().peekable();
                let mut strings = Vec::new();
                for part in parts(text) {
                    let mut tree = None;
                    while let Some(range) = candidates.next_if(|range| range.end < part.end) {
                        // A string that begins before the part lies in no part.
                        let Some(start) = range.start.checked_sub(part.start + 1) else { continue };
                        let tree = tree.get_or_insert_with(|| source.parse_part(&part, grammar));
                        let inside = start + 1..range.end - part.start;
                        let is_one = |tree: &Tree| is_string(tree.root_node(), &text[part.clone()], &inside);
                        strings.extend(tree.as_ref().is_some_and(is_one).then_some(range));
                    }
                }
                strings
            }
            StringFinder::Lexer(syntax) => {
                let mut candidates = candidates.into_iter().peekable();
                let mut strings = Vec::new();
                for token in Lexer::new(text, syntax) {
                    while candidates.next_if(|range| range.start <= token.range.start).is_some() {}
                    let Some(next) = candidates.peek() else { break };
                    if token.kind == TokenKind::String
                        && token.range.contains(&next.start)
                        && string_content(text, token.range) == Some(next.clone())
                    {
                        strings.push(next.clone());
                    }
                }
                strings
            }
        }
    }
}

/// Parents of strings that are skipped: module names are for the language's own check, attributes are URLs, and a statement that
/// is only a string is a comment.
const SKIPPED_PARENTS: [&str; 10] = [
    "expression_statement",
    "export_statement",
    "external_module_reference",
    "import_require_clause",
    "import_statement",
    "jsx_attribute",
    "literal_type",
    "module",
    "concatenated_string",
    "chained_string",
];

/// Returns whether a quoted range is a string literal whose parent is not skipped.
fn is_string(root: Node<'_>, text: &str, range: &Range<usize>) -> bool {
    let Some(node) = root.descendant_for_byte_range(range.start - 1, range.end + 1) else { return false };
    let kind = node.kind();
    if !kind.contains("string") || string_content(text, node.byte_range()).as_ref() != Some(range) {
        return false;
    }
    node.parent().is_none_or(|parent| !SKIPPED_PARENTS.contains(&parent.kind()))
}
