//! Which entries may be meant: several cheap generators, joined, cut to [`CANDIDATES_MAX`].

mod gather;
mod intent;
mod names;
mod paths;
mod places;
mod pool;
mod words;

use crate::features::Scorer;
use crate::index::snapshot::Part;
use crate::prepared_query::PreparedQuery;

pub(crate) use places::{Places, places};
pub(crate) use pool::{Generator, Pool, Proposal};

/// Candidates that get full features: the original's number.
pub const CANDIDATES_MAX: usize = 200;

/// All generators over one part of one root's snapshot. At most [`CANDIDATES_MAX`], best first.
pub(crate) fn propose(asked: &PreparedQuery, part: &Part, places: &Places, scorer: &mut Scorer<'_>) -> Vec<Proposal> {
    let mut pool = Pool::new(part);
    paths::propose(asked, &mut pool);
    let gatherer = gather::Gatherer::new(asked, &part.layer);
    names::propose(asked, &gatherer, &mut pool);
    places::propose(asked, places, &mut pool);
    words::propose(asked, &gatherer, &mut pool);
    intent::propose(asked, &gatherer, &mut pool);
    pool.finish(asked, scorer)
}

#[cfg(test)]
mod tests;
