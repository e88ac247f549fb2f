//! `Code`: the language of a file, and what are strings in it.

use std::ops::Range;

use pathfinder_grammars::{Grammar, JAVASCRIPT, PHP, PYTHON, RUBY, RUST, TSX, TYPESCRIPT, Tree, ZIG};
use tree_sitter::Node;

use crate::language::code::inside;
use crate::language::python::statements;
use crate::language::tokens::{Backquote, Shape, Syntax, Tokens};
use crate::path::extension;
use crate::source::Source;

/// How the strings of a language are found.
#[derive(Clone, Copy)]
enum Reader {
    Grammar(&'static Grammar),
    /// Each of these parts by itself.
    Parts(&'static Grammar, fn(&str) -> Vec<Range<usize>>),
    Tokens(Syntax),
}

/// A language.
#[derive(Clone, Copy)]
pub(super) struct Code {
    kind: &'static str,
    reader: Reader,
}

/// Strings and comments as in C and Go.
const PLAIN: Syntax =
    Syntax { nested_comments: false, backquote: Backquote::Text, single_quote: false, triple_quotes: false };

impl Code {
    /// That of a file, by its extension.
    pub(super) fn of(path: &str, text: &str) -> Option<Self> {
        let jvm = Syntax { nested_comments: true, backquote: Backquote::Name, triple_quotes: true, ..PLAIN };
        let (kind, reader) = match extension(path).as_str() {
            "js" | "jsx" | "mjs" | "cjs" => ("js.string", Reader::Grammar(&JAVASCRIPT)),
            "ts" | "mts" | "cts" => ("ts.string", Reader::Grammar(&TYPESCRIPT)),
            "tsx" => ("ts.string", Reader::Grammar(&TSX)),
            "php" | "phtml" if text.contains("<?") => ("php.string", Reader::Grammar(&PHP)),
            "py" => ("py.string", Reader::Parts(&PYTHON, statements)),
            "rb" | "rake" | "gemspec" | "ru" => ("ruby.string", Reader::Grammar(&RUBY)),
            "rs" => ("rust.string", Reader::Grammar(&RUST)),
            "zig" => ("zig.string", Reader::Grammar(&ZIG)),
            "go" => ("go.string", Reader::Tokens(PLAIN)),
            "c" | "cc" | "cpp" | "cu" | "cuh" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "m" | "mm" => {
                ("c.string", Reader::Tokens(PLAIN))
            }
            "java" => ("java.string", Reader::Tokens(Syntax { nested_comments: false, ..jvm })),
            "kt" | "kts" => ("kotlin.string", Reader::Tokens(jvm)),
            "scala" | "sc" => ("scala.string", Reader::Tokens(jvm)),
            "groovy" => ("groovy.string", Reader::Tokens(Syntax { nested_comments: false, single_quote: true, ..jvm })),
            "dart" => ("dart.string", Reader::Tokens(Syntax { single_quote: true, ..jvm })),
            _ => return None,
        };
        Some(Self { kind, reader })
    }

    /// The name of its strings among the kinds.
    pub(super) fn kind(self) -> &'static str {
        self.kind
    }

    /// Those of the candidates, which are in order, that are strings: all of what is between the quotes.
    pub(super) fn strings(self, source: &Source<'_>, candidates: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let text = source.text();
        match self.reader {
            Reader::Grammar(grammar) => {
                let Some(tree) = source.parsed(grammar) else { return Vec::new() };
                let root = tree.root_node();
                candidates.into_iter().filter(|range| is_string(root, text, range)).collect()
            }
            Reader::Parts(grammar, parts) => {
                let mut candidates = candidates.into_iter().peekable();
                let mut strings = Vec::new();
                for part in parts(text) {
                    let mut tree = None;
                    while let Some(range) = candidates.next_if(|range| range.end < part.end) {
                        // A string that begins before the part is in none.
                        let Some(start) = range.start.checked_sub(part.start + 1) else { continue };
                        let tree = tree.get_or_insert_with(|| source.parsed_part(&part, grammar));
                        let inside = start + 1..range.end - part.start;
                        let is_one = |tree: &Tree| is_string(tree.root_node(), &text[part.clone()], &inside);
                        strings.extend(tree.as_ref().is_some_and(is_one).then_some(range));
                    }
                }
                strings
            }
            Reader::Tokens(syntax) => {
                let mut candidates = candidates.into_iter().peekable();
                let mut strings = Vec::new();
                for token in Tokens::new(text, syntax) {
                    while candidates.next_if(|range| range.start <= token.range.start).is_some() {}
                    let Some(next) = candidates.peek() else { break };
                    if token.shape == Shape::Text
                        && token.range.contains(&next.start)
                        && inside(text, token.range) == Some(next.clone())
                    {
                        strings.push(next.clone());
                    }
                }
                strings
            }
        }
    }
}

/// What a string can be a part of that makes it no path of its own: what names a module is for the language's own reader,
/// which has passed this over; an attribute is a URL; a statement that is only a string is a comment.
const PASSED: [&str; 10] = [
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

/// Whether what stands between two quotes is a string, and one that says something by itself.
fn is_string(root: Node<'_>, text: &str, range: &Range<usize>) -> bool {
    let Some(node) = root.descendant_for_byte_range(range.start - 1, range.end + 1) else { return false };
    let kind = node.kind();
    if !kind.contains("string") || inside(text, node.byte_range()).as_ref() != Some(range) {
        return false;
    }
    node.parent().is_none_or(|parent| !PASSED.contains(&parent.kind()))
}
