//! Computes the probability that the first candidate is the requested file: the probability that any candidate is,
//! times the probability that it is the first one. Called by `decide`.

use super::decision_trees::DecisionTrees;
use super::input::{DecisionInput, RerankBasis};
use super::next_question::CLOSE_POINTS;
use super::{convention, difference, directory_kind, intent_signals, usage};
use crate::features::Feature;
use crate::features::extension::is_entry;
use crate::rank::Ranked;

/// Largest lead of the first candidate, in points of raw score; a larger one changes nothing.
const MARGIN_MAX: f32 = 3.0;
/// A margin below this is a near-tie, which is worse than in proportion.
const NARROW: f32 = 0.5;

/// Signals of the first candidate's position among the others. The candidate's own features follow them.
const RANKING_SIGNALS: [&str; 18] = [
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
    // Files of all roots, on a logarithmic scale: 1 is a hundred thousand.
    "tree_size",
    // The first candidate is a directory, and the request reads a file.
    "is_directory",
    // The extension belongs to another family: `foo.rs` for `foo.py`.
    "family_changed",
    // Similarity of the second candidate's stem, -1 without a second one.
    "second_edit",
    // The request has an intent.
    "told",
    // True if a model was asked: it changes the margins.
    COMPARED,
];

/// The signal that is shown only where a model was asked.
const COMPARED: &str = "compared";

/// Names of all signals, in order.
fn signal_names() -> impl Iterator<Item = &'static str> {
    let more = difference::NAMES.into_iter().chain(directory_kind::NAMES).chain(convention::NAMES).chain(usage::NAMES);
    RANKING_SIGNALS
        .into_iter()
        .chain(intent_signals::NAMES)
        .chain(more)
        .chain(Feature::ALL.iter().map(|feature| feature.name()))
}

/// Inputs of the fitted confidence model, in the order of [`signal_names`].
pub(super) struct Signals {
    values: Vec<f32>,
}

impl Signals {
    /// Returns `None` if there is no candidate.
    pub(super) fn new(input: &DecisionInput<'_>) -> Option<Self> {
        let first = input.ranked.first()?;
        let margin = input.ranked.get(1).map_or(MARGIN_MAX, |second| (first.raw - second.raw).min(MARGIN_MAX));
        let rivals = input.ranked.iter().filter(|other| other.raw > first.raw - CLOSE_POINTS).count() as f32;
        let target = &input.query.targets[first.target];
        let name = &input.query.names[target.name];
        let other_extension = is_other_extension(input, first);
        let flag = |yes: bool| f32::from(u8::from(yes));
        let in_place = first.get(Feature::DirectoriesExact) > 0.0;
        let ranking: [f32; RANKING_SIGNALS.len()] = [
            1.0,
            margin,
            (NARROW - margin).max(0.0),
            rivals.ln(),
            flag(target.directories.is_empty() || first.get(Feature::ParentSame) > 0.0),
            flag(target.place_exists && !in_place),
            // Every package may have a `main.rs`: a package without one does not want its neighbour's.
            flag(target.place_exists && !in_place && is_entry(&name.stem.to_ascii_lowercase())),
            name.common,
            // `foo.h` is no slip for `foo.c` where half the files are headers; `foo.py` among Rust files is one.
            if other_extension { name.extension_usual } else { 0.0 },
            flag(margin >= MARGIN_MAX),
            (1.0 + count_namesakes(&input.ranked[1..])).ln(),
            if in_place { 0.0 } else { best_fit_in_directory(&input.ranked[1..]) },
            (1.0 + input.files as f32).log10() / 5.0,
            flag(input.is_directory),
            flag(is_other_family(first)),
            input.ranked.get(1).map_or(-1.0, |second| second.get(Feature::StemEdit)),
            flag(intent_signals::has_intent(input)),
            flag(input.rerank.is_some_and(|rerank| rerank.basis == RerankBasis::Model)),
        ];
        let said = intent_signals::values(input, first);
        let more = difference::values(input, first).into_iter().chain(directory_kind::values(input, first));
        let more = more.chain(convention::values(input, first)).chain(usage::values(input, first));
        let values = ranking.into_iter().chain(said).chain(more).chain(first.vector);
        Some(Self { values: values.collect() })
    }

    /// Returns the signals by name, for `--explain`.
    pub(super) fn by_name(&self) -> Vec<(&'static str, f32)> {
        let compared = signal_names().zip(&self.values).any(|(name, &value)| name == COMPARED && value > 0.0);
        let shown = |name: &str, value: f32| match name {
            COMPARED => compared,
            name if name == Feature::MaxSim.name() => compared,
            name if name == Feature::IntentContents.name() => value != 0.0,
            _ => true,
        };
        signal_names().zip(self.values.iter().copied()).filter(|&(name, value)| shown(name, value)).collect()
    }
}

