//! `Query`: a tree-sitter query with its answers as plain values.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator as _, Tree};

use crate::Grammar;
use crate::parse_budget::ParseBudget;

/// Matches that may be open at once: a query of ours has a few captures each, and a text with more is generated.
const MAX_OPEN_MATCHES: u32 = 1024;

/// Bytes between two places that are gone through rather than gone around: about two lines.
const MAX_GAP_BYTES: usize = 128;

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

    /// Every match in a tree of this text of which the outermost node touches one of these places (which are in order), in
    /// the order of their places.
    ///
    /// A long file has a few places that a pattern can begin at, which is told by the words that the pattern has in it. To
    /// go down to each takes microseconds; to go through the tree takes a tenth of a second for 20,000 lines.
    pub fn matches<'t>(&'t self, root: Node<'t>, text: &str, places: &[Range<usize>]) -> Vec<Match<'t>> {
        let names = self.query.capture_names();
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MAX_OPEN_MATCHES);
        let mut all: Vec<Match<'t>> = Vec::new();
        for place in merge_ranges(places) {
            cursor.set_byte_range(place);
            let mut matches = cursor.matches(&self.query, root, text.as_bytes());
            while let Some(found) = matches.next() {
                let captures = found.captures().iter();
                let captures =
                    captures.map(|capture| Capture { name: names[capture.index as usize], node: capture.node });
                all.push(Match { pattern: found.pattern_index, captures: captures.collect() });
            }
        }
        all.sort_by_cached_key(Match::sort_key);
        // What is so long that it touches several places was found at each.
        all.dedup_by(|later, first| later.sort_key() == first.sort_key());
        all
    }

    /// Every node of a tree that a capture takes, in the order of their places: of several patterns that take the same
    /// node, the first one has it. Captures that begin with `_` are for predicates only. What would take too long is not
    /// gone through to its end.
    pub fn captures<'t>(&'t self, tree: &'t Tree, text: &str) -> Vec<Capture<'t>> {
        let names = self.query.capture_names();
        let budget = ParseBudget::new(text.len());
        let mut progress = |_: &QueryCursorState| {
            if budget.is_exhausted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MAX_OPEN_MATCHES);
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let mut matches = cursor.matches_with_options(&self.query, tree.root_node(), text.as_bytes(), options);
        let mut taken: BTreeMap<(usize, usize), (usize, Capture<'t>)> = BTreeMap::new();
        while let Some(found) = matches.next() {
            for capture in found.captures() {
                let name = names[capture.index as usize];
                let place = (capture.node.start_byte(), capture.node.end_byte());
                let first = taken.get(&place).is_none_or(|(pattern, _)| *pattern > found.pattern_index);
                if first && !name.starts_with('_') {
                    taken.insert(place, (found.pattern_index, Capture { name, node: capture.node }));
                }
            }
        }
        taken.into_values().map(|(_, capture)| capture).collect()
    }
}

impl Match<'_> {
    /// What matches are sorted by: their places, the outer ones first. No two have the same.
    fn sort_key(&self) -> (Vec<(usize, Reverse<usize>, usize)>, usize) {
        let place =
            |capture: &Capture<'_>| (capture.node.start_byte(), Reverse(capture.node.end_byte()), capture.node.id());
        (self.captures.iter().map(place).collect(), self.pattern)
    }
}

/// Places, with those that lie close together taken as one.
fn merge_ranges(places: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for place in places {
        match all.last_mut() {
            Some(last) if place.start <= last.end.saturating_add(MAX_GAP_BYTES) => last.end = last.end.max(place.end),
            _ => all.push(place.clone()),
        }
    }
    all
}
