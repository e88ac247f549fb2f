//! Compares a candidate's last segment with the requested name. Called by `Scorer`.

use std::borrow::Cow;

use super::extension::{self, STANDING_STEM_MAX, is_entry, is_index};
use super::flags::PathFlags;
use super::schema::{Feature, FeatureVector};
use crate::distance::{common_prefix, edits_allowed, word_similarity};
use crate::prepared_query::TargetName;
use crate::words::{WordList, fold, key_of, split_extension};

/// A candidate's last segment, split once for all readings that it is compared with. Most parts are parts of the name.
pub(crate) struct NameParts<'a> {
    name: &'a [u8],
    stem: &'a [u8],
    /// The whole name, folded.
    folded: Cow<'a, str>,
    /// Lower case, without the dot; empty if there is none.
    pub(crate) extension: Cow<'a, str>,
    pub(crate) key: Cow<'a, [u8]>,
    pub(crate) words: WordList<'a>,
    pub(crate) flags: PathFlags,
    /// Its stem stands for its directory; see [`is_index`].
    pub(crate) is_index: bool,
    /// A program, a package or a page begins in it; see [`is_entry`].
    pub(crate) is_entry: bool,
}

impl<'a> NameParts<'a> {
    /// Splits and folds a name.
    pub(crate) fn new(name: &'a [u8]) -> Self {
        let (stem, extension) = split_extension(name);
        let words = WordList::new(stem);
        // Most stems are too long for the few that stand for something.
        let stem_folded = if stem.len() > STANDING_STEM_MAX && stem.is_ascii() { Cow::default() } else { fold(stem) };
        Self {
            name,
            stem,
            folded: fold(name),
            extension: fold(extension),
            key: key_of(stem),
            flags: PathFlags::from_words(words.iter()),
            is_index: is_index(&stem_folded),
            is_entry: is_entry(&stem_folded),
            words,
        }
    }
}

/// Deduction per edit from [`Feature::StemTypo`]: three edits, the most that a typo has, leave about half.
const TYPO_STEP: f32 = 0.15;

/// Names with a lower letter similarity, a lower word share and no common beginning or end are unrelated. Without this
/// limit, any file in the requested directory came before a misspelt one in another package. Of 425 such slips in the
/// tests' monorepo 54 were first; with it 116 are. Renames did not suffer (first: 0.7706, 0.7745).
const MIN_SIMILARITY: f32 = 0.5;
const MIN_WORD_SHARE: f32 = 0.4;

/// Sets the features that compare the requested extension with the candidate's.
pub(crate) fn set_extension_features(asked: &TargetName, extension: &str, vector: &mut FeatureVector) {
    let mut set = |feature: Feature, value: f32| vector[feature as usize] = value;
    if asked.extension == extension {
        set(Feature::ExtensionSame, 1.0);
    } else if asked.extension.is_empty() || extension.is_empty() {
        set(Feature::ExtensionNone, 1.0);
    } else {
        set(Feature::ExtensionNear, extension::nearness(&asked.extension, extension));
        let counterparts = extension::are_counterparts(&asked.extension, extension);
        set(Feature::Counterpart, f32::from(u8::from(counterparts)));
    }
}

/// Sets the features that compare the requested name with the candidate's, apart from their extensions.
pub(crate) fn set_name_features(asked: &TargetName, parts: &NameParts<'_>, vector: &mut FeatureVector) {
    let mut set = |feature: Feature, value: f32| vector[feature as usize] = value;
    let same_extension = asked.extension == parts.extension;
    let flag = |yes: bool| f32::from(u8::from(yes));
    set(Feature::NameExact, flag(asked.text.as_bytes() == parts.name));
    set(Feature::NameCase, flag(asked.folded == parts.folded));
    set(Feature::StemExact, flag(asked.stem.as_bytes() == parts.stem));
    let same_key = asked.key == *parts.key && (!asked.key.is_empty() || asked.folded == parts.folded);
    set(Feature::StemStyle, flag(same_key));
    set(Feature::NameStyle, flag(same_key && same_extension));
    let is_reordered = has_reordered_words(asked, parts);
    set(Feature::NumbersDiffer, flag(!is_reordered && !has_equal_numbers(asked, parts)));
    set(Feature::NameTest, flag(parts.flags.has(PathFlags::TEST) != asked.is_test));
    if same_key {
        // An equal name gets the highest value of each similarity, so that no candidate gains by a small difference.
        for feature in
            [Feature::StemEdit, Feature::StemTypo, Feature::WordsKept, Feature::WordsAsked, Feature::StemContained]
        {
            set(feature, 1.0);
        }
        return;
    }
    let longer = asked.key.len().max(parts.key.len()).max(1);
    let distance = asked.pattern.distance(&parts.key);
    let similarity = (1.0 - distance as f32 / longer as f32).max(0.0);
    let (mut kept, mut wanted) = word_overlap(asked, parts);
    if distance <= edits_allowed(asked.key.len().min(parts.key.len())) {
        let typo = 1.0 - TYPO_STEP * distance as f32;
        set(Feature::StemTypo, typo);
        // A misspelt name has all the requested words; short words alone would not show it.
        (kept, wanted) = (kept.max(typo), wanted.max(typo));
    }
    set(Feature::WordsKept, kept);
    set(Feature::WordsAsked, wanted);
    let contained = if is_reordered { 1.0 } else { containment(&asked.key, &parts.key) };
    set(Feature::StemContained, contained);
    // Letters that any two names share by chance are no similarity.
    let unlike = similarity < MIN_SIMILARITY && kept < MIN_WORD_SHARE && contained == 0.0;
    set(Feature::StemEdit, if unlike { -1.0 } else { similarity });
}

