//! `Renames`: the index of all moves and deletions of a history, and the search in it.
//!
//! Each commit lists the paths that it removed, and their targets. The date at which a missing path was written down is
//! unknown, so the newest commit that removed it counts. From its target the search goes forward in time: the first later
//! commit that removed *that* path, and so on. Each step is newer than the one before, so circles and reused names need no
//! special handling.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::directories::{replace_directory, split_last};
use super::moves::{CommitMoves, DirectoryMove, Move, MoveEvidence};
use super::paths::Paths;
use crate::path::RelPath;

/// The end of a missing path's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathHistory {
    /// The path moved. The caller has to probe whether the target exists.
    Moved {
        /// The path at the newest commit.
        to: RelPath,
        /// The commit that gave it this path, in hexadecimal digits.
        commit: String,
        /// The date of that commit, in seconds since 1970.
        seconds: i64,
        /// The evidence; `Directory` if any step has only that.
        by: MoveEvidence,
        /// The last directory move among the steps; `None` if git found each of the file's own moves.
        directory: Option<DirectoryRename>,
    },
    /// It was deleted.
    Deleted {
        /// The commit that deleted it, in hexadecimal digits.
        commit: String,
        /// The date of that commit, in seconds since 1970.
        seconds: i64,
        /// `Directory` for a directory, or if only the deletion of the files around it is known.
        by: MoveEvidence,
    },
}

/// A directory whose files moved in one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryRename {
    /// Its path before the commit; empty is the root.
    pub from: RelPath,
    /// Its path after it; empty is the root.
    pub to: RelPath,
    /// True if no file stayed.
    pub whole: bool,
    /// The commit's id in hexadecimal digits.
    pub commit: String,
    /// The date of that commit, in seconds since 1970.
    pub seconds: i64,
}

/// All moves and deletions of a history. Immutable.
#[derive(Debug, Default)]
pub struct Renames {
    paths: Paths,
    /// Commits that moved or deleted anything, oldest first.
    commits: Vec<Commit>,
    /// Events of files, sorted by (from, commit).
    files: Vec<PathEvent>,
    /// Events of directories, sorted by (from, commit).
    directories: Vec<PathEvent>,
    /// Positions among `files`, sorted by (to, commit). Built by the first call of [`Renames::origins`].
    arrivals: OnceLock<Vec<u32>>,
}

#[derive(Debug)]
struct Commit {
    id: Box<str>,
    seconds: i64,
}

/// A path that a commit moved or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PathEvent {
    from: u32,
    /// Position among the commits; larger is newer.
    commit: u32,
    /// A path's number in the lower 31 bits ([`DELETED`] if deleted); the top bit is [`FLAG`].
    to: u32,
}

/// The flag of an event. For files: only the directory's move is known. For directories: some files stayed.
const FLAG: u32 = 1 << 31;
/// The number of deleted paths. No path has it: so many paths would take more memory than the machine has.
const DELETED: u32 = FLAG - 1;

/// Earlier paths of one file that are listed: paths before the last four moves are hardly referred to any more.
const MAX_ORIGINS: usize = 4;

/// Moves of directories that are tried: more than any directory of the measured repositories had.
const MAX_DIRECTORY_MOVES: usize = 32;

impl PathEvent {
    fn new(from: u32, commit: u32, to: Option<u32>, flag: bool) -> Self {
        Self { from, commit, to: to.unwrap_or(DELETED).min(DELETED) | if flag { FLAG } else { 0 } }
    }

    fn to(self) -> Option<u32> {
        Some(self.to & !FLAG).filter(|&to| to != DELETED)
    }

    fn has_flag(self) -> bool {
        self.to & FLAG != 0
    }
}

/// The path reached so far when history is followed.
struct Step {
    commit: u32,
    by: MoveEvidence,
    /// `None` when it was deleted.
    to: Option<RelPath>,
    /// The last directory move that led here; see [`PathHistory::Moved`].
    directory: Option<DirectoryRename>,
}

