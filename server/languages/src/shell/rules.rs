//! Resolves the words of a shell script that are paths.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::command_words;
use crate::learned_bases;
use crate::shell::kinds;
use pathfinder_literals::path::{ancestors, has_scheme, is_dynamic, join, parent};
use pathfinder_literals::report::{resolve_without_base, severity_in, unknown};
use pathfinder_literals::{Kind, Lookup, Reason, Report, Resolution, Severity, Verdict, Want};

use super::below_variables;
use super::expand::ScriptVariables;
use super::learned_variables::LearnedVariables;
use super::scan::{ListOperator, ShellCommand, ShellWord, parse_script};

/// Adds all paths that a script names. Returns the words of commands that read files.
pub(super) fn check(report: &mut Report<'_>) -> Vec<Range<usize>> {
    let text = report.source.text();
    let script = parse_script(text);
    let written = |word: &ShellWord| &text[word.at..word.end];
    let mut variables = ScriptVariables::new(report.source.path());
    let mut effects = ScriptEffects::default();
    for command in &script.commands {
        for word in &command.words {
            let Some((name, value)) = written(word).split_once('=') else { continue };
            if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                variables.assign(name, value);
            }
        }
        effects.add_command(command, &written);
    }
    effects.find_unknown_directories(report);
    for &(at, end) in &script.comments {
        check_directive(report, at, &text[at..end]);
    }
    for command in &script.commands {
        let Some(first) = command.words.first() else { continue };
        if let (true, Some(word)) = (matches!(written(first), "source" | "."), command.words.get(1)) {
            check_source(report, &variables, &effects, command, word);
        }
        if !effects.is_in_unknown_directory(command) {
            check_words(report, &effects, command, &variables);
        }
    }
    let commands = script.commands.iter().filter(|command| {
        let first = command.words.first().map_or("", written);
        !WRITING_COMMANDS.contains(&unquoted(first))
    });
    let words = commands.flat_map(|command| {
        let is_elsewhere = effects.is_in_unknown_directory(command);
        command.words.iter().filter(move |word| !is_elsewhere || written(word).contains('$'))
    });
    let is_read = |word: &&ShellWord| {
        let name = unquoted(written(word));
        let is_made = name.split_once('=').is_some_and(|(variable, _)| effects.makes(variable));
        !word.is_output && !is_made && !effects.is_created(name) && !effects.tested.contains(name)
    };
    let words: Vec<Range<usize>> = words.filter(is_read).map(|word| word.at..word.end).collect();
    let is_unknown = |word: &&Range<usize>| variables.expand(&text[(*word).clone()]).is_none();
    below_variables::check(report, &words.iter().filter(is_unknown).cloned().collect::<Vec<_>>());
    words
}

/// Commands that print or remove what they name, or make it, or take it out of an archive: it need not exist.
const WRITING_COMMANDS: [&str; 12] =
    ["echo", "printf", "rm", "mkdir", "touch", "tee", "git", "unlink", "unzip", "unrar", "7z", "7za"];

/// The effects of a script that explain nonexistent files: tests, created files and directory changes.
///
/// The rules of makefiles use it for recipes too.
#[derive(Default)]
pub(crate) struct ScriptEffects<'t> {
    /// Words whose existence the script tests.
    tested: FxHashSet<&'t str>,
    /// Words that a command creates or removes.
    created: FxHashSet<&'t str>,
    /// The offset from which the working directory is unknown, or contains other files than the tree.
    unknown_directory_from: Option<usize>,
    /// Directories that the script enters, with the offsets of the commands.
    entered: Vec<(usize, &'t str)>,
    changes_directory: bool,
}

