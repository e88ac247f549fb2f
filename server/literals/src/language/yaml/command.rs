//! Commands that are nothing but a path: `run: ./scripts/test.sh`.

use crate::checked::{Reason, Severity};
use crate::language::data::Text;
use crate::language::data::report::{DataReport, has_variable};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, is_dynamic, join, parent};

/// What is run as it is written; a program without an extension can be the result of a build.
const SCRIPTS: [&str; 11] = ["sh", "bash", "zsh", "fish", "ps1", "cmd", "bat", "py", "rb", "pl", "php"];
/// What puts files where none were: after one of these nobody can say.
const MAKERS: [&str; 12] = [
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

/// Whether one step's text can bring files, or lead elsewhere.
pub(super) fn makes_files(text: &str) -> bool {
    MAKERS.iter().any(|maker| text.contains(maker))
}

/// Checks a command that is one path, perhaps with arguments, seen from `base`. `earlier` is what ran before it.
pub(super) fn check(
    report: &mut DataReport<'_>,
    kind: &'static str,
    text: &Text,
    base: Option<&str>,
    earlier: &[&str],
) {
    let line = text.text.trim();
    if line.contains(['\n', ';', '&', '|', '>', '<', '`']) || line.is_empty() {
        return;
    }
    let command = line.split_whitespace().next().unwrap_or("");
    let has_path = command.contains('/') && !command.starts_with(['/', '~', '$', '"', '\'', '-']);
    let plain = command.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./+".contains(&byte));
    if !has_path || !plain || is_dynamic(command) || has_variable(command) {
        return;
    }
    // Only a command that is written as it is: then its place is known.
    let Some(written) = report.source.text().get(text.range.clone()) else { return };
    let Some(at) = written.find(command) else { return };
    let start = text.range.start + at;
    let literal = Text { text: command.into(), range: start..start + command.len() };
    let Some(base) = base else { return report.unknown(kind, &literal, Reason::Undecided("a checkout".to_owned())) };
    let path = join(base, command);
    let there = path.as_deref().is_some_and(|path| report.exists(path));
    if !there {
        if earlier.iter().any(|text| makes_files(text) || text.contains(crate::path::name(command))) {
            return report.unknown(kind, &literal, Reason::Produced("an earlier step".to_owned()));
        }
        let directory = path.as_deref().map_or("", parent);
        let kept = !directory.is_empty() && report.exists(directory);
        if !SCRIPTS.contains(&extension(command).as_str()) && !kept {
            return report.unknown(kind, &literal, Reason::Produced("a build".to_owned()));
        }
    }
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Warning, [path]);
    report.add(kind, &literal, answer);
}
