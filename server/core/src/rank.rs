//! Scores and orders candidates: features × weights, best reading per candidate, ties by path. Called by `Engine`.

mod rivals;
mod weights;

use crate::answer::Contribution;
use crate::candidates::{Generator, LikelyDirectories, Proposal, likely_directories, propose};
use crate::features::{Feature, FeatureVector, Scorer};
use crate::index::layer::Node;
use crate::index::{Snapshot, snapshot::Part};
use crate::path::RelPath;
use crate::prepared_query::PreparedQuery;

pub(crate) use weights::RankWeights;

/// A candidate with its features and score.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) root: usize,
    pub(crate) path: RelPath,
    /// Position in [`PreparedQuery::targets`] of the reading under which it scores best.
    pub(crate) target: usize,
    pub(crate) vector: FeatureVector,
    pub(crate) generators: u8,
    pub(crate) raw: f32,
}

impl Ranked {
    /// Returns the value of a feature.
    pub(crate) fn get(&self, feature: Feature) -> f32 {
        self.vector[feature as usize]
    }

    /// Returns the parts of the raw score, largest first.
    pub(crate) fn contributions(&self, weights: &RankWeights) -> Vec<Contribution> {
        let mut list: Vec<Contribution> = Feature::ALL
            .iter()
            .map(|&feature| Contribution { name: feature.name(), points: weights.get(feature) * self.get(feature) })
            .filter(|contribution| contribution.points != 0.0)
            .collect();
        list.sort_by(|left, right| right.points.abs().total_cmp(&left.points.abs()).then(left.name.cmp(right.name)));
        list
    }

    /// Returns the names of the generators that proposed it.
    pub(crate) fn generator_names(&self) -> Vec<&'static str> {
        let bits = Generator::ALL.iter().filter(|(generator, _)| self.generators & *generator as u8 != 0);
        bits.map(|&(_, name)| name).collect()
    }
}

/// Returns the `most` best candidates of all roots, and those that tie with the last of them; best first.
pub(crate) fn rank(query: &PreparedQuery, snapshots: &[&Snapshot], weights: &RankWeights, most: usize) -> Vec<Ranked> {
    let mut list = Vec::new();
    for (root, snapshot) in snapshots.iter().enumerate() {
        let parts = snapshot.parts();
        let mut scorers: Vec<_> = parts.iter().map(|part| Scorer::new(query, root, snapshot, &part.layer)).collect();
        let directories = likely_directories(query, parts, &mut scorers);
        for ((part, scorer), directories) in parts.iter().zip(&mut scorers).zip(&directories) {
            score_part(query, root, (part, directories), scorer, weights, &mut list);
        }
    }
    set_intent_telling(query, &mut list);
    for scored in &mut list {
        scored.raw = weights.score(&scored.vector);
    }
    rivals::score_rivals(query, &mut list, weights);
    // Candidates are large: positions are sorted.
    let mut order: Vec<(f32, usize)> = list.iter().enumerate().map(|(at, scored)| (scored.raw, at)).collect();
    order.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let least = order.get(most).map_or(f32::NEG_INFINITY, |scored| scored.0);
    // Building a path costs more than scoring, so only candidates that can be answered get one.
    let mut best: Vec<(RelPath, &ScoredCandidate<'_>)> = order
        .into_iter()
        .take_while(|&(raw, _)| raw >= least)
        .map(|(_, at)| (RelPath::new(list[at].part.layer.path(list[at].node)), &list[at]))
        .collect();
    best.sort_unstable_by(|(left_path, left), (right_path, right)| {
        right.raw.total_cmp(&left.raw).then_with(|| left_path.cmp(right_path)).then(left.root.cmp(&right.root))
    });
    best.into_iter()
        .map(|(path, &ScoredCandidate { root, target, vector, generators, raw, .. })| Ranked {
            root,
            path,
            target,
            vector,
            generators,
            raw,
        })
        .collect()
}

/// Sorts best first, ties by path.
pub(crate) fn sort_ranked(ranked: &mut [Ranked]) {
    ranked.sort_unstable_by(|left, right| {
        right.raw.total_cmp(&left.raw).then_with(|| left.path.cmp(&right.path)).then(left.root.cmp(&right.root))
    });
}

/// A candidate with a score and no path yet.
struct ScoredCandidate<'a> {
    root: usize,
    part: &'a Part,
    node: Node,
    target: usize,
    vector: FeatureVector,
    generators: u8,
    raw: f32,
    /// The intent words that it mentions.
    mentions: u64,
}

