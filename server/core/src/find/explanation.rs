//! Writes a hit's `why`: the strongest match, and the declaration.

use super::feature::FindFeature;
use super::file_features::FileFeatures;

/// Returns the strongest reason, preceded by the declaration or the content match.
pub(super) fn explain(features: &FileFeatures) -> String {
    let is = |feature| features.has(feature);
    let name = if is(FindFeature::ExactPath) {
        "path"
    } else if is(FindFeature::PathEnd) {
        "end of path"
    } else if is(FindFeature::ExactStem) {
        "name"
    } else if is(FindFeature::ExactParent) {
        "directory's name"
    } else if is(FindFeature::StemTypo) {
        "typo in name"
    } else if is(FindFeature::StemWords) {
        "words in name"
    } else if is(FindFeature::Spread) {
        "words in path"
    } else if is(FindFeature::StemPart) && is(FindFeature::Directory) || features.get(FindFeature::StemPart) >= 0.5 {
        "some words in path"
    } else if is(FindFeature::Directory) && !is(FindFeature::Missing) {
        "words in directory"
    } else if is(FindFeature::Letters) {
        "abbreviated"
    } else {
        ""
    };
    let mut parts: Vec<String> = Vec::new();
    match (&features.declares, features.contents) {
        (Some(declares), _) if is(FindFeature::SymbolTypo) => parts.push(format!("{declares} (typo)")),
        (Some(declares), _) => parts.push(declares.clone()),
        (None, Some((words, 1))) => parts.push(format!("content has the word{}", if words == 1 { "" } else { "s" })),
        (None, Some((words, of))) if words == of => parts.push("content has the words".to_owned()),
        (None, Some((words, of))) => parts.push(format!("content has {words} of {of} words")),
        (None, None) => {}
    }
    if !name.is_empty() {
        parts.push(name.to_owned());
    }
    if parts.is_empty() {
        parts.push("fits the pattern".to_owned());
    }
    parts.join(", ")
}
