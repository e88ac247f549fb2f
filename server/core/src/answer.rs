//! `Answer`: the result of `Engine::resolve` as plain data, which each edge encodes in its own format.

use crate::path::RelPath;

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// The path exists exactly as requested.
    Exists,
    /// One answer with enough confidence to use it.
    Resolved,
    /// There are candidates, but none is confident enough.
    Ambiguous,
    /// No entry is plausible.
    NotFound,
}

/// The reason why there is no single answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Refusal {
    /// Several candidates are equally good.
    Ambiguous,
    /// No entry in the roots is similar.
    NotFound,
    /// It existed and was deleted.
    Deleted,
    /// It exists, but the project's ignore rules hide it.
    Ignored,
    /// The project has it, but this checkout leaves it out.
    LeftOut,
    /// It points outside every root.
    OutsideRoot,
}

/// One named number of a candidate's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The feature's name, or `reading` for the cost of how the request was read.
    pub name: &'static str,
    /// Points of the score; all of them add up to the raw score.
    pub points: f32,
}

/// An existing path that may be the requested one.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// Its root, as a position in the engine's list of roots.
    pub root: usize,
    /// The path, relative to that root.
    pub path: RelPath,
    /// 0–100, comparable within one answer.
    pub score: f32,
    /// The parts of the score; empty unless requested.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub contributions: Vec<Contribution>,
    /// Names of the generators that proposed it; empty unless requested.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub generators: Vec<&'static str>,
}

/// The engine's answer to one [`Request`](crate::Request).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// The outcome.
    pub status: Status,
    /// The existing (`Exists`) or resolved (`Resolved`) root and path; `None` otherwise.
    pub path: Option<(usize, RelPath)>,
    /// Probability that `path`, or else the first candidate, is the requested one: 0–1.
    pub confidence: f32,
    /// The line, and the column if there was one, that the request named behind the path: `:12:5`.
    pub position: Option<(u32, Option<u32>)>,
    /// True if a program may use `path` without asking: read it instead of the requested file, or redirect a call to it. The
    /// threshold is higher than that of `Resolved`, and some directories are excluded.
    pub may_act: bool,
    /// A few words on the difference, or on why there is no answer.
    pub why: String,
    /// Ranked, best first, each probed during this request.
    pub candidates: Vec<Candidate>,
    /// The reason why there is no single answer; `None` with `Exists` and `Resolved`.
    pub refusal: Option<Refusal>,
    /// The named inputs of the confidence; empty unless requested. They are values, not points: the table of confidence is
    /// fitted to them. `most` is the cap of the confidence, `bar` the threshold of `Resolved`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub signals: Vec<(&'static str, f32)>,
    /// True if a model changed the order of `candidates`.
    pub reranked: bool,
    /// A question to the caller that tells the candidates apart.
    pub next_question: Option<String>,
}
