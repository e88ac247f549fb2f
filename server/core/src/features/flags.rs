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

    fn from_word(word: &str) -> Self {
        match word {
            "test" | "tests" | "testing" | "testdata" | "spec" | "specs" | "mock" | "mocks" | "fixture"
            | "fixtures" | "snapshots" | "e2e" => Self::TEST,
            "doc" | "docs" | "documentation" | "example" | "examples" | "sample" | "samples" | "demo" | "demos"
            | "vendor" | "vendored" | "third" | "external" | "generated" | "gen" | "dist" | "build" | "legacy"
            | "deprecated" | "old" | "archive" | "backup" | "bak" | "benchmark" | "benchmarks" | "bench"
            | "benches" => Self::ASIDE,
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
