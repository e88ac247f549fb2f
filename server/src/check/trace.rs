//! `Untold`: a literal of which nobody can say, and what decided that. It is kept only where traces are wanted.

use std::ops::Range;

use pathfinder_literals::Reason;

/// A literal with an unknown verdict.
#[derive(Clone, Debug)]
pub(crate) struct Untold {
    /// Relative to the root.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in bytes.
    pub(crate) column: usize,
    /// In bytes of the file.
    pub(crate) range: Range<usize>,
    /// As it is written.
    pub(crate) literal: String,
    pub(crate) kind: &'static str,
    /// Why nobody can say.
    pub(crate) reason: Reason,
    /// What was looked for, in order, relative to the root.
    pub(crate) tried: Vec<String>,
}

impl Untold {
    /// The literal at `range` of a file, of which `lines` are the offsets at which lines begin.
    pub(super) fn new(
        file: &str,
        bytes: &[u8],
        lines: &[usize],
        (kind, range): (&'static str, Range<usize>),
        reason: Reason,
        tried: Vec<String>,
    ) -> Self {
        let line = lines.partition_point(|start| *start <= range.start);
        Self {
            file: file.to_owned(),
            line,
            column: range.start - lines[line - 1] + 1,
            literal: String::from_utf8_lossy(&bytes[range.clone()]).into_owned(),
            range,
            kind,
            reason,
            tried,
        }
    }
}
