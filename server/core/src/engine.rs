//! `Engine`: the façade of this package. One call per request runs all stages: read, look up, rank, verify, rerank,
//! decide.

use std::sync::Arc;

use crate::answer::{Answer, Candidate, Status};
use crate::corpus::Corpus;
use crate::decide::{Calibration, DecisionInput, RerankBasis, RerankOutcome, assess, decide, score};
use crate::error::RequestError;
use crate::evidence::rank_by_evidence;
use crate::existing::{ExistingSuffix, find_existing_suffix};
use crate::features::Feature;
use crate::forms::with_forms;
use crate::history_lookup::{HistoryMatch, find_in_history};
use crate::index::{Change, Snapshot};
use crate::intent_contents::{IntentContents, rank_by_contents};
use crate::intent_declarations::rank_by_declarations;
use crate::kinds::{is_unreadable, prefer_files};
use crate::packages::with_packages;
use crate::path::RelPath;
use crate::precheck::check_disk;
use crate::prepared_query::{LocationContext, PreparedQuery};
use crate::probe::Probe;
use crate::query::{PathEnvironment, RootForms, interpret};
use crate::rank::{RankWeights, Ranked, rank};
use crate::request::Request;
use crate::root::Root;
use crate::similarity::{POOL_MAX, RerankQuery, Reranker, SimilarityModel};
use crate::stage::Stage;

/// Answers requests over immutable snapshots of all roots.
#[derive(Debug)]
pub struct Engine {
    roots: Vec<Root>,
    place: PathEnvironment,
    weights: RankWeights,
    calibration: Calibration,
    /// The model, and the least number of candidates to compare with it.
    model: Option<(Arc<dyn SimilarityModel>, usize)>,
}

impl Engine {
    /// Creates an engine over these roots, none of which may contain another. `cwd` is (root, path relative to it) if
    /// the current directory lies inside a root; `home` is the user's home.
    pub fn new(roots: Vec<Root>, cwd: Option<(usize, String)>, home: Option<String>) -> Self {
        let place = PathEnvironment { roots: roots.iter().map(|root| root.place.clone()).collect(), cwd, home };
        Self { roots, place, weights: RankWeights::built_in(), calibration: Calibration::built_in(), model: None }
    }

    /// The roots, in the order in which answers number them.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Returns this engine over other versions of its roots.
    #[must_use]
    pub fn with_roots(&self, roots: Vec<Root>) -> Self {
        let Self { place, weights, calibration, model, .. } = self;
        let (place, weights, calibration) = (place.clone(), weights.clone(), calibration.clone());
        Self { roots, place, weights, calibration, model: model.clone() }
    }

    /// Returns the root and the path in it of the asking process's current directory, if it is in one.
    pub fn cwd(&self) -> Option<(usize, &str)> {
        self.place.cwd.as_ref().map(|(root, directory)| (*root, directory.as_str()))
    }

    /// Returns this engine for another current directory: (root, path relative to it) if that lies inside a root.
    #[must_use]
    pub fn with_cwd(&self, cwd: Option<(usize, String)>) -> Self {
        let mut engine = self.with_roots(self.roots.clone());
        engine.place.cwd = cwd;
        engine
    }

