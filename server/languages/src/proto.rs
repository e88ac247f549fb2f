//! Protocol buffers: checks `import`.
//!
//! The scanner is handwritten: comments, strings, and the word `import` at the beginning of a statement.

mod kinds;
mod modules;
mod scan;
#[cfg(test)]
mod tests;

use self::modules::BufModules;
use crate::go::GoModules;
use pathfinder_literals::path::{ancestors, extension, is_dynamic, join};
use pathfinder_literals::report::{find_in_any_directory, resolve_without_base, severity_in, unknown};
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target, Verdict,
    Want,
};

/// The [`Language`] of Protocol buffer schemas.
pub(crate) struct Proto;

impl Language for Proto {
    fn name(&self) -> &'static str {
        "proto"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "proto"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        for (at, end) in scan::find_imports(source.text()) {
            let outcome = resolve(&report, &source.text()[at..end]);
            report.add(kinds::IMPORT, at, end - at, outcome);
        }
    }
}

/// The verdict on an import.
///
/// Imports are relative to roots that a command line or `buf.yaml` names, so any directory that resolves one may be a
/// root. An unresolved import is missing only in a first-party package.
fn resolve(report: &Report<'_>, written: &str) -> Resolution {
    let project = report.project;
    if is_dynamic(written)
        || written.starts_with('/')
        || written.contains(['\\', '\n'])
        || extension(written) != "proto"
    {
        return unknown(Reason::Dynamic);
    }
    if written.starts_with("google/protobuf/") {
        return unknown(Reason::Elsewhere);
    }
    let severity = severity_in(report.source.path(), Severity::Error);
    let root = project.index::<BufModules>().root_of(report.source.path());
    let above = ancestors(report.source.directory());
    // A compiler that runs above all Go modules finds files by the import paths of their modules.
    let in_modules = project.index::<GoModules>().paths_below(written).map(Some);
    let candidates = root.into_iter().chain(above).map(|directory| join(directory, written));
    let candidates: Vec<_> = candidates.chain(in_modules).collect();
    // Without dependencies, an import must be a file of a module.
    if root.is_some() && project.index::<BufModules>().is_self_contained() && project.find_by_suffix(written).is_none()
    {
        return Lookup::new(project, Want::File).verdict(severity, candidates);
    }
    let (verdict, tried) = resolve_without_base(project, Want::File, severity, written, candidates);
    match verdict {
        Verdict::Unknown(Reason::Undecided(path)) => (Verdict::Found(Target { path }), tried),
        Verdict::Missing(missing) if missing.instead.is_none() && !is_first_party(report, written) => {
            (Verdict::Unknown(Reason::Elsewhere), tried)
        }
        verdict => (verdict, tried),
    }
}

/// Returns whether an import lies in a first-party package: this file is below its first directory, or its first two
/// directories exist. `google/api/http.proto` stays third-party if a directory is named `google`.
fn is_first_party(report: &Report<'_>, written: &str) -> bool {
    let mut segments = written.split('/');
    let (Some(head), Some(second)) = (segments.next(), segments.next()) else { return true };
    if matches!(head, "google" | "gogoproto" | "validate" | "grpc" | "envoy" | "k8s.io" | "buf") {
        return false;
    }
    let is_below = report.source.directory().split('/').any(|segment| segment == head);
    is_below
        || segments.next().is_some() && find_in_any_directory(report.project, [format!("{head}/{second}")]).is_some()
}
