//! Checks the commands of a `CMake` file and resolves the paths in their arguments.

use super::index::CmakeIndex;
use crate::cmake::kinds;
use crate::file_moves::FileMoves;
use pathfinder_literals::path::{extension, is_dynamic, join};
use pathfinder_literals::report::{find_moved_target, resolve_without_base, severity_in};
use pathfinder_literals::{Code, LiteralKind, Lookup, Reason, Report, Resolution, Severity, Target, Verdict, Want};

use super::expand::{ExpandedArgument, expand_plain, expand_variable};
use super::scan::{CmakeCommand, CommandArgument, parse_commands};

/// Extensions of files that compilers read.
const SOURCE_EXTENSIONS: [&str; 20] = [
    "asm", "c", "cc", "cpp", "cu", "cuh", "cxx", "f", "f90", "h", "hh", "hpp", "hxx", "inl", "ipp", "m", "mm", "rc",
    "s", "ui",
];

/// Returns whether a path has one of these extensions.
fn ends_in(path: &str, ends: &[&str]) -> bool {
    ends.contains(&extension(path).as_str())
}

/// The blocks around a command.
#[derive(Default)]
struct CommandContext {
    /// For each open `if`, whether it tests that a file exists.
    tests_files: Vec<bool>,
    /// The number of open functions, whose commands run in the directory of the caller.
    functions: usize,
}

/// Adds all paths that a `CMake` file names.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let mut context = CommandContext::default();
    for command in parse_commands(text) {
        let words: Vec<&str> = command.words.iter().map(|word| &text[word.at..word.end]).collect();
        match command.name.as_str() {
            "if" => context.tests_files.push(words.contains(&"EXISTS")),
            "elseif" | "else" => {
                let tests_files = words.contains(&"EXISTS");
                if let Some(last) = context.tests_files.last_mut() {
                    *last |= tests_files;
                }
            }
            "endif" => _ = context.tests_files.pop(),
            "function" | "macro" => context.functions += 1,
            "endfunction" | "endmacro" => context.functions = context.functions.saturating_sub(1),
            _ => check_command(report, &context, &command, &words),
        }
    }
}

/// Checks the arguments of one command.
fn check_command(report: &mut Report<'_>, context: &CommandContext, command: &CmakeCommand, words: &[&str]) {
    match command.name.as_str() {
        "add_subdirectory" => {
            if let (Some(word), Some(text)) = (command.words.first(), words.first()) {
                check_path(report, context, kinds::SUBDIRECTORY, *word, text, Want::Directory, Severity::Error);
            }
        }
        "include" => check_include(report, context, command, words),
        "configure_file" => {
            if let (Some(word), Some(text)) = (command.words.first(), words.first()) {
                check_path(report, context, kinds::CONFIGURE, *word, text, Want::File, Severity::Error);
            }
        }
        "file" if matches!(words.first(), Some(&("READ" | "STRINGS"))) => {
            if let (Some(word), Some(text)) = (command.words.get(1), words.get(1)) {
                check_source_read(report, context, *word, text);
            }
        }
        "add_executable" | "add_library" => {
            if words.contains(&"ALIAS") || words.contains(&"IMPORTED") {
                return;
            }
            check_sources(report, context, command, words, 1);
        }
        "target_sources" => check_sources(report, context, command, words, 1),
        "install" => check_installed(report, context, command, words),
        "set" | "list" => {
            let name = words.get(usize::from(command.name == "list")).copied().unwrap_or_default();
            if command.name == "list" && !matches!(words.first(), Some(&("APPEND" | "PREPEND"))) || is_for_others(name)
            {
                return;
            }
            check_list(report, context, command, words, 1 + usize::from(command.name == "list"));
        }
        "add_custom_command" | "add_custom_target" | "add_test" | "execute_process" => {
            check_command_line(report, context, command, words);
        }
        _ => {}
    }
}

/// A value of a list: where it is, what is written, and what it leads to.
type ListItem<'t> = (CommandArgument, &'t str, Resolution);

