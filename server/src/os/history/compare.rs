//! `Comparer`: what one commit did to the files below the root.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gix::bstr::BStr;
use gix::diff::tree::visit::Change as TreeChange;
use gix::diff::tree_with_rewrites::{ChangeRef, Options};
use gix::diff::{Rewrites, blob, tree};
use gix::objs::TreeRefIter;
use gix::{ObjectId, Repository};
use pathfinder_core::RelPath;
use pathfinder_core::history::{CommitChanges, CommitMoves};

use super::exact::{self, Files};

/// From so many files on (gone and new), only the same content counts as renamed: git compares no more than a
/// few hundred either, and gix's search for moved directories grows with their square.
const FILES_MAX: usize = 20_000;

/// git's settings, with a limit that it had for a decade: each rename is looked for among so many others.
/// What is over it is found by the same content and by directory.
const SIMILAR: Rewrites = Rewrites { copies: None, percentage: Some(0.5), limit: 400, track_empty: false };

/// A commit to compare with its only parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) id: ObjectId,
    pub(super) parent: ObjectId,
    pub(super) seconds: i64,
}

/// What a commit says; `None` if nothing.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) moves: Option<CommitMoves>,
    /// Whether files were not looked into.
    pub(super) inexact: bool,
}

/// Compares commits of one repository, one after the other.
pub(super) struct Comparer<'a> {
    repository: &'a Repository,
    inside: &'a [Vec<u8>],
    state: tree::State,
    blobs: blob::Platform,
}

impl<'a> Comparer<'a> {
    /// For the root that lies `inside` the repository's worktree.
    pub(super) fn new(repository: &'a Repository, inside: &'a [Vec<u8>]) -> gix::Result<Self> {
        // An empty index: attributes would only say how to show differences, and reading it takes longer than
        // a hundred commits.
        let index = gix::index::State::new(repository.object_hash());
        let source = gix::worktree::stack::state::attributes::Source::IdMapping;
        let attributes = repository.attributes_only(&index, source)?.detach();
        let mode = blob::pipeline::Mode::ToGit;
        let blobs = gix::diff::resource_cache(repository, mode, attributes, blob::pipeline::WorktreeRoots::default())?;
        Ok(Self { repository, inside, state: tree::State::default(), blobs })
    }

    /// What a commit says.
    ///
    /// # Errors
    /// When a commit or a directory cannot be read.
    pub(super) fn compare(&mut self, step: Step) -> gix::Result<Compared> {
        let old = self.repository.find_commit(step.parent)?.tree_id()?.detach();
        let new = self.repository.find_commit(step.id)?.tree_id()?.detach();
        if old == new {
            return Ok(Compared::default());
        }
        let Some(old) = self.below(old)? else { return Ok(Compared::default()) };
        let new = self.below(new)?.unwrap_or_else(|| self.repository.empty_tree());
        if old.id == new.id {
            return Ok(Compared::default());
        }
        // Most commits take nothing away. To see that, no path needs to be put together.
        let mut count = Count::default();
        tree(entries(&old), entries(&new), &mut self.state, &self.repository.objects, &mut count)
            .map_err(gix::Error::from_error)?;
        if count.gone == 0 {
            return Ok(Compared::default());
        }
        let mut inexact = count.gone + count.new > FILES_MAX;
        let mut changes = None;
        if count.new > 0 && !inexact {
            changes = self.similar(&old, &new).inspect_err(|error| tracing::debug!(id = %step.id, %error)).ok();
            inexact = changes.is_none();
        }
        let mut changes = match changes {
            Some(changes) => changes,
            None => self.identical(&old, &new)?,
        };
        (changes.id, changes.seconds) = (step.id.to_string(), step.seconds);
        let moves = CommitMoves::new(changes, |directory| {
            // If in doubt, the directory did not move as a whole.
            self.stayed(&old, &new, directory).unwrap_or(true)
        });
        Ok(Compared { moves: Some(moves), inexact })
    }

