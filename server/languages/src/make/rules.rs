//! Resolves the words of a makefile that are paths.

use super::index::MakefileIndex;
use crate::command_words;
use crate::make::kinds;
use crate::shell::rules::{COMMANDS_WITHOUT_PATHS, ScriptEffects, takes_output, unquoted};
use crate::shell::scan::{ListOperator, ShellWord, parse_script};
use pathfinder_literals::path::{ancestors, head, is_dynamic, join};
use pathfinder_literals::report::{resolve_without_base, severity_in, unknown};
use pathfinder_literals::{Lookup, Reason, Report, Resolution, Severity, Verdict, Want};
use rustc_hash::FxHashSet;

use super::lines::{MakefileLine, parse_lines};

/// Longest list of files of which a makefile asks whether they are there; more is an inventory.
const MAX_ASKED_BYTES: usize = 1 << 10;

/// Adds all paths that a makefile names.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let lines = parse_lines(text);
    let outputs = find_outputs(text, &lines);
    let asked: FxHashSet<&str> = text
        .match_indices("$(wildcard ")
        .filter_map(|(at, start)| head(&text[at + start.len()..], MAX_ASKED_BYTES).split([')', '\n']).next())
        .flat_map(str::split_whitespace)
        .collect();
    for line in lines {
        match line {
            MakefileLine::Include { is_optional, at, end } => {
                let (mut depth, mut seen) = (0, at);
                for (from, to) in split_words(text, at, end) {
                    depth += open_calls(&text[seen..from]);
                    seen = from;
                    if depth > 0 {
                        continue;
                    }
                    let outcome = resolve_include(report, &text[from..to], is_optional);
                    let outcome = match outcome {
                        (Verdict::Missing(_), tried) if asked.contains(&text[from..to]) => {
                            (Verdict::Unknown(Reason::Optional), tried)
                        }
                        outcome => outcome,
                    };
                    report.add(kinds::INCLUDE, from, to - from, outcome);
                }
            }
            MakefileLine::Assign { name: (from, to), at, end } => {
                let name = text[from..to].trim();
                let is_written =
                    [format!("$({name})"), format!("${{{name}}}")].iter().any(|it| outputs.contains(it.as_str()));
                if !is_for_outputs(name) && !is_written {
                    split_words(text, at, end).for_each(|(from, to)| check_word(report, from, &text[from..to], false));
                }
            }
            MakefileLine::Rule { targets: (from, to), at, end } => {
                let is_special = text[from..to].trim_start().starts_with('.') && !text[from..to].contains('/');
                if !is_special {
                    split_words(text, at, end).for_each(|(from, to)| check_word(report, from, &text[from..to], false));
                }
            }
            MakefileLine::Recipe { at, end } => check_recipe(report, at, &text[at..end], &outputs),
        }
    }
}

/// The files that recipes write the output of a command to. Other recipes read them.
fn find_outputs<'t>(text: &'t str, lines: &[MakefileLine]) -> FxHashSet<&'t str> {
    let mut outputs = FxHashSet::default();
    for line in lines {
        let MakefileLine::Recipe { at, end } = line else { continue };
        let recipe = &text[*at..*end];
        if !recipe.contains('>') {
            continue;
        }
        let script = parse_script(recipe);
        let words = script.commands.iter().flat_map(|command| &command.words);
        outputs.extend(words.filter(|word| word.is_output).map(|word| unquoted(&recipe[word.at..word.end])));
    }
    outputs
}

/// The number of calls of functions that a part of a line opens, less those that it closes: `$(foreach module, $(MODULES), …`.
fn open_calls(part: &str) -> isize {
    let sign = |byte: u8| isize::from(matches!(byte, b'(' | b'{')) - isize::from(matches!(byte, b')' | b'}'));
    part.bytes().map(sign).sum()
}

/// Returns whether a variable lists generated files: `CLEAN_FILES`, `OUTPUTS`.
fn is_for_outputs(name: &str) -> bool {
    const OUTPUT_MARKS: [&str; 10] = ["CLEAN", "OUT", "GEN", "BUILT", "DEST", "TARGET", "OBJ", "TEMP", "TMP", "RESULT"];
    let name = name.to_ascii_uppercase();
    OUTPUT_MARKS.iter().any(|mark| name.contains(mark))
}

/// The byte ranges of the words between two offsets.
fn split_words(text: &str, at: usize, end: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    text[at..end].split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty()).map(move |word| {
        let from = word.as_ptr() as usize - text.as_ptr() as usize;
        (from, from + word.len())
    })
}

