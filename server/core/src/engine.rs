//! The façade: one call per question.

use crate::answer::{Answer, Candidate, Refusal, Status};
use crate::asked::{Asked, Context};
use crate::corpus::Corpus;
use crate::decide::{Calibration, Found, decide, score};
use crate::error::RequestError;
use crate::evidence::weigh;
use crate::index::Snapshot;
use crate::packages::with_packages;
use crate::path::RelPath;
use crate::probe::{Kind, Presence, Probe};
use crate::query::{Note, Place, Reading, RootPlace, readings};
use crate::rank::{Ranked, Weights, rank};
use crate::request::Request;

/// One root: how it is called, where it is, what is in it.
#[derive(Debug)]
pub struct Root {
    /// As the user gave it; answers name it so.
    pub given: String,
    /// Absolute forms, for recognising absolute paths.
    pub place: RootPlace,
    /// What is in it.
    pub snapshot: Snapshot,
}

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

    /// Resolves one failed path.
    ///
    /// # Errors
    /// When the request itself is unusable, or a root has become unreadable.
    pub fn resolve(&self, request: &Request, probe: &dyn Probe) -> Result<Answer, RequestError> {
        let readings = readings(request, &self.place)?;
        for (at, root) in self.roots.iter().enumerate() {
            if let Some(reason) = probe.root_gone(at) {
                return Err(RequestError::RootGone { root: root.given.clone(), reason });
            }
        }
        let seen = self.look(request, &readings, probe);
        if let Some((root, path)) = seen.exact {
            return Ok(exists(root, path));
        }
        let snapshots: Vec<&Snapshot> = self.roots.iter().map(|root| &root.snapshot).collect();
        let readings = with_packages(readings, &snapshots);
        let context = Context::new(request, |path| self.localise(path));
        let asked = Asked::new(request, &readings, context, Corpus::new(&snapshots));
        let ranked = rank(&asked, &snapshots, &self.weights, request.limit + SPARE);
        let mut ranked = verify(ranked, request.limit.max(RIVALS), probe);
        let evidence = request.evidence.as_deref().and_then(|text| weigh(text, &mut ranked, probe));
        let candidates = ranked.iter().take(request.limit).map(|ranked| self.encode(ranked, request.explain)).collect();
        let found = Found { asked: &asked, readings: &readings, ranked: &ranked, refusal: seen.refusal(), evidence };
        Ok(decide(&found, &self.calibration, candidates, request.explain))
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

    /// Looks for the cheap readings on disk.
    fn look(&self, request: &Request, readings: &[Reading], probe: &dyn Probe) -> Seen {
        let mut seen = Seen::default();
        let relative = request.failed_path.starts_with('.');
        for (at, reading) in readings.iter().enumerate() {
            let exact = is_exact(reading, relative);
            seen.outside |= reading.outside && at == 0;
            if reading.outside || !exact && at >= LOOKED_AT {
                continue;
            }
            let path = reading.segments.join("/");
            for root in (0..self.roots.len()).filter(|&root| reading.root.is_none_or(|wanted| wanted == root)) {
                match probe.presence(root, path.as_bytes()) {
                    Presence::Present(kind) if exact && !(reading.directory && kind == Kind::File) => {
                        seen.exact = Some((root, RelPath::from(path.as_str())));
                        return seen;
                    }
                    Presence::Present(_) => seen.ignored |= self.roots[root].snapshot.get(path.as_bytes()).is_none(),
                    Presence::Outside => seen.outside = true,
                    Presence::Absent => {}
                }
            }
        }
        seen
    }

    /// Segments relative to a root of a path that may be absolute under one.
    fn localise(&self, path: &str) -> Vec<String> {
        let path = path.replace('\\', "/");
        let forms = self.place.roots.iter().flat_map(|root| &root.absolute);
        let rest = forms
            .filter_map(|root| path.strip_prefix(root.as_str()))
            .find(|rest| rest.is_empty() || rest.starts_with('/'))
            .unwrap_or(&path);
        rest.split('/').filter(|segment| !segment.is_empty() && *segment != ".").map(str::to_owned).collect()
    }
}

/// Candidates verified at least, however few are asked for: confidence depends on the first one's rivals.
const RIVALS: usize = 10;

/// Candidates ranked beyond the limit, to take the place of those that are gone from the disk.
const SPARE: usize = 32;

/// Readings that are looked for on disk before anything is guessed; the dearer ones are left to the index.
const LOOKED_AT: usize = 4;

#[derive(Default)]
struct Seen {
    exact: Option<(usize, RelPath)>,
    /// Something asked for is there, but not in the index.
    ignored: bool,
    /// The way there leaves the roots.
    outside: bool,
}

impl Seen {
    /// Why there is no answer, should there be none.
    fn refusal(&self) -> Refusal {
        match (self.ignored, self.outside) {
            (true, _) => Refusal::Ignored,
            (false, true) => Refusal::OutsideRoot,
            (false, false) => Refusal::NotFound,
        }
    }
}

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

/// The first `most` candidates that are there at this moment.
fn verify(ranked: Vec<Ranked>, most: usize, probe: &dyn Probe) -> Vec<Ranked> {
    let there = |ranked: &Ranked| matches!(probe.presence(ranked.root, ranked.path.as_bytes()), Presence::Present(_));
    ranked.into_iter().filter(there).take(most).collect()
}

/// Whether the reading takes the failed path for what it says, so that what is there is no correction.
/// `relative`: it says itself that it is relative to where it stands.
fn is_exact(reading: &Reading, relative: bool) -> bool {
    reading.notes.iter().all(|note| match note {
        Note::AsWritten | Note::FromCwd | Note::ParentResolved => true,
        Note::FromFile => relative,
        _ => false,
    })
}

#[cfg(test)]
mod tests;
