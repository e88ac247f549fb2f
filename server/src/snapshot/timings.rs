//! `Times`: what opening a root took, beside reading its tree.

use std::time::Duration;

/// See the module's text. The listing itself has what reading and building it took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenTimings {
    /// Finding the roots and reading their settings; all of it is said of the first root.
    pub(crate) roots: Duration,
    /// Reading what was kept of the tree, and asking its directories meanwhile for their times.
    pub(crate) cache: Duration,
    /// Reading git's history, which happens beside the tree.
    pub(crate) history: Duration,
    /// Of that, what was left to wait for when the tree was read.
    pub(crate) waited: Duration,
}
