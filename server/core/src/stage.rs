//! `Stage`: how far a question has come, for who measures.

/// The steps of a question, in the order in which they end. One that ends early skips the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The failed path was read, and the disk and the history were asked about it.
    Read,
    /// Candidates were found, described and scored.
    Ranked,
    /// The best were looked up on disk.
    Verified,
    /// Those that names could not tell apart were compared by a model. Only where there was something to compare.
    Reranked,
    /// The answer is there.
    Decided,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [Self::Read, Self::Ranked, Self::Verified, Self::Reranked, Self::Decided];

    /// Its name in measurements.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Ranked => "rank",
            Self::Verified => "verify",
            Self::Reranked => "rerank",
            Self::Decided => "decide",
        }
    }
}
