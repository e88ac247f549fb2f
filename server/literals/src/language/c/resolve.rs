//! Where an include leads.

use crate::checked::{Code, Missing, Reason, Severity, Target, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, join, name, parent};
use crate::report::{Report, Resolution, moved_away, severity_in, unknown};
use crate::suffix_index::tail;
use crate::tree::Kind;

use super::build::Build;
use super::foreign::{generated_by, is_foreign_head, is_foreign_name, is_known_header};
use super::headers::Headers;
use super::kin::is_own;
use super::mistyped::{Mistyped, is_made, mistyped};
use super::scan::{Condition, Form, Include};

/// Directories that headers are searched from, below any directory above the file.
const USUAL: [&str; 5] = ["", "include", "src", "inc", "lib"];

/// Names of directories that are there to be searched.
const ROOTS: [&str; 10] = ["", "include", "includes", "inc", "src", "source", "Source", "Sources", "lib", "headers"];

/// The verdict on one line.
pub(super) fn outcome(report: &Report<'_>, include: &Include) -> Resolution {
    let written = &report.source.text()[include.range.clone()];
    match include.form {
        Form::Macro => return unknown(Reason::Dynamic),
        Form::Next => return unknown(Reason::Elsewhere),
        Form::Quoted | Form::Angle => {}
    }
    if written.starts_with('/') || has_scheme(written) || written.contains(['$', '@', '{', '%', '<', '*', '\u{1a}']) {
        return unknown(Reason::Elsewhere);
    }
    // Only compilers for Windows take a backslash for a separator.
    let path = written.replace('\\', "/");
    let candidates = candidates(report, &path, include.form);
    let tree = report.project.tree();
    if let Some(path) =
        candidates.iter().flatten().find(|path| tree.kind(path).is_some_and(|kind| kind != Kind::Directory))
    {
        let path = path.clone();
        return (Verdict::Found(Target { path }), candidates.into_iter().flatten().take(1).collect());
    }
    missing(report, include, &path, &candidates)
}

/// What a line can lead to, in the order of a compiler.
fn candidates(report: &Report<'_>, path: &str, form: Form) -> Vec<Option<String>> {
    let source = report.source;
    let own = (form == Form::Quoted).then(|| join(source.directory(), path));
    let build = report.project.index::<Build>();
    let command = build.command(source.path());
    let told = command.iter().flat_map(|command| &command.directories).map(|directory| join(directory, path));
    let told: Vec<Option<String>> = told.collect();
    if command.is_some_and(|command| command.is_closed) {
        return own.into_iter().chain(told).collect();
    }
    let build = build.near(source.path());
    let searched = build.into_iter().map(|directory| join(directory, path));
    // `<x.h>` is a system's unless a directory is searched that has one.
    let is_plain = form == Form::Angle && !path.contains('/') || is_step(path);
    let usual = ancestors(source.directory()).flat_map(|above| USUAL.map(|below| join(&join(above, below)?, path)));
    let usual: Vec<Option<String>> = if is_plain { Vec::new() } else { usual.collect() };
    own.into_iter().chain(told).chain(usual).chain(searched).collect()
}

/// Whether a path says from where it is seen.
fn is_step(path: &str) -> bool {
    path.starts_with("./") || path.starts_with("../")
}

