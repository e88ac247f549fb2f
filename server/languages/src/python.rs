//! Python: checks imports, and paths that are built from `__file__` and read.
//!
//! An import is missing only if its first package is first-party and no directory of the project resolves it.

mod absolute;
mod bound_names;
mod dynamic_modules;
mod generated;
mod imports;
mod kinds;
mod learned_roots;
mod near_packages;
mod package_bindings;
mod paths;
mod relative;
mod roots;
mod simple_imports;
mod standard_library;
mod statements;
mod submodules;
#[cfg(test)]
mod tests;

use pathfinder_syntax::grammars::PYTHON;

use std::cell::LazyCell;
use std::ops::Range;

use self::absolute::HeadMarks;
use self::imports::PythonImport;
use self::near_packages::{MIN_NAME_BYTES, OwnPackages};
use self::statements::statements;
use crate::keyword_hits::{KeywordHits, line_before};
use pathfinder_literals::path::{extension, is_dynamic};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Project, Reason, Report, Resolution, Severity, Source, Target, Verdict,
};

/// The directories that have a package from whose name this one differs by a typo.
pub(crate) fn near_package_directories(project: &Project, name: &str) -> Vec<String> {
    let near = project.index::<OwnPackages>().near(name, MIN_NAME_BYTES);
    near.into_iter().map(str::to_owned).collect()
}

/// The [`Language`] of Python sources.
pub(crate) struct Python;

impl Language for Python {
    fn name(&self) -> &'static str {
        "py"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "py" | "pyi") || is_cython(path)
    }

    fn is_known_name(&self, kind: LiteralKind, text: &str) -> bool {
        kind == kinds::IMPORT && standard_library::is_standard_module(text.split('.').next().unwrap_or_default())
    }

    fn continued_literal(&self, source: &Source<'_>, kind: LiteralKind, range: &Range<usize>) -> Option<Range<usize>> {
        (kind == kinds::IMPORT).then(|| imports::module_of_only_name(source.text(), range)).flatten()
    }

    fn has_uses(&self, kind: LiteralKind) -> bool {
        kind == kinds::IMPORT
    }

    fn edit_uses(&self, source: &Source<'_>, literal: &Checked, new: &str) -> Option<Vec<(Range<usize>, String)>> {
        bound_names::edit_uses(source, literal, new)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        // A template of a module is not a module.
        if is_dynamic(source.path()) || !text.contains("import") && !text.contains("__file__") {
            return;
        }
        // `cimport` is an import of declarations; in as many bytes, so that the ranges stay.
        let as_python = is_cython(source.path()).then(|| text.replace(" cimport ", " import  "));
        let rewritten = as_python.as_ref().and_then(|text| Source::new(source.path(), text.as_bytes()));
        let source = rewritten.as_ref().unwrap_or(source);
        let text = source.text();
        let hits = KeywordHits::find(text, &["__file__", "import"]).filter(|range| can_begin_literal(text, range));
        let mut report = Report::new(source, project, found);
        let marks = LazyCell::new(|| HeadMarks::find(text));
        let Some(last) = hits.ranges().last() else { return };
        for part in statements(text, last.start).into_iter().filter(|part| hits.has_hit_in(part)) {
            if let Some(imports) = simple_imports::parse(&text[part.clone()]) {
                for import in imports {
                    check_import(&mut report, &marks, &import.shifted(part.start));
                }
                continue;
            }
            let Some(tree) = source.parse_part(&part, &PYTHON) else { continue };
            for import in imports::find_imports(tree.root_node(), &text[part.clone()]) {
                check_import(&mut report, &marks, &import.shifted(part.start));
            }
            paths::check(&mut report, tree.root_node(), part);
        }
    }
}

/// Returns whether a keyword can be one of a literal. `import` is also a word of prose and of examples in documentation.
fn can_begin_literal(text: &str, range: &Range<usize>) -> bool {
    if &text[range.clone()] != "import" {
        return true;
    }
    let Some(before) = line_before(text, range.start) else { return true };
    let begins = |before: &str| {
        let is_inside = |c: char| c.is_alphanumeric() || "_>#\"'`.,(-*=".contains(c);
        !before.trim_end().ends_with(is_inside)
    };
    let is_joined = || text[..range.start - before.len()].trim_end_matches(['\n', '\r']).ends_with('\\');
    begins(before) || before.match_indices("from").any(|(at, _)| begins(&before[..at])) || is_joined()
}

/// Returns whether a file is a module of Cython, or its declarations.
fn is_cython(path: &str) -> bool {
    matches!(extension(path).as_str(), "pyx" | "pxd")
}

/// Checks the module of an import, and the names imported from it.
fn check_import(report: &mut Report<'_>, marks: &HeadMarks, import: &PythonImport) {
    let text = report.source.text();
    let module = &text[import.module.clone()];
    if !module.split('.').all(|name| name.is_empty() || imports::is_identifier(name)) {
        return;
    }
    let severity = severity(report.source.path());
    let outcome = if module.starts_with('.') {
        relative::resolve(report, module, severity)
    } else {
        absolute::resolve(report, marks, module, severity)
    };
    if import.is_optional {
        let outcome = make_optional(report.project, outcome, module.starts_with('.'));
        return report.add(kinds::IMPORT, import.module.start, import.module.len(), outcome);
    }
    let package = submodules::package_directory(report.project, &outcome.0);
    if let Some(moved) = submodules::find_earlier_module(report, import, package.as_deref(), severity) {
        return report.add(kinds::IMPORT, import.module.start, import.module.len(), moved);
    }
    report.add(kinds::IMPORT, import.module.start, import.module.len(), outcome);
    if let Some(package) = package {
        submodules::check_names(report, marks, import, &package, severity);
    }
}

/// The verdict on an import that may fail. A file that git does not track is one of this machine's. A module of the own package
/// that a commit moved is no module of another version.
fn make_optional(project: &Project, (verdict, tried): Resolution, is_relative: bool) -> Resolution {
    match verdict {
        Verdict::Found(Target { path }) if project.tree().is_tracked(&path) != Some(false) => {
            (Verdict::Found(Target { path }), tried)
        }
        Verdict::Missing(missing) if is_relative && missing.code == Code::MovedPath => {
            (Verdict::Missing(missing), tried)
        }
        Verdict::Missing(_) => (Verdict::Unknown(Reason::Optional), tried),
        _ => unknown(Reason::Optional),
    }
}

/// The severity of a missing import. Copies of other projects and inputs of tools get hints only.
fn severity(path: &str) -> Severity {
    let is_copy =
        |segment: &str| matches!(segment, "_vendor" | "_vendored" | "vendored" | "resources" | "site-packages");
    let others = path.split('/').rev().skip(1).any(is_copy);
    if others { Severity::Hint } else { severity_in(path, Severity::Error) }
}
