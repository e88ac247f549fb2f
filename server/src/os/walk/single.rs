//! Whether one entry would be listed by a walk, or which ones of a directory, without walking the rest.

use std::collections::BTreeSet;
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

/// The names in `directory` (relative to `root`, without links on the way) that a walk lists; `None` if it would be all
/// of them. Lists the directories on the way and no others.
pub(crate) fn listed(root: &Path, options: &WalkOptions, directory: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
    let include = IncludeDir::parse_all(&options.include_dirs);
    let included = |path: &[u8]| include.iter().any(|include| include.names(path));
    let parents = directory.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| &directory[..at]);
    if parents.chain([directory]).any(included) {
        return None;
    }
    let target = match bytes::to_path(directory) {
        Some(relative) if !directory.is_empty() => root.join(relative),
        _ => root.to_path_buf(),
    };
    let mut builder = ruled(root, git::worktree_top(root));
    let within = target.clone();
    builder
        .filter_entry(move |entry| within.starts_with(entry.path()) || entry.path().parent() == Some(within.as_path()));
    builder.max_depth(Some(target.strip_prefix(root).map_or(0, |below| below.components().count()) + 1));
    let children = builder.build().filter_map(Result::ok).filter(|entry| entry.path().parent() == Some(&target));
    let mut names: BTreeSet<Vec<u8>> = children.map(|entry| bytes::of(entry.file_name()).into_owned()).collect();
    // A directory named in the options is walked although it is ignored.
    let spared = include.iter().map(|include| include.last().to_vec());
    let own = |name: &[u8]| if directory.is_empty() { name.to_vec() } else { [directory, b"/", name].concat() };
    names.extend(spared.filter(|name| included(&own(name))));
    Some(names)
}
