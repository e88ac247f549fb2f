//! Reads symbols by the first words of a line: for data definitions and languages without a grammar here. It is fast, and as
//! reliable as the words are specific.
//!
//! Not one tree-sitter grammar each: most have some megabytes of tables, for languages that few ask about.

pub(crate) mod tables;

use crate::{Symbol, SymbolKind};

/// A language that is read line by line.
pub(crate) struct LineLanguage {
    /// Marks that begin a comment line.
    pub(crate) comment_marks: &'static [&'static str],
    /// Marks around comments of several lines.
    pub(crate) block_comment: Option<(&'static str, &'static str)>,
    /// Words that may stand before the words of a rule.
    pub(crate) modifiers: &'static [&'static str],
    /// The rules; the first match wins.
    pub(crate) rules: &'static [Rule],
    /// Signs in names, beside letters, digits and `_`.
    pub(crate) name_signs: &'static str,
    /// True if the case of words does not matter.
    pub(crate) ignores_case: bool,
    /// Finds the text that begins with the name in the rest of a line; `None` if that is the rest itself.
    pub(crate) find_name: Option<fn(&str) -> &str>,
    /// True if only lines without indentation declare symbols.
    pub(crate) only_at_margin: bool,
}

/// Words that begin a declaration, its kind, and words that may stand between them and the name.
pub(crate) type Rule = (&'static str, SymbolKind, &'static [&'static str]);

impl LineLanguage {
    /// Reads the symbols of a text.
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
            Some((self.find_name.map_or(rest, |find| find(rest)), *kind))
                .and_then(|(rest, kind)| Some((self.read_name(rest)?, kind)))
        })
    }

    /// The text behind a word; `None` if it does not begin with it.
    fn strip_word<'t>(&self, text: &'t str, word: &str) -> Option<&'t str> {
        let head = text.get(..word.len())?;
        let same = if self.ignores_case { head.eq_ignore_ascii_case(word) } else { head == word };
        let rest = &text[word.len()..];
        let ends = !word.ends_with(is_letter) || !rest.starts_with(is_letter);
        (same && ends).then(|| rest.trim_start())
    }

    /// The text without these words at its start.
    fn strip_words<'t>(&self, mut text: &'t str, words: &[&str]) -> &'t str {
        while let Some(rest) = words.iter().find_map(|word| self.strip_word(text, word)) {
            if rest.len() == text.len() {
                break;
            }
            text = rest;
        }
        text
    }

    /// The name at the start of the text, in quotes or not; the last part of `a.b`.
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

/// The text behind `AS`, which names a stage of a Dockerfile.
fn stage_name(text: &str) -> &str {
    let at = text.to_ascii_lowercase().find(" as ");
    at.map_or("", |at| text[at + 4..].trim_start())
}

/// Returns whether a character may be part of a name in every language.
pub(crate) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
