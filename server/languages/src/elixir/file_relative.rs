//! Recognizes paths relative to the file's directory: `Path.join(__DIR__, "x")` and similar expressions.

use std::ops::Range;

use tree_sitter::Node;

use pathfinder_literals::Source;
use pathfinder_literals::path::{is_dynamic, join};

/// The range of a string without interpolation.
pub(super) fn plain_string(source: &Source<'_>, node: Node<'_>) -> Option<Range<usize>> {
    let content = (node.kind() == "string" && node.named_child_count() == 1).then(|| node.named_child(0)).flatten()?;
    let text = &source.text()[content.byte_range()];
    let is_plain = content.kind() == "quoted_content" && !text.contains(['\n', '\\']) && !is_dynamic(text);
    is_plain.then(|| content.byte_range())
}

/// The arguments of a call, without a block.
pub(super) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = call.walk();
    let list = call.named_children(&mut cursor).find(|child| child.kind() == "arguments");
    list.map(|list| list.named_children(&mut list.walk()).collect()).unwrap_or_default()
}

/// The path of an expression that joins the file's directory and one literal, and the range of the literal. The path is
/// `None` if it leads out of the root.
pub(super) fn file_relative_path(source: &Source<'_>, node: Node<'_>) -> Option<(Option<String>, Range<usize>)> {
    let text = source.text();
    let written = |node: Node<'_>| &text[node.byte_range()];
    let is_here = |node: Node<'_>| written(node) == "__DIR__";
    let range = match node.kind() {
        "call" => {
            let all = arguments(node);
            match (written(node.child_by_field_name("target")?), all.as_slice()) {
                ("Path.join", [base, literal]) if is_here(*base) => plain_string(source, *literal)?,
                ("Path.expand", [literal, base]) if is_here(*base) => plain_string(source, *literal)?,
                ("Path.join", [list]) if list.kind() == "list" && list.named_child_count() == 2 => {
                    let (base, literal) = (list.named_child(0)?, list.named_child(1)?);
                    is_here(base).then(|| plain_string(source, literal)).flatten()?
                }
                _ => return None,
            }
        }
        "binary_operator" => {
            let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
            let operator = text[left.end_byte()..right.start_byte()].trim();
            match operator {
                "<>" if is_here(left) => {
                    plain_string(source, right).filter(|range| text[range.clone()].starts_with('/'))?
                }
                "|>" if is_here(left) && right.kind() == "call" => {
                    let all = arguments(right);
                    let target = right.child_by_field_name("target")?;
                    let [literal] = all[..] else { return None };
                    (written(target) == "Path.join").then(|| plain_string(source, literal)).flatten()?
                }
                _ => return None,
            }
        }
        // `"#{__DIR__}/x"`
        "string" if node.named_child_count() == 2 => {
            let (base, rest) = (node.named_child(0)?, node.named_child(1)?);
            let is_path =
                written(base) == "#{__DIR__}" && rest.kind() == "quoted_content" && written(rest).starts_with('/');
            is_path.then(|| rest.byte_range())?
        }
        _ => return None,
    };
    let literal = text[range.clone()].trim_start_matches('/');
    (!literal.contains('*')).then(|| (join(source.directory(), literal), range))
}
