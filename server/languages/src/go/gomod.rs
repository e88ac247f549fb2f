//! Parses and checks `go.mod` and `go.work`: lines that name a module or a directory.
//!
//! Not `gomod-rs`: it ends at the first line that it does not know, such as `use` in `go.work`.

use std::ops::Range;

use crate::go::kinds;
use pathfinder_literals::path::{join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Kind, Lookup, Missing, Reason, Report, Severity, Verdict, Want};

/// A directive of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GoModDirective {
    /// `module a/b`
    Module(Range<usize>),
    /// `require a/b v1.0.0`
    Require(Range<usize>),
    /// `replace a/b => ./c`: the module and the directory.
    Replace(Range<usize>, Range<usize>),
    /// `use ./a`
    Use(Range<usize>),
}

/// The directives of a file, in order.
pub(super) fn parse_directives(text: &str) -> Vec<GoModDirective> {
    let mut found = Vec::new();
    // The word before `(` applies to each line up to `)`.
    let mut group: Option<&str> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let at = offset;
        offset += line.len();
        let line = line.find("//").map_or(line, |cut| &line[..cut]);
        let mut words = split_words(line, at);
        let Some(first) = words.first().cloned() else { continue };
        let verb = match (group, &text[first]) {
            (Some(_), ")") => {
                group = None;
                continue;
            }
            (Some(verb), _) => verb,
            (None, verb) => {
                words.remove(0);
                verb
            }
        };
        if words.len() == 1 && &text[words[0].clone()] == "(" {
            group = Some(verb);
            continue;
        }
        let words: Vec<Range<usize>> = words.into_iter().map(|word| strip_quotes(text, word)).collect();
        let Some(first) = words.first().cloned() else { continue };
        match verb {
            "module" => found.push(GoModDirective::Module(first)),
            "require" => found.push(GoModDirective::Require(first)),
            "use" => found.push(GoModDirective::Use(first)),
            "replace" => {
                let arrow = words.iter().position(|word| &text[word.clone()] == "=>");
                if let Some(to) = arrow.and_then(|at| words.get(at + 1)).filter(|to| is_directory(&text[(*to).clone()]))
                {
                    found.push(GoModDirective::Replace(first, to.clone()));
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns whether the target of `replace` is a directory, by Go's rule for its beginning.
fn is_directory(written: &str) -> bool {
    written.starts_with("./") || written.starts_with("../") || written.starts_with('/') || matches!(written, "." | "..")
}

/// The ranges of the words in a line.
fn split_words(line: &str, offset: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(from) = line[at..].find(|c: char| !c.is_whitespace()).map(|from| at + from) {
        let end = line[from..].find(char::is_whitespace).map_or(line.len(), |end| from + end);
        found.push(offset + from..offset + end);
        at = end;
    }
    found
}

/// The range of a word without its quotes, if it has any.
fn strip_quotes(text: &str, word: Range<usize>) -> Range<usize> {
    let written = &text[word.clone()];
    let is_quoted = written.len() >= 2 && written.starts_with(['"', '`']) && written[1..].ends_with(&written[..1]);
    if is_quoted { word.start + 1..word.end - 1 } else { word }
}

/// Adds the directories that the file names.
pub(super) fn check(report: &mut Report<'_>) {
    let source = report.source;
    let text = source.text();
    let is_work = name(source.path()) == "go.work";
    let all = parse_directives(text);
    for directive in &all {
        let (kind, range, is_used) = match directive {
            GoModDirective::Use(range) if is_work => (kinds::WORK_USE, range, true),
            GoModDirective::Replace(_, range) if is_work => (kinds::WORK_REPLACE, range, true),
            GoModDirective::Replace(module, range) => {
                (kinds::MOD_REPLACE, range, is_required(text, &all, &text[module.clone()]))
            }
            _ => continue,
        };
        let written = &text[range.clone()];
        let outcome = if written.starts_with('/') || written.contains(['$', '{', '\\']) {
            unknown(Reason::Elsewhere)
        } else {
            // Go ignores replacements of modules that are not required.
            let severity = if is_used { severity_in(source.path(), Severity::Error) } else { Severity::Hint };
            let directory = join(source.directory(), written);
            let (verdict, tried) = Lookup::new(report.project, Want::Directory).verdict(severity, [directory]);
            (require_module(report, severity, verdict), tried)
        };
        report.add(kind, range.start, range.len(), outcome);
    }
}

/// Returns whether a directive requires a module.
fn is_required(text: &str, lines: &[GoModDirective], module: &str) -> bool {
    lines.iter().any(|line| matches!(line, GoModDirective::Require(range) if &text[range.clone()] == module))
}

/// Requires that the directory contains a `go.mod`.
fn require_module(report: &Report<'_>, severity: Severity, verdict: Verdict) -> Verdict {
    let Verdict::Found(target) = &verdict else { return verdict };
    let Some(path) = join(&target.path, "go.mod") else { return verdict };
    if report.project.tree().kind(&path) == Some(Kind::File) {
        return verdict;
    }
    if let Some(reason) = report.project.generated_by(&path) {
        return Verdict::Unknown(reason);
    }
    Verdict::Missing(Missing::new(path, Want::File, severity))
}
