//! `PathFlags`: whether names mark a path as tests, or as documentation, samples and other non-source directories.

/// Set of flags of a path: the union of its segments' flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PathFlags(u8);

impl PathFlags {
    /// Tests and their fixtures.
    pub(crate) const TEST: Self = Self(1);
    /// Documentation, samples, vendored, generated and outdated code.
    pub(crate) const ASIDE: Self = Self(2);

    /// Returns the flags of the words of one name.
    pub(crate) fn from_words<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Self {
        words.into_iter().fold(Self::default(), |flags, word| flags.join(Self::from_word(word.as_ref())))
    }

    /// Compares bytes, which the compiler makes a decision tree of: one comparison for most words.
    fn from_word(word: &str) -> Self {
        match word.as_bytes() {
            b"test" | b"tests" | b"testing" | b"testdata" | b"spec" | b"specs" | b"mock" | b"mocks" | b"fixture"
            | b"fixtures" | b"snapshots" | b"e2e" => Self::TEST,
            b"doc" | b"docs" | b"documentation" | b"example" | b"examples" | b"sample" | b"samples" | b"demo"
            | b"demos" | b"vendor" | b"vendored" | b"third" | b"external" | b"generated" | b"gen" | b"dist"
            | b"build" | b"legacy" | b"deprecated" | b"old" | b"archive" | b"backup" | b"bak" | b"benchmark"
            | b"benchmarks" | b"bench" | b"benches" => Self::ASIDE,
            _ => Self::default(),
        }
    }

    /// Returns the union of two sets.
    pub(crate) fn join(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a flag is set.
    pub(crate) fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }
}
