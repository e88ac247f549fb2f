//! `Engine::find`: finds files by a rough name, a few words, a glob or a question. Called by the `server` package for
//! the CLI, LSP and MCP.
//!
//! The **query** is parsed once: which words are needed, which kind of file is wanted. A second **interpretation**
//! splits a compound word that the tree knows as two; others take the last word for an extension, an extension for a
//! part of the name, or the first of two words for a verb.
//!
//! For each interpretation, the **scan** gives every file a cheap score, so that no file has to be left out beforehand.
//! The best 256 of a root, and all files that declare the requested name, are described by named features, which
//! `find/weights.txt` weighs.
//!
//! Features have two sides. *Evidence* shows that a file matches; an answer needs a minimum of it. *Order* only ranks
//! several matches. If the best evidence is weak, [`Contents`] searches file contents within a budget of files and
//! bytes. Every returned path is probed.

mod answer;
mod content_search;
mod declarations;
mod explanation;
mod feature;
mod file_features;
mod file_kind;
mod glob;
mod pieces;
mod query;
mod query_parser;
mod scan;
mod weights;
mod word;

use std::collections::BTreeMap;

use crate::error::RequestError;
use crate::index::layer::Node;
use crate::path::RelPath;
use crate::probe::{Presence, Probe};
use crate::root::Root;
use crate::words::split_extension;
use crate::{CANDIDATES_MAX, Contribution, Engine};

pub use answer::{FindAnswer, FindRequest, Hit, Passage};
pub use content_search::{ContentMatch, ContentMatches, Contents, Extent};
use declarations::DeclarationMatches;
use feature::FindFeature;
use file_features::FileFeatures;
pub use pieces::Pieces;
use query::{ExtensionMatch, Query, QueryInterpretation};
use scan::scan;
use weights::FindWeights;

/// Longest query in bytes: a longer text is a pasted file, not a question.
const QUERY_BYTES_MAX: usize = 4096;

/// Files of one root that get all features, for one interpretation of the query. The number exceeds what any caller
/// sees, so that it covers files that the cheap score misplaced.
const DESCRIBED_MAX: usize = 256;

/// Minimum evidence for an answer. Below it are single words of several, and names that merely share letters; fitted on
/// nonsense queries (`BENCHMARKS.md`).
const MIN_EVIDENCE: f32 = 7.0;

/// Evidence of a strong answer: the contents need not be searched.
const STRONG_EVIDENCE: f32 = 10.0;

/// Largest share of the needed words, by weight, that may be missing: one of three equal words.
const MISSING_MAX: f32 = 0.45;

/// Minimum share of the best file's evidence: ten hits for one good one are nine too many.
const MIN_SHARE_OF_BEST: f32 = 0.4;

impl Engine {
    /// Finds files. `contents` is searched if names and symbols give little evidence.
    ///
    /// # Errors
    /// Returns an error when the query cannot be read, or a root has become unreadable.
    pub fn find(
        &self,
        request: &FindRequest,
        probe: &dyn Probe,
        contents: &dyn Contents,
    ) -> Result<FindAnswer, RequestError> {
        validate(request)?;
        let roots = self.roots();
        for (at, root) in roots.iter().enumerate() {
            if let Some(reason) = probe.root_gone(at) {
                return Err(RequestError::RootGone { root: root.given.clone(), reason });
            }
        }
        let query = Query::parse(request, roots);
        let mut found = find_candidates(&query, roots);
        let best = found.first().map_or(0.0, |candidate| candidate.evidence);
        let weak = best < STRONG_EVIDENCE && !query.words().is_empty();
        let searched = weak.then(|| content_search::add_content_matches(&query, roots, contents, &mut found));
        found.sort_unstable_by(FindCandidate::compare);
        let best = found.iter().map(|candidate| candidate.evidence).fold(0.0, f32::max);
        found.retain(|candidate| {
            candidate.evidence >= best * MIN_SHARE_OF_BEST || candidate.features.has(FindFeature::ExactStem)
        });
        let there = |candidate: &FindCandidate| {
            matches!(probe.presence(candidate.root, candidate.path.as_bytes()), Presence::Present(_))
        };
        let hits = found.into_iter().filter(there).take(request.limit);
        let hits: Vec<Hit> = hits.map(|candidate| candidate.into_hit(request.explain)).collect();
        let progress = roots.iter().map(|root| root.symbols.progress());
        let declared = progress.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        Ok(FindAnswer {
            hits,
            declared,
            strong: best >= STRONG_EVIDENCE,
            searched,
            has_unread: false,
            indexed: None,
            weak: false,
            lacking: Vec::new(),
            passage: None,
        })
    }
}

/// Maps points to 0–100, so that twice as many points still differ.
pub fn display_score(points: f32) -> f32 {
    /// Points that map to 63: those of a good answer.
    const GOOD: f32 = 25.0;
    100.0 * (1.0 - (-points.max(0.0) / GOOD).exp())
}

/// Refuses queries and limits that are out of range.
fn validate(request: &FindRequest) -> Result<(), RequestError> {
    let length = request.query.len();
    if length > QUERY_BYTES_MAX {
        return Err(RequestError::LongQuery { length, limit: QUERY_BYTES_MAX });
    }
    if request.query.trim().is_empty() {
        return Err(RequestError::EmptyQuery);
    }
    if request.limit == 0 || request.limit > CANDIDATES_MAX {
        return Err(RequestError::BadLimit { given: request.limit, most: CANDIDATES_MAX });
    }
    Ok(())
}

