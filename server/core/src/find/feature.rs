//! `FindFeature`: the list of features of a file. Its order is the order of the weights.

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

            /// Returns whether it is evidence for a match; other features only order the matches.
            pub(super) fn is_evidence(self) -> bool {
                match self { $(Self::$variant => matches!(stringify!($side), "evidence")),+ }
            }
        }
    };
}

features! {
    /// Its path equals the requested one.
    ExactPath "exact_path" evidence,
    /// Its path ends with the requested one.
    PathEnd "path_end" evidence,
    /// Its name, with extension, equals the requested one.
    ExactName "exact_name" evidence,
    /// Its stem equals the query but for case and separators.
    ExactStem "exact_stem" evidence,
    /// It stands for a directory (`index.ts`) whose name equals the query.
    ExactParent "exact_parent" evidence,
    /// Its stem is a typo away: 1 − 1.3 × edits / length.
    StemTypo "stem_typo" evidence,
    /// Its stem has all words: their similarity.
    StemWords "stem_words" evidence,
    /// Its stem has some words: their share by weight.
    StemPart "stem_part" evidence,
    /// Share of its stem that the query lacks.
    StemRest "stem_rest" evidence,
    /// Share of the words, by weight, that only its directories have.
    Directory "directory" evidence,
    /// All words are in its path, some in its stem and some in its directories.
    Spread "spread" evidence,
    /// Share of the words, by weight, that its path lacks.
    Missing "missing" evidence,
    /// Its stem has the query's letters in order: the quality of the match.
    Letters "letters" evidence,
    /// It declares the requested name: less the more files do, and for prototypes and headings.
    Symbol "symbol" evidence,
    /// It declares a name that is a typo away.
    SymbolTypo "symbol_typo" evidence,
    /// It declares a name that has all the words: their share of the name.
    SymbolWords "symbol_words" evidence,
    /// Its contents have the words: their share by weight.
    Content "content" evidence,
    /// It matches the requested glob.
    Pattern "pattern" evidence,
    /// One word of the query was split in two.
    TakenApart "taken_apart" evidence,
    /// The declaration is spelled exactly as requested, and the query asks for an implementation.
    SymbolAsked "symbol_asked" order,
    /// The declaration is spelled exactly as requested.
    SymbolSpelled "symbol_spelled" order,
    /// The query asks for an implementation, and it is one; −1 for tests and documentation.
    Implementation "implementation" order,
    /// The query asks for tests, documentation or configuration, and it is that.
    Wanted "wanted" order,
    /// It is a test, an example or generated, and the query asks for none.
    Aside "aside" order,
    /// It has the requested extension; −1 if it has another.
    Extension "extension" order,
    /// It is a directory.
    IsDirectory "is_directory" order,
    /// Number of its directories.
    Depth "depth" order,
    /// Recency and frequency of use and change.
    Frecency "familiar" order,
}

/// One value for each [`FindFeature`].
pub(super) type FindVector = [f32; FindFeature::ALL.len()];
