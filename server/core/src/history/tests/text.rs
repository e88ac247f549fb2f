//! Reads commits from text and writes answers as text, for the tests.

use std::collections::BTreeSet;

use super::super::{CommitChanges, CommitMoves, MoveEvidence, PathHistory, Renames};
use crate::path::RelPath;

/// Reads commits, oldest first, one per line; returns them newest first, and the files that are left.
///
/// ```text
/// c1: add a/x.rs, add b/y.rs
/// c2: a/x.rs -> c/x.rs, del b/y.rs
/// ```
///
/// Files can be moved or deleted without being added before. The seconds are the line's number.
pub(super) fn commits(text: &str) -> (Vec<CommitMoves>, BTreeSet<String>) {
    let mut files = BTreeSet::new();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut commits: Vec<CommitMoves> =
        (1..).zip(lines).map(|(number, line)| commit(number, line, &mut files)).collect();
    commits.reverse();
    (commits, files)
}

fn commit(seconds: i64, line: &str, files: &mut BTreeSet<String>) -> CommitMoves {
    let (id, events) = line.split_once(": ").expect(line);
    let mut changes = CommitChanges { id: id.to_owned(), seconds, ..CommitChanges::default() };
    let before = files.clone();
    for event in events.split(", ") {
        if let Some((from, to)) = event.split_once(" -> ") {
            files.remove(from);
            changes.renames.push((from.into(), to.into()));
        } else if let Some(path) = event.strip_prefix("del ") {
            files.remove(path);
            changes.deletions.push(path.into());
        } else {
            let path = event.strip_prefix("add ").expect(event);
            files.insert(path.to_owned());
            changes.additions.push(path.into());
        }
    }
    files.extend(changes.renames.iter().map(|(_, to)| to.text().into_owned()));
    CommitMoves::new(changes, |directory| stayed(&before, files, directory))
}

/// Returns whether a file below `directory` is in both sets.
pub(super) fn stayed(before: &BTreeSet<String>, after: &BTreeSet<String>, directory: &RelPath) -> bool {
    let prefix = format!("{}/", directory.text());
    before.intersection(after).any(|path| path.starts_with(&prefix))
}

/// An answer as `to (commit)`, `deleted (commit)` or `-`; `~` marks answers from a directory's move.
pub(super) fn answer(renames: &Renames, files: &BTreeSet<String>, path: &str) -> String {
    let inside = |file: &String, path: &str| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    let there = |path: &RelPath| files.iter().any(|file| *file == path.text() || inside(file, &path.text()));
    let mark = |by| if by == MoveEvidence::Directory { "~" } else { "" };
    match renames.look_up(&path.into(), there) {
        None => "-".to_owned(),
        Some(PathHistory::Moved { to, commit, by, .. }) => format!("{}{} ({commit})", mark(by), to.text()),
        Some(PathHistory::Deleted { commit, by, .. }) => format!("{}deleted ({commit})", mark(by)),
    }
}
