//! Finds the `ModuleLiteral`s of a script, with the context that decides whether a module must exist.

use std::cell::LazyCell;
use std::ops::Range;

use pathfinder_syntax::grammars::{Grammar, JAVASCRIPT, NodeKinds, TSX, TYPESCRIPT, Tree};
use tree_sitter::Node;

use super::amd;
use super::comments::{find_comment_types, find_reference_comments};
use super::head::ScriptHead;
use super::hidden_words::find_code_hits;
use crate::keyword_hits::{KeywordHits, line_before};
use pathfinder_syntax::string_ranges::{is_within_any, string_content};

/// The nodes that can name a module, in all grammars. [`classify`] looks at their parts.
const COMMON_KINDS: [&str; 4] = ["import_statement", "export_statement", "call_expression", "new_expression"];
/// The nodes of TypeScript: it also has imports of a module by `require`, and blocks that add to another module.
const TYPED_KINDS: [&str; 6] =
    ["import_statement", "export_statement", "call_expression", "new_expression", "import_require_clause", "module"];

static JAVASCRIPT_KINDS: NodeKinds = NodeKinds::new(&JAVASCRIPT, &COMMON_KINDS);
static TYPESCRIPT_KINDS: NodeKinds = NodeKinds::new(&TYPESCRIPT, &TYPED_KINDS);
static TSX_KINDS: NodeKinds = NodeKinds::new(&TSX, &TYPED_KINDS);

/// Ancestors of a call to search. Only generated code is nested deeper.
const MAX_ANCESTORS: usize = 24;
/// Texts of this size with an average line above [`MAX_AVERAGE_LINE_BYTES`] are generated.
const MIN_GENERATED_BYTES: usize = 20_000;
/// The longest average line of handwritten code: minified code has thousands of bytes in a line, handwritten code
/// about thirty.
const MAX_AVERAGE_LINE_BYTES: usize = 300;

/// Calls of one file to examine for context. The search is slow for many calls, and handwritten files have
/// about a hundred.
const MAX_EXAMINED_CALLS: usize = 2_000;

/// Each construct that names a module contains one of these words.
const KEYWORDS: [&str; 7] = ["from", "import", "jest", "module", "require", "vi", "vitest"];

/// The methods of `require`, `jest`, `vi` and `vitest` that take a module.
const METHODS: [&str; 14] = [
    "createMockFromModule",
    "deepUnmock",
    "doMock",
    "doUnmock",
    "dontMock",
    "genMockFromModule",
    "importActual",
    "importMock",
    "mock",
    "requireActual",
    "requireMock",
    "resolve",
    "setMock",
    "unmock",
];

/// The syntax of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptSyntax {
    /// JavaScript with JSX; Flow's types are parsed too.
    Plain,
    /// TypeScript.
    Typed,
    /// TypeScript with JSX.
    Tsx,
}

/// The construct that contains a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    /// `import … from`, `export … from`.
    Import,
    /// `import()`.
    Dynamic,
    /// `require`, `require.resolve`, `import x = require()`.
    Require,
    /// `jest.mock`, `vi.mock` and similar calls.
    Mock,
    /// `new URL(…, import.meta.url)`.
    Url,
    /// `declare module './x'`.
    Module,
    /// `/// <reference path="…" />`.
    Reference,
    /// `@type {import('…')}` in a comment.
    CommentType,
}

/// One specifier in a script.
pub(super) struct ModuleLiteral {
    pub(super) range: Range<usize>,
    pub(super) construct: Construct,
    /// True if the code handles a missing module.
    pub(super) is_optional: bool,
}

/// Returns whether a text can contain literals and is handwritten.
pub(super) fn can_have_literals(text: &str) -> bool {
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    let lines = || memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    let words = ["import", "require", "from", "mock", "Mock", "<reference", "module", "define(["];
    // Translations of Qt are XML with the extension of TypeScript.
    !text.starts_with("<?xml")
        && !text.starts_with("<!DOCTYPE")
        && words.iter().any(|word| has(word))
        && (text.len() < MIN_GENERATED_BYTES || text.len() / lines() < MAX_AVERAGE_LINE_BYTES)
}

