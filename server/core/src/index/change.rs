//! What happened to the tree since a snapshot was taken.

use crate::path::RelPath;
use crate::probe::Kind;

/// One difference. A list of them is applied in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The entry is there now, and is of this kind; its parent directories are there too.
    Added(RelPath, Kind),
    /// The entry is gone, and with it all that was below it.
    Removed(RelPath),
}

impl Change {
    /// What it is about.
    pub fn path(&self) -> &RelPath {
        let (Self::Added(path, _) | Self::Removed(path)) = self;
        path
    }
}
