//! Collects readings and keeps the cheapest, each meaning once.

use super::note::Note;
use super::reading::Reading;

/// Readings that a query keeps. Each one is looked up in every root, so they multiply the work of a query.
///
/// For repeated segments and paths of other machines the right one was among the first four. An input with several
/// uncertain treatments makes up to fourteen.
const MAX_READINGS: usize = 16;

/// Readings that are collected before the cheapest are chosen. A bound for hostile input: eight texts at a dozen readings.
const MAX_COLLECTED: usize = 96;

/// The readings so far.
#[derive(Debug, Default)]
pub(super) struct Collector {
    readings: Vec<Reading>,
}

impl Collector {
    /// Adds one reading.
    pub(super) fn push(&mut self, mut reading: Reading) {
        if self.readings.len() == MAX_COLLECTED {
            return;
        }
        if reading.notes.is_empty() {
            reading.notes.push(Note::AsWritten);
        }
        reading.is_glob = reading.notes.iter().any(|note| matches!(note, Note::Glob | Note::Elided));
        reading.cost = reading.cost.clamp(0.0, 1.0);
        self.readings.push(reading);
    }

    /// The cheapest readings, each meaning once. With one root, a reading in it and a reading in any root are the same.
    pub(super) fn finish(mut self, roots: usize) -> Vec<Reading> {
        self.readings.sort_by(|a, b| a.cost.total_cmp(&b.cost).then_with(|| a.segments.cmp(&b.segments)));
        let mut kept: Vec<Reading> = Vec::with_capacity(self.readings.len().min(MAX_READINGS));
        for reading in self.readings {
            if kept.len() == MAX_READINGS {
                break;
            }
            if !kept.iter().any(|other| is_duplicate(other, &reading, roots)) {
                kept.push(reading);
            }
        }
        kept
    }
}

/// Returns whether lookups of both readings find the same entries.
fn is_duplicate(a: &Reading, b: &Reading, roots: usize) -> bool {
    let same_root = roots <= 1 || a.root == b.root || (a.root.is_none() && !a.outside);
    a.segments == b.segments && a.outside == b.outside && a.is_module == b.is_module && same_root
}
