//! `FixSignals`: named numbers that describe a target, and the weight of each.

use std::sync::LazyLock;

use pathfinder_core::table;

use super::paths::{
    extension, extension_similarity, is_below, is_index, is_test, name, parent, shared_prefix_ratio, stem,
    without_extension, word_similarity,
};
use super::read_cache::Declarations;
use super::surroundings::LiteralSurroundings;

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
    /// Git's history or the disk's own spelling leads here.
    KnownTarget "told",
    /// A typo in one segment leads only here: 1 for one letter, less for two, and less if the file already names it.
    Slip "slip",
    /// The engine's score: 0–1.
    Engine "engine",
    /// Its extension is the wanted one, or (one half) another of the same language.
    Extension "extension",
    /// The wanted path has no extension, and this is a directory.
    Directory "directory",
    /// The wanted path has an extension, and this is a directory.
    NoFile "no_file",
    /// The wanted path has no extension, none was tried, and this is a file of another name with one.
    Ending "ending",
    /// Another literal of this kind in the file already leads here.
    Named "named",
    /// The `named` signal, weighted by how seldom those literals share a target: 0–1.
    Twice "twice",
    /// No literal of this kind leads here, but one of another kind does.
    Elsewhere "elsewhere",
    /// The share of those literals that lead into its directory.
    Beside "beside",
    /// It is in the wanted directory, no literal names it, and this share of its siblings is named.
    Gap "gap",
    /// The share of the file's other broken literals that the same change of prefix fixes.
    Together "together",
    /// The share of the construct's expected names that it has.
    Has "has",
    /// It declares everything that the construct expects.
    Whole "whole",
    /// It has nothing that the construct expects.
    Lacks "lacks",
    /// The share of the file's used names that it alone declares.
    Gives "gives",
    /// It declares the wanted name (an include guard, a class). Other declarations and other targets that do so lower
    /// it.
    Bears "bears",
    /// The file mentions its name outside of its literals, and not the wanted one.
    Said "said",
    /// The share of its name's new words that stand in the same statement.
    Line "line",
    /// The share of its path's new words that stand in the file's own path.
    Own "own",
    /// Its name is the wanted one.
    Name "name",
    /// Its name is the wanted one, and no other target has it.
    Only "only",
    /// Its name without extensions is the wanted one.
    Stem "stem",
    /// Its name without the last extension is the wanted one, and it has other extensions.
    Bare "bare",
    /// It is in the wanted directory.
    Parent "parent",
    /// Both `stem` and `parent` hold.
    InPlace "in_place",
    /// The share of leading directories that it has in common with the wanted path: 0–1.
    Way "way",
    /// It is further down in the wanted directory.
    Deeper "deeper",
    /// It is in a directory above the wanted one.
    Higher "higher",
    /// It is in a directory named like the wanted file, divided by the number of files there: 0–1.
    Inside "inside",
    /// It is the index file of the wanted directory, and not of a package around the file: a file that took its names from a module
    /// beside the index takes them from another one.
    Index "index",
    /// The literal leads here from another directory above the file.
    Steps "steps",
    /// It belongs to tests, and the wanted path does not.
    Test "test",
    /// Similarity of the words in the two names (Dice's coefficient): 0–1. An index file has its directory's name as well.
    Words "words",
    /// Similarity of the words in the two paths: `docs/requirements` has those of `requirements-docs`.
    PathWords "path_words",
}

/// The numbers of one target, by [`Signal`].
#[derive(Clone, Copy, Debug)]
pub(super) struct FixSignals([f32; Signal::ALL.len()]);

impl Default for FixSignals {
    fn default() -> Self {
        Self([0.0; Signal::ALL.len()])
    }
}

impl FixSignals {
    /// Signals of a target that is known for certain.
    pub(super) fn known_target() -> Self {
        let mut signals = Self::default();
        signals.0[Signal::KnownTarget as usize] = 1.0;
        signals
    }

