//! How likely the first candidate is the one meant: logistic regression on a few signals.

use super::{Found, question::CLOSE};
use crate::features::Feature;

/// Points of raw score by which the first candidate can be ahead; more changes nothing.
const MARGIN_MAX: f32 = 3.0;

/// Signals that are not features of the first candidate, by their names in the table.
const COMPUTED: [&str; 9] =
    ["bias", "raw", "margin", "margin_style", "narrow", "rivals", "bare", "bare_margin", "style_share"];

/// The table of weights, embedded from `confidence.txt`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Calibration {
    computed: [f32; COMPUTED.len()],
    features: [f32; Feature::ALL.len()],
}

impl Calibration {
    /// The table that is built in.
    pub(crate) fn built_in() -> Self {
        Self::parse(include_str!("confidence.txt"))
    }

    fn parse(text: &str) -> Self {
        let mut table = Self { computed: [0.0; COMPUTED.len()], features: [0.0; Feature::ALL.len()] };
        for (name, value) in crate::rank::table_lines(text) {
            if let Some(at) = COMPUTED.iter().position(|&signal| signal == name) {
                table.computed[at] = value;
            } else if let Some(feature) = Feature::ALL.iter().find(|feature| feature.name() == name) {
                table.features[*feature as usize] = value;
            }
        }
        table
    }

    /// Probability, 0–1; 0 where there is no candidate.
    pub(crate) fn confidence(&self, found: &Found<'_>) -> f32 {
        let Some(first) = found.ranked.first() else { return 0.0 };
        let margin = found.ranked.get(1).map_or(MARGIN_MAX, |second| (first.raw - second.raw).min(MARGIN_MAX));
        let rivals = found.ranked.iter().filter(|other| other.raw > first.raw - CLOSE).count();
        let bare = f32::from(u8::from(found.asked.targets[first.target].directories.is_empty()));
        let style = first.get(Feature::StemStyle);
        let share = first.get(Feature::DirectoryShare);
        let signals = [
            1.0,
            first.raw,
            margin,
            margin * style,
            (0.5 - margin).max(0.0),
            (rivals as f32).ln(),
            bare,
            bare * margin,
            style * share,
        ];
        let computed: f32 = self.computed.iter().zip(signals).map(|(weight, value)| weight * value).sum();
        let features: f32 = self.features.iter().zip(&first.vector).map(|(weight, value)| weight * value).sum();
        1.0 / (1.0 + (-(computed + features)).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently weigh nothing.
    #[test]
    fn every_line_names_a_signal() {
        let lines = crate::rank::table_lines(include_str!("confidence.txt"));
        for (name, value) in lines {
            assert!(value.is_finite(), "{name}");
            assert!(
                COMPUTED.contains(&name) || Feature::ALL.iter().any(|feature| feature.name() == name),
                "{name} is no signal"
            );
        }
    }
}
