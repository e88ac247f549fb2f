//! What is answered: plain data that each edge encodes in its own way.

use crate::path::RelPath;

/// How the question came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is there exactly as asked.
    Exists,
    /// One answer, sure enough to act on.
    Resolved,
    /// There are candidates, but none is sure.
    Ambiguous,
    /// Nothing plausible is there.
    NotFound,
}

/// Why there is no single answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Several candidates are equally good.
    Ambiguous,
    /// Nothing like it is in the roots.
    NotFound,
    /// It existed and was deleted.
    Deleted,
    /// It is there, but the project's ignore rules hide it.
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

/// A path that exists and may be the one meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which root it was found under: a position in the engine's list of roots.
    pub root: usize,
    /// The path, relative to that root.
    pub path: RelPath,
    /// 0–100, comparable within one answer.
    pub score: f32,
    /// What the score is made of; empty unless asked for.
    pub contributions: Vec<Contribution>,
    /// Names of the generators that proposed it; empty unless asked for.
    pub generators: Vec<&'static str>,
}

/// The engine's answer to one [`Request`](crate::Request).
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How it came out.
    pub status: Status,
    /// The root and path that is there (`Exists`) or was meant (`Resolved`); `None` otherwise.
    pub path: Option<(usize, RelPath)>,
    /// Probability that `path`, or else the first candidate, is the one meant: 0–1.
    pub confidence: f32,
    /// The line, and the column if there was one, that the request named behind the path: `:12:5`.
    pub position: Option<(u32, Option<u32>)>,
    /// True if a program may use `path` without asking: read it instead of the requested file, or redirect a call to it. The
    /// bar is higher than that of `Resolved`, and some places are excluded.
    pub may_act: bool,
    /// A few words: what is different, or why there is no answer.
    pub why: String,
    /// Ranked, best first, each probed during this request.
    pub candidates: Vec<Candidate>,
    /// Why there is no single answer; `None` with `Exists` and `Resolved`.
    pub refusal: Option<Refusal>,
    /// What the confidence is computed from, by name; empty unless asked for. The numbers themselves, not points:
    /// the table of confidence is fitted to them. `most` is the limit of what comes of them, `bar` what it takes to
    /// be `Resolved`.
    pub signals: Vec<(&'static str, f32)>,
    /// Whether a model changed the order of `candidates`.
    pub reranked: bool,
    /// What to ask the caller so that the candidates can be told apart.
    pub next_question: Option<String>,
}
