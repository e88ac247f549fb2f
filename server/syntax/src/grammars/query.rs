//! `Query`: a compiled tree-sitter query that returns matches as plain values.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator as _, Tree};

use super::Grammar;
use super::parse_budget::ParseBudget;

/// Matches that may be open at once: our queries have few captures each, and a text with more is generated.
const MAX_OPEN_MATCHES: u32 = 1024;

/// Greatest gap between two ranges that are searched as one, in bytes: about two lines.
const MAX_GAP_BYTES: usize = 128;

/// A query, compiled for one grammar.
pub struct Query {
    query: tree_sitter::Query,
}

/// One match of a query's pattern.
#[derive(Clone, Debug)]
pub struct Match<'t> {
    /// Position of the pattern in the query, from 0.
    pub pattern: usize,
    /// In the order of their positions in the text.
    pub captures: Vec<Capture<'t>>,
}

/// A node with its capture name in the query.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'t> {
    /// The name without `@`.
    pub name: &'t str,
    /// The node.
    pub node: Node<'t>,
}

impl Match<'_> {
    /// The first node with this capture name.
    pub fn node(&self, name: &str) -> Option<Node<'_>> {
        self.captures.iter().find(|capture| capture.name == name).map(|capture| capture.node)
    }

    /// The range of that node, in bytes of the text.
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        Some(self.node(name)?.byte_range())
    }
}

impl Query {
    /// Compiles a query for a grammar.
    ///
    /// # Panics
    /// If the text is not a valid query for it: queries are part of this program, and a test compiles each.
    #[expect(clippy::panic, reason = "a query is part of the program; a test compiles each")]
    pub fn new(grammar: &Grammar, text: &str) -> Self {
        match tree_sitter::Query::new(grammar.language(), text) {
            Ok(query) => Self { query },
            Err(error) => panic!("invalid query for {}: {error}", grammar.name()),
        }
    }

    /// Every match whose outermost node touches one of these sorted ranges, in the order of their positions.
    ///
    /// A pattern can begin only at few positions of a long file, which the caller finds by the pattern's words. Visiting each
    /// takes microseconds; searching the whole tree takes a tenth of a second for 20,000 lines.
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
        // A match that touches several ranges is found at each.
        all.dedup_by(|later, first| later.sort_key() == first.sort_key());
        all
    }

    /// Every captured node of a tree, in the order of their positions. The first of several patterns that capture a node
    /// wins. Captures that begin with `_` are for predicates only. The search stops when the time budget is exhausted.
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
    /// The sort key: the positions of the captures, outer ones first; unique per match.
    fn sort_key(&self) -> (Vec<(usize, Reverse<usize>, usize)>, usize) {
        let place =
            |capture: &Capture<'_>| (capture.node.start_byte(), Reverse(capture.node.end_byte()), capture.node.id());
        (self.captures.iter().map(place).collect(), self.pattern)
    }
}

/// Merges ranges with small gaps between them.
pub(super) fn merge_ranges(places: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for place in places {
        match all.last_mut() {
            Some(last) if place.start <= last.end.saturating_add(MAX_GAP_BYTES) => last.end = last.end.max(place.end),
            _ => all.push(place.clone()),
        }
    }
    all
}
