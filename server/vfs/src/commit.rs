//! `Commits`: lists and reads the files of a root as they are in a commit, or as a merge of two commits would leave
//! them. Called by `check::change`. Writes nothing to the repository.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, InternedInput};
use parking_lot::Mutex;

use super::history::RepoLocation;
use super::roots::RootDir;

/// Reasons why a commit's files cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The root is not in a readable repository.
    #[error("{0} is not in a git repository that can be read")]
    NoRepository(String),
    /// The revision does not name a commit.
    #[error("{revision} does not name a commit: {reason}")]
    NoCommit {
        /// The revision, as given.
        revision: String,
        /// The message of git.
        reason: String,
    },
    /// An object is missing or broken.
    #[error("the commit {commit} cannot be read: {reason}")]
    Unreadable {
        /// Id of the commit.
        commit: String,
        /// The message of git.
        reason: String,
    },
}

/// One entry of a commit's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Kind of the entry: file, directory or link.
    pub kind: EntryKind,
    id: ObjectId,
}

/// All entries of a commit below the root by path, without directories.
pub type TreeEntries = BTreeMap<String, TreeEntry>;

/// The repository around a root.
pub struct Commits {
    repository: Mutex<gix::Repository>,
    location: RepoLocation,
}

/// The id of a commit in [`Commits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitId(ObjectId);

impl std::fmt::Display for CommitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.to_hex_with_len(12))
    }
}

impl Commits {
    /// Opens the repository around a root.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn open(root: &RootDir) -> Result<Self, CommitError> {
        let none = || CommitError::NoRepository(root.given.clone());
        let location = RepoLocation::find(root).ok_or_else(none)?;
        // Merged files are kept in memory only.
        let repository = Mutex::new(location.open().ok_or_else(none)?.with_object_memory());
        Ok(Self { repository, location })
    }

    /// Resolves a revision to a commit, like `git rev-parse`.
    ///
    /// # Errors
    /// If it does not name one.
    pub fn find(&self, revision: &str) -> Result<CommitId, CommitError> {
        let repository = self.repository();
        let no = |reason: String| CommitError::NoCommit { revision: revision.to_owned(), reason };
        let id = repository.rev_parse_single(revision).map_err(|error| no(error.to_string()))?;
        let commit = id.object().and_then(gix::Object::peel_to_commit);
        Ok(CommitId(commit.map_err(|error| no(error.to_string()))?.id))
    }

    /// Returns the merge base of two commits; `None` if they have no common ancestor.
    pub fn merge_base(&self, one: CommitId, other: CommitId) -> Option<CommitId> {
        let repository = self.repository();
        repository.merge_base(one.0, other.0).ok().flatten().map(|id| CommitId(id.detach()))
    }

    /// Returns all entries of a commit below the root. Names that are not UTF-8 are left out, because no literal can
    /// name them.
    ///
    /// # Errors
    /// If an object is missing.
    pub fn entries(&self, commit: CommitId) -> Result<TreeEntries, CommitError> {
        let repository = self.repository();
        let wrong = |reason: String| CommitError::Unreadable { commit: commit.to_string(), reason };
        let read = || -> gix::Result<TreeEntries> {
            let tree = repository.find_commit(commit.0)?.tree()?;
            let mut all = TreeEntries::new();
            for entry in tree.traverse().breadthfirst.files()? {
                if entry.mode.is_tree() {
                    continue;
                }
                let Ok(path) = std::str::from_utf8(&entry.filepath) else { continue };
                let Some(path) = self.strip_root(path) else { continue };
                all.insert(path.to_owned(), TreeEntry { kind: entry.mode.kind(), id: entry.oid });
            }
            Ok(all)
        };
        read().map_err(|error| wrong(error.to_string()))
    }

    /// Reads the bytes of an entry; `None` if there are more than `max_bytes`, or the object is missing.
    pub fn read(&self, entry: TreeEntry, max_bytes: u64) -> Option<Vec<u8>> {
        let repository = self.repository();
        let header = repository.find_header(entry.id).ok()?;
        if header.size() > max_bytes {
            return None;
        }
        Some(repository.find_object(entry.id).ok()?.detach().data)
    }

    /// Merges a file that both sides changed, line by line. Conflicting lines are taken from `ours`, because only the
    /// user can resolve them. `None` if one side is not a file or has more than `max_bytes`.
    pub fn merge_files(
        &self,
        base: TreeEntry,
        ours: TreeEntry,
        theirs: TreeEntry,
        max_bytes: u64,
    ) -> Option<TreeEntry> {
        let is_file = |entry: &TreeEntry| matches!(entry.kind, EntryKind::Blob | EntryKind::BlobExecutable);
        if ![base, ours, theirs].iter().all(is_file) {
            return None;
        }
        let texts = [base, ours, theirs].map(|entry| self.read(entry, max_bytes));
        let [Some(base), Some(own), Some(theirs)] = texts else { return None };
        let id = self.repository().write_blob(merge_lines(&base, &own, &theirs)).ok()?.detach();
        Some(TreeEntry { kind: ours.kind, id })
    }

    /// Strips the root's prefix from a path of the worktree; `None` if the path lies outside of the root.
    fn strip_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut rest = path;
        for name in &self.location.inside {
            rest = rest.strip_prefix(std::str::from_utf8(name).ok()?)?.strip_prefix('/')?;
        }
        Some(rest)
    }

    fn repository(&self) -> parking_lot::MutexGuard<'_, gix::Repository> {
        self.repository.lock()
    }
}

