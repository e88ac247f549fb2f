//! Finds inclusions in languages without rules of their own: a word for it and a quoted path, `import "./a.sol"`,
//! `source("lib/a.R")`, `%include 'a.inc'`.
//!
//! A path that says that it is relative (`./`) leads to a file, whatever the language. Any other can come from a search path, so
//! the tree and git decide as for words of configurations. No grammar: `tree-sitter` would need one for each language, for one
//! statement.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, extension, has_scheme, is_dynamic, join, name};
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Lookup, Project, Resolution, Severity, Source, Verdict, Want};

use crate::path_words;

/// Words that name what is included, in one language or another.
const WORDS: [&str; 17] = [
    "embed",
    "export",
    "extends",
    "from",
    "import",
    "importbin",
    "importstr",
    "incbin",
    "include",
    "library",
    "load",
    "module",
    "preload",
    "require",
    "source",
    "use",
    "using",
];

/// Longest line that is read; longer ones are data.
const MAX_LINE_BYTES: usize = 1 << 10;

/// Returns the byte ranges of the quoted paths that a line includes.
pub(super) fn find_paths(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let part = &text[line.clone()];
    let Some(first) = part.find(['"', '\'']).filter(|_| part.len() <= MAX_LINE_BYTES) else { return Vec::new() };
    let is_word_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !part[..first].split(|c| !is_word_part(c)).any(|word| WORDS.contains(&word)) {
        return Vec::new();
    }
    let mut ranges = Vec::new();
    let mut at = first;
    while let Some(quote) = part[at..].find(['"', '\'']).map(|open| at + open) {
        let start = quote + 1;
        let Some(length) = part[start..].find(char::from(part.as_bytes()[quote])) else { break };
        if is_path(&part[start..start + length]) {
            ranges.push(line.start + start..line.start + start + length);
        }
        at = start + length + 1;
    }
    ranges
}

/// Returns whether a quoted text has the form of a path to a file: an ending, or `./` in front.
fn is_path(written: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./+-@".contains(c);
    let has_ending = extension(written).starts_with(|first: char| first.is_ascii_alphabetic());
    written.chars().all(is_plain)
        && !written.starts_with('/')
        && !has_scheme(written)
        && !is_dynamic(written)
        && !name(written).starts_with('.')
        && (has_ending || is_relative(written))
}

fn is_relative(written: &str) -> bool {
    written.starts_with("./") || written.starts_with("../")
}

/// Returns the verdict on an included path; `None` if nothing says that it is one.
pub(super) fn resolve(source: &Source<'_>, project: &Project, written: &str) -> Option<Resolution> {
    if !is_relative(written) {
        return path_words::resolve(source, project, written);
    }
    // Crystal omits its own ending.
    let ending = extension(source.path());
    let here = join(source.directory(), written)?;
    let with_ending = format!("{here}.{ending}");
    // A script can run from a directory above its own.
    let above = ancestors(source.directory()).skip(1).filter_map(|directory| join(directory, written));
    let severity = severity_in(source.path(), Severity::Warning);
    let paths = [here, with_ending].into_iter().chain(above).map(Some);
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(severity, paths);
    match verdict {
        Verdict::Unknown(_) => None,
        verdict => Some((verdict, tried)),
    }
}
