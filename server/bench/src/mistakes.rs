//! Generates wrong paths for a tree, each with exactly one file that it can stand for.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use fastrand::Rng;
use rustc_hash::FxHashMap;

/// Arbitrary; another seed selects other files.
const SEED: u64 = 4;

/// Files tried for each question: in large trees most files share their name with others.
const MAX_TRIES: usize = 1_000;

/// A kind of mistake in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MistakeKind {
    /// A letter of the name is wrong, missing, doubled or swapped.
    Typo,
    /// A directory is missing, replaced or added.
    Directory,
    /// Only the file name is given.
    Bare,
    /// Only the file name and some directories above it are given.
    Partial,
}

pub(crate) const MISTAKE_KINDS: [MistakeKind; 4] =
    [MistakeKind::Typo, MistakeKind::Directory, MistakeKind::Bare, MistakeKind::Partial];

/// A wrong path and the file that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BenchQuestion {
    pub(crate) kind: MistakeKind,
    /// The wrong path.
    pub(crate) failed: String,
    /// The file that should come first.
    pub(crate) expected: String,
}

/// Returns `each` questions of every kind, in alternation; fewer if the tree is too small.
pub(crate) fn generate_questions(files: &[String], each: usize) -> Vec<BenchQuestion> {
    let mut names = FxHashMap::<&str, u32>::default();
    let mut ends = FxHashMap::<&str, u32>::default();
    for path in files {
        *names.entry(last_names(path, 1)).or_default() += 1;
        *ends.entry(last_names(path, 2)).or_default() += 1;
    }
    let mut rng = Rng::with_seed(SEED);
    let mut used = BTreeSet::new();
    let mut all = Vec::with_capacity(each * MISTAKE_KINDS.len());
    for _ in 0..each {
        for kind in MISTAKE_KINDS {
            let wrong = (0..MAX_TRIES).find_map(|_| {
                let expected = files.get(rng.usize(..files.len().max(1)))?;
                // No other file may fit equally well.
                let is_unique = if kind == MistakeKind::Partial {
                    ends[last_names(expected, 2)]
                } else {
                    names[last_names(expected, 1)]
                } == 1;
                if !is_unique || expected.split('/').count() < 4 || used.contains(expected) {
                    return None;
                }
                let failed = with_mistake(kind, expected, &mut rng)?;
                let is_new = kind != MistakeKind::Typo || !names.contains_key(last_names(&failed, 1));
                (is_new && failed != *expected).then(|| BenchQuestion { kind, failed, expected: expected.clone() })
            });
            if let Some(question) = wrong {
                used.insert(question.expected.clone());
                all.push(question);
            }
        }
    }
    all
}

/// The last `names` segments of a path.
fn last_names(path: &str, names: usize) -> &str {
    path.rmatch_indices('/').nth(names - 1).map_or(path, |(at, _)| &path[at + 1..])
}

/// Returns the path with a mistake of this kind; `None` if it cannot have one.
fn with_mistake(kind: MistakeKind, path: &str, rng: &mut Rng) -> Option<String> {
    let (directory, name) = path.rsplit_once('/')?;
    Some(match kind {
        MistakeKind::Bare => name.to_owned(),
        MistakeKind::Partial => last_names(path, rng.usize(2..=3)).to_owned(),
        MistakeKind::Typo => format!("{directory}/{}", misspell(name, rng)?),
        MistakeKind::Directory => {
            let mut all: Vec<_> = directory.split('/').collect();
            let at = rng.usize(1..all.len());
            match rng.u8(..3) {
                0 => drop(all.remove(at)),
                1 => all[at] = "common",
                _ => all.insert(at, "common"),
            }
            format!("{}/{name}", all.join("/"))
        }
    })
}

/// Returns the name with one mistake in its stem.
fn misspell(name: &str, rng: &mut Rng) -> Option<String> {
    let stem = name.split('.').next()?;
    if stem.len() < 4 || !stem.is_ascii() {
        return None;
    }
    let mut letters = name.as_bytes().to_vec();
    let at = rng.usize(1..stem.len() - 1);
    match rng.u8(..4) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        2 => letters.insert(at, letters[at]),
        _ => letters[at] = if letters[at] == b'x' { b'z' } else { b'x' },
    }
    String::from_utf8(letters).ok().filter(|wrong| wrong != name)
}
