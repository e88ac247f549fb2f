//! Python: imports, and paths that are built from `__file__` and read.
//!
//! An import is missing only where the package that it begins with is the project's own, and no directory of the project
//! makes it resolve.

mod bound;
mod dotted;
mod imports;
mod made;
mod names;
mod paths;
mod relative;
mod roots;
mod standard;
mod statements;
#[cfg(test)]
mod tests;

use pathfinder_grammars::PYTHON;

use self::imports::Import;
use super::Language;
use super::keyword_hits::KeywordHits;
use crate::checked::{Checked, Reason, Severity};
use crate::path::{extension, is_dynamic};
use crate::project::Project;
use crate::report::{Report, severity_in};
use crate::source::Source;

pub(crate) use statements::statements;

/// Python.
pub(crate) struct Python;

impl Language for Python {
    fn name(&self) -> &'static str {
        "py"
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "py" | "pyi")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        // A template of a module is no module.
        if is_dynamic(source.path()) || !text.contains("import") && !text.contains("__file__") {
            return;
        }
        let hits = KeywordHits::find(text, &["__file__", "import"]);
        let mut report = Report::new(source, project, found);
        for part in statements(text).into_iter().filter(|part| hits.any_in(part)) {
            let Some(tree) = source.parsed_part(&part, &PYTHON) else { continue };
            for import in imports::of(tree.root_node(), &text[part.clone()]) {
                check_import(&mut report, &import.moved(part.start));
            }
            paths::check(&mut report, tree.root_node(), part);
        }
    }
}

fn check_import(report: &mut Report<'_>, import: &Import) {
    let text = report.source.text();
    let module = &text[import.module.clone()];
    if import.is_optional {
        return report.unknown("py.import", import.module.start, import.module.len(), Reason::Optional);
    }
    if module.contains(|c: char| c.is_whitespace() || matches!(c, '\\' | '#' | '\u{1a}')) {
        return;
    }
    let severity = severity(report.source.path());
    let answer = if module.starts_with('.') {
        relative::answer(report, module, severity)
    } else {
        dotted::answer(report, module, severity)
    };
    let package = names::package(report.project, &answer.0);
    report.add("py.import", import.module.start, import.module.len(), answer);
    if let Some(package) = package {
        names::check(report, import, &package, severity);
    }
}

/// Also what others' code is copied to, and what is input of a tool, has hints only.
fn severity(path: &str) -> Severity {
    let is_copy =
        |segment: &str| matches!(segment, "_vendor" | "_vendored" | "vendored" | "resources" | "site-packages");
    let others = path.split('/').rev().skip(1).any(is_copy);
    if others { Severity::Hint } else { severity_in(path, Severity::Error) }
}