/// A file that may match.
#[derive(Clone, Debug)]
struct FindCandidate {
    root: usize,
    path: RelPath,
    features: FileFeatures,
    /// Sum of the evidence features: decides whether the file is answered.
    evidence: f32,
    /// Sum of all features: decides the order.
    points: f32,
}

impl FindCandidate {
    fn new(root: usize, path: RelPath, features: FileFeatures) -> Self {
        let weights = FindWeights::built_in();
        let (evidence, points) = weights.points(&features.vector);
        Self { root, path, features, evidence, points }
    }

    /// Best first; ties by root and path.
    fn compare(left: &Self, right: &Self) -> std::cmp::Ordering {
        let place = |one: &Self| (one.root, one.path.as_bytes().len());
        right
            .points
            .total_cmp(&left.points)
            .then_with(|| place(left).cmp(&place(right)))
            .then_with(|| left.path.cmp(&right.path))
    }

    fn into_hit(self, explain: bool) -> Hit {
        let contributions: Vec<Contribution> =
            if explain { FindWeights::built_in().contributions(&self.features.vector) } else { Vec::new() };
        Hit {
            root: self.root,
            score: display_score(self.points),
            why: explanation::explain(&self.features),
            line: self.features.line,
            path: self.path,
            contributions,
        }
    }
}

/// Returns candidates by name and symbol over all interpretations of the query; each file once, at its best.
fn find_candidates(query: &Query, roots: &[Root]) -> Vec<FindCandidate> {
    let mut best: BTreeMap<(usize, RelPath), FindCandidate> = BTreeMap::new();
    for interpretation in &query.interpretations {
        for (number, root) in roots.iter().enumerate() {
            for candidate in candidates_in_root(query, interpretation, number, root) {
                let place = (number, candidate.path.clone());
                if best.get(&place).is_none_or(|known| known.points < candidate.points) {
                    best.insert(place, candidate);
                }
            }
        }
    }
    let mut found: Vec<FindCandidate> = best.into_values().filter(is_sufficient).collect();
    found.sort_unstable_by(FindCandidate::compare);
    found
}

/// Returns whether a file has enough evidence to be answered.
fn is_sufficient(candidate: &FindCandidate) -> bool {
    candidate.evidence >= MIN_EVIDENCE && candidate.features.missing_share() <= MISSING_MAX
}

fn candidates_in_root(
    query: &Query,
    interpretation: &QueryInterpretation,
    number: usize,
    root: &Root,
) -> Vec<FindCandidate> {
    let declares = DeclarationMatches::look_up(query, interpretation, &root.symbols);
    let mut candidates = Vec::new();
    let parts = root.snapshot.parts();
    for part in parts {
        let layer = &part.layer;
        let mut nodes = scan(query, interpretation, part, DESCRIBED_MAX);
        let declaring = declares.files().filter_map(|file| layer.find(file.split('/').map(str::as_bytes)));
        nodes.extend(declaring.filter(|node| !node.is_directory() && part.is_live(*node)));
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            candidates.extend(describe_node(query, interpretation, root, &declares, layer.path(node), node));
        }
    }
    file_features::inherit_declarations(&mut candidates);
    discount_far_typos(&mut candidates);
    candidates.into_iter().map(|(path, features)| FindCandidate::new(number, path, features)).collect()
}

/// Discounts files with more typos than the nearest match: people make as few typos as they can.
fn discount_far_typos(candidates: &mut [(RelPath, FileFeatures)]) {
    /// Factor on a typo feature for each further edit.
    const FADE: f32 = 0.7;
    let Some(least) = candidates.iter().filter_map(|(_, one)| one.edits).min() else { return };
    for (_, one) in candidates {
        let further = one.edits.map_or(0, |edits| edits - least);
        for feature in [FindFeature::StemTypo, FindFeature::SymbolTypo] {
            one.set(feature, one.get(feature) * FADE.powi(i32::try_from(further).unwrap_or(i32::MAX)));
        }
    }
}

/// Describes a node; `None` if the query has a glob or extension that it does not match.
fn describe_node(
    query: &Query,
    interpretation: &QueryInterpretation,
    root: &Root,
    declares: &DeclarationMatches<'_>,
    path: Vec<u8>,
    node: Node,
) -> Option<(RelPath, FileFeatures)> {
    let path = RelPath::new(path);
    let text = path.text();
    if query.glob.as_ref().is_some_and(|glob| !glob.matches(&text)) {
        return None;
    }
    if let Some((extension, ExtensionMatch::Required)) = &interpretation.extension {
        let own = split_extension(text.rsplit('/').next().unwrap_or_default().as_bytes()).1;
        if node.is_directory() || !own.eq_ignore_ascii_case(extension.as_bytes()) {
            return None;
        }
    }
    let mut features = file_features::describe(query, interpretation, &text, node.is_directory(), declares.get(&text));
    features.set(FindFeature::Frecency, root.frecency.score(&path));
    drop(text);
    Some((path, features))
}

#[cfg(test)]
mod tests;
