//! Checks project files: items that name files, imports, and the projects in a `.slnx`.

use std::ops::Range;

use crate::dotnet::kinds;
use pathfinder_literals::path::{ancestors, extension, join, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Code, LiteralKind, Lookup, Missing, Reason, Report, Resolution, Severity, Target, Verdict, Want,
};
use pathfinder_syntax::xml::{XmlEvent, xml_events};

/// Variables for the directory of the file, and that of the project. Both are equal in a project file.
const DIRECTORY_VARIABLES: [&str; 3] = ["$(MSBuildThisFileDirectory)", "$(MSBuildProjectDirectory)", "$(ProjectDir)"];

/// The variable for the directory of the solution that is built, with a slash at its end.
const SOLUTION_VARIABLE: &str = "$(SolutionDir)";

/// Adds the paths in the elements of a file.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    // For each open element, whether it has a condition.
    let mut conditions: Vec<bool> = Vec::new();
    for piece in xml_events(text) {
        match piece {
            XmlEvent::Open { name, attributes, is_empty } => {
                let value = |wanted: &str| {
                    let found = attributes.iter().find(|(name, _)| text[name.clone()].eq_ignore_ascii_case(wanted));
                    found.map(|(_, value)| value.clone())
                };
                let has_condition = value("Condition").is_some();
                let is_optional = has_condition || conditions.iter().any(|condition| *condition);
                let kind = element_kind(&text[name.clone()]);
                let reference = kind.and_then(|(kind, attribute)| Some((kind, value(attribute)?)));
                // An import from an SDK is not in the repository.
                if let Some((kind, range)) = reference.filter(|_| value("Sdk").is_none()) {
                    check_value(report, kind, range, is_optional);
                }
                if !is_empty {
                    conditions.push(has_condition);
                }
            }
            XmlEvent::Close => _ = conditions.pop(),
            XmlEvent::Text(_) => {}
        }
    }
}

/// Adds the parts of a value, which may be a list.
fn check_value(report: &mut Report<'_>, kind: LiteralKind, range: Range<usize>, is_optional: bool) {
    let text = report.source.text();
    let mut at = range.start;
    for part in text[range].split(';') {
        let from = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        let part = part.trim();
        // A pattern may match nothing.
        if !part.is_empty() && !part.contains(['*', '?']) {
            let outcome = resolve_item(report, kind, part, is_optional);
            report.add(kind, from, part.len(), outcome);
        }
    }
}

/// The literal kind of an element, and its attribute that names a file.
fn element_kind(element: &str) -> Option<(LiteralKind, &'static str)> {
    Some(match element {
        "ProjectReference" => (kinds::PROJECT_REFERENCE, "Include"),
        "Compile" => (kinds::COMPILE, "Include"),
        "None" | "Content" | "EmbeddedResource" | "AdditionalFiles" => (kinds::ITEM, "Include"),
        "Import" => (kinds::IMPORT, "Project"),
        "Project" | "File" => (kinds::SOLUTION, "Path"),
        _ => return None,
    })
}

/// The verdict on a path in an element.
fn resolve_item(report: &Report<'_>, kind: LiteralKind, written: &str, is_optional: bool) -> Resolution {
    let source = report.source;
    if let Some(path) = written.strip_prefix(SOLUTION_VARIABLE).filter(|path| !path.contains(['$', '@', '%', '{'])) {
        return if is_optional { unknown(Reason::Optional) } else { resolve_in_solution(report, path) };
    }
    let own = DIRECTORY_VARIABLES.iter().find_map(|own| written.strip_prefix(own));
    let path = own.unwrap_or(written).replace('\\', "/");
    if path.contains(['$', '@', '%', '&', '{', '\u{1a}']) || path.is_empty() {
        return unknown(Reason::Dynamic);
    }
    if own.is_none() && path.starts_with('/') || path.contains(':') {
        return unknown(Reason::Elsewhere);
    }
    if is_optional {
        return unknown(Reason::Optional);
    }
    // Items of a shared file are relative to the project that imports it.
    let is_shared = matches!(extension(source.path()).as_str(), "props" | "targets");
    let is_this = written.starts_with(DIRECTORY_VARIABLES[0]);
    if is_shared && !is_this && kind != kinds::IMPORT {
        return unknown(Reason::Undecided("the project that imports this file".to_owned()));
    }
    if path.split('/').any(|segment| matches!(segment.to_ascii_lowercase().as_str(), "obj" | "bin" | "artifacts")) {
        return unknown(Reason::Produced("a build".to_owned()));
    }
    let severity = severity_in(source.path(), Severity::Error);
    let want = if kind == kinds::PROJECT_REFERENCE { Want::File } else { Want::Any };
    match Lookup::new(report.project, want).verdict(severity, [join(source.directory(), &path)]) {
        (Verdict::Missing(Missing { code: Code::CaseMismatch, instead: Some(path), .. }), tried)
            if is_for_windows(source.text()) =>
        {
            (Verdict::Found(Target { path }), tried)
        }
        outcome => outcome,
    }
}

/// The verdict on a path from the directory of the solution: one above the file that has a solution. Each can be meant, and other programs
/// lay out some files, so that one counts as missing only if it moved or if a directory lacks it.
fn resolve_in_solution(report: &Report<'_>, path: &str) -> Resolution {
    let (source, tree) = (report.source, report.project.tree());
    let is_solution = |name: &String| matches!(extension(name).as_str(), "sln" | "slnx");
    let has_solution = |directory: &&str| tree.names(directory).iter().any(is_solution);
    let path = path.replace('\\', "/");
    let paths: Vec<String> =
        ancestors(source.directory()).filter(has_solution).filter_map(|at| join(at, &path)).collect();
    let severity = severity_in(source.path(), Severity::Error);
    let outcome = Lookup::new(report.project, Want::Any).verdict(severity, paths.iter().cloned().map(Some));
    let is_told = match &outcome.0 {
        Verdict::Missing(missing) => {
            missing.instead.is_some()
                || paths.iter().any(|path| tree.kind(parent(path)).is_some() && path.contains('/'))
        }
        Verdict::Found(_) | Verdict::Unknown(_) => true,
    };
    if paths.is_empty() || !is_told { unknown(Reason::Dynamic) } else { outcome }
}

/// Returns whether a project has the older form, without an SDK. Only Visual Studio builds it, where letter case makes no difference.
fn is_for_windows(project: &str) -> bool {
    project.contains("http://schemas.microsoft.com/developer/msbuild/2003") && !project.contains("Sdk=")
}
