//! Similarity of words in find: inflections, abbreviations, typos, compounds. Used by `scan`, `query` and
//! `file_features`.

use crate::distance::{edits_allowed, edits_within, word_form_similarity, word_similarity};
use crate::index::Snapshot;
use crate::index::layer::Layer;
use crate::words::{for_each_within, letter_set};

/// Less similar words are unrelated.
pub(super) const SIMILARITY_MIN: f32 = 0.6;
/// Factor on another form of a word if names in the tree have the requested word itself.
const KNOWN_FORM: f32 = 0.85;
/// Length of the prefix, in bytes, that compared words share.
const PREFIX_BYTES: usize = 3;
/// Words up to this length may be abbreviations.
const ABBREVIATION_BYTES_MAX: usize = 4;
/// Words this long may be compounds: three letters for each part, and one more, or every name would be split.
const COMPOUND_LETTERS_MIN: usize = 7;
/// Minimum length of a misspelt part: shorter parts resemble too many words.
const MISSPELT_LETTERS_MIN: usize = 5;

/// Similarity of two words (lower case): 1 equal, 0 unrelated. `known`: names in the tree have the requested one, so it
/// is no typo of the other.
pub(super) fn similarity(asked: &str, other: &str, known: bool) -> f32 {
    let (first, last) = (asked.as_bytes().first(), asked.as_bytes().last());
    if first != other.as_bytes().first() && (known || last != other.as_bytes().last()) {
        // Forms and abbreviations share the initial, and typos that change it leave the last letter alone.
        return 0.0;
    }
    if asked == other {
        return 1.0;
    }
    let spelled = if known { KNOWN_FORM } else { 1.0 };
    if word_stem(asked) == word_stem(other) {
        return 0.9 * spelled;
    }
    let alike = if known { word_form_similarity(asked, other) } else { word_similarity(asked, other) };
    // Two letters abbreviate too many words to stand for a longer one: `zh` is no `zayavagoh`.
    if other.len() == 2 && asked.len() > 2 {
        return 0.0;
    }
    if alike < SIMILARITY_MIN { 0.0 } else { alike * spelled }
}

/// Removes a word's inflection: `gating`, `gated`, `gates` and `gate` have one stem.
fn word_stem(word: &str) -> &str {
    /// The rest has to be a word.
    const STEM_BYTES_MIN: usize = 3;
    // Words of a whole tree are compared: the last letter leaves few endings to try.
    let endings: &[&str] = match word.as_bytes().last() {
        Some(b's') => &["ations", "ings", "ers", "ies", "es", "s"],
        Some(b'n') => &["ation"],
        Some(b'g') => &["ing"],
        Some(b'd') => &["ied", "ed"],
        Some(b'r') => &["er", "or"],
        Some(b'e') => &["e"],
        Some(b'y') => &["y"],
        _ => return word,
    };
    for ending in endings {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() >= STEM_BYTES_MIN && word.is_ascii()) {
            let doubled =
                rest.len() > STEM_BYTES_MIN && rest.as_bytes()[rest.len() - 1] == rest.as_bytes()[rest.len() - 2];
            return if doubled && !rest.ends_with(['s', 'l']) { &rest[..rest.len() - 1] } else { rest };
        }
    }
    word
}