/// A typo leaves numbers alone: `tutorial003` is not a misspelt `tutorial002`.
fn has_equal_numbers(asked: &TargetName, parts: &NameParts<'_>) -> bool {
    asked.key.iter().filter(|byte| byte.is_ascii_digit()).eq(parts.key.iter().filter(|byte| byte.is_ascii_digit()))
}

/// Returns whether both names have the same words in different orders. Such a name lacks nothing of the other, unlike one
/// that is its beginning: `tutorial001_pv1_py310`, not `tutorial001_py310`, was `tutorial001_py310_pv1`.
fn has_reordered_words(asked: &TargetName, parts: &NameParts<'_>) -> bool {
    // A single word cannot be in another order, and an order changes no length.
    if asked.words.len() < 2 || asked.words.len() != parts.words.len() || asked.key.len() != parts.key.len() {
        return false;
    }
    let mut left: Vec<&str> = asked.words.iter().map(|word| word.word.as_str()).collect();
    let mut right: Vec<&str> = parts.words.iter().collect();
    left.sort_unstable();
    right.sort_unstable();
    left == right
}

/// Returns (share of the requested words, by weight, that the candidate has; share of its words that were requested).
fn word_overlap(asked: &TargetName, parts: &NameParts<'_>) -> (f32, f32) {
    if asked.words.is_empty() || parts.words.is_empty() {
        return (0.0, 0.0);
    }
    let (mut kept, mut total) = (0.0, 0.0);
    for word in &asked.words {
        // A word that is in every name still counts a little, or names of common words would match nothing.
        let weight = word.weight.max(0.1);
        let best = parts.words.iter().map(|other| word_similarity(&word.word, other)).fold(0.0, f32::max);
        kept += weight * best;
        total += weight;
    }
    let wanted: f32 = parts
        .words
        .iter()
        .map(|word| asked.words.iter().map(|other| word_similarity(&other.word, word)).fold(0.0, f32::max))
        .sum();
    (kept / total, wanted / parts.words.len() as f32)
}

/// Returns the shorter key's share of the longer, if the longer begins or ends with it.
fn containment(left: &[u8], right: &[u8]) -> f32 {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    // Keys of two letters begin or end too many names.
    if short.len() < 3 || !(common_prefix(short, long) == short.len() || long.ends_with(short)) {
        return 0.0;
    }
    short.len() as f32 / long.len() as f32
}

#[cfg(test)]
mod tests {
    use crate::Request;
    use crate::testing::Tree;

    #[track_caller]
    fn check(tree: &str, query: &str, first: &str) {
        let answer = Tree::new(tree).ask(&Request::new(query));
        let shown = answer.candidates.first().map(|candidate| candidate.path.text().into_owned());
        assert_eq!(shown.as_deref(), Some(first), "{query}: {:?}", answer.candidates);
    }

    #[test]
    fn the_same_words_in_another_order_lack_nothing() {
        let tree = "docs/extra/tutorial001_py310.py\ndocs/extra/tutorial001_pv1_py310.py\ndocs/extra/tutorial001.py\n";
        check(tree, "docs/extra/tutorial001_py310_pv1.py", "docs/extra/tutorial001_pv1_py310.py");
    }

    #[test]
    fn words_that_the_directory_says_count_less() {
        let tree = "tests/worker/test_worker.py\ntests/worker/test_control.py\ntests/app/test_app.py\n";
        check(tree, "tests/test_worker/test_worker_control.py", "tests/worker/test_control.py");
        // A directory that is there was not renamed with its files.
        let tree = "checkpoint/checkpoint.go\ncheckpoint/id/id.go\ncheckpoint/store/store.go\n";
        check(tree, "checkpoint/id/checkpoint_id.go", "checkpoint/id/id.go");
    }
}