/// Returns the literals of a script in order; `parse` creates its syntax tree.
pub(super) fn find_literals(
    text: &str,
    script: ScriptSyntax,
    parse: &dyn Fn(&Grammar) -> Option<Tree>,
) -> Vec<ModuleLiteral> {
    let mut found = find_reference_comments(text);
    found.extend(amd::find_dependencies(text));
    if script == ScriptSyntax::Plain {
        found.extend(find_comment_types(text));
    }
    let flow = script == ScriptSyntax::Plain && (text.contains("@flow") || text.contains("import type"));
    let (grammar, kinds): (&Grammar, &NodeKinds) = match script {
        ScriptSyntax::Plain if !flow => (&JAVASCRIPT, &JAVASCRIPT_KINDS),
        ScriptSyntax::Typed => (&TYPESCRIPT, &TYPESCRIPT_KINDS),
        ScriptSyntax::Plain | ScriptSyntax::Tsx => (&TSX, &TSX_KINDS),
    };
    let comments = LazyCell::new(|| find_doc_comments(text));
    // Samples in documentation import modules too.
    let is_in_comment = |at: usize| {
        let Some(line) = line_before(text, at) else { return false };
        let line = line.trim_start();
        let is_comment = line.starts_with("//") || line.starts_with('*') && is_within_any(&comments, at);
        // In a template string, such a line can contain code.
        is_comment && !line.contains("${")
    };
    let hits = KeywordHits::find(text, &KEYWORDS)
        .filter(|range| can_begin_literal(text, range) && !is_in_comment(range.start));
    if hits.ranges().is_empty() {
        return found;
    }
    let is_typed = script != ScriptSyntax::Plain || flow;
    let head = ScriptHead::read(text, is_typed);
    let is_read = |hits: &KeywordHits| {
        let end = head.as_ref().map_or(0, |head| head.end);
        hits.ranges().last().is_none_or(|last| last.end <= end)
    };
    let hits = if is_read(&hits) { hits } else { without_strings(text, hits, script != ScriptSyntax::Typed) };
    if is_read(&hits) {
        let literal = |range| ModuleLiteral { range, construct: Construct::Import, is_optional: false };
        found.extend(head.into_iter().flat_map(|head| head.modules).map(literal));
        return found;
    }
    // Calls depend on the code around them.
    let has_calls = !hits.ranges().iter().all(|range| is_statement(text, range));
    let head = if has_calls { None } else { hits.parse_head(text, grammar) };
    let part = head.or_else(|| hits.parse_outline(text, grammar));
    let Some(tree) = part.or_else(|| parse(grammar)) else { return found };
    let has_foreign_require = LazyCell::new(|| creates_foreign_require(text));
    let is_parameter = LazyCell::new(|| {
        let parameters = ["(require,", "(require)", ",require,", ", require,", ",require)", ", require)", "require =>"];
        parameters.iter().any(|parameter| text.contains(parameter))
    });
    let mut calls = 0;
    for node in kinds.nodes(tree.root_node(), hits.ranges()) {
        let Some((construct, node)) = classify(node, text) else { continue };
        let Some(range) = string_content(text, node.byte_range()) else { continue };
        // A computed specifier is skipped.
        if range.is_empty() || is_template(node) {
            continue;
        }
        let is_call = !matches!(construct, Construct::Import | Construct::Module);
        calls += usize::from(is_call);
        if is_call && calls > MAX_EXAMINED_CALLS {
            continue;
        }
        let is_shadowed = || *is_parameter && is_shadowed(node, text, text[range.clone()].starts_with('.'));
        if construct == Construct::Require && (*has_foreign_require || is_shadowed()) {
            continue;
        }
        found.push(ModuleLiteral {
            range,
            construct,
            is_optional: is_call && (is_guarded(node, text) || has_search_paths(node, text)),
        });
    }
    if tree.root_node().has_error() {
        add_proposed_exports(text, &mut found);
    }
    found
}

