//! `Change`: an entry that was added to or removed from the tree; the server applies them to a `Snapshot`.

use crate::path::RelPath;
use crate::probe::Kind;

/// One change of a tree. Lists are applied in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The entry exists now with this kind, and so do its parent directories.
    Added(RelPath, Kind),
    /// The entry is gone with everything below it.
    Removed(RelPath),
}

impl Change {
    /// The changed path.
    pub fn path(&self) -> &RelPath {
        let (Self::Added(path, _) | Self::Removed(path)) = self;
        path
    }
}
