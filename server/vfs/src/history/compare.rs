//! `Comparer`: finds the files that one commit moved, deleted or added below the root.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gix::bstr::BStr;
use gix::diff::tree;
use gix::diff::tree::recorder::Change as RecordedChange;
use gix::diff::tree::visit::Change as TreeChange;
use gix::objs::TreeRefIter;
use gix::{ObjectId, Repository};
use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitChanges, CommitMoves};

use super::Limits;
use super::rename_pairs::{File, RenamePairs};

/// Depth of nested directories that are compared. Each level takes stack, and a repository can have any number. Deeper
/// directories count as having a common file.
const MAX_DEPTH: usize = 256;

/// A commit and its only parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommitPair {
    pub(super) id: ObjectId,
    pub(super) parent: ObjectId,
    pub(super) seconds: i64,
}

/// Result of comparing one commit; `moves` is `None` if it moved and deleted nothing.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) moves: Option<CommitMoves>,
    /// True if file contents that had to be compared were missing or too many.
    pub(super) inexact: bool,
}

/// Compares commits of one repository, one after the other.
pub(super) struct Comparer<'a> {
    repository: &'a Repository,
    inside: &'a [Vec<u8>],
    limits: Limits<'a>,
    state: tree::State,
    /// The parent of the previous commit and its tree: usually the next commit to be compared.
    before: Option<(ObjectId, ObjectId)>,
}

impl<'a> Comparer<'a> {
    /// Creates a comparer for the root that lies `inside` the worktree.
    pub(super) fn new(repository: &'a Repository, inside: &'a [Vec<u8>], limits: Limits<'a>) -> Self {
        Self { repository, inside, limits, state: tree::State::default(), before: None }
    }

    /// Compares a commit with its parent; `None` if the limits were reached meanwhile.
    ///
    /// # Errors
    /// If a commit or a tree cannot be read.
    pub(super) fn compare(&mut self, pair: CommitPair) -> gix::Result<Option<Comparison>> {
        let new = match self.before {
            Some((id, tree)) if id == pair.id => tree,
            _ => self.tree(pair.id)?,
        };
        let old = self.tree(pair.parent)?;
        self.before = Some((pair.parent, old));
        if old == new {
            return Ok(Some(Comparison::default()));
        }
        let Some(old) = root_tree(self.repository, self.inside, old)? else { return Ok(Some(Comparison::default())) };
        let new = root_tree(self.repository, self.inside, new)?.unwrap_or_else(|| self.repository.empty_tree());
        if old.id == new.id {
            return Ok(Some(Comparison::default()));
        }
        // Most commits delete nothing. Counting needs no paths, so it is much cheaper.
        let mut counter = ChangeCounter::default();
        tree(tree_entries(&old), tree_entries(&new), &mut self.state, &self.repository.objects, &mut counter)
            .map_err(gix::Error::from_error)?;
        if counter.gone == 0 {
            return Ok(Some(Comparison::default()));
        }
        let (gone, added) = self.changed_files(&old, &new)?;
        let Some(pairs) = RenamePairs::find(gone, added, self.repository, self.limits) else { return Ok(None) };
        let paths = |files: Vec<File>| files.into_iter().map(|file| file.path).collect();
        let changes = CommitChanges {
            id: pair.id.to_string(),
            seconds: pair.seconds,
            renames: pairs.renames,
            deletions: paths(pairs.gone),
            additions: paths(pairs.new),
        };
        let moves = CommitMoves::new(changes, |directory| {
            // If in doubt, the directory did not move as a whole.
            self.has_common_file(&old, &new, directory).unwrap_or(true)
        });
        Ok(Some(Comparison { moves: Some(moves), inexact: pairs.inexact }))
    }

    fn tree(&self, commit: ObjectId) -> gix::Result<ObjectId> {
        Ok(self.repository.find_commit(commit)?.tree_id()?.detach())
    }