impl<'t> ScriptEffects<'t> {
    /// Adds the effects of a command.
    pub(crate) fn add_command(&mut self, command: &ShellCommand, written: &impl Fn(&ShellWord) -> &'t str) {
        // `if [ … ]`, `! test …`, `sudo cp …`: skips to the command.
        let mut rest = command.words.as_slice();
        while let Some((first, after)) = rest.split_first() {
            let is_prefix = matches!(
                written(first),
                "if" | "while" | "until" | "!" | "then" | "do" | "else" | "elif" | "sudo" | "{"
            );
            if !is_prefix && !written(first).contains('=') {
                break;
            }
            rest = after;
        }
        let Some((first, arguments)) = rest.split_first() else { return };
        let bare = |word: &ShellWord| unquoted(written(word));
        for word in &command.words {
            if word.is_output {
                self.created.insert(normalize(bare(word)));
            }
        }
        let at = first.at;
        let last = arguments.last();
        match bare(first) {
            "[" | "[[" | "test" => self.tested.extend(arguments.iter().map(bare)),
            "touch" | "mkdir" | "rm" | "tee" | "unlink" | "rmdir" => {
                self.created.extend(arguments.iter().map(bare).map(normalize));
            }
            "cp" | "mv" | "ln" | "install" | "ditto" => self.created.extend(last.map(bare).map(normalize)),
            "cd" | "pushd" => {
                self.changes_directory = true;
                let is_known = arguments.first().is_some_and(|word| {
                    let word = bare(word);
                    !word.contains(['$', '`', '~']) && !word.starts_with('/') || is_in_tree(word)
                });
                if !is_known && self.unknown_directory_from.is_none() {
                    self.unknown_directory_from = Some(at);
                }
                self.entered.extend(arguments.first().map(|word| (at, bare(word))));
            }
            "git" if arguments.first().is_some_and(|word| matches!(bare(word), "clone" | "submodule")) => {
                _ = self.unknown_directory_from.get_or_insert(at);
            }
            "tar" | "unzip" | "wget" | "curl" => _ = self.unknown_directory_from.get_or_insert(at),
            _ => {}
        }
        for pair in arguments.windows(2) {
            if matches!(bare(&pair[0]), "-o" | "--output" | "--out" | "-O" | "--outfile" | "--output-file" | "-t") {
                self.created.insert(normalize(bare(&pair[1])));
            }
        }
    }

    /// Finds the first command that enters a directory that the tree does not have: a script made it, and what it has.
    pub(crate) fn find_unknown_directories(&mut self, report: &Report<'_>) {
        let tree = report.project.tree();
        let bases = || ancestors(report.source.directory());
        let is_there = |directory: &str| {
            bases().any(|base| join(base, directory).is_some_and(|path| tree.kind(&path) == Some(Kind::Directory)))
        };
        let is_plain = |directory: &str| {
            !directory.is_empty() && !directory.starts_with('-') && !directory.contains(['$', '`', '~', '*'])
        };
        let unknown = self.entered.iter().find(|(_, directory)| is_plain(directory) && !is_there(directory));
        if let Some((at, _)) = unknown {
            self.unknown_directory_from = Some(self.unknown_directory_from.map_or(*at, |first| first.min(*at)));
        }
    }

    /// Returns whether the script changes its working directory.
    pub(crate) fn changes_directory(&self) -> bool {
        self.changes_directory
    }

    /// Returns whether the script creates a path or a directory above it.
    pub(crate) fn is_created(&self, word: &str) -> bool {
        let mut at = normalize(word);
        loop {
            if self.created.contains(at) {
                return true;
            }
            let Some((directory, _)) = at.rsplit_once('/') else { return false };
            at = directory;
        }
    }

    /// Returns whether the script tests, makes or writes the file that a variable names, or the variable's name says that it does.
    fn is_for_output(&self, variable: &str) -> bool {
        const OUTPUT_MARKS: [&str; 10] =
            ["CACHE", "DEST", "GEN", "LOG", "OUT", "RESULT", "TARGET", "TEMP", "TMP", "WRITE"];
        let upper = variable.to_ascii_uppercase();
        OUTPUT_MARKS.iter().any(|mark| upper.contains(mark))
            || self.tested.iter().any(|word| is_use(word, variable))
            || self.makes(variable)
    }

    /// Returns whether the script makes or writes the file that a variable names: `mkdir "$OUT"`.
    fn makes(&self, variable: &str) -> bool {
        self.created.iter().any(|word| is_use(word, variable))
    }

    /// Returns whether a command runs in an unknown working directory.
    pub(crate) fn is_in_unknown_directory(&self, command: &ShellCommand) -> bool {
        let at = command.words.first().map_or(0, |word| word.at);
        self.unknown_directory_from.is_some_and(|away| at > away)
    }
}

/// Returns whether a word begins with the value of a variable.
fn is_use(word: &str, variable: &str) -> bool {
    let rest = word.trim_start_matches(['"', '$', '{']).strip_prefix(variable);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()))
}

/// A path without `./` and the final `/`.
fn normalize(word: &str) -> &str {
    word.trim_start_matches("./").trim_end_matches('/')
}

/// Returns whether `cd` leads into the tree: `cd "$(dirname "$0")/.."`.
fn is_in_tree(word: &str) -> bool {
    ["$(dirname", "`dirname", "${0%", "${BASH_SOURCE", "$(git rev-parse --show-toplevel", "$(cd "]
        .iter()
        .any(|start| word.starts_with(start))
}

