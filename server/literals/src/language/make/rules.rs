//! Where the words of a makefile lead.

use super::made::Made;
use crate::checked::{Reason, Severity, Verdict};
use crate::language::command_words;
use crate::language::html::site::ancestors;
use crate::language::shell::rules::{DEAF, Facts, unquoted};
use crate::language::shell::scan::{After, Word, script};
use crate::lookup::{Lookup, Want};
use crate::path::{is_dynamic, join};
use crate::report::{Report, Resolution, severity_in, undecided, unknown};

use super::lines::{Line, lines};

/// Adds everything that a makefile names.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    for line in lines(text) {
        match line {
            Line::Include { is_optional, at, end } => {
                for (from, to) in split(text, at, end) {
                    let outcome = include(report, &text[from..to], is_optional);
                    report.add("make.include", from, to - from, outcome);
                }
            }
            Line::Assign { name: (from, to), at, end } => {
                if !is_for_outputs(&text[from..to]) {
                    split(text, at, end).for_each(|(from, to)| word(report, from, &text[from..to], false));
                }
            }
            Line::Rule { targets: (from, to), at, end } => {
                let is_special = text[from..to].trim_start().starts_with('.') && !text[from..to].contains('/');
                if !is_special {
                    split(text, at, end).for_each(|(from, to)| word(report, from, &text[from..to], false));
                }
            }
            Line::Recipe { at, end } => recipe(report, at, &text[at..end]),
        }
    }
}

/// `CLEAN_FILES`, `OUTPUTS`: lists of what is made.
fn is_for_outputs(name: &str) -> bool {
    const MARKS: [&str; 10] = ["CLEAN", "OUT", "GEN", "BUILT", "DEST", "TARGET", "OBJ", "TEMP", "TMP", "RESULT"];
    let name = name.to_ascii_uppercase();
    MARKS.iter().any(|mark| name.contains(mark))
}

/// The words between two places.
fn split(text: &str, at: usize, end: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    text[at..end].split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty()).map(move |word| {
        let from = word.as_ptr() as usize - text.as_ptr() as usize;
        (from, from + word.len())
    })
}

fn include(report: &Report<'_>, written: &str, is_optional: bool) -> Resolution {
    let severity = severity_in(report.source.path(), Severity::Error);
    let project = report.project;
    let resolved = variable(report, written);
    let path = resolved.as_deref().unwrap_or(written);
    if is_dynamic(path) || path.contains(['$', '*', '?', '[', '(', ')', '{', '@', '%', '<', '"', '`']) {
        return unknown(Reason::Dynamic);
    }
    if path.starts_with(['/', '~']) {
        return unknown(Reason::Elsewhere);
    }
    // Relative to where make is run: beside this file, above it, or anywhere else.
    let all = ancestors(report.source.directory()).filter_map(|directory| join(directory, path)).map(Some);
    let (mut verdict, tried) = undecided(project, Want::File, severity, path, all.collect::<Vec<_>>());
    if matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none()) {
        if is_optional {
            verdict = Verdict::Unknown(Reason::Optional);
        } else if let Some(by) = project.index::<Made>().by(path) {
            verdict = Verdict::Unknown(Reason::Produced(by.to_owned()));
        }
    }
    (verdict, tried)
}

/// A word that begins with a variable that is known, with its value.
fn variable(report: &Report<'_>, word: &str) -> Option<String> {
    let rest = word.strip_prefix("$(").or_else(|| word.strip_prefix("${"))?;
    let (name, rest) = rest.split_once([')', '}'])?;
    let value = match name {
        "CURDIR" | "srcdir" | "top_srcdir" | "abs_srcdir" => ".",
        name => report.project.index::<Made>().value(name)?,
    };
    // The value stands for a directory.
    (rest.starts_with('/') && !value.is_empty() && !value.starts_with('/')).then(|| format!("{value}{rest}"))
}

fn word(report: &mut Report<'_>, at: usize, written: &str, is_made: bool) {
    let resolved = variable(report, written);
    let path = resolved.as_deref().unwrap_or(written);
    if !command_words::is_path(path) {
        return;
    }
    let outcome = match command_words::outcome(report, path, &[], is_made) {
        (Verdict::Missing(missing), tried) if missing.instead.is_none() => {
            match report.project.index::<Made>().by(path) {
                Some(by) => (Verdict::Unknown(Reason::Produced(by.to_owned())), tried),
                None => (Verdict::Missing(missing), tried),
            }
        }
        outcome => outcome,
    };
    report.add("make.path", at, written.len(), outcome);
}

fn recipe(report: &mut Report<'_>, at: usize, text: &str) {
    let script = script(text);
    let written = |word: &Word| &text[word.at..word.end];
    let mut facts = Facts::default();
    script.commands.iter().for_each(|command| facts.note(command, &written));
    for command in &script.commands {
        let names: Vec<&str> = command.words.iter().map(|word| unquoted(written(word))).collect();
        let first = names.first().map_or("", |name| name.trim_start_matches(['@', '-', '+']));
        if DEAF.contains(&first) || first.contains("echo") || facts.is_away(command) || command.after == After::Or {
            continue;
        }
        for (index, one) in command.words.iter().enumerate() {
            let is_option = index > 0 && (names[index - 1].starts_with("-o") || names[index - 1].starts_with("--out"));
            if one.is_output || is_option {
                continue;
            }
            let inside = unquoted(written(one));
            let lead = if index == 0 { inside.len() - inside.trim_start_matches(['@', '-', '+']).len() } else { 0 };
            let start = at + one.at + usize::from(inside.len() < one.end - one.at) + lead;
            let is_made = facts.is_made(inside);
            if inside[lead..].starts_with("../")
                && !is_made
                && !facts.has_moved()
                && stepped(report, start, &inside[lead..])
            {
                continue;
            }
            word(report, start, &inside[lead..], is_made);
        }
    }
}

/// A recipe runs where the makefile is: a step up from there needs no evidence of where it leads. True if that says it.
fn stepped(report: &mut Report<'_>, at: usize, written: &str) -> bool {
    let is_own = matches!(crate::path::name(report.source.path()), "Makefile" | "makefile" | "GNUmakefile");
    let tail = crate::suffix_index::tail(written).unwrap_or_default();
    if !is_own || !command_words::is_path(written) || report.project.ending_in(&tail).is_some() {
        return false;
    }
    if report.project.index::<Made>().by(written).is_some()
        || report.project.has_name(tail.split('/').next().unwrap_or_default())
    {
        return false;
    }
    let severity = severity_in(report.source.path(), Severity::Warning);
    let path = join(report.source.directory(), written);
    let outcome = Lookup::new(report.project, Want::Any).verdict(severity, [path]);
    report.add("make.path", at, written.len(), outcome);
    true
}
