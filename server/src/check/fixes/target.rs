//! Targets: what a missing literal may have been meant to name, ranked.

use pathfinder_core::{Op, Request};
use pathfinder_literals::{Checked, Kind, Missing, Verdict, Want};

use super::Scene;
use super::evidence::{Known, Signals};

/// Candidates that the engine is asked for. What the file says of them can bring one of the last ones up: in a list of all
/// packages it is the one that is not listed.
const CANDIDATES: usize = 60;

/// What may have been meant.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Relative to the root.
    pub(super) path: String,
    pub(super) signals: Vec<(&'static str, f32)>,
}

/// The targets, the likeliest first.
pub(super) fn targets(scene: &Scene<'_>, literal: &Checked, missing: &Missing) -> Vec<Target> {
    let known = Known { named: named(scene, literal) };
    let answer = scene.session.ask(&request(scene, missing)).0.ok();
    let mut all: Vec<(f32, Target)> = Vec::new();
    if let Some(path) = &missing.instead {
        let signals = Signals::told(path);
        all.push((signals.points(), Target { path: path.clone(), signals: signals.list() }));
    }
    for candidate in answer.iter().flat_map(|answer| &answer.candidates) {
        let path = candidate.path.text().into_owned();
        let fits = match (scene.world.kind(&path), missing.want) {
            (None, _) | (Some(Kind::Directory), Want::File) | (Some(Kind::File), Want::Directory) => false,
            (Some(_), _) => true,
        };
        if !fits || path == scene.file || all.iter().any(|(_, known)| known.path == path) {
            continue;
        }
        let is_directory = scene.world.kind(&path) == Some(Kind::Directory);
        let signals = Signals::of(&path, is_directory, candidate.score, missing, &known);
        all.push((signals.points(), Target { path, signals: signals.list() }));
    }
    // What is equal stays in the engine's order.
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, target)| target).collect()
}

/// What other literals of the same kind lead to in the file.
fn named(scene: &Scene<'_>, literal: &Checked) -> Vec<String> {
    let same = scene.all.iter().filter(|other| other.kind == literal.kind);
    let found = same.filter_map(|other| match &other.verdict {
        Verdict::Found(target) => Some(target.path.clone()),
        _ => None,
    });
    found.collect()
}

fn request(scene: &Scene<'_>, missing: &Missing) -> Request {
    let (op, slash) = if missing.want == Want::Directory { (Op::List, "/") } else { (Op::Read, "") };
    let from_file = Some(scene.file.to_owned());
    Request { op, from_file, limit: CANDIDATES, ..Request::new(format!("{}{slash}", missing.wanted)) }
}
