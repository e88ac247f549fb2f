//! `Unreadable`: what a walk had to leave out.

use pathfinder_core::RelPath;

/// Enough to recognise the cause (one user's directory, one mount) without filling a report.
const EXAMPLES_MAX: usize = 8;

/// Directories below the root that exist and could not be listed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unreadable {
    /// How many.
    pub(crate) count: usize,
    /// The first few of them in path order, at most [`EXAMPLES_MAX`].
    pub(crate) examples: Vec<RelPath>,
}

impl Unreadable {
    /// Counts one more.
    pub(super) fn add(&mut self, path: RelPath) {
        self.count += 1;
        self.keep(path);
    }

    /// Counts what another thread could not list either.
    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        other.examples.into_iter().for_each(|path| self.keep(path));
    }

    fn keep(&mut self, path: RelPath) {
        let at = self.examples.partition_point(|known| *known < path);
        self.examples.insert(at, path);
        self.examples.truncate(EXAMPLES_MAX);
    }
}
