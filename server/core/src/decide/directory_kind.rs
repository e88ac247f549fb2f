//! `DirectoryKind`: recognises directories of tests, samples, vendored code and the like, where a file of the requested
//! name is often another one. Used by `confidence` and `auto_action`.

use super::input::DecisionInput;
use crate::prepared_query::PreparedQuery;
use crate::rank::Ranked;
use crate::words::words;

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
        Some(match word {
            "test" | "tests" | "testing" | "spec" | "specs" | "e2e" => Self::Test,
            "fixture" | "fixtures" | "testdata" | "snapshot" | "snapshots" | "mock" | "mocks" | "golden" | "corpus"
            | "stub" | "stubs" | "dummy" => Self::Fixture,
            "example" | "examples" | "sample" | "samples" | "demo" | "demos" | "tutorial" | "tutorials"
            | "template" | "templates" | "boilerplate" | "playground" | "scaffold" | "skeleton" | "starter"
            | "starters" => Self::Example,
            "vendor" | "vendored" | "third" | "thirdparty" | "3rdparty" | "external" | "deps" | "extern"
            | "contrib" => Self::Vendored,
            "doc" | "docs" | "documentation" | "website" | "wiki" => Self::Documentation,
            "generated" | "gen" | "dist" | "build" | "out" | "target" | "release" => Self::Generated,
            "locale" | "locales" | "i18n" | "l10n" | "translations" | "translation" | "lang" | "langs" => {
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

/// Values of the signals in [`NAMES`].
pub(super) fn values(input: &DecisionInput<'_>, first: &Ranked) -> [f32; NAMES.len()] {
    DirectoryKind::ALL.map(|kind| f32::from(u8::from(is_unrequested(input, first, kind))))
}

/// Returns whether a candidate lies in a directory of this kind and the request names none.
pub(super) fn is_unrequested(input: &DecisionInput<'_>, candidate: &Ranked, kind: DirectoryKind) -> bool {
    let path = candidate.path.as_bytes();
    let directories = path.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |end| &path[..end]);
    is_in(directories, kind) && !is_kind_requested(input.query, kind)
}

/// Returns whether a candidate lies in a directory of any kind that the request does not name.
pub(super) fn is_any_unrequested(input: &DecisionInput<'_>, candidate: &Ranked) -> bool {
    DirectoryKind::ALL.into_iter().any(|kind| is_unrequested(input, candidate, kind))
}

fn is_in(directories: &[u8], kind: DirectoryKind) -> bool {
    let segments = || directories.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
    let is_of_kind = |segment: &[u8]| words(segment).iter().any(|word| DirectoryKind::from_word(word) == Some(kind));
    segments().any(is_of_kind) || kind == DirectoryKind::Translation && segments().any(is_language)
}

/// Returns whether the request's own words, in the path or beside it, name such a directory.
fn is_kind_requested(query: &PreparedQuery, kind: DirectoryKind) -> bool {
    let directories = query.targets.iter().flat_map(|target| &target.directories).flat_map(|segment| &segment.words);
    let own = query.names.iter().flat_map(|name| &name.words);
    let hint = query.context.hint.iter().flat_map(|hint| &hint.segments).map(String::as_str);
    let words = directories.chain(own).chain(&query.intent.words).map(|word| word.word.as_str());
    words.chain(hint).any(|word| DirectoryKind::from_word(word) == Some(kind))
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