impl Renames {
    /// Indexes commits, given newest first.
    pub fn new(commits: &[CommitMoves]) -> Self {
        let commits: Vec<&CommitMoves> = commits.iter().rev().filter(|commit| !commit.is_empty()).collect();
        let all = commits.iter().flat_map(|commit| {
            let files = commit.moves.iter().flat_map(|it| [&it.from, &it.to]).chain(&commit.deletions);
            let directories = commit.directories.iter().flat_map(|it| std::iter::once(&it.from).chain(&it.to));
            files.chain(directories).map(RelPath::as_bytes)
        });
        let paths = Paths::new(all);
        let number = |path: &RelPath| paths.find(path.as_bytes()).unwrap_or(DELETED);
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        for (at, commit) in (0..).zip(&commits) {
            let moves = commit.moves.iter();
            files.extend(moves.map(|it| {
                PathEvent::new(number(&it.from), at, Some(number(&it.to)), it.by == MoveEvidence::Directory)
            }));
            files.extend(commit.deletions.iter().map(|path| PathEvent::new(number(path), at, None, false)));
            let moves = commit.directories.iter();
            directories
                .extend(moves.map(|it| PathEvent::new(number(&it.from), at, it.to.as_ref().map(number), !it.whole)));
        }
        files.sort_unstable();
        files.shrink_to_fit();
        directories.sort_unstable();
        directories.shrink_to_fit();
        let commits = commits.iter().map(|it| Commit { id: it.id.as_str().into(), seconds: it.seconds }).collect();
        Self { paths, commits, files, directories, arrivals: OnceLock::new() }
    }

    /// A copy with newer and older commits added; both lists are newest first.
    #[must_use]
    pub fn with_commits(&self, newer: Vec<CommitMoves>, older: Vec<CommitMoves>) -> Self {
        let mut commits = newer;
        commits.extend(self.commits());
        commits.extend(older);
        Self::new(&commits)
    }

    /// The commits that moved or deleted anything, newest first, as [`Renames::new`] takes them.
    pub fn commits(&self) -> Vec<CommitMoves> {
        let named = |it: &Commit| CommitMoves { id: it.id.to_string(), seconds: it.seconds, ..CommitMoves::default() };
        let mut commits: Vec<CommitMoves> = self.commits.iter().map(named).collect();
        for event in &self.files {
            let Some(commit) = commits.get_mut(event.commit as usize) else { continue };
            let from = self.paths.get(event.from);
            let by = if event.has_flag() { MoveEvidence::Directory } else { MoveEvidence::File };
            match event.to() {
                Some(to) => commit.moves.push(Move { from, to: self.paths.get(to), by }),
                None => commit.deletions.push(from),
            }
        }
        for event in &self.directories {
            let Some(commit) = commits.get_mut(event.commit as usize) else { continue };
            let to = event.to().map(|to| self.paths.get(to));
            commit.directories.push(DirectoryMove { from: self.paths.get(event.from), to, whole: !event.has_flag() });
        }
        for commit in &mut commits {
            // Numbers of paths follow their depth; a diff's order is by name.
            commit.moves.sort_unstable();
            commit.deletions.sort_unstable();
            commit.directories.sort_unstable();
        }
        commits.reverse();
        commits
    }

    /// Follows a missing path through history: a file, a directory, or a name below a directory that moved.
    /// `exists` returns whether a path exists now. `None` if the path exists, or history does not have it.
    ///
    /// A file's own events are always followed. Otherwise the moves of its directories are tried, nearest directory
    /// first: the first one that ends at an existing path wins, else the first one.
    pub fn look_up(&self, path: &RelPath, exists: impl Fn(&RelPath) -> bool) -> Option<PathHistory> {
        if path.as_bytes().is_empty() || exists(path) {
            return None;
        }
        let (numbers, known) = self.paths.along(path.as_bytes());
        if known && let Some(event) = events_of(&self.files, *numbers.last()?).last() {
            return self.to_path_history(path, self.follow(self.file_step(*event), &exists));
        }
        // Moves are recorded for directories of all levels, so the nearest moved directory is the most specific. One that
        // moved in part says nothing about subdirectories that have no move of their own.
        let depth = path.as_bytes().split(|&byte| byte == b'/').count();
        let near = numbers.get(depth - 1..).unwrap_or_default();
        let events = numbers.iter().rev().flat_map(|&directory| events_of(&self.directories, directory).iter().rev());
        let mut steps = events
            .filter(|event| !event.has_flag() || near.contains(&event.from))
            .take(MAX_DIRECTORY_MOVES)
            .map(|event| self.follow(self.directory_step(*event, path.as_bytes()), &exists));
        let first = steps.next()?;
        let ends_at_existing = |step: &Step| step.to.as_ref().is_some_and(&exists);
        let best = if ends_at_existing(&first) { first } else { steps.find(ends_at_existing).unwrap_or(first) };
        self.to_path_history(path, best)
    }

