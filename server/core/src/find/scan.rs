//! Gives every file of a part a cheap score: two passes over names and directories, one over files. Called by `find`.
//!
//! Similarities are computed once for each distinct name, and directories hand theirs down. A file then costs a few
//! additions, so none has to be left out beforehand.

use super::query::{Query, QueryInterpretation, WORDS_MAX};
use super::word;
use crate::distance::edits_allowed;
use crate::index::layer::{Layer, Node};
use crate::index::snapshot::Part;
use crate::words::{for_each_within, key_of, split_extension};

/// Similarity of each word of the query, in 255ths.
type WordSimilarities = [u8; WORDS_MAX];
const NOTHING: WordSimilarities = [0; WORDS_MAX];

/// Points for the whole key, for a word in the stem and in a directory, and per level of depth: roughly in the ratio of
/// the full weights.
const KEY_POINTS: f32 = 20.0;
const STEM_POINTS: f32 = 12.0;
const DIRECTORY_POINTS: f32 = 6.0;
const DEPTH_POINTS: f32 = 0.1;

/// A word within a longer one counts less than a word of its own.
pub(super) const CONTAINED: f32 = 0.75;
/// Shorter words occur in too many names.
pub(super) const CONTAINED_MIN: usize = 4;

/// Returns the best entries of a part, at most `most`, in no order.
pub(super) fn scan(query: &Query, interpretation: &QueryInterpretation, part: &Part, most: usize) -> Vec<Node> {
    let layer = &part.layer;
    let names = NameSimilarities::new(interpretation, layer);
    let weight = interpretation.weight();
    let weights: Vec<f32> = interpretation.words.iter().map(|word| word.weight / weight / 255.0).collect();
    let share = |likeness: &WordSimilarities| {
        weights.iter().zip(likeness).map(|(weight, like)| weight * f32::from(*like)).sum::<f32>()
    };
    let mut handed: Vec<(WordSimilarities, u8)> = Vec::with_capacity(layer.directory_count() as usize);
    let mut found: Vec<(f32, Node)> = Vec::new();
    for directory in 0..layer.directory_count() {
        if directory == 0 {
            handed.push(Default::default());
            continue;
        }
        let node = Node::directory(directory);
        let name = layer.name_of(node) as usize;
        let (above, depth) = handed[layer.parent(node) as usize];
        let own = names.words[name];
        let both = std::array::from_fn(|at| above[at].max(own[at]));
        let (own, whole) = (share(&own), f32::from(names.whole[name]) / 255.0);
        if (whole > 0.0 || own > 0.99) && part.is_live(node) {
            found.push((KEY_POINTS * whole + STEM_POINTS * own - 3.0 - DEPTH_POINTS * f32::from(depth), node));
        }
        handed.push((both, depth.saturating_add(1)));
    }
    let takes_all = interpretation.words.is_empty() && query.glob.is_some();
    for file in 0..layer.file_count() {
        let node = Node::file(file);
        let name = layer.name_of(node) as usize;
        let (above, depth) = &handed[layer.parent(node) as usize];
        let own = &names.words[name];
        // Most files have nothing of the query.
        if names.whole[name] == 0 && *own == NOTHING && *above == NOTHING && !takes_all {
            continue;
        }
        let spread: WordSimilarities = std::array::from_fn(|at| if own[at] > 0 { 0 } else { above[at] });
        let points = KEY_POINTS * f32::from(names.whole[name]) / 255.0
            + STEM_POINTS * share(own)
            + DIRECTORY_POINTS * share(&spread);
        if (points > 0.0 || takes_all) && part.is_live(node) {
            found.push((points - DEPTH_POINTS * f32::from(*depth), node));
        }
    }
    if let Some(glob) = &query.glob {
        found.retain(|(_, node)| glob.matches(&String::from_utf8_lossy(&layer.path(*node))));
    }
    let order = |left: &(f32, Node), right: &(f32, Node)| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1));
    if found.len() > most {
        found.select_nth_unstable_by(most, order);
        found.truncate(most);
    }
    found.into_iter().map(|(_, node)| node).collect()
}

/// Similarity of each name of a layer to the query.
struct NameSimilarities {
    words: Vec<WordSimilarities>,
    /// Similarity of the whole key, in 255ths.
    whole: Vec<u8>,
}

impl NameSimilarities {
    fn new(interpretation: &QueryInterpretation, layer: &Layer) -> Self {
        let count = layer.names().len();
        let mut names = Self { words: vec![WordSimilarities::default(); count], whole: vec![0; count] };
        for (at, word) in interpretation.words.iter().enumerate() {
            for (number, alike) in word::related_words(layer, &word.text) {
                for name in layer.names_with_word(number) {
                    raise_to(&mut names.words[name as usize][at], alike);
                }
            }
            if word.text.len() >= CONTAINED_MIN {
                names.add_contained(layer, at, word.text.as_bytes());
            }
        }
        names.add_near(layer, interpretation);
        names
    }

