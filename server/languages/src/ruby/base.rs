//! Evaluates paths that begin with the file's own path: `__dir__`, `__FILE__`, calls of `File` and `Pathname` with these, and variables that
//! the file sets to one.

use std::ops::Range;

use tree_sitter::Node;

use pathfinder_literals::Source;
use pathfinder_literals::path::{is_dynamic, join, parent};
use pathfinder_syntax::string_ranges::string_content;

/// The deepest nesting of calls. Real code has at most three.
const MAX_DEPTH: usize = 6;

/// Evaluates an expression that ends in a literal to a path and the byte range of the literal. The path is `None` if
/// it leaves the root.
pub(super) fn evaluate_path(source: &Source<'_>, node: Node<'_>) -> Option<(Option<String>, Range<usize>)> {
    let text = source.text();
    let literal = |node: Node<'_>| {
        let range = (node.kind() == "string").then(|| string_content(text, node.byte_range())).flatten()?;
        (!range.is_empty() && !is_dynamic(&text[range.clone()])).then_some(range)
    };
    match node.kind() {
        // Interpolation: `"#{__dir__}/x"`.
        "string" => {
            let (first, second) = (node.named_child(0)?, node.named_child(1)?);
            if first.kind() != "interpolation" || second.kind() != "string_content" || node.named_child_count() != 2 {
                return None;
            }
            let base = evaluate_base(source, first.named_child(0)?, 0)?;
            let written = text[second.byte_range()].strip_prefix('/')?;
            Some((join(&base, written), second.byte_range()))
        }
        "binary" => {
            let left = node.child_by_field_name("left")?;
            let base = evaluate_base(source, left, 0)?;
            let range = literal(node.child_by_field_name("right")?)?;
            let written = text[range.clone()].strip_prefix('/');
            // `+` of a `Pathname` puts a slash between.
            let is_whole = || is_pathname(source, left, 0).then_some(&text[range.clone()]);
            Some((join(&base, written.or_else(is_whole)?), range))
        }
        "call" => {
            let arguments = node.child_by_field_name("arguments")?;
            let first = arguments.named_child(0)?;
            let Some(last) = arguments.named_child(1) else {
                // `File.expand_path(File.dirname(__FILE__) + '/a')`
                let is_whole = first.kind() == "binary" && called_method(source, node)? == "File.expand_path";
                return is_whole.then(|| evaluate_path(source, first)).flatten();
            };
            match called_method(source, node)? {
                "File.join" => {
                    let mut path = evaluate_base(source, first, 0);
                    let mut last = None;
                    for at in 1..arguments.named_child_count() {
                        let range = literal(arguments.named_child(at as u32)?)?;
                        path = join(&path?, &text[range.clone()]);
                        last = Some(range);
                    }
                    Some((path, last?))
                }
                "File.expand_path" => {
                    let base = evaluate_base(source, last, 0)?;
                    let range = literal(first)?;
                    Some((join(&base, &text[range.clone()]), range))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Evaluates an expression without literals to a path.
fn evaluate_base(source: &Source<'_>, node: Node<'_>, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    match &source.text()[node.byte_range()] {
        "__dir__" => return Some(source.directory().to_owned()),
        "__FILE__" => return Some(source.path().to_owned()),
        _ => {}
    }
    if node.kind() == "identifier" {
        return evaluate_base(source, value_of(source, node)?, depth + 1);
    }
    if node.kind() != "call" {
        return None;
    }
    let Some(arguments) = node.child_by_field_name("arguments") else {
        // `Pathname(__FILE__).dirname`
        let receiver = node.child_by_field_name("receiver")?;
        let inner = evaluate_base(source, receiver, depth + 1)?;
        return match &source.text()[node.child_by_field_name("method")?.byte_range()] {
            "dirname" | "parent" => Some(parent(&inner).to_owned()),
            "expand_path" | "realpath" | "to_s" => Some(inner),
            _ => None,
        };
    };
    let inner = evaluate_base(source, arguments.named_child(0)?, depth + 1)?;
    match called_method(source, node) {
        Some("File.dirname") => Some(parent(&inner).to_owned()),
        Some("File.expand_path" | "File.realpath") => Some(inner),
        _ => is_pathname(source, node, depth).then_some(inner),
    }
}

/// Returns whether an expression makes a `Pathname`: `Pathname(x)`, `Pathname.new(x)`, and methods of one.
fn is_pathname(source: &Source<'_>, node: Node<'_>, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let is_made = |node: Node<'_>| {
        let name = |field| node.child_by_field_name(field).map(|part: Node<'_>| &source.text()[part.byte_range()]);
        match (name("receiver"), name("method")) {
            (Some("Pathname"), Some("new")) | (None, Some("Pathname")) => true,
            (_, Some("to_s")) => false,
            _ => node.child_by_field_name("receiver").is_some_and(|receiver| is_pathname(source, receiver, depth + 1)),
        }
    };
    match node.kind() {
        "call" => is_made(node),
        "identifier" => value_of(source, node).is_some_and(|value| is_pathname(source, value, depth + 1)),
        _ => false,
    }
}

/// Returns the value that the file's own statements, outside of any class, set a variable to; `None` unless it is set once.
fn value_of<'t>(source: &Source<'_>, variable: Node<'t>) -> Option<Node<'t>> {
    /// Statements of a file that are looked at; those that set such a variable are among the first.
    const MAX_STATEMENTS: usize = 100;
    let text = |node: Node<'_>| &source.text()[node.byte_range()];
    let mut root = variable;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    let mut cursor = root.walk();
    let mut values = root.named_children(&mut cursor).take(MAX_STATEMENTS).filter_map(|node| {
        let is_set = node.kind() == "assignment" && text(node.child_by_field_name("left")?) == text(variable);
        if is_set { node.child_by_field_name("right") } else { None }
    });
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// The called method, with its receiver.
fn called_method<'t>(source: &'t Source<'_>, call: Node<'_>) -> Option<&'t str> {
    let (receiver, method) = (call.child_by_field_name("receiver")?, call.child_by_field_name("method")?);
    source.text().get(receiver.start_byte()..method.end_byte())
}
