//! `Stage`: the steps of a request, reported to callers that measure their time.

/// The steps of a request, in order. A request that ends early skips the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The failed path is read, and checked on disk and in history.
    Read,
    /// Candidates are gathered, described and scored.
    Ranked,
    /// The best are checked on disk.
    Verified,
    /// A model compared candidates that names do not tell apart. Skipped if there are none.
    Reranked,
    /// The answer is decided.
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
