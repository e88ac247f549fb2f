//! `in_order`: runs work in parallel and delivers the results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

/// Runs `work` for each number below `count` on all threads, lowest first. `take` gets the results in order, each as
/// soon as all earlier ones are there. Neither may panic.
pub(super) fn in_order<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync, take: impl FnMut(usize, T) + Send) {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(OrderedResults { next: 0, waiting: BTreeMap::new(), take });
    rayon::broadcast(|_| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                break;
            }
            let result = work(at);
            results.lock().add(at, result);
        }
    });
}

/// Finished results that wait for an earlier one.
struct OrderedResults<T, F> {
    next: usize,
    waiting: BTreeMap<usize, T>,
    take: F,
}

impl<T, F: FnMut(usize, T)> OrderedResults<T, F> {
    fn add(&mut self, at: usize, result: T) {
        self.waiting.insert(at, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            (self.take)(self.next, result);
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::in_order;

    #[test]
    fn delivers_results_in_order() {
        let mut taken = Vec::new();
        let work = |at: usize| {
            std::thread::sleep(Duration::from_millis((at % 3) as u64));
            at * 2
        };
        in_order(50, work, |at, result| taken.push((at, result)));
        assert_eq!(taken, (0..50).map(|at| (at, at * 2)).collect::<Vec<_>>());
        in_order(0, work, |_, _| panic!("there is none"));
    }
}
