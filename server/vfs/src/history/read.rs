//! Reads a range of history: one thread walks the commits, newest first, and others compare them.
//!
//! Commits are handed out in batches, which may finish in any order. Only the batches up to the first gap count, so
//! that the result is always "the newest N commits".

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use gix::ObjectId;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use parking_lot::Mutex;
use pathfinder_core::history::CommitMoves;

use super::Limits;
use super::compare::{CommitPair, Comparer};
use super::repository::{RepoLocation, SharedRepository};

/// Commits in one batch: handing it over is cheap beside comparing 32 commits, and few are lost at the end.
const BATCH_SIZE: usize = 32;
/// Batches in the queue: enough that no thread idles while the walk reads a slow commit.
const MAX_QUEUED_BATCHES: usize = 64;
/// At most half of the processors, because this runs beside interactive work. At most four threads, because each one
/// caches objects of its own.
const MAX_THREADS: usize = 4;

/// The commits to read: `from` and its ancestors, without `hide` and its ancestors.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommitRange {
    pub(super) from: ObjectId,
    pub(super) hide: Option<ObjectId>,
    /// Number of these commits (with one parent) that were read before.
    pub(super) skip: usize,
}

/// Result of reading a range.
#[derive(Debug, Default)]
pub(super) struct ComparedRange {
    /// Newest first; commits without moves and deletions are left out.
    pub(super) commits: Vec<CommitMoves>,
    /// Number of commits that were compared.
    pub(super) compared: usize,
    /// Number of these that were compared inexactly.
    pub(super) inexact: usize,
    /// True if the whole range was read.
    pub(super) complete: bool,
    /// True if reading stopped at an unreadable object.
    pub(super) broken: bool,
}

/// Commits to compare, and the position of the batch in the range.
struct CommitBatch {
    number: usize,
    pairs: Vec<CommitPair>,
}

/// Number of the first batch that was not finished; later batches are useless.
struct FirstIncomplete(AtomicUsize);

impl FirstIncomplete {
    fn set(&self, batch: usize) {
        self.0.fetch_min(batch, Ordering::Relaxed);
    }

    fn is_before(&self, batch: usize) -> bool {
        self.0.load(Ordering::Relaxed) < batch
    }
}

/// Reads a range until its end or the limits.
pub(super) fn read_range(
    location: &RepoLocation,
    shared: &SharedRepository,
    range: CommitRange,
    limits: Limits<'_>,
) -> ComparedRange {
    let (sender, receiver) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
    // Only the comparing threads hold the receiver. When all of them have ended, sending fails and the walk ends.
    let receiver = Arc::new(Mutex::new(receiver));
    let first_incomplete = FirstIncomplete(AtomicUsize::new(usize::MAX));
    let half = thread::available_parallelism().map_or(1, |count| count.get() / 2);

    let (walked, mut compared_batches) = thread::scope(|scope| {
        let threads: Vec<_> = (0..half.clamp(1, MAX_THREADS))
            .map(|_| {
                let (receiver, first_incomplete) = (Arc::clone(&receiver), &first_incomplete);
                scope.spawn(move || compare_all(location, shared, &receiver, first_incomplete, limits))
            })
            .collect();
        drop(receiver);
        let walked = walk(&shared.local(), range, &sender, &first_incomplete, limits);
        drop(sender);
        let compared_batches = threads.into_iter().flat_map(|thread| {
            thread.join().unwrap_or_else(|_| {
                // Its batches are missing, which makes a gap below.
                tracing::warn!("comparing commits failed");
                Vec::new()
            })
        });
        (walked, compared_batches.collect::<Vec<_>>())
    });

    compared_batches.sort_unstable_by_key(|&(number, _)| number);
    let mut all = ComparedRange { complete: true, ..ComparedRange::default() };
    let batches = walked.batches;
    let mut joined = 0;
    for (_, compared) in
        compared_batches.into_iter().enumerate().take_while(|(at, (number, _))| at == number).map(|(_, it)| it)
    {
        all.commits.extend(compared.commits);
        all.compared += compared.compared;
        all.inexact += compared.inexact;
        joined += 1;
        if !compared.complete {
            (all.complete, all.broken) = (false, compared.broken);
            break;
        }
    }
    if all.complete {
        all.complete = walked.complete && joined == batches;
        all.broken = walked.broken && joined == batches;
    }
    all
}

