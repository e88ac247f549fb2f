//! Generator `words`: names that share rare words with the requested one, such as `cleanup_test.go` for
//! `clean_test.go`.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::name_lookup::NameLookup;
use super::pool::{CandidatePool, Generator};
use crate::distance::word_similarity;
use crate::index::layer::Layer;
use crate::index::strings::PostingsIter;
use crate::prepared_query::{PreparedQuery, TargetName};

/// Names proposed for each requested name.
const NAMES_MAX: usize = 32;
/// Names examined for each requested name, rarest words first; a bound on the work.
const POSTINGS_MAX: usize = 2048;
/// Entries proposed for each name found.
const ENTRIES_MAX: usize = 8;
/// Length of the prefix, in bytes, that related words share.
const PREFIX_BYTES: usize = 3;

/// Proposes entries whose names share rare words with the requested ones.
pub(super) fn propose(query: &PreparedQuery, lookup: &NameLookup<'_>, pool: &mut CandidatePool<'_>) {
    let layer = pool.layer();
    for name in &query.names {
        let mut lists: Vec<(PostingsIter<'_>, f32)> = Vec::new();
        for word in &name.words {
            for (number, similarity) in related_words(layer, &word.word) {
                lists.push((layer.names_with_word(number), similarity * word.weight.max(0.05)));
            }
        }
        lists.sort_by_key(|(postings, _)| postings.at_most());
        let expected = lists.iter().map(|(postings, _)| postings.at_most()).sum::<usize>().min(POSTINGS_MAX);
        let mut names: FxHashMap<u32, f32> = FxHashMap::with_capacity_and_hasher(expected, FxBuildHasher);
        let mut left = POSTINGS_MAX;
        for (postings, weight) in lists {
            if postings.at_most() > left {
                break;
            }
            left -= postings.at_most();
            for other in postings {
                *names.entry(other).or_default() += weight;
            }
        }
        let mut ranked: Vec<(f32, u32)> = names.into_iter().map(|(number, weight)| (weight, number)).collect();
        let total: f32 = name.words.iter().map(|word| word.weight.max(0.05)).sum();
        for ranked in &mut ranked {
            ranked.0 = overlap_quality(layer, name, ranked.1, ranked.0 / total);
        }
        let order = |left: &(f32, u32), right: &(f32, u32)| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1));
        if ranked.len() > NAMES_MAX {
            ranked.select_nth_unstable_by(NAMES_MAX, order);
            ranked.truncate(NAMES_MAX);
        }
        ranked.sort_unstable_by(order);
        for (quality, number) in ranked {
            for node in lookup.entries(number, ENTRIES_MAX) {
                pool.add(node, Generator::Words, quality);
            }
        }
    }
}

/// Quality of a name that has `kept` (0–1) of the requested words: less if it has many others, or another extension.
fn overlap_quality(layer: &Layer, name: &TargetName, number: u32, kept: f32) -> f32 {
    let text = layer.names().get(number);
    let (stem, extension) = crate::words::split_extension(text);
    let length = stem.len().max(name.stem.len()).max(1) as f32;
    let spare = stem.len().abs_diff(name.stem.len()) as f32 / length;
    let same = extension.eq_ignore_ascii_case(name.extension.as_bytes());
    (kept.min(1.0) * (1.0 - 0.4 * spare) * if same { 0.85 } else { 0.6 }).min(0.85)
}

/// Words of the tree that equal the requested one, inflect it or abbreviate it.
fn related_words(layer: &Layer, word: &str) -> Vec<(u32, f32)> {
    let words = layer.words();
    let mut found = Vec::new();
    if let Some(number) = words.find(word.as_bytes()) {
        found.push((number, 1.0));
    }
    if word.len() >= PREFIX_BYTES && word.is_char_boundary(PREFIX_BYTES) {
        for number in words.with_prefix(&word.as_bytes()[..PREFIX_BYTES]) {
            let other = String::from_utf8_lossy(words.get(number));
            let similarity = word_similarity(word, &other);
            if similarity > 0.55 && other != word {
                found.push((number, similarity));
            }
        }
    }
    found
}
