//! `Cargo.toml`.

use crate::checked::Reason;
use crate::glob::is_glob;
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::path::{is_dynamic, join};

/// Tables of dependencies.
const DEPENDENCIES: [&str; 11] = [
    "dependencies",
    "dev-dependencies",
    "dev_dependencies",
    "build-dependencies",
    "build_dependencies",
    "target.*.dependencies",
    "target.*.dev-dependencies",
    "target.*.build-dependencies",
    "workspace.dependencies",
    "patch.*",
    "replace",
];

pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for table in DEPENDENCIES {
        for dependency in root.values(&format!("{table}.*")) {
            let Some(text) = dependency.get("path").and_then(Node::text) else { continue };
            // Seen from a base that Cargo's own configuration names.
            match dependency.get("base") {
                Some(_) => report.unknown("toml.cargo.path", text, Reason::Undecided("base".to_owned())),
                None => package(report, text, "toml.cargo.path"),
            }
        }
    }
    // What is compiled has to lie in the package; a README and a license are copied into it from wherever they are.
    let is_published = is_published(root);
    for (key, kind) in
        [("lib.path", "toml.cargo.lib"), ("bin.path", "toml.cargo.bin"), ("package.build", "toml.cargo.build")]
    {
        for text in root.texts(key) {
            let (rule, here) = (PathRule::file(kind), report.here());
            if is_published { report.packed(text, rule) } else { report.check(text, rule, &[here]) }
        }
    }
    for (target, kind) in
        [("test", "toml.cargo.test"), ("example", "toml.cargo.example"), ("bench", "toml.cargo.bench")]
    {
        report.all(root, &format!("{target}.path"), PathRule::file(kind));
    }
    for (key, kind) in [
        ("package.readme", "toml.cargo.readme"),
        ("package.license-file", "toml.cargo.license-file"),
        ("workspace.package.readme", "toml.cargo.readme"),
        ("workspace.package.license-file", "toml.cargo.license-file"),
    ] {
        report.all(root, key, PathRule::file(kind));
    }
    root.texts("package.workspace").for_each(|text| package(report, text, "toml.cargo.workspace"));
    members(report, root);
    // What is packaged is a pattern as `.gitignore` has them: it may wait for its files.
    report.all(root, "package.include", PathRule::any("toml.cargo.include").hint().slash());
}

/// Whether Cargo may publish the package: it has a version, and nothing forbids it or lets the workspace decide.
fn is_published(root: &Node) -> bool {
    root.at("package.version").is_some()
        && root.at("package.publish").is_none_or(|publish| matches!(publish, Node::Other(true)))
}

/// Cargo's own configuration: files that it includes.
pub(super) fn check_config(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("paths") {
        // Seen from the directory that `.cargo` is in.
        let base = crate::path::parent(report.here());
        report.check(text, PathRule::directory("toml.cargo.paths").warning(), &[base]);
    }
}

/// A directory with a `Cargo.toml` in it.
fn package(report: &mut DataReport<'_>, text: &Text, kind: &'static str) {
    let rule = PathRule::file(kind);
    let Some(path) = report.path(text, rule) else { return };
    let directory = join(report.here(), &path);
    // A directory without anything in it is a submodule, or waits for one.
    if let Some(directory) = directory.as_deref()
        && report.exists(directory)
        && report.project.tree().names(directory).is_empty()
    {
        return report.unknown(kind, text, Reason::Submodule(directory.to_owned()));
    }
    let manifest = directory.map(|path| format!("{path}/Cargo.toml").trim_start_matches('/').to_owned());
    report.check_paths(text, rule, [manifest]);
}

/// The members of a workspace. Where none of several is there, all are made by a script.
fn members(report: &mut DataReport<'_>, root: &Node) {
    let all: Vec<&Text> = root.texts("workspace.members").chain(root.texts("workspace.default-members")).collect();
    let there = |text: &Text| {
        let manifest = join(report.here(), &format!("{}/Cargo.toml", text.text));
        is_glob(&text.text) || manifest.is_none_or(|path| report.exists(&path))
    };
    let made = all.len() > 2 && !all.iter().any(|text| there(text));
    for text in all {
        if made {
            report.unknown("toml.cargo.members", text, Reason::Produced("a script".to_owned()));
        } else {
            member(report, text);
        }
    }
}

/// A literal member must be a package; a pattern may match nothing.
fn member(report: &mut DataReport<'_>, text: &Text) {
    let kind = "toml.cargo.members";
    if is_glob(&text.text) || is_dynamic(&text.text) {
        let here = report.here();
        report.check(text, PathRule::directory(kind).hint(), &[here]);
    } else {
        package(report, text, kind);
    }
}
