//! Elixir: checks files that a source reads at compile time or run time, imported configuration, embedded templates,
//! and paths in `mix.exs`.
//!
//! Modules are found by name in any file, so `alias` and `use` say nothing about paths.

mod file_relative;
mod kinds;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::keyword_hits::KeywordHits;
use pathfinder_syntax::grammars::ELIXIR;
use tree_sitter::Node;

use self::file_relative::{arguments, file_relative_path, plain_string};
use pathfinder_literals::path::{extension, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Want,
};

/// The [`Language`] of Elixir sources and `mix.exs`.
pub(crate) struct Elixir;

/// Calls that fail without the file in their first argument.
const READERS: [&str; 10] = [
    "File.read!",
    "File.stream!",
    "File.ls!",
    "Code.require_file",
    "Code.eval_file",
    "Code.compile_file",
    "Code.load_file",
    "EEx.eval_file",
    "EEx.compile_file",
    "YamlElixir.read_from_file!",
];

/// Calls that create a file or test for it.
const WRITE_CALLS: [&str; 6] = ["File.write", "File.rm", "File.touch", "File.cp", "File.exists?", "File.regular?"];

impl Language for Elixir {
    fn name(&self) -> &'static str {
        "ex"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "ex" | "exs")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let is_mix = name(source.path()) == "mix.exs";
        let hits = KeywordHits::find(text, &["__DIR__", "embed_templates", "import_config"])
            .filter(|range| can_begin_literal(text, range));
        // A generator's template is not Elixir source.
        if !is_mix && hits.ranges().is_empty() || text.contains("<%") {
            return;
        }
        // Dependencies have no keyword.
        let part = || hits.parse_head(text, &ELIXIR).or_else(|| hits.parse_outline(text, &ELIXIR));
        let part = if is_mix { None } else { part() };
        let Some(tree) = part.or_else(|| source.parse(&ELIXIR)) else { return };
        let mut report = Report::new(source, project, found);
        let mut cursor = tree.root_node().walk();
        loop {
            let node = cursor.node();
            match node.kind() {
                "call" => check_call(&mut report, node),
                "pair" if is_mix => check_dependency(&mut report, node),
                _ => {}
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}

/// Returns whether a keyword can be one of a literal: `__DIR__` behind a call or an attribute that reads a file.
fn can_begin_literal(text: &str, range: &Range<usize>) -> bool {
    /// Bytes between the call and the keyword, of which the path is the most.
    const MAX_CALL_BYTES: usize = 1 << 10;
    if &text[range.clone()] != "__DIR__" {
        return true;
    }
    let before = &text[text.ceil_char_boundary(range.start.saturating_sub(MAX_CALL_BYTES))..range.start];
    READERS.iter().chain(&["external_resource"]).any(|reader| before.contains(reader))
}

/// Checks one call.
fn check_call(report: &mut Report<'_>, node: Node<'_>) {
    let source = report.source;
    let text = source.text();
    let Some(target) = node.child_by_field_name("target") else { return };
    let arguments = arguments(node);
    let severity = severity_in(source.path(), Severity::Error);
    match (&text[target.byte_range()], arguments.as_slice()) {
        ("import_config", [argument]) => {
            let Some(range) = plain_string(source, *argument) else { return };
            let written = &text[range.clone()];
            // Private configuration is not always in `.gitignore`.
            let is_private = ["secret", "local"].iter().any(|word| written.contains(word));
            let answer = if written.contains('*') {
                unknown(Reason::Dynamic)
            } else if is_private || is_created_by(text, written) {
                unknown(Reason::Optional)
            } else {
                resolve_file(report, join(source.directory(), written), severity)
            };
            report.add(kinds::CONFIG, range.start, range.len(), answer);
        }
        ("embed_templates", [argument]) => {
            let Some(range) = plain_string(source, *argument) else { return };
            // The directory of a pattern; without one it is the file's own.
            let Some((directory, _)) = text[range.clone()].rsplit_once('/') else { return };
            if directory.contains(['*', '{', '?']) {
                return;
            }
            let path = join(source.directory(), directory);
            let answer = Lookup::new(report.project, Want::Directory).verdict(severity.max(Severity::Warning), [path]);
            report.add(kinds::TEMPLATES, range.start, directory.len(), answer);
        }
        // `Code.require_file("x", __DIR__)`
        ("Code.require_file" | "Code.eval_file", [written, directory])
            if &text[directory.byte_range()] == "__DIR__" =>
        {
            let Some(range) = plain_string(source, *written) else { return };
            let path = join(source.directory(), &text[range.clone()]);
            let answer = resolve_read(report, path, &range, severity);
            report.add(kinds::FILE, range.start, range.len(), answer);
        }
        ("external_resource", [argument]) if text[..node.start_byte()].ends_with('@') => {
            if let Some((path, range)) = file_relative_path(source, *argument) {
                let answer = resolve_read(report, path, &range, severity.max(Severity::Warning));
                report.add(kinds::FILE, range.start, range.len(), answer);
            }
        }
        (reader, [argument, ..]) if READERS.contains(&reader) => {
            if let Some((path, range)) = file_relative_path(source, *argument) {
                let answer = resolve_read(report, path, &range, severity);
                report.add(kinds::FILE, range.start, range.len(), answer);
            }
        }
        _ => {}
    }
}

/// Checks `path: "../x"` of a dependency in `mix.exs`.
fn check_dependency(report: &mut Report<'_>, pair: Node<'_>) {
    let source = report.source;
    let text = source.text();
    let (Some(key), Some(value)) = (pair.child_by_field_name("key"), pair.child_by_field_name("value")) else { return };
    let is_dependency = pair.parent().and_then(|keywords| keywords.parent()).is_some_and(|around| {
        around.kind() == "tuple" && around.named_child(0).is_some_and(|first| first.kind() == "atom")
    });
    if !is_dependency || text[key.byte_range()].trim_end() != "path:" {
        return;
    }
    let Some(range) = plain_string(source, value) else { return };
    let path = join(source.directory(), &text[range.clone()]);
    let severity = severity_in(source.path(), Severity::Error);
    let answer = if text[range.clone()].starts_with(['/', '~']) {
        unknown(Reason::Elsewhere)
    } else {
        Lookup::new(report.project, Want::Directory).verdict(severity, [path])
    };
    report.add(kinds::DEPENDENCY, range.start, range.len(), answer);
}

/// The verdict on a file that is read, unless this text creates or tests it.
fn resolve_read(report: &Report<'_>, path: Option<String>, range: &Range<usize>, severity: Severity) -> Resolution {
    let text = report.source.text();
    if is_created_by(text, &text[range.clone()]) {
        return unknown(Reason::Optional);
    }
    resolve_file(report, path, severity)
}

fn resolve_file(report: &Report<'_>, path: Option<String>, severity: Severity) -> Resolution {
    Lookup::new(report.project, Want::Any).verdict(severity, [path])
}

/// Returns whether a text creates or tests a file: it names the path a second time.
fn is_created_by(text: &str, written: &str) -> bool {
    WRITE_CALLS.iter().any(|word| text.contains(word)) && text.matches(written).nth(1).is_some()
}
