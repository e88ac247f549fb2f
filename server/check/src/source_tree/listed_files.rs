//! The files of a snapshot's first root, from its index. `DiskTree` and the check of a whole tree list them.

use pathfinder_core::Kind as Entry;
use pathfinder_project::snapshot::WorkspaceSnapshot;

/// All files of the snapshot's first root that are not ignored, sorted. Names that are not UTF-8 are left out, since
/// no literal can name them.
pub(super) fn files(workspace: &WorkspaceSnapshot) -> Vec<String> {
    list_files(workspace, |kind| kind != Entry::Directory)
}

/// All files of the snapshot's first root without links, sorted. A link's target is checked at its own path, from
/// which its literals resolve.
pub fn own_files(workspace: &WorkspaceSnapshot) -> Vec<String> {
    list_files(workspace, |kind| kind == Entry::File)
}

fn list_files(workspace: &WorkspaceSnapshot, wanted: impl Fn(Entry) -> bool) -> Vec<String> {
    let entries = workspace.engine().roots()[0].snapshot.entries().into_iter();
    let files = entries.filter(|(_, kind)| wanted(*kind));
    let mut files: Vec<String> = files.filter_map(|(path, _)| String::from_utf8(path).ok()).collect();
    files.sort_unstable();
    files
}