    /// Signals of an existing path, with the engine's score (0–100).
    pub(super) fn measure(path: &str, is_directory: bool, score: f32, surroundings: &LiteralSurroundings<'_>) -> Self {
        let asked = surroundings.wanted(path);
        let wanted = asked.path;
        let words = surroundings.words(path);
        let (had, has) = (extension(wanted), extension(path));
        let (same_stem, same_parent) = (stem(path) == stem(wanted), parent(path) == parent(wanted));
        let is_named = surroundings.is_named(path);
        let flag = |is: bool| f32::from(u8::from(is));
        let mut signals = Self::default();
        let mut set = |signal: Signal, number: f32| signals.0[signal as usize] = number;
        set(Signal::Engine, score / 100.0);
        set(Signal::Extension, if is_directory { 0.0 } else { extension_similarity(had, has) });
        set(Signal::Directory, flag(had.is_empty() && is_directory));
        set(Signal::NoFile, flag(!had.is_empty() && is_directory));
        let gains = surroundings.is_exact && had.is_empty() && !is_directory && !has.is_empty() && !same_stem;
        set(Signal::Ending, flag(gains));
        set(Signal::Named, flag(is_named));
        set(Signal::Twice, if is_named { surroundings.once } else { 0.0 });
        set(Signal::Elsewhere, flag(surroundings.elsewhere.contains(path) && !is_named));
        set(Signal::Beside, surroundings.beside(path));
        set(Signal::Gap, if same_parent && !is_named { surroundings.listed } else { 0.0 });
        set(Signal::Name, flag(name(path) == name(wanted)));
        set(Signal::Stem, flag(same_stem));
        // The wanted path may have an ending that the literal does not.
        let same_bare = [without_extension(name(wanted)), without_extension(without_extension(name(wanted)))]
            .contains(&without_extension(name(path)));
        set(Signal::Bare, flag(same_bare && without_extension(name(path)) != stem(path)));
        set(Signal::Parent, flag(same_parent));
        set(Signal::InPlace, flag(same_stem && same_parent));
        set(Signal::Way, shared_prefix_ratio(parent(path), parent(wanted)));
        set(Signal::Deeper, flag(!same_parent && is_below(parent(path), parent(wanted))));
        set(Signal::Higher, flag(!same_parent && is_below(parent(wanted), parent(path))));
        set(Signal::Inside, surroundings.inside_of(path));
        let is_other_index = !is_directory && is_index(path) && !is_index(wanted) && !surroundings.is_own_index(path);
        set(Signal::Index, flag(is_other_index && same_parent));
        set(Signal::Steps, flag(surroundings.is_reached_from_parents(path)));
        set(Signal::Said, flag(surroundings.is_mentioned(&words)));
        set(Signal::Line, surroundings.line(asked, &words));
        set(Signal::Own, surroundings.own(asked, &words));
        set(Signal::Test, flag(is_test(path) && !is_test(wanted)));
        set(Signal::Words, words.name_similarity(&asked.words));
        set(Signal::PathWords, word_similarity(&words.all, &asked.words.all));
        signals
    }

    /// Sets the signals of its contents: how much of the expected words it has (`None` if none are expected), and
    /// what it declares.
    pub(super) fn set_contents(&mut self, has: Option<f32>, declares: Declarations) {
        /// All words are declared, up to rounding errors of the sum.
        const WHOLE: f32 = 0.999;
        let flag = |is: bool| f32::from(u8::from(is));
        self.0[Signal::Has as usize] = has.unwrap_or_default();
        self.0[Signal::Whole as usize] = flag(has.is_some_and(|has| has > WHOLE));
        self.0[Signal::Lacks as usize] = flag(has == Some(0.0));
        self.0[Signal::Gives as usize] = declares.gives;
        self.0[Signal::Bears as usize] = declares.bears;
    }

    /// Marks the only target with the wanted name.
    pub(super) fn set_only_name(&mut self) {
        self.0[Signal::Only as usize] = self.get(Signal::Name);
    }

    /// Marks a target that is one typo of this many letters away.
    pub(super) fn set_slip(&mut self, edits: usize, is_named_once: bool) {
        /// A typo with two letters is rarer, and more often another name.
        const TWO_EDITS: f32 = 0.6;
        /// Code seldom names a target twice.
        const ALREADY_NAMED: f32 = 0.4;
        let number = if edits == 1 { 1.0 } else { TWO_EDITS };
        self.0[Signal::Slip as usize] = if is_named_once { number * ALREADY_NAMED } else { number };
    }

    /// Returns whether anything but similarity speaks for it: history, a typo, its whole name, its declarations,
    /// other literals.
    pub(super) fn is_supported(&self) -> bool {
        use Signal::{Bears, InPlace, KnownTarget, Only, Slip, Steps, Together, Whole};
        [KnownTarget, Slip, Only, InPlace, Whole, Bears, Steps, Together]
            .into_iter()
            .any(|signal| self.get(signal) > 0.0)
    }

    /// Sets the share of other broken literals that the same change fixes.
    pub(super) fn set_together(&mut self, share: f32) {
        self.0[Signal::Together as usize] = share;
    }

    pub(super) fn get(&self, signal: Signal) -> f32 {
        self.0[signal as usize]
    }

    /// The log odds of the target relative to others, up to a constant.
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
    for (name, value) in table::lines(include_str!("weights.txt")) {
        if let Some(signal) = Signal::ALL.iter().find(|signal| signal.name() == name) {
            weights[*signal as usize] = value;
        }
    }
    weights
});

#[cfg(test)]
mod tests {
    use pathfinder_core::table;

    use super::Signal;

    /// A misspelt line would silently weigh nothing.
    #[test]
    fn every_signal_has_a_line() {
        let named: Vec<&str> = table::lines(include_str!("weights.txt")).map(|(name, _)| name).collect();
        let signals: Vec<&str> = Signal::ALL.iter().map(|signal| signal.name()).collect();
        assert_eq!(named, signals, "same names, same order");
    }
}