    /// Adds names that have a word within a longer one.
    fn add_contained(&mut self, layer: &Layer, at: usize, word: &[u8]) {
        let wanted = crate::words::letter_set(word);
        for (name, set) in layer.letter_sets().iter().enumerate() {
            if wanted & !set == 0 && self.words[name][at] == 0 {
                let key = key_of(split_extension(layer.names().get(name as u32)).0);
                if key.len() > word.len() && contains(&key, word) {
                    raise_to(&mut self.words[name][at], CONTAINED);
                }
            }
        }
    }

    /// Adds names whose key equals the requested one, is a typo of it, or has its letters in order.
    fn add_near(&mut self, layer: &Layer, interpretation: &QueryInterpretation) {
        let length = interpretation.key.len();
        if length == 0 {
            return;
        }
        let whole = &mut self.whole;
        let mut exact = false;
        let allowed = edits_allowed(length);
        for_each_within(interpretation.letters, layer.letter_sets(), allowed, |name| {
            let key = key_of(split_extension(layer.names().get(name as u32)).0);
            let distance = interpretation.typos.distance(&key);
            if distance <= allowed.min(edits_allowed(key.len().max(3))) {
                exact |= distance == 0;
                raise_to(&mut whole[name], 1.0 - 1.3 * distance as f32 / key.len().max(length) as f32);
            }
        });
        if exact || interpretation.is_compound_split || !(SUBSEQUENCE_MIN..=SUBSEQUENCE_MAX).contains(&length) {
            return;
        }
        for (name, set) in layer.letter_sets().iter().enumerate() {
            if interpretation.letters & !set == 0 && whole[name] == 0 {
                let stem = split_extension(layer.names().get(name as u32)).0;
                let letters = subsequence_score(&interpretation.key, stem);
                if letters > 0.0 {
                    raise_to(&mut whole[name], 0.5 * letters);
                }
            }
        }
    }
}

/// Returns whether a key has a word within. Few places have its first letter.
pub(super) fn contains(key: &[u8], word: impl AsRef<[u8]>) -> bool {
    let word = word.as_ref();
    let Some(first) = word.first() else { return true };
    key.windows(word.len()).any(|part| part.first() == Some(first) && part == word)
}

fn raise_to(like: &mut u8, to: f32) {
    *like = (*like).max((to * 255.0) as u8);
}

/// Fewer letters are in order in every name.
pub(super) const SUBSEQUENCE_MIN: usize = 3;
/// People do not abbreviate to more letters.
pub(super) const SUBSEQUENCE_MAX: usize = 16;
/// Names that are longer by this factor have most letters in order.
pub(super) const SUBSEQUENCE_SPREAD: usize = 5;
/// Below this score, letters in order are chance.
const SUBSEQUENCE_SCORE_MIN: f32 = 0.6;

/// Score of a key's letters in order in a name: 1 if each begins a word or follows the previous one, 0 if they are
/// missing or scattered. Scored like pickers do (fzf, nucleo), by the best way to place them.
pub(super) fn subsequence_score(key: &[u8], name: &[u8]) -> f32 {
    /// Names are cut here: longer ones match everything.
    const NAME_BYTES_MAX: usize = 64;
    let name = &name[..name.len().min(NAME_BYTES_MAX)];
    let starts = |at: usize| {
        let (now, before) = (name[at], if at == 0 { b'_' } else { name[at - 1] });
        !before.is_ascii_alphanumeric() || now.is_ascii_uppercase() && before.is_ascii_lowercase()
    };
    // best[at]: best score for the letters so far, the last of them at `at`.
    let mut best = [f32::NEG_INFINITY; NAME_BYTES_MAX];
    for (number, letter) in key.iter().enumerate() {
        let mut next = [f32::NEG_INFINITY; NAME_BYTES_MAX];
        let mut before = f32::NEG_INFINITY;
        for at in 0..name.len() {
            if name[at].to_ascii_lowercase() == *letter {
                let from = if number == 0 { if starts(at) { 0.0 } else { f32::NEG_INFINITY } } else { before };
                let follows = number > 0 && at > 0 && best[at - 1] > f32::NEG_INFINITY;
                let apart = from + if starts(at) { 1.0 } else { 0.45 };
                next[at] = if follows { apart.max(best[at - 1] + 0.9) } else { apart };
            }
            before = before.max(best[at]);
        }
        best = next;
    }
    let points = best.iter().copied().fold(f32::NEG_INFINITY, f32::max) / key.len() as f32;
    if points >= SUBSEQUENCE_SCORE_MIN { points } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::subsequence_score;

    #[test]
    fn scores_letters_in_order() {
        for (key, name) in
            [("cmdrtr", "command_router"), ("crs", "CommandRouterService"), ("authmw", "auth_middleware")]
        {
            assert!(subsequence_score(key.as_bytes(), name.as_bytes()) > 0.0, "{key} {name}");
        }
        for (key, name) in [("oan", "command"), ("crx", "command_router")] {
            assert!(subsequence_score(key.as_bytes(), name.as_bytes()) <= 0.0, "{key} {name}");
        }
    }
}
