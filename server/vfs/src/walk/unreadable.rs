//! `UnreadableDirs`: counts the directories that a walk could not list.

use pathfinder_core::RelPath;

/// Enough to recognise the cause (one user's directory, one mount) without filling a report.
const MAX_EXAMPLES: usize = 8;

/// Directories below the root that exist and could not be listed.
#[derive(Clone, Debug, Default)]
pub struct UnreadableDirs {
    /// Number of directories.
    pub count: usize,
    /// Number of these whose paths are longer than the system takes (4,095 bytes on Linux); nothing below them is
    /// known.
    pub too_long: usize,
    /// The first of them in path order, at most [`MAX_EXAMPLES`].
    pub examples: Vec<RelPath>,
}

impl UnreadableDirs {
    /// Counts one more.
    pub(super) fn add(&mut self, path: RelPath) {
        self.count += 1;
        self.add_example(path);
    }

    /// Counts one more, whose path is too long.
    pub(super) fn add_too_long(&mut self, path: RelPath) {
        self.too_long += 1;
        self.add(path);
    }

    /// Adds the counts of another thread.
    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.too_long += other.too_long;
        other.examples.into_iter().for_each(|path| self.add_example(path));
    }

    fn add_example(&mut self, path: RelPath) {
        let at = self.examples.partition_point(|known| *known < path);
        self.examples.insert(at, path);
        self.examples.truncate(MAX_EXAMPLES);
    }
}