/// Returns whether the first candidate lacks the requested extension.
pub(super) fn is_other_extension(input: &DecisionInput<'_>, first: &Ranked) -> bool {
    let name = &input.query.names[input.query.targets[first.target].name];
    first.get(Feature::ExtensionSame) == 0.0 && !name.extension.is_empty()
}

/// Returns whether the extension belongs to another family.
pub(super) fn is_other_family(first: &Ranked) -> bool {
    let none = |feature| first.get(feature) == 0.0;
    none(Feature::ExtensionSame) && none(Feature::ExtensionNear) && none(Feature::ExtensionNone)
}

/// Counts the candidates with the requested stem.
fn count_namesakes(others: &[Ranked]) -> f32 {
    others.iter().filter(|other| other.get(Feature::StemStyle) > 0.0).count() as f32
}

/// Best share of the requested name among candidates in the requested directory. `a/svgNamespace.ts` may be the
/// successor of `a/svg.ts`, while `b/svg.ts` is another file.
fn best_fit_in_directory(others: &[Ranked]) -> f32 {
    let there = others.iter().filter(|other| other.get(Feature::DirectoriesExact) > 0.0);
    there.map(|other| other.get(Feature::WordsKept).max(other.get(Feature::StemContained))).fold(0.0, f32::max)
}

/// The two fitted models; confidence is the product of their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Calibration {
    /// Probability that one of the candidates is correct.
    present: DecisionTrees,
    /// Probability that the first one is correct, if any is.
    first: DecisionTrees,
    /// Points (unmapped, reported) of a monotone piecewise linear function, ascending.
    map: Vec<(f32, f32)>,
}

impl Calibration {
    /// Parses the embedded `confidence.txt`. A test checks every line of it.
    pub(crate) fn built_in() -> Self {
        let text = include_str!("confidence.txt");
        let signal = |name: &str| signal_names().position(|other| other == name);
        let trees = |name| DecisionTrees::parse(text, name, signal).unwrap_or_default();
        let map = text.lines().filter_map(parse_map_point).collect();
        Self { present: trees(PRESENT), first: trees(FIRST), map }
    }

    /// Probability, 0–1, that one of the candidates is correct.
    pub(super) fn presence(&self, signals: &Signals) -> f32 {
        self.present.probability(&signals.values)
    }

    /// Probability, 0–1, that the first candidate is correct.
    pub(super) fn confidence(&self, signals: &Signals) -> f32 {
        self.presence(signals) * self.first.probability(&signals.values)
    }

    /// Confidence as it is reported: the measured share of right answers at this value. All thresholds are fixed
    /// points, so a value reaches a threshold exactly if the reported value does.
    pub(super) fn reported(&self, confidence: f32) -> f32 {
        let above = self.map.partition_point(|&(from, _)| from <= confidence);
        match (above.checked_sub(1).map(|at| self.map[at]), self.map.get(above)) {
            (Some((low, from)), Some(&(high, to))) => from + (to - from) * (confidence - low) / (high - low),
            _ => confidence,
        }
    }
}

/// Parses a line `map UNMAPPED REPORTED`.
fn parse_map_point(line: &str) -> Option<(f32, f32)> {
    let (from, to) = line.strip_prefix(MAP)?.strip_prefix(' ')?.split_once(' ')?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// First words of the table's lines.
const PRESENT: &str = "present";
const FIRST: &str = "first";
const MAP: &str = "map";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::auto_action::ACT_THRESHOLD;
    use crate::decide::threshold::{AUTO, AUTO_FEW_WORDS, AUTO_MOST_WORDS, AUTO_WITH_INTENT};

    const THRESHOLDS: [f32; 5] = [AUTO, AUTO_MOST_WORDS, AUTO_WITH_INTENT, ACT_THRESHOLD, AUTO_FEW_WORDS];

    /// A misspelt line would silently have no effect.
    #[test]
    fn every_table_line_parses() {
        let text = include_str!("confidence.txt");
        let signal = |name: &str| signal_names().position(|other| other == name);
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        assert!(lines.clone().count() > 2);
        for line in lines {
            if line.starts_with(MAP) {
                assert!(parse_map_point(line).is_some(), "{line}");
                continue;
            }
            let name = line.split(' ').next().unwrap_or_default();
            assert!([PRESENT, FIRST].contains(&name), "{line}");
            assert!(DecisionTrees::parse(line, name, signal).is_some(), "{line}");
        }
    }

    #[test]
    fn map_is_monotone_and_keeps_thresholds() {
        let calibration = Calibration::built_in();
        let reported: Vec<f32> = (0..=1000_u16).map(|at| calibration.reported(f32::from(at) / 1000.0)).collect();
        assert!(reported.windows(2).all(|pair| pair[0] <= pair[1]) && reported[0] < 0.01 && reported[300] < 0.3);
        for threshold in THRESHOLDS {
            assert!((calibration.reported(threshold) - threshold).abs() < 1e-6, "{threshold}");
        }
    }
}
