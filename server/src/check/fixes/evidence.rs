//! What speaks for a target, and how sure the first one is.

use std::collections::HashSet;

use pathfinder_literals::Missing;

use super::Fix;
use crate::check::world::World;

/// What a file says besides the literal itself.
pub(super) struct Known {
    /// What its other literals of the same kind lead to.
    named: HashSet<String>,
    /// In how far those are a list of what is in the directory that was asked for: the share of it that is named.
    listed: f32,
}

impl Known {
    /// From what the other literals lead to; `wanted` is what this one names.
    pub(super) fn new(named: Vec<String>, world: &dyn World, wanted: &str) -> Self {
        let named: HashSet<String> = named.into_iter().collect();
        let alike = |name: &String| extension(name) == extension(wanted);
        let inside = world.names(parent(wanted)).iter().filter(|name| alike(name)).count();
        let count = named.iter().filter(|path| parent(path) == parent(wanted)).count();
        let listed = if inside == 0 { 0.0 } else { (count as f32 / inside as f32).min(1.0) };
        Self { named, listed }
    }
}

/// Named numbers of one target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signals {
    /// History or the disk's own spelling leads here.
    told: f32,
    /// The engine's score: 0–1.
    engine: f32,
    /// It has the extension of what was named.
    extension: f32,
    /// What was named has no extension, and this is a directory.
    directory: f32,
    /// Another literal of this kind in the file already leads here.
    named: f32,
    /// The share of those literals that lead into its directory.
    beside: f32,
    /// It is in the directory that was asked for, no literal names it, and this share of the others there is named.
    gap: f32,
    /// How much of what the construct expects it has.
    has: f32,
    /// Its name is the one that was asked for.
    name: f32,
    /// Its name without extensions is.
    stem: f32,
    /// It is in the directory that was asked for.
    parent: f32,
    /// How much of the way down to the two directories is the same: 0–1.
    way: f32,
}

impl Signals {
    /// Of a target that is known for sure.
    pub(super) fn told() -> Self {
        Self { told: 1.0, engine: 1.0, extension: 1.0, ..Self::default() }
    }

    /// Of one of the engine's candidates.
    pub(super) fn of(path: &str, is_directory: bool, score: f32, missing: &Missing, known: &Known) -> Self {
        let flag = |is: bool| f32::from(u8::from(is));
        let (had, has) = (extension(&missing.wanted), extension(path));
        let inside = known.named.iter().filter(|named| parent(named) == parent(path)).count();
        let is_named = known.named.contains(path);
        Self {
            told: 0.0,
            engine: score / 100.0,
            extension: flag(had == has && !is_directory && !had.is_empty()),
            directory: flag(had.is_empty() && is_directory),
            named: flag(is_named),
            gap: if parent(path) == parent(&missing.wanted) && !is_named { known.listed } else { 0.0 },
            has: 0.0,
            beside: if known.named.is_empty() { 0.0 } else { inside as f32 / known.named.len() as f32 },
            name: flag(name(path) == name(&missing.wanted)),
            stem: flag(stem(path) == stem(&missing.wanted)),
            parent: flag(parent(path) == parent(&missing.wanted)),
            way: way(parent(path), parent(&missing.wanted)),
        }
    }

    /// What was found in it.
    pub(super) fn read(&mut self, share: f32) {
        self.has = share;
    }

    /// How likely it is, for ranking.
    pub(super) fn points(&self) -> f32 {
        self.told * 1000.0 + self.engine * 100.0 + self.extension * 12.0 + self.directory * 12.0 - self.named * 25.0
            + self.beside * 6.0
            + self.parent * 8.0
            + self.parent * self.stem * 25.0
            + self.gap * 30.0
            + self.has * 60.0
    }

    /// By name.
    pub(super) fn list(&self) -> Vec<(&'static str, f32)> {
        let Self { told, engine, extension, directory, named, beside, gap, has, name, stem, parent, way } = *self;
        vec![
            ("told", told),
            ("engine", engine),
            ("extension", extension),
            ("directory", directory),
            ("named", named),
            ("beside", beside),
            ("gap", gap),
            ("has", has),
            ("name", name),
            ("stem", stem),
            ("parent", parent),
            ("way", way),
        ]
    }
}

/// Gives each fix its probability, and says of the first whether it is sure.
pub(super) fn judge(fixes: &mut [Fix]) {
    let mut left = 1.0;
    for fix in fixes {
        let told = fix.signals.first().is_some_and(|(_, told)| *told > 0.0);
        fix.confidence = if told { 0.99 } else { left / 2.0 };
        left -= fix.confidence;
        fix.preferred = told;
    }
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn stem(path: &str) -> &str {
    let name = name(path);
    name.find('.').filter(|at| *at > 0).map_or(name, |at| &name[..at])
}

/// The share of two directories' segments that are the same from the root on.
fn way(a: &str, b: &str) -> f32 {
    let same = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
    let longest = a.split('/').count().max(b.split('/').count());
    same as f32 / longest as f32
}

fn extension(path: &str) -> &str {
    name(path).rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension)
}
