//! `Literal`: what in a piece of script names a module, with what can be told of it by looking around it.

use std::ops::Range;
use std::sync::LazyLock;

use pathfinder_grammars::{Grammar, JAVASCRIPT, Match, Query, TSX, TYPESCRIPT, Tree};
use tree_sitter::Node;

use crate::language::keyword_hits::KeywordHits;
use crate::language::string_ranges::inside;

const COMMON: &str = include_str!("literals.scm");
const TYPED: &str = concat!(include_str!("literals.scm"), include_str!("typescript.scm"));

static OF_JAVASCRIPT: LazyLock<Query> = LazyLock::new(|| Query::new(&JAVASCRIPT, COMMON));
static OF_TYPESCRIPT: LazyLock<Query> = LazyLock::new(|| Query::new(&TYPESCRIPT, TYPED));
static OF_TSX: LazyLock<Query> = LazyLock::new(|| Query::new(&TSX, TYPED));

/// How far up is looked for what surrounds a call: nesting deeper than this is made by a machine.
const LEVELS: usize = 24;
/// A text of this length with lines longer than [`LINE`] on the average is not written by hand.
const MADE: usize = 20_000;
/// See [`MADE`]: minified code has thousands of bytes in a line, what people write has about thirty.
const LINE: usize = 300;

/// Calls of one file whose surroundings are looked at: finding them takes the longer the more there are, and people write
/// a hundred.
const CALLS: usize = 2_000;

/// One of these stands in whatever names a module.
const HEADS: [&str; 7] = ["from", "import", "jest", "module", "require", "vi", "vitest"];

/// How a script is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// JavaScript, with JSX; Flow's types are read as well.
    Plain,
    /// TypeScript.
    Typed,
    /// TypeScript with JSX.
    Tsx,
}

/// What a literal is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    /// `import … from`, `export … from`.
    Import,
    /// `import()`.
    Dynamic,
    /// `require`, `require.resolve`, `import x = require()`.
    Require,
    /// `jest.mock`, `vi.mock` and what is like them.
    Mock,
    /// `new URL(…, import.meta.url)`.
    Url,
    /// `declare module './x'`.
    Module,
    /// `/// <reference path="…" />`.
    Reference,
}

/// One literal.
pub(super) struct Literal {
    pub(super) range: Range<usize>,
    pub(super) construct: Construct,
    /// Its module need not be there: the code around it is ready for that.
    pub(super) is_optional: bool,
}

/// Whether a text can have any literal at all, and was written by people.
pub(super) fn is_worth_reading(text: &str) -> bool {
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    let lines = || memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    let words = ["import", "require", "from", "mock", "Mock", "<reference", "module"];
    words.iter().any(|word| has(word)) && (text.len() < MADE || text.len() / lines() < LINE)
}

/// The literals of a piece of script, in the order of their places; `parse` makes its tree.
pub(super) fn literals(text: &str, script: Script, parse: &dyn Fn(&Grammar) -> Option<Tree>) -> Vec<Literal> {
    let mut found = references(text);
    let flow = script == Script::Plain && (text.contains("@flow") || text.contains("import type"));
    let (grammar, query): (&Grammar, &Query) = match script {
        Script::Plain if !flow => (&JAVASCRIPT, &OF_JAVASCRIPT),
        Script::Typed => (&TYPESCRIPT, &OF_TYPESCRIPT),
        Script::Plain | Script::Tsx => (&TSX, &OF_TSX),
    };
    let Some(tree) = parse(grammar) else { return found };
    let made = has_other_require(text);
    let given = ["(require,", "(require)", ",require,", ", require,", ",require)", ", require)", "require =>"];
    let is_given = given.iter().any(|parameter| text.contains(parameter));
    let mut calls = 0;
    let hits = KeywordHits::find(text, &HEADS).filter(|place| may_begin(text, place));
    for hit in query.matches(tree.root_node(), text, hits.ranges()) {
        let Some((construct, node)) = construct(&hit, text) else { continue };
        let Some(range) = inside(text, node.byte_range()) else { continue };
        // What is computed says nothing.
        if range.is_empty() || is_template(node) {
            continue;
        }
        let is_call = !matches!(construct, Construct::Import | Construct::Module);
        calls += usize::from(is_call);
        if is_call && calls > CALLS {
            continue;
        }
        if construct == Construct::Require && (made || is_given && is_shadowed(node, text)) {
            continue;
        }
        found.push(Literal {
            range,
            construct,
            is_optional: is_call && (is_guarded(node, text) || has_other_places(node, text)),
        });
    }
    if tree.root_node().has_error() {
        proposed(text, &mut found);
    }
    found
}

/// Whether a word begins a literal, or a comment before it, where it has to: `from` is also a word of prose.
fn may_begin(text: &str, place: &Range<usize>) -> bool {
    &text[place.clone()] != "from" || text[place.end..].trim_start().starts_with(['"', '\'', '/'])
}

/// Adds `export a from './a'`, which was proposed once, is written in old code, and is in no grammar.
fn proposed(text: &str, found: &mut Vec<Literal>) {
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
                found.push(Literal { range, construct: Construct::Import, is_optional: false });
            }
        }
        at += line.len();
    }
}

