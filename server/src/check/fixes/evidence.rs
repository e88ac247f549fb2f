//! What speaks for a target: named numbers, and what each is worth.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use pathfinder_literals::Missing;

use crate::check::world::World;

macro_rules! signals {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal),+ $(,)?) => {
        /// A named number that speaks for or against a target.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(super) enum Signal { $($(#[doc = $doc])+ $variant),+ }

        impl Signal {
            /// All, in order.
            pub(super) const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that `--explain` and the table of weights use.
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

signals! {
    /// History or the disk's own spelling leads here.
    Told "told",
    /// The engine's score: 0–1.
    Engine "engine",
    /// It has the extension of what was named.
    Extension "extension",
    /// What was named has no extension, and this is a directory.
    Directory "directory",
    /// Another literal of this kind in the file already leads here.
    Named "named",
    /// The share of those literals that lead into its directory.
    Beside "beside",
    /// It is in the directory that was asked for, no literal names it, and this share of the others there is named.
    Gap "gap",
    /// How much of what the construct expects it has.
    Has "has",
    /// Its name is the one that was asked for.
    Name "name",
    /// Its name without extensions is.
    Stem "stem",
    /// It is in the directory that was asked for.
    Parent "parent",
    /// Both of the last two.
    InPlace "in_place",
    /// How much of the way down to the two directories is the same: 0–1.
    Way "way",
    /// It is a test, or for tests, and what was named was not.
    Test "test",
    /// How many words the two stems share (Dice's coefficient): 0–1.
    Words "words",
    /// The same with the words of the directories: `docs/requirements` has those of `requirements-docs`.
    PathWords "path_words",
}

/// The numbers of one target, by [`Signal`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signals([f32; Signal::ALL.len()]);

/// What a file says besides the literal itself.
pub(super) struct Known {
    /// What its other literals of the same kind lead to.
    named: BTreeSet<String>,
    /// How many of these are in which directory: that is asked for every target.
    inside: HashMap<String, usize>,
    /// In how far those are a list of what is in the directory that was asked for: the share of it that is named.
    listed: f32,
}

impl Known {
    /// From what the other literals lead to; `wanted` is what this one names.
    pub(super) fn new(named: Vec<String>, world: &dyn World, wanted: &str) -> Self {
        let named: BTreeSet<String> = named.into_iter().collect();
        let alike = |name: &String| extension(name) == extension(wanted);
        let inside = world.names(parent(wanted)).iter().filter(|name| alike(name)).count();
        let count = named.iter().filter(|path| parent(path) == parent(wanted)).count();
        let listed = if inside == 0 { 0.0 } else { (count as f32 / inside as f32).min(1.0) };
        let mut inside: HashMap<String, usize> = HashMap::new();
        for path in &named {
            *inside.entry(parent(path).to_owned()).or_default() += 1;
        }
        Self { named, inside, listed }
    }
}

impl Signals {
    /// Of a target that is known for sure.
    pub(super) fn told() -> Self {
        let mut signals = Self::default();
        signals.0[Signal::Told as usize] = 1.0;
        signals
    }

    /// Of one of the engine's candidates, with its score (0–100).
    pub(super) fn of(path: &str, is_directory: bool, score: f32, missing: &Missing, known: &Known) -> Self {
        let wanted = &missing.wanted;
        let (had, has) = (extension(wanted), extension(path));
        let inside = known.inside.get(parent(path)).copied().unwrap_or_default();
        let is_named = known.named.contains(path);
        let (same_stem, same_parent) = (stem(path) == stem(wanted), parent(path) == parent(wanted));
        let flag = |is: bool| f32::from(u8::from(is));
        let mut signals = Self::default();
        let mut set = |signal: Signal, number: f32| signals.0[signal as usize] = number;
        set(Signal::Engine, score / 100.0);
        set(Signal::Extension, flag(had == has && !is_directory && !had.is_empty()));
        set(Signal::Directory, flag(had.is_empty() && is_directory));
        set(Signal::Named, flag(is_named));
        set(Signal::Beside, if known.named.is_empty() { 0.0 } else { inside as f32 / known.named.len() as f32 });
        set(Signal::Gap, if same_parent && !is_named { known.listed } else { 0.0 });
        set(Signal::Name, flag(name(path) == name(wanted)));
        set(Signal::Stem, flag(same_stem));
        set(Signal::Parent, flag(same_parent));
        set(Signal::InPlace, flag(same_stem && same_parent));
        set(Signal::Way, way(parent(path), parent(wanted)));
        set(Signal::Test, flag(is_test(path) && !is_test(wanted)));
        set(Signal::Words, shared(&words(stem(path)), &words(stem(wanted))));
        set(Signal::PathWords, shared(&words(without_extension(path)), &words(without_extension(wanted))));
        signals
    }

    /// What was found in it.
    pub(super) fn read(&mut self, share: f32) {
        self.0[Signal::Has as usize] = share;
    }

    pub(super) fn get(&self, signal: Signal) -> f32 {
        self.0[signal as usize]
    }

    /// How likely it is beside others: the logarithm of its odds, but for a constant.
    pub(super) fn points(&self) -> f32 {
        self.0.iter().zip(WEIGHTS.iter()).map(|(number, weight)| number * weight).sum()
    }

    /// By name.
    pub(super) fn list(&self) -> Vec<(&'static str, f32)> {
        Signal::ALL.iter().map(|signal| (signal.name(), self.get(*signal))).collect()
    }
}

/// Fitted to real broken literals by `models/literals/fit.py`, which writes the table.
static WEIGHTS: LazyLock<[f32; Signal::ALL.len()]> = LazyLock::new(|| {
    let mut weights = [0.0; Signal::ALL.len()];
    for (name, value) in table(include_str!("weights.txt")) {
        if let Some(signal) = Signal::ALL.iter().find(|signal| signal.name() == name) {
            weights[*signal as usize] = value;
        }
    }
    weights
});

/// The lines `name value` of a table; `#` begins a comment.
pub(super) fn table(text: &str) -> impl Iterator<Item = (&str, f32)> {
    text.lines().filter_map(|line| {
        let mut columns = line.split('#').next()?.split_whitespace();
        Some((columns.next()?, columns.next()?.parse().ok()?))
    })
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

/// The words of a text, in small letters: letters and digits between anything else, and at a change to capitals.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut was_small) = (String::new(), false);
    for c in text.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_small {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_numeric();
    }
    words.extend((!word.is_empty()).then_some(word));
    words.sort_unstable();
    words.dedup();
    words
}

/// Dice's coefficient of two sorted lists of words.
fn shared(a: &[String], b: &[String]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    2.0 * common as f32 / (a.len() + b.len()) as f32
}

fn without_extension(path: &str) -> &str {
    let name = path.len() - name(path).len();
    path[name..].find('.').filter(|at| *at > 0).map_or(path, |at| &path[..name + at])
}

/// Whether something is a test or made for tests, by any word of its path.
fn is_test(path: &str) -> bool {
    let words = path.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| matches!(word, "test" | "tests" | "spec" | "specs" | "testing" | "fixtures" | "mocks"))
}

fn extension(path: &str) -> &str {
    name(path).rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::{Signal, is_test, shared, table, way, without_extension, words};

    /// A misspelt line would silently weigh nothing.
    #[test]
    fn every_signal_has_a_line() {
        let named: Vec<&str> = table(include_str!("weights.txt")).map(|(name, _)| name).collect();
        let signals: Vec<&str> = Signal::ALL.iter().map(|signal| signal.name()).collect();
        assert_eq!(named, signals, "same names, same order");
    }

    #[test]
    fn paths_side_by_side() {
        assert_eq!(words("getHTTPHeader-v2_x"), ["get", "httpheader", "v2", "x"]);
        assert_eq!(words(without_extension("docs/a.b/requirements.txt")), ["a", "b", "docs", "requirements"]);
        assert!((shared(&words("uv-unix"), &words("uv/unix")) - 1.0).abs() < 1e-6 && shared(&[], &[]) < 0.1);
        assert!((way("a/b/c", "a/b") - 2.0 / 3.0).abs() < 1e-6 && way("", "") > 0.9 && way("a", "b") < 0.1);
        assert!(
            is_test("src/__tests__/a.ts") && is_test("a.test.ts") && is_test("a_test.go") && !is_test("latest/a.ts")
        );
    }
}