    /// The tree of the root; `None` where it was not there yet.
    fn below(&self, top: ObjectId) -> gix::Result<Option<gix::Tree<'a>>> {
        let tree = self.repository.find_tree(top)?;
        if self.inside.is_empty() {
            return Ok(Some(tree));
        }
        match tree.lookup_entry(self.inside.iter().map(Vec::as_slice))? {
            Some(entry) if entry.mode().is_tree() => Ok(Some(self.repository.find_tree(entry.object_id())?)),
            _ => Ok(None),
        }
    }

    /// With renames of files that are similar. Fails when one of them is missing.
    fn similar(&mut self, old: &gix::Tree<'_>, new: &gix::Tree<'_>) -> gix::Result<CommitChanges> {
        let mut changes = CommitChanges::default();
        self.each_change(old, new, Some(SIMILAR), |change| match change {
            ChangeRef::Rewrite { source_location, location, copy: false, .. } => {
                changes.renames.push((path(source_location), path(location)));
            }
            ChangeRef::Deletion { location, .. } => changes.deletions.push(path(location)),
            ChangeRef::Addition { location, .. } => changes.additions.push(path(location)),
            _ => {}
        })?;
        Ok(changes)
    }

    /// With renames of files that are the same.
    fn identical(&mut self, old: &gix::Tree<'_>, new: &gix::Tree<'_>) -> gix::Result<CommitChanges> {
        let (mut gone, mut added) = (Files::new(), Files::new());
        self.each_change(old, new, None, |change| match change {
            ChangeRef::Deletion { location, id, .. } => gone.push((id, path(location))),
            ChangeRef::Addition { location, id, .. } => added.push((id, path(location))),
            _ => {}
        })?;
        let renames = exact::renames(&mut gone, &mut added);
        let paths = |files: Files| files.into_iter().map(|(_, path)| path).collect();
        Ok(CommitChanges { renames, deletions: paths(gone), additions: paths(added), ..CommitChanges::default() })
    }

    fn each_change(
        &mut self,
        old: &gix::Tree<'_>,
        new: &gix::Tree<'_>,
        rewrites: Option<Rewrites>,
        mut take: impl FnMut(ChangeRef<'_>),
    ) -> gix::Result<()> {
        let location = Some(tree::recorder::Location::Path);
        let outcome = gix::diff::tree_with_rewrites(
            entries(old),
            entries(new),
            &mut self.blobs,
            &mut self.state,
            &self.repository.objects,
            |change| {
                if !change.entry_mode().is_tree() {
                    take(change);
                }
                Ok(ControlFlow::Continue(()))
            },
            Options { location, rewrites },
        );
        self.blobs.clear_resource_cache_keep_allocation();
        outcome.map(drop).map_err(gix::Error::from_error)
    }

    /// Whether any file below `directory` is in both trees under the same path.
    fn stayed(&self, old: &gix::Tree<'_>, new: &gix::Tree<'_>, directory: &RelPath) -> gix::Result<bool> {
        let names = || directory.as_bytes().split(|&byte| byte == b'/');
        let (Some(old), Some(new)) = (old.lookup_entry(names())?, new.lookup_entry(names())?) else {
            return Ok(false);
        };
        if !old.mode().is_tree() || !new.mode().is_tree() {
            return Ok(false);
        }
        self.share(old.object_id(), new.object_id())
    }

    fn share(&self, old: ObjectId, new: ObjectId) -> gix::Result<bool> {
        if old == new {
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
            if both == (false, false) || (both == (true, true) && self.share(entry.object_id(), id)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn entries<'t>(tree: &'t gix::Tree<'_>) -> TreeRefIter<'t> {
    TreeRefIter::from_bytes(&tree.data, tree.id.kind())
}

fn path(location: &BStr) -> RelPath {
    RelPath::new(location.to_vec())
}

/// Counts files that are gone or new.
#[derive(Default)]
struct Count {
    gone: usize,
    new: usize,
}

impl tree::Visit for Count {
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
