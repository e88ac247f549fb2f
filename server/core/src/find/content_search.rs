//! Adds files whose contents have the query's words. Called by `Engine::find` if names and declarations give little
//! evidence.

use std::collections::BTreeMap;

use super::feature::FindFeature;
use super::file_features;
use super::query::Query;
use super::{DESCRIBED_MAX, FindCandidate, MIN_EVIDENCE};
use crate::path::RelPath;
use crate::root::Root;

/// A file that has some of the searched words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentMatch {
    /// Position of its root in [`Engine::roots`](crate::Engine::roots).
    pub root: usize,
    /// Relative to that root.
    pub path: RelPath,
    /// The line that has most of the words, counted from 1.
    pub line: u32,
    /// Words anywhere in the file: bit `i` for word `i`.
    pub words: u32,
    /// Words in that line: bit `i` for word `i`.
    pub together: u32,
}

/// Extent of a content search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extent {
    /// Files that were searched.
    pub files: usize,
    /// Files in total.
    pub of: usize,
    /// True if the time limit ended the search rather than the budget of work: a later search may find more.
    pub late: bool,
}

/// Result of a content search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentMatches {
    /// Files that have at least one of the words, in no order.
    pub passages: Vec<ContentMatch>,
    /// Extent of the search.
    pub extent: Extent,
}

/// Searches the contents of indexed files; the second interface to the disk, next to `Probe`. The implementation limits
/// files, bytes and time.
pub trait Contents {
    /// Returns files that have at least one of these words (lower case).
    fn search(&self, roots: &[Root], words: &[&str]) -> ContentMatches;
}

/// Searches nothing.
impl Contents for () {
    fn search(&self, _roots: &[Root], _words: &[&str]) -> ContentMatches {
        ContentMatches::default()
    }
}

/// Shares of the words, by rarity, that a file must have, and that its best line must have.
const FILE_SHARE_MIN: f32 = 0.85;
const LINE_SHARE_MIN: f32 = 0.5;

/// Adds files by their contents, and returns the extent of the search.
pub(super) fn add_content_matches(
    query: &Query,
    roots: &[Root],
    contents: &dyn Contents,
    found: &mut Vec<FindCandidate>,
) -> Extent {
    let interpretation = &query.interpretations[0];
    let words: Vec<&str> = interpretation.words.iter().map(|word| word.text.as_str()).collect();
    let ContentMatches { passages, extent } = contents.search(roots, &words);
    let files: usize = roots.iter().map(|root| root.snapshot.stats().files).sum();
    // A word that few files have weighs most, as with the words of names.
    let rarity: Vec<f32> = (0..words.len())
        .map(|at| {
            let with = passages.iter().filter(|passage| passage.words & (1 << at) != 0).count();
            ((files as f32 + 2.0) / (with.max(1) as f32)).ln() + 0.1
        })
        .collect();
    let total: f32 = rarity.iter().sum();
    let share =
        |bits: u32| (0..words.len()).filter(|at| bits & (1 << at) != 0).map(|at| rarity[at]).sum::<f32>() / total;
    let mut ranked: Vec<(f32, &super::ContentMatch)> = passages
        .iter()
        .filter(|passage| share(passage.words) >= FILE_SHARE_MIN && share(passage.together) >= LINE_SHARE_MIN)
        .map(|passage| (0.4 * share(passage.words) + 0.6 * share(passage.together), passage))
        .collect();
    ranked.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.path.cmp(&right.1.path)));
    ranked.truncate(DESCRIBED_MAX);
    let known: BTreeMap<(usize, RelPath), usize> =
        found.iter().enumerate().map(|(at, candidate)| ((candidate.root, candidate.path.clone()), at)).collect();
    for (quality, passage) in ranked {
        if query.glob.as_ref().is_some_and(|glob| !glob.matches(&passage.path.text())) {
            continue;
        }
        let mut features = match known.get(&(passage.root, passage.path.clone())) {
            Some(&at) => found[at].features.clone(),
            None => file_features::describe(query, interpretation, &passage.path.text(), false, None),
        };
        features.set(FindFeature::Missing, 0.0);
        features.set(FindFeature::Content, quality);
        features.contents = Some((passage.words.count_ones() as usize, words.len()));
        features.line = features.line.or(Some(passage.line));
        let candidate = FindCandidate::new(passage.root, passage.path.clone(), features);
        if candidate.evidence < MIN_EVIDENCE {
            continue;
        }
        match known.get(&(passage.root, passage.path.clone())) {
            Some(&at) => found[at] = candidate,
            None => found.push(candidate),
        }
    }
    extent
}