    /// Returns this engine with a model that reranks ambiguous answers. `topk` is the least number of candidates to
    /// compare.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn SimilarityModel>, topk: usize) -> Self {
        self.model = Some((model, topk));
        self
    }

    /// Resolves one failed path.
    ///
    /// # Errors
    /// Returns an error when the request itself is unusable, or a root has become unreadable.
    pub fn resolve(&self, request: &Request, probe: &dyn Probe) -> Result<Answer, RequestError> {
        self.resolve_observed(request, probe, &(), &mut |_| ())
    }

    /// Resolves one failed path, by contents too where paths leave a choice, and calls `reached` after each stage.
    ///
    /// # Errors
    /// Returns an error when the request itself is unusable, or a root has become unreadable.
    pub fn resolve_observed(
        &self,
        request: &Request,
        probe: &dyn Probe,
        contents: &dyn IntentContents,
        reached: &mut dyn FnMut(Stage),
    ) -> Result<Answer, RequestError> {
        let readings = interpret(request, &self.place)?;
        for (at, root) in self.roots.iter().enumerate() {
            if let Some(reason) = probe.root_gone(at) {
                return Err(RequestError::RootGone { root: root.given.clone(), reason });
            }
        }
        let seen = check_disk(request, &readings, &self.roots, probe);
        if let Some((root, path)) = seen.exact {
            reached(Stage::Read);
            return Ok(existing_answer(root, path));
        }
        // An entry that was created after the walk is indexed for this request only.
        let newer = seen
            .new
            .as_ref()
            .map(|(root, path, kind)| (*root, self.roots[*root].snapshot.apply(&[Change::Added(path.clone(), *kind)])));
        let mut snapshots: Vec<&Snapshot> = self.roots.iter().map(|root| &root.snapshot).collect();
        if let Some((root, snapshot)) = &newer {
            snapshots[*root] = snapshot;
        }
        let existing = if seen.withholds() { None } else { find_existing_suffix(request.op, &readings, &snapshots) };
        // A path that is only not checked out was not moved or deleted, whatever happened to others of its name.
        let history_match = match &existing {
            Some(found) => Some((HistoryMatch::from_existing(found), Some(found.reading.clone()))),
            None if seen.left_out => None,
            None => find_in_history(&readings, &self.roots, &snapshots),
        };
        let mut readings = with_forms(with_packages(readings, &snapshots), &snapshots);
        let (history_match, moved) = history_match.unzip();
        // The moved path comes first, so that it is among the readings that are looked up.
        readings.splice(0..0, moved.flatten());
        let forms = RootForms::new(&self.place);
        let context = LocationContext::new(request, |path| forms.localise(path));
        let mut query = PreparedQuery::new(request, &readings, context, Corpus::new(&snapshots));
        let moved = history_match.as_ref().filter(|history_match| history_match.text.is_some());
        query.moved = moved.and_then(|history_match| Some((history_match.root, history_match.to.clone()?)));
        query.frecency = self.roots.iter().map(|root| Arc::clone(&root.frecency)).collect();
        reached(Stage::Read);
        let (mut ranked, rest) = self.verified_best(request, &query, &snapshots, probe, reached);
        prefer_files(&query, &snapshots, &mut ranked);
        if let Some(existing) = &existing {
            put_first(&mut ranked, existing);
        }
        let evidence = request.evidence.as_deref().and_then(|text| rank_by_evidence(text, &mut ranked, probe));
        reached(Stage::Verified);
        let refusal = seen.refusal();
        let mut input = DecisionInput {
            query: &query,
            readings: &readings,
            ranked: rivals(&ranked),
            weights: &self.weights,
            refusal,
            is_withheld: seen.ignored || seen.left_out,
            history: history_match,
            evidence,
            corpus: Corpus::new(&snapshots),
            files: snapshots.iter().map(|snapshot| snapshot.files()).sum(),
            is_directory: is_directory(&query, &ranked, &snapshots),
            rerank: None,
        };
        let mut assessment = assess(&input, &self.calibration);
        // A model and contents are asked only between certain answers and none: the original's cut-offs of 50 and 30 points,
        // expressed as confidence. `BENCHMARKS.md` has the figures on either side.
        let all = (&input, &snapshots[..], assessment.is_sure());
        let by_declarations = self.rerank_by_declarations(request, all, (&ranked, &rest), (probe, contents));
        let reranked = by_declarations.or_else(|| {
            let all = (&input, &snapshots[..], assessment.ambiguous_confidence()?);
            let by_contents = self.rerank_by_contents(request, all, (&ranked, &rest), (probe, contents));
            by_contents.or_else(|| self.rerank(request, all, (&ranked, rest), probe))
        });
        if let Some(RerankedList { ranked, weights, outcome }) = &reranked {
            (input.ranked, input.weights, input.rerank) = (rivals(ranked), weights, Some(*outcome));
            input.is_directory = is_directory(&query, ranked, &snapshots);
            assessment = assess(&input, &self.calibration);
            reached(Stage::Reranked);
        }
        let (ranked, weights) =
            reranked.as_ref().map_or((&ranked, &self.weights), |reranked| (&reranked.ranked, &reranked.weights));
        let shown = &ranked[..ranked.len().min(request.limit)];
        let encode = |ranked: &Ranked| to_candidate(ranked, weights, request.explain);
        let mut answer = decide(&input, (assessment, &self.calibration), shown, encode, request.explain);
        answer.position = input.position(&request.failed_path);
        reached(Stage::Decided);
        Ok(answer)
    }

    /// Returns whether git's history could change the answer to a request. A path that exists as requested, or without
    /// its surrounding directories, is the answer whatever history records. The same holds for an ignored path, which
    /// is refused.
    ///
    /// # Errors
    /// Returns an error when the request itself is unusable, or a root has become unreadable.
    pub fn needs_history(&self, request: &Request, probe: &dyn Probe) -> Result<bool, RequestError> {
        let readings = interpret(request, &self.place)?;
        let seen = check_disk(request, &readings, &self.roots, probe);
        let snapshots: Vec<&Snapshot> = self.roots.iter().map(|root| &root.snapshot).collect();
        let is_known = seen.exact.is_some()
            || seen.withholds()
            || seen.new.is_some()
            || find_existing_suffix(request.op, &readings, &snapshots).is_some();
        Ok(!is_known)
    }

    /// Returns the best candidates that exist at this moment, and the unverified ones behind them.
    fn verified_best(
        &self,
        request: &Request,
        query: &PreparedQuery,
        snapshots: &[&Snapshot],
        probe: &dyn Probe,
        reached: &mut dyn FnMut(Stage),
    ) -> (Vec<Ranked>, Vec<Ranked>) {
        let wanted = request.limit.max(RIVALS_MAX);
        let verified = |ranked: &mut dyn Iterator<Item = Ranked>| -> Vec<Ranked> {
            ranked.filter(|ranked| is_there(ranked, probe)).take(wanted).collect()
        };
        // More candidates get paths only if a model or contents may compare more.
        let compares = self.can_rerank(request) || !request.intent_text.is_empty();
        let most = if compares { wanted.max(POOL_MAX) + SPARE_COMPARED } else { wanted + SPARE_CANDIDATES };
        let ranked = rank(query, snapshots, &self.weights, most);
        reached(Stage::Ranked);
        let more = ranked.len() >= most;
        let mut rest = ranked.into_iter();
        let mut ranked = verified(&mut rest);
        if more && ranked.len() < wanted {
            // Many of the best are gone from the disk, so lower-ranked ones are needed.
            rest = rank(query, snapshots, &self.weights, usize::MAX).into_iter();
            ranked = verified(&mut rest);
        }
        (ranked, rest.collect())
    }

    /// Returns whether a model may be asked.
    fn can_rerank(&self, request: &Request) -> bool {
        self.model.is_some() && may_reorder(request)
    }

    /// Returns the candidates in the order of their declarations; `None` if these say nothing.
    fn rerank_by_declarations(
        &self,
        request: &Request,
        (input, snapshots, is_sure): (&DecisionInput<'_>, &[&Snapshot], bool),
        (ranked, rest): (&[Ranked], &[Ranked]),
        (probe, contents): (&dyn Probe, &dyn IntentContents),
    ) -> Option<RerankedList> {
        if !may_reorder(request) || input.history.is_some() {
            return None;
        }
        let mut list = ranked.to_vec();
        let intent = (request.intent_text.as_str(), input.query, is_sure);
        let there = |candidate: &Ranked| is_there(candidate, probe);
        let all = (&self.roots[..], snapshots, &self.weights);
        rank_by_declarations(intent, (&mut list, rest), all, there, contents).then(|| {
            let outcome = (self.weights.clone(), 1.0, RerankBasis::Declarations);
            reranked_list(request, (ranked, list), (input, snapshots), outcome)
        })
    }

    /// Returns the candidates in the order of their contents; `None` if these say nothing, or are not known. `before` is the
    /// confidence of the answer without them.
    fn rerank_by_contents(
        &self,
        request: &Request,
        (input, snapshots, before): (&DecisionInput<'_>, &[&Snapshot], f32),
        (ranked, rest): (&[Ranked], &[Ranked]),
        (probe, contents): (&dyn Probe, &dyn IntentContents),
    ) -> Option<RerankedList> {
        if !may_reorder(request) || ranked.len() < 2 {
            return None;
        }
        let mut list = ranked.to_vec();
        let intent = (request.intent_text.as_str(), input.query);
        let there = |candidate: &Ranked| is_there(candidate, probe);
        if !rank_by_contents(intent, (&mut list, rest), there, &self.weights, contents) {
            return None;
        }
        let weights = self.weights.clone();
        // Confidence was fitted to answers without contents.
        Some(reranked_list(request, (ranked, list), (input, snapshots), (weights, before, RerankBasis::Contents)))
    }

    /// Returns the candidates in the model's order; `None` if no model is asked. `before` is the confidence without it.
    fn rerank(
        &self,
        request: &Request,
        (input, snapshots, before): (&DecisionInput<'_>, &[&Snapshot], f32),
        (ranked, rest): (&[Ranked], Vec<Ranked>),
        probe: &dyn Probe,
    ) -> Option<RerankedList> {
        let (model, least) = self.model.as_ref().filter(|_| self.can_rerank(request) && ranked.len() > 1)?;
        let files = self.roots.iter().map(|root| root.snapshot.files()).sum();
        let reranker = Reranker::new(&**model, *least, files)?;
        let weight = reranker.options.weight.unwrap_or(self.weights.get(Feature::MaxSim));
        let weights = self.weights.with(Feature::MaxSim, weight);
        let query = RerankQuery { intent: &request.intent_text, path: &request.failed_path };
        let mut list = ranked.to_vec();
        let there = |candidate: &Ranked| is_there(candidate, probe);
        if !reranker.rerank(query, (&mut list, rest), there, &weights) {
            return None;
        }
        let max_confidence = if reranker.options.calibrated { 1.0 } else { before };
        Some(reranked_list(request, (ranked, list), (input, snapshots), (weights, max_confidence, RerankBasis::Model)))
    }
}

/// Returns whether the order of names and history may be changed. Evidence rules it out: it identifies a file better than
/// an intent does.
fn may_reorder(request: &Request) -> bool {
    !request.lexical && request.evidence.as_deref().unwrap_or_default().is_empty()
}

/// Compares the reordered `list` with `ranked`, the order before.
fn reranked_list(
    request: &Request,
    (ranked, mut list): (&[Ranked], Vec<Ranked>),
    (input, snapshots): (&DecisionInput<'_>, &[&Snapshot]),
    (weights, max_confidence, basis): (RankWeights, f32, RerankBasis),
) -> RerankedList {
    prefer_files(input.query, snapshots, &mut list);
    let place = |ranked: &Ranked| (ranked.root, ranked.path.clone());
    let (old, new) = (ranked.iter().map(place), list.iter().map(place));
    let outcome = RerankOutcome {
        is_reordered: !old.take(request.limit).eq(new.take(request.limit)),
        is_first_changed: place(&ranked[0]) != place(&list[0]),
        max_confidence,
        basis,
    };
    RerankedList { ranked: list, weights, outcome }
}

/// Candidates that confidence takes into account: the first one and its rivals.
const RIVALS_MAX: usize = 10;

/// Candidates ranked beyond the limit, to replace those that are gone from the disk. If more of them are gone, all are ranked
/// again; each one costs its path in every question.
const SPARE_CANDIDATES: usize = 8;
/// Candidates ranked beyond those that a model or contents compare, for the same reason.
const SPARE_COMPARED: usize = 32;

/// The candidates after a model, or contents, reordered them.
struct RerankedList {
    ranked: Vec<Ranked>,
    weights: RankWeights,
    outcome: RerankOutcome,
}

/// Returns the candidates that confidence takes into account, whatever limit the caller sets.
fn rivals(ranked: &[Ranked]) -> &[Ranked] {
    &ranked[..ranked.len().min(RIVALS_MAX)]
}

/// Puts the existing suffix of the request before all similar paths.
fn put_first(ranked: &mut [Ranked], existing: &ExistingSuffix) {
    let is_it = |ranked: &Ranked| (ranked.root, &ranked.path) == (existing.root, &existing.path);
    if let Some(at) = ranked.iter().position(is_it) {
        ranked[..=at].rotate_right(1);
        // Candidates are sorted by score.
        ranked[0].raw = ranked.iter().map(|ranked| ranked.raw).fold(ranked[0].raw, f32::max);
    }
}

/// Returns whether the first candidate is a directory although the request reads a file.
fn is_directory(query: &PreparedQuery, ranked: &[Ranked], snapshots: &[&Snapshot]) -> bool {
    ranked.first().is_some_and(|first| is_unreadable(query, snapshots, first))
}

fn is_there(ranked: &Ranked, probe: &dyn Probe) -> bool {
    probe.exists(ranked.root, ranked.path.as_bytes())
}

fn to_candidate(ranked: &Ranked, weights: &RankWeights, explain: bool) -> Candidate {
    Candidate {
        root: ranked.root,
        path: ranked.path.clone(),
        score: score(ranked.raw),
        contributions: if explain { ranked.contributions(weights) } else { Vec::new() },
        generators: if explain { ranked.generator_names() } else { Vec::new() },
    }
}

fn existing_answer(root: usize, path: RelPath) -> Answer {
    Answer {
        status: Status::Exists,
        path: Some((root, path)),
        confidence: 1.0,
        position: None,
        may_act: true,
        why: "exists as asked".to_owned(),
        candidates: Vec::new(),
        refusal: None,
        signals: Vec::new(),
        reranked: false,
        next_question: None,
    }
}

#[cfg(test)]
mod tests;
