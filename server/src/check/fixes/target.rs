//! Targets: what a missing literal may have been meant to name, ranked.

use std::collections::HashSet;

use pathfinder_core::{Op, Request};
use pathfinder_literals::{Checked, Kind, Missing, Verdict, Want};

use super::Scene;
use super::evidence::{Known, Signals, parent};
use super::words::{expected, share};

/// Candidates that the engine is asked for. What the file says of them can bring one of the last ones up.
const CANDIDATES: usize = 60;
/// Files of the directory that was named which are looked at besides: in a list of all modules it is the one that is not
/// listed, whatever it is called.
const BESIDE: usize = 300;
/// Files of a directory in which names are looked for.
const FILES: usize = 20;
/// Targets whose contents are looked at: those that lead by what their paths say.
const READ: usize = 40;

/// What may have been meant.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Relative to the root.
    pub(super) path: String,
    pub(super) signals: Signals,
}

/// The targets, the likeliest first.
pub(super) fn targets(scene: &Scene<'_>, literal: &Checked, missing: &Missing) -> Vec<Target> {
    let known = Known::new(named(scene, literal), scene.world, &missing.wanted);
    let mut all: Vec<(String, Signals)> = Vec::new();
    let mut seen: HashSet<String> = HashSet::from([scene.file.to_owned()]);
    if let Some(path) = &missing.instead {
        seen.insert(path.clone());
        all.push((path.clone(), Signals::told()));
    }
    let answer = scene.session.ask(&request(scene, missing)).0.ok();
    let asked = answer.iter().flat_map(|answer| &answer.candidates);
    let asked = asked.map(|candidate| (candidate.path.text().into_owned(), candidate.score));
    let beside = beside(scene, missing).into_iter().map(|path| (path, 0.0));
    for (path, score) in asked.chain(beside) {
        let kind = scene.world.kind(&path);
        let fits = match (kind, missing.want) {
            (None, _) | (Some(Kind::Directory), Want::File) | (Some(Kind::File), Want::Directory) => false,
            (Some(_), _) => true,
        };
        if fits && seen.insert(path.clone()) {
            let signals = Signals::of(&path, kind == Some(Kind::Directory), score, missing, &known);
            all.push((path, signals));
        }
    }
    // What is equal stays in the engine's order.
    all.sort_by(|a, b| b.1.points().total_cmp(&a.1.points()));
    let skipped = scene.source.offset();
    let words = expected(scene.source.text(), &(literal.range.start - skipped..literal.range.end - skipped));
    if !words.is_empty() {
        for (path, signals) in all.iter_mut().take(READ) {
            signals.read(share(&words, &contents(scene, path)));
        }
        all.sort_by(|a, b| b.1.points().total_cmp(&a.1.points()));
    }
    all.into_iter().map(|(path, signals)| Target { path, signals }).collect()
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

/// What is in the directory that was named, or that holds it.
fn beside(scene: &Scene<'_>, missing: &Missing) -> Vec<String> {
    let mut directory = parent(&missing.wanted);
    if scene.world.kind(directory).is_none() {
        directory = parent(directory);
    }
    let names = scene.world.names(directory).to_vec().into_iter().take(BESIDE);
    let paths = names.map(|name| if directory.is_empty() { name } else { format!("{directory}/{name}") });
    paths.filter(|path| !scene.world.is_ignored(path)).collect()
}

/// The text of a file, or of the files of a directory.
fn contents(scene: &Scene<'_>, path: &str) -> String {
    if scene.world.kind(path) != Some(Kind::Directory) {
        return scene.world.read(path).unwrap_or_default();
    }
    let names = scene.world.names(path).to_vec().into_iter().take(FILES);
    names.filter_map(|name| scene.world.read(&format!("{path}/{name}"))).collect()
}

fn request(scene: &Scene<'_>, missing: &Missing) -> Request {
    let (op, slash) = if missing.want == Want::Directory { (Op::List, "/") } else { (Op::Read, "") };
    let from_file = Some(scene.file.to_owned());
    Request { op, from_file, limit: CANDIDATES, ..Request::new(format!("{}{slash}", missing.wanted)) }
}
