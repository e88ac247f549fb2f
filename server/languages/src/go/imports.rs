//! Checks imports of packages in the repository's own modules, and import comments.

use super::modules::{GoModules, PackageOwner};
use super::scan::{self, BuildConstraint};
use crate::go::kinds;
use pathfinder_literals::path::{extension, is_dynamic, join, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Code, Kind, Lookup, Missing, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// Names of directories with generated files.
const GENERATED_DIRECTORIES: [&str; 8] = ["gen", "generated", "_gen", "autogen", "genproto", "mock", "mocks", "pbgen"];

/// Adds the imports of a file.
pub(super) fn check(report: &mut Report<'_>) {
    let source = report.source;
    let text = source.text();
    let is_part = scan::build_constraint(text) != BuildConstraint::Never;
    for range in scan::find_imports(text) {
        let import = &text[range.clone()];
        let (verdict, tried) = resolve_import(report, import);
        let verdict = match verdict {
            Verdict::Missing(_) if !is_part => Verdict::Unknown(Reason::Optional),
            Verdict::Missing(_) if report.project.index::<GoModules>().is_bazel_package(import) => {
                Verdict::Unknown(Reason::Produced("Bazel".to_owned()))
            }
            verdict => verdict,
        };
        report.add(kinds::IMPORT, range.start, range.len(), (verdict, tried));
    }
}

/// Adds the import comment of a file, `package x // import "path"`, which names the package's own path.
///
/// It is broken only if the package it names is gone and moved here: modules ignore the comment, so that copies may keep theirs.
pub(super) fn check_comment(report: &mut Report<'_>) {
    let source = report.source;
    let Some(range) = scan::find_import_comment(source.text()) else { return };
    let owner = report.project.index::<GoModules>().owner(source.path(), &source.text()[range.clone()]);
    let outcome = match owner {
        PackageOwner::Here(path) => {
            let severity = severity(source.path());
            let (verdict, tried) = Lookup::new(report.project, Want::Directory).verdict(severity, [Some(path)]);
            let is_own = match &verdict {
                Verdict::Found(target) => target.path == source.directory(),
                Verdict::Missing(missing) => missing.instead.as_deref() == Some(source.directory()),
                Verdict::Unknown(_) => true,
            };
            if is_own { (verdict, tried) } else { (Verdict::Unknown(Reason::Elsewhere), tried) }
        }
        PackageOwner::Perhaps(_) | PackageOwner::Elsewhere => unknown(Reason::Elsewhere),
    };
    report.add(kinds::IMPORT_COMMENT, range.start, range.len(), outcome);
}

/// The verdict on one import.
fn resolve_import(report: &Report<'_>, import: &str) -> Resolution {
    if is_dynamic(import) {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    if import.starts_with("./") || import.starts_with("../") {
        // Relative imports predate modules and still work outside of them.
        return resolve_package(report, join(source.directory(), import), true);
    }
    let modules = report.project.index::<GoModules>();
    match modules.owner(source.path(), import) {
        PackageOwner::Elsewhere => {
            let directory = modules.directory_in_repository(source.path(), import);
            let moved = directory.filter(|directory| report.project.tree().moved(directory).is_some());
            moved.map_or(unknown(Reason::Elsewhere), |was| resolve_package(report, Some(was.to_owned()), true))
        }
        PackageOwner::Here(path) => resolve_package(report, Some(path), true),
        PackageOwner::Perhaps(path) => resolve_package(report, Some(path), false),
    }
}

/// The verdict on the directory of a package. It can be missing only if `is_sure`.
fn resolve_package(report: &Report<'_>, path: Option<String>, is_sure: bool) -> Resolution {
    let project = report.project;
    let tree = project.tree();
    let severity = severity(report.source.path());
    let wanted = path.clone().unwrap_or_default();
    let (verdict, tried) = Lookup::new(project, Want::Directory).verdict(severity, [path]);
    let verdict = match verdict {
        Verdict::Found(target) if is_package(report, &target) => return (Verdict::Found(target), tried),
        Verdict::Found(target) => match project.generated_by(&format!("{}/x.go", target.path)) {
            Some(reason) => Verdict::Unknown(reason),
            None if tree.kind(&target.path) == Some(Kind::Elsewhere) => Verdict::Found(target),
            None => Verdict::Missing(Missing {
                code: Code::MissingPath,
                severity,
                reason: format!("{wanted} contains no Go files"),
                wanted: wanted.clone(),
                want: Want::Directory,
                instead: None,
            }),
        },
        verdict => verdict,
    };
    let Verdict::Missing(missing) = verdict else { return (verdict, tried) };
    if !is_sure {
        return (Verdict::Unknown(Reason::Elsewhere), tried);
    }
    if missing.code != Code::CaseMismatch
        && let Some(by) = find_generator(report, project.index::<GoModules>(), &wanted)
    {
        return (Verdict::Unknown(Reason::Produced(by.to_owned())), tried);
    }
    (Verdict::Missing(missing), tried)
}

/// Returns whether a directory contains Go files.
fn is_package(report: &Report<'_>, target: &Target) -> bool {
    report.project.tree().names(&target.path).iter().any(|name| extension(name) == "go")
}

/// The tool that would generate a missing package, by its name.
fn find_generator(report: &Report<'_>, modules: &GoModules, wanted: &str) -> Option<&'static str> {
    let tree = report.project.tree();
    let mut path = String::new();
    for segment in wanted.split('/') {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(segment);
        // If some files of a generator are committed, all are.
        if GENERATED_DIRECTORIES.contains(&segment) && tree.kind(&path).is_none() {
            return Some("a generator");
        }
    }
    let is_protobuf =
        wanted.ends_with("pb") || wanted.rsplit('/').any(|segment| matches!(segment, "proto" | "protos" | "pb"));
    if is_protobuf && !modules.has_generated_protobuf {
        return Some("protoc");
    }
    // A schema lies in the package's directory, and the code generated from it is not committed.
    let schema = |name: &String| extension(name) == "proto" && !modules.has_generated_protobuf;
    let here = tree.names(wanted);
    if here.iter().any(schema) || here.is_empty() && tree.names(parent(wanted)).iter().any(|name| name == "generate.go")
    {
        return Some("a generator");
    }
    None
}

/// The severity of a missing package. Go skips directories whose names begin with `_` or `.`.
fn severity(path: &str) -> Severity {
    if path.split('/').any(|segment| segment.starts_with(['_', '.'])) {
        return Severity::Hint;
    }
    severity_in(path, Severity::Error)
}