/// The end of the walk of the commits.
struct CommitWalk {
    batches: usize,
    complete: bool,
    broken: bool,
}

/// Sends the commits of a range in batches, newest first.
fn walk(
    repository: &gix::Repository,
    range: CommitRange,
    to: &SyncSender<CommitBatch>,
    first_incomplete: &FirstIncomplete,
    limits: Limits<'_>,
) -> CommitWalk {
    let mut walked = CommitWalk { batches: 0, complete: false, broken: true };
    let cut = repository.shallow_commits().ok().flatten();
    let commits = repository
        .rev_walk([range.from])
        .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
        .with_hidden(range.hide)
        .all();
    let Ok(commits) = commits.inspect_err(|error| tracing::debug!(%error, "history not read")) else { return walked };

    let mut skip = range.skip;
    let mut left = limits.max_commits;
    let mut pairs = Vec::with_capacity(BATCH_SIZE);
    walked.broken = false;
    walked.complete = true;
    for commit in commits {
        let Ok(commit) = commit.inspect_err(|error| tracing::debug!(%error, "history ends early")) else {
            (walked.complete, walked.broken) = (false, true);
            break;
        };
        if limits.is_reached() || first_incomplete.is_before(walked.batches) {
            walked.complete = false;
            break;
        }
        let [parent] = commit.parent_ids[..] else { continue };
        // A shallow clone names the parents of these commits but does not have them.
        if cut.as_ref().is_some_and(|cut| cut.binary_search(&commit.id).is_ok()) {
            continue;
        }
        if skip > 0 {
            skip -= 1;
            continue;
        }
        if left == 0 {
            walked.complete = false;
            break;
        }
        left -= 1;
        pairs.push(CommitPair { id: commit.id, parent, seconds: commit.commit_time.unwrap_or_default() });
        if pairs.len() == BATCH_SIZE {
            let batch = CommitBatch {
                number: walked.batches,
                pairs: std::mem::replace(&mut pairs, Vec::with_capacity(BATCH_SIZE)),
            };
            walked.batches += 1;
            if to.send(batch).is_err() {
                return CommitWalk { complete: false, ..walked };
            }
        }
    }
    if !pairs.is_empty() {
        walked.complete &= to.send(CommitBatch { number: walked.batches, pairs }).is_ok();
        walked.batches += 1;
    }
    walked
}

/// Compares batches until the queue is closed.
fn compare_all(
    location: &RepoLocation,
    shared: &SharedRepository,
    from: &Mutex<Receiver<CommitBatch>>,
    first_incomplete: &FirstIncomplete,
    limits: Limits<'_>,
) -> Vec<(usize, ComparedRange)> {
    let mut compared_batches = Vec::new();
    let repository = shared.local();
    let mut comparer = Comparer::new(&repository, &location.inside, limits);
    loop {
        // The lock is held only while waiting for a batch.
        let batch = from.lock().recv();
        let Ok(CommitBatch { number, pairs }) = batch else { return compared_batches };
        if first_incomplete.is_before(number) {
            continue;
        }
        let part = compare(&mut comparer, &pairs, limits);
        if !part.complete {
            first_incomplete.set(number);
        }
        compared_batches.push((number, part));
    }
}

fn compare(comparer: &mut Comparer<'_>, pairs: &[CommitPair], limits: Limits<'_>) -> ComparedRange {
    let mut part = ComparedRange::default();
    for &pair in pairs {
        if limits.is_reached() {
            return part;
        }
        match comparer.compare(pair) {
            Ok(None) => return part,
            Ok(Some(comparison)) => {
                part.compared += 1;
                part.inexact += usize::from(comparison.inexact);
                part.commits.extend(comparison.moves.filter(|moves| !moves.is_empty()));
            }
            Err(error) => {
                tracing::debug!(id = %pair.id, %error, "history ends early");
                return ComparedRange { broken: true, ..part };
            }
        }
    }
    ComparedRange { complete: true, ..part }
}
