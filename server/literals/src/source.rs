//! `Source`: the text and syntax trees of one file, the input of every language's check.

use std::borrow::Cow;
use std::ops::Range;

use pathfinder_syntax::grammars::{Grammar, Tree};

use pathfinder_syntax::syntax_trees::SyntaxTrees;

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One file: its path, text and syntax trees.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    path: &'a str,
    text: Cow<'a, str>,
    /// Number of bytes before the text: 3 with a byte order mark, else 0.
    skipped: usize,
    trees: SyntaxTrees,
    /// The only literal to check, as a range of the text; `None` for all.
    focus: Option<Range<usize>>,
}

impl<'a> Source<'a> {
    /// Creates the source of the file at `path`, relative to the root. `None` if it contains a NUL, as binary files and
    /// UTF-16 do.
    ///
    /// Each byte that is not UTF-8 is replaced by one control character, so that offsets do not change.
    pub fn new(path: &'a str, bytes: &'a [u8]) -> Option<Self> {
        if memchr::memchr(0, bytes).is_some() {
            return None;
        }
        let rest = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let text = match std::str::from_utf8(rest) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(replace_invalid_utf8(rest)),
        };
        Some(Self { path, text, skipped: bytes.len() - rest.len(), trees: SyntaxTrees::default(), focus: None })
    }

    /// Takes over the syntax trees of an earlier text.
    pub(crate) fn with_trees(self, trees: SyntaxTrees) -> Self {
        Self { trees, ..self }
    }

    /// Returns the source after `range` was replaced by `with`; `text` is the whole new text. The syntax trees are taken
    /// over, so that only what the edit touches is parsed again.
    pub(crate) fn with_edit<'b>(&self, range: &Range<usize>, with: &str, text: &'b str) -> Source<'b>
    where
        'a: 'b,
    {
        let trees = self.trees.with_edit(&self.text, range, with);
        Source { path: self.path, text: Cow::Borrowed(text), skipped: 0, trees, focus: None }
    }

    /// Takes over the syntax trees of this text after an edit that put `with` into `range`, if this text was never parsed. So the next
    /// edited text is parsed only at its edit.
    pub(crate) fn adopt_trees(&self, edited: &Source<'_>, range: &Range<usize>, with: &str) {
        let put = range.start..range.start + with.len();
        self.trees.adopt(&edited.trees.with_edit(&edited.text, &put, &self.text[range.clone()]));
    }

    /// Returns the source with another path.
    pub fn at<'b>(&'b self, path: &'b str) -> Source<'b> {
        Source { path, text: Cow::Borrowed(&self.text), skipped: self.skipped, trees: self.trees.clone(), focus: None }
    }

    /// Returns the source with the path that says its language.
    pub(crate) fn read_as<'b>(&'b self, path: &'b str) -> Source<'b> {
        Source { focus: self.focus.clone(), ..self.at(path) }
    }

    /// Returns the source of which only the literal at a range is checked, by languages that can check one alone.
    pub(crate) fn with_focus<'b>(&'b self, focus: &Range<usize>) -> Source<'b> {
        Source { focus: Some(focus.clone()), ..self.at(self.path) }
    }

    /// Returns whether the literal at a range of the text is to be checked. A language for which
    /// [`checks_one_literal`](crate::Language::checks_one_literal) holds asks before it resolves a literal.
    pub fn wants(&self, range: &Range<usize>) -> bool {
        self.focus.as_ref().is_none_or(|focus| focus == range)
    }

    /// Returns the syntax tree of the whole text. It is parsed once.
    pub fn parse(&self, grammar: &Grammar) -> Option<Tree> {
        self.trees.parse(grammar, &self.text, &(0..self.text.len()))
    }

    /// Returns the syntax tree of a part of the text, with offsets relative to the part. It is parsed once.
    pub fn parse_part(&self, part: &Range<usize>, grammar: &Grammar) -> Option<Tree> {
        self.trees.parse(grammar, &self.text, part)
    }

    /// The path, relative to the root.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// The directory of the file, relative to the root; empty for the root.
    pub fn directory(&self) -> &'a str {
        crate::path::parent(self.path)
    }

    /// The text without a byte order mark. A file offset is a text offset plus [`offset`](Self::offset).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text at a range of the file; `None` if it is not one of the text.
    pub fn text_at(&self, range: &Range<usize>) -> Option<&str> {
        self.text.get(range.start.checked_sub(self.skipped)?..range.end.checked_sub(self.skipped)?)
    }

    /// The number of bytes of the file before the text.
    pub fn offset(&self) -> usize {
        self.skipped
    }
}

/// Replaces each byte that is not UTF-8 by a control character that no path contains.
fn replace_invalid_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| text.push('\u{1a}'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn keeps_offsets_of_the_file() {
        let check = |bytes: &[u8], text: &str, offset: usize| {
            let source = Source::new("a/b.md", bytes).expect("a text");
            assert_eq!((source.text(), source.offset()), (text, offset));
            assert_eq!(source.text().len() + source.offset(), bytes.len());
        };
        check(b"abc", "abc", 0);
        check("é\r\n".as_bytes(), "é\r\n", 0);
        check(b"\xef\xbb\xbfa", "a", 3);
        check(b"a\xe9b\xff\xfec", "a\u{1a}b\u{1a}\u{1a}c", 0);
        check(b"", "", 0);
        assert!(Source::new("a", b"a\0b").is_none());
        assert!(Source::new("a", b"\xff\xfea\0").is_none());
    }
}
