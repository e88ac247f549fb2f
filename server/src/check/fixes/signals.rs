//! What speaks for a target: named numbers, and what each is worth.

use std::sync::LazyLock;

use pathfinder_core::table;

use super::paths::{
    bare, extension, extension_similarity, is_below, is_index, is_test, name, parent, shared, stem, way, words,
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
    /// History or the disk's own spelling leads here.
    KnownTarget "told",
    /// One mistyped name leads here and nowhere else: 1 for one letter, less for two, and where the file names it already.
    Slip "slip",
    /// The engine's score: 0–1.
    Engine "engine",
    /// It has the extension of what was named, or (one half) another one of the same language.
    Extension "extension",
    /// What was named has no extension, and this is a directory.
    Directory "directory",
    /// What was named has an extension, and this is a directory.
    NoFile "no_file",
    /// What was named has no extension, none was tried, and this is a file of another name with one.
    Ending "ending",
    /// Another literal of this kind in the file already leads here.
    Named "named",
    /// The same, and the more the fewer of those literals lead twice to the same: 0–1.
    Twice "twice",
    /// Not one of this kind, but one of another leads here.
    Elsewhere "elsewhere",
    /// The share of those literals that lead into its directory.
    Beside "beside",
    /// It is in the directory that was asked for, no literal names it, and this share of the others there is named.
    Gap "gap",
    /// The share of other broken literals of the file that are right once they are changed as this one is for it.
    Together "together",
    /// How much of what the construct expects it has.
    Has "has",
    /// It declares all of that.
    Whole "whole",
    /// It has nothing of it.
    Lacks "lacks",
    /// How much it declares that the file uses and that no other literal of the file leads to.
    Gives "gives",
    /// It declares what was asked for, by its old name: a guard, a class. The less it declares besides and the fewer of the
    /// others do, the more.
    Bears "bears",
    /// The file says its name outside of its literals, and not the one that was asked for.
    Said "said",
    /// The share of the words of its name that are new and stand in the same statement.
    Line "line",
    /// The share of the words of its path that are new and stand in the file's own path.
    Own "own",
    /// Its name is the one that was asked for.
    Name "name",
    /// And no other target has that name.
    Only "only",
    /// Its name without extensions is.
    Stem "stem",
    /// Its name without the last extension is, and has other extensions.
    Bare "bare",
    /// It is in the directory that was asked for.
    Parent "parent",
    /// Both of the last two.
    InPlace "in_place",
    /// How much of the way down to the two directories is the same: 0–1.
    Way "way",
    /// It is further down in the directory that was asked for.
    Deeper "deeper",
    /// It is in a directory above the one that was asked for.
    Higher "higher",
    /// It is in a directory that has the name of what was asked for, as one of so many: 0–1.
    Inside "inside",
    /// It stands for the directory in which something was asked for.
    Index "index",
    /// It is what the literal says seen from another directory above the file.
    Steps "steps",
    /// It is a test, or for tests, and what was named was not.
    Test "test",
    /// How many words the two names share (Dice's coefficient): 0–1.
    Words "words",
    /// The same with the words of the directories: `docs/requirements` has those of `requirements-docs`.
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
    /// Of a target that is known for sure.
    pub(super) fn known_target() -> Self {
        let mut signals = Self::default();
        signals.0[Signal::KnownTarget as usize] = 1.0;
        signals
    }

    /// Of a path that is there, with the engine's score (0–100).
    pub(super) fn measure(path: &str, is_directory: bool, score: f32, surroundings: &LiteralSurroundings<'_>) -> Self {
        let asked = surroundings.wanted(path);
        let wanted = asked.path;
        let (name_words, path_words) = (words(bare(name(path))), words(bare(path)));
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
        // What was named may have an ending that nobody wrote.
        let same_bare = [bare(name(wanted)), bare(bare(name(wanted)))].contains(&bare(name(path)));
        set(Signal::Bare, flag(same_bare && bare(name(path)) != stem(path)));
        set(Signal::Parent, flag(same_parent));
        set(Signal::InPlace, flag(same_stem && same_parent));
        set(Signal::Way, way(parent(path), parent(wanted)));
        set(Signal::Deeper, flag(!same_parent && is_below(parent(path), parent(wanted))));
        set(Signal::Higher, flag(!same_parent && is_below(parent(wanted), parent(path))));
        set(Signal::Inside, surroundings.inside_of(path));
        set(Signal::Index, flag(!is_directory && is_index(path) && !is_index(wanted) && same_parent));
        set(Signal::Steps, flag(surroundings.other_steps(path)));
        set(Signal::Said, flag(surroundings.says(path)));
        set(Signal::Line, surroundings.line(asked, &name_words));
        set(Signal::Own, surroundings.own(asked, &path_words));
        set(Signal::Test, flag(is_test(path) && !is_test(wanted)));
        set(Signal::Words, shared(&name_words, &asked.name));
        set(Signal::PathWords, shared(&path_words, &asked.all));
        signals
    }

    /// What was found in it: how much of what the construct expects (if it does expect anything), and what it declares.
    pub(super) fn set_contents(&mut self, has: Option<f32>, declares: Declarations) {
        /// All words are declared, whatever was lost in the sum.
        const ALL: f32 = 0.999;
        let flag = |is: bool| f32::from(u8::from(is));
        self.0[Signal::Has as usize] = has.unwrap_or_default();
        self.0[Signal::Whole as usize] = flag(has.is_some_and(|has| has > ALL));
        self.0[Signal::Lacks as usize] = flag(has == Some(0.0));
        self.0[Signal::Gives as usize] = declares.gives;
        self.0[Signal::Bears as usize] = declares.bears;
    }

    /// No other target has its name, which is the one that was asked for.
    pub(super) fn set_only_name(&mut self) {
        self.0[Signal::Only as usize] = self.get(Signal::Name);
    }

    /// It is one slip of so many letters away, and the file names it already or does not.
    pub(super) fn set_slip(&mut self, edits: usize, is_named: bool) {
        /// Two letters are wrong in fewer slips, and right in more other names.
        const TWO_EDITS: f32 = 0.6;
        /// What a file names already it hardly names twice.
        const ALREADY_NAMED: f32 = 0.4;
        let number = if edits == 1 { 1.0 } else { TWO_EDITS };
        self.0[Signal::Slip as usize] = if is_named { number * ALREADY_NAMED } else { number };
    }

    /// Whether anything but likeness speaks for it: history, a slip, its whole name, what it declares, what is around.
    pub(super) fn is_supported(&self) -> bool {
        use Signal::{Bears, InPlace, KnownTarget, Only, Slip, Steps, Together, Whole};
        [KnownTarget, Slip, Only, InPlace, Whole, Bears, Steps, Together]
            .into_iter()
            .any(|signal| self.get(signal) > 0.0)
    }

    /// How many of the other broken literals are mended with it.
    pub(super) fn set_together(&mut self, share: f32) {
        self.0[Signal::Together as usize] = share;
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
