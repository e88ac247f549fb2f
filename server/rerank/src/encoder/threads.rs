//! `EncoderThreads`: encodes each text on one thread, and several texts at once. Used by `Model`.
//!
//! A text has about ten tokens: its multiplications are over before a second thread has woken up. With two threads per
//! text a question took three times as long as with one (`BENCHMARKS.md`). A runtime therefore never gets more than one
//! thread, and the number of threads changes no sum.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;
use rten::ThreadPool;

/// More threads than this encode no faster: a pool of candidates is a few dozen short texts.
const THREADS_MAX: usize = 4;

/// One thread, in rten's form.
pub(crate) type Worker = Arc<ThreadPool>;

/// A pool of single-threaded workers, and one for background work.
#[derive(Debug)]
pub(crate) struct EncoderThreads {
    workers: Vec<Worker>,
    /// For work without a waiting caller: no request queues behind it.
    background: Worker,
    /// Counter that selects the first worker of a request.
    next: AtomicUsize,
}

impl EncoderThreads {
    /// Starts `count` workers, by default one per processor; at most [`THREADS_MAX`].
    pub(crate) fn new(count: Option<NonZero<usize>>) -> Self {
        let count = count.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get).min(THREADS_MAX);
        let worker = || Arc::new(ThreadPool::with_num_threads(1));
        Self { workers: (0..count).map(|_| worker()).collect(), background: worker(), next: AtomicUsize::new(0) }
    }

    /// Runs work on the background worker.
    pub(crate) fn background<R: Send>(&self, work: impl FnOnce(&Worker) -> R + Send) -> R {
        self.background.run(|| work(&self.background))
    }

    /// Runs work for each number below `count` on all workers, and returns the results in order.
    pub(crate) fn map<R: Send>(&self, count: usize, work: impl Fn(usize, &Worker) -> R + Sync) -> Vec<R> {
        let taken = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(count));
        let next = || Some(taken.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < count);
        let drain = |worker: &Worker| {
            worker.run(|| {
                while let Some(at) = next() {
                    let result = work(at, worker);
                    done.lock().push((at, result));
                }
            });
        };
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let workers = (0..self.workers.len().min(count)).map(|at| &self.workers[(turn + at) % self.workers.len()]);
        thread::scope(|scope| {
            let mut workers = workers;
            let own = workers.next();
            for worker in workers {
                scope.spawn(|| drain(worker));
            }
            own.into_iter().for_each(drain);
        });
        let mut done = done.into_inner();
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::EncoderThreads;

    #[test]
    fn returns_results_in_order() {
        for count in [1, 2, 9] {
            let threads = EncoderThreads::new(NonZero::new(count));
            for texts in [0, 1, 2, 100] {
                let found = threads.map(texts, |at, _| {
                    std::thread::sleep(std::time::Duration::from_micros((at * 7 % 5) as u64));
                    at
                });
                assert_eq!(found, (0..texts).collect::<Vec<_>>(), "{count} threads");
            }
            assert_eq!(threads.background(|_| 1), 1);
        }
    }

    #[test]
    fn serves_concurrent_callers() {
        let threads = EncoderThreads::new(NonZero::new(2));
        std::thread::scope(|scope| {
            for caller in 0..8 {
                let threads = &threads;
                scope.spawn(move || {
                    let found = threads.map(40, |at, _| caller * 100 + at);
                    assert_eq!(found, (caller * 100..caller * 100 + 40).collect::<Vec<_>>());
                });
            }
        });
    }
}
