//! Looks up entries by name within a budget; called by the generators. A name with thousands of entries is narrowed to
//! requested directories.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::index::layer::{Layer, Node};
use crate::prepared_query::PreparedQuery;

/// Most entries of the exact name. It bounds the work per request: with it the slowest percentile takes three times as
/// long as the median (`BENCHMARKS.md`).
pub(super) const EXACT_ENTRIES_MAX: usize = 600;
/// Directories of one name whose subtrees are searched; a bound on the work.
const SUBTREES_MAX: usize = 64;
/// A directory of the history and its ancestors, this many in total.
const ANCESTORS_MAX: usize = 4;

/// Finds entries by name, within a budget.
pub(super) struct NameLookup<'a> {
    query: &'a PreparedQuery,
    layer: &'a Layer,
    /// The directories that the request mentions, computed when first needed.
    places: OnceCell<Vec<Vec<u32>>>,
}

impl<'a> NameLookup<'a> {
    pub(super) fn new(query: &'a PreparedQuery, layer: &'a Layer) -> Self {
        Self { query, layer, places: OnceCell::new() }
    }

    /// Returns at most `most` entries of this name. If there are more, entries below directories that the request, its
    /// intent or its history mention come first.
    pub(super) fn entries(&self, name: u32, most: usize) -> Vec<Node> {
        let layer = self.layer;
        if layer.nodes_named(name).len() <= most {
            return layer.nodes_named(name).collect();
        }
        let places = self.places.get_or_init(|| requested_directories(self.query, layer));
        // The directory with the fewest entries of this name identifies the intended one best.
        let mut counted: Vec<(usize, &[u32])> = places
            .iter()
            .map(|place| {
                (place.iter().map(|&directory| layer.count_named_below(name, directory)).sum(), place.as_slice())
            })
            .filter(|&(count, _)| count > 0)
            .collect();
        counted.sort_by_key(|&(count, _)| count);
        let below = counted.into_iter().flat_map(|(_, place)| {
            place.iter().flat_map(|&directory| layer.nodes_named_below(name, directory).take(most))
        });
        let mut seen = FxHashSet::default();
        let mut chosen: Vec<Node> = below.filter(|&node| seen.insert(node)).take(most).collect();
        if chosen.len() < most / 2 {
            chosen.extend(layer.nodes_named(name).filter(|&node| seen.insert(node)).take(most / 2));
        }
        chosen
    }
}

/// Returns the directories that each part of the request may refer to.
fn requested_directories(query: &PreparedQuery, layer: &Layer) -> Vec<Vec<u32>> {
    let mut places: Vec<Vec<u32>> = Vec::new();
    let mut add = |place: Vec<u32>| {
        if !place.is_empty() && !places.contains(&place) {
            places.push(place);
        }
    };
    let named = |name: &str| {
        let name = layer.names().find(name.as_bytes());
        name.into_iter().flat_map(|name| layer.directories_named(name))
    };
    for target in &query.targets {
        let segments = &target.directories;
        for (at, segment) in segments.iter().enumerate() {
            add(named(&segment.text).take(SUBTREES_MAX).collect());
            // Together with its parent, a segment matches fewer directories; with its whole path, at most one.
            if let Some(before) =
                at.checked_sub(1).and_then(|before| layer.names().find(segments[before].text.as_bytes()))
            {
                let parent =
                    |&directory: &u32| layer.directory_name(layer.parent(Node::directory(directory))) == before;
                add(named(&segment.text).filter(parent).take(SUBTREES_MAX).collect());
            }
            let whole = layer.find(segments[..=at].iter().map(|segment| segment.text.as_bytes()));
            add(whole.filter(|node| node.is_directory()).map(Node::number).into_iter().collect());
        }
    }
    for word in &query.intent.words {
        add(named(&word.word).take(SUBTREES_MAX).collect());
    }
    let context = &query.context;
    let spoken = context.history.iter().map(|used| &used.parent).chain(&context.from).chain(&context.hint);
    for place in spoken {
        for depth in (1..=place.segments.len()).rev().take(ANCESTORS_MAX) {
            let whole = layer.find(place.segments[..depth].iter().map(String::as_bytes));
            add(whole.filter(|node| node.is_directory()).map(Node::number).into_iter().collect());
        }
    }
    places
}
