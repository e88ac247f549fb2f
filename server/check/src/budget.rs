//! `RunBudget`: limits the number of findings of a file and of a run that fixes are looked for.

use std::collections::BTreeSet;

use parking_lot::{Condvar, Mutex};
use pathfinder_literals::Code;

use super::finding::Finding;

/// Points of a finding whose new path is recorded: one spelling is tested in the file.
const MOVE_POINTS: usize = 1;
/// Points of any other finding. Each asks the engine and tests several spellings.
const SEARCH_POINTS: usize = 5;
/// Points of the findings of one file that get fixes, the first of 250 moved paths or of 50 others. A file with more is generated, or
/// lacks something that another literal depends on (a base, an installed package).
pub(super) const MAX_POINTS_PER_FILE: usize = 250;
/// Points of the findings of one run that get fixes, in the order of the files: 20,000 uses of a directory that moved, or 4,000
/// others, which have a cause that no single fix removes.
const MAX_POINTS_PER_RUN: usize = 20_000;

/// Returns those of a file's findings that get fixes: the first, as many as the budget of a file allows.
pub fn findings_within_budget<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<&'f Finding> {
    within(MAX_POINTS_PER_FILE, findings)
}

/// Returns the first findings whose points are at most `points`.
pub(super) fn within<'f>(points: usize, findings: impl IntoIterator<Item = &'f Finding>) -> Vec<&'f Finding> {
    let mut left = points;
    let takes = |finding: &&Finding| {
        let rest = left.checked_sub(points_of(finding));
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    findings.into_iter().take_while(takes).collect()
}

/// The points of a finding.
pub(super) fn points_of(finding: &Finding) -> usize {
    let is_recorded = finding.code == Code::MovedPath && finding.instead.is_some();
    if is_recorded { MOVE_POINTS } else { SEARCH_POINTS }
}

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
        Self::new(MAX_POINTS_PER_RUN)
    }
}

impl RunBudget {
    fn new(limit: usize) -> Self {
        Self { state: Mutex::default(), is_next: Condvar::new(), limit }
    }

    /// Enters a file (by its number) with the points of its findings, and returns how many of them it may spend. Waits until
    /// all earlier files have entered, unless the file has no findings. A second entry of a file returns 0.
    pub(super) fn enter(&self, file: usize, points: usize) -> usize {
        let mut state = self.state.lock();
        if file < state.next {
            return 0;
        }
        if points == 0 {
            state.entered.insert(file);
        } else {
            let wait = |state: &mut BudgetState| state.next != file;
            self.is_next.wait_while(&mut state, wait);
            state.entered.insert(file);
        }
        let allowed = points.min(self.limit - state.spent);
        state.spent += allowed;
        while state.entered.first() == Some(&state.next) {
            state.entered.pop_first();
            state.next += 1;
        }
        self.is_next.notify_all();
        allowed
    }

    /// The points that were spent so far.
    pub(super) fn spent(&self) -> usize {
        self.state.lock().spent
    }
}

#[cfg(test)]
mod tests {
    use super::RunBudget;
    use crate::ordered::in_order;

    /// The first files get their points, in any order of threads.
    #[test]
    fn first_files_get_the_budget() {
        let points = [0, 3, 0, 0, 5, 1, 0, 9, 2];
        for _ in 0..50 {
            let budget = RunBudget::new(10);
            let mut allowed = Vec::new();
            in_order(points.len(), |at| budget.enter(at, points[at]), |_, allow| allowed.push(allow));
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
