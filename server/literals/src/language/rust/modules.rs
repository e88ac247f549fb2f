//! Where modules lead.

use std::ops::Range;

use super::packages::Packages;
use crate::checked::{Reason, Severity, Target, Verdict};
use crate::lookup::{Lookup, Want};
use crate::path::name;
use crate::project::Project;
use crate::report::{Outcome, Report};
use crate::tree::Kind;

use super::attributes::{Attributes, Condition};
use super::scope::Scope;
use super::severity;
use super::walk::Inline;

/// More ways to read one place than this come of conditions that nobody writes.
const SCOPES: usize = 16;

/// The modules of one file.
pub(super) struct Modules {
    /// As the compiler sees it.
    own: Scope,
    /// As it would see it if the file were reached in another way.
    other: Option<Scope>,
    is_placed: bool,
}

impl Modules {
    /// Of the file at this path.
    pub(super) fn new(project: &Project, path: &str) -> Self {
        let packages = project.fact::<Packages>();
        let is_sure = name(path) == "mod.rs" || packages.is_root(path);
        // A root that no manifest names: of a build tool other than Cargo, or of a sample.
        let is_likely = matches!(name(path), "lib.rs" | "main.rs");
        let (own, other) = match (is_sure, is_likely) {
            (true, _) => (Scope::beside(path), None),
            (false, true) => (Scope::beside(path), Some(Scope::below(path))),
            (false, false) => (Scope::below(path), Some(Scope::beside(path))),
        };
        Self { own, other, is_placed: packages.is_placed(path) }
    }

    /// `mod name;` with its attributes, inside of these.
    pub(super) fn check(
        &mut self,
        report: &mut Report<'_>,
        name: Range<usize>,
        attributes: &Attributes,
        inside: &[Inline],
    ) {
        let text = report.source.text();
        let own = scopes(text, &self.own, inside);
        let other = self.other.as_ref().map_or_else(Vec::new, |other| scopes(text, other, inside));
        let severity = self.severity(report, attributes.condition);
        if let Some(path) = &attributes.path {
            let written = &text[path.clone()];
            let answer = given(report, severity, &own, &other, written);
            let answer = conditional(answer, attributes.condition);
            report.add("rust.path", path.start, path.len(), answer);
            return;
        }
        let mut branch = None;
        for range in &attributes.branches {
            let (verdict, tried) = given(report, severity, &own, &other, &text[range.clone()]);
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
        let answer = module(report, severity, &own, &other, &text[name.clone()]);
        let answer = match (answer, branch) {
            ((Verdict::Missing(_), tried), Some(target)) => (Verdict::Found(target), tried),
            (answer, _) => conditional(answer, attributes.condition),
        };
        report.add("rust.mod", name.start, name.len(), answer);
    }

    fn severity(&self, report: &Report<'_>, condition: Condition) -> Severity {
        if self.is_placed { severity(report.source.path(), condition) } else { Severity::Hint }
    }
}

/// A condition that is no compiler's own may never hold.
fn conditional((verdict, tried): Outcome, condition: Condition) -> Outcome {
    match verdict {
        Verdict::Missing(missing) if condition == Condition::Custom && missing.instead.is_none() => {
            (Verdict::Unknown(Reason::Optional), tried)
        }
        verdict => (verdict, tried),
    }
}

/// The scopes inside of inline modules: several where one has paths under conditions.
fn scopes(text: &str, outer: &Scope, inside: &[Inline]) -> Vec<Scope> {
    let mut scopes = vec![outer.clone()];
    for inline in inside {
        let mut next = Vec::new();
        for scope in &scopes {
            let given = |range: &Range<usize>| scope.given(&text[range.clone()]);
            if let Some(path) = &inline.attributes.path {
                next.extend(given(path));
            } else {
                next.extend(scope.inline(inline.name.trim_start_matches("r#")));
                next.extend(inline.attributes.branches.iter().filter_map(given));
            }
        }
        next.truncate(SCOPES);
        scopes = next;
    }
    scopes
}

/// The verdict on `#[path = "…"]`.
fn given(report: &Report<'_>, severity: Severity, own: &[Scope], other: &[Scope], written: &str) -> Outcome {
    if written.is_empty() || written.starts_with('/') || written.contains(['\\', '$', '{', '\n', ':']) {
        return (Verdict::Unknown(Reason::Dynamic), Vec::new());
    }
    let candidates: Vec<Option<String>> = own.iter().chain(other).map(|scope| scope.path(written)).collect();
    Lookup::new(report.project, Want::File).verdict(severity, candidates)
}

/// The verdict on `mod name;`.
fn module(report: &Report<'_>, severity: Severity, own: &[Scope], other: &[Scope], name: &str) -> Outcome {
    let candidates = |scopes: &[Scope]| scopes.iter().flat_map(|scope| scope.module(name)).collect::<Vec<_>>();
    let (verdict, tried) = Lookup::new(report.project, Want::File).verdict(severity, candidates(own));
    if !matches!(verdict, Verdict::Missing(_)) {
        return (verdict, tried);
    }
    let tree = report.project.tree();
    let here = report.source.path();
    let there =
        candidates(other).into_iter().flatten().find(|path| tree.kind(path) == Some(Kind::File) && path != here);
    match there {
        Some(path) if report.project.fact::<Packages>().is_given(tree, here) => {
            (Verdict::Found(Target { path }), tried)
        }
        // A root of something that no manifest names.
        Some(path) => (Verdict::Unknown(Reason::Undecided(path)), tried),
        None => (verdict, tried),
    }
}