/// Returns whether the word after an option is a file that the command writes: `-o`, `--output`, `-destination`.
pub(crate) fn takes_output(option: &str) -> bool {
    ["-o", "--out", "-dest", "--dest"].iter().any(|start| option.starts_with(start))
}

/// A word without the quotes around the whole of it.
pub(crate) fn unquoted(word: &str) -> &str {
    for mark in ['"', '\''] {
        if let Some(inside) = word.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)) {
            return inside;
        }
    }
    word
}

/// Checks `# shellcheck source=lib/x.sh`.
fn check_directive(report: &mut Report<'_>, at: usize, comment: &str) {
    let Some(rest) = comment.trim_start().strip_prefix("shellcheck ") else { return };
    let Some(value) = rest.split_whitespace().find_map(|word| word.strip_prefix("source=")) else { return };
    if value.is_empty() || value.starts_with('/') || is_dynamic(value) || value.starts_with("SCRIPTDIR") {
        return;
    }
    let start = at + (value.as_ptr() as usize - comment.as_ptr() as usize);
    let severity = severity_in(report.source.path(), Severity::Warning);
    // ShellCheck searches its working directory, and `source-path`.
    let candidates: Vec<_> =
        ancestors(report.source.directory()).filter_map(|directory| join(directory, value)).map(Some).collect();
    let outcome = resolve_without_base(report.project, Want::File, severity, value, candidates);
    report.add(kinds::SOURCE, start, value.len(), outcome);
}

/// Checks the file of a `source` command.
fn check_source(
    report: &mut Report<'_>,
    variables: &ScriptVariables<'_>,
    effects: &ScriptEffects<'_>,
    command: &ShellCommand,
    word: &ShellWord,
) {
    let text = report.source.text();
    let all = &text[word.at..word.end];
    let inside = unquoted(all);
    let at = word.at + usize::from(inside.len() < all.len());
    if inside.is_empty() || inside.starts_with(['/', '~', '-', '<']) || has_scheme(inside) {
        return;
    }
    let outcome = resolve_source(report, variables, all, inside);
    let is_silent = command.words.iter().any(|word| word.is_output);
    let is_asked = command.operator == ListOperator::Or
        || is_silent
        || effects.tested.contains(inside)
        || effects.is_created(inside);
    let outcome = match outcome {
        (Verdict::Missing(_), tried) if is_asked => (Verdict::Unknown(Reason::Optional), tried),
        outcome => outcome,
    };
    report.add(kinds::SOURCE, at, inside.len(), outcome);
}

/// The verdict on the file of a `source` command.
fn resolve_source(report: &Report<'_>, variables: &ScriptVariables<'_>, all: &str, inside: &str) -> Resolution {
    let severity = severity_in(report.source.path(), Severity::Error);
    if let Some(expanded) = variables.expand(all) {
        let tail = expanded.path.clone().unwrap_or_default();
        let candidates = [expanded.path];
        return if expanded.is_sure {
            Lookup::new(report.project, Want::File).verdict(severity, candidates)
        } else {
            let written = inside.rsplit_once([')', '}', '"']).map_or(tail.as_str(), |(_, rest)| rest);
            let written = if written.is_empty() { &tail } else { written };
            resolve_without_base(report.project, Want::File, severity, written, candidates)
        };
    }
    if let Some(outcome) = resolve_below_variable(report, inside) {
        return outcome;
    }
    if is_dynamic(inside) || inside.contains(['$', '`', '*', '"', '\'', '{', '\\', '?', '[', '%']) {
        return unknown(Reason::Dynamic);
    }
    if !inside.contains('/') {
        // A bare name is also searched in `PATH`.
        return unknown(Reason::Elsewhere);
    }
    command_words::outcome(report, inside, &[], false)
}

/// The verdict on a file below a variable whose directory other scripts tell.
fn resolve_below_variable(report: &Report<'_>, written: &str) -> Option<Resolution> {
    let known = written.starts_with('$').then(|| report.project.index::<LearnedVariables>());
    let path = known.and_then(|known| known.path_of(written))?;
    let severity = severity_in(report.source.path(), Severity::Warning);
    Some(learned_bases::resolve(report.project, severity, path))
}

/// Commands whose words are no paths of the tree: text, patterns, remote paths, and files that they create or test.
pub(crate) const COMMANDS_WITHOUT_PATHS: [&str; 44] = [
    "[", "[[", "test", "echo", "printf", "rm", "mkdir", "touch", "tee", "git", "docker", "podman", "kubectl", "ssh",
    "scp", "rsync", "adb", "find", "grep", "egrep", "fgrep", "rg", "sed", "awk", "tar", "unzip", "zip", "curl", "wget",
    "local", "read", "case", "log", "info", "warn", "error", "die", "fail", "gh", "aws", "gsutil", "trap", "alias",
    "assert",
];

