//! `Source`: the text of one file, its offsets those of the file.

use std::borrow::Cow;
use std::ops::Range;

use pathfinder_grammars::{Grammar, Tree};

use crate::trees::Trees;

/// A byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// One file: where it is, and what is in it.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    path: &'a str,
    text: Cow<'a, str>,
    /// Bytes before the text: a byte order mark.
    skipped: usize,
    trees: Trees,
}

impl<'a> Source<'a> {
    /// The file at `path`, relative to its root. `None` if it is no text: it has a NUL, as binary files and UTF-16 have.
    ///
    /// Bytes that are not UTF-8 are replaced one by one, so that every offset stays what it was.
    pub fn new(path: &'a str, bytes: &'a [u8]) -> Option<Self> {
        if memchr::memchr(0, bytes).is_some() {
            return None;
        }
        let rest = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let text = match std::str::from_utf8(rest) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(replaced(rest)),
        };
        Some(Self { path, text, skipped: bytes.len() - rest.len(), trees: Trees::default() })
    }

    /// The same with what is known of an earlier text.
    pub(crate) fn with_trees(self, trees: Trees) -> Self {
        Self { trees, ..self }
    }

    /// The same file with `with` in the place of a range of its text, given that text as a whole; what is parsed is
    /// taken over, so that only what the edit touches is parsed again.
    pub(crate) fn edited<'b>(&self, range: &Range<usize>, with: &str, text: &'b str) -> Source<'b>
    where
        'a: 'b,
    {
        let trees = self.trees.edited(&self.text, range, with);
        Source { path: self.path, text: Cow::Borrowed(text), skipped: 0, trees }
    }

    /// The same text in a file at another path.
    pub(crate) fn at<'b>(&'b self, path: &'b str) -> Source<'b> {
        Source { path, text: Cow::Borrowed(&self.text), skipped: self.skipped, trees: self.trees.clone() }
    }

    /// The tree of the text; it is made once.
    pub(crate) fn parsed(&self, grammar: &Grammar) -> Option<Tree> {
        self.trees.of(grammar, &self.text, &(0..self.text.len()))
    }

    /// The tree of a part of the text, with offsets in that part; it is made once.
    pub(crate) fn parsed_part(&self, part: &Range<usize>, grammar: &Grammar) -> Option<Tree> {
        self.trees.of(grammar, &self.text, part)
    }

    /// Relative to the root.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// The directory that it is in; empty is the root.
    pub fn directory(&self) -> &'a str {
        self.path.rsplit_once('/').map_or("", |(directory, _)| directory)
    }

    /// The text without a byte order mark. Offsets in it are `offset` less than those in the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is to be added to an offset in the text to have that in the file.
    pub fn offset(&self) -> usize {
        self.skipped
    }
}

/// Each byte that is part of no character becomes a control character that no path has.
fn replaced(bytes: &[u8]) -> String {
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
    fn offsets_are_those_of_the_file() {
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
