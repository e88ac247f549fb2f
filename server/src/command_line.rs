//! `CommandLine`: one simple command with one path among its arguments, read strictly enough to exchange the path.
//!
//! A line is understood only if every word of it means to a shell what it says: plain characters, or one pair of quotes around
//! characters that stay what they are. Expansions, redirections, chains, substitutions, comments, globs, tildes, escapes and
//! assignments are not understood, so that such a line is left alone. `shlex` and `shell-words` undo quotes but take a shell's other
//! signs for text, and do not say where in the line a word stands; a test holds the words against `shlex`.

use std::borrow::Cow;
use std::ops::Range;

/// One word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The argument as the program receives it.
    pub(crate) value: String,
    /// Its byte range in the line, without the quotes.
    range: Range<usize>,
    quote: Option<char>,
}

/// A line, and which of its words is the path.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    text: String,
    words: Vec<Word>,
    operand: usize,
}

impl CommandLine {
    /// Reads a line whose path is the word that `find` names by its position; `None` if the line is not understood or has none.
    pub(crate) fn parse(text: &str, find: impl FnOnce(&[Word]) -> Option<usize>) -> Option<Self> {
        let words = parse_words(text)?;
        let operand = find(&words).filter(|&operand| operand < words.len())?;
        Some(Self { text: text.to_owned(), words, operand })
    }

    /// The path.
    pub(crate) fn operand(&self) -> &str {
        &self.words[self.operand].value
    }

    /// The same line with another path; `None` if a shell or the program would make something else of it. Read again, the line has
    /// the same words but for that one.
    pub(crate) fn with_operand(&self, path: &str) -> Option<String> {
        let word = &self.words[self.operand];
        let is_kept = |c: char| is_plain(c) || word.quote.is_some() && matches!(c, ' ' | '[' | ']' | '(' | ')');
        if is_option_like(path) || !path.chars().all(is_kept) {
            return None;
        }
        let line = format!("{}{path}{}", &self.text[..word.range.start], &self.text[word.range.end..]);
        let words = parse_words(&line)?;
        let is_same = |(at, (new, old)): (usize, (&Word, &Word))| {
            if at == self.operand { new.value == path } else { new.value == old.value }
        };
        let is_exchanged = words.len() == self.words.len() && words.iter().zip(&self.words).enumerate().all(is_same);
        is_exchanged.then_some(line)
    }
}

/// Whether a character has no special meaning to a shell, at any place of a word.
pub(crate) fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '+' | '-' | ',')
}

/// Whether a program may take this for something else than a path: for an option, an old form of one (`tail +5`), a command
/// (`vim +q`), or nothing.
pub(crate) fn is_option_like(path: &str) -> bool {
    path.is_empty() || path.starts_with(['-', '+'])
}

/// A path as it can stand among the arguments of a program.
pub(crate) fn to_operand(path: &str) -> Cow<'_, str> {
    if path.starts_with(['-', '+']) { Cow::Owned(format!("./{path}")) } else { Cow::Borrowed(path) }
}

/// The words of a line, which are separated by spaces; `None` if there is anything in it that is not understood.
fn parse_words(line: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        if first == ' ' {
            at += 1;
            continue;
        }
        let word = parse_word(line, at, first)?;
        at = word.range.end + word.quote.map_or(0, char::len_utf8);
        // A quoted word ends at a space or at the end of the line.
        if !(line[at..].is_empty() || line[at..].starts_with(' ')) {
            return None;
        }
        words.push(word);
    }
    Some(words)
}

/// The word that begins at `at` with the character `first`.
fn parse_word(line: &str, at: usize, first: char) -> Option<Word> {
    let quote = Some(first).filter(|first| matches!(first, '\'' | '"'));
    let (range, is_known): (_, fn(char) -> bool) = if let Some(quote) = quote {
        let start = at + quote.len_utf8();
        let is_literal = if quote == '\'' { is_single_quotable } else { is_double_quotable };
        (start..start + line[start..].find(quote)?, is_literal)
    } else {
        // An assignment and zsh's `=program` begin with a word before `=`, or none: `=` is known in a long option only.
        let end = line[at..].find(' ').map_or(line.len(), |length| at + length);
        (at..end, if line[at..].starts_with("--") { is_option_char } else { is_plain })
    };
    let value = &line[range.clone()];
    value.chars().all(is_known).then(|| Word { value: value.to_owned(), range, quote })
}

