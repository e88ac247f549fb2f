//! The index: the paths of a root in immutable [`Snapshot`]s, changed by lists of [`Change`]s; generators search it.

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