/// Returns whether a keyword can begin a literal, or a comment before it. `from`, `module` and `require` are also words
/// of prose and parts of names.
fn can_begin_literal(text: &str, range: &Range<usize>) -> bool {
    let rest = text[range.end..].trim_start();
    let goes_on = |marks: &[char]| rest.starts_with('/') || rest.starts_with(marks);
    match &text[range.clone()] {
        "from" => goes_on(&['"', '\'']) && ends_clause(text, range.start),
        // A block for another package, which names no file.
        "module" if rest.starts_with(['"', '\'']) => rest[1..].starts_with('.'),
        "module" => goes_on(&['`']),
        "import" => {
            begins_argument(rest)
                && begins_clause(&text[..range.start], rest)
                && !rest.strip_prefix(".meta").and_then(member).is_some_and(|name| !matches!(name, "resolve" | "url"))
        }
        // A call, also with types (`require<A>('a')`), or one of a member.
        "require" | "jest" | "vi" | "vitest" => {
            goes_on(&['(', '.', '?', '!', '<', ')', '`'])
                && begins_argument(rest)
                && member(rest).is_none_or(|name| METHODS.contains(&name))
        }
        _ => true,
    }
}

/// Returns whether a character can be one of the names between `import` or `export` and `from`, or beside them.
fn is_clause_char(c: char) -> bool {
    c.is_alphanumeric() || c.is_whitespace() || !c.is_ascii() || matches!(c, '_' | '$' | '{' | '}' | ',' | '*')
}

/// Returns whether `import` between these texts can begin a statement or a call. It is also a word of prose and a part of names.
fn begins_clause(before: &str, rest: &str) -> bool {
    match rest.chars().next() {
        Some('(' | '/' | '\\') => return true,
        Some('.') => {
            let rest = rest[1..].trim_start();
            return ["meta", "defer", "source", "/"].iter().any(|start| rest.starts_with(start));
        }
        _ => {}
    }
    if before.ends_with(['-', '.', '@', '#', '"', '\'', '`']) || before.ends_with('/') && !before.ends_with("*/") {
        return false;
    }
    let rest = rest.trim_start_matches(is_clause_char);
    match rest.chars().next() {
        Some('"' | '\'' | '/' | '\\') => true,
        // `import a = require('a')`, and no alias of a namespace.
        Some('=') => rest[1..].trim_start().starts_with(['r', '/']),
        _ => false,
    }
}

/// Returns whether `from` at an offset can follow the names of `import` or `export`. It is also a word of prose.
fn ends_clause(text: &str, at: usize) -> bool {
    /// No statement has more names. A text that goes on like this further back is kept.
    const MAX_CLAUSE_BYTES: usize = 16 << 10;
    let nearest = text.ceil_char_boundary(at.saturating_sub(MAX_CLAUSE_BYTES));
    let before = &text[nearest..at];
    let start = before.trim_end_matches(is_clause_char);
    let clause = &before[start.len()..];
    if clause.contains("import") || clause.contains("export") || start.is_empty() && nearest > 0 {
        return true;
    }
    // A comment can be anywhere, and a name can be a string: `* as "a"`.
    let line = start.lines().next_back().unwrap_or_default();
    let is_statement = ["//", "/*", "import", "export"].iter().any(|word| line.contains(word));
    is_statement || clause.trim_end().ends_with('}') || start.ends_with(['/', '\\'])
}

/// Returns whether a text that begins with a parenthesis goes on with a string or a comment. Any other text can be one of a literal.
fn begins_argument(rest: &str) -> bool {
    rest.strip_prefix('(').is_none_or(|inside| inside.trim_start().starts_with(['"', '\'', '`', '/']))
}

/// Returns the name directly after a dot at the beginning of a text; `None` if anything else is there.
fn member(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix('.')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty() && !rest[end..].starts_with(['_', '$', '\\']))
}

/// The block comments that begin a line and whose further lines begin with `*`, without their last line.
fn find_doc_comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut open, mut at) = (None, 0);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let is_closed = trimmed.contains("*/");
        match open {
            Some(_) if !is_closed && trimmed.starts_with('*') => {}
            Some(start) => {
                found.push(start..at);
                open = None;
            }
            None if !is_closed && trimmed.starts_with("/*") => open = Some(at),
            None => {}
        }
        at += line.len();
    }
    found
}

