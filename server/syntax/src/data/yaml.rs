//! Parses YAML into `Node`s: every document of a stream, with aliases resolved.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::{Node, Text};

/// Maximum nesting, deeper than any configuration. Deeper nodes are dropped, so that recursion cannot exhaust the stack.
const MAX_DEPTH: usize = 96;
/// Maximum number of nodes that aliases add. Real files have fewer; it stops a "billion laughs" document.
const MAX_ALIASED_NODES: usize = 20_000;

/// Parses the documents of a text. After a syntax error, returns the documents before it and the part of the broken one.
pub fn read(text: &str) -> Vec<Node<'_>> {
    let mut reader = YamlReader {
        offsets: Offsets::new(text),
        open: Vec::new(),
        too_deep: 0,
        anchors: HashMap::default(),
        aliased: 0,
        documents: Vec::new(),
    };
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        reader.handle(event, span);
    }
    while let Some(open) = reader.open.pop() {
        reader.add_node(open.node, open.anchor);
    }
    reader.documents
}

/// Converts character offsets to byte offsets. Offsets ascend except for small steps back, so a cursor is enough.
struct Offsets<'t> {
    text: &'t str,
    is_ascii: bool,
    character: usize,
    byte: usize,
}

impl<'t> Offsets<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii(), character: 0, byte: 0 }
    }

    fn byte(&mut self, character: usize) -> usize {
        if self.is_ascii {
            return character.min(self.text.len());
        }
        while self.character > character {
            let before = self.text[..self.byte].chars().next_back().map_or(1, char::len_utf8);
            self.byte -= before;
            self.character -= 1;
        }
        while self.character < character {
            let Some(next) = self.text[self.byte..].chars().next() else { break };
            self.byte += next.len_utf8();
            self.character += 1;
        }
        self.byte
    }
}

/// A list or map that is not closed yet.
struct OpenCollection<'t> {
    node: Node<'t>,
    anchor: usize,
    /// The key whose value is read next; `None` in a list, or before a key.
    key: Option<Text<'t>>,
    /// True for a list with a tag, as in `!ENV [NAME, default]`: its elements are arguments.
    is_computed: bool,
}

/// Builds nodes from parser events.
struct YamlReader<'t> {
    offsets: Offsets<'t>,
    open: Vec<OpenCollection<'t>>,
    /// Number of open collections below [`MAX_DEPTH`].
    too_deep: usize,
    /// Nodes with an anchor and their size in nodes.
    anchors: HashMap<usize, (usize, Node<'t>), FxBuildHasher>,
    aliased: usize,
    documents: Vec<Node<'t>>,
}

