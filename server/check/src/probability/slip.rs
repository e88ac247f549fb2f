//! Finds slips: existing paths that differ from a missing one by a typo.

use pathfinder_core::distance::edits_within;
use pathfinder_literals::typo::{differ_in_code, is_respelling, is_typo};
use pathfinder_literals::typo_findings::correction;
use pathfinder_literals::{Kind, LiteralKind, Project, Tree, path};

use super::evidence::Evidence;
use crate::name_index::{count_dots, split_extension};
use crate::source_tree::SourceTree;

/// Tried paths of one literal that are compared with the disk's names; more add nothing.
const MAX_TRIED_PATHS: usize = 16;
/// Shorter names resemble too many others.
const MIN_NAME_CHARS: usize = 4;
/// Names of at least this length may have two edits.
const MIN_TWO_EDIT_CHARS: usize = 8;
/// Least length of the only differing word of two names for two edits.
const MIN_TWO_EDIT_WORD_BYTES: usize = 6;

/// The only path with the fewest edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slip {
    /// The existing path, relative to the root.
    pub(crate) path: String,
    /// The offset of its segment that differs.
    pub(crate) at: usize,
    /// Number of edits between the two names.
    pub(crate) edits: usize,
    /// True if the name is so short for these edits that it is as likely another word.
    pub(crate) is_other_word: bool,
    /// True if the names differ by one mistyped letter that does not make another name, or in their style of writing.
    pub(crate) is_typo: bool,
}

/// Finds the only existing path that one mistyped name in these paths leads to; `None` if there is none, or several
/// are equally near.
pub(crate) fn find_slip<'p>(tree: &dyn SourceTree, tried: impl Iterator<Item = &'p str>) -> Option<Slip> {
    let mut nearest = find_nearest(tree, tried);
    nearest.pop().filter(|_| nearest.is_empty())
}

/// Adds the evidence of a slip, whose written name is this one.
pub(super) fn add_evidence(project: &Project, slip: &Slip, written: &str, evidence: &mut Vec<Evidence>) {
    evidence.push(if slip.edits == 1 { Evidence::SlipOne } else { Evidence::SlipTwo });
    let stem = split_extension(written).0;
    // A name in another case works on some systems.
    let is_typo = |other: &str| is_typo(stem, other) && !stem.eq_ignore_ascii_case(other);
    let is_misspelt = || {
        let there = slip.path.split('/').any(|name| is_typo(split_extension(name).0));
        there && !project.has_name(stem)
    };
    if is_misspelt() {
        evidence.push(Evidence::Misspelt);
    }
}

/// Returns whether a literal can have the target of another one of its file: scripts, data and pages name a file again and again, and code
/// imports a module once.
pub(super) fn may_repeat(kind: LiteralKind) -> bool {
    const LANGUAGES: [&str; 7] = ["docker", "json", "make", "sh", "toml", "words", "yaml"];
    kind.is_of_page() || LANGUAGES.contains(&kind.language())
}

/// Returns whether these are two paths that one mistyped letter leads to. More are a family of names.
pub(super) fn are_two_typos(nearest: &[Slip]) -> bool {
    nearest.len() == 2 && nearest.iter().all(|slip| slip.is_typo)
}

/// Finds the existing paths with the fewest mistyped letters.
pub(super) fn find_nearest<'p>(tree: &dyn SourceTree, tried: impl Iterator<Item = &'p str>) -> Vec<Slip> {
    let mut best: Vec<Slip> = Vec::new();
    for path in tried.take(MAX_TRIED_PATHS) {
        for found in near_paths(tree, path) {
            let least = best.first().map_or(usize::MAX, |slip| slip.edits);
            if found.edits < least {
                best.clear();
            }
            // A directory is the same path as its index file, and one correction can lead to files of several directories or endings.
            let is_known = |slip: &Slip| {
                path::is_within(&slip.path, &found.path)
                    || path::is_within(&found.path, &slip.path)
                    || correction(&slip.path, slip.at) == correction(&found.path, found.at)
            };
            if found.edits <= least && !best.iter().any(is_known) {
                best.push(found);
            }
        }
    }
    best
}

/// Returns whether one of these paths, which a file in this directory names relative to itself, leads to a file with one step to the
/// directory above more or less: its own file moved, or the steps were counted wrong.
pub(super) fn is_step_slip<'p>(tree: &dyn Tree, directory: &str, tried: impl Iterator<Item = &'p str>) -> bool {
    tried.take(MAX_TRIED_PATHS).any(|path| {
        // The file inside that a path out of the repository means.
        if tree.kind(path) == Some(Kind::File) {
            return true;
        }
        let base = path::ancestors(directory).find(|above| is_below(path, above)).unwrap_or_default();
        let rest = path[base.len()..].trim_start_matches('/');
        let next = directory[base.len()..].trim_start_matches('/').split('/').next().unwrap_or_default();
        let is_there = |base: &str| path::join(base, rest).is_some_and(|other| tree.kind(&other) == Some(Kind::File));
        !base.is_empty() && is_there(path::parent(base))
            || !next.is_empty() && path::join(base, next).is_some_and(|below| is_there(&below))
    })
}

