//! Whether one entry would be listed by a walk, without walking the rest.

use std::path::Path;

use super::super::{bytes, git};
use super::include::IncludeDir;
use super::{WalkOptions, ruled};

/// Whether a walk of `root` (canonical) hides `path` (relative to it), which is there: it is below `.git`, or the
/// project's ignore rules say so. Lists the directories on the way to it and no others.
pub(crate) fn hides(root: &Path, options: &WalkOptions, path: &[u8]) -> bool {
    if path.split(|&byte| byte == b'/').any(|segment| segment == git::DOT_GIT.as_bytes()) {
        return true;
    }
    let include = IncludeDir::parse_all(&options.include_dirs);
    let parents = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| &path[..at]);
    if parents.chain([path]).any(|parent| include.iter().any(|include| include.names(parent))) {
        return false;
    }
    let Some(relative) = bytes::to_path(path) else { return true };
    let target = root.join(relative);
    let mut builder = ruled(root, git::worktree_top(root));
    let on_the_way = target.clone();
    builder.filter_entry(move |entry| on_the_way.starts_with(entry.path()));
    !builder.build().any(|entry| entry.is_ok_and(|entry| entry.path() == target))
}
