//! Targets: what a missing literal may have been meant to name, ranked.

use std::collections::HashSet;

use pathfinder_core::{Op, Request};
use pathfinder_literals::{Checked, Kind, Missing, Want};

use super::Scene;
use super::evidence::Signals;
use super::known::Known;
use super::paths::{bare, is_index, joined, name, parent};
use super::words::{expected, share};

/// Candidates that the engine is asked for. What the file says of them can bring one of the last ones up.
const CANDIDATES: usize = 60;
/// Files of the directory that was named which are looked at besides: in a list of all modules it is the one that is not
/// listed, whatever it is called.
const BESIDE: usize = 300;
/// Directories of which that is done: a class can have been meant in any root of sources.
const DIRECTORIES: usize = 6;
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
    let known = Known::new(scene, literal, missing);
    let mut all: Vec<(String, Signals)> = Vec::new();
    let mut seen: HashSet<String> = HashSet::from([scene.file.to_owned()]);
    if let Some(path) = &missing.instead {
        seen.insert(path.clone());
        all.push((path.clone(), Signals::told()));
    }
    let answer = scene.session.ask(&request(scene, missing)).0.ok();
    let asked = answer.iter().flat_map(|answer| &answer.candidates);
    let asked = asked.map(|candidate| (candidate.path.text().into_owned(), candidate.score));
    let besides = beside(scene, missing, &known).into_iter().map(|path| (path, 0.0));
    for (path, score) in asked.chain(besides) {
        let kind = scene.world.kind(&path);
        let fits = match (kind, missing.want) {
            (None, _) | (Some(Kind::Directory), Want::File) | (Some(Kind::File), Want::Directory) => false,
            (Some(_), _) => true,
        };
        if fits && seen.insert(path.clone()) {
            let signals = Signals::of(&path, kind == Some(Kind::Directory), score, &known);
            all.push((path, signals));
        }
    }
    // What is equal stays in the engine's order.
    all.sort_by(|a, b| b.1.points().total_cmp(&a.1.points()));
    let skipped = scene.source.offset();
    let words = expected(scene.source.text(), &(literal.range.start - skipped..literal.range.end - skipped));
    if !words.is_empty() || scene.readings.is_needy(scene) {
        for (path, signals) in all.iter_mut().take(READ) {
            signals.read(share(&words, &scene.readings.names(scene, path)), scene.readings.gives(scene, path));
        }
        all.sort_by(|a, b| b.1.points().total_cmp(&a.1.points()));
    }
    all.into_iter().map(|(path, signals)| Target { path, signals }).collect()
}

/// What the engine is not asked for: what is in the directories that were named or that hold them, what the literal says
/// seen from other directories, and what literals of other kinds lead to.
fn beside(scene: &Scene<'_>, missing: &Missing, known: &Known<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    // It may be there, and only be written wrong.
    all.push(missing.wanted.clone());
    for rest in known.steps() {
        let like = |found: &String| bare(found) == name(rest);
        let there = scene.world.names(parent(rest)).to_vec();
        all.extend(there.into_iter().filter(like).map(|found| joined(parent(rest), &found)));
        let inside = scene.world.names(rest).to_vec();
        all.extend(inside.into_iter().filter(|name| is_index(name)).map(|name| joined(rest, &name)));
    }
    for mut directory in known.asked().take(DIRECTORIES) {
        if scene.world.kind(directory).is_none() {
            directory = parent(directory);
        }
        let names = scene.world.names(directory).to_vec().into_iter().take(BESIDE);
        all.extend(names.map(|name| joined(directory, &name)));
    }
    all.extend(known.elsewhere.iter().take(BESIDE).map(|path| (*path).to_owned()));
    all.retain(|path| !scene.world.is_ignored(path));
    all
}

fn request(scene: &Scene<'_>, missing: &Missing) -> Request {
    let (op, slash) = if missing.want == Want::Directory { (Op::List, "/") } else { (Op::Read, "") };
    let from_file = Some(scene.file.to_owned());
    Request { op, from_file, limit: CANDIDATES, ..Request::new(format!("{}{slash}", missing.wanted)) }
}
