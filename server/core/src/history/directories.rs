//! From files that moved to directories that moved.
//!
//! When files of `a` are found below `b` with the same rest of their paths, `a` went to `b`. That leads what
//! git did not follow: files that changed too much, names that were never tracked, the directory's own name.

use std::collections::{BTreeMap, BTreeSet};

use super::moves::{By, CommitChanges, CommitMoves, DirectoryMove, Move};
use crate::path::RelPath;

/// From so many files on, files that went the same way speak for their directory, even if others stayed.
const FILES_MIN: usize = 2;

/// A directory with its target, and how many files went there.
type Targets<'a> = BTreeMap<&'a [u8], (&'a [u8], usize)>;

impl CommitMoves {
    /// What a commit's changes say. `stayed` tells whether any file of a directory that was there before is
    /// still at the same path after the commit.
    pub fn new(changes: CommitChanges, stayed: impl FnMut(&RelPath) -> bool) -> Self {
        let CommitChanges { id, seconds, mut renames, mut deletions, additions } = changes;
        renames.sort_unstable();
        deletions.sort_unstable();
        let additions: BTreeSet<RelPath> = additions.into_iter().collect();

        let guessed = favourites(&votes(renames.iter().map(|(from, to)| (from.as_bytes(), to.as_bytes()))));
        let (lost, deletions) = follow(deletions, &guessed, additions);
        let mut moves: Vec<Move> = Vec::with_capacity(renames.len() + lost.len());
        moves.extend(renames.into_iter().map(|(from, to)| Move { from, to, by: By::File }));
        moves.extend(lost.into_iter().map(|(from, to)| Move { from, to, by: By::Directory }));
        moves.sort_unstable();

        let directories = directory_moves(&moves, &deletions, stayed);
        Self { id, seconds, moves, deletions, directories }
    }
}

/// For each directory that files left: how many files went to each directory, deeper ones included.
fn votes<'a>(moves: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> BTreeMap<&'a [u8], BTreeMap<&'a [u8], usize>> {
    let mut votes: BTreeMap<&[u8], BTreeMap<&[u8], usize>> = BTreeMap::new();
    for (mut from, mut to) in moves {
        while let (Some((above_from, name_from)), Some((above_to, name_to))) = (split(from), split(to)) {
            if name_from != name_to || above_from == above_to {
                break;
            }
            *votes.entry(above_from).or_default().entry(above_to).or_default() += 1;
            (from, to) = (above_from, above_to);
        }
    }
    votes
}

/// The target that most files of each directory went to; none where two have as many.
fn favourites<'a>(votes: &BTreeMap<&'a [u8], BTreeMap<&'a [u8], usize>>) -> Targets<'a> {
    let favourite = |targets: &BTreeMap<&'a [u8], usize>| {
        let most = targets.values().max().copied()?;
        let mut best = targets.iter().filter(|&(_, &count)| count == most);
        let (target, _) = best.next()?;
        best.next().is_none().then_some((*target, most))
    };
    votes.iter().filter_map(|(from, targets)| Some((*from, favourite(targets)?))).collect()
}

/// Takes out of `deletions` what appeared at the place where its directory's files went.
fn follow(
    deletions: Vec<RelPath>,
    targets: &Targets<'_>,
    mut additions: BTreeSet<RelPath>,
) -> (Vec<(RelPath, RelPath)>, Vec<RelPath>) {
    let mut lost = Vec::new();
    let mut deleted = Vec::new();
    for path in deletions {
        let to = above(path.as_bytes()).find_map(|directory| {
            let (target, _) = targets.get(directory)?;
            additions.take(&moved(path.as_bytes(), directory, target))
        });
        match to {
            Some(to) => lost.push((path, to)),
            None => deleted.push(path),
        }
    }
    (lost, deleted)
}

/// The directories that these moves and deletions speak for.
fn directory_moves(
    moves: &[Move],
    deletions: &[RelPath],
    mut stayed: impl FnMut(&RelPath) -> bool,
) -> Vec<DirectoryMove> {
    let votes = votes(moves.iter().map(|it| (it.from.as_bytes(), it.to.as_bytes())));
    let targets = favourites(&votes);
    // How many files each directory lost, whatever became of them.
    let mut lost: BTreeMap<&[u8], usize> = BTreeMap::new();
    for path in moves.iter().map(|it| &it.from).chain(deletions) {
        above(path.as_bytes()).for_each(|directory| *lost.entry(directory).or_default() += 1);
    }
    let mut deleted: BTreeMap<&[u8], usize> = BTreeMap::new();
    for path in deletions {
        above(path.as_bytes()).for_each(|directory| *deleted.entry(directory).or_default() += 1);
    }

    let mut found = Vec::new();
    let mut emptied: BTreeSet<&[u8]> = BTreeSet::new();
    // Sorted: a directory comes before what is in it, and what is in an emptied one is emptied as well.
    for (&directory, &total) in &lost {
        let target = targets.get(directory).filter(|&&(_, count)| count * 2 > total);
        let mostly_deleted = deleted.get(directory).is_some_and(|count| count * 2 > total);
        if target.is_none() && !mostly_deleted {
            continue;
        }
        let inside = above(directory).any(|outer| emptied.contains(outer));
        // A root that lost all its files is still the root.
        let whole = inside || (!directory.is_empty() && !stayed(&RelPath::new(directory)));
        if whole {
            emptied.insert(directory);
        }
        let to = match target {
            Some(&(target, count)) if count >= FILES_MIN || (whole && count == total) => Some(RelPath::new(target)),
            None if whole => None,
            _ => continue,
        };
        found.push(DirectoryMove { from: RelPath::new(directory), to, whole });
    }
    found
}

/// `path` with `target` in the place of `directory`, which holds it or is it.
pub(super) fn moved(path: &[u8], directory: &[u8], target: &[u8]) -> RelPath {
    let rest = below(path, directory).unwrap_or_default();
    RelPath::new(match (target.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_vec(),
        (_, true) => target.to_vec(),
        _ => [target, rest].join(&b'/'),
    })
}

/// The rest of `path` below `directory`, if it lies there.
fn below<'a>(path: &'a [u8], directory: &[u8]) -> Option<&'a [u8]> {
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix(b"/")
}

/// The directories that hold `path`, the nearest first, the root last.
fn above(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(split(path), |&(directory, _)| split(directory)).map(|(directory, _)| directory)
}

/// (directory, name) of a path; `None` for the root.
pub(super) fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    if path.is_empty() {
        return None;
    }
    Some(match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    })
}
