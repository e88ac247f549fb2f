//! `PastCommits`: what the files of a root contained in earlier commits. Called by `check`, which asks whether a literal is as old as
//! its target, or whether a miss has stood while the project was built.

use std::collections::hash_map::Entry;
use std::hash::BuildHasher as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use pathfinder_core::RelPath;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::bytes;
use super::history::RepoLocation;
use super::roots::RootDir;

/// A month: a project that is built or tested daily or weekly was so several times since.
const MONTH_SECONDS: i64 = 30 * 24 * 60 * 60;
/// So many commits on the main line are as good as a month: each was built, and walking them takes some 10 ms.
const MAX_COMMITS: usize = 1_000;

/// Files of a commit that are searched for a text: reading their words takes some 0.1 s, once.
const MAX_FILES: usize = 2_000;
/// Larger files are data, and hold no literals.
const MAX_SEARCHED_BYTES: u64 = 256 << 10;

/// The repository around a root.
pub struct PastCommits {
    /// `None` while it is closed: an open one maps the parts of the packs that were read, some 12 MB in a repository of 4,000 files.
    repository: Mutex<Option<gix::Repository>>,
    /// True if the repository was read since the last [`release_unused`](Self::release_unused).
    is_used: AtomicBool,
    location: RepoLocation,
    newest: OnceLock<Option<PastCommit>>,
    month_old: OnceLock<Option<PastCommit>>,
    /// Hashes of the words of files, sorted: the files of several commits are mostly the same.
    words: Mutex<FxHashMap<ObjectId, Box<[u64]>>>,
}

/// The tree of a commit in [`PastCommits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PastCommit(ObjectId);

impl PastCommits {
    /// Opens the repository around a root; `None` if there is none, it has no commit, or it cannot be opened.
    pub fn open(root: &RootDir) -> Option<Self> {
        let location = RepoLocation::find(root).filter(|location| !location.is_unborn())?;
        let repository = Mutex::new(Some(location.open()?));
        let (newest, month_old) = (OnceLock::new(), OnceLock::new());
        Some(Self { repository, is_used: AtomicBool::new(true), location, newest, month_old, words: Mutex::default() })
    }

    /// Closes the repository if nothing has read it since the last call. The next use opens it again. Returns whether it was closed.
    pub fn release_unused(&self) -> bool {
        if self.is_used.swap(false, Ordering::Relaxed) {
            return false;
        }
        let closed = self.repository.lock().take();
        *self.words.lock() = FxHashMap::default();
        closed.is_some()
    }

