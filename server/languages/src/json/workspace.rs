//! Checks monorepos and runtimes: Nx, Angular, Lerna, Deno.

use crate::data_report::{DataReport, PathRule};
use crate::json::kinds;
use pathfinder_literals::LiteralKind;
use pathfinder_literals::path::{join, parent};
use pathfinder_syntax::data::{Node, Text};

/// Checks an Nx project, whose paths are relative to the workspace root.
pub(super) fn check_project(report: &mut DataReport<'_>, root: &Node) {
    let Some(base) = find_nx_root(report) else { return };
    if root.get("targets").is_none() && root.get("sourceRoot").is_none() {
        return;
    }
    report.check_all_from(root, "sourceRoot", PathRule::directory(kinds::NX_SOURCE_ROOT).warning(), &[&base]);
    check_targets(report, root, "targets.*", &base, kinds::NX_OPTIONS);
}

/// The directory of the nearest `nx.json`.
fn find_nx_root(report: &DataReport<'_>) -> Option<String> {
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

/// Checks an Angular workspace.
pub(super) fn check_angular(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for pattern in ["projects.*.root", "projects.*.sourceRoot"] {
        report.check_all(root, pattern, PathRule::directory(kinds::ANGULAR_ROOT).warning());
    }
    for pattern in ["projects.*.architect.*", "projects.*.targets.*"] {
        check_targets(report, root, pattern, here, kinds::ANGULAR_OPTIONS);
    }
}

/// Checks the options of targets that name sources.
fn check_targets(report: &mut DataReport<'_>, root: &Node, pattern: &str, base: &str, kind: LiteralKind) {
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
            for text in root.texts(&format!("{pattern}.{options}.{key}")) {
                if is_source(report, text, base) {
                    let rule = PathRule::any(kind);
                    // Git does not keep empty directories, and missing assets cause no failure.
                    report.check(text, if key == "assets" { rule.hint() } else { rule.warning() }, &[base]);
                }
            }
        }
    }
}

/// Returns whether a text is a path in the repository, and not a package (`zone.js`, `@x/styles`, `node_modules/x`) or output.
fn is_source(report: &DataReport<'_>, text: &Text, base: &str) -> bool {
    let Some((first, _)) = text.text.trim_start_matches("./").split_once('/') else { return false };
    !text.text.contains('{') && join(base, first).is_some_and(|first| report.exists(&first))
}

/// Checks the packages of Lerna.
pub(super) fn check_lerna(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "packages", PathRule::directory(kinds::LERNA_PACKAGES).warning());
}

/// Checks a Deno configuration. Relative paths are files of the repository.
pub(super) fn check_deno(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for (pattern, rule) in [
        ("imports.*", PathRule::any(kinds::DENO_IMPORTS).warning()),
        ("exports", PathRule::file(kinds::DENO_EXPORTS).warning()),
        ("exports.*", PathRule::file(kinds::DENO_EXPORTS).warning()),
        ("workspace", PathRule::directory(kinds::DENO_WORKSPACE)),
        ("workspace.members", PathRule::directory(kinds::DENO_WORKSPACE)),
        ("importMap", PathRule::file(kinds::DENO_IMPORT_MAP)),
    ] {
        for text in root.texts(pattern).filter(|text| text.text.starts_with('.')) {
            report.check(text, rule, &[here]);
        }
    }
}
