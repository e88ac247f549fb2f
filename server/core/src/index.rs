//! The index: the paths of a root in immutable [`Snapshot`]s, changed by lists of [`Change`]s; generators search it.
//!
//! An index has one or two layers. A layer numbers directories in depth-first order, so a subtree is a range, and files
//! in the order of their directories. Each distinct last segment is stored once, with a 64-bit set of its letters.
//! Postings lead from names to entries and from words to names. A change rebuilds the small second layer; from 1,024 to
//! 4,096 changes on, depending on the size of the base, both layers become one.

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