    /// Returns the open repository; `None` if it can no longer be opened.
    fn repository(&self) -> Option<MappedMutexGuard<'_, gix::Repository>> {
        self.is_used.store(true, Ordering::Relaxed);
        let mut held = self.repository.lock();
        if held.is_none() {
            *held = self.location.open();
        }
        MutexGuard::try_map(held, Option::as_mut).ok()
    }

    /// Finds a commit by its id in hexadecimal digits; `None` if the clone lacks it.
    pub fn find(&self, id: &str) -> Option<PastCommit> {
        let repository = self.repository()?;
        tree_of(&repository, ObjectId::from_hex(id.as_bytes()).ok()?)
    }

    /// Finds the first parent of a commit, by the id of the commit; `None` if it has none, or the clone lacks it.
    pub fn find_before(&self, id: &str) -> Option<PastCommit> {
        let repository = self.repository()?;
        let commit = repository.find_commit(ObjectId::from_hex(id.as_bytes()).ok()?).ok()?;
        tree_of(&repository, commit.parent_ids().next()?.detach())
    }

    /// The checked out commit; `None` if the clone lacks it.
    pub fn newest(&self) -> Option<PastCommit> {
        *self.newest.get_or_init(|| {
            let repository = self.repository()?;
            tree_of(&repository, self.location.head(&repository)?)
        })
    }

    /// The date a month before the newest commit, in seconds since 1970.
    pub fn month_before_newest(&self) -> Option<i64> {
        let repository = self.repository()?;
        let head = repository.find_commit(self.location.head(&repository)?).ok()?;
        Some(head.time().ok()?.seconds - MONTH_SECONDS)
    }

    /// The newest commit of the main line that is a month older than the newest one; `None` if the history is shorter.
    pub fn month_old(&self) -> Option<PastCommit> {
        *self.month_old.get_or_init(|| {
            let repository = self.repository()?;
            let head = self.location.head(&repository)?;
            let seconds = |id: ObjectId| Some(repository.find_commit(id).ok()?.time().ok()?.seconds);
            let newest = seconds(head)?;
            let commits = repository.rev_walk([head]).first_parent_only().all().ok()?.map_while(Result::ok);
            let is_old = |at, id| at >= MAX_COMMITS || seconds(id).is_some_and(|time| newest - time >= MONTH_SECONDS);
            let (_, found) = commits.enumerate().find(|(at, commit)| is_old(*at, commit.id))?;
            tree_of(&repository, found.id)
        })
    }

    /// Returns whether a path (relative to the root) exists in a commit.
    pub fn has(&self, commit: PastCommit, path: &str) -> bool {
        self.repository().is_some_and(|repository| self.entry(&repository, commit, path).is_some())
    }

    /// Returns whether a file was changed between two commits; false if one of them lacks it.
    pub fn differ(&self, commits: [PastCommit; 2], file: &str) -> bool {
        let Some(repository) = self.repository() else { return false };
        let [before, after] = commits.map(|commit| self.entry(&repository, commit, file));
        before.is_some() && after.is_some() && before != after
    }

    /// Returns whether a commit, by its id, changed a file and left a text in it; false if it has no parent, or one of them lacks the file.
    pub fn was_left(&self, id: &str, file: &str, text: &[u8], max_bytes: u64) -> bool {
        let (Some(before), Some(after)) = (self.find_before(id), self.find(id)) else { return false };
        self.differ([before, after], file) && self.contains(after, file, text, max_bytes)
    }

    /// Returns whether a file of a commit contains a text; false if it is absent or has more than `max_bytes`.
    pub fn contains(&self, commit: PastCommit, file: &str, text: &[u8], max_bytes: u64) -> bool {
        let Some(repository) = self.repository() else { return false };
        self.entry(&repository, commit, file).is_some_and(|id| {
            repository.find_header(id).is_ok_and(|header| header.size() <= max_bytes)
                && repository.find_object(id).is_ok_and(|object| object.data.contains_str(text))
        })
    }

    /// Returns whether any file of a commit has a path as a word; `None` if the text is no such word, the commit has too many files, or one
    /// is not in the clone. Each file is read once, however many commits and texts are asked for.
    pub fn any_has_word(&self, commit: PastCommit, text: &str) -> Option<bool> {
        let word = path_words(text.as_bytes()).next()?;
        let repository = self.repository()?;
        let tree = repository.find_tree(commit.0).ok()?;
        let tree = match self.location.inside.as_slice() {
            [] => tree,
            inside => tree.lookup_entry(inside.iter().map(Vec::as_slice)).ok()??.object().ok()?.into_tree(),
        };
        let files = tree.traverse().breadthfirst.files().ok()?;
        let files: Vec<_> = files.into_iter().filter(|entry| entry.mode.is_blob()).take(MAX_FILES + 1).collect();
        if files.len() > MAX_FILES {
            return None;
        }
        let mut words = self.words.lock();
        for file in files {
            let known = match words.entry(file.oid) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(read_words(&repository, file.oid)?),
            };
            if known.binary_search(&word).is_ok() {
                return Some(true);
            }
        }
        Some(false)
    }

    fn entry(&self, repository: &gix::Repository, commit: PastCommit, path: &str) -> Option<ObjectId> {
        let full = RelPath::new(bytes::join(&self.location.inside.join(&b'/'), path.as_bytes()));
        let tree = repository.find_tree(commit.0).ok()?;
        Some(tree.lookup_entry(full.as_bytes().split_str("/")).ok()??.object_id())
    }
}

/// Reads the words of a file; none for a large one. `None` if the clone lacks it.
fn read_words(repository: &gix::Repository, id: ObjectId) -> Option<Box<[u64]>> {
    if repository.find_header(id).ok()?.size() > MAX_SEARCHED_BYTES {
        return Some(Box::default());
    }
    let mut words: Vec<u64> = path_words(&repository.find_object(id).ok()?.data).collect();
    words.sort_unstable();
    words.dedup();
    Some(words.into())
}

