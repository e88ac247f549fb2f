//! Declarations that a line announces with its first words: of data definitions and of languages for which there is no
//! grammar here. Cheap, and as sure as the words are particular.

pub(crate) mod tables;

use crate::{Symbol, SymbolKind};

/// A language that is read line by line.
pub(crate) struct LineLanguage {
    /// What begins a line that is a comment.
    pub(crate) comment_marks: &'static [&'static str],
    /// What encloses comments of several lines.
    pub(crate) block_comment: Option<(&'static str, &'static str)>,
    /// Words that may stand before what announces.
    pub(crate) modifiers: &'static [&'static str],
    /// What announces what; the first that fits counts.
    pub(crate) rules: &'static [Rule],
    /// Signs that names have beside letters, digits and `_`.
    pub(crate) name_signs: &'static str,
    /// Whether words may be written in capitals.
    pub(crate) ignores_case: bool,
    /// What of the rest of a line begins with the name, where that is not the rest.
    pub(crate) find_name: Option<fn(&str) -> &str>,
    /// Whether only lines without a space before them declare anything.
    pub(crate) only_at_margin: bool,
}

/// Words, what they announce, and what may stand between them and the name.
pub(crate) type Rule = (&'static str, SymbolKind, &'static [&'static str]);

impl LineLanguage {
    /// What a text declares.
    pub(crate) fn read_symbols(&self, text: &str) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut in_block = false;
        for (number, line) in text.lines().enumerate() {
            let trimmed = line.trim();
            if let Some((open, close)) = self.block_comment {
                if in_block {
                    in_block = !trimmed.contains(close);
                    continue;
                }
                if let Some(rest) = trimmed.strip_prefix(open) {
                    in_block = !rest.contains(close);
                    continue;
                }
            }
            let indented = line.len() > trimmed.len() && line.starts_with([' ', '\t']);
            if trimmed.is_empty()
                || self.only_at_margin && indented
                || self.comment_marks.iter().any(|mark| trimmed.starts_with(mark))
            {
                continue;
            }
            if let Some((name, kind)) = self.read_line(trimmed) {
                symbols.push(Symbol { name: name.into(), kind, line: number as u32 + 1 });
            }
        }
        symbols
    }

    fn read_line<'t>(&self, line: &'t str) -> Option<(&'t str, SymbolKind)> {
        let line = self.strip_words(line, self.modifiers);
        self.rules.iter().find_map(|(words, kind, between)| {
            let mut rest = line;
            for word in words.split(' ') {
                rest = self.strip_word(rest, word)?;
            }
            let rest = self.strip_words(rest, between);
            if words.eq_ignore_ascii_case("create") {
                return tables::SQL_OBJECTS.read_line(rest);
            }
            Some((self.find_name.map_or(rest, |last| last(rest)), *kind))
                .and_then(|(rest, kind)| Some((self.read_name(rest)?, kind)))
        })
    }

    /// What follows a word, if the text begins with it.
    fn strip_word<'t>(&self, text: &'t str, word: &str) -> Option<&'t str> {
        let head = text.get(..word.len())?;
        let same = if self.ignores_case { head.eq_ignore_ascii_case(word) } else { head == word };
        let rest = &text[word.len()..];
        let ends = !word.ends_with(is_letter) || !rest.starts_with(is_letter);
        (same && ends).then(|| rest.trim_start())
    }

    /// The text without these words before it.
    fn strip_words<'t>(&self, mut text: &'t str, words: &[&str]) -> &'t str {
        while let Some(rest) = words.iter().find_map(|word| self.strip_word(text, word)) {
            if rest.len() == text.len() {
                break;
            }
            text = rest;
        }
        text
    }

    /// The name that the text begins with, in quotes or not; of `a.b` the last.
    fn read_name<'t>(&self, mut text: &'t str) -> Option<&'t str> {
        loop {
            let quote = text.chars().next()?;
            let (name, rest) = match quote {
                '"' | '`' | '\'' => text[1..].split_once(quote)?,
                '[' => text[1..].split_once(']')?,
                _ => {
                    let end = text.find(|letter| !is_letter(letter) && !self.name_signs.contains(letter));
                    text.split_at(end.unwrap_or(text.len()))
                }
            };
            match rest
                .strip_prefix(['.', ':', '#'])
                .filter(|rest| rest.starts_with(|next| is_letter(next) || "\"`[".contains(next)))
            {
                Some(more) if !name.is_empty() => text = more,
                _ => return name.contains(is_letter).then_some(name),
            }
        }
    }
}

/// The second of two labels in quotes, or the only one.
fn second_label(text: &str) -> &str {
    let second = text.strip_prefix('"').and_then(|rest| rest.split_once("\" \""));
    second.map_or(text, |(_, rest)| rest)
}

/// What is said behind `AS`, which names a stage.
fn stage_name(text: &str) -> &str {
    let at = text.to_ascii_lowercase().find(" as ");
    at.map_or("", |at| text[at + 4..].trim_start())
}

/// Whether a letter may be part of any name.
pub(crate) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
