//! Messages that say of a path that it is not there.

use std::ops::Range;

use super::scan::has_extension;

/// How systems and tools say it, in small letters.
const PHRASES: [&str; 7] = [
    "no such file",
    "enoent",
    "cannot find the path",
    "did not match any file",
    "file or directory not found",
    "does not exist",
    "could not be found",
];

/// Who wanted to make something new was not looking for something old.
const MAKING: [&str; 6] = ["cannot create", "cannot touch", "cannot make", "can't create", "mkdir", "failed to create"];

/// Where a message speaks of something else than a path.
const OTHER: [&str; 3] = ["command not found", "module not found", "interpreter"];

/// Programs that print what is in files.
const READERS: [&str; 9] = ["cat", "head", "tail", "sed", "nl", "bat", "less", "more", "awk"];

/// Programs that look into directories.
const LISTERS: [&str; 7] = ["ls", "cd", "find", "tree", "du", "rg", "grep"];

/// Longer lines are no messages.
const LONGEST: usize = 2000;

/// What a message complains of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorPath<'t> {
    /// The path that is not there.
    pub(crate) path: &'t str,
    /// Whether a program says it that would have printed the file.
    pub(crate) reads: bool,
    /// Whether a program says it that looks into directories, and the name is like one's.
    pub(crate) lists: bool,
}

/// The path that a line says is not there.
pub(crate) fn error_path(line: &str) -> Option<ErrorPath<'_>> {
    if line.len() > LONGEST {
        return None;
    }
    // Of ASCII only, so that places are the same.
    let lower = line.to_ascii_lowercase();
    let phrase = PHRASES.iter().find_map(|phrase| lower.find(phrase))?;
    if MAKING.iter().chain(&OTHER).any(|word| lower.contains(word)) {
        return None;
    }
    let range = in_quotes(line, phrase).or_else(|| before(line, phrase)).or_else(|| behind(line, phrase))?;
    let path = line[range].trim_start_matches("file://");
    let sensible =
        path.chars().any(char::is_alphanumeric) && !path.contains(['*', '?', '\n']) && !path.starts_with('-');
    let says = |programs: &[&str]| line.split(':').any(|part| programs.contains(&part.trim()));
    let lists = says(&LISTERS) && !has_extension(path.rsplit('/').next().unwrap_or_default());
    sensible.then_some(ErrorPath { path, reads: says(&READERS), lists })
}

/// Between quotes, the last before the phrase, or else the first behind it.
fn in_quotes(line: &str, phrase: usize) -> Option<Range<usize>> {
    const PAIRS: [(char, char); 4] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’')];
    let pairs = || {
        PAIRS.iter().filter_map(|(open, close)| {
            let behind = line[phrase..].find(*open).map(|at| phrase + at + open.len_utf8());
            let end = line[..phrase].rfind(*close);
            let before = end.and_then(|end| Some(line[..end].rfind(*open)? + open.len_utf8()..end));
            before.or_else(|| behind.and_then(|from| Some(from..from + line[from..].find(*close)?)))
        })
    };
    pairs().filter(|range| range.start < range.end).min_by_key(|range| range.start)
}

/// What stands between a program's name and the path.
const ATTEMPTS: [&str; 7] =
    ["can't read ", "cannot read ", "cannot open ", "can't open ", "could not open ", "cannot access ", "open "];

/// `cat: src/x: No such file or directory`, `open src/x: no such file or directory`.
fn before(line: &str, phrase: usize) -> Option<Range<usize>> {
    let head = line[..phrase].trim_end_matches([' ', ':', '(']);
    let colon = head.rfind(": ").map_or(0, |at| at + 2);
    let attempt = ATTEMPTS.iter().find(|words| head[colon..].starts_with(**words)).map_or(0, |words| words.len());
    // What stands between the colons may have spaces; without a program before it, it is a word of a sentence.
    let start = if colon + attempt > 0 { colon + attempt } else { head.rfind(' ').map_or(0, |at| at + 1) };
    let text = &head[start..];
    let path = text.contains(['/', '.']) || start > 0 && !text.contains(' ');
    (path && !text.is_empty()).then_some(start..head.len())
}

/// `file or directory not found: tests/test_x.py`.
fn behind(line: &str, phrase: usize) -> Option<Range<usize>> {
    let at = phrase + line[phrase..].find(": ")? + 2;
    let end = line[at..].find(char::is_whitespace).map_or(line.len(), |to| at + to);
    line[at..end].contains(['/', '.']).then_some(at..end)
}