impl<'t> YamlReader<'t> {
    fn handle(&mut self, event: Event<'t>, span: Span) {
        match event {
            Event::SequenceStart(anchor, tag) => {
                let is_computed = tag.is_some_and(|tag| !tag.is_yaml_core_schema());
                self.open(Node::List(Vec::new()), anchor, is_computed);
            }
            Event::MappingStart(anchor, _) => self.open(Node::Map(Vec::new()), anchor, false),
            Event::SequenceEnd | Event::MappingEnd => {
                if self.too_deep > 0 {
                    self.too_deep -= 1;
                } else if let Some(open) = self.open.pop() {
                    self.add_node(if open.is_computed { Node::Other(false) } else { open.node }, open.anchor);
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let computed = tag.is_some_and(|tag| !(tag.is_yaml_core_schema() && tag.suffix == "str"));
                let node = if computed {
                    Node::Other(false)
                } else {
                    Node::Text(Text { range: self.scalar_range(&text, style, span), text })
                };
                self.add_node(node, anchor);
            }
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).filter(|(size, _)| self.aliased + size <= MAX_ALIASED_NODES);
                let (size, node) = known.cloned().unwrap_or((1, Node::Other(false)));
                self.aliased += size;
                self.add_node(node, 0);
            }
            _ => {}
        }
    }

    fn open(&mut self, node: Node<'t>, anchor: usize, is_computed: bool) {
        if self.too_deep > 0 || self.open.len() >= MAX_DEPTH {
            if self.too_deep == 0 {
                self.add_node(Node::Other(false), 0);
            }
            self.too_deep += 1;
        } else {
            self.open.push(OpenCollection { node, anchor, key: None, is_computed });
        }
    }

    fn add_node(&mut self, node: Node<'t>, anchor: usize) {
        if self.too_deep > 0 {
            return;
        }
        if anchor != 0 {
            let size = count_nodes(&node);
            self.anchors
                .insert(anchor, (size, if size > MAX_ALIASED_NODES { Node::Other(false) } else { node.clone() }));
        }
        match self.open.last_mut() {
            None => self.documents.push(node),
            Some(OpenCollection { node: Node::Map(entries), key, .. }) => match (key.take(), node) {
                (None, Node::Text(text)) => *key = Some(text),
                (None, _) => *key = Some(Text::default()),
                (Some(name), node) => entries.push((name, node)),
            },
            Some(OpenCollection { node: Node::List(items), .. }) => items.push(node),
            Some(_) => {}
        }
    }

    /// Returns the byte range of a scalar, without quotes, anchor and tag.
    fn scalar_range(&mut self, text: &str, style: ScalarStyle, span: Span) -> std::ops::Range<usize> {
        let mut start = self.offsets.byte(span.start.index());
        let end = self.offsets.byte(span.end.index()).max(start);
        // The span begins with the anchor and the tag, if there are any.
        while let Some(rest) = self.offsets.text.get(start..end).filter(|rest| rest.starts_with(['&', '!'])) {
            let name = rest.find(char::is_whitespace).unwrap_or(rest.len());
            start += rest.len() - rest[name..].trim_start().len();
        }
        match style {
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted if end >= start + 2 => {
                start + 1..start + 1 + quoted_length(self.offsets.text.get(start + 1..end).unwrap_or_default(), style)
            }
            ScalarStyle::Plain => {
                // The span of a plain scalar can include trailing white space.
                let slice = &self.offsets.text[start..end];
                if slice.starts_with(text) { start..start + text.len() } else { start..start + slice.trim_end().len() }
            }
            _ => start..end,
        }
    }
}

/// The length of a quoted scalar up to its closing quote. The parser's span can include a comment behind that.
fn quoted_length(text: &str, style: ScalarStyle) -> usize {
    let (quote, escape) = if matches!(style, ScalarStyle::SingleQuoted) { (b'\'', b'\'') } else { (b'"', b'\\') };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let is_escaped = byte == escape && (escape != quote || bytes.get(at + 1) == Some(&quote));
        if byte == quote && !is_escaped {
            break;
        }
        at += if is_escaped { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// Returns the number of nodes of a tree.
fn count_nodes(node: &Node) -> usize {
    match node {
        Node::List(items) => 1 + items.iter().map(count_nodes).sum::<usize>(),
        Node::Map(entries) => 1 + entries.iter().map(|(_, node)| count_nodes(node)).sum::<usize>(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::data::Node;

    #[test]
    fn ranges_are_bytes_of_the_source() {
        let text = "é: ü/b   # c\nq: 'x y'\nd: \"a\\tb\"\nl:\n- &a one\n- *a\n- [é, two]\nt: !x three\nu: !x [four, five]\nv: \"a\\\"b\" # c \"d\"\nw: 'it''s' # e\n---\nz: last\n";
        let documents = super::read(text);
        let slices = |node: &Node| -> Vec<String> {
            node.texts("**").map(|found| text[found.range.clone()].to_owned()).collect()
        };
        assert_eq!(documents.len(), 2);
        assert_eq!(slices(&documents[0]), ["ü/b", "x y", "a\\tb", "one", "one", "é", "two", "a\\\"b", "it''s"]);
        assert_eq!(slices(&documents[1]), ["last"]);
    }

    #[test]
    fn depth_and_aliases_are_bounded() {
        assert!(super::read(&"[".repeat(50_000)).len() <= 1);
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..20 {
            let refs = vec![format!("*a{}", level - 1); 9].join(", ");
            laughs = format!("{laughs}a{level}: &a{level} [{refs}]\n");
        }
        assert_eq!(super::read(&laughs).len(), 1);
    }
}
