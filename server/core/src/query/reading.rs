//! One hypothesis of what a failed path means.

use super::note::Note;

/// Which leading segments of a path were written for another place: another machine's directories, or a forge's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForeignPrefix {
    /// So many are surely not the project's: `/home/x`, `owner/repository/blob`.
    pub machine: usize,
    /// Up to so many are probably not: the directory of the project itself, the revision.
    pub project: usize,
}

/// The failed path, read in one way.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a reading, each looked at on its own")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The segments, cleaned: no empty ones, no `.`; never empty unless a root itself is meant.
    pub segments: Vec<String>,
    /// The root it is in, where the reading says so; `None`: any.
    pub root: Option<usize>,
    /// How far-fetched the reading is: 0 is exactly as written, 1 is a last resort.
    pub cost: f32,
    /// What was done, in the order in which it was done; `[AsWritten]` when nothing was.
    pub notes: Vec<Note>,
    /// A trailing separator said that a directory is meant.
    pub directory: bool,
    /// The first segment is not known to stand at a root: leading segments may belong to another machine.
    pub foreign: bool,
    /// Dotted or `::` module form: the last segment has no extension and may name a symbol inside the one before.
    pub module: bool,
    /// It had wildcards, which were taken out.
    pub glob: bool,
    /// Taken literally it leaves every root; the segments are what is left without the way out.
    pub outside: bool,
    /// The whole path as it was written for another place, and which part of it is that place's.
    pub foreign_prefix: Option<ForeignPrefix>,
}

impl Reading {
    /// The same reading after one more treatment.
    pub(super) fn with_note(mut self, note: Note, cost: f32) -> Self {
        self.notes.push(note);
        self.cost += cost;
        self
    }

    /// The same treatments, with other segments.
    pub(super) fn with_segments<S: AsRef<str>>(&self, segments: &[S]) -> Self {
        Self {
            segments: segments.iter().map(|segment| segment.as_ref().to_owned()).collect(),
            ..self.without_segments()
        }
    }

    /// The same reading without its segments, to put others in.
    fn without_segments(&self) -> Self {
        Self { segments: Vec::new(), notes: self.notes.clone(), ..*self }
    }
}
