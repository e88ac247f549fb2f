//! Checks Ruby: `require_relative`, `require`, `autoload` and `load`.
//!
//! A file that is required by name is looked up in each directory named `lib`. It is missing only if the library that
//! it begins with is the project's own.

mod base;
mod kinds;
mod load_path;
mod require;
#[cfg(test)]
mod tests;

use std::ops::Range;

use pathfinder_syntax::grammars::{NodeKinds, RUBY};
use tree_sitter::Node;

use crate::keyword_hits::{KeywordHits, line_before};
use pathfinder_literals::path::{extension, is_dynamic, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target,
    Verdict, Want,
};
use pathfinder_syntax::string_ranges::{is_within_any, outermost, string_content};

/// Calls, which may load a file, and the nodes in which a call may fail or belongs to some systems only.
static KINDS: NodeKinds = NodeKinds::new(
    &RUBY,
    &["call", "begin", "body_statement", "rescue_modifier", "if", "unless", "if_modifier", "unless_modifier"],
);

/// The methods that load a file.
const CALLS: [&str; 4] = ["autoload", "load", "require", "require_relative"];

/// Parts of conditions that hold on some systems only.
const CONDITIONS: [&str; 11] =
    ["OS", "Platform", "RUBY_", "defined", "exist", "file?", "jruby", "linux", "mac", "platform", "windows"];

/// The Ruby language.
pub(crate) struct Ruby;

impl Language for Ruby {
    fn name(&self) -> &'static str {
        "ruby"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_ruby(path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        if is_dynamic(source.path()) {
            return;
        }
        let mut report = Report::new(source, project, found);
        check_loading(&mut report);
        check_paths(&mut report);
    }
}

/// Checks the calls that load a file.
fn check_loading(report: &mut Report<'_>) {
    let (source, text) = (report.source, report.source.text());
    if CALLS.iter().any(|word| text.contains(word)) {
        let hits = KeywordHits::find(text, &CALLS).filter(|range| can_begin_call(text, range));
        if hits.ranges().is_empty() {
            return;
        }
        // Elsewhere in the file is what a variable is set to.
        let is_joined =
            hits.ranges().iter().any(|range| begins_joined(text[range.end..].trim_start_matches([' ', '('])));
        let outline = || hits.parse_head(text, &RUBY).or_else(|| hits.parse_outline(text, &RUBY));
        let part = if is_joined { None } else { outline() };
        let Some(tree) = part.or_else(|| source.parse(&RUBY)) else { return };
        let nodes = KINDS.nodes(tree.root_node(), hits.ranges());
        let optional = outermost(nodes.iter().filter_map(|node| optional_range(*node, text)).collect());
        for node in nodes {
            let Some((name, list)) = loading_call(node, text) else { continue };
            let is_optional = is_within_any(&optional, name.start_byte());
            check_call(report, &text[name.byte_range()], list, is_optional);
        }
    }
}

/// Checks the paths that the program makes of its own directory. What becomes of them is not known, so that one is missing only if a commit
/// moved it or a typo explains it.
fn check_paths(report: &mut Report<'_>) {
    let (source, text) = (report.source, report.source.text());
    let hits = KeywordHits::find(text, &["__dir__", "__FILE__"]);
    let Some(tree) = (!hits.ranges().is_empty()).then(|| source.parse(&RUBY)).flatten() else { return };
    let nodes = KINDS.nodes(tree.root_node(), hits.ranges()).into_iter();
    let is_loaded = |node: &Node<'_>| {
        let call = node.parent().and_then(|list| list.parent());
        call.is_some_and(|call| loading_call(call, text).is_some())
    };
    let calls = nodes.filter(|node| node.kind() == "call" && !is_loaded(node));
    let paths: Vec<_> = calls.filter_map(|call| base::evaluate_path(source, call)).collect();
    for (path, range) in paths {
        let Some(path) = path.filter(|path| !path.is_empty()) else { continue };
        let tree = report.project.tree();
        let outcome = if tree.kind(&path).is_some() {
            (Verdict::Found(Target { path }), Vec::new())
        } else if tree.moved(&path).is_some_and(|moved| extension(&moved.to) == extension(&path)) {
            let severity = severity_in(source.path(), Severity::Warning);
            Lookup::new(report.project, Want::Any).verdict(severity, [Some(path)])
        } else {
            // A typo tells it as well.
            (Verdict::Unknown(Reason::Optional), vec![path])
        };
        report.add(kinds::PATH, range.start, range.len(), outcome);
    }
}

/// The name and the arguments of a call that loads a file.
fn loading_call<'t>(call: Node<'t>, text: &str) -> Option<(Node<'t>, Node<'t>)> {
    if call.kind() != "call" {
        return None;
    }
    let name = call.child_by_field_name("method").filter(|name| name.kind() == "identifier")?;
    let list = call.child_by_field_name("arguments").filter(|list| list.kind() == "argument_list")?;
    let is_loading = call.child_by_field_name("receiver").is_none() && CALLS.contains(&text.get(name.byte_range())?);
    is_loading.then_some((name, list))
}

