//! `Dependencies`: what a run learned from the disk, compact and in a form that is quickly compared with the disk.
//!
//! Most answers of a run are of two kinds. Contents of listed files are compared by one stat call each, relative to the open
//! root. Missing paths, whatever was asked about them, are grouped by the listed directory in which their first segment is
//! missing: while its times are equal, nothing was created there. Nothing is kept about paths of which the listing itself
//! says what they are.

use std::path::Path;
use std::time::SystemTime;

use pathfinder_core::index::Snapshot;
use pathfinder_core::{Kind, Presence, Probe as _, RelPath};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::super::cache_file::digest;
use super::super::probe::{ABSENT_NUMBER, DiskProbe, NO_CONTENTS, presence_number};
use super::super::stamp::{DirStat, UNSURE, is_unchanged};
use super::super::{bytes, ignores, tracked};
use super::{ABSENT, AbsentNames, DependencyLog, Entry, Observed, Query};

/// The answers of the disk to a run over one root.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Dependencies {
    /// Contents of listed files, and names in listed directories. No link leads to them.
    listed: Vec<Entry>,
    /// Missing paths by the directory that lacks their first segment.
    missing: Vec<MissingPaths>,
    /// Everything else.
    others: Vec<Entry>,
}

/// Paths that are missing because one listed directory lacks their first segments.
#[derive(Debug, Serialize, Deserialize)]
struct MissingPaths {
    directory: Vec<u8>,
    stamp: u64,
    /// The paths below the directory, with a NUL between two of them. They are only needed if the directory changed.
    #[serde(with = "serde_bytes")]
    paths: Vec<u8>,
}

/// Answers that something is missing, of which one listed directory lacks the first segments.
#[derive(Default)]
struct Missing<'a> {
    /// Names that the directory lacks.
    names: Vec<&'a [u8]>,
    /// Answers about paths below it.
    entries: Vec<&'a Entry>,
}

impl Missing<'_> {
    /// Removes the answers about what the directory has in spite of them, and returns these; all, if its names are not known.
    fn remove_existing(&mut self, directory: &[u8], names: Option<&FxHashSet<Vec<u8>>>) -> Vec<Entry> {
        let has = |below: &[u8]| names.is_none_or(|names| names.contains(first_segment(below)));
        let has_name = self.names.extract_if(.., |name| has(name));
        let mut left: Vec<Entry> = has_name.map(|name| ((Query::Presence, path_of(directory, name)), ABSENT)).collect();
        left.extend(self.entries.extract_if(.., |((_, path), _)| has(below(directory, path))).cloned());
        left
    }

    /// The paths below the directory, with a NUL between two of them.
    fn paths_below(&self, directory: &[u8]) -> Vec<u8> {
        // Several questions can be about one path.
        let mut paths: Vec<&[u8]> = self.entries.iter().map(|((_, path), _)| below(directory, path)).collect();
        paths.sort_unstable();
        paths.dedup();
        paths.extend(&self.names);
        paths.join(&0)
    }
}

/// The result of comparing dependencies with the disk.
#[derive(Debug)]
pub enum Validity {
    /// The disk gives the same answers, and stamps prove it.
    Same,
    /// The disk gives the same answers, but questions had to be asked again. The new dependencies have newer stamps.
    Refreshed(Dependencies),
    /// An answer differs.
    Different,
}

impl Dependencies {
    /// Takes what the probe's log has recorded. `snapshot` is the listing of the root (canonical) with which the run
    /// worked: the dependencies are only valid together with an equal one. `None` if the log is unusable, as it is afterwards.
    pub fn from_log(probe: &DiskProbe, snapshot: &Snapshot, root: &Path) -> Option<Self> {
        let log = probe.log()?;
        let (all, absent) = log.take_entries()?;
        Some(Self::new(&all, &absent, snapshot, root, log.start()))
    }