/// Returns whether a path lies below a directory; all lie below the root.
fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty() || path::is_within(path, directory)
}

/// Existing paths that differ from `path` in its first missing segment.
fn near_paths(tree: &dyn SourceTree, path: &str) -> Vec<Slip> {
    let slashes: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    // A directory exists only if its parents do. In a deep tree each query walks from the root, so the search is
    // binary.
    let present = slashes.partition_point(|at| tree.kind(&path[..*at]) == Some(Kind::Directory));
    let start = present.checked_sub(1).map_or(0, |last| slashes[last] + 1);
    let directory = path[..start].trim_end_matches('/');
    let rest = &path[start..];
    let (segment, rest) = rest.split_once('/').map_or((rest, None), |(segment, rest)| (segment, Some(rest)));
    let mut all = Vec::new();
    for name in tree.name_index(directory).near(segment) {
        let Some(edits) = edits(segment, name) else { continue };
        let mut there = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        if let Some(rest) = rest {
            there = format!("{there}/{rest}");
        }
        if tree.kind(&there).is_some() {
            let (stem, other) = (split_extension(segment).0, split_extension(name).0);
            let length = stem.chars().count().max(other.chars().count());
            let is_other_word = edits > 1 && length < MIN_TWO_EDIT_CHARS;
            let is_typo = is_typo(stem, other) || is_respelling(stem, other) || is_inner_typo(segment, name);
            all.push(Slip { path: there, at: start, edits, is_other_word, is_typo });
        }
    }
    all
}

/// The number of mistyped letters; `None` if the name is another one. Extensions and digits are never mistyped:
/// `a.ts` and `a.js`, `v1` and `v2` are different files.
fn edits(written: &str, name: &str) -> Option<usize> {
    // `.config` and `config` are two names that many trees have.
    if written.starts_with('.') != name.starts_with('.') {
        return None;
    }
    // An underscore in front makes another name: `environment.php` is the reader's, `_environment.php` what a page shows of it.
    if written.trim_start_matches('_') == name.trim_start_matches('_') {
        return None;
    }
    let (stem, extension) = split_extension(written);
    let (other, other_extension) = split_extension(name);
    if is_inner_typo(written, name) {
        return Some(1);
    }
    let length = stem.chars().count().max(other.chars().count());
    if length < MIN_NAME_CHARS || extension != other_extension {
        return None;
    }
    if is_respelling(stem, other) {
        return Some(1);
    }
    if !digits(stem).eq(digits(other)) {
        return None;
    }
    let most = if length >= MIN_TWO_EDIT_CHARS { 2 } else { 1 };
    let edits = edits_within(stem.as_bytes(), other.as_bytes(), most).filter(|edits| *edits > 0)?;
    if is_other_word(stem, other, edits) {
        return None;
    }
    // The first letter is seldom mistyped. Short names that differ in it are two words: `gone`, `one`.
    let is_other_start = length < MIN_TWO_EDIT_CHARS && stem.chars().next() != other.chars().next();
    Some(if is_other_start { edits.max(2) } else { edits })
}

fn digits(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(u8::is_ascii_digit)
}

/// Returns whether two names differ by a typo in one word between two dots: `tsconfig.bse.json`, `tsconfig.base.json`. Short ones
/// are languages or kinds: `.en.md` and `.es.md`.
fn is_inner_typo(written: &str, name: &str) -> bool {
    if count_dots(written) < 2 || count_dots(written) != count_dots(name) {
        return false;
    }
    let (parts, others): (Vec<&str>, Vec<&str>) = (written.split('.').collect(), name.split('.').collect());
    let mut differing = parts.iter().zip(&others).enumerate().filter(|(_, (one, two))| one != two);
    let (Some((at, (one, two))), None) = (differing.next(), differing.next()) else { return false };
    parts.len() == others.len() && at > 0 && at + 1 < parts.len() && is_typo(one, two)
}

