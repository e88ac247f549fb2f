//! `Feature`: the list of features of a candidate. Its order is the order of the weights.

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal),+ $(,)?) => {
        /// A named number that speaks for or against a candidate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(crate) enum Feature { $($(#[doc = $doc])+ $variant),+ }

        impl Feature {
            /// All features, in order.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that `--explain` and the table of weights use.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

features! {
    /// Cost of the reading (0–1).
    ReadingCost "reading_cost",
    /// The stems' keys are equal: they differ at most in case and separators.
    StemStyle "stem_style",
    /// The stem equals the requested one.
    StemExact "stem_exact",
    /// Stem and extension differ at most in case and separators.
    NameStyle "name_style",
    /// The last segment differs at most in case, or in composed and decomposed letters.
    NameCase "name_case",
    /// The last segment equals the requested one.
    NameExact "name_exact",
    /// Edit similarity of the stems' keys: 1 − edits / longer length; −1 where they share nothing.
    StemEdit "stem_edit",
    /// Decreases with the number of edits if a typo may have as many; otherwise 0.
    StemTypo "stem_typo",
    /// Share of the requested stem's words (by rarity) that the candidate's stem has.
    WordsKept "words_kept",
    /// Share of the candidate's stem's words (by count) that were requested.
    WordsAsked "words_asked",
    /// One stem begins or ends with the other: its share of the longer.
    StemContained "stem_contained",
    /// The stems' numbers differ: another version or chapter.
    NumbersDiffer "numbers_differ",
    /// The extensions are equal.
    ExtensionSame "extension_same",
    /// The extensions differ, but belong to one family (`ts`, `tsx`, `js`): their nearness.
    ExtensionNear "extension_near",
    /// One extension is a header's, the other a source's.
    Counterpart "counterpart",
    /// Only one of them has an extension.
    ExtensionNone "extension_none",
    /// Share of the candidate's extension among all names of this tree, on a logarithmic scale.
    ExtensionUsual "extension_usual",
    /// Cost of aligning the requested directories with the candidate's; missing leading ones are nearly free.
    DirectoryCost "directory_cost",
    /// The directory cost as a share of the cost of matching nothing.
    DirectoryShare "directory_share",
    /// Its parent has the requested name; if no directory was requested, the parent is the root.
    ParentSame "parent_same",
    /// All directories equal the requested ones, from the root on.
    DirectoriesExact "directories_exact",
    /// Difference in depth, at most 10, in tenths.
    DepthDifference "depth_difference",
    /// Summed weight of intent words in its directories.
    IntentDirectory "intent_directory",
    /// Summed weight of intent words in its name.
    IntentName "intent_name",
    /// Summed weight of intent words that its directories or name only contain or begin like.
    IntentVague "intent_vague",
    /// The best-mentioned segment: weight × share of its words mentioned.
    IntentTight "intent_tight",
    /// Intent words that few of the other candidates mention.
    IntentTelling "intent_telling",
    /// Words of the caller, common ones too, that its path has literally, each weighted by how few rivals have it. Only
    /// for bare names; see `rank/rivals.rs`.
    IntentRivals "intent_rivals",
    /// Directories whose whole name the caller's words contain: `r-notebook`, `rome_formatter`. Only for bare names.
    IntentWhole "intent_whole",
    /// In the parent of a path used before; 1 for the newest, less for older ones.
    HistoryParent "history_parent",
    /// Nearness to the parents of paths used before, less for older ones.
    HistoryNear "history_near",
    /// Used before itself: a caller that has it open and asks by a bare name rather wants another file of that name.
    HistorySelf "history_self",
    /// Recency and frequency of use and change (0–1).
    Frecency "familiar",
    /// History records that the requested path was moved there.
    Moved "moved",
    /// Nearness to the file in which the path was written.
    FromNear "from_near",
    /// Below the directory of the hint.
    HintInside "hint_inside",
    /// Nearness to the directory of the hint.
    HintNear "hint_near",
    /// A directory where a file was requested, or the reverse.
    KindConflict "kind_conflict",
    /// An index-like file of a directory with the requested name, or the file with the name of the requested index's
    /// directory.
    IndexForm "index_form",
    /// Both are entry files (`index`, `main`, `app`, `mod`, …) of different names.
    EntryForm "entry_form",
    /// Only one of the two names marks a test.
    NameTest "name_test",
    /// A test, and the request mentions none.
    TestUnasked "test_unasked",
    /// No test, and the request mentions one.
    TestMissing "test_missing",
    /// In documentation, examples, generated or vendored code, and the request mentions none.
    AsideUnasked "aside_unasked",
    /// Depth of the candidate, at most 10, in tenths.
    Depth "depth",
    /// Number of generators that proposed it, at most 4, in quarters.
    Agreement "agreement",
    /// A symbolic link: what it points to is usually indexed too.
    Link "link",
    /// Distance to the nearest candidate in meaning (0 to −4), in standard deviations of the model's similarities; 0 if
    /// no model was asked. See `similarity.rs`. It is last so that sums without a model are bit-identical to those
    /// before the feature existed.
    MaxSim "max_sim",
    /// Points by which the order by contents raised it, or lowered it; 0 if contents were not compared. See
    /// `intent_contents.rs`. Behind `max_sim` for the same reason.
    IntentContents "intent_contents",
}

/// One number per [`Feature`].
pub(crate) type FeatureVector = [f32; Feature::ALL.len()];