fn missing(report: &Report<'_>, include: &Include, path: &str, candidates: &[Option<String>]) -> Resolution {
    let project = report.project;
    let source = report.source;
    let because = |reason: Reason| (Verdict::Unknown(reason), candidates.iter().flatten().take(1).cloned().collect());
    let is_asked_for = source.text().contains("__has_include");
    if include.condition == Condition::Optional && is_asked_for {
        return because(Reason::Optional);
    }
    if path.contains("//") || include.range.len() != path.len() || !path.is_ascii() {
        return because(Reason::Dynamic);
    }
    if let Some(outcome) = slip(report, include, path) {
        return outcome;
    }
    if include.condition == Condition::Optional {
        return because(Reason::Optional);
    }
    if let Some(by) = generated_by(project, path) {
        return because(Reason::Produced(by));
    }
    // `../lib/a.h` is seen from the file itself as a rule, whatever could be made below a directory that is searched.
    let is_own_step = include.form == Form::Quoted && is_step(path);
    let likely = if is_own_step { &candidates[..candidates.len().min(1)] } else { candidates };
    if let Some(reason) = likely.iter().flatten().find_map(|path| project.generated_by(path)) {
        return because(reason);
    }
    let severity = severity(report, include);
    let verdict =
        |severity: Severity, wanted: Option<String>| Lookup::new(project, Want::File).verdict(severity, [wanted]);
    let own = join(source.directory(), path);
    let Some(tail) = tail(path) else { return because(Reason::Outside) };
    let is_directory =
        |path: Option<String>| path.is_some_and(|path| project.tree().kind(&path) == Some(Kind::Directory));
    if is_own_step {
        // A copy of a file of another project keeps what only that project has.
        let is_copy = include.condition != Condition::Always && !is_directory(join(source.directory(), parent(path)));
        // Seen from a directory that is searched, which only a variable names (Catch2).
        if !is_copy
            && project.index::<Build>().is_open(source.path())
            && let Some(other) = project.ending_in(&tail)
        {
            return because(Reason::Undecided(other.to_owned()));
        }
        return if is_copy { because(Reason::Optional) } else { verdict(severity, own) };
    }
    if let Some(other) = project.ending_in(&tail) {
        // The compiler does not search where the header is. Where it can also be a system's, that one is meant.
        let is_told = include.form == Form::Quoted
            && include.condition == Condition::Always
            && !is_foreign_name(&tail)
            && project.index::<Build>().command(source.path()).is_some_and(|command| command.is_closed);
        return if is_told {
            Lookup::new(project, Want::File).verdict(severity, candidates.iter().cloned())
        } else {
            because(Reason::Undecided(other.to_owned()))
        };
    }
    let (directory, last) = (parent(&tail), name(&tail));
    let head = tail.split('/').next().unwrap_or_default();
    let headers = project.index::<Headers>();
    if directory.is_empty() {
        if include.form != Form::Quoted || is_foreign_name(&tail) {
            return because(Reason::Elsewhere);
        }
        let (verdict, tried) = verdict(severity, own);
        return match verdict {
            Verdict::Missing(missing) if missing.instead.is_some() => (Verdict::Missing(missing), tried),
            Verdict::Missing(_) if include.condition > Condition::Platform => because(Reason::Optional),
            // The headers of systems are quoted, too, as a rule where only that system reads them.
            Verdict::Missing(_) if !has_sibling(report, last) && !is_own(headers, source.path(), last) => {
                // It was in a directory that is searched.
                let all = candidates.iter().filter(|_| !is_known_header(&tail)).cloned();
                let told = moved_away(project, Want::File, severity, path, all);
                told.unwrap_or_else(|| because(Reason::Elsewhere))
            }
            verdict => (verdict, tried),
        };
    }
    if include.form == Form::Quoted && is_directory(join(source.directory(), directory)) {
        return verdict(severity, own);
    }
    let build = project.index::<Build>();
    // A directory of another part of the repository is searched by that part only (protobuf's `upb`, which has a `base`).
    let top = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let is_searched = |root: &str| build.searches(root) && top(root) == top(source.path());
    let is_root = |root: &&str| ROOTS.contains(&name(root)) || is_searched(root);
    if let Some(root) = headers.roots_of(directory).find(is_root)
        && !is_foreign_head(head)
    {
        return verdict(severity, join(root, &tail));
    }
    // Moved out of a directory that is gone.
    let is_moved = include.form == Form::Quoted
        && include.condition < Condition::Optional
        && project.ending_in(last).is_some()
        && (headers.is_of_family(last) || headers.is_of_family(head) || was_renamed(report, directory, last));
    if is_moved {
        return verdict(severity, own);
    }
    let is_own = include.form == Form::Quoted && include.condition < Condition::Optional && !is_foreign_head(head);
    let told = is_own.then(|| moved_away(project, Want::File, severity, path, [own])).flatten();
    told.unwrap_or_else(|| because(Reason::Elsewhere))
}

