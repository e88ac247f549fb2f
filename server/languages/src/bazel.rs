//! Bazel: checks `load`, and the sources, headers and data of rules.
//!
//! The scanner is handwritten: a load is a statement of literal strings, and a package is a list of calls. Names in
//! `srcs` can be rules or outputs, also of macros. A name is missing only if it looks like a source and nothing in its
//! package can generate it.
//!
//! Not `starlark_syntax`: it gives nothing for a file with an error, and a file has one while it is typed.

mod calls;
mod generated;
mod kinds;
mod loads;
#[cfg(test)]
mod tests;

use self::generated::BazelOutputs;
use pathfinder_literals::path::{ancestors, extension, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Kind, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Verdict, Want,
};

/// The [`Language`] of Starlark files of Bazel.
pub(crate) struct Bazel;

/// Files that make a directory a package.
const BUILD_FILES: [&str; 2] = ["BUILD", "BUILD.bazel"];
/// Files that mark the workspace root.
const WORKSPACE_FILES: [&str; 5] = ["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "REPO.bazel", "WORKSPACE.bzlmod"];

impl Language for Bazel {
    fn name(&self) -> &'static str {
        "bazel"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        BUILD_FILES.contains(&name(path))
            || WORKSPACE_FILES.contains(&name(path))
            || matches!(extension(path).as_str(), "bzl" | "bazel")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        for (at, end) in loads::find_loads(source.text()) {
            let outcome = resolve_load(&report, &source.text()[at..end]);
            report.add(kinds::LOAD, at, end - at, outcome);
        }
        if BUILD_FILES.contains(&name(source.path())) {
            check_sources(&mut report);
        }
    }

    fn generated_by(&self, path: &str, project: &Project) -> Option<String> {
        project.index::<BazelOutputs>().package_writing(path).map(|package| format!("a rule of {package}"))
    }
}

/// Returns whether a directory has a file of one of these names.
fn has_file(report: &Report<'_>, here: &str, names: &[&str]) -> bool {
    let tree = report.project.tree();
    names.iter().filter_map(|name| join(here, name)).any(|path| tree.kind(&path) == Some(Kind::File))
}

/// The literal kind of an attribute that names files.
fn attribute_kind(attribute: &str) -> Option<LiteralKind> {
    match attribute {
        "srcs" => Some(kinds::SRCS),
        "hdrs" | "textual_hdrs" | "public_hdrs" => Some(kinds::HDRS),
        "data" => Some(kinds::DATA),
        _ => None,
    }
}

/// Adds the sources, headers and data of all rules in a package.
fn check_sources(report: &mut Report<'_>) {
    let text = report.source.text();
    for call in calls::parse_calls(text).calls {
        let is_manual = call.is_manual(text);
        for attribute in call.attributes {
            let Some(kind) = attribute_kind(attribute.name) else { continue };
            for (at, end) in attribute.strings {
                if let Some(mut outcome) = resolve_source(report, &text[at..end]) {
                    if is_manual && matches!(outcome.0, Verdict::Missing(_)) {
                        outcome.0 = Verdict::Unknown(Reason::Optional);
                    }
                    report.add(kind, at, end - at, outcome);
                }
            }
        }
    }
}

/// The verdict on a source; `None` if it is or may be a rule.
fn resolve_source(report: &Report<'_>, written: &str) -> Option<Resolution> {
    if written.contains(['{', '%', '$', '*', '<']) {
        return Some(unknown(Reason::Dynamic));
    }
    if written.starts_with('@') {
        return Some(unknown(Reason::Elsewhere));
    }
    let own = report.source.directory();
    let (package, file) = match written.strip_prefix("//") {
        Some(label) => {
            let (package, file) = label.split_once(':')?;
            let root = ancestors(own).find(|here| has_file(report, here, &WORKSPACE_FILES))?;
            (join(root, package)?, file)
        }
        None => (own.to_owned(), written.strip_prefix(':').unwrap_or(written)),
    };
    let path = join(&package, file)?;
    let (project, severity) = (report.project, severity_in(report.source.path(), Severity::Error));
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(severity, [Some(path)]);
    let is_missing = matches!(verdict, Verdict::Missing(_));
    if is_missing && !is_source(file) {
        return None;
    }
    if is_missing && project.index::<BazelOutputs>().may_generate(&package, file) {
        return Some((Verdict::Unknown(Reason::Produced("a rule of its package".to_owned())), tried));
    }
    // A package without files tests rules, or is filled before the build.
    let is_package = |name: &String| name.starts_with("BUILD") || extension(name) == "bzl";
    if is_missing && project.tree().names(&package).iter().all(is_package) && package == own {
        return Some((Verdict::Unknown(Reason::Undecided("a package without files".to_owned())), tried));
    }
    Some((verdict, tried))
}

/// Returns whether a name is a source, by its extension: names of rules can contain dots too.
fn is_source(file: &str) -> bool {
    const EXTENSIONS: [&str; 36] = [
        "bzl", "c", "cc", "cpp", "css", "cu", "cxx", "go", "h", "hh", "hpp", "html", "inc", "java", "js", "json",
        "jsx", "kt", "m", "md", "mm", "png", "proto", "py", "pyi", "rs", "s", "scss", "sh", "sql", "svg", "swift",
        "ts", "tsx", "yaml", "yml",
    ];
    EXTENSIONS.contains(&extension(file).as_str())
}

/// The verdict on the label of a `load`.
fn resolve_load(report: &Report<'_>, written: &str) -> Resolution {
    let label =
        written.strip_prefix("@@//").or_else(|| written.strip_prefix("@//")).map(|_| written.trim_start_matches('@'));
    let label = label.unwrap_or(written);
    if label.starts_with('@') || label.contains(['{', '%', '\\', '$']) {
        return unknown(Reason::Elsewhere);
    }
    let own = report.source.directory();
    let Some(root) = ancestors(own).find(|here| has_file(report, here, &WORKSPACE_FILES)) else {
        return unknown(Reason::Undecided("the workspace root".to_owned()));
    };
    let path = if let Some(label) = label.strip_prefix("//") {
        let Some((package, file)) = label.split_once(':') else { return unknown(Reason::Dynamic) };
        join(root, package).and_then(|package| join(&package, file))
    } else {
        let file = label.strip_prefix(':').unwrap_or(label);
        let package = ancestors(own).find(|here| has_file(report, here, &BUILD_FILES)).unwrap_or(root);
        join(package, file)
    };
    let severity = severity_in(report.source.path(), Severity::Error);
    Lookup::new(report.project, Want::File).verdict(severity, [path])
}
