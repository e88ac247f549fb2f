//! The list of features. Its order is the order of the weights.

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $side:ident),+ $(,)?) => {
        /// A named number that speaks for or against a file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(super) enum FindFeature { $($(#[doc = $doc])+ $variant),+ }

        impl FindFeature {
            /// All features, in order.
            pub(super) const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that `--explain` and the table of weights use.
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Whether it says that the file is meant; the others only say which of several.
            pub(super) fn is_evidence(self) -> bool {
                match self { $(Self::$variant => matches!(stringify!($side), "evidence")),+ }
            }
        }
    };
}

features! {
    /// It is the very path that was asked for.
    ExactPath "exact_path" evidence,
    /// Its path ends with the one that was asked for.
    PathEnd "path_end" evidence,
    /// Its name, with extension, is the one that was asked for.
    ExactName "exact_name" evidence,
    /// Its stem is what was asked for, but for case and separators.
    ExactStem "exact_stem" evidence,
    /// It stands for a directory (`index.ts`) that is called what was asked for.
    ExactParent "exact_parent" evidence,
    /// Its stem is a typo away: 1 − 1.3 × edits / length.
    StemTypo "stem_typo" evidence,
    /// All words are in its stem: how alike they are.
    StemWords "stem_words" evidence,
    /// Some words are in its stem: their share by weight.
    StemPart "stem_part" evidence,
    /// The share of its stem that was not asked for.
    StemRest "stem_rest" evidence,
    /// The share of the words, by weight, that only its directories have.
    Directory "directory" evidence,
    /// All words are there, some in its stem and some in its directories.
    Spread "spread" evidence,
    /// The share of the words, by weight, that is nowhere.
    Missing "missing" evidence,
    /// The letters that were asked for are in its stem in order: how well.
    Letters "letters" evidence,
    /// It declares what was asked for: less the more others do, and for what only announces or mentions it.
    Symbol "symbol" evidence,
    /// It declares what is a typo away.
    SymbolTypo "symbol_typo" evidence,
    /// It declares a name that has all the words: their share of it.
    SymbolWords "symbol_words" evidence,
    /// Its contents have the words: their share by weight.
    Content "content" evidence,
    /// It fits the pattern that was asked for.
    Pattern "pattern" evidence,
    /// The words were written as one, and taken apart.
    TakenApart "taken_apart" evidence,
    /// The declaration is spelled exactly as it was asked for, and where it is done was asked.
    SymbolAsked "symbol_asked" order,
    /// The declaration is spelled exactly as it was asked for.
    SymbolSpelled "symbol_spelled" order,
    /// An implementation was asked for, and it is one; −1 for tests and documentation.
    Implementation "implementation" order,
    /// Tests, documentation or configuration were asked for, and it is that.
    Wanted "wanted" order,
    /// It is a test, an example or made by a tool, and none was asked for.
    Aside "aside" order,
    /// It has the extension that was asked for; −1 where it has another.
    Extension "extension" order,
    /// It is a directory.
    IsDirectory "is_directory" order,
    /// How deep it lies.
    Depth "depth" order,
    /// How well known it is: used or changed lately.
    Frecency "familiar" order,
}

/// One value for each feature.
pub(super) type FindVector = [f32; FindFeature::ALL.len()];