/// How bad it is that nothing is there.
fn severity(report: &Report<'_>, include: &Include) -> Severity {
    let severity = if include.condition == Condition::Always { Severity::Error } else { Severity::Warning };
    severity_in(report.source.path(), severity)
}

/// The verdict where what is written is one header of the tree mistyped, and nothing makes it.
fn slip(report: &Report<'_>, include: &Include, path: &str) -> Option<Resolution> {
    let project = report.project;
    let tail = tail(path).filter(|_| include.form == Form::Quoted)?;
    // Some directory may be searched in which it is.
    if project.ending_in(&tail).is_some() {
        return None;
    }
    let mistyped = mistyped(project, report.source.directory(), path, &tail)?;
    let mistyped = as_searched(report, mistyped, path);
    let made = |path: &str| generated_by(project, path).map(Reason::Produced).or_else(|| project.generated_by(path));
    if let Some(reason) = is_made(&mistyped, made) {
        return Some((Verdict::Unknown(reason), vec![mistyped.wanted]));
    }
    let missing = Missing {
        code: Code::MissingPath,
        severity: severity(report, include),
        reason: format!("{} does not exist", mistyped.wanted),
        wanted: mistyped.wanted.clone(),
        want: Want::File,
        instead: None,
    };
    Some((Verdict::Missing(missing), vec![mistyped.wanted]))
}

/// The header that a compiler takes of those that are called like the one that was meant.
fn as_searched(report: &Report<'_>, mistyped: Mistyped, path: &str) -> Mistyped {
    let count = path.split('/').count();
    let start = mistyped.meant.rmatch_indices('/').nth(count - 1).map_or(0, |(at, _)| at + 1);
    let suffix = &mistyped.meant[start..];
    let tree = report.project.tree();
    let candidates = if is_step(path) { Vec::new() } else { candidates(report, suffix, Form::Quoted) };
    let meant = candidates.into_iter().flatten().find(|path| tree.kind(path) == Some(Kind::File));
    let wanted = meant.as_ref().and_then(|meant| join(meant.strip_suffix(suffix)?, path));
    meant.zip(wanted).map_or(mistyped, |(meant, wanted)| Mistyped { meant, wanted })
}

/// Whether the only file of this name lies in a directory that is called like a part of the written one, or the other
/// way round: `c-ares/x.h` is now `ares/x.h`.
fn was_renamed(report: &Report<'_>, directory: &str, last: &str) -> bool {
    /// Shorter words are in names by chance.
    const SHORTEST: usize = 4;
    let [there] = report.project.all_ending_in(last, 2)[..] else { return false };
    let (now, was) = (name(parent(there)), name(directory));
    let is_part = |whole: &str, part: &str| part.len() >= SHORTEST && whole.split(['-', '_']).any(|word| word == part);
    now != was && !is_foreign_head(was) && (is_part(now, was) || is_part(was, now))
}

/// Whether a file beside this one has the name with another extension: `x.c`, or `x.hpp` instead of `x.h`.
fn has_sibling(report: &Report<'_>, last: &str) -> bool {
    const ENDS: [&str; 12] = ["c", "cc", "cpp", "cu", "cxx", "h", "hh", "hpp", "hxx", "inl", "m", "mm"];
    let stem = last.strip_suffix(&format!(".{}", extension(last))).unwrap_or(last);
    let tree = report.project.tree();
    let mut all = ENDS.iter().filter_map(|end| join(report.source.directory(), &format!("{stem}.{end}")));
    all.any(|path| tree.kind(&path) == Some(Kind::File))
}