/// Checks all other words of a command.
fn check_words(
    report: &mut Report<'_>,
    effects: &ScriptEffects<'_>,
    command: &ShellCommand,
    variables: &ScriptVariables<'_>,
) {
    let text = report.source.text();
    let names: Vec<&str> = command.words.iter().map(|word| unquoted(&text[word.at..word.end])).collect();
    let first = names
        .iter()
        .find(|name| !matches!(**name, "if" | "then" | "do" | "else" | "!" | "sudo" | "exec" | "env" | "time"));
    if first.is_none_or(|first| {
        COMMANDS_WITHOUT_PATHS.contains(first)
            || first.contains("echo")
            || first.ends_with("log")
            || first.ends_with(')')
    }) {
        return;
    }
    let is_source = matches!(names.first(), Some(&("source" | ".")));
    for (index, word) in command.words.iter().enumerate() {
        let all = &text[word.at..word.end];
        if word.is_output || word.is_input || is_source && index == 1 || index > 0 && takes_output(names[index - 1]) {
            continue;
        }
        if let Some((name, value)) = all.split_once('=')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            // `FILES="src/a.c src/b.c"`: the value is a list of paths only if every word is one.
            let start = word.at + name.len() + 1;
            check_list(report, effects, start, value);
            if !effects.is_for_output(name) {
                check_value(report, variables, start, value);
            }
            continue;
        }
        let inside = unquoted(all);
        let start = word.at + usize::from(inside.len() < all.len());
        if command_words::is_path(inside) {
            let is_made =
                effects.is_created(inside) || effects.tested.contains(inside) || command.operator == ListOperator::Or;
            let outcome = command_words::outcome(report, inside, &[], is_made);
            report.add(kinds::PATH, start, inside.len(), outcome);
        } else if let Some(expanded) = variables.expand(all).filter(|expanded| expanded.is_sure)
            && expanded.path.as_deref().is_some_and(command_words::is_path)
        {
            let severity = severity_in(report.source.path(), Severity::Warning);
            let tail = expanded.path.clone().unwrap_or_default();
            let (mut verdict, tried) =
                resolve_without_base(report.project, Want::Any, severity, &tail, [expanded.path]);
            if matches!(verdict, Verdict::Missing(_)) && (effects.is_created(inside) || effects.tested.contains(inside))
            {
                verdict = Verdict::Unknown(Reason::Optional);
            }
            report.add(kinds::PATH, start, inside.len(), (verdict, tried));
        }
    }
}

/// Checks the value of an assignment that is a path, if other files lie beside it: a directory that is not there, the script makes.
fn check_value(report: &mut Report<'_>, variables: &ScriptVariables<'_>, at: usize, value: &str) {
    let inside = unquoted(value);
    let (path, outcome) = if let Some(expanded) = variables.expand(value).filter(|expanded| expanded.is_sure) {
        let Some(path) = expanded.path.filter(|path| inside.contains('/') && command_words::is_path(path)) else {
            return;
        };
        let severity = severity_in(report.source.path(), Severity::Warning);
        let outcome = Lookup::new(report.project, Want::Any).verdict(severity, [Some(path.clone())]);
        (path, outcome)
    } else if inside.starts_with("../") && command_words::is_path(inside) {
        let Some(path) = join(report.source.directory(), inside) else { return };
        (path, command_words::outcome(report, inside, &[], false))
    } else {
        return;
    };
    if !report.project.tree().names(parent(&path)).is_empty() {
        report.add(kinds::PATH, at + usize::from(inside.len() < value.len()), inside.len(), outcome);
    }
}

/// Checks the value of an assignment that is a list of paths.
fn check_list(report: &mut Report<'_>, effects: &ScriptEffects<'_>, at: usize, value: &str) {
    let inside = unquoted(value);
    let start = at + usize::from(inside.len() < value.len());
    let words: Vec<&str> =
        inside.split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty()).collect();
    if words.len() < 2 || !words.iter().all(|word| command_words::is_path(word) || word.starts_with('$')) {
        return;
    }
    for word in words.into_iter().filter(|word| command_words::is_path(word)) {
        let from = start + (word.as_ptr() as usize - inside.as_ptr() as usize);
        let outcome = command_words::outcome(report, word, &[], effects.is_created(word));
        report.add(kinds::PATH, from, word.len(), outcome);
    }
}
