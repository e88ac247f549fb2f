//! Reads the subjects of the newest commits and the files that they changed. The content index counts them as words of
//! these files.

use std::path::Path;
use std::time::{Duration, Instant};

use gix::bstr::ByteSlice as _;
use gix::diff::tree;
use gix::diff::tree::recorder::Change;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::compare::{root_tree, tree_entries};
use super::repository::RepoLocation;
use crate::roots::RootDir;

/// A commit's subject, and the paths of the files that it changed or added below the root.
pub type SubjectOfFiles = (String, Vec<String>);

/// Returns the newest commits with one parent, newest first. Empty if the history cannot be read; shorter if `budget`
/// runs out or `stop` returns true.
pub fn read_subjects(
    root: &RootDir,
    max_commits: usize,
    max_files: usize,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<SubjectOfFiles> {
    let start = Instant::now();
    let Some(location) = RepoLocation::find(root).filter(|location| !location.is_unborn()) else { return Vec::new() };
    let Some(repository) = location.open() else { return Vec::new() };
    let Some(head) = location.head(&repository) else { return Vec::new() };
    let walk = repository.rev_walk([head]).sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst)).all();
    let Ok(walk) = walk else { return Vec::new() };
    let mut state = tree::State::default();
    let mut subjects = Vec::new();
    for commit in walk.map_while(Result::ok) {
        if subjects.len() >= max_commits || start.elapsed() >= budget || stop() {
            break;
        }
        let [parent] = commit.parent_ids[..] else { continue };
        let read = || -> gix::Result<Option<(String, gix::Tree<'_>, gix::Tree<'_>)>> {
            let own = repository.find_commit(commit.id)?;
            let subject = own.message_raw_sloppy().lines().next().unwrap_or_default().to_str_lossy().into_owned();
            let Some(new) = root_tree(&repository, &location.inside, own.tree_id()?.detach())? else { return Ok(None) };
            let old = repository.find_commit(parent)?.tree_id()?.detach();
            let old = root_tree(&repository, &location.inside, old)?.unwrap_or_else(|| repository.empty_tree());
            Ok(Some((subject, new, old)))
        };
        // A shallow history ends at a missing parent.
        let Ok(Some((subject, new, old))) = read() else { continue };
        if new.id == old.id {
            continue;
        }
        let mut changes = tree::Recorder::default();
        if tree(tree_entries(&old), tree_entries(&new), &mut state, &repository.objects, &mut changes).is_err() {
            continue;
        }
        let files: Vec<String> = changes
            .records
            .into_iter()
            .filter_map(|change| match change {
                Change::Addition { entry_mode, path, .. } | Change::Modification { entry_mode, path, .. } => {
                    (!entry_mode.is_tree()).then(|| path.to_str_lossy().into_owned())
                }
                Change::Deletion { .. } => None,
            })
            .take(max_files + 1)
            .collect();
        if !files.is_empty() && files.len() <= max_files {
            subjects.push((subject, files));
        }
    }
    tracing::debug!(top = %Path::new(&root.given).display(), commits = subjects.len(), took = ?start.elapsed(), "subjects read");
    subjects
}
