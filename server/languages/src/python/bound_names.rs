//! Edits the uses of a module that `import a.b` binds when the import gets another name: `a.b.run()` becomes `c.b.run()`.

use std::ops::Range;

use pathfinder_literals::{Checked, Source};
use pathfinder_syntax::grammars::PYTHON;
use tree_sitter::Node;

use super::kinds;

/// Returns the edits of the uses of an import that becomes `new`; `None` if the file uses or binds its first name in another way, so that it
/// is not known which uses lead to the module: `a.other` needs an import of its own, which still binds `a`. An import with `as`, or of
/// names from a module, binds no name of the module.
pub(super) fn edit_uses(source: &Source<'_>, literal: &Checked, new: &str) -> Option<Vec<(Range<usize>, String)>> {
    let (text, skipped) = (source.text(), source.offset());
    let range = literal.range.start.checked_sub(skipped)?..literal.range.end.checked_sub(skipped)?;
    let old = text.get(range.clone())?;
    let line = text[..range.start].rsplit('\n').next().unwrap_or_default();
    if literal.kind != kinds::IMPORT || old == new || !line.trim_start().starts_with("import") {
        return Some(Vec::new());
    }
    let tree = source.parse(&PYTHON)?;
    let own = tree.root_node().descendant_for_byte_range(range.start, range.end).and_then(statement_of);
    let Some(own) = own.filter(|statement| statement.kind() == "import_statement") else { return Some(Vec::new()) };
    let first = old.split('.').next()?;
    let (mut edits, mut is_shared, mut has_other) = (Vec::new(), false, false);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        // Words of texts, parts of longer names, fields and names of arguments mean something else.
        if is_name(node) && text.get(node.byte_range()) == Some(first) {
            if is_binding(node) {
                return None;
            } else if let Some(statement) = statement_of(node) {
                is_shared |= statement != own && statement.kind() == "import_statement";
            } else {
                let used = dotted_from(node, old.split('.').count());
                if text.get(used.clone()) == Some(old) {
                    edits.push((used.start + skipped..used.end + skipped, new.to_owned()));
                } else {
                    has_other = true;
                }
            }
        }
        if !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return (!has_other || is_shared).then_some(edits);
                }
            }
        }
    }
}

/// The import of a module without `as` in which a name stands, or another statement that imports it.
fn statement_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut above = std::iter::successors(Some(node), Node::parent);
    above.find(|node| matches!(node.kind(), "import_statement" | "import_from_statement" | "aliased_import"))
}

/// Returns whether a node is a name of its own, and not a field or the name of an argument.
fn is_name(node: Node<'_>) -> bool {
    let field = |parent: Node<'_>, name: &str| parent.child_by_field_name(name) == Some(node);
    node.kind() == "identifier"
        && node.parent().is_none_or(|parent| match parent.kind() {
            "attribute" => !field(parent, "attribute"),
            "keyword_argument" => !field(parent, "name"),
            _ => true,
        })
}

/// Returns whether a name is bound here: a parameter, a variable, a function, a class, what an import takes from another module.
fn is_binding(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is = |name: &str| parent.child_by_field_name(name) == Some(node);
    match parent.kind() {
        "aliased_import" => is("alias"),
        "dotted_name" => parent.parent().is_some_and(|above| {
            let is_taken = |at: u32| above.child(at) == Some(parent) && above.field_name_for_child(at) == Some("name");
            above.kind() == "import_from_statement" && (0..above.child_count()).any(is_taken)
        }),
        "parameters"
        | "lambda_parameters"
        | "typed_parameter"
        | "list_splat_pattern"
        | "dictionary_splat_pattern"
        | "pattern_list"
        | "tuple_pattern"
        | "as_pattern_target"
        | "global_statement"
        | "nonlocal_statement" => true,
        "default_parameter"
        | "typed_default_parameter"
        | "function_definition"
        | "class_definition"
        | "named_expression" => is("name"),
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => is("left"),
        _ => false,
    }
}

/// The range of a name and the fields after it, up to a number of names.
fn dotted_from(node: Node<'_>, count: usize) -> Range<usize> {
    let mut last = node;
    for _ in 1..count {
        match last.parent().filter(|parent| parent.kind() == "attribute") {
            Some(parent) if parent.child_by_field_name("object") == Some(last) => last = parent,
            _ => break,
        }
    }
    node.start_byte()..last.end_byte()
}

#[cfg(test)]
mod tests {
    use pathfinder_literals::{Checked, Source, Verdict};

    use super::edit_uses;
    use crate::python::kinds;

    #[test]
    fn edits_the_uses_of_a_module() {
        let check = |text: &str, old: &str, new: &str, expect: Option<&str>| {
            let source = Source::new("a.py", text.as_bytes()).expect("a text");
            let at = text.find(old).expect("the import");
            let verdict = Verdict::Unknown(pathfinder_literals::Reason::Elsewhere);
            let literal = Checked { kind: kinds::IMPORT, range: at..at + old.len(), verdict, tried: Vec::new() };
            let edited = edit_uses(&source, &literal, new).map(|edits| {
                let all = edits.into_iter().chain([(literal.range.clone(), new.to_owned())]);
                let mut all: Vec<_> = all.collect();
                all.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
                let mut text = text.to_owned();
                for (range, new) in all {
                    text.replace_range(range, &new);
                }
                text
            });
            assert_eq!(edited.as_deref(), expect, "{text}");
        };
        check("import a.b\nx = a.b.run(a=a.b)\n", "a.b", "c.b", Some("import c.b\nx = c.b.run(a=c.b)\n"));
        check("import a\na.run(x.a, 'a')\n# a\n", "a", "c", Some("import c\nc.run(x.a, 'a')\n# a\n"));
        check("import a.b\nimport a.d\na.d.f(a.b)\n", "a.b", "c.b", Some("import c.b\nimport a.d\na.d.f(c.b)\n"));
        check("import a.b as d\nd.run()\na = 1\n", "a.b", "c.b", Some("import c.b as d\nd.run()\na = 1\n"));
        check("from a.b import d\na = 1\n", "a.b", "c.b", Some("from c.b import d\na = 1\n"));
        // Another use of the first name, or another binding.
        check("import a.b\nprint(a)\n", "a.b", "c.b", None);
        check("import a.b\nfrom a import d\nprint(a)\n", "a.b", "c.b", None);
        check("import a.b\nfrom d import a\n", "a.b", "c.b", None);
        check("import a.b\nimport d as a\n", "a.b", "c.b", None);
        check("import a\ndef f(a):\n  return a\n", "a", "c", None);
    }
}
