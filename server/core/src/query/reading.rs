//! `Reading`: one hypothesis of what a failed path means, with its cost.

use super::note::Note;

/// The leading segments of a path that belong to another machine, or to a forge's URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForeignPrefix {
    /// Number of segments that are certainly not the project's: `/home/x`, `owner/repository/blob`.
    pub machine: usize,
    /// Number of segments that are probably not the project's: also the project's own directory, the revision.
    pub project: usize,
}

/// The failed path, read in one way.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a reading, each looked at on its own")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The segments, cleaned: no empty ones, no `.`; empty only for a root itself.
    pub segments: Vec<String>,
    /// The root it is in; `None` for any root.
    pub root: Option<usize>,
    /// Cost from 0, exactly as written, to 1, a last resort.
    pub cost: f32,
    /// The treatments in their order; `[AsWritten]` if there is none.
    pub notes: Vec<Note>,
    /// True if a trailing separator asks for a directory.
    pub is_directory: bool,
    /// True if the first segment may not stand at a root: leading segments may belong to another machine.
    pub is_foreign: bool,
    /// True for a dotted or `::` module name: the last segment has no extension, and may be a symbol in the file before.
    pub is_module: bool,
    /// True if wildcards were taken out.
    pub is_glob: bool,
    /// True if the literal path leaves every root; the segments are the rest without the `..` that leave it.
    pub outside: bool,
    /// Set on the whole path of another machine or URL: the part that is not the project's.
    pub foreign_prefix: Option<ForeignPrefix>,
}

impl Reading {
    /// This reading after one more treatment.
    pub(super) fn with_note(mut self, note: Note, cost: f32) -> Self {
        self.notes.push(note);
        self.cost += cost;
        self
    }

    /// This reading with other segments.
    pub(super) fn with_segments<S: AsRef<str>>(&self, segments: &[S]) -> Self {
        Self {
            segments: segments.iter().map(|segment| segment.as_ref().to_owned()).collect(),
            ..self.without_segments()
        }
    }

    /// A copy without the segments.
    fn without_segments(&self) -> Self {
        Self { segments: Vec::new(), notes: self.notes.clone(), ..*self }
    }
}
