//! Generators `name`, `stem` and `typo`: the requested name and its near misses, found in one pass over the letter sets
//! of all names.

use super::name_lookup::{EXACT_ENTRIES_MAX, NameLookup};
use super::pool::{CandidatePool, Generator};
use crate::distance::edits_allowed;
use crate::prepared_query::PreparedQuery;
use crate::words::{for_each_within, split_extension, squash_into};

/// Names within typing distance, per requested name; nearest first.
const TYPOS_MAX: usize = 64;

/// Most entries of similar names, per requested name.
const NEAR_MAX: usize = 200;

/// Proposes entries of the requested names, and of names within typing distance.
pub(super) fn propose(query: &PreparedQuery, lookup: &NameLookup<'_>, pool: &mut CandidatePool<'_>) {
    let layer = pool.layer();
    let mut key = Vec::new();
    for name in &query.names {
        if let Some(number) = layer.names().find(name.text.as_bytes()) {
            for node in lookup.entries(number, EXACT_ENTRIES_MAX) {
                pool.add(node, Generator::Name, 1.0);
            }
        }
        if name.key.is_empty() {
            continue;
        }
        let allowed = edits_allowed(name.key.len());
        let mut near: Vec<(usize, bool, u32)> = Vec::new();
        for_each_within(name.letters, layer.letter_sets(), allowed, |number| {
            let number = number as u32;
            let (stem, extension) = split_extension(layer.names().get(number));
            key.clear();
            squash_into(stem, &mut key);
            let distance = name.pattern.distance(&key);
            if distance <= allowed.min(edits_allowed(key.len().max(3))) {
                near.push((distance, !extension.eq_ignore_ascii_case(name.extension.as_bytes()), number));
            }
        });
        near.sort_unstable();
        let mut left = NEAR_MAX;
        for &(distance, other_extension, number) in near.iter().take(TYPOS_MAX) {
            let generator = if distance == 0 { Generator::Stem } else { Generator::Typo };
            let quality = 0.97 - 0.1 * distance as f32 - if other_extension { 0.15 } else { 0.0 };
            // Entries of the exact name are in the pool already; this only adds the generator's bit.
            let entries = lookup.entries(number, if distance == 0 { EXACT_ENTRIES_MAX } else { left });
            left = left.saturating_sub(if distance == 0 { 0 } else { entries.len() });
            for node in entries {
                pool.add(node, generator, quality);
            }
            if left == 0 {
                break;
            }
        }
    }
}
