//! `Renames`: where history leads from a path that is gone.
//!
//! Every commit says which paths it took away, and where to. What a path was called when somebody wrote it
//! down is unknown, so the newest commit that took it away counts. From the place it was taken to, time goes
//! forward: the first later commit that took *that* path away, and so on. Each step is newer than the one
//! before, so that circles and names used again need no care of their own.

use std::sync::OnceLock;

use super::directories::{moved, split};
use super::moves::{By, CommitMoves, DirectoryMove, Move};
use super::paths::Paths;
use crate::path::RelPath;

/// What became of a path that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathHistory {
    /// History leads to another path. Whether that exists is for the caller to probe.
    Moved {
        /// The path at the newest commit.
        to: RelPath,
        /// The commit that gave it this path, in hexadecimal digits.
        commit: String,
        /// When that was, in seconds since 1970.
        seconds: i64,
        /// How it is known; `Directory` if any step on the way is.
        by: By,
        /// The last directory on the way of which it is known that it moved; `None` if git saw each of the file's own moves.
        directory: Option<DirectoryRename>,
    },
    /// It was deleted.
    Deleted {
        /// The commit that deleted it, in hexadecimal digits.
        commit: String,
        /// When that was, in seconds since 1970.
        seconds: i64,
        /// `Directory` if it is only known that all around it was deleted, or for the directory itself.
        by: By,
    },
}

/// A directory whose files went elsewhere in one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryRename {
    /// Before the commit; empty is the root.
    pub from: RelPath,
    /// After it; empty is the root.
    pub to: RelPath,
    /// Whether nothing stayed where it was.
    pub whole: bool,
    /// The commit's id in hexadecimal digits.
    pub commit: String,
    /// When that was, in seconds since 1970.
    pub seconds: i64,
}

/// All moves and deletions of a history. Immutable.
#[derive(Debug, Default)]
pub struct Renames {
    paths: Paths,
    /// Those that moved or deleted anything, oldest first.
    commits: Vec<Commit>,
    /// Sorted by (from, commit).
    files: Vec<Event>,
    /// The same for directories.
    directories: Vec<Event>,
    /// Positions among `files`, sorted by (to, commit). Made when somebody first asks where something came from.
    arrivals: OnceLock<Vec<u32>>,
}

#[derive(Debug)]
struct Commit {
    id: Box<str>,
    seconds: i64,
}

/// One path that one commit took away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    from: u32,
    /// Position among the commits; larger is newer.
    commit: u32,
    /// A path's number in the lower 31 bits ([`GONE`] if deleted); the top bit is [`FLAG`].
    to: u32,
}

/// For files: known by the directory only. For directories: something stayed.
const FLAG: u32 = 1 << 31;
/// No path has this number: it would take more memory than the machine has.
const GONE: u32 = FLAG - 1;

/// Earlier paths of one file at most: a file that moved more often is one that nobody remembers by its first.
const ORIGINS_MAX: usize = 4;

/// So many moves of directories are tried: more than any directory of the repositories we measured had.
const WAYS_MAX: usize = 32;

impl Event {
    fn new(from: u32, commit: u32, to: Option<u32>, flag: bool) -> Self {
        Self { from, commit, to: to.unwrap_or(GONE).min(GONE) | if flag { FLAG } else { 0 } }
    }

    fn to(self) -> Option<u32> {
        Some(self.to & !FLAG).filter(|&to| to != GONE)
    }

    fn flag(self) -> bool {
        self.to & FLAG != 0
    }
}

/// Where the way from a path has led so far.
struct Step {
    commit: u32,
    by: By,
    /// `None` when it was deleted.
    to: Option<RelPath>,
    /// The last directory that led here; see [`PathHistory::Moved`].
    directory: Option<DirectoryRename>,
}

