//! `composer.json`.

use crate::checked::Reason;
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::path::{extension, join, name};
use crate::project::within;

/// Directories that tools write.
const MADE: [&str; 7] = ["tmp", "var", "cache", "generated", "build", "proxies", "Proxies"];

pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for (pattern, rule) in [
        ("files", PathRule::file("json.composer.files")),
        ("classmap", PathRule::any("json.composer.classmap").warning()),
        ("psr-4.*", PathRule::any("json.composer.psr4").warning()),
        ("psr-0.*", PathRule::any("json.composer.psr0").warning()),
    ] {
        for section in ["autoload", "autoload-dev"] {
            root.texts(&format!("{section}.{pattern}")).for_each(|text| vendored(report, text, rule));
        }
    }
    root.texts("bin").for_each(|text| vendored(report, text, PathRule::file("json.composer.bin").warning()));
    root.texts("scripts.*").for_each(|text| script(report, text));
    for repository in root.values("repositories").chain(root.values("repositories.*")) {
        if repository.get("type").and_then(Node::str) == Some("path") {
            report.all(repository, "url", PathRule::any("json.composer.repository").warning());
        }
    }
}

/// What is in `vendor` is installed.
fn vendored(report: &mut DataReport<'_>, text: &Text, rule: PathRule) {
    let here = report.here();
    let path = text.text.trim_start_matches("./");
    if path.starts_with("vendor/") {
        return report.unknown(rule.kind, text, Reason::NotInstalled);
    }
    if path.split('/').any(|segment| MADE.contains(&segment))
        && join(here, path).is_some_and(|path| !report.exists(&path))
    {
        return report.unknown(rule.kind, text, Reason::Produced("a tool".to_owned()));
    }
    // A skeleton without any source: its directories are empty until somebody begins.
    if !has_source(report, here) {
        return report.unknown(rule.kind, text, Reason::Optional);
    }
    report.check(text, rule, &[here]);
}

/// Whether anything below a directory is PHP.
fn has_source(report: &DataReport<'_>, directory: &str) -> bool {
    let files = report.project.tree().files();
    let below = files[files.partition_point(|file| file.as_str() < directory)..].iter();
    let mut below = below
        .take_while(|file| file.starts_with(directory))
        .filter(|file| directory.is_empty() || within(file, directory));
    below.any(|file| extension(file) == "php")
}

/// A script that is nothing but a path, in a directory that is there. What packages install is called by its name
/// alone; `Class::method`, `@other` and commands with arguments are none.
fn script(report: &mut DataReport<'_>, text: &Text) {
    let path = text.text.as_ref();
    let plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    let Some((directory, _)) = path.trim_start_matches("./").rsplit_once('/') else { return };
    if !plain || name(path).is_empty() || directory.starts_with("vendor") {
        return;
    }
    if join(report.here(), directory).is_some_and(|directory| report.exists(&directory)) {
        let here = report.here();
        report.check(text, PathRule::file("json.composer.script").warning(), &[here]);
    }
}
