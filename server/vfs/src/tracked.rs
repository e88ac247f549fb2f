//! Lists the files that git tracks, for `check`.

use std::collections::HashSet;
use std::path::Path;

use super::git;

/// Returns the files below a root (canonical) that git tracks, relative to it; empty if there are none.
pub fn read_tracked_files(root: &Path) -> HashSet<Vec<u8>> {
    let Some((index, inside)) = git::index_around(root) else { return HashSet::new() };
    let below = index.entries().iter().filter_map(|entry| entry.path(&index).strip_prefix(inside.as_slice()));
    below.map(<[u8]>::to_vec).collect()
}
