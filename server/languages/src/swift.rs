//! Swift: checks the paths in a package manifest: directories of targets, files in them, and local packages.
//!
//! Imports name modules, not files. A manifest is a program, but usually one call with literals; computed values are
//! skipped.

mod kinds;
mod manifest;
#[cfg(test)]
mod tests;

use self::manifest::{ManifestString, ManifestTarget};
use pathfinder_literals::path::{extension, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Kind, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target,
    Verdict, Want,
};

/// The [`Language`] of Swift package manifests.
pub(crate) struct Swift;

/// Default directories of targets, in the order of Swift's package manager.
const SOURCE_DIRECTORIES: [&str; 4] = ["Sources", "Source", "src", "srcs"];

/// Default directories of test targets.
const TEST_DIRECTORIES: [&str; 5] = ["Tests", "Sources", "Source", "src", "srcs"];

impl Language for Swift {
    fn name(&self) -> &'static str {
        "swift"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    /// Claims `Package.swift`, and `Package@swift-5.9.swift` for one version of the language.
    fn claims(&self, path: &str) -> bool {
        name(path) == "Package.swift" || name(path).starts_with("Package@swift") && extension(path) == "swift"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        let manifest = manifest::parse_manifest(source.text());
        for target in &manifest.targets {
            let same = manifest.targets.iter().filter(|other| other.is_source() == target.is_source());
            check_target(&mut report, target, same.count() == 1);
        }
        // The environment can decide which packages exist: some are checked out locally only on demand.
        let asks = ["environment", "fileExists"].iter().any(|word| source.text().contains(word));
        for package in &manifest.packages {
            let severity = severity_in(source.path(), Severity::Error);
            let path = join(source.directory(), &package.text);
            // A package outside of the repository is developed together with it.
            let answer = match path {
                None => unknown(Reason::Outside),
                Some(_) if package.text.starts_with(['/', '~']) => unknown(Reason::Elsewhere),
                path => match Lookup::new(project, Want::Directory).verdict(severity, [path]) {
                    (Verdict::Missing(_), tried) if asks => (Verdict::Unknown(Reason::Optional), tried),
                    answer => answer,
                },
            };
            report.add(kinds::PACKAGE, package.at, package.text.len(), answer);
        }
    }
}

/// Adds the directory of a target and the paths in it.
fn check_target(report: &mut Report<'_>, target: &ManifestTarget, is_alone: bool) {
    let severity = severity_in(report.source.path(), Severity::Error);
    let Some((literal, kind, answer)) = resolve_directory(report, target, is_alone, severity) else { return };
    let directory = match &answer.0 {
        Verdict::Found(found) => Some(found.path.clone()),
        _ => None,
    };
    report.add(kind, literal.at, literal.text.len(), answer);
    let Some(directory) = directory else { return };
    for (kind, literal) in &target.inside {
        let path = join(&directory, &literal.text);
        let is_pattern = literal.text.contains('*') || literal.text.starts_with('/');
        let answer = if is_pattern {
            unknown(Reason::Dynamic)
        } else {
            Lookup::new(report.project, Want::Any).verdict(severity.max(Severity::Warning), [path])
        };
        report.add(*kind, literal.at, literal.text.len(), answer);
    }
}

/// The verdict on the directory of a target: its `path`, or the one that follows from its name.
fn resolve_directory<'t>(
    report: &Report<'_>,
    target: &'t ManifestTarget,
    is_alone: bool,
    severity: Severity,
) -> Option<(&'t ManifestString, LiteralKind, Resolution)> {
    let here = report.source.directory();
    let project = report.project;
    if let Some(path) = &target.path {
        let answer =
            if target.is_binary() && join(here, &path.text).is_some_and(|path| project.tree().kind(&path).is_none()) {
                unknown(Reason::Produced("a build".to_owned()))
            } else {
                Lookup::new(project, Want::Any).verdict(severity, [join(here, &path.text)])
            };
        return Some((path, kinds::PATH, answer));
    }
    let name = target.name.as_ref().filter(|_| !target.has_path && !target.is_binary())?;
    let directories: &[&str] = match target.call.as_str() {
        "testTarget" => &TEST_DIRECTORIES,
        "plugin" => &["Plugins"],
        _ => &SOURCE_DIRECTORIES,
    };
    let is_there =
        |path: &Option<String>| path.as_ref().is_some_and(|path| project.tree().kind(path) == Some(Kind::Directory));
    let below = directories.iter().map(|directory| join(here, &format!("{directory}/{}", name.text)));
    let below: Vec<Option<String>> = below.collect();
    // The only target may lie in the default directory itself; a test only in one for tests.
    let whole = if target.is_source() { directories } else { &directories[..1] };
    let itself = || whole.iter().map(|directory| join(here, directory)).find(is_there).flatten();
    let itself = (is_alone && !below.iter().any(is_there)).then(itself).flatten();
    let answer = match itself {
        Some(path) => (Verdict::Found(Target { path }), Vec::new()),
        None => Lookup::new(project, Want::Directory).verdict(severity.max(Severity::Warning), below),
    };
    Some((name, kinds::TARGET, answer))
}
