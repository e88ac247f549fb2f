//! `Visits`: which paths were used, how often and how lately, for as long as that says something.

use std::collections::BTreeMap;

use crate::path::RelPath;

/// Seconds after which a use counts for half: three days, as fff has it for agents (ten are its value for people). An
/// agent's task is done sooner than a person's.
const HALF_LIFE: f32 = 3.0 * 86_400.0;
/// What fades below this is forgotten: one use after 13 days.
const LEAST: f32 = 0.05;
/// Paths remembered of one root; the least known ones go first. More were never used within two weeks by anybody, and
/// all of them are looked at when the engine is told.
const VISITS_MAX: usize = 1000;

/// The uses of the paths of one root. Moments are seconds since 1970, given by who has a clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visits(BTreeMap<RelPath, Visit>);

/// The uses of one path, as they count at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Visit {
    uses: f32,
    at: i64,
}

impl Visit {
    fn faded(self, now: i64) -> f32 {
        // A clock that was set back makes nothing more known than it was.
        let age = now.saturating_sub(self.at).max(0) as f32;
        self.uses * (-age / HALF_LIFE).exp2()
    }
}

impl Visits {
    /// As [`entries`](Self::entries) listed them; numbers that no use makes are left out.
    pub fn from_entries(entries: impl IntoIterator<Item = (RelPath, f32, i64)>) -> Self {
        let sound = entries.into_iter().filter(|(_, uses, _)| uses.is_finite() && *uses > 0.0);
        Self(sound.map(|(path, uses, at)| (path, Visit { uses, at })).collect())
    }

    /// Path, uses, and the moment at which they counted so much; sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = (&RelPath, f32, i64)> {
        self.0.iter().map(|(path, visit)| (path, visit.uses, visit.at))
    }

    /// Notes one use.
    pub fn note(&mut self, path: RelPath, now: i64) {
        let visit = self.0.entry(path).or_insert(Visit { uses: 0.0, at: now });
        *visit = Visit { uses: visit.faded(now) + 1.0, at: now.max(visit.at) };
        if self.0.len() > VISITS_MAX {
            self.forget(now);
        }
    }

    /// How often each path was used, old uses counting for less.
    pub fn uses(&self, now: i64) -> impl Iterator<Item = (RelPath, f32)> {
        self.0.iter().map(move |(path, visit)| (path.clone(), visit.faded(now)))
    }

    /// Drops what has faded, and of the rest what is least known, if it is too much.
    pub fn forget(&mut self, now: i64) {
        self.0.retain(|_, visit| visit.faded(now) >= LEAST);
        let excess = self.0.len().saturating_sub(VISITS_MAX);
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
    fn a_clock_may_be_set_back() {
        check("a@9 a@3", 3, "a=2.00");
        check("a@9", 3, "a=1.00");
    }

    #[test]
    fn the_least_known_are_forgotten() {
        let mut visits = Visits::default();
        visits.note("old".into(), 0);
        (0..VISITS_MAX).for_each(|at| visits.note(format!("{at:04}").as_str().into(), DAY));
        assert_eq!(visits.entries().count(), VISITS_MAX);
        assert!(visits.entries().all(|(path, ..)| path.text() != "old"));
        visits.note("new".into(), DAY + 1);
        assert!(visits.entries().any(|(path, ..)| path.text() == "new"));
        assert!(visits.entries().all(|(path, ..)| path.text() != "0000"));
    }

    #[test]
    fn what_no_use_makes_is_left_out() {
        let entries = [("a", f32::NAN), ("b", f32::INFINITY), ("c", -1.0), ("d", 1.0)];
        let visits = Visits::from_entries(entries.map(|(path, uses)| (path.into(), uses, i64::MIN)));
        assert_eq!(visits.entries().count(), 1);
        assert_eq!(visits.uses(i64::MAX).map(|(_, uses)| uses.to_bits()).collect::<Vec<_>>(), [0]);
    }
}