    /// The earlier paths of a file, the newest first; at most four.
    pub fn origins(&self, path: &RelPath) -> Vec<RelPath> {
        let arrivals = self.arrivals.get_or_init(|| {
            let mut all: Vec<u32> =
                (0..).zip(&self.files).filter(|(_, it)| it.to().is_some()).map(|(at, _)| at).collect();
            all.sort_unstable_by_key(|&at| (self.files[at as usize].to(), self.files[at as usize].commit));
            all
        });
        let event = |&at: &u32| self.files[at as usize];
        let (mut origins, mut before) = (Vec::new(), u32::MAX);
        let mut number = self.paths.find(path.as_bytes());
        while let Some(to) = number.filter(|_| origins.len() < MAX_ORIGINS) {
            // The last arrival here before the file moved on.
            let end = arrivals.partition_point(|at| (event(at).to(), event(at).commit) < (Some(to), before));
            let last = end.checked_sub(1).map(|at| event(&arrivals[at])).filter(|last| last.to() == Some(to));
            number = last.map(|last| last.from);
            before = last.map_or(0, |last| last.commit);
            origins.extend(number.map(|number| self.paths.get(number)));
        }
        origins
    }

    /// The earlier paths, of those that `is_gone` keeps, of files that the newest commits at this date (seconds since 1970) or later moved, sorted. Commits are
    /// whole, and end before the one with which the paths would be more than `most`.
    pub fn moved_since(&self, seconds: i64, most: usize, is_gone: impl Fn(&RelPath) -> bool) -> Vec<RelPath> {
        let is_new = |event: &&PathEvent| {
            event.to().is_some() && self.commits.get(event.commit as usize).is_some_and(|it| it.seconds >= seconds)
        };
        let mut by_commit: BTreeMap<u32, BTreeSet<RelPath>> = BTreeMap::new();
        for event in self.files.iter().filter(is_new) {
            let path = self.paths.get(event.from);
            if is_gone(&path) {
                by_commit.entry(event.commit).or_default().insert(path);
            }
        }
        let mut paths = BTreeSet::new();
        for of_commit in by_commit.into_values().rev() {
            if paths.len() + of_commit.len() > most {
                break;
            }
            paths.extend(of_commit);
        }
        paths.into_iter().collect()
    }

    /// Returns whether a commit moved or deleted anything at this path or below it.
    pub fn has_changes_at(&self, path: &RelPath) -> bool {
        self.paths.find(path.as_bytes()).is_some()
    }

    /// The date of the newest commit that moved or deleted anything, in seconds since 1970.
    pub fn newest_commit_time(&self) -> Option<i64> {
        self.commits.last().map(|commit| commit.seconds)
    }