/// Hashes of the words of a text that have the form of a path, without the stop of a sentence: a name alone is a word of any text.
fn path_words(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./@+".contains(byte) || !byte.is_ascii();
    let words = text.split(move |byte| !is_part(byte)).map(|word| word.strip_suffix(b".").unwrap_or(word));
    words.filter(|word| word.iter().any(|byte| b"./".contains(byte))).map(|word| FxBuildHasher.hash_one(word))
}

fn tree_of(repository: &gix::Repository, commit: ObjectId) -> Option<PastCommit> {
    Some(PastCommit(repository.find_commit(commit).ok()?.tree_id().ok()?.detach()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::PastCommits;
    use crate::testing::TestTree;

    fn open(tree: &TestTree, below: &str) -> PastCommits {
        let root = crate::roots::find(&[tree.path(below)], &tree.path("")).expect("a root").dirs.remove(0);
        PastCommits::open(&root).expect("a repository")
    }

    #[test]
    fn reads_what_files_were() {
        let tree = TestTree::new(
            "$ git init -q -b main && git config user.name a && git config user.email a@b
             pkg/a.ts: import './b'; import './x/b.js';
             pkg/d.ts: x
             $ git add . && GIT_COMMITTER_DATE=2020-01-01T00:00:00Z git commit -qm one && git rev-parse HEAD > id
             $ git rm -q pkg/d.ts && GIT_COMMITTER_DATE=2020-01-02T00:00:00Z git commit -qm two && git rev-parse HEAD > id2
             pkg/e.ts: y
             pkg/a.ts: import './b'; import './x/b.js'; z
             $ git add pkg && GIT_COMMITTER_DATE=2020-02-02T00:00:00Z git commit -qm three",
        );
        for below in ["", "pkg"] {
            let commits = open(&tree, below);
            let path = |name: &str| if below.is_empty() { format!("pkg/{name}") } else { name.to_owned() };
            let id = std::fs::read_to_string(tree.path("id")).expect("an id");
            let first = commits.find(id.trim()).expect("a commit");
            let old = commits.month_old().expect("a commit");
            let second = std::fs::read_to_string(tree.path("id2")).expect("an id");
            assert_eq!(commits.find_before(second.trim()), Some(first));
            let check = |name: &str, in_first: bool, in_old: bool| {
                assert_eq!(
                    (commits.has(first, &path(name)), commits.has(old, &path(name))),
                    (in_first, in_old),
                    "{name}"
                );
            };
            check("a.ts", true, true);
            check("d.ts", true, false);
            check("e.ts", false, false);
            assert!(commits.contains(old, &path("a.ts"), b"import './b'", 100));
            assert!(!commits.contains(old, &path("a.ts"), b"import './c'", 100));
            assert!(!commits.contains(old, &path("a.ts"), b"import './b'", 5), "too large");
            assert!(!commits.contains(old, &path("e.ts"), b"y", 100));
            assert!(!commits.differ([first, old], &path("a.ts")), "unchanged");
            assert!(!commits.differ([first, old], &path("d.ts")), "removed");
            let newest = commits.newest().expect("a commit");
            assert!(commits.differ([first, newest], &path("a.ts")));
            let has = ["./x/b.js", "x/b.js", "b"].map(|text| commits.any_has_word(old, text));
            assert_eq!(has, [Some(true), Some(false), None]);
            assert_eq!(commits.find(&"0".repeat(40)), None);
            assert_eq!(commits.find_before(id.trim()), None);
            assert_eq!(commits.find("x"), None);
            assert_eq!([(); 3].map(|()| commits.release_unused()), [false, true, false], "used, closed, closed before");
            check("a.ts", true, true);
            assert_eq!(commits.any_has_word(old, "./x/b.js"), Some(true));
            assert_eq!([(); 2].map(|()| commits.release_unused()), [false, true], "opened again");
        }
    }

    #[test]
    fn needs_a_month() {
        let tree = TestTree::new(
            "$ git init -q -b main && git config user.name a && git config user.email a@b
             a.ts: x
             $ git add . && git commit -qm one",
        );
        assert_eq!(open(&tree, "").month_old(), None);
    }
}
