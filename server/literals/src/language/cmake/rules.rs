//! Where the words of a `CMake` file lead.

use super::made::Made;
use crate::checked::{Reason, Severity, Target, Verdict};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, is_dynamic, join};
use crate::report::{Report, Resolution, severity_in, undecided};

use super::expand::{Expanded, plain, variable};
use super::scan::{Command, Word, commands};

/// What compilers read.
const SOURCES: [&str; 20] = [
    "asm", "c", "cc", "cpp", "cu", "cuh", "cxx", "f", "f90", "h", "hh", "hpp", "hxx", "inl", "ipp", "m", "mm", "rc",
    "s", "ui",
];

/// Whether a path has an ending of this list.
fn ends_in(path: &str, ends: &[&str]) -> bool {
    ends.contains(&extension(path).as_str())
}

/// Where in a file a command stands.
#[derive(Default)]
struct Place {
    /// Whether each open `if` asks about a file.
    asks: Vec<bool>,
    /// Functions run where they are called.
    functions: usize,
}

/// Adds everything that a `CMake` file names.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let mut place = Place::default();
    for command in commands(text) {
        let words: Vec<&str> = command.words.iter().map(|word| &text[word.at..word.end]).collect();
        match command.name.as_str() {
            "if" => place.asks.push(words.contains(&"EXISTS")),
            "elseif" | "else" => {
                let asks = words.contains(&"EXISTS");
                if let Some(last) = place.asks.last_mut() {
                    *last |= asks;
                }
            }
            "endif" => _ = place.asks.pop(),
            "function" | "macro" => place.functions += 1,
            "endfunction" | "endmacro" => place.functions = place.functions.saturating_sub(1),
            _ => one(report, &place, &command, &words),
        }
    }
}

fn one(report: &mut Report<'_>, place: &Place, command: &Command, words: &[&str]) {
    match command.name.as_str() {
        "add_subdirectory" => {
            if let (Some(word), Some(text)) = (command.words.first(), words.first()) {
                judge(report, place, "cmake.subdirectory", *word, text, Want::Directory, Severity::Error);
            }
        }
        "include" => include(report, place, command, words),
        "configure_file" => {
            if let (Some(word), Some(text)) = (command.words.first(), words.first()) {
                judge(report, place, "cmake.configure", *word, text, Want::File, Severity::Error);
            }
        }
        "add_executable" | "add_library" => {
            if words.contains(&"ALIAS") || words.contains(&"IMPORTED") {
                return;
            }
            sources(report, place, command, words, 1);
        }
        "target_sources" => sources(report, place, command, words, 1),
        "set" | "list" => {
            let name = words.get(usize::from(command.name == "list")).copied().unwrap_or_default();
            if command.name == "list" && !matches!(words.first(), Some(&("APPEND" | "PREPEND"))) || is_for_outputs(name)
            {
                return;
            }
            let first = 1 + usize::from(command.name == "list");
            for (word, text) in command.words.iter().zip(words).skip(first) {
                if text.starts_with("${") {
                    below_variable(report, place, *word, text, &SOURCES);
                } else if ends_in(text, &SOURCES)
                    && !text.starts_with(['/', '.', '-'])
                    && !is_dynamic(text)
                    && is_simple(text)
                {
                    let expanded = Expanded { is_sure: false, ..plain(report, text) };
                    let outcome = outcome(report, place, &expanded, Want::File, Severity::Warning);
                    report.add("cmake.list", word.at, word.end - word.at, outcome);
                }
            }
        }
        "add_custom_command" | "add_custom_target" | "add_test" | "execute_process" => {
            commanded(report, place, command, words);
        }
        _ => {}
    }
}

/// `OUT`, `GENERATED_SOURCES`: what is made.
fn is_for_outputs(name: &str) -> bool {
    const MARKS: [&str; 9] = ["OUT", "GEN", "BINARY", "BUILD", "DEST", "TMP", "TEMP", "INSTALL", "MOC"];
    let name = name.to_ascii_uppercase();
    MARKS.iter().any(|mark| name.contains(mark))
}

fn is_simple(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+'))
}

fn sources(report: &mut Report<'_>, place: &Place, command: &Command, words: &[&str], first: usize) {
    for (word, text) in command.words.iter().zip(words).skip(first) {
        if ends_in(text, &SOURCES) {
            judge(report, place, "cmake.source", *word, text, Want::File, Severity::Error);
        }
    }
}

/// Commands: only scripts and sources are input for sure, and only behind no word that says that they are made.
fn commanded(report: &mut Report<'_>, place: &Place, command: &Command, words: &[&str]) {
    const SCRIPTS: [&str; 12] = ["py", "sh", "pl", "cmake", "js", "rb", "lua", "php", "bat", "ps1", "in", "tcl"];
    let mut is_output = false;
    for (word, text) in command.words.iter().zip(words) {
        match *text {
            "OUTPUT" | "BYPRODUCTS" | "OUTPUT_FILE" | "OUTPUT_VARIABLE" | "ERROR_FILE" | "WORKING_DIRECTORY" | "-o"
            | ">" => is_output = true,
            "COMMAND" | "DEPENDS" | "ARGS" | "NAME" | "COMMENT" | "MAIN_DEPENDENCY" => is_output = false,
            _ if !is_output => below_variable(report, place, *word, text, &SCRIPTS),
            _ => {}
        }
    }
}

