//! The index: the paths of a root in immutable [`Snapshot`]s, changed by lists of [`Change`]s; generators search it.

pub(crate) mod bit_set;
pub mod change;
pub(crate) mod image;
pub(crate) mod layer;
pub mod package;
pub mod snapshot;
pub(crate) mod strings;
pub mod walked_entries;

pub use change::Change;
pub use package::Package;
pub use snapshot::{Snapshot, Stats};
pub use walked_entries::WalkedEntries;
