//! Checks commands that are a single path, or run one: `run: ./scripts/test.sh`, `run: python3 scripts/lint.py`.

use crate::data_report::{DataReport, has_variable};
use pathfinder_literals::path::{extension, is_dynamic, join, name, parent};
use pathfinder_literals::{LiteralKind, Lookup, Reason, SCRIPT_RUNNERS, Severity, Verdict, Want};
use pathfinder_syntax::data::Text;

/// Extensions of scripts; a program without an extension can be a build output.
const SCRIPT_EXTENSIONS: [&str; 11] = ["sh", "bash", "zsh", "fish", "ps1", "cmd", "bat", "py", "rb", "pl", "php"];
/// Commands that can create files or change the directory. The verdict on later paths is unknown.
const FILE_CREATING_COMMANDS: [&str; 12] = [
    "cd ",
    "curl",
    "wget",
    "git clone",
    "git checkout",
    "git worktree",
    "tar ",
    "unzip",
    "git submodule",
    "cp ",
    "mv ",
    "pushd",
];

/// Shorter names of scripts, such as `build.sh`, occur in many directories.
const MIN_NAME_BYTES: usize = 10;

/// Returns whether a step's command can create files or change the directory.
pub(super) fn can_create_files(text: &str) -> bool {
    FILE_CREATING_COMMANDS.iter().any(|creator| text.contains(creator))
}

/// Returns whether a step's command can change the directory, or what is in a directory of the repository. An archive or a download
/// that writes there names its file.
fn changes_directory(text: &str) -> bool {
    ["cd ", "pushd", "git checkout", "git worktree", "git submodule", "git clone"]
        .iter()
        .any(|word| text.contains(word))
}

/// Checks a command that is one path with optional arguments, relative to `base`; `earlier` are the commands before
/// it.
pub(super) fn check(report: &mut DataReport<'_>, kind: LiteralKind, text: &Text, base: Option<&str>, earlier: &[&str]) {
    let line = text.text.trim();
    if line.contains(['\n', ';', '&', '|', '>', '<', '`']) || line.is_empty() {
        return;
    }
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("");
    // An image has these programs too, in another directory, so that their script is only followed when git moves it.
    let is_interpreted = SCRIPT_RUNNERS.contains(&first);
    let command = if is_interpreted { words.next().unwrap_or("") } else { first };
    if is_interpreted && extension(command).is_empty() {
        return;
    }
    let has_path = command.contains('/') && !command.starts_with(['/', '~', '$', '"', '\'', '-']);
    let is_literal = command.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./+".contains(&byte));
    if !has_path || !is_literal || is_dynamic(command) || has_variable(command) {
        return;
    }
    // The command must stand literally in the text, so that its range is known.
    let Some(written) = report.source.text().get(text.range.clone()) else { return };
    let Some(at) = written.find(command) else { return };
    let start = text.range.start + at;
    let literal = Text { text: command.into(), range: start..start + command.len() };
    let Some(base) = base else { return report.unknown(kind, &literal, Reason::Undecided("a checkout".to_owned())) };
    let path = join(base, command);
    let exists = path.as_deref().is_some_and(|path| report.exists(path));
    // A path that git moved was a file of the repository, which no command creates.
    let is_moved = path.as_deref().is_some_and(|path| report.project.tree().moved(path).is_some());
    if !exists && !is_moved {
        if is_interpreted {
            let verdict = Verdict::Unknown(Reason::Undecided("a directory of the step".to_owned()));
            return report.add(kind, &literal, (verdict, path.into_iter().collect()));
        }
        let directory = path.as_deref().map_or("", parent);
        let has_directory = !directory.is_empty() && report.exists(directory);
        // A script that lies elsewhere under its name has moved.
        let last = name(command);
        let has_moved = last.len() >= MIN_NAME_BYTES && report.project.find_all_by_suffix(last, 2).len() == 1;
        let can_explain = |text: &&str| {
            let creates = if has_directory || has_moved { changes_directory(text) } else { can_create_files(text) };
            creates || text.contains(last)
        };
        if earlier.iter().any(can_explain) {
            // No step makes what its text does not name, if a script differs from that by a typo.
            let is_named = earlier.iter().any(|text| text.contains(last));
            let tried = path.into_iter().filter(|_| !is_named).collect();
            return report.add(
                kind,
                &literal,
                (Verdict::Unknown(Reason::Produced("an earlier step".to_owned())), tried),
            );
        }
        if !SCRIPT_EXTENSIONS.contains(&extension(command).as_str()) && !has_directory && !has_moved {
            // It can be a mistyped script of the directory.
            let verdict = Verdict::Unknown(Reason::Produced("a build".to_owned()));
            return report.add(kind, &literal, (verdict, path.into_iter().collect()));
        }
    }
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Warning, [path]);
    report.add(kind, &literal, answer);
}
