//! `$ref` and `$schema`, in JSON and in YAML.

use crate::checked::Reason;
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::path::{extension, join, percent_decoded};

/// In JSON.
pub(crate) fn check(report: &mut DataReport<'_>, root: &Node) {
    if let Some(text) = root.get("$schema").and_then(Node::text) {
        schema(report, text);
    }
    references(report, root, "json.ref");
}

/// A schema for the file itself: an editor's help, nothing fails without it.
fn schema(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file("json.schema").warning();
    if !text.text.starts_with('.') || text.text.contains('#') {
        return;
    }
    // Tauri and others write schemas for what they find installed.
    let made = text.text.split('/').any(|name| matches!(name, "gen" | "generated" | "dist" | "build"));
    if made && join(report.here(), &text.text).is_some_and(|path| !report.exists(&path)) {
        return report.unknown(rule.kind, text, Reason::Produced("a build".to_owned()));
    }
    let here = report.here();
    report.check(text, rule, &[here]);
}

/// Every `$ref` to another file: `schemas/a.json#/b`.
pub(crate) fn references(report: &mut DataReport<'_>, root: &Node, kind: &'static str) {
    // With an identifier of its own, a schema's references are seen from that, and not from where the file is.
    let elsewhere =
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
        if elsewhere && path.as_deref().is_none_or(|path| !report.exists(path)) {
            report.unknown(kind, text, Reason::Undecided("$id".to_owned()));
            continue;
        }
        report.check_paths(text, rule, [path]);
    }
}
