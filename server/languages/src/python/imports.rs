//! Finds the imports of a syntax tree, and which of them may fail.

use std::ops::Range;

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use crate::keyword_hits::KeywordHits;
use pathfinder_literals::path::head;

/// A module in an import statement.
pub(super) struct PythonImport {
    /// The byte range of the module: dots and names.
    pub(super) module: Range<usize>,
    /// The names that are imported from the module; empty for `import a`.
    pub(super) names: Vec<Range<usize>>,
    /// True if the file also works without the module.
    pub(super) is_optional: bool,
}

impl PythonImport {
    /// Moves all ranges by this many bytes.
    pub(super) fn shifted(mut self, by: usize) -> Self {
        for range in self.names.iter_mut().chain([&mut self.module]) {
            *range = range.start + by..range.end + by;
        }
        self
    }
}

/// Nodes that can contain statements. Expressions contain no imports and are skipped.
const STATEMENT_NODES: [&str; 18] = [
    "ERROR",
    "block",
    "case_clause",
    "class_definition",
    "decorated_definition",
    "elif_clause",
    "else_clause",
    "except_clause",
    "finally_clause",
    "for_statement",
    "function_definition",
    "if_statement",
    "match_statement",
    "module",
    "try_statement",
    "while_statement",
    "with_statement",
    "except_group_clause",
];

/// All imports below a node. Statements without the word are skipped.
///
/// One walk is enough: asking each statement for its parents would take quadratic time.
pub(super) fn find_imports(root: Node<'_>, text: &str) -> Vec<PythonImport> {
    let mut imports = Vec::new();
    let hits = KeywordHits::find(text, &["import"]);
    let mut cursor = root.walk();
    // The depth of the outermost enclosing statement that makes imports optional.
    let mut optional_from: Option<u32> = None;
    // The clause of it that imports another package if the tried one is not installed, and the packages that were tried.
    let mut fallback: Option<(u32, FxHashSet<&str>)> = None;
    loop {
        let node = cursor.node();
        let depth = cursor.depth();
        if optional_from.is_some_and(|from| depth <= from) {
            optional_from = None;
        }
        if fallback.as_ref().is_some_and(|(from, _)| depth <= *from) {
            fallback = None;
        }
        match node.kind() {
            "import_statement" | "import_from_statement" => {
                let package =
                    node.child_by_field_name("module_name").map_or("", |module| package_of(&text[module.byte_range()]));
                let is_needed =
                    fallback.as_ref().is_some_and(|(_, tried)| !package.is_empty() && !tried.contains(package));
                collect_modules(node, text, optional_from.is_some() && !is_needed, &mut imports);
            }
            kind if hits.has_hit_in(&node.byte_range()) && STATEMENT_NODES.contains(&kind) => {
                let is_optional = is_optional(node, text);
                if optional_from.is_none() && is_optional {
                    optional_from = Some(depth);
                } else if is_optional {
                    fallback = None;
                }
                if optional_from.is_some_and(|from| depth == from + 1) && kind == "except_clause" {
                    fallback = node.parent().map(|parent| (depth, tried_packages(parent, text)));
                }
                if cursor.goto_first_child() {
                    continue;
                }
            }
            _ => {}
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return imports;
            }
        }
    }
}

/// The first names of the modules that the body of a `try` imports.
fn tried_packages<'t>(statement: Node<'_>, text: &'t str) -> FxHashSet<&'t str> {
    let body = statement.child_by_field_name("body").map_or("", |body| &text[body.byte_range()]);
    let module = |line: &'t str| {
        let line = line.trim_start();
        line.strip_prefix("from ").or_else(|| line.strip_prefix("import ")).map(str::trim_start)
    };
    body.lines().filter_map(module).map(package_of).collect()
}

/// The first name of a module; empty for a relative one.
fn package_of(module: &str) -> &str {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    &module[..module.find(|c| !is_name(c)).unwrap_or(module.len())]
}