/// Merges three texts line by line; conflicts are resolved as in `ours`.
fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let (own, others) = (line_changes(base, ours), line_changes(base, theirs));
    // As in git, changes that touch each other are a conflict.
    let is_free = |range: &Range<usize>| {
        let next = own.partition_point(|(own, _)| own.end < range.start);
        own.get(next).is_none_or(|(own, _)| range.end < own.start)
    };
    let mut changes: Vec<_> = others.into_iter().filter(|(range, _)| is_free(range)).collect();
    changes.extend(own.iter().cloned());
    changes.sort_by_key(|(range, _)| range.start);
    let mut text = Vec::with_capacity(ours.len().max(theirs.len()));
    let mut at = 0;
    for (range, lines) in changes {
        text.extend(&base[at..range.start]);
        text.extend(lines);
        at = range.end;
    }
    text.extend(&base[at..]);
    text
}

/// Returns the lines of `base` that `text` changes, as ranges of bytes with their replacements, in order.
fn line_changes<'t>(base: &[u8], text: &'t [u8]) -> Vec<(Range<usize>, &'t [u8])> {
    let input = InternedInput::new(base, text);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let offsets = |text: &[u8]| -> Vec<usize> {
        let ends = byte_lines(text).scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        iter::once(0).chain(ends).collect()
    };
    let (old, new) = (offsets(base), offsets(text));
    let bytes = |offsets: &[usize], lines: Range<u32>| offsets[lines.start as usize]..offsets[lines.end as usize];
    diff.hunks().map(|hunk| (bytes(&old, hunk.before), &text[bytes(&new, hunk.after)])).collect()
}