impl Renames {
    /// What these commits say, newest first.
    pub fn new(commits: &[CommitMoves]) -> Self {
        let commits: Vec<&CommitMoves> = commits.iter().rev().filter(|commit| !commit.is_empty()).collect();
        let all = commits.iter().flat_map(|commit| {
            let files = commit.moves.iter().flat_map(|it| [&it.from, &it.to]).chain(&commit.deletions);
            let directories = commit.directories.iter().flat_map(|it| std::iter::once(&it.from).chain(&it.to));
            files.chain(directories).map(RelPath::as_bytes)
        });
        let paths = Paths::new(all);
        let number = |path: &RelPath| paths.find(path.as_bytes()).unwrap_or(GONE);
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        for (at, commit) in (0..).zip(&commits) {
            let moves = commit.moves.iter();
            files
                .extend(moves.map(|it| Event::new(number(&it.from), at, Some(number(&it.to)), it.by == By::Directory)));
            files.extend(commit.deletions.iter().map(|path| Event::new(number(path), at, None, false)));
            let moves = commit.directories.iter();
            directories.extend(moves.map(|it| Event::new(number(&it.from), at, it.to.as_ref().map(number), !it.whole)));
        }
        files.sort_unstable();
        files.shrink_to_fit();
        directories.sort_unstable();
        directories.shrink_to_fit();
        let commits = commits.iter().map(|it| Commit { id: it.id.as_str().into(), seconds: it.seconds }).collect();
        Self { paths, commits, files, directories, arrivals: OnceLock::new() }
    }

    /// The same with commits before and after those that are known; both newest first.
    #[must_use]
    pub fn extended(&self, newer: Vec<CommitMoves>, older: Vec<CommitMoves>) -> Self {
        let mut commits = newer;
        commits.extend(self.commits());
        commits.extend(older);
        Self::new(&commits)
    }

    /// The commits that say something, newest first: what [`Renames::new`] takes.
    pub fn commits(&self) -> Vec<CommitMoves> {
        let named = |it: &Commit| CommitMoves { id: it.id.to_string(), seconds: it.seconds, ..CommitMoves::default() };
        let mut commits: Vec<CommitMoves> = self.commits.iter().map(named).collect();
        for event in &self.files {
            let Some(commit) = commits.get_mut(event.commit as usize) else { continue };
            let from = self.paths.get(event.from);
            let by = if event.flag() { By::Directory } else { By::File };
            match event.to() {
                Some(to) => commit.moves.push(Move { from, to: self.paths.get(to), by }),
                None => commit.deletions.push(from),
            }
        }
        for event in &self.directories {
            let Some(commit) = commits.get_mut(event.commit as usize) else { continue };
            let to = event.to().map(|to| self.paths.get(to));
            commit.directories.push(DirectoryMove { from: self.paths.get(event.from), to, whole: !event.flag() });
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

    /// What became of a path, if history took it away: of a file, a directory, or a name below a directory
    /// that went. `there` tells what exists now.
    ///
    /// A file's own events are followed whatever exists. Directories only lead to where something is missing:
    /// of several ways the first that ends at something that is there counts, else the first. `None` for what
    /// is there itself.
    pub fn fate(&self, path: &RelPath, there: impl Fn(&RelPath) -> bool) -> Option<PathHistory> {
        if path.as_bytes().is_empty() || there(path) {
            return None;
        }
        let (numbers, known) = self.paths.along(path.as_bytes());
        if known && let Some(event) = of(&self.files, *numbers.last()?).last() {
            return self.told(path, self.follow(self.file(*event), &there));
        }
        // A directory's moves are noted on all levels, so the nearest one that ever went knows best.
        let events = numbers.iter().rev().flat_map(|&directory| of(&self.directories, directory).iter().rev());
        let mut ways = events.take(WAYS_MAX).map(|event| self.follow(self.directory(*event, path.as_bytes()), &there));
        let first = ways.next()?;
        let ends_there = |step: &Step| step.to.as_ref().is_some_and(&there);
        let best = if ends_there(&first) { first } else { ways.find(ends_there).unwrap_or(first) };
        self.told(path, best)
    }

    /// The paths that a file had before it came to this one, the newest first.
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
        while let Some(to) = number.filter(|_| origins.len() < ORIGINS_MAX) {
            // The last one that came here before it went on.
            let end = arrivals.partition_point(|at| (event(at).to(), event(at).commit) < (Some(to), before));
            let last = end.checked_sub(1).map(|at| event(&arrivals[at])).filter(|last| last.to() == Some(to));
            number = last.map(|last| last.from);
            before = last.map_or(0, |last| last.commit);
            origins.extend(number.map(|number| self.paths.get(number)));
        }
        origins
    }

    /// Whether a commit moved or deleted anything at this path or below it.
    pub fn touched(&self, path: &RelPath) -> bool {
        self.paths.find(path.as_bytes()).is_some()
    }

    /// When the newest commit was made that moved or deleted anything, in seconds since 1970.
    pub fn newest(&self) -> Option<i64> {
        self.commits.last().map(|commit| commit.seconds)
    }

    /// How many moves and deletions of files are known.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether nothing is known.
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
            + events * size_of::<Event>()
            + arrivals
    }

