//! Reads a stretch of history: one thread walks the commits, newest first, others compare them.
//!
//! Commits are handed out in pieces. Pieces may be done in any order; only those count that follow each
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
use super::compare::{Comparer, Step};
use super::repository::Place;

/// Commits in one piece: handing it over costs nothing beside comparing these, and few are lost at the end.
const PIECE: usize = 32;
/// Pieces that wait: enough that nobody runs dry while the walk reads a slow commit.
const WAITING: usize = 64;
/// Half the processors, because this runs while people and agents wait for other things, and not more than
/// this, because each thread keeps objects of its own in memory.
const THREADS_MAX: usize = 4;

/// Which commits to read: those before `from` and itself, without those before `hide` and itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) from: ObjectId,
    pub(super) hide: Option<ObjectId>,
    /// How many of them (with one parent) are known already.
    pub(super) skip: usize,
}

/// What was read of a stretch.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Newest first; those that say nothing are left out.
    pub(super) commits: Vec<CommitMoves>,
    /// How many were compared.
    pub(super) compared: usize,
    /// How many of these inexactly.
    pub(super) inexact: usize,
    /// Whether that is all of the stretch.
    pub(super) complete: bool,
    /// Whether it ended at something that cannot be read.
    pub(super) broken: bool,
}

/// Commits, and their place among all pieces.
struct Piece {
    number: usize,
    steps: Vec<Step>,
}

/// Where the first piece lies that was not done to its end; nothing behind it is of use.
struct End(AtomicUsize);

impl End {
    fn set(&self, piece: usize) {
        self.0.fetch_min(piece, Ordering::Relaxed);
    }

    fn is_before(&self, piece: usize) -> bool {
        self.0.load(Ordering::Relaxed) < piece
    }
}

/// Reads a stretch until its end, or the limits.
pub(super) fn stretch(place: &Place, stretch: Stretch, limits: Limits<'_>) -> Part {
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    // Only the comparing threads hold it: when they are all gone, so is it, and the walk ends.
    let receiver = Arc::new(Mutex::new(receiver));
    let end = End(AtomicUsize::new(usize::MAX));
    let half = thread::available_parallelism().map_or(1, |count| count.get() / 2);

    let (walked, mut parts) = thread::scope(|scope| {
        let threads: Vec<_> = (0..half.clamp(1, THREADS_MAX))
            .map(|_| {
                let (receiver, end) = (Arc::clone(&receiver), &end);
                scope.spawn(move || compare_all(place, &receiver, end, limits))
            })
            .collect();
        drop(receiver);
        let walked = walk(place, stretch, &sender, &end, limits);
        drop(sender);
        let parts = threads.into_iter().flat_map(|thread| {
            thread.join().unwrap_or_else(|_| {
                // Its pieces are missing, which ends the row below.
                tracing::warn!("comparing commits failed");
                Vec::new()
            })
        });
        (walked, parts.collect::<Vec<_>>())
    });

    parts.sort_unstable_by_key(|&(number, _)| number);
    let mut all = Part { complete: true, ..Part::default() };
    let pieces = walked.pieces;
    let mut joined = 0;
    for (_, part) in parts.into_iter().enumerate().take_while(|(at, (number, _))| at == number).map(|(_, it)| it) {
        all.commits.extend(part.commits);
        all.compared += part.compared;
        all.inexact += part.inexact;
        joined += 1;
        if !part.complete {
            (all.complete, all.broken) = (false, part.broken);
            break;
        }
    }
    if all.complete {
        all.complete = walked.complete && joined == pieces;
        all.broken = walked.broken && joined == pieces;
    }
    all
}

/// How the walk ended.
struct Walked {
    pieces: usize,
    complete: bool,
    broken: bool,
}

/// Sends the commits of a stretch, newest first.
fn walk(place: &Place, stretch: Stretch, to: &SyncSender<Piece>, end: &End, limits: Limits<'_>) -> Walked {
    let mut walked = Walked { pieces: 0, complete: false, broken: true };
    let Some(repository) = place.open() else { return walked };
    let cut = repository.shallow_commits().ok().flatten();
    let commits = repository
        .rev_walk([stretch.from])
        .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
        .with_hidden(stretch.hide)
        .all();
    let Ok(commits) = commits.inspect_err(|error| tracing::debug!(%error, "history not read")) else { return walked };

    let mut skip = stretch.skip;
    let mut left = limits.commits_max;
    let mut steps = Vec::with_capacity(PIECE);
    walked.broken = false;
    walked.complete = true;
    for commit in commits {
        let Ok(commit) = commit.inspect_err(|error| tracing::debug!(%error, "history ends early")) else {
            (walked.complete, walked.broken) = (false, true);
            break;
        };
        if limits.reached() || end.is_before(walked.pieces) {
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
        steps.push(Step { id: commit.id, parent, seconds: commit.commit_time.unwrap_or_default() });
        if steps.len() == PIECE {
            let piece =
                Piece { number: walked.pieces, steps: std::mem::replace(&mut steps, Vec::with_capacity(PIECE)) };
            walked.pieces += 1;
            if to.send(piece).is_err() {
                return Walked { complete: false, ..walked };
            }
        }
    }
    if !steps.is_empty() {
        walked.complete &= to.send(Piece { number: walked.pieces, steps }).is_ok();
        walked.pieces += 1;
    }
    walked
}

/// Compares pieces until there are no more.
fn compare_all(place: &Place, from: &Mutex<Receiver<Piece>>, end: &End, limits: Limits<'_>) -> Vec<(usize, Part)> {
    let mut parts = Vec::new();
    let Some(repository) = place.open() else { return parts };
    let mut comparer = Comparer::new(&repository, &place.inside, limits);
    loop {
        // Held only while waiting for a piece.
        let piece = from.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Piece { number, steps }) = piece else { return parts };
        if end.is_before(number) {
            continue;
        }
        let part = compare(&mut comparer, &steps, limits);
        if !part.complete {
            end.set(number);
        }
        parts.push((number, part));
    }
}

fn compare(comparer: &mut Comparer<'_>, steps: &[Step], limits: Limits<'_>) -> Part {
    let mut part = Part::default();
    for &step in steps {
        if limits.reached() {
            return part;
        }
        match comparer.compare(step) {
            Ok(None) => return part,
            Ok(Some(said)) => {
                part.compared += 1;
                part.inexact += usize::from(said.inexact);
                part.commits.extend(said.moves.filter(|moves| !moves.is_empty()));
            }
            Err(error) => {
                tracing::debug!(id = %step.id, %error, "history ends early");
                return Part { broken: true, ..part };
            }
        }
    }
    Part { complete: true, ..part }
}
