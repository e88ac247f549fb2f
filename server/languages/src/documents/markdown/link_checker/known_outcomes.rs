//! `KnownOutcomes`: what the links of the documents checked last lead to. Each fix is verified by a check of its document, in which all links
//! but one are as before.

use parking_lot::Mutex;
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

use super::LinkOutcome;

/// Outcomes by tag kind and destination.
pub(super) type Outcomes = FxHashMap<(bool, String), LinkOutcome>;

/// Documents whose outcomes are kept: more than threads check at once.
const MAX_DOCUMENTS: usize = 32;

/// The outcomes of a document, by its path and whether a site builds a page from it. Nothing else of the document decides them.
#[derive(Default)]
pub(super) struct KnownOutcomes(Mutex<Vec<(String, bool, Outcomes)>>);

impl ProjectIndex for KnownOutcomes {
    fn build(_: &Project) -> Self {
        Self::default()
    }
}

impl KnownOutcomes {
    /// Takes the outcomes of a document; none if they are not known.
    pub(super) fn take(&self, path: &str, is_routed: bool) -> Outcomes {
        let mut all = self.0.lock();
        let at = all.iter().position(|(other, routed, _)| *routed == is_routed && other == path);
        at.map(|at| all.remove(at).2).unwrap_or_default()
    }

    /// Keeps the outcomes of a document, instead of those that were kept first if there are too many.
    pub(super) fn keep(&self, path: &str, is_routed: bool, outcomes: Outcomes) {
        let mut all = self.0.lock();
        if all.len() >= MAX_DOCUMENTS {
            all.remove(0);
        }
        all.push((path.to_owned(), is_routed, outcomes));
    }
}
