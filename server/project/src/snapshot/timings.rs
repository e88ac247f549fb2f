//! Times that opening a root took, besides reading its tree. `cli::index` reports them.

use std::time::Duration;

/// Times of opening one root. The listing has the times of reading and indexing the tree.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenTimings {
    /// Finding the roots and reading their settings; the first root has the time of all.
    pub roots: Duration,
    /// Reading the cached listing, and the times of its directories meanwhile.
    pub cache: Duration,
    /// Reading git history, in parallel with the tree.
    pub history: Duration,
    /// The part of `history` after the tree was read.
    pub waited: Duration,
}