/// Collects the modules of one statement.
fn collect_modules(node: Node<'_>, text: &str, is_optional: bool, imports: &mut Vec<PythonImport>) {
    let is_optional = is_optional || is_suppressed(&text[node.start_byte()..], node.end_byte() - node.start_byte());
    let plain = |node: Node<'_>| match node.kind() {
        "aliased_import" => node.child_by_field_name("name").map(|name| name.byte_range()),
        "dotted_name" => Some(node.byte_range()),
        _ => None,
    };
    let mut cursor = node.walk();
    let names = node.children_by_field_name("name", &mut cursor).filter_map(plain);
    if node.kind() == "import_statement" {
        imports.extend(names.map(|module| PythonImport { module, names: Vec::new(), is_optional }));
    } else {
        let names = names.collect();
        if let Some(module) = node.child_by_field_name("module_name") {
            imports.push(PythonImport { module: module.byte_range(), names, is_optional });
        }
    }
}

/// Returns the range of the module in `from a import b`, whose only name is at `name`.
pub(super) fn module_of_only_name(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let line_start = text.get(..name.start)?.rfind('\n').map_or(0, |at| at + 1);
    let head = &text[line_start..name.start];
    let rest = head.trim_start().strip_prefix("from")?;
    let module = rest.trim_start();
    let (module, import) = module.split_at(module.find(char::is_whitespace)?);
    let is_plain = rest.starts_with(char::is_whitespace) && import.trim() == "import";
    let after = text.get(name.end..)?.lines().next().unwrap_or_default();
    let after = after.split(['#', ';']).next().unwrap_or_default().trim();
    let is_last = after.is_empty() || after.strip_prefix("as ").is_some_and(|alias| is_identifier(alias.trim()));
    let end = name.start - import.len();
    (is_plain && is_last).then(|| end - module.len()..end)
}

/// Returns whether a text is one name. The parser takes the rest of `packages/six.py` for an error and goes on.
pub(super) fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Only this much of a comment is read; suppression marks are shorter.
const MAX_COMMENT_BYTES: usize = 200;

/// Returns whether a comment after a statement of `length` bytes suppresses warnings about its import.
pub(super) fn is_suppressed(text: &str, length: usize) -> bool {
    let rest = head(&text[length..], MAX_COMMENT_BYTES);
    let end = length + rest.find('\n').unwrap_or(rest.len());
    let mut lines = text[..end].lines().filter_map(|line| line.split_once('#'));
    lines.any(|(_, comment)| {
        let (_, ignored) = comment.split_once("ignore").or_else(|| comment.split_once("disable")).unwrap_or_default();
        let bare = comment.trim_start().starts_with("type: ignore") && !ignored.trim_start().starts_with('[');
        bare || ["import", "reportMissing", "unresolved", "E0401"].iter().any(|word| ignored.contains(word))
    })
}

/// Returns whether imports in a statement may fail: the error is caught, or the statement is for some systems only.
fn is_optional(node: Node<'_>, text: &str) -> bool {
    let field = |name: &str| node.child_by_field_name(name).map(|node| &text[node.byte_range()]);
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    match node.kind() {
        "try_statement" => {
            let mut cursor = node.walk();
            let clauses = node.children(&mut cursor).filter(|node| node.kind().starts_with("except"));
            clauses.into_iter().any(|clause| {
                let first = text[clause.byte_range()].split_once('\n').map_or("", |(head, _)| head);
                first.trim_end().ends_with("except:")
                    || has(first, &["ImportError", "ModuleNotFound", "Exception", "AttributeError", "except ("])
            })
        }
        "if_statement" | "elif_clause" => {
            const SYSTEMS: [&str; 12] = [
                "version",
                "platform",
                "PY2",
                "PY3",
                "os.name",
                "find_spec",
                "has_",
                "HAS_",
                "False",
                "WINDOWS",
                "WIN",
                "PYPY",
            ];
            field("condition").is_some_and(|condition| condition == "0" || has(condition, &SYSTEMS))
        }
        "with_statement" => {
            let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
            has(&text[node.start_byte()..end], &["suppress(", "raises(", "sys.modules", "skip", "patch"])
        }
        "decorated_definition" => {
            let end = node.child_by_field_name("definition").map_or(node.end_byte(), |body| body.start_byte());
            decorators_can_skip(&text[node.start_byte()..end])
        }
        _ => false,
    }
}

/// Returns whether decorators can keep a function from running, or replace what it imports.
pub(super) fn decorators_can_skip(decorators: &str) -> bool {
    ["skip", "xfail", "patch"].iter().any(|word| decorators.contains(word))
}
