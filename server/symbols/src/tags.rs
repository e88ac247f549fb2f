//! Reads symbols with tree-sitter: one query per language, whose capture names are symbol kinds.

use std::sync::OnceLock;

use pathfinder_syntax::grammars::{self, Grammar, Query};

use crate::{Symbol, SymbolKind};

/// A grammar with the query for its declarations.
pub(crate) struct TagQuery {
    grammar: &'static Grammar,
    /// The parts of the query, joined in this order.
    query_texts: &'static [&'static str],
    query: OnceLock<Query>,
}

const SCRIPT: &str = include_str!("tags/script.scm");
const C_QUERY: &str = include_str!("tags/c.scm");
const TYPESCRIPT_QUERY: &str = include_str!("tags/typescript.scm");

pub(crate) static BASH: TagQuery = TagQuery::new(&grammars::BASH, &[include_str!("tags/bash.scm")]);
pub(crate) static C: TagQuery = TagQuery::new(&grammars::C, &[C_QUERY]);
pub(crate) static CPP: TagQuery = TagQuery::new(&grammars::CPP, &[include_str!("tags/cpp.scm"), C_QUERY]);
pub(crate) static DART: TagQuery = TagQuery::new(&grammars::DART, &[include_str!("tags/dart.scm")]);
pub(crate) static ELIXIR: TagQuery = TagQuery::new(&grammars::ELIXIR, &[include_str!("tags/elixir.scm")]);
pub(crate) static GO: TagQuery = TagQuery::new(&grammars::GO, &[include_str!("tags/go.scm")]);
pub(crate) static JAVA: TagQuery = TagQuery::new(&grammars::JAVA, &[include_str!("tags/java.scm")]);
pub(crate) static JAVASCRIPT: TagQuery =
    TagQuery::new(&grammars::JAVASCRIPT, &[include_str!("tags/javascript.scm"), SCRIPT]);
pub(crate) static LUA: TagQuery = TagQuery::new(&grammars::LUA, &[include_str!("tags/lua.scm")]);
pub(crate) static PHP: TagQuery = TagQuery::new(&grammars::PHP, &[include_str!("tags/php.scm")]);
pub(crate) static PYTHON: TagQuery = TagQuery::new(&grammars::PYTHON, &[include_str!("tags/python.scm")]);
pub(crate) static RUBY: TagQuery = TagQuery::new(&grammars::RUBY, &[include_str!("tags/ruby.scm")]);
pub(crate) static RUST: TagQuery = TagQuery::new(&grammars::RUST, &[include_str!("tags/rust.scm")]);
pub(crate) static TSX: TagQuery = TagQuery::new(&grammars::TSX, &[TYPESCRIPT_QUERY, SCRIPT]);
pub(crate) static TYPESCRIPT: TagQuery = TagQuery::new(&grammars::TYPESCRIPT, &[TYPESCRIPT_QUERY, SCRIPT]);
pub(crate) static ZIG: TagQuery = TagQuery::new(&grammars::ZIG, &[include_str!("tags/zig.scm")]);

impl TagQuery {
    const fn new(grammar: &'static Grammar, query_texts: &'static [&'static str]) -> Self {
        Self { grammar, query_texts, query: OnceLock::new() }
    }

    /// Reads the symbols of a text.
    pub(crate) fn read_symbols(&self, text: &str) -> Vec<Symbol> {
        let Some(tree) = self.grammar.parse(text) else { return Vec::new() };
        let query = self.query.get_or_init(|| Query::new(self.grammar, &self.query_texts.join("\n")));
        let mut symbols = Vec::new();
        for capture in query.captures(&tree, text) {
            let line = capture.node.start_position().row as u32 + 1;
            let Some(name) = text.get(capture.node.byte_range()) else { continue };
            let mut add = |name: &str, kind| symbols.push(Symbol { name: last_segment(name).into(), kind, line });
            if let Some(kind) = SymbolKind::from_name(capture.name) {
                add(name, kind);
            } else if let Some((scope, _)) = name.rsplit_once("::").filter(|_| capture.name == "qualified") {
                // `Type::member() {`; it may be a function of a namespace, which is useful too.
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

/// The last part of a qualified name.
fn last_segment(name: &str) -> &str {
    let name = name.rsplit("::").next().unwrap_or(name).trim();
    name.rsplit('.').next().unwrap_or(name).trim_start_matches('#')
}
