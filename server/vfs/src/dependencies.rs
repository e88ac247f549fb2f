//! `DependencyLog`: records what a run learns from the disk. `Dependencies` is its stored form, with which a later run proves
//! that the disk would give the same answers. Called by `check`, which keeps the result of a run with them.
//!
//! Each answer has a digest, and a stamp where times prove that nothing changed. An equal stamp saves asking again; without
//! one, the same question is asked, and the digests of the answers are compared. The stamp is taken before the answer is
//! read, so that a later change gives another stamp.

mod stored;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::probe::ABSENT_NUMBER;
use super::stamp::UNSURE;
use stored::path_of;
pub use stored::{Dependencies, Validity};

/// A kind of question to the disk. The path beside it is relative to the root, unless another base is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Query {
    /// The contents of a file of at most so many bytes.
    Contents {
        /// Limit of the question; larger files have no answer.
        max_bytes: u64,
    },
    /// The names in a directory.
    Names,
    /// Kind, size and time of an entry.
    Details,
    /// The kind of an entry, if there is one.
    Presence,
    /// True if ignore rules cover a path.
    Ignored,
    /// True if a sparse checkout leaves a path out.
    LeftOut,
    /// The ignore files in a directory (absolute).
    Rules,
    /// Git's private ignore file. The path is empty.
    Exclude,
    /// The files that git tracks. The path is empty.
    Tracked,
}

/// An answer of the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Observed {
    /// Stamp of the asked entry; `UNSURE` if times prove nothing about the answer.
    pub(crate) stamp: u64,
    /// Digest of the answer.
    pub(crate) digest: u128,
}

/// The answer that nothing is at a path.
pub(crate) const ABSENT: Observed = Observed { stamp: UNSURE, digest: ABSENT_NUMBER };

/// A question with its path, and the answer.
pub(crate) type Entry = ((Query, Vec<u8>), Observed);

/// Names that directories lack, by directory. Such answers are by far the most where includes of C are looked up: a name in each of
/// many directories.
pub(crate) type AbsentNames = FxHashMap<Box<[u8]>, FxHashSet<Box<[u8]>>>;

/// Answers of the disk, each question once.
#[derive(Debug)]
pub struct DependencyLog {
    start: SystemTime,
    answers: Mutex<FxHashMap<(Query, Vec<u8>), Observed>>,
    absent: Mutex<AbsentNames>,
    is_unusable: AtomicBool,
}

impl Default for DependencyLog {
    fn default() -> Self {
        Self::from_start(SystemTime::now())
    }
}

impl DependencyLog {
    /// Creates an empty log that begins at this time.
    pub(crate) fn from_start(start: SystemTime) -> Self {
        Self { start, answers: Mutex::default(), absent: Mutex::default(), is_unusable: AtomicBool::new(false) }
    }

    /// Returns the time at which the log began. Entries that changed just before it, or later, have no stamp.
    pub(crate) fn start(&self) -> SystemTime {
        self.start
    }

    /// Records an answer. Two different answers to one question make the log unusable: the disk changed meanwhile.
    pub(crate) fn record(&self, query: Query, path: &[u8], observed: Observed) {
        let mut answers = self.answers.lock();
        let known = *answers.entry((query, path.to_vec())).or_insert(observed);
        if known.digest != observed.digest {
            drop(answers);
            self.reject();
        }
    }

    /// Records that a directory lacks a name, as its other names told.
    pub(crate) fn record_absent(&self, directory: &[u8], name: &[u8]) {
        // The stored form separates paths by it.
        if name.contains(&0) {
            return self.record(Query::Presence, &path_of(directory, name), ABSENT);
        }
        let mut absent = self.absent.lock();
        if let Some(names) = absent.get_mut(directory) {
            if !names.contains(name) {
                names.insert(name.into());
            }
        } else {
            absent.insert(directory.into(), FxHashSet::from_iter([name.into()]));
        }
    }

    /// Makes the log unusable, because something was read that it does not record.
    pub(crate) fn reject(&self) {
        self.is_unusable.store(true, Ordering::Relaxed);
    }

    /// Returns the answer to a question, if it was asked.
    pub(crate) fn get(&self, query: Query, path: &[u8]) -> Option<Observed> {
        let known = self.answers.lock().get(&(query, path.to_vec())).copied();
        let is_absent = || query == Query::Presence && contains(&self.absent.lock(), path);
        known.or_else(|| is_absent().then_some(ABSENT))
    }

    /// Returns all answers as [`Self::entries`] does, with the names that directories lack beside them, and ends the log: it is
    /// unusable from now on.
    pub(crate) fn take_entries(&self) -> Option<(Vec<Entry>, AbsentNames)> {
        if self.is_unusable.swap(true, Ordering::Relaxed) {
            return None;
        }
        let mut all: Vec<Entry> = std::mem::take(&mut *self.answers.lock()).into_iter().collect();
        let absent = std::mem::take(&mut *self.absent.lock());
        // Two different answers to one question, as in `record`.
        let is_other = |((query, path), observed): &Entry| {
            *query == Query::Presence && observed.digest != ABSENT.digest && contains(&absent, path)
        };
        if all.iter().any(is_other) {
            return None;
        }
        all.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Some((all, absent))
    }

    /// Returns all answers but the names that directories lack, in the order of their questions; `None` if the log is unusable.
    pub(crate) fn entries(&self) -> Option<Vec<Entry>> {
        if self.is_unusable.load(Ordering::Relaxed) {
            return None;
        }
        let mut all: Vec<Entry> = self.answers.lock().iter().map(|(key, seen)| (key.clone(), *seen)).collect();
        all.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Some(all)
    }
}

/// Returns whether these are the names of a path that a directory lacks.
fn contains(absent: &AbsentNames, path: &[u8]) -> bool {
    let end = path.iter().rposition(|byte| *byte == b'/');
    let (directory, name) = end.map_or((&path[..0], path), |end| (&path[..end], &path[end + 1..]));
    absent.get(directory).is_some_and(|names| names.contains(name))
}

/// Returns one stamp for several; `UNSURE` if one of them is.
pub(crate) fn combine_stamps(stamps: &[u64]) -> u64 {
    if stamps.contains(&UNSURE) {
        return UNSURE;
    }
    let bytes: Vec<u8> = stamps.iter().flat_map(|stamp| stamp.to_le_bytes()).collect();
    // The lowest bit keeps it apart from `UNSURE`.
    xxhash_rust::xxh3::xxh3_64(&bytes) | 1
}