/// Checks the values of a variable from this argument on that look like sources.
fn check_list(report: &mut Report<'_>, context: &CommandContext, command: &CmakeCommand, words: &[&str], first: usize) {
    let mut found: Vec<ListItem<'_>> = Vec::new();
    for (word, text) in command.words.iter().zip(words).skip(first) {
        if text.starts_with("${") {
            check_below_variable(report, context, *word, text, &SOURCE_EXTENSIONS);
        } else if ends_in(text, &SOURCE_EXTENSIONS)
            && !text.starts_with(['/', '.', '-'])
            && !is_dynamic(text)
            && is_simple(text)
        {
            let expanded = ExpandedArgument { is_sure: false, ..expand_plain(report, text) };
            found.push((*word, text, resolve(report, context, &expanded, Want::File, Severity::Warning)));
        }
    }
    // If the others are there only in another directory, so may be a name that is nowhere.
    let is_there = |(.., (verdict, _)): &ListItem<'_>| matches!(verdict, Verdict::Found(_));
    let is_elsewhere = |(.., (verdict, _)): &ListItem<'_>| matches!(verdict, Verdict::Unknown(Reason::Undecided(_)));
    let has_other_base = !found.iter().any(is_there) && found.iter().any(is_elsewhere);
    for (word, text, (mut verdict, tried)) in found {
        let is_missing = matches!(&verdict, Verdict::Missing(missing) if missing.code == Code::MissingPath);
        if has_other_base && is_missing && !text.contains('/') {
            verdict = Verdict::Unknown(Reason::Undecided("the directory of the others".to_owned()));
        }
        report.add(kinds::LIST, word.at, word.end - word.at, (verdict, tried));
    }
}

/// Returns whether a variable lists generated files, `OUT` or `GENERATED_SOURCES`, or files of the system, such as names for `find_path`.
fn is_for_others(name: &str) -> bool {
    const OUTPUT_MARKS: [&str; 9] = ["OUT", "GEN", "BINARY", "BUILD", "DEST", "TMP", "TEMP", "INSTALL", "MOC"];
    // `CMAKE_EXTRA_INCLUDE_FILES` has headers of the system.
    if name.starts_with("CMAKE_") {
        return true;
    }
    let name = name.to_ascii_uppercase();
    name.ends_with("_NAMES") || OUTPUT_MARKS.iter().any(|mark| name.contains(mark))
}

fn is_simple(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+'))
}

/// Checks the arguments that have the extension of a source.
fn check_sources(
    report: &mut Report<'_>,
    context: &CommandContext,
    command: &CmakeCommand,
    words: &[&str],
    first: usize,
) {
    for (word, text) in command.words.iter().zip(words).skip(first) {
        if ends_in(text, &SOURCE_EXTENSIONS) {
            check_path(report, context, kinds::SOURCE, *word, text, Want::File, Severity::Error);
        }
    }
}

/// Checks a source or a text that `file(READ …)` reads while the build is configured; a command before it can write others.
fn check_source_read(report: &mut Report<'_>, context: &CommandContext, word: CommandArgument, text: &str) {
    const TEXTS: [&str; 4] = ["cmake", "in", "md", "txt"];
    if ends_in(text, &SOURCE_EXTENSIONS) || ends_in(text, &TEXTS) {
        check_path(report, context, kinds::PATH, word, text, Want::File, Severity::Warning);
    }
}

/// Checks the sources that `install(FILES …)` copies; a build can write others.
fn check_installed(report: &mut Report<'_>, context: &CommandContext, command: &CmakeCommand, words: &[&str]) {
    if !matches!(words.first(), Some(&("FILES" | "PROGRAMS"))) || words.contains(&"OPTIONAL") {
        return;
    }
    let files =
        command.words.iter().zip(words).skip(1).take_while(|(_, text)| !matches!(**text, "DESTINATION" | "TYPE"));
    for (word, text) in files.filter(|(_, text)| ends_in(text, &SOURCE_EXTENSIONS)) {
        check_path(report, context, kinds::INSTALLED, *word, text, Want::File, Severity::Warning);
    }
}