fn below_variable(report: &mut Report<'_>, place: &Place, word: Word, text: &str, ends: &[&str]) {
    let is_below = text.split_once('}').is_some_and(|(_, rest)| rest.starts_with('/') && is_simple(rest));
    if text.starts_with("${") && is_below && ends_in(text, ends) {
        judge(report, place, "cmake.path", word, text, Want::Any, Severity::Warning);
    }
}

fn judge(
    report: &mut Report<'_>,
    place: &Place,
    kind: &'static str,
    word: Word,
    text: &str,
    want: Want,
    severity: Severity,
) {
    let length = word.end - word.at;
    let expanded = if text.starts_with("${") {
        variable(report, text)
    } else {
        (!is_dynamic(text) && !text.contains(['$', '@', '*', '<', '\\', '"', '~']) && !text.is_empty())
            .then(|| plain(report, text))
    };
    if text.starts_with('/') || text.contains(':') {
        return report.unknown(kind, word.at, length, Reason::Elsewhere);
    }
    let Some(expanded) = expanded else { return report.unknown(kind, word.at, length, Reason::Dynamic) };
    let outcome = outcome(report, place, &expanded, want, severity);
    report.add(kind, word.at, length, outcome);
}

fn outcome(report: &Report<'_>, place: &Place, expanded: &Expanded, want: Want, severity: Severity) -> Resolution {
    let severity = severity_in(report.source.path(), severity);
    let is_sure = expanded.is_sure && place.functions == 0;
    let (verdict, tried) = if is_sure {
        Lookup::new(report.project, want).verdict(severity, expanded.paths.clone())
    } else {
        undecided(report.project, want, severity, &expanded.rest, expanded.paths.clone())
    };
    let (verdict, tried) = match verdict {
        Verdict::Found(target) if is_sure && want == Want::Directory => listed(report, severity, target, tried),
        verdict => (verdict, tried),
    };
    let is_missing = matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none());
    // A test of how the project is used has it put beside itself.
    let is_staged = want == Want::Directory
        && !place.asks.is_empty()
        && report.source.path().split('/').any(|segment| segment.starts_with("test"));
    let reason = if is_missing && (is_staged || place.asks.contains(&true)) {
        Reason::Optional
    } else if is_missing && tried.first().is_some_and(|path| report.project.index::<Made>().makes(path)) {
        Reason::Produced("CMake".to_owned())
    } else {
        return (verdict, tried);
    };
    (Verdict::Unknown(reason), tried)
}

/// A directory is added only if it has a list. One without anything in it is a submodule's.
fn listed(report: &Report<'_>, severity: Severity, target: Target, tried: Vec<String>) -> Resolution {
    let directory = &target.path;
    let list = join(directory, "CMakeLists.txt");
    let is_bare = report.project.tree().names(directory).is_empty();
    match Lookup::new(report.project, Want::File).verdict(severity, [list]) {
        (verdict @ Verdict::Missing(_), tried) if !is_bare => (verdict, tried),
        (Verdict::Unknown(reason), tried) => (Verdict::Unknown(reason), tried),
        _ => (Verdict::Found(target), tried),
    }
}

/// `include(x.cmake)`, and `include(X)` for a module.
fn include(report: &mut Report<'_>, place: &Place, command: &Command, words: &[&str]) {
    let (Some(word), Some(text)) = (command.words.first(), words.first()) else { return };
    let length = word.end - word.at;
    if words.contains(&"OPTIONAL") || words.contains(&"RESULT_VARIABLE") {
        return report.unknown("cmake.include", word.at, length, Reason::Optional);
    }
    let is_file = text.contains('/') || extension(text) == "cmake";
    if is_file || text.contains('$') {
        return judge(report, place, "cmake.include", *word, text, Want::File, Severity::Error);
    }
    let module = format!("{text}.cmake");
    if let Some(path) = report.project.ending_in(&module) {
        let target = Target { path: path.to_owned() };
        return report.add("cmake.include", word.at, length, (Verdict::Found(target), vec![path.to_owned()]));
    }
    let made = report.project.index::<Made>();
    if is_builtin(text) || !made.has_own_modules_only() || made.makes(&module) || !is_simple(text) || text.is_empty() {
        return report.unknown("cmake.include", word.at, length, Reason::Elsewhere);
    }
    let expanded = Expanded { is_sure: true, ..plain(report, &module) };
    let outcome = outcome(report, place, &expanded, Want::File, Severity::Warning);
    report.add("cmake.include", word.at, length, outcome);
}

/// Whether a module may be `CMake`'s own, by how those are named.
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
