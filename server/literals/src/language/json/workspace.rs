//! Monorepos and runtimes: Nx, Angular, Lerna, Deno.

use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::path::{join, parent};

/// An Nx project: its paths are seen from the workspace's root.
pub(super) fn check_project(report: &mut DataReport<'_>, root: &Node) {
    let Some(base) = nx_root(report) else { return };
    if root.get("targets").is_none() && root.get("sourceRoot").is_none() {
        return;
    }
    report.all_from(root, "sourceRoot", PathRule::directory("json.nx.sourceRoot").warning(), &[&base]);
    targets(report, root, "targets.*", &base, "json.nx.options");
}

/// The directory of the nearest `nx.json`.
fn nx_root(report: &DataReport<'_>) -> Option<String> {
    let mut at = report.here();
    loop {
        if join(at, "nx.json").is_some_and(|path| report.exists(&path)) {
            return Some(at.to_owned());
        }
        if at.is_empty() {
            return None;
        }
        at = parent(at);
    }
}

/// An Angular workspace.
pub(super) fn check_angular(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for pattern in ["projects.*.root", "projects.*.sourceRoot"] {
        report.all(root, pattern, PathRule::directory("json.angular.root").warning());
    }
    for place in ["projects.*.architect.*", "projects.*.targets.*"] {
        targets(report, root, place, here, "json.angular.options");
    }
}

/// The options of targets that name sources.
fn targets(report: &mut DataReport<'_>, root: &Node, place: &str, base: &str, kind: &'static str) {
    for options in ["options", "configurations.*"] {
        for key in [
            "main",
            "browser",
            "index",
            "tsConfig",
            "jestConfig",
            "karmaConfig",
            "polyfills",
            "assets",
            "styles",
            "stylePreprocessorOptions.includePaths",
        ] {
            for text in root.texts(&format!("{place}.{options}.{key}")) {
                if is_source(report, text, base) {
                    let rule = PathRule::any(kind);
                    // Git keeps no empty directory, and without assets nothing fails.
                    report.check(text, if key == "assets" { rule.hint() } else { rule.warning() }, &[base]);
                }
            }
        }
    }
}

/// Whether a text is a path in the repository, and not a package (`zone.js`, `@x/styles`, `node_modules/x`) or output.
fn is_source(report: &DataReport<'_>, text: &Text, base: &str) -> bool {
    let Some((first, _)) = text.text.trim_start_matches("./").split_once('/') else { return false };
    !text.text.contains('{') && join(base, first).is_some_and(|first| report.exists(&first))
}

pub(super) fn check_lerna(report: &mut DataReport<'_>, root: &Node) {
    report.all(root, "packages", PathRule::directory("json.lerna.packages").warning());
}

/// Deno: what is relative is a file of this repository.
pub(super) fn check_deno(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for (pattern, rule) in [
        ("imports.*", PathRule::any("json.deno.imports").warning()),
        ("exports", PathRule::file("json.deno.exports").warning()),
        ("exports.*", PathRule::file("json.deno.exports").warning()),
        ("workspace", PathRule::directory("json.deno.workspace")),
        ("workspace.members", PathRule::directory("json.deno.workspace")),
        ("importMap", PathRule::file("json.deno.importMap")),
    ] {
        for text in root.texts(pattern).filter(|text| text.text.starts_with('.')) {
            report.check(text, rule, &[here]);
        }
    }
}