/// Returns whether a keyword belongs to an `import` or `export` statement with a source, and not to `import()`,
/// `import.meta` or `import x = require()`.
fn is_statement(text: &str, range: &Range<usize>) -> bool {
    match text.get(range.clone()) {
        Some("from") => true,
        Some("import") => {
            let before = text[..range.start].trim_end_matches([' ', '\t']);
            (before.is_empty() || before.ends_with('\n'))
                && !text[range.end..].trim_start().starts_with(['(', '.', '/'])
        }
        _ => false,
    }
}

/// Removes the hits in strings, templates and comments. Those of a text that the grammar may not accept are kept.
fn without_strings(text: &str, hits: KeywordHits, has_markup: bool) -> KeywordHits {
    let mut proposed = Vec::new();
    add_proposed_exports(text, &mut proposed);
    match find_code_hits(text, hits.ranges(), has_markup) {
        Some(code) if proposed.is_empty() => hits.with_only(code),
        _ => hits,
    }
}

/// Adds `export a from './a'`, a syntax that was proposed, occurs in old code, and is in no grammar.
fn add_proposed_exports(text: &str, found: &mut Vec<ModuleLiteral>) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = line.strip_prefix("export ").and_then(|rest| rest.split_once(" from "));
        let named = rest.filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$'));
        if let Some((name, quoted)) = named {
            let start = at + "export ".len() + name.len() + " from ".len();
            let mark = quoted.chars().next().filter(|mark| matches!(mark, '"' | '\''));
            let length = mark.and_then(|mark| quoted[1..].find(mark)).unwrap_or(0);
            let range = start + 1..start + 1 + length;
            if length > 0 && !found.iter().any(|literal| literal.range == range) {
                found.push(ModuleLiteral { range, construct: Construct::Import, is_optional: false });
            }
        }
        at += line.len();
    }
}

