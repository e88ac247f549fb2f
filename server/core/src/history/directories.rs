//! Derives moved directories from moved files.
//!
//! If files of `a` are found below `b` with the same rest of their paths, `a` moved to `b`. So it did if a commit took all files of `a` to
//! `b`, whatever their names: those of some contain that of their directory. This covers paths that git does not follow: files that
//! changed too much, untracked names, and the directory's own name.

use std::collections::{BTreeMap, BTreeSet};

use super::moves::{CommitChanges, CommitMoves, DirectoryMove, Move, MoveEvidence};
use crate::path::{RelPath, split};

/// Files that must move to one directory to count as a move of theirs, if other files stayed.
const MIN_FILES: usize = 2;

/// Directories with their target, and the number of files that moved there.
type DirectoryTargets<'a> = BTreeMap<&'a [u8], (&'a [u8], usize)>;

impl CommitMoves {
    /// Derives the moves of a commit from its changes. `stayed` returns whether any file of a directory is at the
    /// same path before and after the commit.
    pub fn new(changes: CommitChanges, stayed: impl FnMut(&RelPath) -> bool) -> Self {
        let CommitChanges { id, seconds, mut renames, mut deletions, additions } = changes;
        renames.sort_unstable();
        deletions.sort_unstable();
        let additions: BTreeSet<RelPath> = additions.into_iter().collect();

        let guessed =
            most_common_targets(&count_targets(renames.iter().map(|(from, to)| (from.as_bytes(), to.as_bytes()))));
        let (lost, deletions) = match_deletions(deletions, &guessed, additions);
        let mut moves: Vec<Move> = Vec::with_capacity(renames.len() + lost.len());
        moves.extend(renames.into_iter().map(|(from, to)| Move { from, to, by: MoveEvidence::File }));
        moves.extend(lost.into_iter().map(|(from, to)| Move { from, to, by: MoveEvidence::Directory }));
        moves.sort_unstable();

        let directories = directory_moves(&moves, &deletions, stayed);
        Self { id, seconds, moves, deletions, directories }
    }
}

/// For each directory that files left: the number of files per target directory, files in subdirectories included.
fn count_targets<'a>(
    moves: impl Iterator<Item = (&'a [u8], &'a [u8])>,
) -> BTreeMap<&'a [u8], BTreeMap<&'a [u8], usize>> {
    let mut votes: BTreeMap<&[u8], BTreeMap<&[u8], usize>> = BTreeMap::new();
    for (mut from, mut to) in moves {
        while let (Some((above_from, name_from)), Some((above_to, name_to))) = (split_last(from), split_last(to)) {
            if name_from != name_to || above_from == above_to {
                break;
            }
            *votes.entry(above_from).or_default().entry(above_to).or_default() += 1;
            (from, to) = (above_from, above_to);
        }
    }
    votes
}

/// The target of most files of each directory; no entry if two targets have as many.
fn most_common_targets<'a>(votes: &BTreeMap<&'a [u8], BTreeMap<&'a [u8], usize>>) -> DirectoryTargets<'a> {
    let most_common = |targets: &BTreeMap<&'a [u8], usize>| {
        let most = targets.values().max().copied()?;
        let mut best = targets.iter().filter(|&(_, &count)| count == most);
        let (target, _) = best.next()?;
        best.next().is_none().then_some((*target, most))
    };
    votes.iter().filter_map(|(from, targets)| Some((*from, most_common(targets)?))).collect()
}

/// The one directory to which all moved files of a directory went, and their number; `None` if they went to several.
fn common_targets(moves: &[Move]) -> BTreeMap<&[u8], Option<(&[u8], usize)>> {
    let mut targets: BTreeMap<&[u8], Option<(&[u8], usize)>> = BTreeMap::new();
    for it in moves {
        let (Some((from, _)), Some((to, _))) = (split_last(it.from.as_bytes()), split_last(it.to.as_bytes())) else {
            continue;
        };
        let known = targets.entry(from).or_insert(Some((to, 0)));
        *known = known.filter(|(target, _)| *target == to && to != from).map(|(target, count)| (target, count + 1));
    }
    targets
}

