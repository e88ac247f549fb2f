//! Declarations told by tree-sitter: a query per language, whose captures name the kinds.

use std::sync::OnceLock;

use pathfinder_grammars::{self as grammars, Grammar, Query};

use crate::{Symbol, SymbolKind};

/// A grammar with what is asked of its trees.
pub(crate) struct Tagged {
    grammar: &'static Grammar,
    /// Queries, put together in this order.
    texts: &'static [&'static str],
    query: OnceLock<Query>,
}

const SCRIPT: &str = include_str!("tags/script.scm");
const C_QUERY: &str = include_str!("tags/c.scm");
const TYPESCRIPT_QUERY: &str = include_str!("tags/typescript.scm");

pub(crate) static BASH: Tagged = Tagged::new(&grammars::BASH, &[include_str!("tags/bash.scm")]);
pub(crate) static C: Tagged = Tagged::new(&grammars::C, &[C_QUERY]);
pub(crate) static CPP: Tagged = Tagged::new(&grammars::CPP, &[include_str!("tags/cpp.scm"), C_QUERY]);
pub(crate) static DART: Tagged = Tagged::new(&grammars::DART, &[include_str!("tags/dart.scm")]);
pub(crate) static ELIXIR: Tagged = Tagged::new(&grammars::ELIXIR, &[include_str!("tags/elixir.scm")]);
pub(crate) static GO: Tagged = Tagged::new(&grammars::GO, &[include_str!("tags/go.scm")]);
pub(crate) static JAVA: Tagged = Tagged::new(&grammars::JAVA, &[include_str!("tags/java.scm")]);
pub(crate) static JAVASCRIPT: Tagged =
    Tagged::new(&grammars::JAVASCRIPT, &[include_str!("tags/javascript.scm"), SCRIPT]);
pub(crate) static LUA: Tagged = Tagged::new(&grammars::LUA, &[include_str!("tags/lua.scm")]);
pub(crate) static PHP: Tagged = Tagged::new(&grammars::PHP, &[include_str!("tags/php.scm")]);
pub(crate) static PYTHON: Tagged = Tagged::new(&grammars::PYTHON, &[include_str!("tags/python.scm")]);
pub(crate) static RUBY: Tagged = Tagged::new(&grammars::RUBY, &[include_str!("tags/ruby.scm")]);
pub(crate) static RUST: Tagged = Tagged::new(&grammars::RUST, &[include_str!("tags/rust.scm")]);
pub(crate) static TSX: Tagged = Tagged::new(&grammars::TSX, &[TYPESCRIPT_QUERY, SCRIPT]);
pub(crate) static TYPESCRIPT: Tagged = Tagged::new(&grammars::TYPESCRIPT, &[TYPESCRIPT_QUERY, SCRIPT]);
pub(crate) static ZIG: Tagged = Tagged::new(&grammars::ZIG, &[include_str!("tags/zig.scm")]);

impl Tagged {
    const fn new(grammar: &'static Grammar, texts: &'static [&'static str]) -> Self {
        Self { grammar, texts, query: OnceLock::new() }
    }

    /// What a text of this language declares.
    pub(crate) fn declared(&self, text: &str) -> Vec<Symbol> {
        let Some(tree) = self.grammar.parse(text) else { return Vec::new() };
        let query = self.query.get_or_init(|| Query::new(self.grammar, &self.texts.join("\n")));
        let mut symbols = Vec::new();
        for capture in query.taken(&tree, text) {
            let line = capture.node.start_position().row as u32 + 1;
            let Some(name) = text.get(capture.node.byte_range()) else { continue };
            let mut add = |name: &str, kind| symbols.push(Symbol { name: last_segment(name).into(), kind, line });
            if let Some(kind) = SymbolKind::from_name(capture.name) {
                add(name, kind);
            } else if let Some((scope, _)) = name.rsplit_once("::").filter(|_| capture.name == "qualified") {
                // `Type::member() {`: of a namespace it may be a function, which is no worse to find.
                let scope = scope.split('<').next().unwrap_or(scope);
                add(scope, SymbolKind::Implementation);
                // Constructors and destructors are named like their type.
                if last_segment(name).trim_start_matches('~') != last_segment(scope) {
                    add(name, SymbolKind::Method);
                }
            }
        }
        symbols
    }
}

/// The name without what it is part of.
fn last_segment(name: &str) -> &str {
    let name = name.rsplit("::").next().unwrap_or(name).trim();
    name.rsplit('.').next().unwrap_or(name).trim_start_matches('#')
}
