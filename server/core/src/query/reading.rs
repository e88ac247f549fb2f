//! One hypothesis of what a failed path means.

/// What was done to the failed path to arrive at a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// Nothing: relative to a root, or absolute under one, exactly as written.
    AsWritten,
    /// Relative to the current directory.
    FromCwd,
    /// Relative to the directory of the file in which it was written.
    FromFile,
}

/// The failed path, read in one way.
#[derive(Clone, Debug, PartialEq)]
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
}