/// Checks commands of a build. Only scripts and sources are certainly inputs, and only where no keyword marks them as
/// outputs.
fn check_command_line(report: &mut Report<'_>, context: &CommandContext, command: &CmakeCommand, words: &[&str]) {
    const SCRIPTS: [&str; 12] = ["py", "sh", "pl", "cmake", "js", "rb", "lua", "php", "bat", "ps1", "in", "tcl"];
    let mut is_output = false;
    for (word, text) in command.words.iter().zip(words) {
        match *text {
            "OUTPUT" | "BYPRODUCTS" | "OUTPUT_FILE" | "OUTPUT_VARIABLE" | "ERROR_FILE" | "WORKING_DIRECTORY" | "-o"
            | ">" => is_output = true,
            "COMMAND" | "DEPENDS" | "ARGS" | "NAME" | "COMMENT" | "MAIN_DEPENDENCY" => is_output = false,
            _ if !is_output => check_below_variable(report, context, *word, text, &SCRIPTS),
            _ => {}
        }
    }
}

/// Checks an argument like `${VARIABLE}/x` with one of these extensions.
fn check_below_variable(
    report: &mut Report<'_>,
    context: &CommandContext,
    word: CommandArgument,
    text: &str,
    ends: &[&str],
) {
    let is_below = text.split_once('}').is_some_and(|(_, rest)| rest.starts_with('/') && is_simple(rest));
    if text.starts_with("${") && is_below && ends_in(text, ends) {
        check_path(report, context, kinds::PATH, word, text, Want::Any, Severity::Warning);
    }
}

/// Checks an argument that must be a path.
fn check_path(
    report: &mut Report<'_>,
    context: &CommandContext,
    kind: LiteralKind,
    word: CommandArgument,
    text: &str,
    want: Want,
    severity: Severity,
) {
    let length = word.end - word.at;
    let expanded = if text.starts_with("${") {
        expand_variable(report, text)
    } else {
        (!is_dynamic(text) && !text.contains(['$', '@', '*', '<', '\\', '"', '~']) && !text.is_empty())
            .then(|| expand_plain(report, text))
    };
    if text.starts_with('/') || text.contains(':') {
        return report.unknown(kind, word.at, length, Reason::Elsewhere);
    }
    let Some(expanded) = expanded else { return report.unknown(kind, word.at, length, Reason::Dynamic) };
    let outcome = resolve(report, context, &expanded, want, severity);
    report.add(kind, word.at, length, outcome);
}

/// The verdict on an expanded argument.
fn resolve(
    report: &Report<'_>,
    context: &CommandContext,
    expanded: &ExpandedArgument,
    want: Want,
    severity: Severity,
) -> Resolution {
    let severity = severity_in(report.source.path(), severity);
    let is_sure = expanded.is_sure && context.functions == 0;
    let (verdict, tried) = if is_sure {
        Lookup::new(report.project, want).verdict(severity, expanded.paths.clone())
    } else {
        let open = resolve_without_base(report.project, want, severity, &expanded.rest, expanded.paths.clone());
        find_moved_namesake(report, severity, want, &open).unwrap_or(open)
    };
    let (verdict, tried) = match verdict {
        Verdict::Found(target) if is_sure && want == Want::Directory => {
            require_list_file(report, severity, target, tried)
        }
        verdict => (verdict, tried),
    };
    let is_missing = matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none());
    // A test that uses the project as a dependency copies it beside itself.
    let is_staged = want == Want::Directory
        && !context.tests_files.is_empty()
        && report.source.path().split('/').any(|segment| segment.starts_with("test"));
    let reason = if is_missing && (is_staged || context.tests_files.contains(&true)) {
        Reason::Optional
    } else if is_missing && tried.first().is_some_and(|path| report.project.index::<CmakeIndex>().generates(path)) {
        Reason::Produced("CMake".to_owned())
    } else {
        return (verdict, tried);
    };
    (Verdict::Unknown(reason), tried)
}

