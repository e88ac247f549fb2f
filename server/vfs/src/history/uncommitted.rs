//! Finds uncommitted renames: files of the newest commit that are missing on disk, paired with files on disk that it
//! does not have. Staged (`git mv`) and unstaged (`mv`) renames are treated alike.
//!
//! Files are paired by the steps of [`RenamePairs`], as for a commit.

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;

use gix::index::entry::{Flags, Stage};
use gix::objs::tree::{EntryKind, EntryMode};
use gix::{ObjectId, Repository};
use pathfinder_core::history::{CommitChanges, CommitMoves};
use pathfinder_core::index::Snapshot;
use pathfinder_core::{Kind, RelPath, path};

use super::super::roots::RootDir;
use super::super::{bytes, git};
use super::compare::root_tree;
use super::rename_pairs::{File, RenamePairs};
use super::{Limits, RepoLocation};

/// Limit of tracked files: with more of them the check takes longer than a command may.
const MAX_TRACKED_FILES: usize = 200_000;
/// Limit of untracked files whose contents are compared: git's own limit for renames in one change.
const MAX_UNTRACKED_FILES: usize = 1000;
/// Limit for untracked files that are read: sources are not larger.
const MAX_CONTENT_BYTES: u64 = 1024 * 1024;

/// Finds the uncommitted renames below a root; `None` if there are none. `snapshot` holds the entries on disk.
pub(super) fn find_uncommitted(root: &RootDir, snapshot: &Snapshot, limits: Limits<'_>) -> Option<CommitMoves> {
    let location = RepoLocation::find(root).filter(|location| !location.is_unborn())?;
    let (index, inside) = git::index_around(&root.canonical)?;
    if index.entries().len() > MAX_TRACKED_FILES {
        return None;
    }
    let repository = location.open()?.with_object_memory();
    let head = repository.find_commit(location.head(&repository)?).ok()?;
    let seconds = head.time().ok()?.seconds;
    let top = head.tree_id().ok()?.detach();
    let staged: BTreeMap<&[u8], &gix::index::Entry> = index
        .entries()
        .iter()
        .filter(|entry| entry.stage() == Stage::Unconflicted)
        .filter_map(|entry| Some((entry.path(&index).strip_prefix(inside.as_slice())?, entry)))
        .collect();
    // git records the tree that its index was read from while they are equal.
    let is_staged = index.tree().is_none_or(|tree| tree.num_entries.is_none() || tree.id != top);
    let is_missing = |path: &[u8]| snapshot.get(path).is_none();
    if !is_staged && !staged.iter().any(|(path, entry)| is_missing(path) && !is_left_out(entry)) {
        return None;
    }
    let committed = committed_files(&repository, &location, top)?;
    let gone: Vec<File> = committed
        .iter()
        .filter(|(path, _)| is_missing(path) && !staged.get(path.as_slice()).is_some_and(|entry| is_left_out(entry)))
        .map(|(path, &(id, mode))| File { path: RelPath::new(path.clone()), id, mode })
        .collect();
    if gone.is_empty() || limits.is_reached() {
        return None;
    }
    let new = new_files(root, &repository, snapshot, &committed, &staged, &gone);
    let pairs = RenamePairs::find(gone, new, &repository, limits)?;
    let paths = |files: Vec<File>| files.into_iter().map(|file| file.path).collect();
    let changes = CommitChanges {
        id: String::new(),
        seconds,
        renames: pairs.renames,
        deletions: paths(pairs.gone),
        additions: paths(pairs.new),
    };
    let mut moves = CommitMoves::new(changes, |directory| has_common_file(&committed, snapshot, directory));
    // A file that is only deleted may be written again soon.
    moves.deletions.clear();
    moves.directories.retain(|directory| directory.to.is_some());
    (!moves.is_empty()).then_some(moves)
}

/// Returns the files of the newest commit below the root; `None` if there are too many or a tree cannot be read.
fn committed_files(
    repository: &Repository,
    location: &RepoLocation,
    top: ObjectId,
) -> Option<BTreeMap<Vec<u8>, (ObjectId, EntryMode)>> {
    let Some(tree) = root_tree(repository, &location.inside, top).ok()? else { return Some(BTreeMap::new()) };
    let entries = tree.traverse().breadthfirst.files().ok()?;
    if entries.len() > MAX_TRACKED_FILES {
        return None;
    }
    let files = entries.into_iter().filter(|entry| !entry.mode.is_tree() && !entry.mode.is_commit());
    Some(files.map(|entry| (Vec::from(entry.filepath), (entry.oid, entry.mode))).collect())
}

/// Returns the files on disk that the newest commit does not have.
fn new_files(
    root: &RootDir,
    repository: &Repository,
    snapshot: &Snapshot,
    committed: &BTreeMap<Vec<u8>, (ObjectId, EntryMode)>,
    staged: &BTreeMap<&[u8], &gix::index::Entry>,
    gone: &[File],
) -> Vec<File> {
    let all = snapshot.entries().into_iter().filter(|(_, kind)| *kind != Kind::Directory);
    let (tracked, mut untracked): (Vec<_>, Vec<_>) = all
        .map(|(path, _)| path)
        .filter(|path| !committed.contains_key(path))
        .partition(|path| staged.contains_key(path.as_slice()));
    let name_of = |path: &RelPath| path::name(path.as_bytes()).to_vec();
    if untracked.len() > MAX_UNTRACKED_FILES {
        let names: HashSet<Vec<u8>> = gone.iter().map(|file| name_of(&file.path)).collect();
        untracked.retain(|path| names.contains(&name_of(&RelPath::new(path.clone()))));
        untracked.truncate(MAX_UNTRACKED_FILES);
    }
    let staged = tracked.into_iter().filter_map(|path| {
        let entry = staged.get(path.as_slice())?;
        let mode = entry.mode.to_tree_entry_mode()?;
        Some(File { path: RelPath::new(path), id: entry.id, mode })
    });
    let read = untracked.into_iter().filter_map(|path| {
        let at = root.canonical.join(bytes::to_path(&path)?);
        let is_small = at.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_CONTENT_BYTES);
        // The blob is only written to memory, not to the repository.
        let id = repository.write_blob(is_small.then(|| std::fs::read(&at).ok()).flatten()?).ok()?.detach();
        Some(File { path: RelPath::new(path), id, mode: EntryKind::Blob.into() })
    });
    staged.chain(read).collect()
}

/// Returns whether any file of the newest commit below a directory is still on disk.
fn has_common_file(
    committed: &BTreeMap<Vec<u8>, (ObjectId, EntryMode)>,
    snapshot: &Snapshot,
    directory: &RelPath,
) -> bool {
    let prefix = [directory.as_bytes(), b"/"].concat();
    let from = (Bound::Included(prefix.clone()), Bound::Unbounded);
    let mut below = committed.range::<Vec<u8>, _>(from).take_while(|(path, _)| path.starts_with(&prefix));
    below.any(|(path, _)| snapshot.get(path).is_some())
}

/// Returns whether an index entry need not be on disk, as in a sparse checkout.
fn is_left_out(entry: &gix::index::Entry) -> bool {
    git::is_left_out(entry) || entry.flags.contains(Flags::INTENT_TO_ADD) || entry.mode.is_submodule()
}