    /// Sorts answers. All of them are newer than `start`.
    fn new(all: &[Entry], absent: &AbsentNames, snapshot: &Snapshot, root: &Path, start: SystemTime) -> Self {
        let mut dependencies = Self::default();
        let dir_stat = DirStat::new(root);
        let by_directory = absent.iter().map(|(directory, names)| {
            (&**directory, Missing { names: names.iter().map(|name| &**name).collect(), entries: Vec::new() })
        });
        let mut missing: FxHashMap<&[u8], Missing<'_>> = by_directory.collect();
        for entry in all {
            let ((query, path), observed) = entry;
            let directory = is_missing(*query, observed).then(|| deepest_directory(snapshot, path)).flatten();
            match directory {
                Some(directory) => missing.entry(directory).or_default().entries.push(entry),
                None => dependencies.add(entry.clone(), snapshot),
            }
        }
        // Names are read before the stamp of their directory, which is only used if it changed before the run.
        let groups: Vec<(Option<MissingPaths>, Vec<Entry>)> = missing
            .into_par_iter()
            .map(|(directory, mut missing)| {
                let left = missing.remove_existing(directory, read_names(root, directory).as_ref());
                let stamp = sure(dir_stat.stamp(directory, start));
                let paths = missing.paths_below(directory);
                let group = MissingPaths { directory: directory.to_vec(), stamp, paths };
                (Some(group).filter(|group| !group.paths.is_empty()), left)
            })
            .collect();
        for (group, left) in groups {
            dependencies.missing.extend(group);
            for entry in left {
                dependencies.add(entry, snapshot);
            }
        }
        dependencies.missing.sort_unstable_by(|one, other| one.directory.cmp(&other.directory));
        dependencies.others.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        // A file is read with several limits: its answers are beside each other.
        dependencies.listed.sort_by(|((_, one), _), ((_, other), _)| one.cmp(other));
        dependencies
    }

    /// Adds an answer about a path that is not missing below a listed directory.
    fn add(&mut self, entry: Entry, snapshot: &Snapshot) {
        let ((query, path), observed) = &entry;
        match (query, snapshot.get(path)) {
            (Query::Presence, Some(kind @ (Kind::File | Kind::Directory)))
                if observed.digest == presence_number(Presence::Present(kind)) => {}
            (Query::Contents { .. }, Some(Kind::File)) | (Query::Names, Some(Kind::Directory)) => {
                self.listed.push(entry);
            }
            _ => self.others.push(entry),
        }
    }

    /// Compares with the disk. `snapshot` is the present listing of the root (canonical), equal to that of the run. The
    /// probe must not have answered anything yet.
    pub fn compare(&self, probe: &DiskProbe, snapshot: &Snapshot, root: &Path) -> Validity {
        let log = &*probe.start_log();
        let (dir_stat, start) = (DirStat::new(root), log.start());
        let is_stale = |group: &&MissingPaths| !is_unchanged(group.stamp, dir_stat.stamp(&group.directory, start));
        let questions = Questions { probe, root, log };
        let same_path = |((_, one), _): &Entry, ((_, other), _): &Entry| one == other;
        let listed = self.listed.par_chunk_by(same_path);
        let listed = listed.flat_map_iter(|answers| {
            let now = dir_stat.stamp(&answers[0].0.1, start);
            answers.iter().filter(move |(_, known)| !is_unchanged(known.stamp, now))
        });
        let listed: Vec<&Entry> = listed.collect();
        let missing: Vec<&MissingPaths> = self.missing.par_iter().filter(is_stale).collect();
        // Each part returns whether a stamp is newer, so that keeping it saves the next run the questions.
        let again = |((query, path), known): &Entry| {
            let now = questions.ask(*query, path).filter(|now| now.digest == known.digest)?;
            Some(now.stamp != UNSURE && now.stamp != known.stamp)
        };
        let is_missing =
            |path: Vec<u8>| questions.ask(Query::Presence, &path).is_some_and(|now| now.digest == ABSENT_NUMBER);
        let again_missing = |group: &&MissingPaths| {
            let all =
                group.paths.par_split(|&byte| byte == 0).all(|below| is_missing(path_of(&group.directory, below)));
            all.then(|| sure(dir_stat.stamp(&group.directory, start)) != UNSURE)
        };
        let is_proven = |((query, path), known): &Entry| is_unchanged(known.stamp, questions.stamp(*query, path));
        let other = |entry: &Entry| if is_proven(entry) { Some(false) } else { again(entry) };
        let newer = [
            listed.into_par_iter().map(again).try_reduce(|| false, |one, other| Some(one || other)),
            self.others.par_iter().map(other).try_reduce(|| false, |one, other| Some(one || other)),
            missing.par_iter().map(again_missing).try_reduce(|| false, |one, other| Some(one || other)),
        ];
        if newer.contains(&None) {
            return Validity::Different;
        }
        if !newer.contains(&Some(true)) {
            return Validity::Same;
        }
        log.entries().map_or(Validity::Different, |asked| {
            Validity::Refreshed(Self::new(&self.merge(asked), &AbsentNames::default(), snapshot, root, start))
        })
    }

