//! How likely the first candidate is the one meant: logistic regression on a few signals.

use super::{Found, question::CLOSE};
use crate::features::Feature;
use crate::rank::table_lines;

/// Points of raw score by which the first candidate can be ahead; more changes nothing.
const MARGIN_MAX: f32 = 3.0;
/// A margin below this is a near-tie, which is worse than in proportion.
const NARROW: f32 = 0.5;

/// How the first candidate's name came to fit: what makes one kind sure says little of another, so each has its
/// own weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// Only a name was asked for, and it has exactly that, somewhere below the root.
    Bare,
    /// It has the name, up to case, separators and extension.
    Equal,
    /// Its name is within typing distance.
    Typo,
    /// Its name is something else.
    Other,
}

impl Fit {
    /// All of them, with the names that the table uses.
    const ALL: [(Self, &'static str); 4] =
        [(Self::Bare, "bare"), (Self::Equal, "equal"), (Self::Typo, "typo"), (Self::Other, "other")];
}

/// Signals that say how the first candidate stands among the others, before those that are its features.
const STANDING: [&str; 8] =
    ["bias", "margin", "narrow", "rivals", "parent_fits", "elsewhere", "common", "extension_at_home"];

/// Names of all signals, in order.
fn names() -> impl Iterator<Item = &'static str> {
    STANDING.into_iter().chain(Feature::ALL.iter().map(|feature| feature.name()))
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
            name.common,
            // `foo.h` is no slip for `foo.c` where half the files are headers; `foo.py` among Rust files is one.
            if other_extension { name.extension_usual } else { 0.0 },
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
        Some(Self { fit, values: standing.into_iter().chain(first.vector).collect() })
    }

    /// The numbers by name, and a 1 for the kind of fit.
    pub(super) fn named(&self) -> Vec<(&'static str, f32)> {
        let fit = Fit::ALL.into_iter().filter(|(fit, _)| *fit == self.fit).map(|(_, name)| (name, 1.0));
        fit.chain(names().zip(self.values.iter().copied())).collect()
    }
}

/// One weight per kind of fit and signal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Calibration([Vec<f32>; Fit::ALL.len()]);

impl Calibration {
    /// The table that is built in, from `confidence.txt`: lines `fit.signal weight`. What has no line weighs nothing.
    pub(crate) fn built_in() -> Self {
        let table: Vec<(&str, f32)> = table_lines(include_str!("confidence.txt")).collect();
        let weight = |fit: &str, signal: &str| {
            let line = table.iter().find(|(name, _)| name.split_once('.') == Some((fit, signal)));
            line.map_or(0.0, |&(_, weight)| weight)
        };
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
        assert_eq!(lines.count(), table_lines(text).count(), "every line is `name value`");
        for (name, value) in table_lines(text) {
            let (fit, signal) = name.split_once('.').expect("fit.signal");
            assert!(value.is_finite() && Fit::ALL.iter().any(|(_, name)| *name == fit), "{name} {value}");
            assert!(names().any(|name| name == signal), "{name}");
        }
    }
}
