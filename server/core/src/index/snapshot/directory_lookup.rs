//! Looks up many names in one directory of a [`Snapshot`]. Used by `decide`, which compares directories.

use super::{Part, Snapshot};

/// A directory in each part of a snapshot that has it.
pub(crate) struct DirectoryNodes<'a>(Vec<(&'a Part, u32)>);

impl Snapshot {
    /// Returns the nodes of a directory; none if there is no such directory.
    pub(crate) fn directory_nodes(&self, directory: &[u8]) -> DirectoryNodes<'_> {
        let nodes = self.parts.iter().filter_map(|part| {
            let segments = directory.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
            let node = part.layer.find(segments).filter(|node| node.is_directory())?;
            Some((part, node.number()))
        });
        DirectoryNodes(nodes.collect())
    }
}

impl DirectoryNodes<'_> {
    /// Returns whether the directory has an entry of this name. Cheaper than looking up a path for each of its entries.
    pub(crate) fn has_child(&self, name: &[u8]) -> bool {
        self.0.iter().any(|&(part, directory)| {
            let name = part.layer.names().find(name);
            name.and_then(|name| part.layer.child(directory, name)).is_some_and(|node| part.is_live(node))
        })
    }
}
