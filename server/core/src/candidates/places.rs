//! What stands where the asked directories say: the right place, another name.

use super::pool::{Generator, Pool};
use crate::asked::{Asked, Name, Target};
use crate::features::Scorer;
use crate::index::layer::{Layer, Node};

/// Directories that the asked ones may be, per target.
const PLACES_MAX: usize = 4;
/// Directories of an asked name that are compared.
const NAMED_MAX: usize = 64;
/// Directories below the place asked for that are compared.
const CHILDREN_MAX: usize = 32;
/// Entries of a place that are compared by name.
const ENTRIES_MAX: usize = 1024;
/// Entries of a place that are proposed.
const PROPOSED_MAX: usize = 24;

pub(super) fn propose(asked: &Asked, scorer: &mut Scorer<'_>, pool: &mut Pool<'_>) {
    let layer = pool.layer();
    for (at, target) in asked.targets.iter().enumerate() {
        let name = &asked.names[target.name];
        for place in places(scorer, layer, at, target) {
            let files = layer.files_in(place).map(Node::file);
            let directories = layer.directories_in(place).map(Node::directory);
            let mut entries: Vec<(f32, Node)> =
                files.chain(directories).take(ENTRIES_MAX).map(|node| (likeness(layer, name, node), node)).collect();
            entries.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
            for (quality, node) in entries.into_iter().take(PROPOSED_MAX) {
                pool.add(node, Generator::Place, quality);
            }
        }
        // The asked directory itself, where nothing in it fits: `config/` for `config.go` and the reverse.
        if let Some((_, parent)) = existing(layer, target) {
            pool.add(Node::directory(parent), Generator::Place, 0.1);
        }
    }
}

/// The deepest directory of the target's path that exists: (segments used, directory).
fn existing(layer: &Layer, target: &Target) -> Option<(usize, u32)> {
    let mut at = 0;
    let mut depth = 0;
    for segment in &target.directories {
        let name = layer.names().find(segment.text.as_bytes());
        let Some(next) = name.and_then(|name| layer.child_directory(at, name)) else { break };
        at = next;
        depth += 1;
    }
    (depth > 0).then_some((depth, at))
}

/// Directories that the asked ones may be, cheapest alignment first.
fn places(scorer: &mut Scorer<'_>, layer: &Layer, at: usize, target: &Target) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut whole = target.directories.is_empty();
    if whole {
        found.push(0);
    }
    if let Some((depth, directory)) = existing(layer, target) {
        found.push(directory);
        // A directory too many: `commands/x.go` where `x.go` stands beside `commands`.
        found.push(layer.parent(Node::directory(directory)));
        found.extend(layer.directories_in(directory).take(CHILDREN_MAX));
        whole = depth == target.directories.len();
    }
    if !whole {
        for segment in target.directories.iter().rev().take(2) {
            if let Some(name) = layer.names().find(segment.text.as_bytes()) {
                found.extend(layer.directories_named(name).take(NAMED_MAX));
            }
        }
    }
    let mut costed: Vec<(f32, u32)> =
        found.into_iter().map(|directory| (scorer.directory_cost(at, directory), directory)).collect();
    costed.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    costed.dedup_by_key(|place| place.1);
    costed.truncate(PLACES_MAX);
    costed.into_iter().map(|(_, directory)| directory).collect()
}

/// How well an entry's name fits, roughly: 0–0.8.
fn likeness(layer: &Layer, name: &Name, node: Node) -> f32 {
    let text = layer.names().get(layer.name_of(node));
    let letters = layer.letter_sets()[layer.name_of(node) as usize];
    let (stem, extension) = crate::words::split_extension(text);
    // Letters in common over letters in either: a cheap stand-in for edit similarity.
    let shared = (letters & name.letters).count_ones() as f32 / (letters | name.letters).count_ones().max(1) as f32;
    let length = stem.len().max(name.stem.len()).max(1) as f32;
    let prefix = crate::distance::common_prefix(stem, name.stem.as_bytes()) as f32 / length;
    let same = extension.eq_ignore_ascii_case(name.extension.as_bytes());
    0.4 * shared + 0.2 * prefix + if same { 0.2 } else { 0.0 }
}
