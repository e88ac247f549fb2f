//! Converts between byte offsets and LSP positions (line and code unit in the negotiated encoding).
//!
//! Not `line-index`: its lines end with `\n` only, and those of LSP with `\r` too.

use std::ops::Range;

use tower_lsp_server::ls_types::{self as ls, Position, PositionEncodingKind};

/// Unit in which LSP positions count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PositionEncoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, which every client supports.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl PositionEncoding {
    /// Returns the first known encoding that the client offers, else UTF-16.
    pub(super) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        offered.into_iter().flatten().find_map(Self::parse).unwrap_or_default()
    }

    fn parse(kind: &PositionEncodingKind) -> Option<Self> {
        match kind.as_str() {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    /// Returns its LSP name.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// Byte offsets of the line starts of a text. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug)]
pub(super) struct LineIndex(Vec<usize>);

impl LineIndex {
    /// Indexes the lines of a text.
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Self(std::iter::once(0).chain(ends.map(|at| at + 1)).collect())
    }

    /// Returns the byte offset of a position. A position past the end of a line gives the end of the line; past the last
    /// line, the end of the text; within a character, its start.
    pub(super) fn offset(&self, text: &str, position: Position, encoding: PositionEncoding) -> usize {
        let Some(start) = self.0.get(position.line as usize).copied() else { return text.len() };
        let line = self.line(text, position.line as usize);
        let mut left = position.character as usize;
        for (at, character) in line.char_indices() {
            let width = encoding.width(character);
            if left < width {
                return start + at;
            }
            left -= width;
        }
        start + line.len()
    }

    /// Returns the position of a byte offset.
    pub(super) fn position(&self, text: &str, offset: usize, encoding: PositionEncoding) -> Position {
        let offset = offset.min(text.len());
        let line = self.0.partition_point(|start| *start <= offset) - 1;
        let before = text.get(self.0[line]..offset).unwrap_or_default();
        let character = if encoding == PositionEncoding::Utf8 || before.is_ascii() {
            before.len()
        } else {
            before.chars().map(|character| encoding.width(character)).sum()
        };
        Position { line: line as u32, character: character as u32 }
    }

    /// Returns the bytes between two positions, in ascending order.
    pub(super) fn byte_range(&self, text: &str, range: ls::Range, encoding: PositionEncoding) -> Range<usize> {
        let (start, end) = (self.offset(text, range.start, encoding), self.offset(text, range.end, encoding));
        start.min(end)..end.max(start)
    }

    /// Returns the positions of a byte range.
    pub(super) fn range(&self, text: &str, bytes: &Range<usize>, encoding: PositionEncoding) -> ls::Range {
        ls::Range { start: self.position(text, bytes.start, encoding), end: self.position(text, bytes.end, encoding) }
    }

    /// Returns a line without its line end.
    fn line<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let end = self.0.get(line + 1).copied().unwrap_or(text.len());
        let line = &text[self.0[line]..end];
        line.strip_suffix("\r\n").or_else(|| line.strip_suffix(['\n', '\r'])).unwrap_or(line)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A character before which there are 1, 2, 3 and 4 bytes in UTF-8.
    const TEXT: &str = "aé\u{20ac}\u{1f600}b\r\nc\rd\n\u{1f600}";

    #[test]
    fn converts_offsets_in_every_encoding() {
        let lines = LineIndex::new(TEXT);
        let check = |offset: usize, line: u32, columns: [u32; 3]| {
            for (encoding, character) in
                [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32].into_iter().zip(columns)
            {
                let position = Position { line, character };
                assert_eq!(lines.position(TEXT, offset, encoding), position, "{offset} {encoding:?}");
                assert_eq!(lines.offset(TEXT, position, encoding), offset, "{position:?} {encoding:?}");
            }
        };
        check(0, 0, [0, 0, 0]);
        check(6, 0, [6, 3, 3]);
        check(10, 0, [10, 5, 4]);
        check(11, 0, [11, 6, 5]);
        check(13, 1, [0, 0, 0]);
        check(15, 2, [0, 0, 0]);
        check(21, 3, [4, 2, 1]);
    }

    #[test]
    fn clamps_positions_past_the_end() {
        let lines = LineIndex::new(TEXT);
        let offset = |line, character, encoding| lines.offset(TEXT, Position { line, character }, encoding);
        assert_eq!(offset(0, 99, PositionEncoding::Utf16), 11);
        assert_eq!(offset(99, 0, PositionEncoding::Utf16), TEXT.len());
        assert_eq!(offset(0, 4, PositionEncoding::Utf16), 6, "between the halves of a character");
        assert_eq!(offset(u32::MAX, u32::MAX, PositionEncoding::Utf8), TEXT.len());
        assert_eq!(LineIndex::new("").offset("", Position { line: 0, character: 3 }, PositionEncoding::Utf16), 0);
        let (start, end) = (Position { line: 1, character: 1 }, Position { line: 0, character: 0 });
        assert_eq!(
            lines.byte_range(TEXT, ls::Range { start, end }, PositionEncoding::Utf8),
            0..14,
            "the wrong way round"
        );
    }

    proptest! {
        /// Each offset of any text survives the round trip.
        #[test]
        fn round_trips_every_offset(text in "[a-cé\u{20ac}\u{1f600}\r\n]{0,40}") {
            let lines = LineIndex::new(&text);
            for (offset, _) in text.char_indices() {
                // There is no position between `\r` and `
                // `.
                if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                    continue;
                }
                for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32] {
                    let position = lines.position(&text, offset, encoding);
                    prop_assert_eq!(lines.offset(&text, position, encoding), offset);
                }
            }
        }
    }
}
