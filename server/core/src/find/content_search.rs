//! Files whose contents have the words: where names and declarations say little.

use std::collections::BTreeMap;

use super::feature::FindFeature;
use super::file_features;
use super::query::Query;
use super::{DESCRIBED_MAX, FindCandidate, MIN_EVIDENCE};
use crate::path::RelPath;
use crate::root::Root;

/// A file that has some of the words that were looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Which root it is in.
    pub root: usize,
    /// Relative to that root.
    pub path: RelPath,
    /// The line that has most of the words, counted from 1.
    pub line: u32,
    /// Which words it has anywhere: bit `i` for word `i`.
    pub words: u32,
    /// Which words that line has.
    pub together: u32,
}

/// How far contents were searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Files that were searched.
    pub files: usize,
    /// Files that there are.
    pub of: usize,
    /// Whether it ended because time was up, rather than with the work that one question may cost: another time more may
    /// be found.
    pub late: bool,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Files that have at least one of the words, in no order.
    pub passages: Vec<Passage>,
    /// How far it went.
    pub extent: Extent,
}

/// Searches the contents of the files that are indexed, and no others. The edge has the disk, and says when it is enough.
pub trait Contents {
    /// Files that have at least one of these words (lower case).
    fn search(&self, roots: &[Root], words: &[&str]) -> Searched;
}

/// Nothing is read.
impl Contents for () {
    fn search(&self, _roots: &[Root], _words: &[&str]) -> Searched {
        Searched::default()
    }
}

/// The share of the words, by rarity, that a file has to have, and that its best line has to have.
const FILE_SHARE_MIN: f32 = 0.85;
const LINE_SHARE_MIN: f32 = 0.5;

/// Adds what contents say, and tells how far they were searched.
pub(super) fn add(query: &Query, roots: &[Root], contents: &dyn Contents, found: &mut Vec<FindCandidate>) -> Extent {
    let interpretation = &query.interpretations[0];
    let words: Vec<&str> = interpretation.words.iter().map(|word| word.text.as_str()).collect();
    let Searched { passages, extent } = contents.search(roots, &words);
    let files: usize = roots.iter().map(|root| root.snapshot.stats().files).sum();
    // What few files have says most, as with the words of names.
    let rarity: Vec<f32> = (0..words.len())
        .map(|at| {
            let with = passages.iter().filter(|passage| passage.words & (1 << at) != 0).count();
            ((files as f32 + 2.0) / (with.max(1) as f32)).ln() + 0.1
        })
        .collect();
    let total: f32 = rarity.iter().sum();
    let share =
        |bits: u32| (0..words.len()).filter(|at| bits & (1 << at) != 0).map(|at| rarity[at]).sum::<f32>() / total;
    let mut ranked: Vec<(f32, &super::Passage)> = passages
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
