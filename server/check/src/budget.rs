//! `RunBudget`: limits the number of findings in one run that fixes are looked for.

use std::collections::BTreeSet;

use parking_lot::{Condvar, Mutex};

/// Findings of one run that get fixes, in the order of the files. Each one asks the engine and checks its file
/// several times. A run with thousands of findings has a cause that no single fix removes.
const MAX_FIXED_FINDINGS_PER_RUN: usize = 4_000;

/// Budget of fixes for one run. Files enter in any order; each file's share depends only on the files before it.
#[derive(Debug)]
pub(super) struct RunBudget {
    state: Mutex<BudgetState>,
    is_next: Condvar,
    limit: usize,
}

#[derive(Debug, Default)]
struct BudgetState {
    /// The first file that has not entered.
    next: usize,
    /// Later files without findings that have entered.
    entered: BTreeSet<usize>,
    spent: usize,
}

impl Default for RunBudget {
    fn default() -> Self {
        Self::new(MAX_FIXED_FINDINGS_PER_RUN)
    }
}

impl RunBudget {
    fn new(limit: usize) -> Self {
        Self { state: Mutex::default(), is_next: Condvar::new(), limit }
    }

    /// Enters a file (by its number) with a number of findings, and returns how many of them get fixes. Waits until
    /// all earlier files have entered, unless the file has no findings. A second entry of a file returns 0.
    pub(super) fn enter(&self, file: usize, findings: usize) -> usize {
        let mut state = self.state.lock();
        if file < state.next {
            return 0;
        }
        if findings == 0 {
            state.entered.insert(file);
        } else {
            let wait = |state: &mut BudgetState| state.next != file;
            self.is_next.wait_while(&mut state, wait);
            state.entered.insert(file);
        }
        let allowed = findings.min(self.limit - state.spent);
        state.spent += allowed;
        while state.entered.first() == Some(&state.next) {
            state.entered.pop_first();
            state.next += 1;
        }
        self.is_next.notify_all();
        allowed
    }

    /// The number of findings that got fixes so far.
    pub(super) fn spent(&self) -> usize {
        self.state.lock().spent
    }
}

#[cfg(test)]
mod tests {
    use super::RunBudget;
    use crate::ordered::in_order;

    /// The first findings in file order get fixes, in any order of threads.
    #[test]
    fn first_findings_get_the_budget() {
        let findings = [0, 3, 0, 0, 5, 1, 0, 9, 2];
        for _ in 0..50 {
            let budget = RunBudget::new(10);
            let mut allowed = Vec::new();
            in_order(findings.len(), |at| budget.enter(at, findings[at]), |_, allow| allowed.push(allow));
            assert_eq!(allowed, [0, 3, 0, 0, 5, 1, 0, 1, 0]);
            assert_eq!(budget.spent(), 10);
        }
    }

    #[test]
    fn second_entry_gets_nothing() {
        let budget = RunBudget::new(10);
        assert_eq!([budget.enter(0, 2), budget.enter(0, 2), budget.enter(1, 0), budget.enter(1, 3)], [2, 0, 0, 0]);
    }
}
