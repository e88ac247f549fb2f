//! `Visits`: the uses of a root's paths with their times; the server stores them and computes [`Frecency`](super::Frecency).

use std::collections::BTreeMap;

use crate::path::RelPath;

/// Seconds after which a use counts for half: three days, as in fff for agents (ten for people). An agent's task is done
/// sooner than a person's.
const HALF_LIFE_SECONDS: f32 = 3.0 * 86_400.0;
/// Faded uses below which a path is forgotten: one use after 13 days.
const MIN_USES: f32 = 0.05;
/// Paths that are kept per root; the least used are dropped first. Agents hardly use more within two weeks, and all of them
/// are passed to the engine.
const MAX_VISITS: usize = 1000;

/// The uses of the paths of one root. Times are seconds since 1970, given by the caller, because core has no clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visits(BTreeMap<RelPath, Visit>);

/// The weighted uses of one path at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Visit {
    uses: f32,
    at: i64,
}

impl Visit {
    fn faded(self, now: i64) -> f32 {
        // A clock that is set back must not raise the uses.
        let age = now.saturating_sub(self.at).max(0) as f32;
        self.uses * (-age / HALF_LIFE_SECONDS).exp2()
    }
}

impl Visits {
    /// Builds it from [`entries`](Self::entries); drops numbers that are not finite and positive.
    pub fn from_entries(entries: impl IntoIterator<Item = (RelPath, f32, i64)>) -> Self {
        let sound = entries.into_iter().filter(|(_, uses, _)| uses.is_finite() && *uses > 0.0);
        Self(sound.map(|(path, uses, at)| (path, Visit { uses, at })).collect())
    }

    /// Path, weighted uses, and the time of that weight in seconds since 1970; sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = (&RelPath, f32, i64)> {
        self.0.iter().map(|(path, visit)| (path, visit.uses, visit.at))
    }

    /// Records one use at `now`.
    pub fn note(&mut self, path: RelPath, now: i64) {
        let visit = self.0.entry(path).or_insert(Visit { uses: 0.0, at: now });
        *visit = Visit { uses: visit.faded(now) + 1.0, at: now.max(visit.at) };
        if self.0.len() > MAX_VISITS {
            self.forget(now);
        }
    }

    /// The uses of each path, weighted by age at `now`.
    pub fn uses(&self, now: i64) -> impl Iterator<Item = (RelPath, f32)> {
        self.0.iter().map(move |(path, visit)| (path.clone(), visit.faded(now)))
    }

    /// Drops faded paths, and the least used ones above the limit.
    pub fn forget(&mut self, now: i64) {
        self.0.retain(|_, visit| visit.faded(now) >= MIN_USES);
        let excess = self.0.len().saturating_sub(MAX_VISITS);
        if excess == 0 {
            return;
        }
        let mut order: Vec<(f32, RelPath)> = self.uses(now).map(|(path, uses)| (uses, path)).collect();
        order.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cmp(&right.1)));
        for (_, path) in order.into_iter().take(excess) {
            self.0.remove(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    /// Notes `path@day` in order, and compares what is known on `day`: `path=uses`, rounded to hundredths.
    #[track_caller]
    fn check(noted: &str, day: i64, expect: &str) {
        let mut visits = Visits::default();
        for (path, at) in noted.split_whitespace().filter_map(|note| note.split_once('@')) {
            visits.note(path.into(), at.parse::<i64>().expect("a day") * DAY);
        }
        visits.forget(day * DAY);
        let known: Vec<String> =
            visits.uses(day * DAY).map(|(path, uses)| format!("{}={uses:.2}", path.text())).collect();
        assert_eq!(known.join(" "), expect, "{noted}");
        let again = Visits::from_entries(visits.entries().map(|(path, uses, at)| (path.clone(), uses, at)));
        assert_eq!(again, visits);
    }

    #[test]
    fn uses_add_up_and_fade() {
        check("a@0 b@0 a@0", 0, "a=2.00 b=1.00");
        check("a@0 b@3", 3, "a=0.50 b=1.00");
        check("a@0 a@3 a@6", 6, "a=1.75");
        check("a@0 b@10", 13, "b=0.50");
        check("", 0, "");
    }

    #[test]
    fn tolerates_a_clock_set_back() {
        check("a@9 a@3", 3, "a=2.00");
        check("a@9", 3, "a=1.00");
    }

    #[test]
    fn forgets_the_least_used() {
        let mut visits = Visits::default();
        visits.note("old".into(), 0);
        (0..MAX_VISITS).for_each(|at| visits.note(format!("{at:04}").as_str().into(), DAY));
        assert_eq!(visits.entries().count(), MAX_VISITS);
        assert!(visits.entries().all(|(path, ..)| path.text() != "old"));
        visits.note("new".into(), DAY + 1);
        assert!(visits.entries().any(|(path, ..)| path.text() == "new"));
        assert!(visits.entries().all(|(path, ..)| path.text() != "0000"));
    }

    #[test]
    fn drops_invalid_numbers() {
        let entries = [("a", f32::NAN), ("b", f32::INFINITY), ("c", -1.0), ("d", 1.0)];
        let visits = Visits::from_entries(entries.map(|(path, uses)| (path.into(), uses, i64::MIN)));
        assert_eq!(visits.entries().count(), 1);
        assert_eq!(visits.uses(i64::MAX).map(|(_, uses)| uses.to_bits()).collect::<Vec<_>>(), [0]);
    }
}
