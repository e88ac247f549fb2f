//! Extracts the missing path from an error message.

use std::ops::Range;

use super::scan::has_extension;

/// Phrases for a missing path, in lower case.
const PHRASES: [&str; 7] = [
    "no such file",
    "enoent",
    "cannot find the path",
    "did not match any file",
    "file or directory not found",
    "does not exist",
    "could not be found",
];

/// Phrases for a failed creation. The path in it was meant to be new.
const CREATION_PHRASES: [&str; 6] =
    ["cannot create", "cannot touch", "cannot make", "can't create", "mkdir", "failed to create"];

/// Phrases about something else than a path.
const OTHER_PHRASES: [&str; 3] = ["command not found", "module not found", "interpreter"];

/// Programs that print contents of files.
const READERS: [&str; 9] = ["cat", "head", "tail", "sed", "nl", "bat", "less", "more", "awk"];

/// Programs that read directories.
const LISTERS: [&str; 7] = ["ls", "cd", "find", "tree", "du", "rg", "grep"];

/// Longest error message in bytes. Longer lines are something else.
const MAX_LINE_BYTES: usize = 2000;

/// The path that an error message reports as missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorPath<'t> {
    /// The missing path.
    pub path: &'t str,
    /// True if the message comes from a program that prints files.
    pub reads: bool,
    /// True if the message comes from a program that reads directories, and the name looks like a directory's.
    pub lists: bool,
}

/// Returns the path that a line reports as missing.
pub fn find_error_path(line: &str) -> Option<ErrorPath<'_>> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    // Only ASCII letters change, so that byte positions stay the same.
    let lower = line.to_ascii_lowercase();
    let phrase = PHRASES.iter().find_map(|phrase| lower.find(phrase))?;
    if CREATION_PHRASES.iter().chain(&OTHER_PHRASES).any(|word| lower.contains(word)) {
        return None;
    }
    let range =
        find_quoted(line, phrase).or_else(|| find_before(line, phrase)).or_else(|| find_behind(line, phrase))?;
    let path = line[range].trim_start_matches("file://");
    let is_plausible =
        path.chars().any(char::is_alphanumeric) && !path.contains(['*', '?', '\n']) && !path.starts_with('-');
    let says = |programs: &[&str]| line.split(':').any(|part| programs.contains(&part.trim()));
    let lists = says(&LISTERS) && !has_extension(path.rsplit('/').next().unwrap_or_default());
    is_plausible.then_some(ErrorPath { path, reads: says(&READERS), lists })
}

/// Returns the last quoted text before the phrase, or else the first one behind it.
fn find_quoted(line: &str, phrase: usize) -> Option<Range<usize>> {
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

/// Words between a program's name and the path.
const ATTEMPT_PHRASES: [&str; 7] =
    ["can't read ", "cannot read ", "cannot open ", "can't open ", "could not open ", "cannot access ", "open "];

/// Finds the path before the phrase: `cat: src/x: No such file or directory`, `open src/x: no such file or directory`.
fn find_before(line: &str, phrase: usize) -> Option<Range<usize>> {
    let head = line[..phrase].trim_end_matches([' ', ':', '(']);
    let colon = head.rfind(": ").map_or(0, |at| at + 2);
    let attempt =
        ATTEMPT_PHRASES.iter().find(|words| head[colon..].starts_with(**words)).map_or(0, |words| words.len());
    // Text between colons may have spaces. Without a program before it, only the last word of a sentence counts.
    let start = if colon + attempt > 0 { colon + attempt } else { head.rfind(' ').map_or(0, |at| at + 1) };
    let text = &head[start..];
    let path = text.contains(['/', '.']) || start > 0 && !text.contains(' ');
    (path && !text.is_empty()).then_some(start..head.len())
}

/// Finds the path behind the phrase: `file or directory not found: tests/test_x.py`.
fn find_behind(line: &str, phrase: usize) -> Option<Range<usize>> {
    let at = phrase + line[phrase..].find(": ")? + 2;
    let end = line[at..].find(char::is_whitespace).map_or(line.len(), |to| at + to);
    line[at..end].contains(['/', '.']).then_some(at..end)
}
