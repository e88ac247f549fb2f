//! Bazel: `load`.
//!
//! An own scanner: a load is a statement of literal strings. Sources of rules are not judged: a name there is a rule or an
//! output as often as a file, and macros make both.

mod scan;
#[cfg(test)]
mod tests;

use crate::checked::{Checked, Reason, Severity};
use crate::language::Language;
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, join, name};
use crate::project::Project;
use crate::report::{Outcome, Report, severity_in, unknown};
use crate::source::Source;

/// Bazel's Starlark.
pub(crate) struct Bazel;

const PACKAGE: [&str; 2] = ["BUILD", "BUILD.bazel"];
const WORKSPACE: [&str; 5] = ["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "REPO.bazel", "WORKSPACE.bzlmod"];

impl Language for Bazel {
    fn name(&self) -> &'static str {
        "bazel"
    }

    fn claims(&self, path: &str) -> bool {
        PACKAGE.contains(&name(path))
            || WORKSPACE.contains(&name(path))
            || matches!(extension(path).as_str(), "bzl" | "bazel")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        for (at, end) in scan::loads(source.text()) {
            let outcome = outcome(&report, &source.text()[at..end]);
            report.add("bazel.load", at, end - at, outcome);
        }
    }
}

fn outcome(report: &Report<'_>, written: &str) -> Outcome {
    let tree = report.project.tree();
    let has = |here: &str, names: &[&str]| {
        names.iter().filter_map(|name| join(here, name)).any(|path| tree.kind(&path) == Some(crate::tree::Kind::File))
    };
    let label =
        written.strip_prefix("@@//").or_else(|| written.strip_prefix("@//")).map(|_| written.trim_start_matches('@'));
    let label = label.unwrap_or(written);
    if label.starts_with('@') || label.contains(['{', '%', '\\', '$']) {
        return unknown(Reason::Elsewhere);
    }
    let own = report.source.directory();
    let Some(root) = ancestors(own).find(|here| has(here, &WORKSPACE)) else {
        return unknown(Reason::Undecided("where the workspace begins".to_owned()));
    };
    let path = if let Some(label) = label.strip_prefix("//") {
        let Some((package, file)) = label.split_once(':') else { return unknown(Reason::Dynamic) };
        join(root, package).and_then(|package| join(&package, file))
    } else {
        let file = label.strip_prefix(':').unwrap_or(label);
        let package = ancestors(own).find(|here| has(here, &PACKAGE)).unwrap_or(root);
        join(package, file)
    };
    let severity = severity_in(report.source.path(), Severity::Error);
    Lookup::new(report.project, Want::File).verdict(severity, [path])
}
