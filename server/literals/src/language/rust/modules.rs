//! Where modules lead.

use std::ops::Range;

use super::packages::CargoPackages;
use crate::checked::{Reason, Severity, Target, Verdict};
use crate::lookup::{Lookup, Want};
use crate::path::{name, parent};
use crate::project::Project;
use crate::report::{Outcome, Report};
use crate::slip::is_slip;
use crate::tree::Kind;

use super::attributes::{CfgCondition, ItemAttributes};
use super::scope::ModuleScope;
use super::severity;
use super::walk::InlineModule;

/// More ways to read one place than this come of conditions that nobody writes.
const MAX_SCOPES: usize = 16;

/// The modules of one file.
pub(super) struct ModuleResolver {
    /// As the compiler sees it.
    own: ModuleScope,
    /// As it would see it if the file were reached in another way.
    other: Option<ModuleScope>,
    is_in_source_directory: bool,
}

impl ModuleResolver {
    /// Of the file at this path.
    pub(super) fn new(project: &Project, path: &str) -> Self {
        let packages = project.fact::<CargoPackages>();
        let is_sure = name(path) == "mod.rs" || packages.is_root(path);
        // A root that no manifest names: of a build tool other than Cargo, or of a sample.
        let is_likely = matches!(name(path), "lib.rs" | "main.rs");
        let (own, other) = match (is_sure, is_likely) {
            (true, _) => (ModuleScope::for_root(path), None),
            (false, true) => (ModuleScope::for_root(path), Some(ModuleScope::for_file(path))),
            (false, false) => (ModuleScope::for_file(path), Some(ModuleScope::for_root(path))),
        };
        Self { own, other, is_in_source_directory: packages.is_in_source_directory(path) }
    }

    /// `mod name;` with its attributes, inside of these.
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
        // RustTokenKind is one file of the directory mistyped is no part of something that is put together elsewhere.
        let condition =
            if is_mistyped { attributes.condition.min(CfgCondition::Sometimes) } else { attributes.condition };
        let severity =
            if is_mistyped { severity(report.source.path(), condition) } else { self.severity(report, condition) };
        if let Some(path) = &attributes.path {
            let written = &text[path.clone()];
            let answer = resolve_path_attribute(report, severity, &own, &other, written);
            let answer = relax_custom(answer, attributes.condition);
            report.add("rust.path", path.start, path.len(), answer);
            return;
        }
        let mut branch = None;
        for range in &attributes.branches {
            let (verdict, tried) = resolve_path_attribute(report, severity, &own, &other, &text[range.clone()]);
            let verdict = match verdict {
                // Whether a branch is ever taken is not known.
                Verdict::Missing(missing) if missing.instead.is_none() => Verdict::Unknown(Reason::Optional),
                verdict => verdict,
            };
            if let (Verdict::Found(target), None) = (&verdict, &branch) {
                branch = Some(target.clone());
            }
            report.add("rust.path", range.start, range.len(), (verdict, tried));
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
        report.add("rust.mod", name.start, name.len(), answer);
    }

    fn severity(&self, report: &Report<'_>, condition: CfgCondition) -> Severity {
        if self.is_in_source_directory { severity(report.source.path(), condition) } else { Severity::Hint }
    }
}

/// Whether a name is that of one module file, and no other, in the directory of its scope mistyped, which the file does not
/// declare by its right name.
fn is_mistyped(report: &Report<'_>, own: &[ModuleScope], module: &str) -> bool {
    let tree = report.project.tree();
    let text = report.source.text();
    let is_declared = |stem: &str| text.contains(&format!("mod {stem};"));
    let mut near = own.iter().flat_map(|scope| {
        let directory = scope.module_files(module).into_iter().flatten().next().map(|path| parent(&path).to_owned());
        let names = directory.as_deref().map(|directory| tree.names(directory).to_vec()).unwrap_or_default();
        names.into_iter().filter(|name| {
            let stem = name.strip_suffix(".rs").unwrap_or(name);
            is_slip(module, stem)
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

/// A condition that is no compiler's own may never hold.
fn relax_custom((verdict, tried): Outcome, condition: CfgCondition) -> Outcome {
    match verdict {
        Verdict::Missing(missing) if condition == CfgCondition::Custom && missing.instead.is_none() => {
            (Verdict::Unknown(Reason::Optional), tried)
        }
        verdict => (verdict, tried),
    }
}

/// The scopes inside of inline modules: several where one has paths under conditions.
fn inline_scopes(text: &str, outer: &ModuleScope, inside: &[InlineModule]) -> Vec<ModuleScope> {
    let mut scopes = vec![outer.clone()];
    for inline in inside {
        let mut next = Vec::new();
        for scope in &scopes {
            let given = |range: &Range<usize>| scope.in_path_module(&text[range.clone()]);
            if let Some(path) = &inline.attributes.path {
                next.extend(given(path));
            } else {
                next.extend(scope.in_inline_module(inline.name.trim_start_matches("r#")));
                next.extend(inline.attributes.branches.iter().filter_map(given));
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
) -> Outcome {
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
) -> Outcome {
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
        Some(path) if report.project.fact::<CargoPackages>().is_included_by_path(tree, here) => {
            (Verdict::Found(Target { path }), tried)
        }
        // A root of something that no manifest names.
        Some(path) => (Verdict::Unknown(Reason::Undecided(path)), tried),
        None => (verdict, tried),
    }
}