/// Returns the words of a layer that are related to a requested one, each with its similarity.
pub(super) fn related_words(layer: &Layer, asked: &str) -> Vec<(u32, f32)> {
    let words = layer.words();
    let exact = words.find(asked.as_bytes());
    let mut found: Vec<(u32, f32)> = exact.map(|number| (number, 1.0)).into_iter().collect();
    let mut compare = |number: u32| {
        let other = words.get(number);
        let Ok(other) = std::str::from_utf8(other) else { return };
        let alike = similarity(asked, other, exact.is_some());
        if alike > 0.0 && Some(number) != exact {
            found.push((number, alike));
        }
    };
    let Some(first) = asked.chars().next() else { return found };
    let begins = if asked.len() >= PREFIX_BYTES && asked.is_char_boundary(PREFIX_BYTES) {
        let range = words.with_prefix(&asked.as_bytes()[..PREFIX_BYTES]);
        range.clone().for_each(&mut compare);
        range
    } else {
        0..0
    };
    // `msg` has another prefix than `message`, but one of them is short.
    for number in words.with_prefix(&asked.as_bytes()[..first.len_utf8()]) {
        if !begins.contains(&number)
            && (asked.len() <= ABBREVIATION_BYTES_MAX || words.get(number).len() <= ABBREVIATION_BYTES_MAX)
        {
            compare(number);
        }
    }
    if exact.is_none() {
        for number in misspellings(layer, asked) {
            if !found.iter().any(|(known, _)| *known == number) {
                let other = String::from_utf8_lossy(words.get(number));
                let length = asked.len().max(other.len()) as f32;
                let edits = edits_within(asked.as_bytes(), other.as_bytes(), 2).unwrap_or(2) as f32;
                found.push((number, 1.0 - 1.3 * edits / length));
            }
        }
        found.retain(|(_, alike)| *alike >= SIMILARITY_MIN);
    }
    found
}

/// Returns the words of a layer that are one or two typos away.
fn misspellings(layer: &Layer, asked: &str) -> Vec<u32> {
    let allowed = edits_allowed(asked.len()).min(2);
    // Different numbers are different names: 2026 is no typo of 2011.
    if allowed == 0 || asked.len() <= PREFIX_BYTES || asked.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for_each_within(letter_set(asked.as_bytes()), layer.word_letters(), allowed, |number| {
        let other = layer.words().get(number as u32);
        if other.len() >= PREFIX_BYTES
            && edits_within(asked.as_bytes(), other, allowed.min(edits_allowed(other.len()))).is_some()
        {
            found.push(number as u32);
        }
    });
    found
}

/// Splits a compound in two words if the tree has one of them and at least nearly the other: `authmidlware`.
pub(super) fn split_compound(text: &str, snapshots: &[&Snapshot]) -> Option<Vec<String>> {
    if text.len() < COMPOUND_LETTERS_MIN || !text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let layers: Vec<&Layer> = snapshots.iter().flat_map(|snapshot| snapshot.parts()).map(|part| &*part.layer).collect();
    let known = |word: &str| layers.iter().any(|layer| layer.words().find(word.as_bytes()).is_some());
    if known(text) {
        return None;
    }
    let near = |word: &str| {
        word.len() >= MISSPELT_LETTERS_MIN && layers.iter().any(|layer| !misspellings(layer, word).is_empty())
    };
    let splits = (PREFIX_BYTES..=text.len() - PREFIX_BYTES).map(|at| text.split_at(at));
    let judged = splits.filter_map(|(left, right)| {
        let (left_known, right_known) = (known(left), known(right));
        let fits = match (left_known, right_known) {
            (true, true) => 2,
            (true, false) if near(right) => 1,
            (false, true) if near(left) => 1,
            _ => return None,
        };
        // The longer the shorter part, the less likely it matches by chance.
        Some((fits, left.len().min(right.len()), left, right))
    });
    let (.., left, right) =
        judged.max_by_key(|&(fits, least, left, _)| (fits, least, std::cmp::Reverse(left.len())))?;
    Some(vec![left.to_owned(), right.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn relates_forms_of_a_word() {
        for (asked, other) in [
            ("gating", "gate"),
            ("implemented", "implementer"),
            ("credentials", "credential"),
            ("binary", "bin"),
            ("message", "msg"),
            ("routers", "routing"),
            ("mapped", "map"),
            ("policies", "policy"),
        ] {
            assert!(similarity(asked, other, false) > 0.0, "{asked} {other}");
        }
        for (asked, other) in
            [("web", "app"), ("2026", "2011"), ("run", "view"), ("zayavagoh", "zh"), ("provider", "protocol")]
        {
            assert!(similarity(asked, other, false) <= 0.0, "{asked} {other}");
        }
        assert!(similarity("mytemplates", "templates", false) > 0.0);
        assert!(similarity("mytemplates", "templates", true) <= 0.0);
    }
}
