//! `Admission`: decides which files enter an index that has no room for all: recent files first, then those below directories
//! that were asked about, then the rest. A file makes room for one of a higher rank. Called by `contents`.

use pathfinder_content::{ContentChange, ContentIndex, FileContent};
use pathfinder_core::RelPath;
use pathfinder_core::frecency::Frecency;
use rustc_hash::FxHashSet;

use crate::symbols::Backlog;

/// The importance of a file; a smaller one is more important.
type Rank = u32;

/// Rank of recent files; those below asked directories follow, then the rest.
const RECENT: Rank = 0;
const REST: Rank = Rank::MAX;

/// The ranks of a root's files.
pub(super) struct Admission<'a> {
    frecency: &'a Frecency,
    /// Files that changed just now.
    written: &'a FxHashSet<String>,
    /// Directories that were asked about, the latest first.
    asked: Vec<String>,
}

/// Files of low rank that give their room, the first one last.
type Victims<'i> = Vec<(Rank, &'i str)>;

impl<'a> Admission<'a> {
    pub(super) fn new(frecency: &'a Frecency, written: &'a FxHashSet<String>, asked: Vec<String>) -> Self {
        Self { frecency, written, asked }
    }

    fn rank(&self, file: &str) -> Rank {
        if self.written.contains(file) || self.frecency.score(&RelPath::from(file)) > 0.0 {
            return RECENT;
        }
        let is_below =
            |directory: &String| file.strip_prefix(directory.as_str()).is_some_and(|rest| rest.starts_with('/'));
        self.asked.iter().position(is_below).map_or(REST, |at| 1 + at as Rank)
    }

    /// Sorts the files to read by rank, drops new ones for which there is no room, and returns the files that leave the index for
    /// others.
    pub(super) fn admit(&self, known: &ContentIndex, backlog: &mut Backlog) -> Vec<String> {
        // A stable sort: equal ranks stay in the order of use and path.
        backlog.files.sort_by_cached_key(|file| self.rank(file));
        let rest = known.progress().0 - backlog.gone.len();
        let mut free = known.limits().files.saturating_sub(rest);
        let mut victims: Option<Victims<'_>> = None;
        let mut evicted: FxHashSet<String> = FxHashSet::default();
        backlog.files.retain(|file| {
            if known.stamp(file).is_some() {
                return true;
            }
            if free > 0 {
                free -= 1;
                return true;
            }
            let rank = self.rank(file);
            if rank == REST {
                return false;
            }
            let victims = victims.get_or_insert_with(|| self.victims(known, &backlog.gone));
            let victim = victims.pop_if(|victim| victim.0 > rank);
            evicted.extend(victim.map(|victim| victim.1.to_owned()));
            victim.is_some()
        });
        backlog.files.retain(|file| !evicted.contains(file));
        let mut evicted: Vec<String> = evicted.into_iter().collect();
        evicted.sort_unstable();
        evicted
    }

    /// Returns changes that take texts out of the index, so that it has room for those of more important files that were read.
    pub(super) fn make_room(&self, known: &ContentIndex, changes: &[ContentChange]) -> Vec<ContentChange> {
        let read = changes.iter().filter_map(|change| match change {
            ContentChange::Read(file) => Some((self.rank(file.path()), file)),
            ContentChange::Removed(_) => None,
        });
        let important: Vec<_> = read.filter(|(rank, _)| *rank < REST).collect();
        let growth = important
            .iter()
            .map(|(_, file)| file.text_bytes().saturating_sub(known.text_bytes(file.path())))
            .sum::<u64>();
        let mut lacking = growth.saturating_sub(known.free_bytes());
        let Some(rank) = important.iter().map(|(rank, _)| *rank).min().filter(|_| lacking > 0) else {
            return Vec::new();
        };
        let mut victims = self.victims(known, &[]);
        let mut removed = Vec::new();
        while lacking > 0
            && let Some((_, file)) = victims.pop_if(|victim| victim.0 > rank)
        {
            let bytes = known.text_bytes(file);
            if let Some(stamp) = known.stamp(file).filter(|_| bytes > 0) {
                lacking = lacking.saturating_sub(bytes);
                removed.push(ContentChange::Read(Box::new(FileContent::without_text(file, stamp))));
            }
        }
        removed
    }

    /// Returns the files of the index by rank, the least important last.
    fn victims<'i>(&self, known: &'i ContentIndex, gone: &[String]) -> Victims<'i> {
        let gone: FxHashSet<&str> = gone.iter().map(String::as_str).collect();
        let files = known.stamps().map(|(file, _)| file).filter(|file| !gone.contains(file));
        let mut victims: Victims<'i> = files.map(|file| (self.rank(file), file)).collect();
        victims.sort_unstable();
        victims
    }
}
