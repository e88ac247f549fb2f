//! Finds the words of a text that have the form of a path or of a name of a file.

use std::ops::Range;

use pathfinder_literals::path::count_names;

use crate::file_moves::MIN_WHOLE_NAMES;
use crate::install_directories::InstallDirectories;

use super::{has_ending, is_name, is_path_like};

/// Returns the byte ranges of the words in a range of a text that have the form of a path with a directory. After a variable,
/// which holds an unknown directory, the rest of the word counts, unless the variable's name says that a build writes there. A word beside a
/// pattern is part of something longer. Of an absolute path where the project is installed, the path below the root counts.
/// `whole` returns the part of a word that is a whole path behind the directories of another root.
pub(super) fn words_of(
    text: &str,
    range: Range<usize>,
    installs: &InstallDirectories,
    whole: impl Fn(Range<usize>) -> Option<Range<usize>>,
) -> impl Iterator<Item = Range<usize>> {
    let part = text.get(range.clone()).unwrap_or_default();
    let is_part_of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '+' | '-' | '@');
    part.split(move |c| !is_part_of_path(c)).filter(|word| word.contains('/')).filter_map(move |word| {
        let at = word.as_ptr() as usize - part.as_ptr() as usize;
        let (before, after) = (part[..at].chars().next_back(), part[at + word.len()..].chars().next());
        let is_cut = |c: Option<char>| c.is_some_and(|c| "*?[]<>%\\~`#&|".contains(c) || !c.is_ascii());
        // A pattern for what is in a directory names the directory.
        let pattern = word.strip_suffix('/').filter(|directory| after == Some('*') && !has_ending(directory));
        let (word, after) = pattern.map_or((word, after), |directory| (directory, None));
        // A tilde can be the root of the application: `~/modules/a/b.yaml`. Two names are as well those of the user's home.
        if before == Some('~') && word.starts_with('/') && !is_cut(after) {
            let is_start = part[..at - 1].chars().next_back().is_none_or(|c| c.is_whitespace() || "\"'=(".contains(c));
            let start = range.start + at + 1;
            let is_whole = count_names(word) >= MIN_WHOLE_NAMES && is_path_like(&word[1..]);
            return (is_start && is_whole).then(|| start..start + word.len() - 1);
        }
        if is_cut(before.filter(|c| *c != '>')) || is_cut(after) || after.is_some_and(|c| "${(".contains(c)) {
            return None;
        }
        let is_start = before.is_none_or(|c| c.is_whitespace() || "\"'=|(".contains(c));
        let rest = match before {
            _ if is_start && installs.strip(word).is_some() => installs.strip(word)?,
            Some('$') => word.split_once('/')?.1,
            Some('}' | ')') if word.starts_with('/') && !ends_with_output(&part[..at]) => &word[1..],
            Some('>') if word.starts_with('/') && ends_with_placeholder(&part[..at]) => &word[1..],
            // The quote ends a value; one that begins it makes the path absolute.
            Some('"') if word.starts_with('/') => {
                let value = part[..at - 1].chars().next_back();
                value.filter(|last| last.is_alphanumeric() || "_})".contains(*last))?;
                &word[1..]
            }
            Some('}' | ')' | '{' | '(' | '>') => return None,
            _ => word,
        };
        let start = range.start + at + (word.len() - rest.len());
        let rest = rest.trim_end_matches('.');
        let word = start..start + rest.len();
        // A value that begins with a directory and a pattern for what is in it: `keeper/**`.
        let is_directory = at == 0 && pattern.is_some() && is_name(rest);
        let is_path = is_directory || is_path_like(rest);
        if is_start && let Some(whole) = whole(word.clone()) {
            return Some(whole);
        }
        is_path.then_some(word)
    })
}

/// Returns the byte ranges of the words in a range of a text that have the form of a name of a file, and are no part of something longer.
pub(super) fn names_of(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let part = text.get(range.clone()).unwrap_or_default();
    let is_between = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '[' | ']');
    part.split(is_between).filter(|word| !word.contains('/') && has_ending(word)).map(move |word| {
        let start = range.start + word.as_ptr() as usize - part.as_ptr() as usize;
        start..start + word.len()
    })
}

/// Returns whether a text ends with a name of letters in angle brackets, as `<rootDir>` of Jest: it stands for a directory.
pub(crate) fn ends_with_placeholder(text: &str) -> bool {
    let name = text.strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    name.is_some_and(|(_, name)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Returns whether a text ends with a variable for a directory of outputs: `$(BINARIES_DIR)`.
pub(crate) fn ends_with_output(text: &str) -> bool {
    is_output(&text[text.rfind(['(', '{']).unwrap_or(text.len())..])
}

/// Returns whether the name of a variable says that it is a directory of outputs.
pub(crate) fn is_output(variable: &str) -> bool {
    const OUTPUTS: [&str; 9] = ["bin", "build", "dest", "dist", "install", "out", "staging", "target", "tmp"];
    let name = variable.to_ascii_lowercase();
    // `$(Build.SourcesDirectory)` of Azure is the checkout.
    !name.contains("source") && OUTPUTS.iter().any(|output| name.contains(output))
}
