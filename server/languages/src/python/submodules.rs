//! Checks the names in `from a import b`, where `a` is a package and `b` can be a submodule.

use std::ops::Range;

use super::absolute::HeadMarks;
use super::generated::{self, MODULE_SUFFIXES};
use super::imports::{PythonImport, is_identifier};
use super::package_bindings::PackageBindings;
use super::relative::{file_of, has_init, is_in_package};
use crate::python::kinds;
use pathfinder_literals::path::{is_within, join, name, parent, with_endings};
use pathfinder_literals::report::{find_in_any_directory, unknown};
use pathfinder_literals::typo_findings::is_mistyped;
use pathfinder_literals::{Kind, Lookup, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// The directory of the package that a verdict leads to; `None` for a module, or if nothing was found.
pub(super) fn package_directory(project: &Project, verdict: &Verdict) -> Option<String> {
    let Verdict::Found(target) = verdict else { return None };
    if name(&target.path).starts_with("__init__.") {
        return Some(parent(&target.path).to_owned());
    }
    (project.tree().kind(&target.path) == Some(Kind::Directory)).then(|| target.path.clone())
}

/// The verdict on a package without `__init__` none of whose modules an import names: it names what a module had that a commit moved into the
/// directory of its name.
pub(super) fn find_earlier_module(
    report: &Report<'_>,
    import: &PythonImport,
    package: Option<&str>,
    severity: Severity,
) -> Option<Resolution> {
    let (project, text) = (report.project, report.source.text());
    let package = package.filter(|package| !has_init(project, package) && !import.names.is_empty())?;
    let is_module = |name: &Range<usize>| {
        let path = join(package, &text[name.clone()]);
        path.is_none_or(|path| file_of(project, &path).is_some() || project.tree().kind(&path).is_some())
    };
    let file = format!("{package}.py");
    let is_inside = project.tree().moved(&file).is_some_and(|moved| is_within(&moved.to, package));
    (is_inside && !import.names.iter().any(is_module))
        .then(|| Lookup::new(project, Want::File).verdict(severity, [Some(file)]))
}

/// Adds the names of an import that are submodules of a package, and those that are certainly neither submodules nor
/// bound in it.
pub(super) fn check_names(
    report: &mut Report<'_>,
    marks: &HeadMarks,
    import: &PythonImport,
    package: &str,
    severity: Severity,
) {
    let is_relative = report.source.text()[import.module.clone()].starts_with('.');
    for range in &import.names {
        let written = report.source.text()[range.clone()].to_owned();
        if !is_identifier(&written) {
            continue;
        }
        let Some(path) = join(package, &written) else { continue };
        let found = file_of(report.project, &path);
        if let Some(path) = found {
            if is_bound(report, package, &written) {
                continue;
            }
            report.add(kinds::IMPORT, range.start, range.len(), (Verdict::Found(Target { path }), Vec::new()));
            continue;
        }
        // Modules have lower-case names; any other name was probably bound in the package.
        if written.starts_with("__") || written.contains(|c: char| c.is_ascii_uppercase()) {
            continue;
        }
        let severity = if has_init(report.project, package) {
            let names = report.project.index::<PackageBindings>().names(report.project, report.source, package);
            match names.have(&written) {
                Some(true) => continue,
                Some(false) => severity.max(Severity::Warning),
                None => {
                    add_if_mistyped(report, range, &path);
                    continue;
                }
            }
        } else if is_relative {
            // A namespace package has nothing but its modules; others of its name can have more.
            if is_in_package(report.project, package) { severity.max(Severity::Warning) } else { Severity::Hint }
        } else if has_moved(report.project, &path) {
            // Another directory of the name can have more, but git knows that the module was in this one.
            severity.max(Severity::Warning)
        } else {
            add_if_mistyped(report, range, &path);
            continue;
        };
        let answer = resolve_missing(report, marks, &path, severity);
        report.add(kinds::IMPORT, range.start, range.len(), answer);
    }
}

/// Adds a name of a package that can have any name, if it is nearly that of a module of the package: no other name is.
fn add_if_mistyped(report: &mut Report<'_>, range: &Range<usize>, path: &str) {
    let tried: Vec<String> = with_endings(path, &MODULE_SUFFIXES[..2]).flatten().collect();
    if is_mistyped(report.project, &tried) && generated::find_generator(report.project, path).is_none() {
        report.add(kinds::IMPORT, range.start, range.len(), (Verdict::Unknown(Reason::Elsewhere), tried));
    }
}

/// Returns whether a package's `__init__` binds a name: then other files import what it binds, and not the submodule of that name.
fn is_bound(report: &Report<'_>, package: &str, name: &str) -> bool {
    let (project, source) = (report.project, report.source);
    let is_other = source.directory() != package || !source.path().contains("/__init__.");
    is_other
        && has_init(project, package)
        && project.index::<PackageBindings>().names(project, source, package).have(name) == Some(true)
}

/// Returns whether a commit moved a module away.
fn has_moved(project: &Project, path: &str) -> bool {
    with_endings(path, &MODULE_SUFFIXES[..2]).flatten().any(|file| project.tree().moved(&file).is_some())
}

/// The verdict on a name that is neither bound nor the file of a submodule.
fn resolve_missing(report: &Report<'_>, marks: &HeadMarks, path: &str, severity: Severity) -> Resolution {
    let project = report.project;
    if project.tree().kind(path).is_some() {
        return (Verdict::Found(Target { path: path.to_owned() }), Vec::new());
    }
    if let Some(by) = generated::find_generator(project, path) {
        return unknown(by);
    }
    // The package can exist a second time.
    let short = path.split_once('/').map_or(path, |(_, rest)| rest);
    if marks.sets_path || marks.sets_modules {
        return unknown(Reason::Undecided("sys.path".to_owned()));
    }
    if let Some(other) = short.contains('/').then(|| find_in_any_directory(project, [format!("{short}.py")])).flatten()
    {
        return unknown(Reason::Undecided(other.to_owned()));
    }
    Lookup::new(project, Want::File).verdict(severity, with_endings(path, &MODULE_SUFFIXES[..2]))
}