/// The verdict on an argument that another directory could have, if a recent commit moved the file there from one of its candidates.
fn find_moved_namesake(
    report: &Report<'_>,
    severity: Severity,
    want: Want,
    (verdict, tried): &Resolution,
) -> Option<Resolution> {
    let Verdict::Unknown(Reason::Undecided(other)) = verdict else { return None };
    let moves = report.project.index::<FileMoves>();
    let is_it = |path: &&String| {
        moves.was_moved(path) && report.project.tree().moved(path).is_some_and(|moved| moved.to == *other)
    };
    let from = tried.iter().find(is_it)?;
    Some(Lookup::new(report.project, want).verdict(severity, [Some(from.clone())]))
}

/// A subdirectory needs a `CMakeLists.txt`. An empty directory is a submodule.
fn require_list_file(report: &Report<'_>, severity: Severity, target: Target, tried: Vec<String>) -> Resolution {
    let directory = &target.path;
    let list = join(directory, "CMakeLists.txt");
    let is_bare = report.project.tree().names(directory).is_empty();
    match Lookup::new(report.project, Want::File).verdict(severity, [list]) {
        (verdict @ Verdict::Missing(_), tried) if !is_bare => (verdict, tried),
        (Verdict::Unknown(reason), tried) => (Verdict::Unknown(reason), tried),
        _ => (Verdict::Found(target), tried),
    }
}

/// Checks `include(x.cmake)`, and `include(X)` of a module.
fn check_include(report: &mut Report<'_>, context: &CommandContext, command: &CmakeCommand, words: &[&str]) {
    let (Some(word), Some(text)) = (command.words.first(), words.first()) else { return };
    let length = word.end - word.at;
    if words.contains(&"OPTIONAL") || words.contains(&"RESULT_VARIABLE") {
        return report.unknown(kinds::INCLUDE, word.at, length, Reason::Optional);
    }
    let is_file = text.contains('/') || extension(text) == "cmake";
    if is_file || text.contains('$') {
        return check_path(report, context, kinds::INCLUDE, *word, text, Want::File, Severity::Error);
    }
    let module = format!("{text}.cmake");
    if let Some(path) = report.project.find_by_suffix(&module) {
        let target = Target { path: path.to_owned() };
        return report.add(kinds::INCLUDE, word.at, length, (Verdict::Found(target), vec![path.to_owned()]));
    }
    let index = report.project.index::<CmakeIndex>();
    if index.generates(&module) || !is_simple(text) || text.is_empty() {
        return report.unknown(kinds::INCLUDE, word.at, length, Reason::Elsewhere);
    }
    // A package can bring the module, or `CMake`. It can have a typo.
    let elsewhere = || (Verdict::Unknown(Reason::Elsewhere), index.module_paths(&module));
    if is_builtin(text) {
        return report.add(kinds::INCLUDE, word.at, length, elsewhere());
    }
    if !index.has_own_modules_only() {
        // No package brings one that lay beside the others and moved.
        let severity = severity_in(report.source.path(), Severity::Warning);
        let beside = index.module_directories().iter().map(|directory| join(directory, &module));
        let moved = find_moved_target(report.project, Want::File, severity, &module, beside);
        return report.add(kinds::INCLUDE, word.at, length, moved.unwrap_or_else(elsewhere));
    }
    let expanded = ExpandedArgument { is_sure: true, ..expand_plain(report, &module) };
    let outcome = resolve(report, context, &expanded, Want::File, Severity::Warning);
    report.add(kinds::INCLUDE, word.at, length, outcome);
}

/// Returns whether the name of a module looks like one of `CMake`'s own.
fn is_builtin(name: &str) -> bool {
    const STARTS: [&str; 31] = [
        "Add",
        "Android",
        "Bundle",
        "CMake",
        "CPack",
        "CSharp",
        "CTest",
        "Check",
        "Dart",
        "Deploy",
        "Documentation",
        "ECM",
        "External",
        "FLTK",
        "Feature",
        "Fetch",
        "Find",
        "Fortran",
        "GNU",
        "Generate",
        "Get",
        "Google",
        "Install",
        "Macro",
        "Process",
        "Qt",
        "Select",
        "Squish",
        "Test",
        "Use",
        "Write",
    ];
    STARTS.iter().any(|start| name.starts_with(start)) || !name.starts_with(|first: char| first.is_ascii_uppercase())
}
