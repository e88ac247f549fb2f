//! Checks `$ref` and `$check_schema`, in JSON and in YAML.

use crate::data_report::{DataReport, PathRule};
use crate::json::kinds;
use pathfinder_literals::path::{extension, join, percent_decoded};
use pathfinder_literals::{LiteralKind, Reason};
use pathfinder_syntax::data::{Node, Text};

/// Checks the references of a JSON file.
pub(crate) fn check(report: &mut DataReport<'_>, root: &Node) {
    if let Some(text) = root.get("$schema").and_then(Node::text) {
        check_schema(report, text);
    }
    check_references(report, root, kinds::REF);
}

/// Checks the schema of the file itself. It only helps editors, so nothing fails without it.
fn check_schema(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file(kinds::SCHEMA).warning();
    if !text.text.starts_with('.') || text.text.contains('#') {
        return;
    }
    // Tauri and others generate schemas from the installed packages.
    let is_generated = text.text.split('/').any(|name| matches!(name, "gen" | "generated" | "dist" | "build"));
    if is_generated && join(report.here(), &text.text).is_some_and(|path| !report.exists(&path)) {
        return report.unknown(rule.kind, text, Reason::Produced("a build".to_owned()));
    }
    let here = report.here();
    report.check(text, rule, &[here]);
}

/// Checks every `$ref` to another file: `schemas/a.json#/b`.
pub(crate) fn check_references(report: &mut DataReport<'_>, root: &Node, kind: LiteralKind) {
    // A schema with an identifier has references relative to that, not to the file.
    let has_identifier =
        ["$id", "id"].iter().any(|key| root.get(key).and_then(Node::str).is_some_and(|id| id.contains("://")));
    for text in root.texts("**.$ref") {
        let rule = PathRule::file(kind);
        let file = text.text.split('#').next().unwrap_or("");
        if file.is_empty() || file.contains("://") || !matches!(extension(file).as_str(), "json" | "yaml" | "yml") {
            continue;
        }
        let cut = Text { text: percent_decoded(file), range: text.range.clone() };
        let Some(path) = report.path(&cut, rule) else { continue };
        let path = join(report.here(), &path);
        if has_identifier && path.as_deref().is_none_or(|path| !report.exists(path)) {
            report.unknown(kind, text, Reason::Undecided("$id".to_owned()));
            continue;
        }
        report.check_paths(text, rule, [path]);
    }
}
