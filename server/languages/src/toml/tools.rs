//! Checks configurations of tools with few keys that name paths.

use crate::data_report::{DataReport, PathRule};
use crate::toml::kinds;
use pathfinder_literals::path::{extension, parent};
use pathfinder_syntax::data::Node;

/// Checks mdBook.
pub(super) fn check_book(report: &mut DataReport<'_>, root: &Node) {
    for (pattern, rule) in [
        ("book.src", PathRule::directory(kinds::BOOK_SRC)),
        ("output.html.additional-css", PathRule::file(kinds::BOOK_ADDITIONAL)),
        ("output.html.additional-js", PathRule::file(kinds::BOOK_ADDITIONAL)),
        ("output.html.theme", PathRule::directory(kinds::BOOK_THEME).warning()),
    ] {
        report.check_all(root, pattern, rule);
    }
}

/// Checks Netlify, whose published directory is built.
pub(super) fn check_netlify(report: &mut DataReport<'_>, root: &Node) {
    // The file lies in the base, or in the root.
    let here = report.here();
    report.check_all_from(root, "build.base", PathRule::directory(kinds::NETLIFY_BASE).warning().slash(), &["", here]);
    report.check_all(root, "build.publish", PathRule::directory(kinds::NETLIFY_PUBLISH).hint().slash());
    for text in root.texts("plugins.package").filter(|text| text.text.starts_with('.')) {
        let here = report.here();
        report.check(text, PathRule::any(kinds::NETLIFY_PLUGIN).warning(), &[here]);
    }
}

/// Checks Knope's files with version numbers.
pub(super) fn check_knope(report: &mut DataReport<'_>, root: &Node) {
    for package in ["package", "packages.*"] {
        for pattern in ["versioned_files", "versioned_files.path"] {
            let rule = PathRule::file(kinds::KNOPE_VERSIONED_FILES);
            report.check_all(root, &format!("{package}.{pattern}"), rule);
        }
    }
}

/// Checks the Dockerfiles of cross.
pub(super) fn check_cross(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["target.*.dockerfile", "target.*.dockerfile.file", "build.dockerfile", "build.dockerfile.file"] {
        report.check_all(root, pattern, PathRule::file(kinds::CROSS_DOCKERFILE));
    }
}

/// Checks Fly.
pub(super) fn check_fly(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "build.dockerfile", PathRule::file(kinds::FLY_DOCKERFILE).warning());
}

/// Checks Wrangler; an entry that is no source file is built.
pub(super) fn check_wrangler(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("main").filter(|text| matches!(extension(&text.text).as_str(), "ts" | "tsx")) {
        if !parent(&text.text).is_empty() {
            let here = report.here();
            report.check(text, PathRule::file(kinds::WRANGLER_MAIN).warning(), &[here]);
        }
    }
}

/// Checks Pipenv's packages in the repository.
pub(super) fn check_pipfile(report: &mut DataReport<'_>, root: &Node) {
    for section in ["packages", "dev-packages"] {
        report.check_all(root, &format!("{section}.*.path"), PathRule::any(kinds::PIPFILE_PATH));
    }
}
