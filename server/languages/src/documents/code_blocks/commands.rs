//! Checks the paths and scripts in blocks of commands.

use std::ops::Range;

use pathfinder_literals::path::{extension, sibling_path};
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Checked, Lookup, Project, SCRIPT_RUNNERS, Severity, Source, Want};

use super::blocks::Block;
use super::kinds;
use crate::path_words;

/// Scripts of one document that are reported. Each is compared with the other literals.
const MAX_SCRIPTS: usize = 200;

/// Names of languages of commands after a fence.
const SHELLS: [&str; 7] = ["bash", "console", "sh", "shell", "shell-session", "terminal", "zsh"];

/// Returns whether a block contains commands.
pub(super) fn are_commands(block: &Block<'_>) -> bool {
    SHELLS.contains(&&*block.language.to_ascii_lowercase())
}

/// Adds the paths of files that recent commits moved.
pub(super) fn check<'b>(
    source: &Source<'_>,
    project: &Project,
    blocks: impl Iterator<Item = &'b Block<'b>> + Clone,
    found: &mut Vec<Checked>,
) {
    let ranges = blocks.map(|block| block.range.clone());
    path_words::check_moved_in(source, project, kinds::PATH, ranges.clone(), found);
    let scripts = ranges.flat_map(|range| run_scripts(source.text(), range));
    let moved = scripts.filter_map(|script| Some((find_lost(source, project, &script)?, script)));
    for (path, script) in moved.take(MAX_SCRIPTS) {
        let range = script.start + source.offset()..script.end + source.offset();
        if !found.iter().any(|one| one.range.start < range.end && range.start < one.range.end) {
            let severity = severity_in(source.path(), Severity::Warning);
            let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, [Some(path)]);
            found.push(Checked { kind: kinds::PATH, range, verdict, tried });
        }
    }
}

/// Returns the byte ranges of the scripts without a directory that commands run: `sh setup.sh`.
fn run_scripts(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    fn words_of(line: &str) -> impl Iterator<Item = &str> {
        line.split_ascii_whitespace().skip_while(|word| matches!(*word, "$" | ">" | "sudo"))
    }
    // From another directory it is another script.
    let lines = text[range].lines().take_while(|line| words_of(line).next() != Some("cd"));
    lines.filter_map(move |line| {
        let mut words = words_of(line);
        let script = words.next().filter(|word| SCRIPT_RUNNERS.contains(word)).and_then(|_| words.next())?;
        let is_name = script.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        // Both are parts of one text.
        let start = script.as_ptr() as usize - text.as_ptr() as usize;
        let is_script = is_name && !script.starts_with(['-', '.']) && !extension(script).is_empty();
        is_script.then(|| start..start + script.len())
    })
}

/// The earlier path of a script that a commit moved out of the root or the directory of the document.
fn find_lost(source: &Source<'_>, project: &Project, script: &Range<usize>) -> Option<String> {
    let (tree, name) = (project.tree(), &source.text()[script.clone()]);
    let paths = [name.to_owned(), sibling_path(source.path(), name)];
    let is_lost = |path: &String| tree.moved(path).is_some_and(|moved| extension(&moved.to) == extension(path));
    let is_there = paths.iter().any(|path| tree.kind(path).is_some());
    paths.into_iter().find(is_lost).filter(|_| !is_there)
}