/// The range of a node in which a failing call is caught, or is for some systems only.
fn optional_range(node: Node<'_>, text: &str) -> Option<Range<usize>> {
    let is_caught = || {
        (0..node.named_child_count())
            .any(|at| node.named_child(at as u32).is_some_and(|child| child.kind() == "rescue"))
    };
    let is_conditional = || {
        let condition =
            node.child_by_field_name("condition").filter(Node::is_named).and_then(|it| text.get(it.byte_range()));
        condition.is_some_and(|condition| CONDITIONS.iter().any(|word| condition.contains(word)))
    };
    let is_optional = match node.kind() {
        "call" => false,
        "rescue_modifier" => true,
        "begin" | "body_statement" => is_caught(),
        _ => is_conditional(),
    };
    is_optional.then(|| node.byte_range())
}

/// Returns whether a path is that of a program in Ruby, by its name.
pub(crate) fn is_ruby(path: &str) -> bool {
    matches!(extension(path).as_str(), "rb" | "rake" | "gemspec" | "podspec" | "ru")
        || matches!(name(path), "Rakefile" | "Gemfile" | "Fastfile" | "Podfile" | "Guardfile")
}

/// Returns whether a word can begin a call with an argument. `load` and `require` are also words of comments, and names of
/// methods, symbols and variables.
fn can_begin_call(text: &str, range: &Range<usize>) -> bool {
    let (before, rest) = (&text[..range.start], &text[range.end..]);
    let is_comment =
        line_before(text, range.start).is_some_and(|line| line.trim_start().starts_with('#') && !line.contains("#{"));
    let is_member = before.ends_with('.') && !before.ends_with("..") || before.ends_with("def ");
    let after = rest.trim_start_matches([' ', '\t']);
    !is_comment && !is_member && if &text[range.clone()] == "autoload" { has_two(after) } else { begins_path(after) }
}

/// Returns whether an argument can be a path: it begins with a string, a call of `File`, the file's own path, or a variable and a
/// string. Anything else after `load` and `require` is a variable or prose.
fn begins_path(after: &str) -> bool {
    let inner = after.strip_prefix('(').map(str::trim_start);
    // A parenthesis or a comment in parentheses is left to the parser.
    inner.is_some_and(|inner| inner.starts_with(['(', '#']))
        || inner.unwrap_or(after).starts_with(['"', '\'', '%', '_', '\\'])
        || inner.unwrap_or(after).starts_with("File")
        || begins_joined(inner.unwrap_or(after))
}

/// Returns whether an argument begins with a variable to which a string is added: `dir + 'a'`.
fn begins_joined(after: &str) -> bool {
    let rest = after.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
    rest.len() < after.len() && rest.strip_prefix(" + ").is_some_and(|rest| rest.starts_with(['"', '\'']))
}

/// Returns whether arguments can be two: `autoload :Name` alone names no file.
fn has_two(after: &str) -> bool {
    let marks = ['!', '?', '=', ',', ')', ']', '}', '.', ';', '|', '&', '#', '\r', '\n'];
    let line = after.split('\n').next().unwrap_or_default();
    !after.is_empty() && !after.starts_with(marks) && (after.starts_with('(') || line.contains([',', '\\']))
}

/// Checks one call.
fn check_call(report: &mut Report<'_>, called: &str, list: Node<'_>, is_optional: bool) {
    let text = report.source.text();
    let (kind, at) = match called {
        "require_relative" => (kinds::REQUIRE_RELATIVE, 0),
        "autoload" => (kinds::AUTOLOAD, 1),
        "load" => (kinds::LOAD, 0),
        _ => (kinds::REQUIRE, 0),
    };
    let Some(argument) = list.named_child(at) else { return };
    let literal = (argument.kind() == "string").then(|| string_content(text, argument.byte_range())).flatten();
    let severity = severity_in(report.source.path(), Severity::Error);
    if let Some(range) = literal.filter(|range| !is_dynamic(&text[range.clone()]) && !range.is_empty()) {
        let literal = &text[range.clone()];
        let answer = match kind {
            kinds::REQUIRE_RELATIVE => {
                require::resolve_at(report.project, join(report.source.directory(), literal), severity)
            }
            kinds::LOAD => require::resolve_load(report, literal, severity),
            _ => require::resolve_by_name(report, literal, severity),
        };
        return report.add(kind, range.start, range.len(), if is_optional { make_optional(answer) } else { answer });
    }
    let Some((path, range)) = base::evaluate_path(report.source, argument) else { return };
    let answer = match kind {
        kinds::LOAD => require::resolve_load_at(report.project, path, severity),
        _ => require::resolve_at(report.project, path, severity),
    };
    report.add(kind, range.start, range.len(), if is_optional { make_optional(answer) } else { answer });
}

/// The verdict on a call that may fail: a missing file is no mistake, unless a commit moved it.
fn make_optional((verdict, tried): Resolution) -> Resolution {
    match verdict {
        Verdict::Missing(missing) if missing.code != Code::MovedPath => (Verdict::Unknown(Reason::Optional), tried),
        Verdict::Found(_) | Verdict::Missing(_) => (verdict, tried),
        Verdict::Unknown(_) => unknown(Reason::Optional),
    }
}
