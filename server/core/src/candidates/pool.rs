//! `CandidatePool`: joins the proposals of all generators by entry, and keeps the best.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::features::Scorer;
use crate::index::layer::{Layer, Node};
use crate::index::snapshot::Part;
use crate::prepared_query::PreparedQuery;
use crate::request::CANDIDATES_MAX;

/// A generator of candidates; each has one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Generator {
    /// The path as read, or without some of its leading segments, exists.
    Path = 1,
    /// The last segment exists as a name.
    Name = 2,
    /// The last segment's stem exists, up to case, separators and extension.
    Stem = 4,
    /// A name within typing distance of the last segment exists.
    Typo = 8,
    /// A name shares rare words with the last segment.
    Words = 16,
    /// The entry lies in a requested directory, under another name.
    Place = 32,
    /// The intent mentions the entry or its directory.
    Intent = 64,
}

impl Generator {
    /// All generators with their names in `--explain`.
    pub(crate) const ALL: [(Self, &'static str); 7] = [
        (Self::Path, "path"),
        (Self::Name, "name"),
        (Self::Stem, "stem"),
        (Self::Typo, "typo"),
        (Self::Words, "words"),
        (Self::Place, "place"),
        (Self::Intent, "intent"),
    ];
}

/// A proposed entry, before it is scored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    pub(crate) node: Node,
    /// Bits of the generators that proposed it.
    pub(crate) generators: u8,
    /// Name quality by the most optimistic generator: 0–1.
    pub(crate) quality: f32,
}

/// Proposals by entry, for one part of a snapshot.
pub(crate) struct CandidatePool<'a> {
    part: &'a Part,
    proposals: FxHashMap<Node, Proposal>,
}

/// Weight of name quality against one unit of directory cost when the pool is cut. A wrong directory is about as bad as
/// a quarter of the name. The value is a little below the fitted weights (about nine points for a whole name, 1.6 for a
/// directory), so that matching directories with other names stay in.
const QUALITY_WEIGHT: f32 = 4.0;
/// Weight of one point of intent when the pool is cut.
const INTENT_WEIGHT: f32 = 0.4;

impl<'a> CandidatePool<'a> {
    pub(crate) fn new(part: &'a Part) -> Self {
        Self { part, proposals: FxHashMap::with_capacity_and_hasher(CANDIDATES_MAX, FxBuildHasher) }
    }

    pub(crate) fn layer(&self) -> &'a Layer {
        &self.part.layer
    }

    /// Returns whether the entry is live in this part.
    pub(crate) fn is_live(&self, node: Node) -> bool {
        self.part.is_live(node)
    }

    /// Adds a proposal, or joins it with one for the entry. Dead entries and the root are left out.
    pub(crate) fn add(&mut self, node: Node, generator: Generator, quality: f32) {
        if node == Node::ROOT || !self.part.is_live(node) {
            return;
        }
        let proposal = self.proposals.entry(node).or_insert(Proposal { node, generators: 0, quality });
        proposal.generators |= generator as u8;
        proposal.quality = proposal.quality.max(quality);
    }

    /// Returns the best proposals, best first; ties in the layer's order, which is that of the paths.
    pub(crate) fn into_best(self, query: &PreparedQuery, scorer: &mut Scorer<'_>) -> Vec<Proposal> {
        let layer = self.layer();
        let mut list: Vec<(f32, Proposal)> = self
            .proposals
            .into_values()
            .map(|proposal| {
                let parent = layer.parent(proposal.node);
                let cost = (0..query.targets.len())
                    .map(|target| scorer.directory_cost(target, parent) + query.targets[target].cost)
                    .fold(f32::INFINITY, f32::min);
                let intent = query.intent.weight(scorer.mentions(parent).clear);
                let near = scorer.proximity(parent);
                (QUALITY_WEIGHT * proposal.quality - cost + INTENT_WEIGHT * intent + near, proposal)
            })
            .collect();
        let order = |left: &(f32, Proposal), right: &(f32, Proposal)| {
            right.0.total_cmp(&left.0).then(left.1.node.cmp(&right.1.node))
        };
        if list.len() > CANDIDATES_MAX {
            list.select_nth_unstable_by(CANDIDATES_MAX, order);
            list.truncate(CANDIDATES_MAX);
        }
        list.sort_unstable_by(order);
        list.into_iter().map(|(_, proposal)| proposal).collect()
    }
}
