//! TOML as nodes.

use toml_span::Span;
use toml_span::value::{Value, ValueInner};

use super::{Node, Text};

/// The document in a text; `None` if it is no TOML. The parser bounds the depth (128).
pub(crate) fn read(text: &str) -> Option<Node> {
    let mut value = toml_span::parse(text).ok()?;
    Some(node(text, &mut value))
}

fn node(source: &str, value: &mut Value<'_>) -> Node {
    let span = value.span;
    match value.take() {
        ValueInner::String(text) => Node::Text(Text { text: text.into_owned(), range: unquoted(source, span) }),
        ValueInner::Array(items) => Node::List(items.into_iter().map(|mut item| node(source, &mut item)).collect()),
        ValueInner::Table(table) => {
            let mut entries: Vec<(Text, Node)> = table
                .into_iter()
                .map(|(key, mut value)| {
                    let name = Text { text: key.name.into_owned(), range: unquoted(source, key.span) };
                    (name, node(source, &mut value))
                })
                .collect();
            // The parser sorts keys by name.
            entries.sort_by_key(|(name, _)| name.range.start);
            Node::Map(entries)
        }
        ValueInner::Boolean(value) => Node::Other(value),
        _ => Node::Other(false),
    }
}

/// The span of a text can have its quotes or not (the parser's own rule differs between keys and values).
fn unquoted(source: &str, span: Span) -> std::ops::Range<usize> {
    let slice = source.get(span.start..span.end).unwrap_or("");
    for quotes in ["\"\"\"", "'''", "\"", "'"] {
        if slice.len() >= 2 * quotes.len() && slice.starts_with(quotes) && slice.ends_with(quotes) {
            return span.start + quotes.len()..span.end - quotes.len();
        }
    }
    span.start..span.end
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges_are_without_quotes() {
        let text = "a = 'é'\n\"k y\" = \"x\"\n[t]\nm = \"\"\"y\"\"\"\n'q' = [ \"z\", 'é/w' ]\n";
        let node = super::read(text).expect("TOML");
        let slices: Vec<&str> = node.texts("**").map(|found| &text[found.range.clone()]).collect();
        assert_eq!(slices, ["é", "x", "y", "z", "é/w"]);
        let keys: Vec<&str> = node.texts("**.@").map(|found| &text[found.range.clone()]).collect();
        assert_eq!(keys, ["a", "k y", "t", "m", "q"]);
    }
}
