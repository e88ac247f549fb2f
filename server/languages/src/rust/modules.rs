//! Resolves module declarations to files, by the rules of the compiler.

use std::ops::Range;

use super::packages::CargoPackages;
use crate::rust::kinds;
use pathfinder_literals::path::{name, parent};
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::{Kind, Lookup, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want};

use super::attributes::{CfgCondition, ItemAttributes};
use super::scope::ModuleScope;
use super::severity;
use super::walk::InlineModule;

/// More scopes for one module come only from conditions that real code does not have.
const MAX_SCOPES: usize = 16;

/// Resolves the modules of one file.
pub(super) struct ModuleResolver {
    /// The scope that the compiler uses.
    own: ModuleScope,
    /// The scope that it would use if another file included this one by a path.
    other: Option<ModuleScope>,
    is_in_source_directory: bool,
}

impl ModuleResolver {
    /// Prepares the scopes of the file at this path.
    pub(super) fn new(project: &Project, path: &str) -> Self {
        let packages = project.index::<CargoPackages>();
        let is_sure = name(path) == "mod.rs" || packages.is_root(path);
        // A crate root that no manifest names, of a sample or another build tool than Cargo.
        let is_likely = matches!(name(path), "lib.rs" | "main.rs");
        let (own, other) = match (is_sure, is_likely) {
            (true, _) => (ModuleScope::for_root(path), None),
            (false, true) => (ModuleScope::for_root(path), Some(ModuleScope::for_file(path))),
            (false, false) => (ModuleScope::for_file(path), Some(ModuleScope::for_root(path))),
        };
        Self { own, other, is_in_source_directory: packages.is_in_source_directory(path) }
    }

    /// Checks `mod name;` with its attributes, inside these inline modules.
    pub(super) fn check(
        &mut self,
        report: &mut Report<'_>,
        name: Range<usize>,
        attributes: &ItemAttributes,
        inside: &[InlineModule],
    ) {
        let text = report.source.text();
        let own = inline_scopes(text, &self.own, inside);
        let other = self.other.as_ref().map_or_else(Vec::new, |other| inline_scopes(text, other, inside));
        let module_name = text[name.clone()].trim_start_matches("r#");
        let is_mistyped = attributes.path.is_none() && is_mistyped(report, &own, module_name);
        // A typo of a file in the directory is not part of a crate that is assembled elsewhere.
        let condition =
            if is_mistyped { attributes.condition.min(CfgCondition::Sometimes) } else { attributes.condition };
        let severity =
            if is_mistyped { severity(report.source.path(), condition) } else { self.severity(report, condition) };
        if let Some(path) = &attributes.path {
            let written = &text[path.clone()];
            let answer = resolve_path_attribute(report, severity, &own, &other, written);
            let answer = relax_custom(answer, attributes.condition);
            report.add(kinds::PATH, path.start, path.len(), answer);
            return;
        }
        let mut branch = None;
        for range in &attributes.branches {
            let (verdict, tried) = resolve_path_attribute(report, severity, &own, &other, &text[range.clone()]);
            let verdict = match verdict {
                // A branch may never be compiled.
                Verdict::Missing(missing) if missing.instead.is_none() => Verdict::Unknown(Reason::Optional),
                verdict => verdict,
            };
            if let (Verdict::Found(target), None) = (&verdict, &branch) {
                branch = Some(target.clone());
            }
            report.add(kinds::PATH, range.start, range.len(), (verdict, tried));
        }
        let raw = if text[name.clone()].starts_with("r#") { 2 } else { 0 };
        let name = name.start + raw..name.end;
        if name.is_empty() {
            return;
        }
        let answer = resolve_module(report, severity, &own, &other, &text[name.clone()]);
        let answer = match (answer, branch) {
            ((Verdict::Missing(_), tried), Some(target)) => (Verdict::Found(target), tried),
            (answer, _) => relax_custom(answer, condition),
        };
        report.add(kinds::MOD, name.start, name.len(), answer);
    }

