//! Parses one simple command with one path among its arguments, strictly enough to replace that path. The hooks use it.
//!
//! A line is parsed only if each word means to a shell what it says: plain characters, or one pair of quotes around characters that
//! stay as they are. Expansions, redirections, chains, substitutions, comments, globs, tildes, escapes and assignments are rejected.
//!
//! `shlex` and `shell-words` undo quotes but read other shell syntax as text, and do not give the byte range of a word. A property
//! test compares the words with those of `shlex`.

use std::borrow::Cow;
use std::ops::Range;

/// One word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The argument as the program receives it.
    pub value: String,
    /// Byte range in the line, without the quotes.
    range: Range<usize>,
    quote: Option<char>,
}

/// A parsed command line and the position of its path.
#[derive(Clone, Debug)]
pub struct CommandLine {
    text: String,
    words: Vec<Word>,
    operand: usize,
}

impl CommandLine {
    /// Parses a line. `find_operand` returns the position of the path among the words; `None` if the line is rejected or has no path.
    pub fn parse(text: &str, find_operand: impl FnOnce(&[Word]) -> Option<usize>) -> Option<Self> {
        let words = parse_words(text)?;
        let operand = find_operand(&words).filter(|&operand| operand < words.len())?;
        Some(Self { text: text.to_owned(), words, operand })
    }

    /// Returns the path.
    pub fn operand(&self) -> &str {
        &self.words[self.operand].value
    }

    /// Returns the line with another path. All other words stay as they are; `None` if a shell or the program would read the new
    /// path as something else.
    pub fn with_operand(&self, path: &str) -> Option<String> {
        let word = &self.words[self.operand];
        let is_literal = |c: char| is_plain(c) || word.quote.is_some() && matches!(c, ' ' | '[' | ']' | '(' | ')');
        if is_option_like(path) || !path.chars().all(is_literal) {
            return None;
        }
        let line = format!("{}{path}{}", &self.text[..word.range.start], &self.text[word.range.end..]);
        let words = parse_words(&line)?;
        let is_same = |(at, (new, old)): (usize, (&Word, &Word))| {
            if at == self.operand { new.value == path } else { new.value == old.value }
        };
        let is_only_operand_changed =
            words.len() == self.words.len() && words.iter().zip(&self.words).enumerate().all(is_same);
        is_only_operand_changed.then_some(line)
    }
}

/// Returns whether a character has no special meaning to a shell, anywhere in a word.
pub fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '+' | '-' | ',')
}

/// Returns whether a program may read this argument as an option, an old form of one (`tail +5`), a command (`vim +q`), or nothing.
pub fn is_option_like(path: &str) -> bool {
    path.is_empty() || path.starts_with(['-', '+'])
}

/// Writes a path so that it can stand among the arguments of a program.
pub fn to_operand(path: &str) -> Cow<'_, str> {
    if path.starts_with(['-', '+']) { Cow::Owned(format!("./{path}")) } else { Cow::Borrowed(path) }
}

/// Splits a line at spaces; `None` if it contains any shell syntax.
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
        // A quoted word must end at a space or at the end of the line.
        if !(line[at..].is_empty() || line[at..].starts_with(' ')) {
            return None;
        }
        words.push(word);
    }
    Some(words)
}

/// Parses the word that begins at `at` with the character `first`.
fn parse_word(line: &str, at: usize, first: char) -> Option<Word> {
    let quote = Some(first).filter(|first| matches!(first, '\'' | '"'));
    let (range, is_allowed): (_, fn(char) -> bool) = if let Some(quote) = quote {
        let start = at + quote.len_utf8();
        let is_literal = if quote == '\'' { is_single_quotable } else { is_double_quotable };
        (start..start + line[start..].find(quote)?, is_literal)
    } else {
        // An assignment and zsh's `=program` have `=` outside a long option, so `=` is allowed in long options only.
        let end = line[at..].find(' ').map_or(line.len(), |length| at + length);
        (at..end, if line[at..].starts_with("--") { is_option_char } else { is_plain })
    };
    let value = &line[range.clone()];
    value.chars().all(is_allowed).then(|| Word { value: value.to_owned(), range, quote })
}

fn is_option_char(c: char) -> bool {
    is_plain(c) || c == '='
}

/// Returns whether every shell keeps a character between single quotes. fish has an escape there, and csh its history.
fn is_single_quotable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\'' | '\\' | '!')
}

/// Returns whether every shell keeps a character between double quotes, where it also expands variables and commands.
fn is_double_quotable(c: char) -> bool {
    !c.is_control() && !matches!(c, '"' | '\\' | '!' | '$' | '`' | '%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CommandLine, parse_words, to_operand};

    /// Replaces the last word and compares the new line, or `None`.
    #[track_caller]
    fn check(line: &str, path: &str, expect: Option<&str>) {
        let replaced =
            CommandLine::parse(line, |words| words.len().checked_sub(1)).and_then(|it| it.with_operand(path));
        assert_eq!(replaced.as_deref(), expect, "{line} {path}");
    }

    #[test]
    fn replaces_one_word() {
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
    fn rejects_operands_with_special_meaning() {
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
    fn rejects_lines_with_shell_syntax() {
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
