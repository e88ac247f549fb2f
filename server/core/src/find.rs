//! Finding files by what is known of them: a rough name, a few words, a question.
//!
//! One function for every edge. The **query** is read once: which words are needed, what kind of file is wanted. A
//! **scan** over the index gives every file a cheap score and keeps the best, **symbols** add the files that declare
//! what is asked for, **evidence** describes each of these by named features, and a table of weights makes a score of
//! them. Where none of that says enough, the contents are searched. What says too little is not answered at all.

mod answer;
mod contents;
mod declared;
mod evidence;
mod feature;
mod file;
mod pattern;
mod query;
mod scan;
mod speech;
mod weights;
mod why;
mod word;

use std::collections::BTreeMap;

use crate::error::RequestError;
use crate::index::layer::Node;
use crate::path::RelPath;
use crate::probe::{Presence, Probe};
use crate::root::Root;
use crate::words::split_extension;
use crate::{CANDIDATES_MAX, Contribution, Engine};

pub use answer::{FindAnswer, FindRequest, Hit};
pub use contents::{Contents, Extent, Passage, Searched};
use declared::Declares;
use evidence::Described;
use feature::Feature;
use query::{Fits, Query, Reading};
use scan::scan;
use weights::Weights;

/// Longest query that is read. Nobody asks in more, and a pasted file is no question.
const QUERY_MAX: usize = 4096;

/// Files of one root that are described in full for one reading of the query: more than any caller sees, so that those
/// that the cheap score has in a wrong order are among them.
const DESCRIBED_MAX: usize = 256;

/// What the evidence has to come to for an answer. Below it are single words of several, and names that merely have
/// the same letters; fitted on nonsense (`BENCHMARKS.md`).
const LEAST: f32 = 7.0;

/// What makes an answer strong: the contents need not be searched.
const STRONG: f32 = 10.0;

/// The needed words that may be missing, by weight: of three equal words one.
const MISSING_MAX: f32 = 0.45;

/// A candidate is left out from this share of the best one's evidence on: ten hits for one good one are nine too many.
const HOPEFUL: f32 = 0.4;

impl Engine {
    /// Finds files. `contents` is asked where names and symbols say little.
    ///
    /// # Errors
    /// When the query cannot be read, or a root has become unreadable.
    pub fn find(
        &self,
        request: &FindRequest,
        probe: &dyn Probe,
        contents: &dyn Contents,
    ) -> Result<FindAnswer, RequestError> {
        check(request)?;
        let roots = self.roots();
        for (at, root) in roots.iter().enumerate() {
            if let Some(reason) = probe.root_gone(at) {
                return Err(RequestError::RootGone { root: root.given.clone(), reason });
            }
        }
        let query = Query::read(request, roots);
        let mut found = named(&query, roots);
        let best = found.first().map_or(0.0, |candidate| candidate.evidence);
        let weak = best < STRONG && !query.words().is_empty();
        let searched = weak.then(|| contents::add(&query, roots, contents, &mut found));
        found.sort_unstable_by(Candidate::order);
        let best = found.iter().map(|candidate| candidate.evidence).fold(0.0, f32::max);
        found.retain(|candidate| candidate.evidence >= best * HOPEFUL || candidate.described.is(Feature::ExactStem));
        let there = |candidate: &Candidate| {
            matches!(probe.presence(candidate.root, candidate.path.as_bytes()), Presence::Present(_))
        };
        let hits = found.into_iter().filter(there).take(request.limit);
        let hits: Vec<Hit> = hits.map(|candidate| candidate.hit(request.explain)).collect();
        let progress = roots.iter().map(|root| root.symbols.progress());
        let declared = progress.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        Ok(FindAnswer { hits, declared, strong: best >= STRONG, searched })
    }
}

/// Points as they are shown: 0–100, so that twice as many are still told apart.
fn score(points: f32) -> f32 {
    /// What comes to two thirds of all: the points of a good answer.
    const GOOD: f32 = 25.0;
    100.0 * (1.0 - (-points.max(0.0) / GOOD).exp())
}

/// Refuses what is no question.
fn check(request: &FindRequest) -> Result<(), RequestError> {
    let length = request.query.len();
    if length > QUERY_MAX {
        return Err(RequestError::LongQuery { length, limit: QUERY_MAX });
    }
    if request.query.trim().is_empty() {
        return Err(RequestError::EmptyQuery);
    }
    if request.limit == 0 || request.limit > CANDIDATES_MAX {
        return Err(RequestError::BadLimit { given: request.limit, most: CANDIDATES_MAX });
    }
    Ok(())
}