    /// Number of moves and deletions of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns whether the history is empty.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.directories.is_empty()
    }

    /// Memory held, in bytes.
    pub fn memory(&self) -> usize {
        let ids: usize = self.commits.iter().map(|commit| commit.id.len()).sum();
        let events = self.files.capacity() + self.directories.capacity();
        let arrivals = self.arrivals.get().map_or(0, Vec::capacity) * size_of::<u32>();
        self.paths.memory()
            + ids
            + self.commits.capacity() * size_of::<Commit>()
            + events * size_of::<PathEvent>()
            + arrivals
    }

    /// Follows history from a step to its end.
    fn follow(&self, mut step: Step, exists: impl Fn(&RelPath) -> bool) -> Step {
        while let Some(at) = &step.to
            && let Some(next) = self.next_step(at, step.commit, &exists)
        {
            step = Step { by: step.by.max(next.by), directory: next.directory.or(step.directory), ..next };
        }
        step
    }

    /// Turns the last step into an answer; `None` if it leads back to the path.
    fn to_path_history(&self, path: &RelPath, step: Step) -> Option<PathHistory> {
        let commit = self.commits.get(step.commit as usize)?;
        let (id, seconds, by) = (commit.id.to_string(), commit.seconds, step.by);
        match step.to {
            Some(to) if to == *path => None,
            Some(to) => Some(PathHistory::Moved { to, commit: id, seconds, by, directory: step.directory }),
            None => Some(PathHistory::Deleted { commit: id, seconds, by }),
        }
    }

    /// The first event after a commit that removed this path.
    ///
    /// A file's own events come before those of its directories, because git reports every tracked file. Without one,
    /// moves of directories are followed if the path does not exist: a merge may have moved it along. Only whole moves
    /// count, because a partial move says nothing about the other files.
    fn next_step(&self, path: &RelPath, after: u32, exists: impl Fn(&RelPath) -> bool) -> Option<Step> {
        let (numbers, known) = self.paths.along(path.as_bytes());
        if known && let Some(event) = events_after(events_of(&self.files, *numbers.last()?), after).first() {
            return Some(self.file_step(*event));
        }
        if exists(path) {
            return None;
        }
        let whole = numbers.iter().rev().filter_map(|&directory| {
            events_after(events_of(&self.directories, directory), after).iter().find(|event| !event.has_flag())
        });
        // The nearest of the directories that moved in the first commit.
        let event = whole.min_by_key(|event| event.commit)?;
        Some(self.directory_step(*event, path.as_bytes()))
    }

    fn file_step(&self, event: PathEvent) -> Step {
        let by = if event.has_flag() { MoveEvidence::Directory } else { MoveEvidence::File };
        let to = event.to().map(|to| self.paths.get(to));
        let directory = to.as_ref().filter(|_| event.has_flag()).and_then(|to| self.directory_of_move(event, to));
        Step { commit: event.commit, by, to, directory }
    }

    fn directory_step(&self, event: PathEvent, path: &[u8]) -> Step {
        let from = self.paths.get(event.from);
        let target = event.to().map(|to| self.paths.get(to));
        let to = target.as_ref().map(|target| replace_directory(path, from.as_bytes(), target.as_bytes()));
        let directory = target.and_then(|target| self.directory_rename(event.commit, from, target, !event.has_flag()));
        Step { commit: event.commit, by: MoveEvidence::Directory, to, directory }
    }

    /// The directory move that a file followed: the parts in which its two paths differ.
    fn directory_of_move(&self, event: PathEvent, to: &RelPath) -> Option<DirectoryRename> {
        let from = self.paths.get(event.from);
        let (from, to) = differing_directories(from.as_bytes(), to.as_bytes());
        let moves = self.paths.find(from).map_or(&[][..], |number| events_of(&self.directories, number));
        let whole = moves.iter().any(|it| it.commit == event.commit && !it.has_flag());
        self.directory_rename(event.commit, RelPath::new(from), RelPath::new(to), whole)
    }

    fn directory_rename(&self, commit: u32, from: RelPath, to: RelPath, whole: bool) -> Option<DirectoryRename> {
        let Commit { id, seconds } = self.commits.get(commit as usize)?;
        Some(DirectoryRename { from, to, whole, commit: id.to_string(), seconds: *seconds })
    }
}

/// The directories in which two paths differ: both paths without their common last names.
fn differing_directories<'p>(from: &'p [u8], to: &'p [u8]) -> (&'p [u8], &'p [u8]) {
    let (mut from, mut to) = (from, to);
    while let (Some((above_from, name_from)), Some((above_to, name_to))) = (split_last(from), split_last(to)) {
        if name_from != name_to {
            break;
        }
        (from, to) = (above_from, above_to);
    }
    (from, to)
}

/// The events of one path, oldest first.
fn events_of(events: &[PathEvent], from: u32) -> &[PathEvent] {
    let start = events.partition_point(|event| event.from < from);
    let count = events[start..].partition_point(|event| event.from == from);
    &events[start..start + count]
}

/// The events of one path that are newer than a commit.
fn events_after(events: &[PathEvent], after: u32) -> &[PathEvent] {
    &events[events.partition_point(|event| event.commit <= after)..]
}
