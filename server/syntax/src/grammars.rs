//! The registry of tree-sitter grammars. `pathfinder-languages` and `pathfinder-symbols` take a [`Grammar`] and parse a text with
//! it. Broken text gives a tree with errors, not a failure; a time budget ends texts that take too long.
//!
//! Formats that have a parser with spans (JSON, TOML, YAML, Markdown, HTML) are not here. Neither are languages whose
//! declarations a lexer or lines show as well (C#, Kotlin, Scala, Swift, Haskell, shell, SQL): their grammars are 1 to 5 MB each.

mod node_kinds;
mod parse_budget;
mod query;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;

pub use tree_sitter::{InputEdit, Point, Range as TextRange, Tree};
use tree_sitter::{Language, ParseOptions, ParseState, Parser};
use tree_sitter_language::LanguageFn;

pub use node_kinds::NodeKinds;
use parse_budget::ParseBudget;
pub use parse_budget::was_exhausted;
pub use query::{Capture, Match, Query};

/// A grammar. The language is loaded when the first text is parsed.
pub struct Grammar {
    name: &'static str,
    entry: LanguageFn,
    language: OnceLock<Language>,
}

/// C.
pub static C: Grammar = Grammar::new("c", tree_sitter_c::LANGUAGE);
/// C++, and headers, which can be C or C++.
pub static CPP: Grammar = Grammar::new("cpp", tree_sitter_cpp::LANGUAGE);
/// Dart.
pub static DART: Grammar = Grammar::new("dart", tree_sitter_dart::LANGUAGE);
/// Elixir.
pub static ELIXIR: Grammar = Grammar::new("elixir", tree_sitter_elixir::LANGUAGE);
/// Go.
pub static GO: Grammar = Grammar::new("go", tree_sitter_go::LANGUAGE);
/// Java.
pub static JAVA: Grammar = Grammar::new("java", tree_sitter_java::LANGUAGE);
/// JavaScript with JSX.
pub static JAVASCRIPT: Grammar = Grammar::new("javascript", tree_sitter_javascript::LANGUAGE);
/// Lua.
pub static LUA: Grammar = Grammar::new("lua", tree_sitter_lua::LANGUAGE);
/// PHP between its tags.
pub static PHP: Grammar = Grammar::new("php", tree_sitter_php::LANGUAGE_PHP);
/// Python.
pub static PYTHON: Grammar = Grammar::new("python", tree_sitter_python::LANGUAGE);
/// Ruby.
pub static RUBY: Grammar = Grammar::new("ruby", tree_sitter_ruby::LANGUAGE);
/// Rust.
pub static RUST: Grammar = Grammar::new("rust", tree_sitter_rust::LANGUAGE);
/// TypeScript with JSX.
pub static TSX: Grammar = Grammar::new("tsx", tree_sitter_typescript::LANGUAGE_TSX);
/// TypeScript.
pub static TYPESCRIPT: Grammar = Grammar::new("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT);
/// Zig.
pub static ZIG: Grammar = Grammar::new("zig", tree_sitter_zig::LANGUAGE);

/// All grammars, by name.
pub static ALL: [&Grammar; 15] =
    [&C, &CPP, &DART, &ELIXIR, &GO, &JAVA, &JAVASCRIPT, &LUA, &PHP, &PYTHON, &RUBY, &RUST, &TSX, &TYPESCRIPT, &ZIG];

impl Grammar {
    const fn new(name: &'static str, entry: LanguageFn) -> Self {
        Self { name, entry, language: OnceLock::new() }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The tree-sitter language.
    pub fn language(&self) -> &Language {
        self.language.get_or_init(|| Language::new(self.entry))
    }

    /// Parses a text; the tree contains its errors. `None` if the text takes too long: then it is not in this language.
    pub fn parse(&self, text: &str) -> Option<Tree> {
        self.reparse(text, None)
    }

    /// Parses only these parts of a text, as if the rest of it were not there. They are in order and do not overlap.
    pub fn parse_ranges(&self, text: &str, parts: &[TextRange]) -> Option<Tree> {
        self.parse_parts(text, parts, None)
    }

    /// Parses a text with the tree of an earlier version, to which the edits since are applied ([`Tree::edit`]). Untouched
    /// parts are reused.
    pub fn reparse(&self, text: &str, old: Option<&Tree>) -> Option<Tree> {
        self.parse_parts(text, &[], old)
    }

    /// Parses parts of a text, or the whole text if there are none.
    fn parse_parts(&self, text: &str, parts: &[TextRange], old: Option<&Tree>) -> Option<Tree> {
        thread_local! {
            static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
        }
        PARSER.with_borrow_mut(|parser| {
            parser.set_language(self.language()).ok()?;
            parser.set_included_ranges(parts).ok()?;
            let budget = ParseBudget::new(text.len());
            let mut progress =
                |_: &ParseState| if budget.is_exhausted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let bytes = text.as_bytes();
            let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
            let tree =
                parser.parse_with_options(&mut read, old, Some(ParseOptions::new().progress_callback(&mut progress)));
            // Without a reset the parser continues an interrupted parse with the next text.
            parser.reset();
            tree
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if two grammars export one symbol: they break one another without an error from the linker.
    #[test]
    fn parses_each_language() {
        let check = |grammar: &Grammar, text: &str| {
            let tree = grammar.parse(text).expect("a short text");
            assert!(!tree.root_node().has_error(), "{}: {}", grammar.name(), tree.root_node().to_sexp());
        };
        check(&C, "#include \"a.h\"\nstatic int f(struct b *c) { return c->d; }\n");
        check(&CPP, "template <class T> class A : public B { T f() const override { return R\"(x)\"; } };\n");
        check(&DART, "import 'a/b.dart';\nvoid main() { print('x'); }\n");
        check(&ELIXIR, "defmodule A do\n  alias B.C\nend\n");
        check(&GO, "package a\nimport \"b/c\"\nfunc main() {}\n");
        check(&JAVA, "package a.b;\nimport a.c.D;\nclass E { String s = \"x\"; }\n");
        check(&JAVASCRIPT, "import a from './a.js';\nconst b = <a href=\"x\">{`y`}</a>;\n");
        check(&LUA, "local a = require('a.b')\n");
        check(&PHP, "<p>\n<?php\nrequire __DIR__ . '/a.php';\n");
        check(&PYTHON, "from .a import b\nif b:\n    open(f\"{b}\")\n");
        check(&RUBY, "require_relative 'a'\nputs <<~X\n  y\nX\n");
        check(&RUST, "#[path = \"a.rs\"]\nmod b;\nfn c() -> &'static str { include_str!(r#\"d\"#) }\n");
        check(&TSX, "import type { A } from './a';\nconst b = <A<string> c=\"d\" />;\n");
        check(&TYPESCRIPT, "import a = require('./a');\nconst b = <string>c;\n");
        check(&ZIG, "const std = @import(\"std\");\n");
    }

    #[test]
    fn names_are_sorted_and_unique() {
        let names: Vec<&str> = ALL.iter().map(|grammar| grammar.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }

    #[test]
    fn stops_on_garbage() {
        let garbage = ["(".repeat(9_000), "[{(<\"'`".repeat(900), "import ".repeat(900), "\u{1a}é".repeat(900)];
        for grammar in ALL {
            for text in &garbage {
                _ = grammar.parse(text);
            }
            assert!(grammar.parse("").is_some());
        }
        // Without a budget this takes minutes.
        assert!(LUA.parse(&"\u{1a}é\n".repeat(100_000)).is_none());
    }
}
