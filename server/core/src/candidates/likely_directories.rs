//! Generator `place`: entries of the requested directories under other names.

use super::pool::{CandidatePool, Generator};
use crate::features::Scorer;
use crate::index::layer::{Layer, Node};
use crate::index::snapshot::Part;
use crate::prepared_query::{PreparedQuery, SearchTarget, TargetName};

/// Likely directories per target.
const LIKELY_MAX: usize = 4;
/// Directories with a requested name that are compared.
const NAMED_MAX: usize = 64;
/// Subdirectories of the deepest existing directory that are compared.
const CHILDREN_MAX: usize = 32;
/// Files, and subdirectories, of a likely directory that are compared by name.
const ENTRIES_MAX: usize = 1024;
/// Entries of a likely directory that are proposed.
const PROPOSED_MAX: usize = 24;

/// The likely directories of each target, numbered as in one part of a snapshot.
pub(crate) struct LikelyDirectories(Vec<TargetDirectories>);

#[derive(Clone, Default)]
struct TargetDirectories {
    /// Directories that the requested path may refer to.
    likely: Vec<u32>,
    /// The deepest directory of the target's path that exists.
    existing: Option<u32>,
}

/// Proposes the entries of likely directories that resemble the requested name, and the directories themselves.
pub(super) fn propose(query: &PreparedQuery, places: &LikelyDirectories, pool: &mut CandidatePool<'_>) {
    let layer = pool.layer();
    for (target, places) in query.targets.iter().zip(&places.0) {
        let name = &query.names[target.name];
        for &place in &places.likely {
            let files = layer.files_in(place).map(Node::file).filter(|&node| pool.is_live(node)).take(ENTRIES_MAX);
            let directories = layer.directories_in(place).map(Node::directory).filter(|&node| pool.is_live(node));
            let mut entries: Vec<(f32, Node)> = files
                .chain(directories.take(ENTRIES_MAX))
                .map(|node| (name_similarity(layer, name, node), node))
                .collect();
            entries.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
            for (quality, node) in entries.into_iter().take(PROPOSED_MAX) {
                pool.add(node, Generator::Place, quality);
            }
        }
        // Proposes the requested directory itself, if nothing in it fits: `config/` for `config.go` and the reverse.
        if let Some(directory) = places.existing {
            pool.add(Node::directory(directory), Generator::Place, 0.1);
        }
    }
}

/// Returns the likely directories of each part of a snapshot. They are chosen once for all parts: the parts of a tree
/// share them, however much was added since its base was built.
pub(crate) fn likely_directories(
    query: &PreparedQuery,
    parts: &[Part],
    scorers: &mut [Scorer<'_>],
) -> Vec<LikelyDirectories> {
    let mut all: Vec<LikelyDirectories> =
        parts.iter().map(|_| LikelyDirectories(Vec::with_capacity(query.targets.len()))).collect();
    for (at, target) in query.targets.iter().enumerate() {
        let existing: Vec<(usize, u32)> = parts.iter().map(|part| deepest_existing(part, target)).collect();
        let depth = existing.iter().map(|&(depth, _)| depth).max().unwrap_or(0);
        let mut costed: Vec<(f32, usize, u32)> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let deepest = (existing[number].0 == depth).then_some(existing[number].1);
            let scorer = &mut scorers[number];
            let found = directory_candidates(part, target, depth, deepest);
            costed.extend(found.into_iter().map(|place| (scorer.directory_cost(at, place), number, place)));
        }
        costed
            .sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then((left.1, left.2).cmp(&(right.1, right.2))));
        costed.dedup();
        let mut likely: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
        if parts.len() == 1 {
            likely[0].extend(costed.iter().take(LIKELY_MAX).map(|place| place.2));
        } else {
            for path in cheapest_paths(parts, &costed) {
                for (likely, part) in likely.iter_mut().zip(parts) {
                    likely.extend(directory_at(&part.layer, &path));
                }
            }
        }
        for (number, likely) in likely.into_iter().enumerate() {
            let existing = (depth > 0 && existing[number].0 == depth).then_some(existing[number].1);
            all[number].0.push(TargetDirectories { likely, existing });
        }
    }
    all
}

/// Returns the paths of the cheapest directories: parts number a directory differently.
fn cheapest_paths(parts: &[Part], costed: &[(f32, usize, u32)]) -> Vec<Vec<u8>> {
    let path = |&(cost, part, place): &(f32, usize, u32)| (cost, parts[part].layer.path(Node::directory(place)));
    let mut paths: Vec<(f32, Vec<u8>)> = costed.iter().map(path).collect();
    paths.sort_unstable_by(|left, right| {
        left.0
            .total_cmp(&right.0)
            .then_with(|| left.1.split(|&byte| byte == b'/').cmp(right.1.split(|&byte| byte == b'/')))
    });
    paths.dedup_by(|next, kept| next.1 == kept.1);
    paths.truncate(LIKELY_MAX);
    paths.into_iter().map(|(_, path)| path).collect()
}

fn directory_at(layer: &Layer, path: &[u8]) -> Option<u32> {
    let segments = path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
    layer.find(segments).filter(|node| node.is_directory()).map(Node::number)
}

/// Finds the deepest directory of the target's path that exists: (segments used, directory).
fn deepest_existing(part: &Part, target: &SearchTarget) -> (usize, u32) {
    let layer = &part.layer;
    let mut at = 0;
    let mut depth = 0;
    for segment in &target.directories {
        let name = layer.names().find(segment.text.as_bytes());
        let next = name.and_then(|name| layer.child_directory(at, name)).filter(|&next| part.has_directory(next));
        let Some(next) = next else { break };
        at = next;
        depth += 1;
    }
    (depth, at)
}

/// Returns the directories of a part that the request may refer to. `depth` requested segments exist, and lead to
/// `deepest`.
fn directory_candidates(part: &Part, target: &SearchTarget, depth: usize, deepest: Option<u32>) -> Vec<u32> {
    let layer = &part.layer;
    let mut found: Vec<u32> = Vec::new();
    let whole = depth == target.directories.len();
    if target.directories.is_empty() {
        found.push(0);
    }
    if let Some(directory) = deepest.filter(|_| depth > 0) {
        found.push(directory);
        // The request may have one directory too many: `commands/x.go` for the `x.go` beside `commands`.
        found.push(layer.parent(Node::directory(directory)));
        found.extend(layer.directories_in(directory).take(CHILDREN_MAX));
    }
    if !whole {
        for segment in target.directories.iter().rev().take(2) {
            if let Some(name) = layer.names().find(segment.text.as_bytes()) {
                found.extend(layer.directories_named(name).take(NAMED_MAX));
            }
        }
    }
    found.retain(|&directory| part.has_directory(directory));
    found
}

/// Rough similarity of an entry's name to the requested one: 0–0.8.
fn name_similarity(layer: &Layer, name: &TargetName, node: Node) -> f32 {
    let text = layer.names().get(layer.name_of(node));
    let letters = layer.letter_sets()[layer.name_of(node) as usize];
    let (stem, extension) = crate::words::split_extension(text);
    // Common letters as a share of all letters: a cheap substitute for edit similarity.
    let shared = (letters & name.letters).count_ones() as f32 / (letters | name.letters).count_ones().max(1) as f32;
    let length = stem.len().max(name.stem.len()).max(1) as f32;
    let prefix = crate::distance::common_prefix(stem, name.stem.as_bytes()) as f32 / length;
    let same = extension.eq_ignore_ascii_case(name.extension.as_bytes());
    0.4 * shared + 0.2 * prefix + if same { 0.2 } else { 0.0 }
}
