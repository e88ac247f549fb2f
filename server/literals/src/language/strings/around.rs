//! What stands around a string, and what that says of it.

use std::ops::Range;

use crate::checked::Reason;

/// How far a line is looked at: what people write is shorter.
const LINE: usize = 300;

/// Words of up to so many letters are parts of others by chance.
const SHORT: usize = 5;

/// Words of code that writes, moves, or removes, and of places that are made for a while: what is named need not be there.
/// Looked for in small letters, as parts of names.
const WRITES: [&str; 40] = [
    "artifact", "cache", "copy", "create", "delete", "dest", "download", "dump", "emit", "export", "filename",
    "generate", "install", "log(", "logger", "logging", "mkdir", "mkpath", "mock", "move", "outdir", "outfile",
    "output", "out_", "out:", "out=", "out =", "printf", "println", "remove", "rename", "report", "sandbox", "save",
    "temp", "tmp", "touch", "unlink", "upload", "write",
];

/// Words of code that asks whether something is there, or is ready for that it is not.
const ASKS: [&str; 20] = [
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

/// Words of code that holds a path against another, or matches one, or names part of an address.
const COMPARES: [&str; 27] = [
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

/// Why nobody can say what this string is for; `None` where nothing around it says so.
pub(super) fn reason(text: &str, range: &Range<usize>) -> Option<Reason> {
    let before = crate::path::end(&text[..range.start - 1], LINE);
    let after = crate::path::head(&text[range.end + 1..], LINE);
    if is_part(before, after) {
        return Some(Reason::Dynamic);
    }
    let line = line(before, after).to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| has_word(&line, word));
    if has(&WRITES) {
        return Some(Reason::Produced("the code around it".to_owned()));
    }
    if has(&ASKS) {
        return Some(Reason::Optional);
    }
    has(&COMPARES).then_some(Reason::Dynamic)
}

/// Whether a word is part of a line; a short one only where a name begins with it (`out:` is no part of `layout:`).
fn has_word(line: &str, word: &str) -> bool {
    let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_ascii_alphabetic());
    line.match_indices(word).any(|(at, _)| word.len() > SHORT || begins(at))
}

/// Whether a string is put together with others, is a key, or a case.
fn is_part(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    let joined = ['+', '%', '"', '\'', '`', '~', '<'];
    let is_dot = before.ends_with('.') && !before.ends_with("..") || after.starts_with('.') && is_dotted(after);
    is_dot
        || before.ends_with(joined)
        || after.starts_with(joined)
        || after.starts_with([':', '['])
        || after.starts_with("=>")
        || after.starts_with(".format")
        || before.ends_with("=~")
}

/// Whether a dot puts a string together with what follows (PHP), or calls one of its methods that make another.
fn is_dotted(after: &str) -> bool {
    let rest = &after[1..];
    rest.starts_with([' ', '$', '\'', '"'])
        || ["format", "replace", "sub", "concat"].iter().any(|name| rest.starts_with(name))
}

/// The line around a string, and the one before where the string begins its own.
fn line(before: &str, after: &str) -> String {
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
