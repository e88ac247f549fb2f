//! Paths that begin with the file's own place: `__dir__`, `__FILE__`, and what `File` makes of them.

use std::ops::Range;

use tree_sitter::Node;

use crate::language::string_ranges::inside;
use crate::path::{is_dynamic, join, parent};
use crate::source::Source;

/// How deep calls may stand in calls: nobody writes more than three.
const DEEPEST: usize = 6;

/// The path of an expression that ends in a literal, and where that is written. The path is `None` where it leads out of
/// the root.
pub(super) fn path(source: &Source<'_>, node: Node<'_>) -> Option<(Option<String>, Range<usize>)> {
    let text = source.text();
    let literal = |node: Node<'_>| {
        let range = (node.kind() == "string").then(|| inside(text, node.byte_range())).flatten()?;
        (!range.is_empty() && !is_dynamic(&text[range.clone()])).then_some(range)
    };
    match node.kind() {
        // "#{__dir__}/x"
        "string" => {
            let (first, second) = (node.named_child(0)?, node.named_child(1)?);
            if first.kind() != "interpolation" || second.kind() != "string_content" || node.named_child_count() != 2 {
                return None;
            }
            let base = place(source, first.named_child(0)?, 0)?;
            let written = text[second.byte_range()].strip_prefix('/')?;
            Some((join(&base, written), second.byte_range()))
        }
        "binary" => {
            let base = place(source, node.child_by_field_name("left")?, 0)?;
            let range = literal(node.child_by_field_name("right")?)?;
            Some((join(&base, text[range.clone()].strip_prefix('/')?), range))
        }
        "call" => {
            let arguments = node.child_by_field_name("arguments")?;
            let (first, last) = (arguments.named_child(0)?, arguments.named_child(1)?);
            match method(source, node)? {
                "File.join" if arguments.named_child_count() == 2 => {
                    let base = place(source, first, 0)?;
                    let range = literal(last)?;
                    Some((join(&base, &text[range.clone()]), range))
                }
                "File.expand_path" => {
                    let base = place(source, last, 0)?;
                    let range = literal(first)?;
                    Some((join(&base, &text[range.clone()]), range))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The path that an expression without literals stands for.
fn place(source: &Source<'_>, node: Node<'_>, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    match &source.text()[node.byte_range()] {
        "__dir__" => return Some(source.directory().to_owned()),
        "__FILE__" => return Some(source.path().to_owned()),
        _ => {}
    }
    if node.kind() != "call" {
        return None;
    }
    let inner = place(source, node.child_by_field_name("arguments")?.named_child(0)?, depth + 1)?;
    match method(source, node)? {
        "File.dirname" => Some(parent(&inner).to_owned()),
        "File.expand_path" | "File.realpath" => Some(inner),
        _ => None,
    }
}

/// What is called, with its receiver.
fn method<'t>(source: &'t Source<'_>, call: Node<'_>) -> Option<&'t str> {
    let (receiver, method) = (call.child_by_field_name("receiver")?, call.child_by_field_name("method")?);
    source.text().get(receiver.start_byte()..method.end_byte())
}
