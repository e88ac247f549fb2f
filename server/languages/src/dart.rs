//! Dart: checks `import`, `export`, `part` and `part of`, which precede all declarations of a file.

mod kinds;
mod packages;
mod scan;
#[cfg(test)]
mod tests;

use self::packages::DartPackages;
use pathfinder_literals::path::{extension, has_scheme, is_dynamic, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Verdict, Want,
};

/// The [`Language`] of Dart sources.
pub(crate) struct Dart;

impl Language for Dart {
    fn name(&self) -> &'static str {
        "dart"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "dart"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        for directive in scan::find_directives(source.text()) {
            let outcome = resolve(&report, &source.text()[directive.range.clone()]);
            report.add(directive.kind, directive.range.start, directive.range.len(), outcome);
        }
    }
}

/// The verdict on the URI of a directive.
fn resolve(report: &Report<'_>, written: &str) -> Resolution {
    if is_dynamic(written) || written.contains('$') {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    let path = match written.strip_prefix("package:").map(|rest| rest.split_once('/')) {
        Some(Some((package, rest))) => {
            let packages = report.project.index::<DartPackages>();
            let Some(directory) = packages.directory(source.path(), package) else { return unknown(Reason::Elsewhere) };
            join(directory, "lib").and_then(|lib| join(&lib, rest))
        }
        Some(None) => return unknown(Reason::Elsewhere),
        None if has_scheme(written) || written.starts_with('/') => return unknown(Reason::Elsewhere),
        None => join(source.directory(), written),
    };
    let severity = severity_in(source.path(), Severity::Error);
    let (verdict, tried) = Lookup::new(report.project, Want::File).verdict(severity, [path]);
    match verdict {
        Verdict::Missing(missing) if missing.code != Code::CaseMismatch && is_generated_name(written) => {
            (Verdict::Unknown(Reason::Produced("a generator".to_owned())), tried)
        }
        verdict => (verdict, tried),
    }
}

/// Returns whether a generator writes files of this name. Handwritten files have one extension.
fn is_generated_name(path: &str) -> bool {
    const DIRECTORIES: [&str; 7] = ["generated", "gen", "l10n", "i18n", "intl", "__generated__", "src_gen"];
    const NAMES: [&str; 4] =
        ["firebase_options.dart", "generated_plugin_registrant.dart", "app_localizations.dart", "messages_all.dart"];
    let endings = name(path).matches('.').count();
    endings > 1
        || NAMES.contains(&name(path))
        || name(path).starts_with("app_localizations")
        || path.split('/').any(|segment| DIRECTORIES.contains(&segment))
}
