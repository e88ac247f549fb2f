//! Names that are the asked one, or nearly: one pass over the letter sets of all names.

use super::gather;
use super::pool::{Generator, Pool};
use crate::asked::Asked;
use crate::distance::edits_allowed;
use crate::features::Scorer;
use crate::words::{may_be_within, split_extension, squash_into};

/// Names that a typo may have meant, per asked name; nearer ones first.
const TYPOS_MAX: usize = 64;

/// Returns how many entries have exactly the asked name, stem or a typo of it.
pub(super) fn propose(asked: &Asked, _scorer: &mut Scorer<'_>, pool: &mut Pool<'_>) -> usize {
    let layer = pool.layer();
    let mut key = Vec::new();
    for name in &asked.names {
        if let Some(number) = layer.names().find(name.text.as_bytes()) {
            for node in gather::entries(asked, layer, number) {
                pool.add(node, Generator::Name, 1.0);
            }
        }
        if name.key.is_empty() {
            continue;
        }
        let allowed = edits_allowed(name.key.len());
        let mut near: Vec<(usize, bool, u32)> = Vec::new();
        for (number, &letters) in layer.letter_sets().iter().enumerate() {
            if !may_be_within(name.letters, letters, allowed as u32) {
                continue;
            }
            let number = number as u32;
            let (stem, extension) = split_extension(layer.names().get(number));
            key.clear();
            squash_into(stem, &mut key);
            let distance = name.pattern.distance(&key);
            if distance <= allowed.min(edits_allowed(key.len().max(3))) {
                near.push((distance, !extension.eq_ignore_ascii_case(name.extension.as_bytes()), number));
            }
        }
        near.sort_unstable();
        for &(distance, other_extension, number) in near.iter().take(TYPOS_MAX) {
            let generator = if distance == 0 { Generator::Stem } else { Generator::Typo };
            let quality = 0.97 - 0.1 * distance as f32 - if other_extension { 0.15 } else { 0.0 };
            for node in gather::entries(asked, layer, number) {
                pool.add(node, generator, quality);
            }
        }
    }
    pool.len()
}