/// Returns whether two names of several words differ only in one short word, which makes them different names: `jni_util`,
/// `unix_util`; with one edit in its first letter, or in a code of two: `fs_futimes`, `fs_lutimes`.
fn is_other_word(stem: &str, other: &str, edits: usize) -> bool {
    let words = |text| str::split(text, ['_', '-', ' ', '+']);
    if words(stem).count() != words(other).count() {
        return false;
    }
    if differ_in_code(stem, other) {
        return true;
    }
    let mut differing = words(stem).zip(words(other)).filter(|(one, two)| one != two);
    let (first, second) = (differing.next(), differing.next());
    second.is_none()
        && first.is_some_and(|(one, two)| match edits {
            0 => false,
            1 => {
                words(stem).nth(1).is_some()
                    && one.as_bytes().first() != two.as_bytes().first()
                    && !is_typo(stem, other)
            }
            _ => one.len().max(two.len()) < MIN_TWO_EDIT_WORD_BYTES,
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use pathfinder_literals::testing::MemoryTree;

    use super::{Slip, are_two_typos, edits, is_step_slip, is_typo, split_extension};
    use crate::name_index::NameIndex;

    proptest! {
        /// The index leaves out no name that counts as mistyped.
        #[test]
        fn compares_every_near_name(
            written in "[.]?[a-zA-D1_-]{3,12}([.][abt]{1,5}){0,3}",
            changes in proptest::collection::vec(proptest::collection::vec((any::<usize>(), 0..3, "[a-z1_.-]"), 1..4), 1..40),
        ) {
            // Each name is the written one after up to three edits: a character is taken out, put in or replaced.
            let change = |mut name: String, (at, kind, new): &(usize, i32, String)| {
                let at = at % name.len().max(1);
                let end = if *kind == 1 { at } else { (at + 1).min(name.len()) };
                name.replace_range(at..end, if *kind == 0 { "" } else { new });
                name
            };
            let names: Arc<[String]> = changes.iter().map(|all| all.iter().fold(written.clone(), change)).collect();
            let index = NameIndex::new(Arc::clone(&names));
            let count = |name: &&str| edits(&written, name).is_some();
            let all: Vec<&str> = names.iter().map(String::as_str).filter(count).collect();
            prop_assert_eq!(index.near(&written).filter(count).collect::<Vec<_>>(), all);
        }
    }

    #[test]
    fn recognises_wrong_steps() {
        let check = |tree: &str, directory: &str, wanted: &str, expect: bool| {
            let tree = MemoryTree::new(tree);
            assert_eq!(is_step_slip(&tree, directory, [wanted].into_iter()), expect, "{directory} {wanted}");
        };
        // `../b` and `./b` of `x/y/a.js`.
        check("b.js", "x/y", "x/b.js", true);
        check("x/b.js", "x/y", "x/y/b.js", true);
        check("x/y/b.js", "x/y", "x/b.js", true);
        check("b.js", "x/y", "x/y/b.js", false);
        check("x/b/c.js", "x/y", "x/b.js", false);
        check("z/b.js", "x/y", "x/b.js", false);
        check("b.js", "", "b/c.js", false);
    }

    #[test]
    fn counts_edits_of_names() {
        let check = |written, name, expect| assert_eq!(edits(written, name), expect, "{written} {name}");
        check("Buton.tsx", "Button.tsx", Some(1));
        check("Button.tsx", "Button.tsx", None);
        check("engin.h", "engine.h", Some(1));
        check("engnie.h", "engine.h", Some(1));
        check("gobals.py", "globals.py", Some(1));
        check("dcs", "docs", Some(1));
        check("a.ts", "b.ts", None);
        check("main.ts", "main.js", None);
        check("notes-v1.md", "notes-v2.md", None);
        check("interpretr.ts", "interpreter.ts", Some(1));
        check("intrpretr.ts", "interpreter.ts", Some(2));
        check("test.ts", "best.ts", Some(2));
        check("gone.md", "one.md", Some(2));
        check("nterpreter.ts", "interpreter.ts", Some(1));
        check("icon.png", "icon.png.md5", None);
        check("tsconfig.bse.json", "tsconfig.base.json", Some(1));
        check("a.tset.ts", "a.test.ts", Some(1));
        check("guide.en.md", "guide.es.md", None);
        check("guide.v1.md", "guide.v2.md", None);
        check("a.spec.ts", "a.test.ts", None);
        check("a.b.cofnig", "a.b.config", None);
        check("should_instrument.js", "shouldInstrument.js", Some(1));
        check("default-reporter.ts", "DefaultReporter.ts", Some(1));
        check("should_instrument.js", "shouldInstrument.ts", None);
        check("_fs_futimes.ts", "_fs_lutimes.ts", None);
        check("tool_cb_ea.h", "tool_cb_rea.h", Some(1));
        check("fs_nterpreter.ts", "fs_interpreter.ts", Some(1));
        check("netty_jni_util.h", "netty_unix_util.h", None);
        check("netty_interpretr_utl.h", "netty_interpreter_util.h", Some(2));
        check("some-componnet-lst.ts", "some-component-list.ts", Some(2));
    }

    #[test]
    fn tells_two_typos_from_a_family_of_names() {
        let check = |written: &str, names: &[&str], expect: bool| {
            let slip = |name: &&str| {
                Some(Slip {
                    path: (*name).to_owned(),
                    at: 0,
                    edits: edits(written, name)?,
                    is_other_word: false,
                    is_typo: is_typo(split_extension(written).0, split_extension(name).0),
                })
            };
            let nearest: Vec<Slip> = names.iter().filter_map(slip).collect();
            assert_eq!(are_two_typos(&nearest), expect, "{written}");
        };
        check("handlr.ts", &["handler.ts", "handle.ts"], true);
        check("part-d.ts", &["part-a.ts", "part-b.ts"], false);
        check("handlr.ts", &["handler.ts", "handle.ts", "handli.ts"], false);
        check("handlr.ts", &["handler.ts"], false);
    }
}
