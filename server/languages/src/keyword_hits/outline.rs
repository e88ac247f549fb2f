//! The outline of a text: all its lines but the bodies of blocks without a keyword. [`super::KeywordHits::parse_outline`] parses
//! it in place of the whole text, of which most is such bodies.
//!
//! Blocks are recognised by their indentation, whatever the language: a line, deeper lines, and a line as deep as the first
//! that begins with `end` or a closing bracket. A block whose body a grammar needs has a syntax error without it.

use std::ops::Range;

use pathfinder_syntax::grammars::{Point, TextRange};

/// One line of a text that is not blank.
struct Line {
    row: usize,
    start: usize,
    /// Bytes of spaces and tabs before its first character.
    indent: usize,
    has_hit: bool,
}

/// Returns the parts of a text that the outline has, in order.
pub(super) fn ranges(text: &str, hits: &[Range<usize>]) -> Vec<TextRange> {
    let lines = lines(text, hits);
    let mut kept = Vec::new();
    let (mut start, mut start_point) = (0, Point { row: 0, column: 0 });
    let mut at = 0;
    while at < lines.len() {
        let Some(end) = end_of_block(text, &lines, at) else {
            at += 1;
            continue;
        };
        let (body, closing) = (&lines[at + 1], &lines[end]);
        kept.push(TextRange {
            start_byte: start,
            end_byte: body.start,
            start_point,
            end_point: Point { row: body.row, column: 0 },
        });
        (start, start_point) = (closing.start, Point { row: closing.row, column: 0 });
        // The closing line can begin another block: `} else {`.
        at = end;
    }
    let end_point = Point { row: usize::MAX, column: usize::MAX };
    kept.push(TextRange { start_byte: start, end_byte: text.len(), start_point, end_point });
    kept
}

/// The lines that are not blank, and whether a hit is in or directly above each.
fn lines(text: &str, hits: &[Range<usize>]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut hits = hits.iter().peekable();
    let (mut start, mut was_hit) = (0, false);
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        let is_hit = hits.peek().is_some_and(|hit| hit.start < end);
        while hits.next_if(|hit| hit.start < end).is_some() {}
        let indent = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if !line[indent..].trim_start().is_empty() {
            lines.push(Line { row, start, indent, has_hit: is_hit || was_hit });
            was_hit = is_hit;
        }
        start = end;
    }
    lines
}

/// Returns the closing line of the block without hits that a line begins, if it begins one.
fn end_of_block(text: &str, lines: &[Line], first: usize) -> Option<usize> {
    let opening = &lines[first];
    let body = lines.get(first + 1)?;
    if opening.has_hit || body.indent <= opening.indent {
        return None;
    }
    let rest = &lines[first + 1..];
    let length = rest.iter().position(|line| line.has_hit || line.indent <= opening.indent)?;
    let closing = &rest[length];
    let opened = text[opening.start..body.start].trim_end();
    let is_block = !closing.has_hit && closing.indent == opening.indent && {
        let closed = &text[closing.start + closing.indent..];
        let is_end =
            |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!' | ':'));
        match closed.as_bytes()[0] {
            b'}' => opened.contains('{'),
            b']' => opened.ends_with('['),
            // Parentheses of calls can be empty, others cannot.
            b')' => opened
                .strip_suffix('(')
                .is_some_and(|called| called.ends_with(|c: char| c.is_alphanumeric() || c == '_')),
            _ => closed.strip_prefix("end").is_some_and(is_end),
        }
    };
    is_block.then_some(first + 1 + length)
}
