//! The façade: one call per question.

use std::sync::Arc;

use crate::answer::{Answer, Candidate, Status};
use crate::asked::{Asked, Context};
use crate::corpus::Corpus;
use crate::decide::{Calibration, Evidence, Found, decide, score};
use crate::error::RequestError;
use crate::evidence::weigh;
use crate::fate::tell;
use crate::forms::with_forms;
use crate::index::{Change, Snapshot};
use crate::look::look;
use crate::packages::with_packages;
use crate::path::RelPath;
use crate::probe::{Presence, Probe};
use crate::query::{Place, readings};
use crate::rank::{Ranked, Weights, rank};
use crate::request::Request;
use crate::root::Root;
use crate::stage::Stage;

/// Answers requests over immutable snapshots of all roots.
#[derive(Debug)]
pub struct Engine {
    roots: Vec<Root>,
    place: Place,
    weights: Weights,
    calibration: Calibration,
}

impl Engine {
    /// An engine over these roots, none of which may contain another.
    /// `cwd` is (root, path relative to it) when the current directory lies inside one; `home` is the user's home.
    pub fn new(roots: Vec<Root>, cwd: Option<(usize, String)>, home: Option<String>) -> Self {
        let place = Place { roots: roots.iter().map(|root| root.place.clone()).collect(), cwd, home };
        Self { roots, place, weights: Weights::built_in(), calibration: Calibration::built_in() }
    }

    /// The roots, in the order in which answers number them.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The same engine over roots of which other things are known by now.
    #[must_use]
    pub fn with_roots(&self, roots: Vec<Root>) -> Self {
        Self { roots, place: self.place.clone(), weights: self.weights.clone(), calibration: self.calibration.clone() }
    }

    /// Resolves one failed path.
    ///
    /// # Errors
    /// When the request itself is unusable, or a root has become unreadable.
    pub fn resolve(&self, request: &Request, probe: &dyn Probe) -> Result<Answer, RequestError> {
        self.resolve_observed(request, probe, &mut |_| ())
    }

    /// The same; `reached` is told when a stage has ended.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn resolve_observed(
        &self,
        request: &Request,
        probe: &dyn Probe,
        reached: &mut dyn FnMut(Stage),
    ) -> Result<Answer, RequestError> {
        let readings = readings(request, &self.place)?;
        for (at, root) in self.roots.iter().enumerate() {
            if let Some(reason) = probe.root_gone(at) {
                return Err(RequestError::RootGone { root: root.given.clone(), reason });
            }
        }
        let seen = look(request, &readings, &self.roots, probe);
        if let Some((root, path)) = seen.exact {
            reached(Stage::Read);
            return Ok(exists(root, path));
        }
        // What was made since the walk is indexed for this request.
        let newer = seen
            .new
            .as_ref()
            .map(|(root, path, kind)| (*root, self.roots[*root].snapshot.apply(&[Change::Added(path.clone(), *kind)])));
        let mut snapshots: Vec<&Snapshot> = self.roots.iter().map(|root| &root.snapshot).collect();
        if let Some((root, snapshot)) = &newer {
            snapshots[*root] = snapshot;
        }
        let told = tell(&readings, &self.roots, &snapshots);
        let mut readings = with_forms(with_packages(readings, &snapshots), &snapshots);
        let (told, moved) = told.unzip();
        // First, so that it is among those that are looked for.
        readings.splice(0..0, moved.flatten());
        let context = Context::new(request, |path| self.localise(path));
        let mut asked = Asked::new(request, &readings, context, Corpus::new(&snapshots));
        asked.moved = told.as_ref().and_then(|told| Some((told.root, told.to.clone()?)));
        asked.familiar = self.roots.iter().map(|root| Arc::clone(&root.familiar)).collect();
        reached(Stage::Read);
        let (ranked, evidence) = self.best(request, &asked, &snapshots, probe, reached);
        // Confidence looks at the same number of rivals however many candidates the caller wants.
        let rivals = &ranked[..ranked.len().min(RIVALS)];
        let candidates = ranked.iter().take(request.limit).map(|ranked| self.encode(ranked, request.explain)).collect();
        let refusal = seen.refusal();
        let found = Found {
            asked: &asked,
            readings: &readings,
            ranked: rivals,
            weights: &self.weights,
            refusal,
            ignored: seen.ignored,
            told,
            evidence,
        };
        let answer = decide(&found, &self.calibration, candidates, request.explain);
        reached(Stage::Decided);
        Ok(answer)
    }

    /// The best candidates that are there at this moment, and what the caller's evidence says of the first.
    fn best(
        &self,
        request: &Request,
        asked: &Asked,
        snapshots: &[&Snapshot],
        probe: &dyn Probe,
        reached: &mut dyn FnMut(Stage),
    ) -> (Vec<Ranked>, Option<Evidence>) {
        let wanted = request.limit.max(RIVALS);
        let there =
            |ranked: &Ranked| matches!(probe.presence(ranked.root, ranked.path.as_bytes()), Presence::Present(_));
        let verified = |ranked: Vec<Ranked>| ranked.into_iter().filter(there).take(wanted).collect::<Vec<_>>();
        let ranked = rank(asked, snapshots, &self.weights, wanted + SPARE);
        reached(Stage::Ranked);
        let more = ranked.len() >= wanted + SPARE;
        let mut ranked = verified(ranked);
        if more && ranked.len() < wanted {
            // So many are gone from the disk that those further down are needed.
            ranked = verified(rank(asked, snapshots, &self.weights, usize::MAX));
        }
        let evidence = request.evidence.as_deref().and_then(|text| weigh(text, &mut ranked, probe));
        reached(Stage::Verified);
        (ranked, evidence)
    }

    fn encode(&self, ranked: &Ranked, explain: bool) -> Candidate {
        Candidate {
            root: ranked.root,
            path: ranked.path.clone(),
            score: score(ranked.raw),
            contributions: if explain { ranked.contributions(&self.weights) } else { Vec::new() },
            generators: if explain { ranked.generator_names() } else { Vec::new() },
        }
    }

    /// The root that an absolute path lies under, if any, and the path's segments relative to it.
    fn localise(&self, path: &str) -> (Option<usize>, Vec<String>) {
        let path = path.replace('\\', "/");
        let forms = self.place.roots.iter().enumerate();
        let mut forms = forms.flat_map(|(root, place)| place.absolute.iter().map(move |form| (root, form)));
        let under = forms.find_map(|(root, form)| {
            let rest = path.strip_prefix(form.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then_some((root, rest))
        });
        let (root, rest) = under.map_or((None, path.as_str()), |(root, rest)| (Some(root), rest));
        let segments = rest.split('/').filter(|segment| !segment.is_empty() && *segment != ".").map(str::to_owned);
        (root, segments.collect())
    }
}

/// Candidates that confidence looks at: the first one and its rivals.
const RIVALS: usize = 10;

/// Candidates ranked beyond the limit, to take the place of those that are gone from the disk.
const SPARE: usize = 32;

fn exists(root: usize, path: RelPath) -> Answer {
    Answer {
        status: Status::Exists,
        path: Some((root, path)),
        confidence: 1.0,
        why: "exists as asked".to_owned(),
        candidates: Vec::new(),
        refusal: None,
        signals: Vec::new(),
        next_question: None,
    }
}

#[cfg(test)]
mod tests;
