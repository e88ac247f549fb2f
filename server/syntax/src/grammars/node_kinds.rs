//! `NodeKinds`: selects the nodes of some kinds near given places of a tree.
//!
//! A query can do the same, but tree-sitter compiles it for 5 to 20 ms in each process, which is longer than a small project takes.

use std::ops::Range;
use std::sync::OnceLock;

use tree_sitter::Node;

use super::Grammar;
use super::query::merge_ranges;

/// Kinds of nodes in one grammar.
pub struct NodeKinds {
    grammar: &'static Grammar,
    names: &'static [&'static str],
    ids: OnceLock<Vec<u16>>,
}

impl NodeKinds {
    /// The named nodes of these kinds. A name that the grammar lacks selects nothing.
    pub const fn new(grammar: &'static Grammar, names: &'static [&'static str]) -> Self {
        Self { grammar, names, ids: OnceLock::new() }
    }

    fn ids(&self) -> &[u16] {
        self.ids.get_or_init(|| {
            let language = self.grammar.language();
            self.names.iter().map(|name| language.id_for_node_kind(name, true)).filter(|&id| id != 0).collect()
        })
    }

    /// Every node of these kinds that touches one of these sorted ranges, or a small gap between two of them. Outer nodes come
    /// before inner ones, in the order of the text.
    pub fn nodes<'t>(&self, root: Node<'t>, places: &[Range<usize>]) -> Vec<Node<'t>> {
        let places = merge_ranges(places);
        let ids = self.ids();
        let mut found = Vec::new();
        let mut cursor = root.walk();
        // The first range that ends behind the start of the current node.
        let mut next = 0;
        loop {
            let node = cursor.node();
            while places.get(next).is_some_and(|place| place.end <= node.start_byte()) {
                next += 1;
            }
            let Some(place) = places.get(next) else { return found };
            let touches = place.start < node.end_byte();
            if touches && ids.contains(&node.kind_id()) {
                found.push(node);
            }
            if touches && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return found;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NodeKinds;
    use crate::grammars::{JAVASCRIPT, Query};

    static CALLS: NodeKinds = NodeKinds::new(&JAVASCRIPT, &["call_expression", "import_statement", "no_such_kind"]);

    /// A query that selects the nodes finds the same ones.
    #[test]
    fn selects_like_a_query() {
        let query = Query::new(&JAVASCRIPT, "[(call_expression) (import_statement)] @node");
        let filler = "x = 1;\n".repeat(40);
        let text =
            format!("import a from 'a';\n{filler}f(g(h('b')), c(d));\n{filler}k(l());\n(((\n import('e').then(f)");
        let tree = JAVASCRIPT.parse(&text).unwrap();
        let check = |places: &[std::ops::Range<usize>]| {
            let expect: Vec<_> = query.matches(tree.root_node(), &text, places);
            let expect: Vec<_> = expect.iter().filter_map(|found| found.node("node")).collect();
            let found = CALLS.nodes(tree.root_node(), places);
            assert_eq!(found, expect, "{places:?}");
            found.len()
        };
        let at = |word: &str| {
            let start = text.find(word).unwrap();
            start..start + word.len()
        };
        assert_eq!(check(&[]), 0);
        assert_eq!(check(&[at("import a")]), 1);
        assert_eq!(check(&[at("'b'")]), 3);
        assert_eq!(check(&[at("import a"), at("'b'"), at("'e'")]), 6);
        for start in 0..text.len() {
            check(std::slice::from_ref(&(start..start + 1)));
            check(&[start..start + 1, start + 200..start + 201]);
        }
    }
}
