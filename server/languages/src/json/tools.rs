//! Checks configurations of tools with few keys that name paths.

use crate::data_report::{DataReport, PathRule};
use crate::json::kinds;
use pathfinder_literals::Reason;
use pathfinder_literals::path::{extension, parent};
use pathfinder_syntax::data::{Node, Text};

/// Checks `check_extended_path` and `overrides.check_extended_path`.
pub(super) fn check_extends(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["extends", "overrides.extends"] {
        root.texts(pattern).for_each(|text| check_extended_path(report, text));
    }
    // Biome's plugins are files; plugins of other tools are packages.
    for text in root.texts("plugins").filter(|text| extension(&text.text) == "grit") {
        let here = report.here();
        report.check(text, PathRule::file(kinds::BIOME_PLUGINS), &[here]);
    }
}

/// Checks the configuration that another one extends: a file if it begins with a dot, otherwise a package or a preset.
pub(crate) fn check_extended_path(report: &mut DataReport<'_>, text: &Text) {
    const SUFFIXES: [&str; 11] =
        ["", ".js", ".json", ".cjs", ".mjs", ".ts", ".yml", ".yaml", "/index.js", "/index.json", "/package.json"];
    let rule = PathRule::any(kinds::EXTENDS);
    if !text.text.starts_with("./") && !text.text.starts_with("../") {
        return report.unknown(rule.kind, text, Reason::NotInstalled);
    }
    let here = report.here();
    report.check_with(text, rule, &[here], &SUFFIXES);
}

/// Checks the sandboxes that `CodeSandbox` builds. A leading slash marks a directory; others are identifiers.
pub(super) fn check_sandbox(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("sandboxes").filter(|text| text.text.starts_with('/')) {
        report.check(text, PathRule::directory(kinds::CODESANDBOX_SANDBOXES).warning().slash(), &[""]);
    }
}

/// Checks the file rules of Renovate. A literal rule matches that file or none.
pub(super) fn check_renovate(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["packageRules.matchFileNames", "packageRules.matchPaths"] {
        for text in root.texts(pattern) {
            let is_literal = text.text.contains('/') && !text.text.starts_with(['/', '!']) && !text.text.contains('*');
            if is_literal && !text.text.ends_with('/') && !extension(&text.text).is_empty() {
                report.check(text, PathRule::file(kinds::RENOVATE_FILES).warning(), &[""]);
            }
        }
    }
}

/// Checks the packages of Release Please.
pub(super) fn check_release(report: &mut DataReport<'_>, root: &Node) {
    let pattern = if root.get("packages").is_some() { "packages.@" } else { "@" };
    for text in root.texts(pattern).filter(|text| !text.text.starts_with('$') && text.text != ".") {
        if text.text.contains('/') {
            report.check(text, PathRule::directory(kinds::RELEASE_PACKAGES).warning(), &[""]);
        }
    }
}

/// Checks the presets that a `CMakePresets.json` includes.
pub(super) fn check_cmake(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "include", PathRule::file(kinds::CMAKE_INCLUDE));
}

/// Checks the images of an Expo app.
pub(super) fn check_expo(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["icon", "splash.image", "android.adaptiveIcon.foregroundImage", "web.favicon", "notification.icon"]
    {
        for text in root.texts(&format!("expo.{pattern}")).filter(|text| text.text.starts_with("./")) {
            let here = report.here();
            report.check(text, PathRule::file(kinds::EXPO_IMAGE).warning(), &[here]);
        }
    }
}

/// Checks the entry points of `TypeDoc`.
pub(super) fn check_typedoc(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "entryPoints", PathRule::any(kinds::TYPEDOC_ENTRY_POINTS).warning());
}

/// Checks files on which every task of Turborepo depends. A pattern can match future files, and a file with secrets is
/// not in the repository.
pub(super) fn check_turbo(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["globalDependencies", "global.inputs"] {
        for text in root.texts(pattern) {
            let path = text.text.strip_prefix("$TURBO_ROOT$/").unwrap_or(&text.text);
            let is_literal = !path.contains(['*', '!', '$', '{', '[']) && path == text.text;
            if is_literal && !path.contains(".env") {
                report.check(text, PathRule::any(kinds::TURBO_GLOBAL_DEPENDENCIES).warning(), &[report.here()]);
            }
        }
    }
}

/// Checks the icons of a Tauri app, and pages that it shows without a build. Both are relative to the configuration.
pub(super) fn check_tauri(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["bundle.icon", "tauri.bundle.icon"] {
        report.check_all(root, pattern, PathRule::file(kinds::TAURI_ICON).warning());
    }
    for pattern in ["build.distDir", "build.devPath", "build.frontendDist"] {
        let here = report.here();
        for text in root.texts(pattern).filter(|text| extension(&text.text) == "html") {
            report.check(text, PathRule::file(kinds::TAURI_PAGE).warning(), &[here]);
        }
    }
}

/// Checks the packages of covector, whose directories are relative to that of `.changes`.
pub(super) fn check_covector(report: &mut DataReport<'_>, root: &Node) {
    let base = parent(report.here());
    report.check_all_from(root, "packages.*.path", PathRule::directory(kinds::COVECTOR_PACKAGES).warning(), &[base]);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn checks_tauri_and_covector() {
        check(
            "app/icons/32.png\napp/index.html",
            "app/tauri.conf.json",
            r#"{"build": {"distDir": "../index.html", "frontendDist": "index.html", "devPath": "http://localhost:80"},
    "tauri": {"bundle": {"icon": ["icons/32.png", "icons/64.png"]}}}"#,
            "json.tauri.page ../index.html → missing
             json.tauri.page index.html → app/index.html
             json.tauri.icon icons/32.png → app/icons/32.png
             json.tauri.icon icons/64.png → missing",
        );
        check(
            "crates/a/x.rs",
            ".changes/config.json",
            r#"{"packages": {"a": {"path": "./crates/a"}, "b": {"path": "./crates/b"}}}"#,
            "json.covector.packages ./crates/a → crates/a
             json.covector.packages ./crates/b → missing",
        );
    }
}