/// Pairs deletions with additions at the path to which the directory moved; returns the pairs and the other deletions.
fn match_deletions(
    deletions: Vec<RelPath>,
    targets: &DirectoryTargets<'_>,
    mut additions: BTreeSet<RelPath>,
) -> (Vec<(RelPath, RelPath)>, Vec<RelPath>) {
    let mut lost = Vec::new();
    let mut deleted = Vec::new();
    for path in deletions {
        let to = ancestors(path.as_bytes()).find_map(|directory| {
            let (target, _) = targets.get(directory)?;
            additions.take(&replace_directory(path.as_bytes(), directory, target))
        });
        match to {
            Some(to) => lost.push((path, to)),
            None => deleted.push(path),
        }
    }
    (lost, deleted)
}

/// The directory moves that follow from these moves and deletions.
fn directory_moves(
    moves: &[Move],
    deletions: &[RelPath],
    mut stayed: impl FnMut(&RelPath) -> bool,
) -> Vec<DirectoryMove> {
    let votes = count_targets(moves.iter().map(|it| (it.from.as_bytes(), it.to.as_bytes())));
    let targets = most_common_targets(&votes);
    // Number of files that each directory lost, moved or deleted.
    let mut lost: BTreeMap<&[u8], usize> = BTreeMap::new();
    for path in moves.iter().map(|it| &it.from).chain(deletions) {
        ancestors(path.as_bytes()).for_each(|directory| *lost.entry(directory).or_default() += 1);
    }
    let mut deleted: BTreeMap<&[u8], usize> = BTreeMap::new();
    for path in deletions {
        ancestors(path.as_bytes()).for_each(|directory| *deleted.entry(directory).or_default() += 1);
    }

    let gathered = common_targets(moves);

    let mut found = Vec::new();
    let mut emptied: BTreeSet<&[u8]> = BTreeSet::new();
    // Sorted: a directory comes before its contents, and directories in an emptied one are empty too.
    for (&directory, &total) in &lost {
        let target = targets.get(directory).filter(|&&(_, count)| count * 2 > total);
        let mostly_deleted = deleted.get(directory).is_some_and(|count| count * 2 > total);
        let gathered =
            gathered.get(directory).copied().flatten().filter(|&(_, count)| count == total && count >= MIN_FILES);
        if target.is_none() && gathered.is_none() && !mostly_deleted {
            continue;
        }
        let inside = ancestors(directory).any(|outer| emptied.contains(outer));
        // A root that lost all its files is still the root.
        let whole = inside || (!directory.is_empty() && !stayed(&RelPath::new(directory)));
        if whole {
            emptied.insert(directory);
        }
        let to = match target {
            Some(&(target, count)) if count >= MIN_FILES || (whole && count == total) => Some(RelPath::new(target)),
            None if whole => gathered.map(|(target, _)| RelPath::new(target)),
            _ => continue,
        };
        found.push(DirectoryMove { from: RelPath::new(directory), to, whole });
    }
    found
}

/// Replaces `directory`, which is `path` or contains it, by `target`.
pub(super) fn replace_directory(path: &[u8], directory: &[u8], target: &[u8]) -> RelPath {
    let rest = strip_directory(path, directory).unwrap_or_default();
    RelPath::new(match (target.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_vec(),
        (_, true) => target.to_vec(),
        _ => [target, rest].join(&b'/'),
    })
}

/// The rest of `path` below `directory`; `None` if it lies elsewhere.
fn strip_directory<'a>(path: &'a [u8], directory: &[u8]) -> Option<&'a [u8]> {
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix(b"/")
}

/// The directories that contain `path`, the nearest first, the root last.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(split_last(path), |&(directory, _)| split_last(directory)).map(|(directory, _)| directory)
}

/// (directory, name) of a path; `None` for the root.
pub(super) fn split_last(path: &[u8]) -> Option<(&[u8], &[u8])> {
    (!path.is_empty()).then(|| split(path))
}
