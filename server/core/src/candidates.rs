//! Generates candidates for a request: several cheap generators, joined by entry and cut to [`crate::CANDIDATES_MAX`]. Called
//! by `rank`.
//!
//! Each generator is good at one kind of mistake: `path` (the path, or its tail, exists), `name`, `stem` and `typo` (one
//! pass over letter sets, then bit-parallel edit distance), `words` (rare words in common), `place` (entries of the
//! requested directories) and `intent` (entries that the intent mentions). A name with thousands of entries is narrowed
//! to directories that the request, its intent or its history mention.

mod intent;
mod likely_directories;
mod name_lookup;
mod names;
mod paths;
mod pool;
mod words;

use crate::features::Scorer;
use crate::index::snapshot::Part;
use crate::prepared_query::PreparedQuery;

pub(crate) use likely_directories::{LikelyDirectories, likely_directories};
pub(crate) use pool::{CandidatePool, Generator, Proposal};

/// Runs all generators on one part of one root's snapshot. Returns at most [`crate::CANDIDATES_MAX`] proposals, best first.
pub(crate) fn propose(
    query: &PreparedQuery,
    part: &Part,
    directories: &LikelyDirectories,
    scorer: &mut Scorer<'_>,
) -> Vec<Proposal> {
    let mut pool = CandidatePool::new(part);
    paths::propose(query, &mut pool);
    let lookup = name_lookup::NameLookup::new(query, &part.layer);
    names::propose(query, &lookup, &mut pool);
    likely_directories::propose(query, directories, &mut pool);
    words::propose(query, &lookup, &mut pool);
    intent::propose(query, &lookup, &mut pool);
    pool.into_best(query, scorer)
}

#[cfg(test)]
mod tests;
