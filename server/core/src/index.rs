//! The set of known paths.

pub mod change;
pub mod found;
pub mod package;

pub use change::Change;
pub use found::Found;
pub use package::Package;

/// Immutable view of one root.
#[derive(Debug, Default)]
pub struct Snapshot;

/// Counts and sizes of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Files and symbolic links.
    pub files: usize,
    /// Directories, the root not counted.
    pub directories: usize,
    /// Different last segments among them.
    pub names: usize,
    /// Memory held, in bytes.
    pub bytes: usize,
}

impl Snapshot {
    /// Builds a snapshot of what a walk found.
    pub fn build(_found: Vec<Found>, _packages: Vec<Package>) -> Self {
        Self
    }

    /// The snapshot after these changes; this one stays as it is.
    #[must_use]
    pub fn apply(&self, _changes: &[Change]) -> Self {
        Self
    }

    /// Counts and sizes.
    pub fn stats(&self) -> Stats {
        Stats::default()
    }
}
