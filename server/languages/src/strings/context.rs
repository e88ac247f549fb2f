//! Examines the code around a string for signs that it is not a reference to an existing file.

use std::ops::Range;

use pathfinder_literals::Reason;

/// Maximum number of bytes before and after a string that are examined. Hand-written lines are shorter.
const MAX_CONTEXT_BYTES: usize = 300;

/// Maximum length of a word that must match at the start of a name, because short words are parts of others by chance.
const MAX_SHORT_WORD_BYTES: usize = 5;

/// Words of code that writes, moves or removes files, and of temporary directories: the path need not exist. They match parts of
/// names, in lower case.
const WRITE_WORDS: [&str; 40] = [
    "artifact", "cache", "copy", "create", "delete", "dest", "download", "dump", "emit", "export", "filename",
    "generate", "install", "log(", "logger", "logging", "mkdir", "mkpath", "mock", "move", "outdir", "outfile",
    "output", "out_", "out:", "out=", "out =", "printf", "println", "remove", "rename", "report", "sandbox", "save",
    "temp", "tmp", "touch", "unlink", "upload", "write",
];

/// Words of code that tests whether a file exists, or handles a missing one.
const TEST_WORDS: [&str; 20] = [
    "access(",
    "access_ok",
    "exist",
    "fallback",
    "is_dir",
    "is_file",
    "isdir",
    "isfile",
    "legacy",
    "missing",
    "not found",
    "not_found",
    "notfound",
    "optional",
    "skip",
    "stat(",
    "throw",
    "try_",
    "unless",
    "enoent",
];

/// Words of code that compares or matches paths, or that builds URLs.
const COMPARE_WORDS: [&str; 27] = [
    "==",
    "!=",
    "assert",
    "contain",
    "ends_with",
    "endswith",
    "equal",
    "exclude",
    "expect",
    "fetch(",
    "glob",
    "has_suffix",
    "hassuffix",
    "ignore",
    "includes(",
    "match",
    "pattern",
    "regex",
    "replace",
    "route",
    "should",
    "starts_with",
    "startswith",
    "require.resolve",
    "strip",
    "suffix",
    "url",
];

/// Returns the reason why the target of a string is unknown, by the code around it; `None` if there is none.
pub(super) fn unknown_reason(text: &str, range: &Range<usize>) -> Option<Reason> {
    let before = pathfinder_literals::path::end(&text[..range.start - 1], MAX_CONTEXT_BYTES);
    let after = pathfinder_literals::path::head(&text[range.end + 1..], MAX_CONTEXT_BYTES);
    if is_part_of_expression(before, after) {
        return Some(Reason::Dynamic);
    }
    let line = line_around(before, after).to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| has_word(&line, word));
    if has(&WRITE_WORDS) {
        return Some(Reason::Produced("the code around it".to_owned()));
    }
    if has(&TEST_WORDS) {
        return Some(Reason::Optional);
    }
    has(&COMPARE_WORDS).then_some(Reason::Dynamic)
}

/// Returns whether a line contains a word; a short word only at the start of a name (`out:` does not match `layout:`).
fn has_word(line: &str, word: &str) -> bool {
    let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_ascii_alphabetic());
    line.match_indices(word).any(|(at, _)| word.len() > MAX_SHORT_WORD_BYTES || begins(at))
}

/// Returns whether a string is concatenated, formatted, a key or a match arm.
fn is_part_of_expression(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    let joined = ['+', '%', '"', '\'', '`', '~', '<'];
    let is_dot = before.ends_with('.') && !before.ends_with("..") || after.starts_with('.') && is_derived(after);
    is_dot
        || before.ends_with(joined)
        || after.starts_with(joined)
        || after.starts_with([':', '['])
        || after.starts_with("=>")
        || after.starts_with(".format")
        || before.ends_with("=~")
}

/// Returns whether a dot after a string concatenates it (PHP) or calls a method that derives another string.
fn is_derived(after: &str) -> bool {
    let rest = &after[1..];
    rest.starts_with([' ', '$', '\'', '"'])
        || ["format", "replace", "sub", "concat"].iter().any(|name| rest.starts_with(name))
}

/// Returns the line around a string, and the line before if the string begins its line.
fn line_around(before: &str, after: &str) -> String {
    let own = before.rsplit('\n').next().unwrap_or(before);
    let opens = own.trim().trim_end_matches(['(', '[', '&', '{']).is_empty();
    let from = if opens {
        let above = before[..before.len() - own.len()].trim_end();
        above.rfind('\n').map_or(0, |at| at + 1)
    } else {
        before.len() - own.len()
    };
    let rest = after.split('\n').next().unwrap_or(after);
    format!("{} {rest}", &before[from..])
}