/// The verdict on a path of an `include`.
fn resolve_include(report: &Report<'_>, written: &str, is_optional: bool) -> Resolution {
    let severity = severity_in(report.source.path(), Severity::Error);
    let project = report.project;
    let resolved = expand_variable(report, written);
    let path = resolved.as_deref().unwrap_or(written);
    if is_dynamic(path) || path.contains(['$', '*', '?', '[', '(', ')', '{', '@', '%', '<', '"', '`']) {
        return unknown(Reason::Dynamic);
    }
    if path.starts_with(['/', '~']) {
        return unknown(Reason::Elsewhere);
    }
    // The path is relative to make's working directory: beside this file, above it, or elsewhere.
    let all = ancestors(report.source.directory()).filter_map(|directory| join(directory, path)).map(Some);
    let (mut verdict, tried) = resolve_without_base(project, Want::File, severity, path, all.collect::<Vec<_>>());
    if matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none()) {
        if is_optional {
            verdict = Verdict::Unknown(Reason::Optional);
        } else if let Some(by) = project.index::<MakefileIndex>().rule_for(path) {
            verdict = Verdict::Unknown(Reason::Produced(by.to_owned()));
        }
    }
    (verdict, tried)
}

/// A word that begins with a variable of known value, with that value inserted.
fn expand_variable(report: &Report<'_>, word: &str) -> Option<String> {
    let rest = word.strip_prefix("$(").or_else(|| word.strip_prefix("${"))?;
    let (name, rest) = rest.split_once([')', '}'])?;
    let value = match name {
        "CURDIR" | "srcdir" | "top_srcdir" | "abs_srcdir" => ".",
        name => report.project.index::<MakefileIndex>().value(name)?,
    };
    // The value must be a directory.
    (rest.starts_with('/') && !value.is_empty() && !value.starts_with('/')).then(|| format!("{value}{rest}"))
}

/// Checks a word, which may be a path.
fn check_word(report: &mut Report<'_>, at: usize, written: &str, is_made: bool) {
    let resolved = expand_variable(report, written);
    let path = resolved.as_deref().unwrap_or(written);
    if !command_words::is_path(path) {
        return;
    }
    let outcome = match command_words::outcome(report, path, &[], is_made) {
        (Verdict::Missing(missing), tried) if missing.instead.is_none() => {
            match report.project.index::<MakefileIndex>().rule_for(path) {
                Some(by) => (Verdict::Unknown(Reason::Produced(by.to_owned())), tried),
                None => (Verdict::Missing(missing), tried),
            }
        }
        outcome => outcome,
    };
    report.add(kinds::PATH, at, written.len(), outcome);
}

/// Checks the words of a recipe line.
fn check_recipe(report: &mut Report<'_>, at: usize, text: &str, outputs: &FxHashSet<&str>) {
    let script = parse_script(text);
    let written = |word: &ShellWord| &text[word.at..word.end];
    let mut effects = ScriptEffects::default();
    script.commands.iter().for_each(|command| effects.add_command(command, &written));
    effects.find_unknown_directories(report);
    for command in &script.commands {
        let names: Vec<&str> = command.words.iter().map(|word| unquoted(written(word))).collect();
        let first = names.first().map_or("", |name| name.trim_start_matches(['@', '-', '+']));
        if COMMANDS_WITHOUT_PATHS.contains(&first)
            || matches!(first, "$(RM)" | "${RM}")
            || first.contains("echo")
            || effects.is_in_unknown_directory(command)
            || command.operator == ListOperator::Or
        {
            continue;
        }
        for (index, one) in command.words.iter().enumerate() {
            if one.is_output || index > 0 && takes_output(names[index - 1]) {
                continue;
            }
            let inside = unquoted(written(one));
            let lead = if index == 0 { inside.len() - inside.trim_start_matches(['@', '-', '+']).len() } else { 0 };
            let start = at + one.at + usize::from(inside.len() < one.end - one.at) + lead;
            let is_made = effects.is_created(inside) || outputs.contains(inside);
            if inside[lead..].starts_with("../")
                && !is_made
                && !effects.changes_directory()
                && check_parent_path(report, start, &inside[lead..])
            {
                continue;
            }
            check_word(report, start, &inside[lead..], is_made);
        }
    }
}

/// Checks a word of a recipe that begins with `../`. Returns true if it added a verdict.
///
/// A recipe runs in the makefile's directory, so the target of such a path is certain.
fn check_parent_path(report: &mut Report<'_>, at: usize, written: &str) -> bool {
    let is_own =
        matches!(pathfinder_literals::path::name(report.source.path()), "Makefile" | "makefile" | "GNUmakefile");
    let tail = pathfinder_literals::path::strip_parent_steps(written).unwrap_or_default();
    if !is_own || !command_words::is_path(written) || report.project.find_by_suffix(&tail).is_some() {
        return false;
    }
    if report.project.index::<MakefileIndex>().rule_for(written).is_some()
        || report.project.has_name(tail.split('/').next().unwrap_or_default())
    {
        return false;
    }
    let severity = severity_in(report.source.path(), Severity::Warning);
    let path = join(report.source.directory(), written);
    let outcome = Lookup::new(report.project, Want::Any).verdict(severity, [path]);
    report.add(kinds::PATH, at, written.len(), outcome);
    true
}
