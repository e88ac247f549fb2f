//! Tools with few keys that name paths.

use crate::checked::Reason;
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::path::extension;

/// `extends` and `overrides.extends`.
pub(super) fn check_extends(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["extends", "overrides.extends"] {
        root.texts(pattern).for_each(|text| extends(report, text));
    }
    // Biome's own rules are files; other tools' plugins are packages or modules that node resolves.
    for text in root.texts("plugins").filter(|text| extension(&text.text) == "grit") {
        let here = report.here();
        report.check(text, PathRule::file("json.biome.plugins"), &[here]);
    }
}

/// What a configuration builds on: a file if it begins with a dot, and otherwise a package or a preset.
pub(crate) fn extends(report: &mut DataReport<'_>, text: &Text) {
    const ENDINGS: [&str; 11] =
        ["", ".js", ".json", ".cjs", ".mjs", ".ts", ".yml", ".yaml", "/index.js", "/index.json", "/package.json"];
    let rule = PathRule::any("json.extends");
    if !text.text.starts_with("./") && !text.text.starts_with("../") {
        return report.unknown(rule.kind, text, Reason::NotInstalled);
    }
    let here = report.here();
    report.check_with(text, rule, &[here], &ENDINGS);
}

/// The examples that `CodeSandbox` builds: with a slash before it, a directory; otherwise an identifier of its own.
pub(super) fn check_sandbox(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("sandboxes").filter(|text| text.text.starts_with('/')) {
        report.check(text, PathRule::directory("json.codesandbox.sandboxes").warning().slash(), &[""]);
    }
}

/// Renovate's rules for files: a literal one matches that file or none.
pub(super) fn check_renovate(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["packageRules.matchFileNames", "packageRules.matchPaths"] {
        for text in root.texts(pattern) {
            let literal = text.text.contains('/') && !text.text.starts_with(['/', '!']) && !text.text.contains('*');
            if literal && !text.text.ends_with('/') && !extension(&text.text).is_empty() {
                report.check(text, PathRule::file("json.renovate.files").warning(), &[""]);
            }
        }
    }
}

/// The packages that are released.
pub(super) fn check_release(report: &mut DataReport<'_>, root: &Node) {
    let pattern = if root.get("packages").is_some() { "packages.@" } else { "@" };
    for text in root.texts(pattern).filter(|text| !text.text.starts_with('$') && text.text != ".") {
        if text.text.contains('/') {
            report.check(text, PathRule::directory("json.release.packages").warning(), &[""]);
        }
    }
}

/// Presets that are read with others.
pub(super) fn check_cmake(report: &mut DataReport<'_>, root: &Node) {
    report.all(root, "include", PathRule::file("json.cmake.include"));
}

/// Expo's images.
pub(super) fn check_expo(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["icon", "splash.image", "android.adaptiveIcon.foregroundImage", "web.favicon", "notification.icon"]
    {
        for text in root.texts(&format!("expo.{pattern}")).filter(|text| text.text.starts_with("./")) {
            let here = report.here();
            report.check(text, PathRule::file("json.expo.image").warning(), &[here]);
        }
    }
}

/// What `TypeDoc` begins with.
pub(super) fn check_typedoc(report: &mut DataReport<'_>, root: &Node) {
    report.all(root, "entryPoints", PathRule::any("json.typedoc.entryPoints").warning());
}

/// Turborepo: files on which every task depends. A pattern is for what may come, and a file with secrets is nobody else's.
pub(super) fn check_turbo(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["globalDependencies", "global.inputs"] {
        for text in root.texts(pattern) {
            let path = text.text.strip_prefix("$TURBO_ROOT$/").unwrap_or(&text.text);
            let is_literal = !path.contains(['*', '!', '$', '{', '[']) && path == text.text;
            if is_literal && !path.contains(".env") {
                report.check(text, PathRule::any("json.turbo.global-dependencies").warning(), &[report.here()]);
            }
        }
    }
}
