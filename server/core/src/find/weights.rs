//! `FindWeights`: the fitted table of weights, embedded from `weights.txt`.

use std::sync::LazyLock;

use super::feature::{FindFeature, FindVector};
use crate::answer::Contribution;
use crate::table;

/// Points per unit of each feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FindWeights(FindVector);

impl FindWeights {
    /// The table that is built in.
    pub(super) fn built_in() -> &'static Self {
        static TABLE: LazyLock<FindWeights> = LazyLock::new(|| FindWeights::parse(include_str!("weights.txt")));
        &TABLE
    }

    fn parse(text: &str) -> Self {
        let mut weights = [0.0; FindFeature::ALL.len()];
        for (name, value) in table::lines(text) {
            if let Some(&feature) = FindFeature::ALL.iter().find(|feature| feature.name() == name) {
                weights[feature as usize] = value;
            }
        }
        Self(weights)
    }

    /// Returns the sum of the evidence features, and the sum of all.
    pub(super) fn points(&self, vector: &FindVector) -> (f32, f32) {
        let points = |feature: &FindFeature| self.0[*feature as usize] * vector[*feature as usize];
        let evidence: f32 = FindFeature::ALL.iter().filter(|feature| feature.is_evidence()).map(points).sum();
        (evidence, FindFeature::ALL.iter().map(points).sum())
    }

    /// Returns the nonzero parts of the points.
    pub(super) fn contributions(&self, vector: &FindVector) -> Vec<Contribution> {
        let points = |feature: FindFeature| self.0[feature as usize] * vector[feature as usize];
        let named =
            FindFeature::ALL.iter().map(|&feature| Contribution { name: feature.name(), points: points(feature) });
        named.filter(|contribution| contribution.points.abs() > 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently have no weight.
    #[test]
    fn table_lists_every_feature_in_order() {
        let lines: Vec<&str> = table::lines(include_str!("weights.txt")).map(|(name, _)| name).collect();
        let features: Vec<&str> = FindFeature::ALL.iter().map(|feature| feature.name()).collect();
        assert_eq!(lines, features, "same names, same order");
    }
}