    /// Returns the deleted and the added files.
    fn changed_files(&mut self, old: &gix::Tree<'_>, new: &gix::Tree<'_>) -> gix::Result<(Vec<File>, Vec<File>)> {
        let mut changes = tree::Recorder::default();
        tree(tree_entries(old), tree_entries(new), &mut self.state, &self.repository.objects, &mut changes)
            .map_err(gix::Error::from_error)?;
        let (mut gone, mut added) = (Vec::new(), Vec::new());
        for change in changes.records {
            let (files, mode, id, path) = match change {
                RecordedChange::Deletion { entry_mode, oid, path, .. } => (&mut gone, entry_mode, oid, path),
                RecordedChange::Addition { entry_mode, oid, path, .. } => (&mut added, entry_mode, oid, path),
                RecordedChange::Modification { .. } => continue,
            };
            if !mode.is_tree() {
                files.push(File { path: RelPath::new(Vec::from(path)), id, mode });
            }
        }
        Ok((gone, added))
    }

    /// Returns whether any file below `directory` is in both trees under the same path.
    fn has_common_file(&self, old: &gix::Tree<'_>, new: &gix::Tree<'_>, directory: &RelPath) -> gix::Result<bool> {
        let names = || directory.as_bytes().split(|&byte| byte == b'/');
        let (Some(old), Some(new)) = (old.lookup_entry(names())?, new.lookup_entry(names())?) else {
            return Ok(false);
        };
        if !old.mode().is_tree() || !new.mode().is_tree() {
            return Ok(false);
        }
        self.shares_file(old.object_id(), new.object_id(), 0)
    }

    fn shares_file(&self, old: ObjectId, new: ObjectId, depth: usize) -> gix::Result<bool> {
        if old == new || depth > MAX_DEPTH {
            return Ok(true);
        }
        let (old, new) = (self.repository.find_tree(old)?, self.repository.find_tree(new)?);
        let mut there = BTreeMap::new();
        for entry in new.iter() {
            let entry = entry?;
            there.insert(entry.filename().to_owned(), (entry.mode().is_tree(), entry.object_id()));
        }
        for entry in old.iter() {
            let entry = entry?;
            let Some(&(is_tree, id)) = there.get(entry.filename()) else { continue };
            let both = (entry.mode().is_tree(), is_tree);
            if both == (false, false) || (both == (true, true) && self.shares_file(entry.object_id(), id, depth + 1)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the tree of the root that lies `inside` a worktree; `None` if the commit does not have it yet.
pub(super) fn root_tree<'a>(
    repository: &'a Repository,
    inside: &[Vec<u8>],
    top: ObjectId,
) -> gix::Result<Option<gix::Tree<'a>>> {
    let tree = repository.find_tree(top)?;
    if inside.is_empty() {
        return Ok(Some(tree));
    }
    match tree.lookup_entry(inside.iter().map(Vec::as_slice))? {
        Some(entry) if entry.mode().is_tree() => Ok(Some(repository.find_tree(entry.object_id())?)),
        _ => Ok(None),
    }
}

pub(super) fn tree_entries<'t>(tree: &'t gix::Tree<'_>) -> TreeRefIter<'t> {
    TreeRefIter::from_bytes(&tree.data, tree.id.kind())
}

/// Counts deleted and added files.
#[derive(Default)]
struct ChangeCounter {
    gone: usize,
    new: usize,
}

impl tree::Visit for ChangeCounter {
    fn pop_front_tracked_path_and_set_current(&mut self) {}
    fn push_back_tracked_path_component(&mut self, _: &BStr) {}
    fn push_path_component(&mut self, _: &BStr) {}
    fn pop_path_component(&mut self) {}

    fn visit(&mut self, change: TreeChange) -> tree::visit::Action {
        match change {
            TreeChange::Deletion { entry_mode, .. } if !entry_mode.is_tree() => self.gone += 1,
            TreeChange::Addition { entry_mode, .. } if !entry_mode.is_tree() => self.new += 1,
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
