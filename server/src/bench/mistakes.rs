//! Questions about a tree: paths as they are got wrong, each with the one file that can be meant.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use fastrand::Rng;
use rustc_hash::FxHashMap;

/// Any number: another one asks for other files.
const SEED: u64 = 4;

/// Files that are looked at for each question: of large trees most have a name that others have too.
const TRIES: usize = 1_000;

/// How a path is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A letter of the name is wrong, missing, twice or in the wrong place.
    Typo,
    /// A directory is missing, another one, or one too many.
    Directory,
    /// Only the name.
    Bare,
    /// Only the name and some directories above it.
    Partial,
}

pub(super) const KINDS: [Kind; 4] = [Kind::Typo, Kind::Directory, Kind::Bare, Kind::Partial];

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) kind: Kind,
    /// What is asked.
    pub(super) failed: String,
    /// The file that is meant.
    pub(super) meant: String,
}

/// So many of each kind, in turns; fewer where the tree is too small.
pub(super) fn questions(files: &[String], each: usize) -> Vec<Question> {
    let mut names = FxHashMap::<&str, u32>::default();
    let mut ends = FxHashMap::<&str, u32>::default();
    for path in files {
        *names.entry(end(path, 1)).or_default() += 1;
        *ends.entry(end(path, 2)).or_default() += 1;
    }
    let mut rng = Rng::with_seed(SEED);
    let mut used = BTreeSet::new();
    let mut asked = Vec::with_capacity(each * KINDS.len());
    for _ in 0..each {
        for kind in KINDS {
            let wrong = (0..TRIES).find_map(|_| {
                let meant = files.get(rng.usize(..files.len().max(1)))?;
                // No other file may be meant just as well.
                let alone = if kind == Kind::Partial { ends[end(meant, 2)] } else { names[end(meant, 1)] } == 1;
                if !alone || meant.split('/').count() < 4 || used.contains(meant) {
                    return None;
                }
                let failed = failed(kind, meant, &mut rng)?;
                let is_new = kind != Kind::Typo || !names.contains_key(end(&failed, 1));
                (is_new && failed != *meant).then(|| Question { kind, failed, meant: meant.clone() })
            });
            if let Some(question) = wrong {
                used.insert(question.meant.clone());
                asked.push(question);
            }
        }
    }
    asked
}

/// The last so many names of a path.
fn end(path: &str, names: usize) -> &str {
    path.rmatch_indices('/').nth(names - 1).map_or(path, |(at, _)| &path[at + 1..])
}

/// The path with a mistake of this kind, if it can have one.
fn failed(kind: Kind, path: &str, rng: &mut Rng) -> Option<String> {
    let (directory, name) = path.rsplit_once('/')?;
    Some(match kind {
        Kind::Bare => name.to_owned(),
        Kind::Partial => end(path, rng.usize(2..=3)).to_owned(),
        Kind::Typo => format!("{directory}/{}", misspelt(name, rng)?),
        Kind::Directory => {
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

/// The name with one mistake in what is before its endings.
fn misspelt(name: &str, rng: &mut Rng) -> Option<String> {
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
