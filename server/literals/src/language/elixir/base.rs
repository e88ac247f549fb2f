//! Paths that are written as seen from the file's own directory: `Path.join(__DIR__, "x")` and the like.

use std::ops::Range;

use tree_sitter::Node;

use crate::path::{is_dynamic, join};
use crate::source::Source;

/// The place of what stands in a string without anything computed.
pub(super) fn plain(source: &Source<'_>, node: Node<'_>) -> Option<Range<usize>> {
    let content = (node.kind() == "string" && node.named_child_count() == 1).then(|| node.named_child(0)).flatten()?;
    let text = &source.text()[content.byte_range()];
    let is_plain = content.kind() == "quoted_content" && !text.contains(['\n', '\\']) && !is_dynamic(text);
    is_plain.then(|| content.byte_range())
}

/// What a call is given, without a block.
pub(super) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = call.walk();
    let list = call.named_children(&mut cursor).find(|child| child.kind() == "arguments");
    list.map(|list| list.named_children(&mut list.walk()).collect()).unwrap_or_default()
}

/// The path that an expression makes of the file's directory and one literal, and where the literal stands. The path is
/// `None` where it leads out of the root.
pub(super) fn based(source: &Source<'_>, node: Node<'_>) -> Option<(Option<String>, Range<usize>)> {
    let text = source.text();
    let of = |node: Node<'_>| &text[node.byte_range()];
    let is_here = |node: Node<'_>| of(node) == "__DIR__";
    let range = match node.kind() {
        "call" => {
            let all = arguments(node);
            match (of(node.child_by_field_name("target")?), all.as_slice()) {
                ("Path.join", [base, literal]) if is_here(*base) => plain(source, *literal)?,
                ("Path.expand", [literal, base]) if is_here(*base) => plain(source, *literal)?,
                ("Path.join", [list]) if list.kind() == "list" && list.named_child_count() == 2 => {
                    let (base, literal) = (list.named_child(0)?, list.named_child(1)?);
                    is_here(base).then(|| plain(source, literal)).flatten()?
                }
                _ => return None,
            }
        }
        "binary_operator" => {
            let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
            let operator = text[left.end_byte()..right.start_byte()].trim();
            match operator {
                "<>" if is_here(left) => plain(source, right).filter(|range| text[range.clone()].starts_with('/'))?,
                "|>" if is_here(left) && right.kind() == "call" => {
                    let all = arguments(right);
                    let target = right.child_by_field_name("target")?;
                    let [literal] = all[..] else { return None };
                    (of(target) == "Path.join").then(|| plain(source, literal)).flatten()?
                }
                _ => return None,
            }
        }
        // `"#{__DIR__}/x"`
        "string" if node.named_child_count() == 2 => {
            let (base, rest) = (node.named_child(0)?, node.named_child(1)?);
            let is_path = of(base) == "#{__DIR__}" && rest.kind() == "quoted_content" && of(rest).starts_with('/');
            is_path.then(|| rest.byte_range())?
        }
        _ => return None,
    };
    let written = text[range.clone()].trim_start_matches('/');
    (!written.contains('*')).then(|| (join(source.directory(), written), range))
}