    /// Goes on from a step as far as history leads.
    fn follow(&self, mut step: Step, there: impl Fn(&RelPath) -> bool) -> Step {
        while let Some(at) = &step.to
            && let Some(next) = self.next(at, step.commit, &there)
        {
            step = Step { by: step.by.max(next.by), directory: next.directory.or(step.directory), ..next };
        }
        step
    }

    /// A step as an answer; `None` if it leads back.
    fn told(&self, path: &RelPath, step: Step) -> Option<PathHistory> {
        let commit = self.commits.get(step.commit as usize)?;
        let (id, seconds, by) = (commit.id.to_string(), commit.seconds, step.by);
        match step.to {
            Some(to) if to == *path => None,
            Some(to) => Some(PathHistory::Moved { to, commit: id, seconds, by, directory: step.directory }),
            None => Some(PathHistory::Deleted { commit: id, seconds, by }),
        }
    }

    /// The first event after a commit that took this path away.
    ///
    /// A file's own events count before those of its directories: git reports every tracked file. Without one,
    /// directories lead on if the file is not there: in one line of commits that cannot happen, but where
    /// branches met, a merge may have taken it along. They count only if they went as a whole, for what moved
    /// in part says nothing about the rest.
    fn next(&self, path: &RelPath, after: u32, there: impl Fn(&RelPath) -> bool) -> Option<Step> {
        let (numbers, known) = self.paths.along(path.as_bytes());
        if known && let Some(event) = later(of(&self.files, *numbers.last()?), after).first() {
            return Some(self.file(*event));
        }
        if there(path) {
            return None;
        }
        let whole = numbers
            .iter()
            .rev()
            .filter_map(|&directory| later(of(&self.directories, directory), after).iter().find(|event| !event.flag()));
        // The nearest directory of those that went in the first commit.
        let event = whole.min_by_key(|event| event.commit)?;
        Some(self.directory(*event, path.as_bytes()))
    }

    fn file(&self, event: Event) -> Step {
        let by = if event.flag() { By::Directory } else { By::File };
        let to = event.to().map(|to| self.paths.get(to));
        let directory = to.as_ref().filter(|_| event.flag()).and_then(|to| self.led_by(event, to));
        Step { commit: event.commit, by, to, directory }
    }

    fn directory(&self, event: Event, path: &[u8]) -> Step {
        let from = self.paths.get(event.from);
        let target = event.to().map(|to| self.paths.get(to));
        let to = target.as_ref().map(|target| moved(path, from.as_bytes(), target.as_bytes()));
        let directory = target.and_then(|target| self.rename_of(event.commit, from, target, !event.flag()));
        Step { commit: event.commit, by: By::Directory, to, directory }
    }

    /// The directory that a file is known to have gone with: what differs of the two paths.
    fn led_by(&self, event: Event, to: &RelPath) -> Option<DirectoryRename> {
        let from = self.paths.get(event.from);
        let (from, to) = apart(from.as_bytes(), to.as_bytes());
        let moves = self.paths.find(from).map_or(&[][..], |number| of(&self.directories, number));
        let whole = moves.iter().any(|it| it.commit == event.commit && !it.flag());
        self.rename_of(event.commit, RelPath::new(from), RelPath::new(to), whole)
    }

    fn rename_of(&self, commit: u32, from: RelPath, to: RelPath, whole: bool) -> Option<DirectoryRename> {
        let Commit { id, seconds } = self.commits.get(commit as usize)?;
        Some(DirectoryRename { from, to, whole, commit: id.to_string(), seconds: *seconds })
    }
}

/// The directories in which two paths differ: both without the names that they end in alike.
fn apart<'p>(from: &'p [u8], to: &'p [u8]) -> (&'p [u8], &'p [u8]) {
    let (mut from, mut to) = (from, to);
    while let (Some((above_from, name_from)), Some((above_to, name_to))) = (split(from), split(to)) {
        if name_from != name_to {
            break;
        }
        (from, to) = (above_from, above_to);
    }
    (from, to)
}

/// The events of one path, oldest first.
fn of(events: &[Event], from: u32) -> &[Event] {
    let start = events.partition_point(|event| event.from < from);
    let count = events[start..].partition_point(|event| event.from == from);
    &events[start..start + count]
}

/// Those of one path's events that are newer than a commit.
fn later(events: &[Event], after: u32) -> &[Event] {
    &events[events.partition_point(|event| event.commit <= after)..]
}