fn construct<'t>(hit: &'t Match<'t>, text: &str) -> Option<(Construct, Node<'t>)> {
    for (name, construct) in [
        ("import", Construct::Import),
        ("dynamic", Construct::Dynamic),
        ("require", Construct::Require),
        ("module", Construct::Module),
    ] {
        if let Some(node) = hit.node(name) {
            return Some((construct, node));
        }
    }
    let node = hit.node("string")?;
    let said = |name: &str| hit.range(name).and_then(|range| text.get(range));
    if let Some(base) = said("base") {
        return (base == "import.meta.url").then_some((Construct::Url, node));
    }
    let Some(object) = said("object") else { return Some((Construct::Require, node)) };
    let construct = match (object, said("method")?) {
        ("require", "resolve") => Construct::Require,
        ("import.meta", "resolve") => Construct::Dynamic,
        ("jest" | "vi" | "vitest", method) if method != "resolve" => Construct::Mock,
        _ => return None,
    };
    Some((construct, node))
}

/// Whether a string in backticks has something computed in it.
fn is_template(node: Node<'_>) -> bool {
    node.kind() == "template_string"
        && (0..node.named_child_count())
            .any(|index| node.named_child(index as u32).is_some_and(|child| child.kind() == "template_substitution"))
}

/// Whether `require` in this text was made for another file.
fn has_other_require(text: &str) -> bool {
    text.match_indices("createRequire(").any(|(at, call)| {
        let rest = text[at + call.len()..].trim_start();
        !rest.starts_with("import.meta.url")
            && !rest.starts_with("__filename")
            && !rest.starts_with("import.meta.filename")
    })
}

/// Whether `require` is a parameter here, as it is in bundles and in AMD modules.
fn is_shadowed(node: Node<'_>, text: &str) -> bool {
    ancestors(node).any(|above| {
        let parameters = ["parameters", "parameter"].iter().find_map(|name| above.child_by_field_name(name));
        let Some(parameters) = parameters else { return false };
        let written = text.get(parameters.byte_range()).unwrap_or_default();
        written.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == "require")
    })
}

/// Whether a call says where else a module is looked for: `require.resolve('./a', {paths: [b]})`.
fn has_other_places(node: Node<'_>, text: &str) -> bool {
    let arguments = node.parent().filter(|parent| parent.kind() == "arguments");
    let options = arguments.and_then(|arguments| arguments.named_child(1)).filter(|options| options.kind() == "object");
    options.and_then(|options| text.get(options.byte_range())).is_some_and(|options| options.contains("paths"))
}

/// Whether the code around a call is ready for a module that is not there.
fn is_guarded(node: Node<'_>, text: &str) -> bool {
    let mut below = node;
    for above in ancestors(node) {
        let field = |name: &str| above.child_by_field_name(name);
        let said = |node: Option<Node<'_>>| node.and_then(|node| text.get(node.byte_range())).unwrap_or_default();
        match above.kind() {
            "try_statement" if field("body").is_some_and(|body| body == below) => {
                let handler = said(field("handler"));
                // Who gives up then has needed it.
                if !handler.is_empty() && !handler.contains("exit(") && !handler.contains("throw") {
                    return true;
                }
            }
            // One way of several: the other one is tried first.
            "catch_clause" => {
                let tried = above.parent().and_then(|parent| parent.child_by_field_name("body"));
                if said(tried).contains("require(") || said(tried).contains("import(") {
                    return true;
                }
            }
            "if_statement" | "ternary_expression"
                if said(field("condition")).to_ascii_lowercase().contains("exist") =>
            {
                return true;
            }
            "call_expression" => {
                let name = field("function").and_then(|function| function.child_by_field_name("property"));
                let name = said(name);
                let is_caught = matches!(name, "catch" | "toThrow" | "toThrowError" | "rejects" | "throws");
                let called = said(field("function"));
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

/// What a node lies in, the innermost first, as far as is looked.
fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), Node::parent).take(LEVELS)
}

/// What the comments before the first statement refer to.
fn references(text: &str) -> Vec<Literal> {
    const HEAD: &str = "<reference";
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let is_comment = ["//", "/*", "*", "'use", "\"use"].iter().any(|start| trimmed.starts_with(start));
        if !is_comment && !trimmed.is_empty() {
            break;
        }
        let reference = trimmed.strip_prefix("///").map(str::trim_start).filter(|rest| rest.starts_with(HEAD));
        let path = reference.and_then(|rest| Some(rest.split_once("path=")?.1.trim_start()));
        if let Some(quoted) = path {
            let mark = quoted.chars().next().filter(|mark| matches!(mark, '"' | '\''));
            let value = mark.and_then(|mark| quoted[1..].split_once(mark)).map(|(value, _)| value);
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let start = at + (value.as_ptr() as usize - line.as_ptr() as usize);
                found.push(Literal {
                    range: start..start + value.len(),
                    construct: Construct::Reference,
                    is_optional: false,
                });
            }
        }
        at += line.len();
    }
    found
}
