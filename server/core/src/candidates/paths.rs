//! Generator `path`: the requested path, and its tails without leading segments.

use super::pool::{CandidatePool, Generator};
use crate::prepared_query::PreparedQuery;

/// Leading segments that are dropped one by one: 24 cover a home directory and a project's own path.
const DROPPED_MAX: usize = 24;

/// Proposes the requested paths, and their tails.
pub(super) fn propose(query: &PreparedQuery, pool: &mut CandidatePool<'_>) {
    let layer = pool.layer();
    for target in &query.targets {
        let Some(name) = layer.names().find(query.names[target.name].text.as_bytes()) else { continue };
        // Starts at the end and stops at the first segment that no name in the tree equals.
        let known = target.directories.iter().rev().map_while(|segment| layer.names().find(segment.text.as_bytes()));
        let known: Vec<u32> = known.collect();
        let fewest = target.directories.len().saturating_sub(DROPPED_MAX);
        for kept in fewest..=known.len() {
            if let Some(node) = layer.find_named(known[..kept].iter().rev().copied().chain([name])) {
                pool.add(node, Generator::Path, 1.0);
            }
        }
    }
}
