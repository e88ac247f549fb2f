//! How likely the first candidate is the one meant: logistic regression on a few signals.

use rustc_hash::FxHashMap;

use super::{Found, question::CLOSE, said};
use crate::features::Feature;
use crate::features::extension::is_entry;
use crate::rank::Ranked;
use crate::table;

/// Points of raw score by which the first candidate can be ahead; more changes nothing.
const MARGIN_MAX: f32 = 3.0;
/// A margin below this is a near-tie, which is worse than in proportion.
const NARROW: f32 = 0.5;

/// How the first candidate's name came to fit, and whether the caller said what it is doing: what makes one kind sure
/// says little of another, so each has its own weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// Only a name was asked for, and it has exactly that, somewhere below the root.
    Bare,
    /// It has the name, up to case, separators and extension.
    Equal,
    /// Its name is within typing distance: a slip, whatever the caller is doing.
    Typo,
    /// Its name is something else. Too few of these are the one meant to tell those with an intent from those without.
    Other,
    /// The first two again, with an intent, which can be held against the candidate.
    BareTold,
    EqualTold,
}

impl Fit {
    /// All of them, with the names that the table uses.
    const ALL: [(Self, &'static str); 6] = [
        (Self::Bare, "bare"),
        (Self::Equal, "equal"),
        (Self::Typo, "typo"),
        (Self::Other, "other"),
        (Self::BareTold, "bare_told"),
        (Self::EqualTold, "equal_told"),
    ];

    fn told(self) -> Self {
        match self {
            Self::Bare => Self::BareTold,
            Self::Equal => Self::EqualTold,
            other => other,
        }
    }
}

/// Signals that say how the first candidate stands among the others, before those that are its features.
const STANDING: [&str; 13] = [
    "bias",
    "margin",
    "narrow",
    "rivals",
    "parent_fits",
    "elsewhere",
    "entry_elsewhere",
    "common",
    "extension_at_home",
    "alone",
    "namesakes",
    "in_place",
    // Whether a model was asked: margins are other ones then.
    COMPARED,
];

/// Of the signals that only a model makes; where none was asked they are not shown.
const COMPARED: &str = "compared";

/// Names of all signals, in order.
fn names() -> impl Iterator<Item = &'static str> {
    STANDING.into_iter().chain(said::NAMES).chain(Feature::ALL.iter().map(|feature| feature.name()))
}

/// What confidence is computed from.
pub(super) struct Signals {
    fit: Fit,
    values: Vec<f32>,
}

impl Signals {
    /// `None` where there is no candidate.
    pub(super) fn of(found: &Found<'_>) -> Option<Self> {
        let first = found.ranked.first()?;
        let margin = found.ranked.get(1).map_or(MARGIN_MAX, |second| (first.raw - second.raw).min(MARGIN_MAX));
        let rivals = found.ranked.iter().filter(|other| other.raw > first.raw - CLOSE).count() as f32;
        let target = &found.asked.targets[first.target];
        let name = &found.asked.names[target.name];
        let other_extension = first.get(Feature::ExtensionSame) == 0.0 && !name.extension.is_empty();
        let flag = |yes: bool| f32::from(u8::from(yes));
        let in_place = first.get(Feature::DirectoriesExact) > 0.0;
        let standing: [f32; STANDING.len()] = [
            1.0,
            margin,
            (NARROW - margin).max(0.0),
            rivals.ln(),
            flag(target.directories.is_empty() || first.get(Feature::ParentSame) > 0.0),
            flag(target.place_exists && !in_place),
            // Every package may have a `main.rs`: one that has none is not meant to have its neighbour's.
            flag(target.place_exists && !in_place && is_entry(&name.stem.to_ascii_lowercase())),
            name.common,
            // `foo.h` is no slip for `foo.c` where half the files are headers; `foo.py` among Rust files is one.
            if other_extension { name.extension_usual } else { 0.0 },
            flag(margin >= MARGIN_MAX),
            (1.0 + namesakes(&found.ranked[1..])).ln(),
            if in_place { 0.0 } else { fit_in_place(&found.ranked[1..]) },
            flag(found.meant.is_some()),
        ];
        let fit = if first.get(Feature::StemStyle) > 0.0 {
            // A bare name that fits in the root itself, or that is spelled otherwise, is a path like any other.
            let bare = target.directories.is_empty() && !in_place && first.get(Feature::NameExact) > 0.0;
            if bare { Fit::Bare } else { Fit::Equal }
        } else if first.get(Feature::StemTypo) > 0.0 {
            Fit::Typo
        } else {
            Fit::Other
        };
        let fit = if said::told(found) { fit.told() } else { fit };
        let said = said::values(found, first);
        Some(Self { fit, values: standing.into_iter().chain(said).chain(first.vector).collect() })
    }

    /// The numbers by name, and a 1 for the kind of fit.
    pub(super) fn named(&self) -> Vec<(&'static str, f32)> {
        let fit = Fit::ALL.into_iter().filter(|(fit, _)| *fit == self.fit).map(|(_, name)| (name, 1.0));
        let compared = names().zip(&self.values).any(|(name, &value)| name == COMPARED && value > 0.0);
        let shown = |name: &str| compared || name != COMPARED && name != Feature::MaxSim.name();
        fit.chain(names().zip(self.values.iter().copied()).filter(|(name, _)| shown(name))).collect()
    }
}

/// How many of these have the stem that was asked for.
fn namesakes(others: &[Ranked]) -> f32 {
    others.iter().filter(|other| other.get(Feature::StemStyle) > 0.0).count() as f32
}

/// How much of the name asked for the best of these has, of those that stand in the very place: `a/svgNamespace.ts` may
/// be what became of `a/svg.ts`, and `b/svg.ts` another file.
fn fit_in_place(others: &[Ranked]) -> f32 {
    let there = others.iter().filter(|other| other.get(Feature::DirectoriesExact) > 0.0);
    there.map(|other| other.get(Feature::WordsKept).max(other.get(Feature::StemContained))).fold(0.0, f32::max)
}

/// One weight per kind of fit and signal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Calibration([Vec<f32>; Fit::ALL.len()]);

impl Calibration {
    /// The table that is built in, from `confidence.txt`: lines `fit.signal weight`. What has no line weighs nothing.
    pub(crate) fn built_in() -> Self {
        let lines = table::lines(include_str!("confidence.txt"));
        let table: FxHashMap<(&str, &str), f32> =
            lines.filter_map(|(name, weight)| Some((name.split_once('.')?, weight))).collect();
        let weight = |fit, signal| table.get(&(fit, signal)).copied().unwrap_or_default();
        Self(Fit::ALL.map(|(_, fit)| names().map(|signal| weight(fit, signal)).collect()))
    }

    /// Probability, 0–1.
    pub(super) fn confidence(&self, signals: &Signals) -> f32 {
        let sum: f32 =
            self.0[signals.fit as usize].iter().zip(&signals.values).map(|(weight, value)| weight * value).sum();
        1.0 / (1.0 + (-sum).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently weigh nothing.
    #[test]
    fn every_line_names_a_signal() {
        let text = include_str!("confidence.txt");
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
        assert_eq!(lines.count(), table::lines(text).count(), "every line is `name value`");
        for (name, value) in table::lines(text) {
            let (fit, signal) = name.split_once('.').expect("fit.signal");
            assert!(value.is_finite() && Fit::ALL.iter().any(|(_, name)| *name == fit), "{name} {value}");
            assert!(names().any(|name| name == signal), "{name}");
        }
    }
}
