//! Paths that are built from `__file__`.

use tree_sitter::Node;

use crate::report::Report;

/// Adds those that are read.
pub(super) fn check(_report: &mut Report<'_>, _root: Node<'_>) {}
