//! Evaluates paths that are built from `__file__` with `/` or `os.path.join`.

use std::ops::Range;

use crate::python::kinds;
use pathfinder_syntax::grammars::{NodeKinds, PYTHON};
use tree_sitter::Node;

use crate::keyword_hits::KeywordHits;
use pathfinder_literals::path::{extension, is_dynamic, join, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Lookup, Reason, Report, Severity, Target, Verdict, Want};
use pathfinder_syntax::string_ranges::string_content;

static KINDS: NodeKinds = NodeKinds::new(&PYTHON, &["binary_operator", "call"]);

/// The limit of nested calls and operators.
const MAX_DEPTH: usize = 12;

/// Checks paths whose last part is a literal, in one part of the text. A nonexistent path is missing only if it is read
/// at once.
pub(super) fn check(report: &mut Report<'_>, root: Node<'_>, part: Range<usize>) {
    let at = part.start;
    let text = &report.source.text()[part];
    // Parts of a longer path begin within it.
    let mut done: Option<Range<usize>> = None;
    let hits = KeywordHits::find(text, &["__file__"]);
    for node in KINDS.nodes(root, hits.ranges()).into_iter().filter(|node| can_be_path(*node, text)) {
        if done.as_ref().is_some_and(|done| done.contains(&node.start_byte())) {
            continue;
        }
        let Some((path, Some(range))) = evaluate(report.source.path(), text, node, 0) else { continue };
        done = Some(node.byte_range());
        let path = path.filter(|path| !path.is_empty());
        let there = path.as_deref().filter(|path| report.project.tree().kind(path).is_some());
        let answer = if let Some(path) = there {
            (Verdict::Found(Target { path: path.to_owned() }), Vec::new())
        } else if is_read(text, node) || path.as_ref().is_some_and(|path| was_moved(report, path)) {
            let severity = severity_in(report.source.path(), Severity::Warning);
            Lookup::new(report.project, Want::Any).verdict(severity, [path])
        } else {
            unknown(Reason::Optional)
        };
        report.add(kinds::PATH, at + range.start, range.len(), answer);
    }
}

/// Returns whether a commit moved a path, so that it is no output of the program.
fn was_moved(report: &Report<'_>, path: &str) -> bool {
    report.project.tree().moved(path).is_some_and(|moved| extension(&moved.to) == extension(path))
}

/// Returns whether a node can be a path with a literal behind `__file__`.
fn can_be_path(node: Node<'_>, text: &str) -> bool {
    if node.kind() == "binary_operator" {
        return node.child_by_field_name("right").is_some_and(|right| right.kind() == "string");
    }
    let function = node.child_by_field_name("function").filter(|function| function.kind() == "attribute");
    let name = function.and_then(|function| function.child_by_field_name("attribute"));
    name.is_some_and(|name| text.get(name.byte_range()) == Some("join"))
}

/// The path of an expression (the inner `None`: out of the root), and the range of its last literal within the part.
type EvaluatedPath = (Option<String>, Option<Range<usize>>);

/// Evaluates an expression that is built from `__file__`; `None` for any other.
fn evaluate(file: &str, text: &str, node: Node<'_>, depth: usize) -> Option<EvaluatedPath> {
    let written = &text[node.byte_range()];
    if depth > MAX_DEPTH {
        return None;
    }
    let to_parent =
        |(path, _): EvaluatedPath| (path.filter(|path| !path.is_empty()).map(|path| parent(&path).to_owned()), None);
    match node.kind() {
        "identifier" if written == "__file__" => Some((Some(file.to_owned()), None)),
        "parenthesized_expression" => evaluate(file, text, node.named_child(0)?, depth + 1),
        "binary_operator" if &text[node.child_by_field_name("operator")?.byte_range()] == "/" => {
            let (base, _) = evaluate(file, text, node.child_by_field_name("left")?, depth + 1)?;
            let range = literal(text, node.child_by_field_name("right")?)?;
            Some((base.and_then(|base| join(&base, &text[range.clone()])), Some(range)))
        }
        "attribute" => {
            let base = evaluate(file, text, node.child_by_field_name("object")?, depth + 1)?;
            (&text[node.child_by_field_name("attribute")?.byte_range()] == "parent").then(|| to_parent(base))
        }
        // parents[1]
        "subscript" => {
            let value = node.child_by_field_name("value")?;
            let object = value.child_by_field_name("object")?;
            let levels: usize = text[node.child_by_field_name("subscript")?.byte_range()].parse().ok()?;
            if !text[value.byte_range()].ends_with(".parents") || levels > MAX_DEPTH {
                return None;
            }
            let base = evaluate(file, text, object, depth + 1)?;
            Some((0..=levels).fold(base, |base, _| to_parent(base)))
        }
        "call" => {
            let function = node.child_by_field_name("function")?;
            let arguments = node.child_by_field_name("arguments")?;
            let called = &text[function.byte_range()];
            let first = || arguments.named_child(0);
            match called.rsplit('.').next()? {
                "Path" | "PurePath" | "abspath" | "realpath" | "normpath" | "str" => {
                    evaluate(file, text, first()?, depth + 1)
                }
                "dirname" => Some(to_parent(evaluate(file, text, first()?, depth + 1)?)),
                "resolve" | "absolute" => evaluate(file, text, function.child_by_field_name("object")?, depth + 1),
                "join" if called.ends_with("path.join") => {
                    let (mut path, _) = evaluate(file, text, first()?, depth + 1)?;
                    let mut last = None;
                    for index in 1..arguments.named_child_count() {
                        let range = literal(text, arguments.named_child(u32::try_from(index).ok()?)?)?;
                        path = path.and_then(|path| join(&path, &text[range.clone()]));
                        last = Some(range);
                    }
                    Some((path, last))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The range of a relative string without interpolation.
fn literal(text: &str, node: Node<'_>) -> Option<Range<usize>> {
    let range = (node.kind() == "string").then(|| string_content(text, node.byte_range())).flatten()?;
    let is_plain = !text[node.start_byte()..range.start].contains(['f', 'F']);
    let literal = &text[range.clone()];
    (is_plain
        && !literal.is_empty()
        && !literal.starts_with('/')
        && !is_dynamic(literal)
        && !literal.contains(['*', '{', '%']))
    .then_some(range)
}

/// Returns whether a path is opened for reading where it is built.
fn is_read(text: &str, node: Node<'_>) -> bool {
    let before = text[..node.start_byte()].trim_end();
    let after = text[node.end_byte()..].trim_start();
    let reads = [".read_text(", ".read_bytes(", ".open()", ".open(\"r", ".open('r"];
    let after_bracket = after.strip_prefix(')').unwrap_or_default();
    if before.ends_with('(') && reads.iter().any(|read| after_bracket.starts_with(read)) {
        return true;
    }
    // `open(path)`, or with a mode that reads; a file that is written need not exist.
    let mode = after.strip_prefix(',').unwrap_or_default().trim_start();
    let reads = after.starts_with(')')
        || mode.starts_with(['"', '\'']) && mode[1..].starts_with('r') && !mode[1..].starts_with("r+");
    let opened = before.strip_suffix("open(").is_some_and(|before| {
        !before.ends_with(|c: char| c == '.' || c == '_' || c.is_alphanumeric()) || before.ends_with("io.")
    });
    opened && reads
}