/// A file that may be the one.
#[derive(Clone, Debug)]
struct Candidate {
    root: usize,
    path: RelPath,
    described: Described,
    /// Points of what speaks of the query: whether it is answered.
    evidence: f32,
    /// All points: in which order.
    points: f32,
}

impl Candidate {
    fn new(root: usize, path: RelPath, described: Described) -> Self {
        let weights = Weights::built_in();
        let (evidence, points) = weights.points(&described.vector);
        Self { root, path, described, evidence, points }
    }

    /// Best first; ties by root and path.
    fn order(left: &Self, right: &Self) -> std::cmp::Ordering {
        let place = |one: &Self| (one.root, one.path.as_bytes().len());
        right
            .points
            .total_cmp(&left.points)
            .then_with(|| place(left).cmp(&place(right)))
            .then_with(|| left.path.cmp(&right.path))
    }

    fn hit(self, explain: bool) -> Hit {
        let contributions: Vec<Contribution> =
            if explain { Weights::built_in().contributions(&self.described.vector) } else { Vec::new() };
        Hit {
            root: self.root,
            score: score(self.points),
            why: why::why(&self.described),
            line: self.described.line,
            path: self.path,
            contributions,
        }
    }
}

/// What names and symbols say, in every reading of the query; each file once, at its best.
fn named(query: &Query, roots: &[Root]) -> Vec<Candidate> {
    let mut best: BTreeMap<(usize, RelPath), Candidate> = BTreeMap::new();
    for reading in &query.readings {
        for (number, root) in roots.iter().enumerate() {
            for candidate in of_root(query, reading, number, root) {
                let place = (number, candidate.path.clone());
                if best.get(&place).is_none_or(|known| known.points < candidate.points) {
                    best.insert(place, candidate);
                }
            }
        }
    }
    let mut found: Vec<Candidate> = best.into_values().filter(enough).collect();
    found.sort_unstable_by(Candidate::order);
    found
}

/// Whether a file may be answered at all.
fn enough(candidate: &Candidate) -> bool {
    candidate.evidence >= LEAST && candidate.described.missing() <= MISSING_MAX
}

fn of_root(query: &Query, reading: &Reading, number: usize, root: &Root) -> Vec<Candidate> {
    let declares = Declares::look_up(query, reading, &root.symbols);
    let mut candidates = Vec::new();
    let parts = root.snapshot.parts();
    for part in parts {
        let layer = &part.layer;
        let mut nodes = scan(query, reading, part, DESCRIBED_MAX);
        let declaring = declares.files().filter_map(|file| layer.find(file.split('/').map(str::as_bytes)));
        nodes.extend(declaring.filter(|node| !node.is_directory() && part.is_live(*node)));
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            candidates.extend(described(query, reading, root, &declares, layer.path(node), node));
        }
    }
    evidence::inherit(&mut candidates);
    nearest(&mut candidates);
    candidates.into_iter().map(|(path, described)| Candidate::new(number, path, described)).collect()
}

/// What is further away than the nearest is hardly meant: people make as few typos as they can.
fn nearest(candidates: &mut [(RelPath, Described)]) {
    /// What is left of a typo's worth for each further one.
    const LEFT: f32 = 0.7;
    let Some(least) = candidates.iter().filter_map(|(_, one)| one.edits).min() else { return };
    for (_, one) in candidates {
        let further = one.edits.map_or(0, |edits| edits - least);
        for feature in [Feature::StemTypo, Feature::SymbolTypo] {
            one.set(feature, one.get(feature) * LEFT.powi(i32::try_from(further).unwrap_or(i32::MAX)));
        }
    }
}

/// A node, described; `None` if a pattern was asked for that it does not fit.
fn described(
    query: &Query,
    reading: &Reading,
    root: &Root,
    declares: &Declares<'_>,
    path: Vec<u8>,
    node: Node,
) -> Option<(RelPath, Described)> {
    let path = RelPath::new(path);
    let text = path.text();
    if query.pattern.as_ref().is_some_and(|pattern| !pattern.fits(&text)) {
        return None;
    }
    if let Some((extension, Fits::Only)) = &reading.extension {
        let own = split_extension(text.rsplit('/').next().unwrap_or_default().as_bytes()).1;
        if node.is_directory() || !own.eq_ignore_ascii_case(extension.as_bytes()) {
            return None;
        }
    }
    let mut described = evidence::describe(query, reading, &text, node.is_directory(), declares.of(&text));
    described.set(Feature::Frecency, root.familiar.of(&path));
    drop(text);
    Some((path, described))
}

#[cfg(test)]
mod tests;