    /// Returns all answers, those that were asked again with their new stamps.
    fn merge(&self, asked: Vec<Entry>) -> Vec<Entry> {
        let missing = self.missing.iter().flat_map(|group| {
            let paths = group.paths.split(|&byte| byte == 0);
            paths.map(|below| ((Query::Presence, path_of(&group.directory, below)), ABSENT))
        });
        let mut all: FxHashMap<(Query, Vec<u8>), Observed> =
            self.listed.iter().chain(&self.others).cloned().chain(missing).collect();
        all.extend(asked);
        let mut all: Vec<Entry> = all.into_iter().collect();
        all.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        all
    }
}

/// Returns whether a path for which this is the answer may be missing. Every missing path has this answer.
fn is_missing(query: Query, observed: &Observed) -> bool {
    match query {
        Query::Presence => observed.digest == ABSENT_NUMBER,
        Query::Contents { .. } => observed.digest == NO_CONTENTS,
        Query::Names => observed.digest == digest(b""),
        _ => false,
    }
}

/// Asks the questions of a log again.
struct Questions<'a> {
    probe: &'a DiskProbe,
    root: &'a Path,
    log: &'a DependencyLog,
}

impl Questions<'_> {
    /// Returns the present stamp of a question that times can answer; [`UNSURE`] for all others.
    fn stamp(&self, query: Query, path: &[u8]) -> u64 {
        let stamp = match query {
            Query::Contents { .. } | Query::Names => self.probe.target_stamp(0, &RelPath::new(path)),
            Query::Rules => {
                bytes::to_path(path).and_then(|path| ignores::stamp_rules(path, self.log)).unwrap_or(UNSURE)
            }
            Query::Tracked => tracked::stamp_index(self.root, self.log),
            _ => UNSURE,
        };
        sure(stamp)
    }

    /// Returns the present answer. The log gets it.
    fn ask(&self, query: Query, path: &[u8]) -> Option<Observed> {
        let relative = || RelPath::new(path);
        match query {
            Query::Contents { max_bytes } => _ = self.probe.whole(0, &relative(), max_bytes),
            Query::Names => _ = self.probe.names(0, &relative()),
            Query::Details => _ = self.probe.stat(0, &relative()),
            Query::Presence => _ = self.probe.presence(0, path),
            Query::Ignored => _ = self.probe.is_ignored(0, path),
            Query::LeftOut => _ = self.probe.is_left_out(0, path),
            Query::Rules => {
                ignores::observe_rules(bytes::to_path(path)?, self.log);
            }
            Query::Exclude => ignores::observe_exclude(self.root, self.log),
            Query::Tracked => _ = tracked::read_tracked_files(self.root, Some(self.log)),
        }
        self.log.get(query, path)
    }
}

/// Returns the names in a directory below the root; `None` if it cannot be read.
fn read_names(root: &Path, directory: &[u8]) -> Option<FxHashSet<Vec<u8>>> {
    let entries = root.join(bytes::to_path(directory)?).read_dir().ok()?;
    entries.map(|entry| Some(bytes::from_os_str(&entry.ok()?.file_name()).into_owned())).collect()
}

/// Returns the part of a path below a directory above it.
fn below<'p>(directory: &[u8], path: &'p [u8]) -> &'p [u8] {
    if directory.is_empty() { path } else { &path[directory.len() + 1..] }
}

/// Returns the path of something below a directory.
pub(super) fn path_of(directory: &[u8], below: &[u8]) -> Vec<u8> {
    if directory.is_empty() { below.to_vec() } else { [directory, b"/", below].concat() }
}

/// Returns the first segment of a path.
fn first_segment(path: &[u8]) -> &[u8] {
    path.split(|&byte| byte == b'/').next().unwrap_or(path)
}

/// Returns the deepest listed directory above a path; `None` if links or special segments decide where the path leads.
fn deepest_directory<'p>(snapshot: &Snapshot, path: &'p [u8]) -> Option<&'p [u8]> {
    RelPath::plain(path).filter(|path| !path.as_bytes().is_empty())?;
    let depth = snapshot.depth(path);
    let end = depth.checked_sub(1).map_or(Some(0), |last| {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        ends.chain([path.len()]).nth(last)
    })?;
    let directory = &path[..end];
    let is_directory = |directory: &[u8]| directory.is_empty() || snapshot.get(directory) == Some(Kind::Directory);
    (end < path.len() && is_directory(directory)).then_some(directory)
}

/// Returns a stamp where times prove that nothing changed. Without change times a program can hide a change.
fn sure(stamp: u64) -> u64 {
    if cfg!(unix) { stamp } else { UNSURE }
}
