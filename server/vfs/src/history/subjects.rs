//! Reads the subjects of the newest commits and the files that they changed. The content index counts them as words of
//! these files.

use std::path::Path;
use std::time::{Duration, Instant};

use gix::bstr::ByteSlice as _;
use gix::diff::tree;
use gix::diff::tree::recorder::Change;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use serde::{Deserialize, Serialize};

use super::compare::{root_tree, tree_entries};
use super::repository::RepoLocation;
use crate::file_index::SUBJECTS;
use crate::roots::RootDir;

/// A commit's subject, and the paths of the files that it changed or added below the root.
pub type SubjectOfFiles = (String, Vec<String>);

/// Commits as they are cached, with the commit they were read from.
#[derive(Serialize, Deserialize)]
struct CachedSubjects {
    head: String,
    commits: Vec<SubjectOfFiles>,
}

/// Returns the newest commits with one parent, newest first, and the commit that they were read from, if that is all of them: those of
/// `cache_dir` if they were read from the same commit. Empty if the history cannot be read; shorter if `budget` runs out or `stop` returns true.
pub fn read_subjects(
    root: &RootDir,
    cache_dir: Option<&Path>,
    max_commits: usize,
    max_files: usize,
    budget: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Vec<SubjectOfFiles>, Option<String>) {
    let start = Instant::now();
    let Some(location) = RepoLocation::find(root).filter(|location| !location.is_unborn()) else {
        return Default::default();
    };
    let Some(repository) = location.open() else { return Default::default() };
    let Some(head) = location.head(&repository) else { return Default::default() };
    let name = head.to_string();
    let decode = |image: &[u8]| postcard::from_bytes::<CachedSubjects>(image).ok();
    let cached = cache_dir.and_then(|directory| SUBJECTS.load(directory, &root.canonical, decode));
    if let Some(cached) = cached.filter(|cached| cached.head == name) {
        return (cached.commits, Some(name));
    }
    let mut is_whole = true;
    let walk = repository.rev_walk([head]).sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst)).all();
    let Ok(walk) = walk else { return Default::default() };
    let mut state = tree::State::default();
    let mut subjects = Vec::new();
    for commit in walk.map_while(Result::ok) {
        if subjects.len() >= max_commits {
            break;
        }
        if start.elapsed() >= budget || stop() {
            is_whole = false;
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
    let cached = CachedSubjects { head: name, commits: subjects };
    // A shallow history can get longer below the same commit.
    let is_lasting = is_whole && matches!(repository.is_shallow(), Ok(false));
    if let Some(directory) = cache_dir.filter(|_| is_lasting)
        && let Ok(image) = postcard::to_stdvec(&cached)
    {
        SUBJECTS.save(directory, &root.canonical, &image);
    }
    let CachedSubjects { head, commits: subjects } = cached;
    tracing::debug!(top = %Path::new(&root.given).display(), commits = subjects.len(), took = ?start.elapsed(), "subjects read");
    (subjects, is_lasting.then_some(head))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::testing::TestTree;

    fn read(tree: &TestTree) -> String {
        let cache = tree.path("cache");
        let commits =
            read_subjects(&tree.root("root"), Some(&cache), 10, 2, Duration::from_mins(1), &|| false).0.into_iter();
        commits.map(|(subject, files)| format!("{subject}: {}", files.join(" "))).collect::<Vec<_>>().join("; ")
    }

    fn cached(tree: &TestTree) -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(tree.path("cache")).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "subjects")).collect()
    }

    /// The cache holds only what is read again at the same commit.
    #[test]
    fn subjects_are_cached_for_a_commit() {
        let tree = TestTree::new(
            "root/a: 1\n$ cd root && git init -q && git add . && git commit -qm zero\n$ cd root && echo 2 > a && git commit -qam one",
        );
        assert_eq!(read(&tree), "one: a");
        let file = cached(&tree).pop().unwrap();
        // From the cache: the trees that were compared are gone.
        let keep_commit = "file=$(git -C root rev-parse HEAD | sed 's,^..,&/,') && mv root/.git/objects kept && \
             mkdir -p root/.git/objects/${file%/*} && cp kept/$file root/.git/objects/$file";
        tree.run(keep_commit);
        assert_eq!(read(&tree), "one: a");
        tree.run("rm -r root/.git/objects && mv kept root/.git/objects");
        std::fs::write(&file, "junk").unwrap();
        assert_eq!(read(&tree), "one: a", "a damaged cache is read again");
        tree.run("cd root && echo 3 > a && git commit -qam two");
        assert_eq!(read(&tree), "two: a; one: a");
    }

    #[test]
    fn interrupted_readings_are_not_cached() {
        let tree = TestTree::new("root/a: 1\n$ cd root && git init -q && git add . && git commit -qm zero");
        read_subjects(&tree.root("root"), Some(&tree.path("cache")), 10, 2, Duration::from_mins(1), &|| true);
        assert!(cached(&tree).is_empty());
    }
}
