//! Lists the entries below a directory, and the differences of two snapshots; for the server's updates of a tree.

use super::Snapshot;
use crate::index::change::Change;
use crate::index::layer::Node;
use crate::path::RelPath;
use crate::probe::Kind;

impl Snapshot {
    /// All entries below a directory in no order, without the directory itself; empty if it is none. The empty path is the root.
    pub fn entries_below(&self, directory: &[u8]) -> Vec<(Vec<u8>, Kind)> {
        let mut entries = Vec::new();
        for part in &self.parts {
            let segments = directory.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
            let Some(top) = part.layer.find(segments).filter(|node| node.is_directory()) else { continue };
            let directories = part.layer.directories_below(top.number()).map(Node::directory);
            let nodes = directories.chain(part.layer.files_below(top.number()).map(Node::file));
            let live = nodes.filter(|&node| part.is_live(node));
            entries.extend(live.map(|node| (part.layer.path(node), part.layer.kind(node))));
        }
        entries
    }

    /// Returns whether both have equal packages.
    pub fn same_packages(&self, other: &Self) -> bool {
        self.packages == other.packages
    }

    /// The changes that turn this snapshot into another one: first removals, then additions, each in the order of paths.
    /// Packages are not compared.
    pub fn differences(&self, other: &Self) -> Vec<Change> {
        let lacking = |one: &Self, other: &Self| {
            let live = one.parts.iter().flat_map(super::Part::live_entries);
            let mut lacking: Vec<_> = live.filter(|(path, kind)| other.get(path) != Some(*kind)).collect();
            lacking.sort_unstable();
            lacking
        };
        let gone = lacking(self, other).into_iter().map(|(path, _)| Change::Removed(RelPath::new(path)));
        let new = lacking(other, self).into_iter().map(|(path, kind)| Change::Added(RelPath::new(path), kind));
        gone.chain(new).collect()
    }
}
