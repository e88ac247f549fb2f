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
        let masked = std::ptr::eq(self, &raw const CPP).then(|| mask_export_macros(text));
        let text = masked.as_deref().unwrap_or(text);
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

/// Replaces macros between `class` and its name by spaces: `class QT_EXPORT Name` is no C++ to a parser that does not
/// expand macros. Positions stay.
fn mask_export_macros(text: &str) -> String {
    let mut masked = text.to_owned();
    for keyword in ["class", "struct", "union", "namespace"] {
        for (at, _) in text.match_indices(keyword) {
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            if at > 0 && is_word(text.as_bytes().get(at - 1)) {
                continue;
            }
            let start = at + keyword.len();
            if let Some(range) = macro_range(&text[start..]) {
                let range = start + range.start..start + range.end;
                masked.replace_range(range.clone(), &" ".repeat(range.len()));
            }
        }
    }
    masked
}

/// Finds macros in front of a name: ` A_MACRO(x) Name` has one. `None` if the name comes at once.
fn macro_range(rest: &str) -> Option<std::ops::Range<usize>> {
    let bytes = rest.as_bytes();
    let skip = |mut at: usize, fits: &dyn Fn(u8) -> bool| {
        while bytes.get(at).is_some_and(|&byte| fits(byte)) {
            at += 1;
        }
        at
    };
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let start = skip(0, &is_blank);
    let (mut at, mut end) = (start, start);
    while start > 0 && bytes.get(at).is_some_and(u8::is_ascii_uppercase) {
        let mut after = skip(at, &is_upper);
        if after < at + 2 {
            break;
        }
        if bytes.get(after) == Some(&b'(') {
            after = skip(after, &|byte| !matches!(byte, b')' | b'\n' | b'{')) + 1;
        }
        let next = skip(after, &is_blank);
        let is_name = bytes.get(next).is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
        if next == after || !is_name || rest.get(next..).is_some_and(|name| name.starts_with("final")) {
            break;
        }
        (at, end) = (next, after);
    }
    // Only a definition: `struct POINT p` declares a variable.
    let name = skip(at, &|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'<' | b'>' | b','));
    let after = rest.get(name..).unwrap_or_default().trim_start();
    let is_definition = after.starts_with(['{', ':']) || after.starts_with("final");
    (end > start && is_definition).then_some(start..end)
}

/// The last part of a qualified name.
pub(crate) fn last_segment(name: &str) -> &str {
    let name = name.rsplit("::").next().unwrap_or(name).trim();
    name.rsplit('.').next().unwrap_or(name).trim_start_matches('#')
}
