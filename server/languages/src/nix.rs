//! Nix: checks path literals.
//!
//! The scanner is handwritten: a path literal is a token, and only strings, comments and interpolations can contain
//! text that looks like one.

mod kinds;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{extension, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Verdict, Want,
};

/// The [`Language`] of Nix files.
pub(crate) struct Nix;

impl Language for Nix {
    fn name(&self) -> &'static str {
        "nix"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "nix"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        let text = source.text();
        for path in scan::find_paths(text) {
            let written = &text[path.at..path.end];
            let outcome = if path.is_dynamic { unknown(Reason::Dynamic) } else { resolve(&report, &path, written) };
            report.add(kinds::PATH, path.at, path.end - path.at, outcome);
        }
    }
}

/// The verdict on a path literal.
fn resolve(report: &Report<'_>, path: &scan::NixPath, written: &str) -> Resolution {
    let tree = report.project.tree();
    let own = report.source.path();
    // Tests of modules name files that are never read.
    let is_test = own.split('/').any(|segment| matches!(segment, "test" | "tests"));
    let severity = if is_test { Severity::Hint } else { severity_in(own, Severity::Error) };
    let wanted = join(report.source.directory(), written);
    // `import ./x` of a directory reads `x/default.nix`.
    let index = wanted.as_deref().filter(|_| path.is_import).map(|path| format!("{path}/default.nix"));
    let is_directory =
        wanted.as_deref().is_some_and(|path| tree.kind(path) == Some(pathfinder_literals::Kind::Directory));
    let wanted = if is_directory { index.or(wanted) } else { wanted };
    let (verdict, tried) = Lookup::new(report.project, Want::Any).verdict(severity, [wanted]);
    let is_missing = matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none());
    if is_missing && path.is_tested {
        return (Verdict::Unknown(Reason::Optional), tried);
    }
    // Such files differ per machine.
    if is_missing && matches!(name(written), "hardware-configuration.nix" | "result" | "secrets.nix" | "local.nix") {
        return (Verdict::Unknown(Reason::Produced("the machine's owner".to_owned())), tried);
    }
    (verdict, tried)
}
