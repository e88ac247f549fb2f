//! `DirectoryKind`: recognises directories of tests, samples, vendored code and the like, where a file of the requested
//! name is often another one. Used by `confidence` and `auto_action`.

use super::input::DecisionInput;
use crate::prepared_query::PreparedQuery;
use crate::rank::Ranked;
use crate::words::for_each_word;

/// A kind of directory by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum DirectoryKind {
    Test,
    Fixture,
    Example,
    Vendored,
    Documentation,
    Generated,
    Translation,
}

impl DirectoryKind {
    const ALL: [Self; NAMES.len()] = [
        Self::Test,
        Self::Fixture,
        Self::Example,
        Self::Vendored,
        Self::Documentation,
        Self::Generated,
        Self::Translation,
    ];

    /// Returns the kind that a word of a directory's name indicates.
    fn from_word(word: &str) -> Option<Self> {
        Some(match word.as_bytes() {
            b"test" | b"tests" | b"testing" | b"spec" | b"specs" | b"e2e" => Self::Test,
            b"fixture" | b"fixtures" | b"testdata" | b"snapshot" | b"snapshots" | b"mock" | b"mocks" | b"golden"
            | b"corpus" | b"stub" | b"stubs" | b"dummy" => Self::Fixture,
            b"example" | b"examples" | b"sample" | b"samples" | b"demo" | b"demos" | b"tutorial" | b"tutorials"
            | b"template" | b"templates" | b"boilerplate" | b"playground" | b"scaffold" | b"skeleton" | b"starter"
            | b"starters" => Self::Example,
            b"vendor" | b"vendored" | b"third" | b"thirdparty" | b"3rdparty" | b"external" | b"deps" | b"extern"
            | b"contrib" => Self::Vendored,
            b"doc" | b"docs" | b"documentation" | b"website" | b"wiki" => Self::Documentation,
            b"generated" | b"gen" | b"dist" | b"build" | b"out" | b"target" | b"release" => Self::Generated,
            b"locale" | b"locales" | b"i18n" | b"l10n" | b"translations" | b"translation" | b"lang" | b"langs" => {
                Self::Translation
            }
            _ => return None,
        })
    }
}

/// Names of [`values`], in order: each 1 if the candidate lies in such a directory and the request names none.
pub(super) const NAMES: [&str; 7] = [
    "place_test",
    "place_fixture",
    "place_example",
    "place_vendored",
    "place_documentation",
    "place_generated",
    "place_translation",
];

/// A set of kinds: bit `i` is kind `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DirectoryKinds(u8);

impl DirectoryKinds {
    /// Returns the kinds of directories in which a candidate lies and of which the request names none.
    pub(super) fn unrequested(input: &DecisionInput<'_>, candidate: &Ranked) -> Self {
        let path = candidate.path.as_bytes();
        let directories = path.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |end| &path[..end]);
        let own = Self::from_directories(directories);
        if own.is_empty() { own } else { Self(own.0 & !Self::requested(input.query).0) }
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has(self, kind: DirectoryKind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    pub(super) fn has_any(self, kinds: &[DirectoryKind]) -> bool {
        kinds.iter().any(|&kind| self.has(kind))
    }

    fn add(&mut self, kind: Option<DirectoryKind>) {
        self.0 |= kind.map_or(0, |kind| 1 << kind as u8);
    }

    fn from_directories(directories: &[u8]) -> Self {
        let mut kinds = Self::default();
        for segment in directories.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty()) {
            for_each_word(segment, |word| kinds.add(DirectoryKind::from_word(word)));
            kinds.add(is_language(segment).then_some(DirectoryKind::Translation));
        }
        kinds
    }

    /// Returns the kinds that the request's own words, in the path or beside it, name.
    fn requested(query: &PreparedQuery) -> Self {
        let directories =
            query.targets.iter().flat_map(|target| &target.directories).flat_map(|segment| &segment.words);
        let own = query.names.iter().flat_map(|name| &name.words);
        let hint = query.context.hint.iter().flat_map(|hint| &hint.segments).map(String::as_str);
        let words = directories.chain(own).chain(&query.intent.words).map(|word| word.word.as_str());
        let mut kinds = Self::default();
        words.chain(hint).for_each(|word| kinds.add(DirectoryKind::from_word(word)));
        kinds
    }
}

/// Values of the signals in [`NAMES`].
pub(super) fn values(input: &DecisionInput<'_>, first: &Ranked) -> [f32; NAMES.len()] {
    let kinds = DirectoryKinds::unrequested(input, first);
    DirectoryKind::ALL.map(|kind| f32::from(u8::from(kinds.has(kind))))
}

/// Returns whether a directory is named like a locale, `pt-br` or `zh_CN`. Two letters alone are as often something
/// else.
fn is_language(segment: &[u8]) -> bool {
    let lower = |part: &[u8]| part.len() == 2 && part.iter().all(u8::is_ascii_lowercase);
    match segment {
        [language @ .., b'-' | b'_', a, b] => lower(language) && a.is_ascii_alphabetic() && b.is_ascii_alphabetic(),
        _ => false,
    }
}