/// Returns the entries of a merge of two commits. An entry that one side changed is taken from that side. An entry that
/// both sides changed is merged by `blend` (base, ours, theirs), or taken from `ours` if that returns `None`. `moved`
/// returns the new path in `ours` of a path that `theirs` still has.
pub fn merge_entries(
    base: &TreeEntries,
    ours: &TreeEntries,
    theirs: &TreeEntries,
    moved: impl Fn(&str) -> Option<String>,
    blend: impl Fn(TreeEntry, TreeEntry, TreeEntry) -> Option<TreeEntry>,
) -> TreeEntries {
    let mut all = ours.clone();
    for (path, entry) in theirs {
        let Some(before) = base.get(path) else {
            all.entry(path.clone()).or_insert(*entry);
            continue;
        };
        if before == entry {
            continue;
        }
        // `ours` may have moved the file. A file that `ours` deleted stays deleted.
        let at = if ours.contains_key(path) { Some(path.clone()) } else { moved(path) };
        let Some((at, own)) = at.and_then(|at| ours.get(&at).map(|own| (at, own))) else { continue };
        let now = if own.id == before.id { Some(*entry) } else { blend(*before, *own, *entry) };
        if let Some(now) = now {
            all.insert(at, now);
        }
    }
    all.retain(|path, own| theirs.contains_key(path) || base.get(path) != Some(own));
    all
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::testing::TestTree;

    fn root(tree: &TestTree, below: &str) -> RootDir {
        crate::roots::find(&[tree.path(below)], &tree.path("")).expect("a root").dirs.remove(0)
    }

    #[test]
    fn lists_and_reads_commits() {
        let tree = TestTree::new(
            "$ git init -q -b main && git config user.name a && git config user.email a@b
             pkg/a.md: one
             b.md: two
             $ git add . && git commit -qm one && git mv b.md c.md && git commit -qm two",
        );
        let commits = Commits::open(&root(&tree, "")).expect("a repository");
        let names = |revision: &str| -> Vec<String> {
            let entries = commits.entries(commits.find(revision).expect("a commit")).expect("entries");
            entries.into_keys().collect()
        };
        assert_eq!(names("HEAD"), ["c.md", "pkg/a.md"]);
        assert_eq!(names("HEAD~1"), ["b.md", "pkg/a.md"]);
        let inside = Commits::open(&root(&tree, "pkg")).expect("a repository");
        let head = inside.find("main").expect("a commit");
        let entries = inside.entries(head).expect("entries");
        assert_eq!(entries.keys().collect::<Vec<_>>(), ["a.md"]);
        assert_eq!(inside.read(entries["a.md"], 100).as_deref(), Some(&b"one"[..]));
        assert_eq!(inside.read(entries["a.md"], 2), None);
        let error = commits.find("nowhere").expect_err("no commit").to_string();
        assert!(error.starts_with("nowhere does not name a commit: "), "{error}");
    }

    #[test]
    fn merges_tree_entries() {
        let entry = |text: &str| TreeEntry {
            kind: EntryKind::Blob,
            id: ObjectId::from_hex(text.repeat(40).as_bytes()).expect("an id"),
        };
        let entries = |list: &[(&str, &str)]| -> TreeEntries {
            list.iter().map(|(path, id)| ((*path).to_owned(), entry(id))).collect()
        };
        let base = entries(&[
            ("kept", "1"),
            ("ours", "1"),
            ("theirs", "1"),
            ("moved", "2"),
            ("gone", "1"),
            ("left", "1"),
            ("both", "1"),
            ("clash", "1"),
        ]);
        let ours = entries(&[
            ("kept", "1"),
            ("ours", "3"),
            ("theirs", "1"),
            ("new/moved", "2"),
            ("added", "4"),
            ("left", "1"),
            ("both", "2"),
            ("clash", "8"),
        ]);
        let theirs = entries(&[
            ("kept", "1"),
            ("ours", "1"),
            ("theirs", "5"),
            ("moved", "6"),
            ("gone", "1"),
            ("more", "7"),
            ("both", "3"),
            ("clash", "9"),
        ]);
        let expect = entries(&[
            ("kept", "1"),
            ("ours", "3"),
            ("theirs", "5"),
            ("new/moved", "6"),
            ("added", "4"),
            ("more", "7"),
            ("both", "9"),
            ("clash", "8"),
        ]);
        let blend = |_, own: TreeEntry, _| (own == entry("2")).then(|| entry("9"));
        let moved = |path: &str| (path == "moved").then(|| "new/moved".to_owned());
        assert_eq!(merge_entries(&base, &ours, &theirs, moved, blend), expect);
    }

    #[test]
    fn merges_lines() {
        let check = |base: &str, ours: &str, theirs: &str, expect: &str| {
            let merged = merge_lines(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            assert_eq!(String::from_utf8_lossy(&merged), expect, "{base:?} {ours:?} {theirs:?}");
        };
        check("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n");
        check("a\nb\nc\n", "A\nb\nc\n", "x\nb\nc\nd", "A\nb\nc\nd");
        check("a\r\n", "a\r\n", "", "");
        check("", "a\n", "a\n", "a\n");
        // Both insert at one place; both change neighbouring lines; one deletes what the other changes.
        check("a\nb\n", "a\nx\nb\n", "a\ny\nb\n", "a\nx\nb\n");
        check("a\nb\nc\n", "a\nB\nc\n", "A\nb\nc\n", "a\nB\nc\n");
        check("a\nb\nc\nd\n", "a\nc\nd\n", "a\nB\nc\nD\n", "a\nc\nD\n");
        check("", "", "a\nb", "a\nb");
        check("a", "", "a\n", "");
    }
}
