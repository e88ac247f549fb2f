//! The set of known paths, in immutable snapshots that are changed by deltas.

pub(crate) mod bits;
pub mod change;
pub mod found;
pub(crate) mod image;
pub(crate) mod layer;
pub mod package;
pub mod snapshot;
pub(crate) mod strings;

pub use change::Change;
pub use found::Found;
pub use package::Package;
pub use snapshot::{Snapshot, Stats};