fn is_option_char(c: char) -> bool {
    is_plain(c) || c == '='
}

/// Whether every shell keeps a character as it is between single quotes: fish has an escape there, and csh its history.
fn is_single_quotable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\'' | '\\' | '!')
}

/// The same between double quotes, where variables and commands are replaced as well.
fn is_double_quotable(c: char) -> bool {
    !c.is_control() && !matches!(c, '"' | '\\' | '!' | '$' | '`' | '%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CommandLine, parse_words, to_operand};

    /// Exchanges the last word; compares the new line, or `None`.
    #[track_caller]
    fn check(line: &str, path: &str, expect: Option<&str>) {
        let exchanged =
            CommandLine::parse(line, |words| words.len().checked_sub(1)).and_then(|it| it.with_operand(path));
        assert_eq!(exchanged.as_deref(), expect, "{line} {path}");
    }

    #[test]
    fn exchanges_one_word() {
        check("cat a", "b/c.rs", Some("cat b/c.rs"));
        check("  cat   a  ", "b", Some("  cat   b  "));
        check("wc -l nmu", "nmv", Some("wc -l nmv"));
        check("wc a a", "b", Some("wc a b"));
        check("cat 'a b'", "b [c]", Some("cat 'b [c]'"));
        check("cat \"a\"", "app/(x)/y", Some("cat \"app/(x)/y\""));
        check("sed --expression=1p a", "b", Some("sed --expression=1p b"));
        check("cat größe.md", "grösse.md", Some("cat grösse.md"));
    }

    #[test]
    fn refuses_paths_that_are_something_else() {
        for path in
            ["", "-e1emake", "+5", "a b", "a;b", "$(a)", "a'b", "a\nb", "~a", "a*", "a=b", "a\\b", "a#", "{a,b}"]
        {
            check("cat a", path, None);
        }
        for path in ["a'b", "a\"b", "$(a)", "a;b", "a&b", "a\nb", "`a`", "a\u{0}", "-a", "a!b"] {
            check("cat 'a'", path, None);
            check("cat \"a\"", path, None);
        }
    }

    #[test]
    fn leaves_what_a_shell_changes() {
        for line in [
            "cat a; rm b",
            "cat a;",
            "cat a && b",
            "cat a & b",
            "cat a | b",
            "cat a > b",
            "cat < a",
            "cat $a",
            "cat $(a)",
            "cat `a`",
            "cat *",
            "cat a?",
            "cat [a]",
            "cat {a,b}",
            "cat ~/a",
            "cat a\\ b",
            "cat a #b",
            "cat a\nb",
            "cat a\n",
            "cat a\tb",
            "A=b cat a",
            "cat 'a'b",
            "cat b'a'",
            "cat 'a",
            "cat \"a",
            "cat \"$a\"",
            "cat \"a\\\"b\"",
            "cat 'a''b'",
            "cat 'a!b'",
            "cat (a)",
            "!cat a",
            "cat =a",
            "cat a\u{0}",
            "",
        ] {
            check(line, "b", None);
        }
    }

    #[test]
    fn writes_operands() {
        for (path, expect) in [("a", "a"), ("-a", "./-a"), ("+a", "./+a"), ("a/-b", "a/-b"), ("./-a", "./-a"), ("", "")]
        {
            assert_eq!(to_operand(path), expect);
        }
    }

    proptest! {
        /// A parsed line has the words that `shlex` finds in it.
        #[test]
        fn agrees_with_shlex(line in prop_oneof!["[ a-c'\"/.-]{0,16}", "[ a-z'\"$;|&><*?~\\\\#=!{}()\\[\\]/.,+\u{e9}\n\t-]{0,24}"]) {
            if let Some(words) = parse_words(&line) {
                let values: Vec<String> = words.into_iter().map(|word| word.value).collect();
                prop_assert_eq!(Some(values), shlex::split(&line));
            }
        }
    }
}