/// The construct of a node, and the node of its literal.
fn classify<'t>(node: Node<'t>, text: &str) -> Option<(Construct, Node<'t>)> {
    let field = |name: &str| node.child_by_field_name(name);
    let string = |name: &str| field(name).filter(|node| node.kind() == "string");
    let text_of = |node: Node<'_>| text.get(node.byte_range());
    match node.kind() {
        "import_statement" | "export_statement" => Some((Construct::Import, string("source")?)),
        "import_require_clause" => Some((Construct::Require, string("source")?)),
        "module" => Some((Construct::Module, string("name")?)),
        "call_expression" => {
            let function = field("function")?;
            let construct = match function.kind() {
                "import" => Construct::Dynamic,
                "identifier" if text_of(function)? == "require" => Construct::Require,
                "member_expression" => {
                    let method = function.child_by_field_name("property")?;
                    let object = text_of(function.child_by_field_name("object")?)?;
                    match (object, text_of(method).filter(|_| method.kind() == "property_identifier")?) {
                        ("require", "resolve") => Construct::Require,
                        ("import.meta", "resolve") => Construct::Dynamic,
                        ("jest" | "vi" | "vitest", method) if method != "resolve" && METHODS.contains(&method) => {
                            Construct::Mock
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            };
            Some((construct, first_string(field("arguments")?)?))
        }
        "new_expression" => {
            let constructor = field("constructor").filter(|it| it.kind() == "identifier")?;
            let arguments = field("arguments")?;
            let string = first_string(arguments)?;
            let base = arguments.named_child(1).filter(|it| it.kind() == "member_expression")?;
            let is_url = text_of(constructor)? == "URL" && text_of(base)? == "import.meta.url";
            is_url.then_some((Construct::Url, string))
        }
        _ => None,
    }
}

/// The first argument of a call, if it is a string or a template.
fn first_string(arguments: Node<'_>) -> Option<Node<'_>> {
    // Bundlers read comments before it: `import(/* webpackChunkName: "a" */ './a')`.
    let mut children = (0..arguments.named_child_count()).filter_map(|at| arguments.named_child(at as u32));
    let first = children.find(|child| child.kind() != "comment")?;
    (arguments.kind() == "arguments" && matches!(first.kind(), "string" | "template_string")).then_some(first)
}

/// Returns whether a template string contains a substitution.
fn is_template(node: Node<'_>) -> bool {
    node.kind() == "template_string"
        && (0..node.named_child_count())
            .any(|index| node.named_child(index as u32).is_some_and(|child| child.kind() == "template_substitution"))
}

/// Returns whether `require` in this text is created for another file.
fn creates_foreign_require(text: &str) -> bool {
    let call = "createRequire(";
    memchr::memmem::find_iter(text.as_bytes(), call).any(|at| {
        let rest = text[at + call.len()..].trim_start();
        !rest.starts_with("import.meta.url")
            && !rest.starts_with("__filename")
            && !rest.starts_with("import.meta.filename")
    })
}

/// Returns whether `require` is a parameter, as in bundles and AMD modules. That of a module reads relative names as Node's does.
fn is_shadowed(node: Node<'_>, text: &str, is_relative: bool) -> bool {
    ancestors(node).any(|above| {
        let parameters = ["parameters", "parameter"].iter().find_map(|name| above.child_by_field_name(name));
        let Some(parameters) = parameters else { return false };
        let written = text.get(parameters.byte_range()).unwrap_or_default();
        let mut words = written.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        words.any(|word| word == "require") && !(is_relative && amd::is_module(above, text))
    })
}

/// Returns whether a call sets other directories for the lookup: `require.resolve('./a', {paths: [b]})`.
fn has_search_paths(node: Node<'_>, text: &str) -> bool {
    let arguments = node.parent().filter(|parent| parent.kind() == "arguments");
    let options = arguments.and_then(|arguments| arguments.named_child(1)).filter(|options| options.kind() == "object");
    options.and_then(|options| text.get(options.byte_range())).is_some_and(|options| options.contains("paths"))
}

/// Returns whether the code around a call handles a missing module.
fn is_guarded(node: Node<'_>, text: &str) -> bool {
    let mut below = node;
    for above in ancestors(node) {
        let field = |name: &str| above.child_by_field_name(name);
        let text_of = |node: Option<Node<'_>>| node.and_then(|node| text.get(node.byte_range())).unwrap_or_default();
        match above.kind() {
            "try_statement" if field("body").is_some_and(|body| body == below) => {
                let handler = text_of(field("handler"));
                // A handler that exits or throws needs the module.
                if !handler.is_empty() && !handler.contains("exit(") && !handler.contains("throw") {
                    return true;
                }
            }
            // The `catch` clause is a fallback: the `try` block loads another module.
            "catch_clause" => {
                let tried = above.parent().and_then(|parent| parent.child_by_field_name("body"));
                if text_of(tried).contains("require(") || text_of(tried).contains("import(") {
                    return true;
                }
            }
            "if_statement" | "ternary_expression"
                if text_of(field("condition")).to_ascii_lowercase().contains("exist") =>
            {
                return true;
            }
            "call_expression" => {
                let name = field("function").and_then(|function| function.child_by_field_name("property"));
                let name = text_of(name);
                let is_caught = matches!(name, "catch" | "toThrow" | "toThrowError" | "rejects" | "throws");
                let called = text_of(field("function"));
                if is_caught || called.ends_with("assert.throws") || called.contains(".rejects") {
                    return true;
                }
            }
            _ => {}
        }
        below = above;
    }
    false
}

/// Iterates over the ancestors of a node from the innermost, up to [`MAX_ANCESTORS`].
fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), Node::parent).take(MAX_ANCESTORS)
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, KeywordHits, can_begin_literal};

    #[test]
    fn skips_words_of_prose() {
        let check = |text: &str, expect: usize| {
            let hits = KeywordHits::find(text, &KEYWORDS).filter(|range| can_begin_literal(text, range));
            assert_eq!(hits.ranges().len(), expect, "{text}");
        };
        check("f('lazy import. Either');\ng(\"came from \" + a.from\"x\");\nh['no-import'] = `import`", 0);
        check("declare module 'a/import' {}\nexport import A = B.C; x = {import?: 'a'}", 0);
        check(
            "import a = require('a'); import('b'); import.meta.resolve('c'); import.defer('d'); import.source('e')",
            6,
        );
        check("export { a, // b. c\n} from 'x'; import 'y'; /* d */import e /* f. */ from 'z'", 4);
        check("import {\"a\" as b} from 'x'; import c // d: e\n from 'y'\nexport * as \"f\" from 'z'", 5);
    }
}
