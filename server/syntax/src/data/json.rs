//! Parses JSON, with comments and trailing commas, into `Node`s.

use std::borrow::Cow;

use jsonc_parser::ast::{ObjectPropName, StringLit, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{Node, Text};

/// Parses a text; `None` if it is no JSON. The parser limits the depth to 512.
pub fn read(text: &str) -> Option<Node<'_>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    parsed.value.map(node)
}

fn node(value: Value<'_>) -> Node<'_> {
    match value {
        Value::StringLit(literal) => Node::Text(unquoted(literal)),
        Value::Array(array) => Node::List(array.elements.into_iter().map(node).collect()),
        Value::Object(object) => Node::Map(
            object
                .properties
                .into_iter()
                .map(|property| {
                    let name = match property.name {
                        ObjectPropName::String(literal) => unquoted(literal),
                        ObjectPropName::Word(word) => {
                            Text { text: Cow::Borrowed(word.value), range: word.range.start..word.range.end }
                        }
                    };
                    (name, node(property.value))
                })
                .collect(),
        ),
        Value::BooleanLit(literal) => Node::Other(literal.value),
        Value::NumberLit(_) | Value::NullKeyword(_) => Node::Other(false),
    }
}

/// Converts a string literal. The range of the parser includes the quotes.
fn unquoted(literal: StringLit<'_>) -> Text<'_> {
    let (start, end) = (literal.range.start + 1, literal.range.end.saturating_sub(1));
    Text { text: literal.value, range: start..end.max(start) }
}
