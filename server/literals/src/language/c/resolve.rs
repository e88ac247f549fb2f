//! Where an include leads.

use crate::checked::{Reason, Severity, Target, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, join, name, parent};
use crate::places::tail;
use crate::report::{Outcome, Report, severity_in, unknown};
use crate::tree::Kind;

use super::foreign::{is_foreign_head, is_foreign_name, made_by};
use super::scan::{Condition, Form, Include};

/// Directories that headers are searched from, below any directory above the file.
const USUAL: [&str; 5] = ["", "include", "src", "inc", "lib"];

/// Names of directories that are there to be searched.
const ROOTS: [&str; 10] = ["", "include", "includes", "inc", "src", "source", "Source", "Sources", "lib", "headers"];

/// What is known of an include.
pub(super) enum Answer {
    /// The verdict.
    Sure(Outcome),
    /// It is missing, if it is one of the project's own at all: the other lines of the file tell.
    Doubted(Outcome),
}

/// The answer for one line.
pub(super) fn answer(report: &Report<'_>, include: &Include) -> Answer {
    let written = &report.source.text()[include.range.clone()];
    match include.form {
        Form::Macro => return Answer::Sure(unknown(Reason::Dynamic)),
        Form::Next => return Answer::Sure(unknown(Reason::Elsewhere)),
        Form::Quoted | Form::Angle => {}
    }
    if written.starts_with('/') || has_scheme(written) || written.contains(['$', '@', '{', '%', '<', '*', '\u{1a}']) {
        return Answer::Sure(unknown(Reason::Elsewhere));
    }
    // Only compilers for Windows take a backslash for a separator.
    let path = written.replace('\\', "/");
    let candidates = candidates(report, &path, include.form);
    let tree = report.project.tree();
    if let Some(path) =
        candidates.iter().flatten().find(|path| tree.kind(path).is_some_and(|kind| kind != Kind::Directory))
    {
        let path = path.clone();
        return Answer::Sure((Verdict::Found(Target { path }), candidates.into_iter().flatten().take(1).collect()));
    }
    missing(report, include, &path, &candidates)
}

/// What a line can lead to, in the order of a compiler.
fn candidates(report: &Report<'_>, path: &str, form: Form) -> Vec<Option<String>> {
    let source = report.source;
    let own = (form == Form::Quoted).then(|| join(source.directory(), path));
    let build = report.project.c_build().near(source.path());
    let searched = build.into_iter().map(|directory| join(directory, path));
    // `<x.h>` is a system's unless a directory is searched that has one.
    let is_plain = form == Form::Angle && !path.contains('/') || is_step(path);
    let usual = ancestors(source.directory()).flat_map(|above| USUAL.map(|below| join(&join(above, below)?, path)));
    let usual: Vec<Option<String>> = if is_plain { Vec::new() } else { usual.collect() };
    own.into_iter().chain(usual).chain(searched).collect()
}

/// Whether a path says from where it is seen.
fn is_step(path: &str) -> bool {
    path.starts_with("./") || path.starts_with("../")
}

fn missing(report: &Report<'_>, include: &Include, path: &str, candidates: &[Option<String>]) -> Answer {
    let project = report.project;
    let source = report.source;
    let tried = || candidates.iter().flatten().take(1).cloned().collect();
    let because = |reason: Reason| Answer::Sure((Verdict::Unknown(reason), tried()));
    if include.condition == Condition::Optional {
        return because(Reason::Optional);
    }
    if path.contains("//") || include.range.len() != path.len() || !path.is_ascii() {
        return because(Reason::Dynamic);
    }
    if let Some(by) = made_by(project, path) {
        return because(Reason::Produced(by));
    }
    if let Some(reason) = candidates.iter().flatten().find_map(|path| project.made_by(path)) {
        return because(reason);
    }
    let severity = if include.condition == Condition::Always { Severity::Error } else { Severity::Warning };
    let severity = severity_in(source.path(), severity);
    let verdict = |wanted: Option<String>| Lookup::new(project, Want::File).verdict(severity, [wanted]);
    let own = join(source.directory(), path);
    let Some(tail) = tail(path) else { return because(Reason::Outside) };
    if include.form == Form::Quoted && is_step(path) {
        return Answer::Sure(verdict(own));
    }
    if let Some(other) = project.ending_in(&tail) {
        return because(Reason::Undecided(other.to_owned()));
    }
    let directory = parent(&tail);
    let head = tail.split('/').next().unwrap_or_default();
    if directory.is_empty() {
        return match include.form {
            Form::Quoted if is_foreign_name(&tail) => because(Reason::Elsewhere),
            Form::Quoted if has_sibling(report, &tail) => Answer::Sure(verdict(own)),
            Form::Quoted => Answer::Doubted(verdict(own)),
            _ => because(Reason::Elsewhere),
        };
    }
    let is_beside = include.form == Form::Quoted
        && join(source.directory(), directory).is_some_and(|path| project.tree().kind(&path) == Some(Kind::Directory));
    if is_beside {
        return Answer::Sure(verdict(own));
    }
    let build = project.c_build();
    let is_root = |root: &&str| build.searches(root) || ROOTS.contains(&name(root));
    let own_root = project.c_headers().roots_of(directory).find(is_root);
    match own_root {
        Some(root) if !is_foreign_head(head) || tail.matches('/').count() > 1 => {
            Answer::Sure(verdict(join(root, &tail)))
        }
        _ if include.form == Form::Quoted && !is_foreign_head(head) => Answer::Doubted(verdict(own)),
        _ => because(Reason::Elsewhere),
    }
}

/// Whether a file beside this one has the name with another extension: `x.c`, or `x.hpp` instead of `x.h`.
fn has_sibling(report: &Report<'_>, last: &str) -> bool {
    const ENDS: [&str; 12] = ["c", "cc", "cpp", "cu", "cxx", "h", "hh", "hpp", "hxx", "inl", "m", "mm"];
    let stem = last.strip_suffix(&format!(".{}", extension(last))).unwrap_or(last);
    let tree = report.project.tree();
    let mut all = ENDS.iter().filter_map(|end| join(report.source.directory(), &format!("{stem}.{end}")));
    all.any(|path| tree.kind(&path) == Some(Kind::File))
}
