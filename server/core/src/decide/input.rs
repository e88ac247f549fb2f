//! `DecisionInput`: all that the stages of `decide` look at.

use crate::answer::Refusal;
use crate::corpus::Corpus;
use crate::history_lookup::HistoryMatch;
use crate::prepared_query::PreparedQuery;
use crate::query::{Note, Reading, parse_position};
use crate::rank::{RankWeights, Ranked};

/// Everything that [`super::decide`] looks at.
pub(crate) struct DecisionInput<'a> {
    pub(crate) query: &'a PreparedQuery,
    pub(crate) readings: &'a [Reading],
    /// Best first, all verified.
    pub(crate) ranked: &'a [Ranked],
    /// The weights that ranked them.
    pub(crate) weights: &'a RankWeights,
    /// The refusal to report if there is no candidate.
    pub(crate) refusal: Refusal,
    /// True if the requested path exists but cannot be answered: it is ignored or not checked out. No other file can be
    /// the right one.
    pub(crate) is_withheld: bool,
    /// The result of the history lookup.
    pub(crate) history: Option<HistoryMatch>,
    /// True if the first candidate holds the caller's evidence; `None` without evidence.
    pub(crate) evidence: Option<EvidenceMatch>,
    /// Word statistics and snapshots of all roots.
    pub(crate) corpus: Corpus<'a>,
    /// Files of all roots.
    pub(crate) files: usize,
    /// True if the first candidate is a directory although the request reads a file.
    pub(crate) is_directory: bool,
    /// The outcome of reranking; `None` if neither a model nor contents were asked.
    pub(crate) rerank: Option<RerankOutcome>,
}

impl DecisionInput<'_> {
    /// The line and column behind the requested path, if the first candidate's reading strips them.
    pub(crate) fn position(&self, failed_path: &str) -> Option<(u32, Option<u32>)> {
        let reading = &self.readings[self.query.targets[self.ranked.first()?.target].reading];
        reading.notes.contains(&Note::LineSuffix).then(|| parse_position(failed_path))?
    }
}

/// True if the first candidate's contents match the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvidenceMatch {
    /// Only the first candidate holds the text.
    Only,
    /// The first candidate and others hold the text.
    Shared,
    /// No candidate that could be read holds the text.
    Absent,
}

/// The effect of a model, or of contents, on the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RerankOutcome {
    /// True if the order of the returned candidates changed.
    pub(crate) is_reordered: bool,
    /// True if the first candidate changed.
    pub(crate) is_first_changed: bool,
    /// Upper limit of the confidence: the confidence before reranking, unless confidence was fitted to this model.
    pub(crate) max_confidence: f32,
    /// The evidence for the new order.
    pub(crate) basis: RerankBasis,
}

/// The evidence that ordered candidates again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RerankBasis {
    /// A model that compares paths with the intent.
    Model,
    /// Words of contents.
    Contents,
    /// Declared names.
    Declarations,
}
