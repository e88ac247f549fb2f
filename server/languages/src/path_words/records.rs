//! Texts around a path: records of its move, and what it is joined to.

use std::ops::Range;

use pathfinder_literals::path::{name, parent};
use pathfinder_literals::{Missing, Source, Verdict};

/// Returns whether the lines around a word contain the new name of its file without the ending. Such a text describes the move.
pub(super) fn has_new_name(text: &str, word: &Range<usize>, verdict: &Verdict) -> bool {
    let Verdict::Missing(Missing { instead: Some(instead), .. }) = verdict else { return false };
    let stem = |path| name(path).split('.').next().unwrap_or_default().to_owned();
    let new = stem(instead);
    !new.is_empty()
        && new != stem(&text[word.clone()])
        && names_directory(&lines_around(text, word.start).replace('.', " "), &new)
}

/// Returns whether a text for people has a word that says that something was elsewhere before: it names old paths on purpose.
pub(super) fn tells_of_moves(text: &str) -> bool {
    const WORDS: [&str; 8] =
        ["deleted", "formerly", "migrated", "moved", "previously", "relocated", "removed", "renamed"];
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Returns whether the lines around an offset tell of a move.
pub(crate) fn tells_of_move(text: &str, at: usize) -> bool {
    tells_of_moves(lines_around(text, at))
}

/// Returns whether the lines around a word name what it leads to now as well. They record the move.
pub(crate) fn is_record(source: &Source<'_>, word: &Range<usize>, instead: &str) -> bool {
    let text = &source.text()[word.clone()];
    // The name of a directory above says nothing: it is a word of any text.
    let is_above = !instead.contains('/') && text.trim_start_matches("./").starts_with(&format!("{instead}/"));
    let is_beside = || !is_above && lines_around(source.text(), word.start).replace(text, "").contains(instead);
    !is_run(source.text(), word) && (is_beside() || is_taken_to(source, text, instead))
}

/// The line at an offset with those beside it, in which a table would have the other name.
pub(super) fn lines_around(text: &str, at: usize) -> &str {
    const LINES: usize = 4;
    /// Lines can be megabytes long, and a table has the other name near.
    const MAX_BYTES: usize = 2 << 10;
    let before = &text[text.ceil_char_boundary(at.saturating_sub(MAX_BYTES))..at];
    let after = &text[at..text.floor_char_boundary(at + MAX_BYTES)];
    let start = before.rmatch_indices('\n').nth(LINES).map_or(0, |(start, _)| start);
    let end = after.match_indices('\n').nth(LINES).map_or(after.len(), |(end, _)| end);
    &text[at - before.len() + start..at + end]
}

/// Returns whether a text has a name that no other name follows after a slash: a whole string, or the directory of `cd`.
pub(crate) fn names_directory(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(name).any(|(at, _)| {
        let after = text[at + name.len()..].trim_start_matches('/');
        !text[..at].ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// Returns whether a command of a script runs the file that a word of this range names, with whatever settings before it. A record of a move
/// runs nothing.
pub(super) fn is_run(text: &str, word: &Range<usize>) -> bool {
    let line = text[..word.start].rsplit('\n').next().unwrap_or_default();
    let command = line.rsplit(['&', '|', ';', '(', '`']).next().unwrap_or_default();
    let keys = ["run:", "script:", "@", "!", "sudo", "time", "exec", "then", "do"];
    let is_before = |part: &str| {
        let name = part.split_once('=').map(|(name, _)| name);
        // A quoted value can have spaces.
        let is_value = part.starts_with('-') || part.ends_with(['\'', '"']);
        keys.contains(&part)
            || is_value
            || name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
    };
    let is_whole = text[word.end..].chars().next().is_none_or(char::is_whitespace);
    text[word.clone()].starts_with("./") && is_whole && command.split_whitespace().all(is_before)
}

/// Returns whether a line of the text names a word and the directory of another path, as that is from the file or from the root, or the
/// whole of that path before the word: `configure_file(a.css html/a.css)` writes the second.
pub(super) fn is_taken_to(source: &Source<'_>, word: &str, path: &str) -> bool {
    let to = parent(path);
    let from_file = to.strip_prefix(source.directory()).map_or(to, |rest| rest.trim_start_matches('/'));
    let own = path.strip_prefix(source.directory()).map_or(path, |rest| rest.trim_start_matches('/'));
    let is_between = |c: char| c.is_whitespace() || "\"'`(),;".contains(c);
    let names = |line: &str| {
        line.split_once(word).is_some_and(|(before, after)| {
            let is_near = from_file.contains('/') && (before.contains(from_file) || after.contains(from_file));
            is_near || before.split(is_between).any(|part| part == own)
        })
    };
    source.text().lines().any(names)
}

/// Returns whether a string that begins at an offset of a program is joined to what stands before it: `$directory . 'a.php'`.
pub(crate) fn is_joined_to(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(['"', '\'', '`']).trim_end();
    before.len() < at && before.ends_with(['.', '+'])
}

/// The rest of the line before a word.
fn line_before<'s>(source: &'s Source<'_>, word: &str) -> &'s str {
    let at = word.as_ptr() as usize - source.text().as_ptr() as usize;
    let before = &source.text()[..at];
    &before[before.rfind('\n').map_or(0, |end| end + 1)..]
}

/// Returns whether a command passes over a word, which need not exist: `find . -not -path "./code/*"`.
pub(super) fn is_left_out(source: &Source<'_>, word: &str) -> bool {
    let before = line_before(source, word).trim_end_matches(['"', '\'', ' ', '=']);
    let last = before.rsplit(char::is_whitespace).next();
    // Not `--manifest-path`, which is read.
    last.is_some_and(|last| ["-path", "-wholename", "--exclude"].contains(&last))
}

/// Returns whether a word is the value of a variable that the text makes a directory of: `mkdir -p $(OUT)`.
pub(super) fn is_made_directory(source: &Source<'_>, word: &str) -> bool {
    let (name, _) = line_before(source, word).split_once('=').unwrap_or_default();
    let name = name.trim_end_matches([':', '?', ' ']);
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let uses = || [format!("$({name})"), format!("${{{name}}}")];
    is_name && source.text().lines().any(|line| line.contains("mkdir") && uses().iter().any(|it| line.contains(it)))
}

#[cfg(test)]
mod tests {
    use pathfinder_literals::Source;

    use super::{is_left_out, is_made_directory};

    fn ask(text: &str, word: &str, is: fn(&Source<'_>, &str) -> bool) -> bool {
        let source = Source::new("Makefile", text.as_bytes()).expect("it is text");
        let at = text.find(word).expect("the text has the word");
        is(&source, &source.text()[at..at + word.len()])
    }

    #[test]
    fn recognises_directories_that_a_command_makes() {
        let check = |text: &str, expect: bool| assert_eq!(ask(text, "./gen", is_made_directory), expect, "{text}");
        check("OUT := ./gen\nall:\n\tmkdir -p $(OUT)\n", true);
        check("OUT=./gen\nmkdir \"${OUT}\"\n", true);
        check("OUT=./gen\nls $(OUT)\n", false);
        check("OUT=./gen\nmkdir $(OUTPUT)\n", false);
        check("./gen\nmkdir $()\n", false);
    }

    #[test]
    fn recognises_what_a_command_passes_over() {
        let check = |text: &str, expect: bool| assert_eq!(ask(text, "./code", is_left_out), expect, "{text}");
        check("S := $(shell find . -not -path \"./code/*\")\n", true);
        check("tar --exclude=./code .\n", true);
        check("find ./code -name x\n", false);
    }
}
