//! Upper limits of confidence that override the fitted model, for mistakes that are too bad to average out and too rare
//! to learn from. Called by `decide`.

use super::input::DecisionInput;
use crate::features::Feature;
use crate::features::flags::PathFlags;
use crate::path;
use crate::rank::Ranked;
use crate::words::{split_extension, squash, words};

/// A header for its source, or the reverse. Below every threshold, because plausible but wrong contents are the worst
/// answer: without this limit 23 of 200 files removed from curl's tree were resolved so. At the limit 4 of 5 generated
/// requests are right.
const COUNTERPART: f32 = 0.76;

/// The candidate shares only its name with a path outside every root, which may exist there. `/etc/passwd` is not
/// `src/passwd.rs`.
const ELSEWHERE: f32 = 0.5;

/// Only the stem matches, neither a directory nor the kind of file. `web/src/main.tsx` is not `infra/main.tf`.
const STEM_ONLY: f32 = 0.5;

/// The requested name with a prefix or suffix. Slips happen inside of names: `celeryev` is no slip for `celery`, nor
/// `main_b` for `main`.
const AFFIXED: f32 = 0.6;

/// The request names a test and the candidate is none: a missing `tests/glaze.rs` is not `src/glaze.rs`, the file that
/// it tested.
const NO_TEST: f32 = 0.6;

/// A different numeric extension: section 1 of a manual is not a slip for section 3, `curl.1` for `curl.3`.
const NUMBERED: f32 = 0.6;

/// Different digits: `test1111` is not a slip for `test111`, nor `md4` for `md5`.
const OTHER_NUMBER: f32 = 0.6;

/// A directory for a request that reads a file: it cannot be read.
const DIRECTORY: f32 = 0.6;

/// One of several files with the requested bare name and no other evidence. Each of two is right half the time; depth
/// does not help.
const SHARED: f32 = 0.5;

/// Returns the upper limit of the first candidate's confidence.
pub(super) fn max_confidence(input: &DecisionInput<'_>, first: &Ranked) -> f32 {
    let target = &input.query.targets[first.target];
    let none = |feature| first.get(feature) == 0.0;
    let other_kind = none(Feature::ExtensionSame) && none(Feature::ExtensionNear) && none(Feature::ExtensionNone);
    let caps = [
        (is_other_number(&input.query.names[target.name].text, first), NUMBERED),
        (first.get(Feature::Counterpart) > 0.0, COUNTERPART),
        (input.readings[target.reading].outside && none(Feature::ParentSame), ELSEWHERE),
        (other_kind && first.get(Feature::DirectoryShare) >= 1.0, STEM_ONLY),
        (input.is_directory, DIRECTORY),
        (has_other_numbers(&input.query.names[target.name].stem, first), OTHER_NUMBER),
        (is_shared(input, first), SHARED),
        (first.get(Feature::TestMissing) > 0.0 && is_mirrored_test(input, first), NO_TEST),
        (none(Feature::StemStyle) && is_affixed(&input.query.names[target.name].stem, first), AFFIXED),
    ];
    caps.into_iter().filter(|(holds, _)| *holds).map(|(_, most)| most).fold(1.0, f32::min)
}

/// Returns whether several files have the requested bare name, with no intent, history or evidence for one of them.
fn is_shared(input: &DecisionInput<'_>, first: &Ranked) -> bool {
    let context = &input.query.context;
    let silent = input.query.intent.words.is_empty()
        && context.history.is_empty()
        && context.from.is_none()
        && context.hint.is_none()
        && input.evidence.is_none()
        && input.rerank.is_none();
    let has_name = |candidate: &Ranked| candidate.get(Feature::NameExact) > 0.0;
    let bare = input.query.targets[first.target].directories.is_empty() && first.get(Feature::Moved) == 0.0;
    silent && bare && has_name(first) && input.ranked[1..].iter().any(has_name)
}

/// Returns whether the first candidate mirrors the requested test: apart from test and source directories, both paths
/// have the same directories.
fn is_mirrored_test(input: &DecisionInput<'_>, first: &Ranked) -> bool {
    const SOURCES: [&[u8]; 8] = [b"src", b"lib", b"app", b"main", b"source", b"sources", b"java", b"kotlin"];
    let is_test = |name: &[u8]| PathFlags::from_words(words(name)).has(PathFlags::TEST);
    let telling = |name: &&[u8]| !is_test(name) && !SOURCES.contains(name);
    let target = &input.query.targets[first.target];
    let query = || target.directories.iter().map(|segment| segment.text.as_bytes());
    let mut own: Vec<&[u8]> = first.path.as_bytes().split(|&byte| byte == b'/').collect();
    own.pop();
    let tests = query().any(is_test) || is_test(input.query.names[target.name].stem.as_bytes());
    tests && query().filter(telling).eq(own.into_iter().filter(telling))
}

