//! Entries of a name that thousands of entries have: those in places that were asked for.

use std::cell::OnceCell;

use crate::asked::{Asked, Intent};
use crate::index::layer::{Layer, Node};

/// Entries of the very name asked for that are all looked at; about what 0.2 ms allow.
pub(super) const ALL: usize = 600;
/// Directories of one name whose subtrees are searched.
const SUBTREES: usize = 64;

/// Finds entries by name, within a budget.
pub(super) struct Gatherer<'a> {
    asked: &'a Asked,
    layer: &'a Layer,
    /// The places that the request speaks of, rarest first; found out when first needed.
    places: OnceCell<Vec<Vec<u32>>>,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(asked: &'a Asked, layer: &'a Layer) -> Self {
        Self { asked, layer, places: OnceCell::new() }
    }

    /// Entries of this name, at most `most`; where there are more, those below directories that the request
    /// names (rarest first), that its intent names, or that history speaks of, then the first ones.
    pub(super) fn entries(&self, name: u32, most: usize) -> Vec<Node> {
        let layer = self.layer;
        if layer.nodes_named(name).len() <= most {
            return layer.nodes_named(name).collect();
        }
        let places = self.places.get_or_init(|| {
            let mut places = asked_places(self.asked, layer);
            places.sort_by_key(Vec::len);
            places
        });
        let mut chosen: Vec<Node> = Vec::new();
        for place in places {
            for &directory in place.iter().take(SUBTREES) {
                chosen.extend(layer.nodes_named_below(name, directory).take(most));
            }
            chosen.sort_unstable();
            chosen.dedup();
            if chosen.len() >= most {
                break;
            }
        }
        if chosen.len() < most / 2 {
            chosen.extend(layer.nodes_named(name).take(most / 2));
            chosen.sort_unstable();
            chosen.dedup();
        }
        chosen.truncate(most);
        chosen
    }
}

/// For each place that the request speaks of: the directories that it may be.
fn asked_places(asked: &Asked, layer: &Layer) -> Vec<Vec<u32>> {
    let mut places = Vec::new();
    let mut add = |name: &str| {
        if let Some(name) = layer.names().find(name.as_bytes()) {
            let directories: Vec<u32> = layer.directories_named(name).take(16 * SUBTREES).collect();
            if !directories.is_empty() && !places.contains(&directories) {
                places.push(directories);
            }
        }
    };
    for target in &asked.targets {
        target.directories.iter().for_each(|segment| add(&segment.text));
    }
    let Intent { words } = &asked.intent;
    for word in words {
        add(&word.word);
    }
    let context = &asked.context;
    let spoken = context.history.iter().map(|place| &place.parent).chain(&context.from).chain(&context.hint);
    for place in spoken {
        // The whole path first: it is the rarest.
        if let Some(node) = layer.find(place.iter().map(String::as_bytes)).filter(|node| node.is_directory()) {
            places.push(vec![node.number()]);
        }
    }
    for place in context.history.iter().take(4) {
        for depth in (1..place.parent.len()).rev().take(3) {
            if let Some(node) =
                layer.find(place.parent[..depth].iter().map(String::as_bytes)).filter(|node| node.is_directory())
            {
                places.push(vec![node.number()]);
            }
        }
    }
    places
}
