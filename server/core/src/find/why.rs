//! What fits, in a few words.

use super::evidence::Described;
use super::feature::Feature;

/// Says the strongest reason, and what is declared.
pub(super) fn why(described: &Described) -> String {
    let is = |feature| described.is(feature);
    let name = if is(Feature::ExactPath) {
        "path"
    } else if is(Feature::PathEnd) {
        "end of path"
    } else if is(Feature::ExactStem) {
        "name"
    } else if is(Feature::ExactParent) {
        "directory's name"
    } else if is(Feature::StemTypo) {
        "typo in name"
    } else if is(Feature::StemWords) {
        "words in name"
    } else if is(Feature::Spread) {
        "words in path"
    } else if is(Feature::StemPart) && is(Feature::Directory) || described.get(Feature::StemPart) >= 0.5 {
        "some words in path"
    } else if is(Feature::Directory) && !is(Feature::Missing) {
        "words in directory"
    } else if is(Feature::Letters) {
        "abbreviated"
    } else {
        ""
    };
    let mut parts: Vec<String> = Vec::new();
    match (&described.declares, described.contents) {
        (Some(declares), _) if is(Feature::SymbolTypo) => parts.push(format!("{declares} (typo)")),
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
