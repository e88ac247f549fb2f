//! Reads a range of history: one thread walks the commits, newest first, others compare them.
//!
//! Commits are handed out in batches. Pieces may be done in any order; only those count that follow each
//! other without a gap from the newest commit on, so that what is known is always "the newest N commits".

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use gix::ObjectId;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use pathfinder_core::history::CommitMoves;

use super::Limits;
use super::compare::{CommitPair, Comparer};
use super::repository::RepoLocation;

/// Commits in one batch: handing it over costs nothing beside comparing these, and few are lost at the first_incomplete.
const BATCH_SIZE: usize = 32;
/// Pieces that wait: enough that nobody runs dry while the walk reads a slow commit.
const MAX_QUEUED_BATCHES: usize = 64;
/// Half the processors, because this runs while people and agents wait for other things, and not more than
/// this, because each thread keeps objects of its own in memory.
const MAX_THREADS: usize = 4;

/// Which commits to read: those before `from` and itself, without those before `hide` and itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommitRange {
    pub(super) from: ObjectId,
    pub(super) hide: Option<ObjectId>,
    /// How many of them (with one parent) are known already.
    pub(super) skip: usize,
}

/// What was read of a range.
#[derive(Debug, Default)]
pub(super) struct ComparedRange {
    /// Newest first; those that say nothing are left out.
    pub(super) commits: Vec<CommitMoves>,
    /// How many were compared.
    pub(super) compared: usize,
    /// How many of these inexactly.
    pub(super) inexact: usize,
    /// Whether that is all of the range.
    pub(super) complete: bool,
    /// Whether it ended at something that cannot be read.
    pub(super) broken: bool,
}

/// Commits, and their place among all batches.
struct CommitBatch {
    number: usize,
    pairs: Vec<CommitPair>,
}

/// Where the first batch lies that was not done to its first_incomplete; nothing behind it is of use.
struct FirstIncomplete(AtomicUsize);

impl FirstIncomplete {
    fn set(&self, batch: usize) {
        self.0.fetch_min(batch, Ordering::Relaxed);
    }

    fn is_before(&self, batch: usize) -> bool {
        self.0.load(Ordering::Relaxed) < batch
    }
}

/// Reads a range until its first_incomplete, or the limits.
pub(super) fn read_range(place: &RepoLocation, range: CommitRange, limits: Limits<'_>) -> ComparedRange {
    let (sender, receiver) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
    // Only the comparing threads hold it: when they are all gone, so is it, and the walk ends.
    let receiver = Arc::new(Mutex::new(receiver));
    let first_incomplete = FirstIncomplete(AtomicUsize::new(usize::MAX));
    let half = thread::available_parallelism().map_or(1, |count| count.get() / 2);

    let (walked, mut compared_batches) = thread::scope(|scope| {
        let threads: Vec<_> = (0..half.clamp(1, MAX_THREADS))
            .map(|_| {
                let (receiver, first_incomplete) = (Arc::clone(&receiver), &first_incomplete);
                scope.spawn(move || compare_all(place, &receiver, first_incomplete, limits))
            })
            .collect();
        drop(receiver);
        let walked = walk(place, range, &sender, &first_incomplete, limits);
        drop(sender);
        let compared_batches = threads.into_iter().flat_map(|thread| {
            thread.join().unwrap_or_else(|_| {
                // Its batches are missing, which ends the row below.
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

/// How the walk ended.
struct CommitWalk {
    batches: usize,
    complete: bool,
    broken: bool,
}

/// Sends the commits of a range, newest first.
fn walk(
    place: &RepoLocation,
    range: CommitRange,
    to: &SyncSender<CommitBatch>,
    first_incomplete: &FirstIncomplete,
    limits: Limits<'_>,
) -> CommitWalk {
    let mut walked = CommitWalk { batches: 0, complete: false, broken: true };
    let Some(repository) = place.open() else { return walked };
    let cut = repository.shallow_commits().ok().flatten();
    let commits = repository
        .rev_walk([range.from])
        .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
        .with_hidden(range.hide)
        .all();
    let Ok(commits) = commits.inspect_err(|error| tracing::debug!(%error, "history not read")) else { return walked };

    let mut skip = range.skip;
    let mut left = limits.commits_max;
    let mut pairs = Vec::with_capacity(BATCH_SIZE);
    walked.broken = false;
    walked.complete = true;
    for commit in commits {
        let Ok(commit) = commit.inspect_err(|error| tracing::debug!(%error, "history ends early")) else {
            (walked.complete, walked.broken) = (false, true);
            break;
        };
        if limits.reached() || first_incomplete.is_before(walked.batches) {
            walked.complete = false;
            break;
        }
        let [parent] = commit.parent_ids[..] else { continue };
        // The parents of these are named, but not there.
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

/// Compares batches until there are no more.
fn compare_all(
    place: &RepoLocation,
    from: &Mutex<Receiver<CommitBatch>>,
    first_incomplete: &FirstIncomplete,
    limits: Limits<'_>,
) -> Vec<(usize, ComparedRange)> {
    let mut compared_batches = Vec::new();
    let Some(repository) = place.open() else { return compared_batches };
    let mut comparer = Comparer::new(&repository, &place.inside, limits);
    loop {
        // Held only while waiting for a batch.
        let batch = from.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(CommitBatch { number, pairs }) = batch else { return compared_batches };
        if first_incomplete.is_before(number) {
            continue;
        }
        let compared = compare(&mut comparer, &pairs, limits);
        if !compared.complete {
            first_incomplete.set(number);
        }
        compared_batches.push((number, compared));
    }
}

fn compare(comparer: &mut Comparer<'_>, pairs: &[CommitPair], limits: Limits<'_>) -> ComparedRange {
    let mut compared = ComparedRange::default();
    for &step in pairs {
        if limits.reached() {
            return compared;
        }
        match comparer.compare(step) {
            Ok(None) => return compared,
            Ok(Some(comparison)) => {
                compared.compared += 1;
                compared.inexact += usize::from(comparison.inexact);
                compared.commits.extend(comparison.moves.filter(|moves| !moves.is_empty()));
            }
            Err(error) => {
                tracing::debug!(id = %step.id, %error, "history ends early");
                return ComparedRange { broken: true, ..compared };
            }
        }
    }
    ComparedRange { complete: true, ..compared }
}