/// Scores the candidates of one part, each under its best reading.
fn score_part<'a>(
    query: &PreparedQuery,
    root: usize,
    (part, directories): (&'a Part, &LikelyDirectories),
    scorer: &mut Scorer<'_>,
    weights: &RankWeights,
    list: &mut Vec<ScoredCandidate<'a>>,
) {
    let frecency = &query.frecency[root];
    let moved = query.moved.as_ref().filter(|(there, _)| *there == root);
    let moved = moved.and_then(|(_, path)| find_node(part, path));
    let targets = targets_in(query, root);
    for proposal in propose(query, part, directories, scorer) {
        let Proposal { node, generators, .. } = proposal;
        if let Some(mut best) = score_best((root, part), proposal, &targets, scorer, weights) {
            if !frecency.is_empty() {
                best.vector[Feature::Frecency as usize] = frecency.score(&RelPath::new(part.layer.path(node)));
            }
            best.vector[Feature::Moved as usize] = f32::from(u8::from(moved == Some(node)));
            best.vector[Feature::Agreement as usize] = (generators.count_ones().min(4)) as f32 / 4.0;
            list.push(best);
        }
    }
}

/// Returns the readings that may lead into a root.
fn targets_in(query: &PreparedQuery, root: usize) -> Vec<usize> {
    (0..query.targets.len()).filter(|&at| query.targets[at].root.is_none_or(|wanted| wanted == root)).collect()
}

fn find_node(part: &Part, path: &RelPath) -> Option<Node> {
    part.layer.find(path.as_bytes().split(|&byte| byte == b'/'))
}

/// Scores a proposal under its best reading.
fn score_best<'a>(
    (root, part): (usize, &'a Part),
    Proposal { node, generators, .. }: Proposal,
    targets: &[usize],
    scorer: &mut Scorer<'_>,
    weights: &RankWeights,
) -> Option<ScoredCandidate<'a>> {
    let mut best: Option<ScoredCandidate<'a>> = None;
    for &target in targets {
        let (vector, mentions) = scorer.vector(target, node);
        // A single reading is the best one. `rank` scores again, with what depends on the other candidates.
        let raw = if targets.len() > 1 { weights.score(&vector) } else { 0.0 };
        if best.as_ref().is_none_or(|best| raw > best.raw) {
            best = Some(ScoredCandidate { root, part, node, target, vector, generators, raw, mentions });
        }
    }
    best
}

/// Returns these entries of a root as candidates that no generator proposed, scored without the others.
pub(crate) fn rank_entries(
    query: &PreparedQuery,
    (root, snapshot): (usize, &Snapshot),
    weights: &RankWeights,
    paths: &[RelPath],
) -> Vec<Ranked> {
    let targets = targets_in(query, root);
    let mut list = Vec::new();
    for part in snapshot.parts() {
        let mut scorer = Scorer::new(query, root, snapshot, &part.layer);
        for path in paths {
            let Some(node) = find_node(part, path).filter(|&node| part.is_live(node)) else { continue };
            let proposal = Proposal { node, generators: 0, quality: 0.0 };
            if let Some(best) = score_best((root, part), proposal, &targets, &mut scorer, weights) {
                let ScoredCandidate { target, vector, generators, .. } = best;
                list.push(Ranked { root, path: path.clone(), target, raw: weights.score(&vector), vector, generators });
            }
        }
    }
    list
}

/// Sets [`Feature::IntentTelling`]: each intent word counts by how few of the best candidates mention it.
fn set_intent_telling(query: &PreparedQuery, list: &mut [ScoredCandidate<'_>]) {
    if query.intent.words.is_empty() || list.is_empty() {
        return;
    }
    let top = list.iter().map(|scored| name_fit(&scored.vector)).fold(f32::MIN, f32::max);
    // Only candidates whose name fits about as well as the best one's compete.
    let hopeful = list.iter().filter(|scored| name_fit(&scored.vector) >= top - 0.2);
    let hopeful: Vec<u64> = hopeful.map(|scored| scored.mentions).collect();
    let total = hopeful.len() as f32 + 1.0;
    let says: Vec<f32> = (0..query.intent.words.len())
        .map(|at| {
            let with = hopeful.iter().filter(|&&set| set >> at & 1 == 1).count().max(1) as f32;
            (total / with).ln() / total.ln() * query.intent.words[at].weight
        })
        .collect();
    for scored in list {
        let sum: f32 = (0..says.len()).filter(|at| scored.mentions >> at & 1 == 1).map(|at| says[at]).sum();
        scored.vector[Feature::IntentTelling as usize] = sum;
    }
}

/// Fit of the name alone: 1 exact … 0. Only the order of the kinds matters, and that neighbours are within the 0.2 that
/// `set_intent_telling` allows.
fn name_fit(vector: &FeatureVector) -> f32 {
    let get = |feature: Feature| vector[feature as usize];
    let equal = get(Feature::NameExact).max(0.95 * get(Feature::NameCase)).max(0.9 * get(Feature::NameStyle));
    equal.max(0.8 * get(Feature::StemEdit)).max(0.7 * get(Feature::WordsKept))
}
