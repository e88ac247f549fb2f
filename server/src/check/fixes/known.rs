//! What a file says of a literal besides the literal itself.

use std::collections::{BTreeSet, HashMap, HashSet};

use pathfinder_literals::{Checked, Missing, Verdict};

use super::Scene;
use super::paths::{bare, beyond, essence, extension, is_index, joined, name, parent, stem, upwards, way, words};
use super::words::{identifiers, statement};

/// Paths that were tried for one literal, at most: a class is looked for in every root of sources.
const TRIED: usize = 16;

/// See the module's text.
pub(super) struct Known<'a> {
    /// What the literal names: first what is taken for it, then the same name in other places that were tried.
    wanted: Vec<&'a str>,
    /// What other literals of the same kind lead to.
    named: BTreeSet<&'a str>,
    /// How many of these are in which directory: that is asked for every target.
    inside: HashMap<&'a str, usize>,
    /// The share of those literals that lead to something of their own.
    pub(super) once: f32,
    /// What literals of other kinds lead to.
    pub(super) elsewhere: BTreeSet<&'a str>,
    /// In how far those of the same kind are a list of what is in the directory that was asked for: the share of it that
    /// is named.
    pub(super) listed: f32,
    /// What the literal would lead to if the file was in one of the directories above, without endings.
    steps: HashSet<String>,
    /// Words that the file says outside of its literals, without case and underscores, if it does not say the one that
    /// the literal ends in.
    said: HashSet<String>,
    /// Words of the statement around the literal.
    line: Vec<String>,
}

impl<'a> Known<'a> {
    /// For one missing literal of a file.
    pub(super) fn new(scene: &Scene<'a>, literal: &'a Checked, missing: &'a Missing) -> Self {
        let wanted = wanted(literal, missing);
        let found = scene.all.iter().filter_map(|other| match &other.verdict {
            Verdict::Found(target) => Some((other.kind == literal.kind, target.path.as_str())),
            _ => None,
        });
        let (same, other): (Vec<_>, Vec<_>) = found.partition(|(is_same, _)| *is_same);
        let count = same.len();
        let named: BTreeSet<&str> = same.into_iter().map(|(_, path)| path).collect();
        let elsewhere = other.into_iter().map(|(_, path)| path).collect();
        let once = if count == 0 { 0.0 } else { named.len() as f32 / count as f32 };
        let mut inside: HashMap<&str, usize> = HashMap::new();
        for path in &named {
            *inside.entry(parent(path)).or_default() += 1;
        }
        let asked = parent(&missing.wanted);
        let alike = |name: &&String| extension(name) == extension(&missing.wanted);
        let all = scene.world.names(asked).iter().filter(alike).count();
        let there = inside.get(asked).copied().unwrap_or_default();
        let listed = if all == 0 { 0.0 } else { (there as f32 / all as f32).min(1.0) };
        let (said, line) = (said(scene, &missing.wanted), line(scene, literal));
        Self { steps: steps(scene.file, &missing.wanted), wanted, named, inside, once, elsewhere, listed, said, line }
    }

    /// What was asked for, as near as possible to a path that is there.
    pub(super) fn wanted(&self, path: &str) -> &'a str {
        let mut best = (self.wanted[0], -1.0);
        for wanted in &self.wanted {
            let near = way(parent(wanted), parent(path));
            if near > best.1 {
                best = (wanted, near);
            }
        }
        best.0
    }

    /// The directories that were asked for.
    pub(super) fn asked(&self) -> impl Iterator<Item = &'a str> {
        let mut seen = HashSet::new();
        self.wanted.iter().map(|wanted| parent(wanted)).filter(move |directory| seen.insert(*directory))
    }

    /// What the literal could lead to from the directories above the file, without endings.
    pub(super) fn steps(&self) -> impl Iterator<Item = &str> {
        let mut all: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        all.sort_unstable();
        all.into_iter()
    }

    pub(super) fn is_named(&self, path: &str) -> bool {
        self.named.contains(path)
    }

    /// The share of the other literals that lead into a path's directory.
    pub(super) fn beside(&self, path: &str) -> f32 {
        let inside = self.inside.get(parent(path)).copied().unwrap_or_default();
        if self.named.is_empty() { 0.0 } else { inside as f32 / self.named.len() as f32 }
    }

    /// Whether a path is what the literal says, seen from another directory.
    pub(super) fn other_steps(&self, path: &str) -> bool {
        self.steps.contains(essence(path)) || self.steps.contains(bare(path))
    }

    /// Whether the file speaks of it.
    pub(super) fn says(&self, path: &str) -> bool {
        self.said.contains(&plain(meant(path)))
    }

    /// The share of the words of a path's name that are not asked for and stand in the same statement.
    pub(super) fn line(&self, path: &str) -> f32 {
        let asked = words(bare(self.wanted(path)));
        let mut new = words(bare(name(path)));
        new.retain(|word| asked.binary_search(word).is_err());
        let said = new.iter().filter(|word| self.line.binary_search(word).is_ok()).count();
        if new.is_empty() { 0.0 } else { said as f32 / new.len() as f32 }
    }
}

/// What the literal names, and the same name in other places that were tried.
fn wanted<'a>(literal: &'a Checked, missing: &'a Missing) -> Vec<&'a str> {
    let first = missing.wanted.as_str();
    let same = literal.tried.iter().map(String::as_str).filter(|path| *path != first && name(path) == name(first));
    std::iter::once(first).chain(same.take(TRIED)).collect()
}

/// What a literal leads to without endings if the file is in one of the directories above.
fn steps(file: &str, wanted: &str) -> HashSet<String> {
    let directory = parent(file);
    let rest = beyond(wanted, directory);
    let rest = essence(&rest);
    if rest.is_empty() {
        return HashSet::new();
    }
    let all = upwards(directory).map(|above| joined(above, rest));
    all.filter(|path| path != essence(wanted)).collect()
}

/// The segment of a path that a program calls it by.
fn meant(path: &str) -> &str {
    let of = if is_index(path) { parent(path) } else { path };
    stem(of)
}

/// Without what styles of names differ in.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// See [`Known`].
fn said(scene: &Scene<'_>, wanted: &str) -> HashSet<String> {
    let skipped = scene.source.offset();
    let mut said: HashSet<String> = HashSet::new();
    let mut literals = scene.all.iter().map(|literal| &literal.range).peekable();
    for (at, word) in identifiers(scene.source.text()) {
        let at = at + skipped;
        while literals.next_if(|range| range.end <= at).is_some() {}
        if literals.peek().is_none_or(|range| at < range.start) {
            said.insert(plain(word));
        }
    }
    if said.contains(&plain(meant(wanted))) {
        return HashSet::new();
    }
    // What another literal leads to explains why its name is said.
    for other in scene.all {
        if let Verdict::Found(target) = &other.verdict {
            said.remove(&plain(meant(&target.path)));
        }
    }
    said
}

fn line(scene: &Scene<'_>, literal: &Checked) -> Vec<String> {
    let skipped = scene.source.offset();
    let text = scene.source.text();
    let range = literal.range.start - skipped..literal.range.end - skipped;
    let statement = statement(text, &range);
    words(&format!("{} {}", &text[statement.start..range.start], &text[range.end..statement.end]))
}