/// Returns whether two names differ in their numeric extensions only.
fn is_other_number(query: &str, first: &Ranked) -> bool {
    let name = |path: &[u8]| path::name(path).to_ascii_lowercase();
    let split = |name: &[u8]| {
        let at = name.iter().rposition(|&byte| byte == b'.').filter(|&at| at > 0)?;
        let digits = &name[at + 1..];
        (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then(|| (name[..at].to_vec(), digits.to_vec()))
    };
    let pair = split(&name(query.as_bytes())).zip(split(&name(first.path.as_bytes())));
    pair.is_some_and(|(query, found)| query.0 == found.0 && query.1 != found.1)
}

/// Returns whether the stem's numbers differ from the candidate's, ignoring leading zeros. False for a moved file,
/// which may have another number.
fn has_other_numbers(query: &str, first: &Ranked) -> bool {
    let numbers = |stem: &[u8]| {
        let runs = stem.split(|byte| !byte.is_ascii_digit()).filter(|run| !run.is_empty());
        runs.map(|run| run[run.iter().take_while(|digit| **digit == b'0').count()..].to_vec()).collect::<Vec<_>>()
    };
    let path = first.path.as_bytes();
    let name = path::name(path);
    first.get(Feature::Moved) == 0.0 && numbers(query.as_bytes()) != numbers(split_extension(name).0)
}

/// Returns whether one stem is the other plus a word, or at least two letters, before or behind it.
fn is_affixed(query: &str, first: &Ranked) -> bool {
    /// One letter at an end is a slip.
    const LETTERS: usize = 2;
    let path = first.path.as_bytes();
    let found = split_extension(path::name(path)).0;
    let (asked_key, found_key) = (squash(query.as_bytes()), squash(found));
    let (short, long) =
        if asked_key.len() < found_key.len() { (&asked_key, &found_key) } else { (&found_key, &asked_key) };
    let apart = long.len() - short.len();
    let affixed = !short.is_empty() && apart > 0 && (long.starts_with(short) || long.ends_with(short));
    affixed && (apart >= LETTERS || words(query.as_bytes()).len() != words(found).len())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_resolved as check;

    #[test]
    fn caps_prefixed_and_suffixed_names() {
        let tree = "bin/celery.py\nbin/worker.py\nbin/beat.py\nsrc/main.py\nsrc/settings_loader.py\nREADME.md\n";
        check(tree, "bin/celeryev.py", false);
        check(tree, "src/main_b.py", false);
        check(tree, "src/settings.py", false);
        check(tree, "bin/celry.py", true);
        check(tree, "bin/workers.py", true);
        check(tree, "src/settings_loadr.py", true);
    }

    #[test]
    fn caps_sources_for_requested_tests() {
        let tree = "src/glaze.rs\nsrc/kiln.rs\ntests/kiln_test.rs\n";
        check(tree, "tests/glaze.rs", false);
        check(tree, "src/glaze_test.rs", false);
        check(tree, "lib/glaze.rs", true);
        check(tree, "test/kiln_test.rs", true);
    }

    #[test]
    fn caps_bare_names_of_several_files() {
        let tree = "src/app/settings.py\nsrc/app/deep/down/settings.py\nsrc/app/urls.py\n";
        check(tree, "settings.py", false);
        check(tree, "urls.py", true);
    }

    #[test]
    fn caps_other_numeric_extensions() {
        let tree = "docs/curl.1\ndocs/libcurl/init.3\ndocs/libcurl/setopt.3\nsrc/curl.c\nREADME.md\n";
        check(tree, "docs/curl.3", false);
        check(tree, "docs/cutl.1", true);
        check(tree, "docs/libcurl/setoptt.3", true);
    }

    #[test]
    fn caps_other_numbers() {
        let tree = "tests/test11.txt\ntests/test12.txt\nlib/md4.c\nlib/sha256.c\nREADME.md\n";
        check(tree, "lib/md5.c", false);
        check(tree, "tests/test111.txt", false);
        check(tree, "lib/sah256.c", true);
        check("migrations/002_orders.sql\nmigrations/001_users.sql\n", "migrations/02_orders.sql", true);
    }

    #[test]
    fn caps_matching_stems_alone() {
        let tree = "web/src/main.tsx\nweb/src/app.tsx\nweb/index.html\ninfra/network/vpc.tf\n";
        check(tree, "infra/main.tf", false);
        check(tree, "web/src/main.jsx", true);
    }
}