    fn severity(&self, report: &Report<'_>, condition: CfgCondition) -> Severity {
        if self.is_in_source_directory { severity(report.source.path(), condition) } else { Severity::Hint }
    }
}

/// Returns whether a module name is a typo of exactly one undeclared module file in the directory of its scope.
fn is_mistyped(report: &Report<'_>, own: &[ModuleScope], module: &str) -> bool {
    let tree = report.project.tree();
    let text = report.source.text();
    let is_declared = |stem: &str| text.contains(&format!("mod {stem};"));
    let mut near = own.iter().flat_map(|scope| {
        let directory = scope.module_files(module).into_iter().flatten().next().map(|path| parent(&path).to_owned());
        let names = directory.as_deref().map(|directory| tree.names(directory).to_vec()).unwrap_or_default();
        names.into_iter().filter(|name| {
            let stem = name.strip_suffix(".rs").unwrap_or(name);
            is_typo(module, stem)
                && !is_declared(stem)
                && scope
                    .module_files(stem)
                    .into_iter()
                    .flatten()
                    .any(|path| path != report.source.path() && tree.kind(&path) == Some(Kind::File))
        })
    });
    near.next().is_some() && near.next().is_none()
}

/// Makes a missing file optional if only a custom condition includes it.
fn relax_custom((verdict, tried): Resolution, condition: CfgCondition) -> Resolution {
    match verdict {
        Verdict::Missing(missing) if condition == CfgCondition::Custom && missing.instead.is_none() => {
            (Verdict::Unknown(Reason::Optional), tried)
        }
        verdict => (verdict, tried),
    }
}

/// The scopes inside inline modules: several if one has conditional paths.
fn inline_scopes(text: &str, outer: &ModuleScope, inside: &[InlineModule]) -> Vec<ModuleScope> {
    let mut scopes = vec![outer.clone()];
    for inline in inside {
        let mut next = Vec::new();
        for scope in &scopes {
            let in_path = |range: &Range<usize>| scope.in_path_module(&text[range.clone()]);
            if let Some(path) = &inline.attributes.path {
                next.extend(in_path(path));
            } else {
                next.extend(scope.in_inline_module(inline.name.trim_start_matches("r#")));
                next.extend(inline.attributes.branches.iter().filter_map(in_path));
            }
        }
        next.truncate(MAX_SCOPES);
        scopes = next;
    }
    scopes
}

/// The verdict on `#[path = "…"]`.
fn resolve_path_attribute(
    report: &Report<'_>,
    severity: Severity,
    own: &[ModuleScope],
    other: &[ModuleScope],
    written: &str,
) -> Resolution {
    if written.is_empty() || written.starts_with('/') || written.contains(['\\', '$', '{', '\n', ':']) {
        return (Verdict::Unknown(Reason::Dynamic), Vec::new());
    }
    let candidates: Vec<Option<String>> = own.iter().chain(other).map(|scope| scope.path_target(written)).collect();
    Lookup::new(report.project, Want::File).verdict(severity, candidates)
}

/// The verdict on `mod name;`.
fn resolve_module(
    report: &Report<'_>,
    severity: Severity,
    own: &[ModuleScope],
    other: &[ModuleScope],
    name: &str,
) -> Resolution {
    let candidates =
        |scopes: &[ModuleScope]| scopes.iter().flat_map(|scope| scope.module_files(name)).collect::<Vec<_>>();
    let (verdict, tried) = Lookup::new(report.project, Want::File).verdict(severity, candidates(own));
    if !matches!(verdict, Verdict::Missing(_)) {
        return (verdict, tried);
    }
    let tree = report.project.tree();
    let here = report.source.path();
    let there =
        candidates(other).into_iter().flatten().find(|path| tree.kind(path) == Some(Kind::File) && path != here);
    match there {
        Some(path) if report.project.index::<CargoPackages>().is_included_by_path(tree, here) => {
            (Verdict::Found(Target { path }), tried)
        }
        // The file is a crate root that no manifest names.
        Some(path) => (Verdict::Unknown(Reason::Undecided(path)), tried),
        None => (verdict, tried),
    }
}
