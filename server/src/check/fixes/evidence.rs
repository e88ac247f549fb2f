//! What speaks for a target, and how sure the first one is.

use pathfinder_literals::Missing;

use super::Fix;

/// What a file says besides the literal itself.
pub(super) struct Known {
    /// What its other literals of the same kind lead to.
    pub(super) named: Vec<String>,
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
    pub(super) fn told(_path: &str) -> Self {
        Self { told: 1.0, engine: 1.0, extension: 1.0, ..Self::default() }
    }

    /// Of one of the engine's candidates.
    pub(super) fn of(path: &str, is_directory: bool, score: f32, missing: &Missing, known: &Known) -> Self {
        let flag = |is: bool| f32::from(u8::from(is));
        let (had, has) = (extension(&missing.wanted), extension(path));
        let inside = known.named.iter().filter(|named| parent(named) == parent(path)).count();
        Self {
            told: 0.0,
            engine: score / 100.0,
            extension: flag(had == has && !is_directory && !had.is_empty()),
            directory: flag(had.is_empty() && is_directory),
            named: flag(known.named.iter().any(|named| named == path)),
            beside: if known.named.is_empty() { 0.0 } else { inside as f32 / known.named.len() as f32 },
            name: flag(name(path) == name(&missing.wanted)),
            stem: flag(stem(path) == stem(&missing.wanted)),
            parent: flag(parent(path) == parent(&missing.wanted)),
            way: way(parent(path), parent(&missing.wanted)),
        }
    }

    /// How likely it is, for ranking.
    pub(super) fn points(&self) -> f32 {
        self.told * 1000.0 + self.engine * 100.0 + self.extension * 12.0 + self.directory * 12.0 - self.named * 25.0
            + self.beside * 6.0
            + self.parent * 8.0
            + self.parent * self.stem * 25.0
    }

    /// By name.
    pub(super) fn list(&self) -> Vec<(&'static str, f32)> {
        let Self { told, engine, extension, directory, named, beside, name, stem, parent, way } = *self;
        vec![
            ("told", told),
            ("engine", engine),
            ("extension", extension),
            ("directory", directory),
            ("named", named),
            ("beside", beside),
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

fn parent(path: &str) -> &str {
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
