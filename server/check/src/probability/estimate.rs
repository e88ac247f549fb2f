//! The probability that a literal is broken, as an edge shows it, and the fitted weights behind it.

use std::sync::LazyLock;

use pathfinder_core::table;
use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use crate::static_names;

/// The probability that a literal is broken, with its evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrokenEstimate {
    /// 0–1.
    pub probability: f32,
    /// Each observation, and its contribution to the log odds.
    #[serde(deserialize_with = "static_names::read_weights")]
    pub evidence: Vec<(&'static str, f32)>,
}

impl BrokenEstimate {
    /// An estimate of 1, without evidence.
    pub fn certain() -> Self {
        Self { probability: 1.0, evidence: Vec::new() }
    }

    /// Returns whether a literal with this estimate is reported.
    pub fn is_reported(&self) -> bool {
        self.probability >= TABLE.report
    }

    /// Returns whether a literal is certainly broken, so that its fix may be applied without review.
    pub(crate) fn is_certain(&self) -> bool {
        self.probability >= TABLE.certain
    }

    /// Returns whether the literal may be broken on purpose: its author silences another checker, or its file is test
    /// input, can be read from elsewhere, or is younger than the move of the target, or a rule of the language gives another reason for the miss.
    pub(crate) fn can_be_deliberate(&self) -> bool {
        const DELIBERATE: [Evidence; 6] = [
            Evidence::Silenced,
            Evidence::TakenOver,
            Evidence::InFixture,
            Evidence::RuleOptional,
            Evidence::RuleProduced,
            Evidence::RuleUndecided,
        ];
        // Code of a program stands in directories of such names too: its other literals lead to files.
        let is_of_program = self.has(Evidence::FileMost) && self.has(Evidence::TargetKnown);
        let is_open = |evidence: Evidence| evidence != Evidence::InFixture || !is_of_program;
        DELIBERATE.into_iter().any(|evidence| self.has(evidence) && is_open(evidence))
    }

    /// Returns whether git's history never had the target, or an example names a path of its reader. Then nothing was
    /// moved, and only a typo explains the miss.
    pub(crate) fn has_never_worked(&self) -> bool {
        let had = self.has(Evidence::HistoryHad) || self.has(Evidence::TargetKnown);
        self.has(Evidence::HistoryNever)
            || self.has(Evidence::HistoryNotLately)
            || self.has(Evidence::InExample) && !had
    }

    /// Returns whether git's history had another path that the literal can name, and not that of which the move is known.
    pub(crate) fn has_other_history(&self) -> bool {
        self.has(Evidence::HistoryHad) && !self.has(Evidence::TargetKnown)
    }

    /// Returns whether most literals of its form lead nowhere, so that it is unknown how they are read.
    pub(crate) fn is_of_unknown_form(&self) -> bool {
        self.has(Evidence::FormNone) || self.has(Evidence::FormSome)
    }

    /// Returns whether the literal is a value of data of which no rule says that it is a path, in a file whose other values are
    /// not all paths either: a list of what an upgrade renames keeps the old names.
    pub(crate) fn is_lone_value(&self) -> bool {
        self.has(Evidence::Value) && !self.has(Evidence::FileMost)
    }

    fn has(&self, evidence: Evidence) -> bool {
        self.evidence.iter().any(|(name, _)| *name == evidence.name())
    }

    /// The reason why a literal is not reported: the strongest evidence against it.
    pub(crate) fn explain_doubt(&self) -> String {
        /// Observations that are named; the JSON has all.
        const MAX_NAMED_REASONS: usize = 4;
        let mut against: Vec<_> = self.evidence.iter().filter(|(_, weight)| *weight < 0.0).collect();
        against.sort_by(|a, b| a.1.total_cmp(&b.1));
        let names: Vec<&str> = against.into_iter().take(MAX_NAMED_REASONS).map(|(name, _)| *name).collect();
        format!("broken with probability {:.2} ({})", self.probability, names.join(", "))
    }
}

/// The fitted parameters.
pub(super) struct ProbabilityTable {
    /// Log odds without any evidence.
    pub(super) bias: f32,
    /// Weights by [`Evidence`].
    pub(super) weights: [f32; Evidence::ALL.len()],
    /// Least probability of a reported literal.
    report: f32,
    /// Least probability of a certainly broken literal.
    certain: f32,
}

pub(super) static TABLE: LazyLock<ProbabilityTable> = LazyLock::new(|| {
    let mut table = ProbabilityTable { bias: 0.0, weights: [0.0; Evidence::ALL.len()], report: 1.0, certain: 1.0 };
    for (name, value) in table::lines(include_str!("weights.txt")) {
        match name {
            "bias" => table.bias = value,
            "report" => table.report = value,
            "certain" => table.certain = value,
            _ => {
                if let Some(at) = Evidence::ALL.iter().position(|evidence| evidence.name() == name) {
                    table.weights[at] = value;
                }
            }
        }
    }
    table
});

#[cfg(test)]
mod tests {
    use pathfinder_core::table;

    use super::Evidence;

    /// A misspelt line would silently weigh nothing.
    #[test]
    fn every_evidence_has_a_line() {
        let named: Vec<&str> = table::lines(include_str!("weights.txt")).map(|(name, _)| name).collect();
        let mut all: Vec<&str> = vec!["report", "certain", "bias"];
        all.extend(Evidence::ALL.iter().map(|evidence| evidence.name()));
        assert_eq!(named, all, "same names, same order");
    }
}
