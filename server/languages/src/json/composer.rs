//! Checks `composer.json`.

use crate::data_report::{DataReport, PathRule};
use crate::json::kinds;
use pathfinder_literals::Reason;
use pathfinder_literals::path::{extension, is_within, join, name};
use pathfinder_syntax::data::{Node, Text};

/// Directories that tools generate.
const GENERATED_DIRECTORIES: [&str; 7] = ["tmp", "var", "cache", "generated", "build", "proxies", "Proxies"];

/// Checks the autoloaded paths, programs, scripts and path repositories.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for (pattern, rule) in [
        ("files", PathRule::file(kinds::COMPOSER_FILES)),
        ("classmap", PathRule::any(kinds::COMPOSER_CLASSMAP).warning()),
        ("psr-4.*", PathRule::any(kinds::COMPOSER_PSR4).warning()),
        ("psr-0.*", PathRule::any(kinds::COMPOSER_PSR0).warning()),
    ] {
        for section in ["autoload", "autoload-dev"] {
            root.texts(&format!("{section}.{pattern}")).for_each(|text| check_installed(report, text, rule));
        }
    }
    root.texts("bin").for_each(|text| check_installed(report, text, PathRule::file(kinds::COMPOSER_BIN).warning()));
    root.texts("scripts.*").for_each(|text| check_script(report, text));
    for repository in root.values("repositories").chain(root.values("repositories.*")) {
        if repository.get("type").and_then(Node::str) == Some("path") {
            report.check_all(repository, "url", PathRule::any(kinds::COMPOSER_REPOSITORY).warning());
        }
    }
}

/// Checks one path that must exist after installation.
fn check_installed(report: &mut DataReport<'_>, text: &Text, rule: PathRule) {
    let here = report.here();
    let path = text.text.trim_start_matches("./");
    // Packages are installed into `vendor`.
    if path.starts_with("vendor/") {
        return report.unknown(rule.kind, text, Reason::NotInstalled);
    }
    if path.split('/').any(|segment| GENERATED_DIRECTORIES.contains(&segment))
        && join(here, path).is_some_and(|path| !report.exists(&path))
    {
        return report.unknown(rule.kind, text, Reason::Produced("a tool".to_owned()));
    }
    // A skeleton without sources has empty directories, which git does not keep.
    if !has_php(report, here) {
        return report.unknown(rule.kind, text, Reason::Optional);
    }
    report.check(text, rule, &[here]);
}

/// Returns whether a directory contains PHP files at any depth.
fn has_php(report: &DataReport<'_>, directory: &str) -> bool {
    let files = report.project.tree().files();
    let below = files[files.partition_point(|file| file.as_str() < directory)..].iter();
    let mut below = below
        .take_while(|file| file.starts_with(directory))
        .filter(|file| directory.is_empty() || is_within(file, directory));
    below.any(|file| extension(file) == "php")
}

/// Checks a script that is a single path in an existing directory. Installed programs are called by name;
/// `Class::method`, `@other` and commands with arguments are skipped.
fn check_script(report: &mut DataReport<'_>, text: &Text) {
    let path = text.text.as_ref();
    let is_path = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    let Some((directory, _)) = path.trim_start_matches("./").rsplit_once('/') else { return };
    if !is_path || name(path).is_empty() || directory.starts_with("vendor") {
        return;
    }
    if join(report.here(), directory).is_some_and(|directory| report.exists(&directory)) {
        let here = report.here();
        report.check(text, PathRule::file(kinds::COMPOSER_SCRIPT).warning(), &[here]);
    }
}
