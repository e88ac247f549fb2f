//! `RankWeights`: the fitted table of weights, embedded from `weights.txt`.

use crate::features::{Feature, FeatureVector};
use crate::table;

/// One weight per feature, in points of raw score per unit of the feature.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankWeights(FeatureVector);

impl RankWeights {
    /// Parses the embedded table.
    pub(crate) fn built_in() -> Self {
        Self::parse(include_str!("weights.txt"))
    }

    /// Parses a table; a feature without a line has weight 0.
    fn parse(text: &str) -> Self {
        let mut weights = [0.0; Feature::ALL.len()];
        for (name, value) in table::lines(text) {
            if let Some(&feature) = Feature::ALL.iter().find(|feature| feature.name() == name) {
                weights[feature as usize] = value;
            }
        }
        Self(weights)
    }

    /// Returns the weight of a feature.
    pub(crate) fn get(&self, feature: Feature) -> f32 {
        self.0[feature as usize]
    }

    /// Returns this table with another weight for one feature.
    pub(crate) fn with(&self, feature: Feature, weight: f32) -> Self {
        let mut weights = self.clone();
        weights.0[feature as usize] = weight;
        weights
    }

    /// Returns the weighted sum of a vector: the raw score.
    pub(crate) fn score(&self, vector: &FeatureVector) -> f32 {
        self.0.iter().zip(vector).map(|(weight, value)| weight * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently have no weight.
    #[test]
    fn table_lists_every_feature_in_order() {
        let text = include_str!("weights.txt");
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut named: Vec<&str> = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(char::is_whitespace).expect("name and value");
            assert!(value.trim().parse::<f32>().is_ok_and(f32::is_finite), "{line}");
            named.push(name);
        }
        let features: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
        assert_eq!(named, features, "same names, same order");
    }
}
