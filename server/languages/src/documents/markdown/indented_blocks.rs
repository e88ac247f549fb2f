//! Prose that only looks like code: the indented body of a block whose first line opens it, as in MkDocs (`!!! note`,
//! `??? tip`, `=== "Tab"`). CommonMark knows no such blocks and reads their paragraphs as indented code.

use std::ops::Range;

/// The indentation of a body, in columns beyond that of the opening line.
const INDENT: usize = 4;

/// The body of a block without its indentation.
pub(super) struct BlockBody {
    pub(super) text: String,
    /// Start of each line: in `text`, and in the document.
    lines: Vec<(usize, usize)>,
}

impl BlockBody {
    /// Reads the indented code that begins in `range`; `None` if no line opens a block around it.
    pub(super) fn new(document: &str, range: Range<usize>) -> Option<Self> {
        let start = document[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let own = indentation(document[start..].lines().next()?);
        // The lines above with less indentation lead to the one that the code belongs to.
        let opener = document[..start].lines().rev().find(|line| !line.trim().is_empty() && indentation(line) < own)?;
        let is_opener = ["!!! ", "??? ", "???+ ", "=== "].iter().any(|mark| opener.trim_start().starts_with(mark));
        let cut = indentation(opener) + INDENT;
        if !is_opener || own < cut {
            return None;
        }
        let mut body = Self { text: String::new(), lines: Vec::new() };
        let mut at = start;
        for line in document[start..range.end].split_inclusive('\n') {
            let removed = indentation(line).min(cut);
            body.lines.push((body.text.len(), at + removed));
            body.text.push_str(&line[removed..]);
            at += line.len();
        }
        Some(body)
    }

    /// Returns the place in the document of a range of one line.
    pub(super) fn to_document(&self, range: &Range<usize>) -> Range<usize> {
        let line = self.lines.partition_point(|&(own, _)| own <= range.start).saturating_sub(1);
        let (own, document) = self.lines[line];
        range.start - own + document..range.end - own + document
    }
}

/// Spaces before a line. Tabs are left out: the generators that know these blocks ask for spaces.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
