//! `Query`: a tree-sitter query with its answers as plain values.

use std::ops::Range;

use tree_sitter::{Node, QueryCursor, StreamingIterator as _};

use crate::Grammar;

/// Matches that may be open at once: a query of ours has a few captures each, and a text with more is generated.
const OPEN_MATCHES: u32 = 1024;

/// A query, compiled for one grammar.
pub struct Query {
    query: tree_sitter::Query,
}

/// One match of a query's pattern.
#[derive(Clone, Debug)]
pub struct Match<'t> {
    /// Which of the query's patterns, from 0.
    pub pattern: usize,
    /// In the order of their places.
    pub captures: Vec<Capture<'t>>,
}

/// A node with the name that the query gives it.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'t> {
    /// Without `@`.
    pub name: &'t str,
    /// The node.
    pub node: Node<'t>,
}

impl Match<'_> {
    /// The first node that is called so.
    pub fn node(&self, name: &str) -> Option<Node<'_>> {
        self.captures.iter().find(|capture| capture.name == name).map(|capture| capture.node)
    }

    /// Where that node stands, in bytes of the text.
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        Some(self.node(name)?.byte_range())
    }
}

impl Query {
    /// A query for a grammar.
    ///
    /// # Panics
    /// When the text is no query of it: queries are part of this program, and a test compiles each.
    #[expect(clippy::panic, reason = "a query is part of the program; a test compiles each")]
    pub fn new(grammar: &Grammar, text: &str) -> Self {
        match tree_sitter::Query::new(grammar.language(), text) {
            Ok(query) => Self { query },
            Err(error) => panic!("a query of {}: {error}", grammar.name()),
        }
    }

    /// Every match in a tree of this text, in the order of their places.
    pub fn matches<'t>(&'t self, root: Node<'t>, text: &str) -> Vec<Match<'t>> {
        let names = self.query.capture_names();
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(OPEN_MATCHES);
        let mut all = Vec::new();
        let mut matches = cursor.matches(&self.query, root, text.as_bytes());
        while let Some(found) = matches.next() {
            let captures = found.captures().iter();
            let captures = captures.map(|capture| Capture { name: names[capture.index as usize], node: capture.node });
            all.push(Match { pattern: found.pattern_index, captures: captures.collect() });
        }
        all
    }
}
