//! Gradle: checks projects and builds that `settings.gradle` includes, and scripts that build files apply.

mod kinds;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{ancestors, has_scheme, join, name};
use pathfinder_literals::report::{resolve_without_base, severity_in, unknown};
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Want,
};

/// The [`Language`] of Gradle scripts in Groovy and Kotlin.
pub(crate) struct Gradle;

impl Language for Gradle {
    fn name(&self) -> &'static str {
        "gradle"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        path.ends_with(".gradle") || path.ends_with(".gradle.kts")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        if !text.contains("include") && !text.contains("apply") {
            return;
        }
        let is_settings = name(source.path()).starts_with("settings.gradle");
        // Computed once: settings of a large build include thousands of projects.
        let is_elsewhere = text.contains("projectDir") || text.contains(".children");
        let mut report = Report::new(source, project, found);
        for reference in scan::find_references(text, is_settings) {
            let written = &text[reference.range.clone()];
            let outcome = match reference.kind {
                kinds::APPLY => resolve_script(&report, written),
                kinds::INCLUDE => resolve_project(&report, is_elsewhere, written),
                _ => resolve_build(&report, written),
            };
            report.add(reference.kind, reference.range.start, reference.range.len(), outcome);
        }
    }
}

/// The severity of a finding. Test resources contain builds that are broken on purpose.
fn severity(path: &str, severity: Severity) -> Severity {
    let is_sample = path.contains("/resources/") || path.contains("/src/it/") || path.contains("/projects/");
    if is_sample { Severity::Hint } else { severity_in(path, severity) }
}

/// The verdict on a project: `:a:b` is the directory `a/b`, unless the settings move it.
fn resolve_project(report: &Report<'_>, is_elsewhere: bool, written: &str) -> Resolution {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '.' | '/');
    if written.is_empty() || !written.chars().all(is_plain) {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    if is_elsewhere {
        return unknown(Reason::Undecided("projectDir".to_owned()));
    }
    let path = join(source.directory(), &written.replace(':', "/"));
    Lookup::new(report.project, Want::Directory).verdict(severity(source.path(), Severity::Warning), [path])
}

/// The verdict on an included build, relative to the settings.
fn resolve_build(report: &Report<'_>, written: &str) -> Resolution {
    if written.contains('$') || written.starts_with('/') {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    let path = join(source.directory(), written);
    Lookup::new(report.project, Want::Directory).verdict(severity(source.path(), Severity::Error), [path])
}

/// The verdict on an applied script, relative to the project that applies it: usually the file's directory or one above
/// it.
fn resolve_script(report: &Report<'_>, written: &str) -> Resolution {
    const ROOTS: [&str; 8] = [
        "$rootDir/",
        "${rootDir}/",
        "$rootProject.projectDir/",
        "${rootProject.projectDir}/",
        "$projectDir/",
        "${projectDir}/",
        "${rootProject.rootDir}/",
        "${project.rootDir}/",
    ];
    let path = ROOTS.iter().find_map(|root| written.strip_prefix(root)).unwrap_or(written);
    if path.contains('$') || has_scheme(path) || path.starts_with('/') || path.is_empty() {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    let severity = severity(source.path(), Severity::Error);
    let candidates: Vec<_> = ancestors(source.directory()).filter_map(|here| join(here, path)).map(Some).collect();
    resolve_without_base(report.project, Want::File, severity, path, candidates)
}
