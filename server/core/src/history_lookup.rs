//! Looks a missing path up in git history; called by `Engine` before candidates are gathered.

use std::borrow::Cow;

use crate::existing::{ExistingSuffix, drops_directories, is_there};
use crate::history::{DirectoryRename, MoveEvidence, PathHistory, day, short_id};
use crate::index::Snapshot;
use crate::path::RelPath;
use crate::query::{Note, Reading};
use crate::quote::quote_unless_plain;
use crate::root::Root;

/// Readings that are looked up in history; dearer ones are changed too much to be a former path.
const MAX_READINGS_ASKED: usize = 4;

/// The target or deletion that history has for a request.
#[derive(Clone, Debug)]
pub(crate) struct HistoryMatch {
    /// The root whose history it is.
    pub(crate) root: usize,
    /// The target of the move; `None` if the path was deleted.
    pub(crate) to: Option<RelPath>,
    /// True if the file's own move is known, not only that of a directory around it.
    pub(crate) own: bool,
    /// Describes the move with commit and day; `None` if the path never moved and only its surroundings are stripped.
    pub(crate) text: Option<String>,
}

impl HistoryMatch {
    /// A match for an existing suffix of the request, which never moved.
    pub(crate) fn from_existing(found: &ExistingSuffix) -> Self {
        Self { root: found.root, to: Some(found.path.clone()), own: true, text: None }
    }
}

/// Looks the likeliest readings up in the history of each root, in order, up to the first one that exists.
///
/// A move that ends at an existing path comes before a deletion. A bare name that some entry still has is not looked up,
/// because that entry may be wanted. Once a path of the project is found deleted the search ends: later readings are other files.
pub(crate) fn find_in_history(
    readings: &[Reading],
    roots: &[Root],
    snapshots: &[&Snapshot],
) -> Option<(HistoryMatch, Option<Reading>)> {
    let whole = readings.iter().find(|reading| reading.foreign_prefix.is_some()).or(readings.first());
    let whole = whole.map_or(&[][..], |reading| &reading.segments);
    let mut deleted = None;
    for reading in
        readings.iter().take(MAX_READINGS_ASKED).filter(|reading| !reading.segments.is_empty() && !reading.outside)
    {
        if (0..roots.len()).any(|root| is_there(reading, root, snapshots)) {
            break;
        }
        let path = RelPath::from(reading.segments.join("/").as_str());
        for (at, root) in roots.iter().enumerate() {
            let bare = reading.segments.len() == 1 && snapshots[at].entries_named(path.as_bytes()) > 0;
            let elsewhere = reading.root.is_some_and(|wanted| wanted != at);
            if bare || elsewhere || drops_directories(reading, whole, snapshots[at]) {
                continue;
            }
            let there = |path: &RelPath| snapshots[at].get(path.as_bytes()).is_some();
            match root.renames.look_up(&path, there) {
                Some(PathHistory::Moved { to, commit, seconds, by, directory }) if there(&to) => {
                    let own = by == MoveEvidence::File;
                    let text = move_text(&to, &commit, seconds, directory.filter(|_| !own));
                    let moved = to_moved_reading(reading, at, &to);
                    return Some((HistoryMatch { root: at, to: Some(to), own, text: Some(text) }, Some(moved)));
                }
                // The deletion of a directory says little about a file that may never have been in it.
                Some(PathHistory::Deleted { commit, seconds, by: MoveEvidence::File }) if deleted.is_none() => {
                    let text = format!("deleted{}", by_commit(&commit, seconds));
                    deleted = Some((HistoryMatch { root: at, to: None, own: true, text: Some(text) }, None));
                    if !reading.is_foreign {
                        return deleted;
                    }
                }
                _ => {}
            }
        }
    }
    deleted
}

/// Describes a move: the file's own one if git found it, else that of its directory.
fn move_text(to: &RelPath, commit: &str, seconds: i64, directory: Option<DirectoryRename>) -> String {
    let own = format!("moved to {}{}", quote_unless_plain(&to.text()), by_commit(commit, seconds));
    let Some(DirectoryRename { from, to, whole, commit: its_commit, seconds }) = directory else { return own };
    let name = |path: &RelPath| match quote_unless_plain(&path.text()) {
        Cow::Borrowed("") => "the root".to_owned(),
        Cow::Borrowed(text) => format!("`{text}/`"),
        Cow::Owned(quoted) => quoted,
    };
    let became = if whole { "became" } else { "partly moved to" };
    let text = format!("{} {became} {}{}", name(&from), name(&to), by_commit(&its_commit, seconds));
    if its_commit == commit { text } else { format!("{text}; then {own}") }
}

/// Describes a commit. Moves seen on disk have no id yet, because they are not committed.
fn by_commit(commit: &str, seconds: i64) -> String {
    if commit.is_empty() {
        return ", which is not committed yet".to_owned();
    }
    format!(" in {} ({})", short_id(commit), day(seconds))
}

fn to_moved_reading(reading: &Reading, root: usize, to: &RelPath) -> Reading {
    let mut notes = reading.notes.clone();
    notes.retain(|&note| note != Note::AsWritten);
    let segments = to.text().split('/').map(str::to_owned).collect();
    Reading {
        segments,
        notes,
        root: Some(root),
        is_directory: false,
        is_foreign: false,
        is_module: false,
        ..reading.clone()
    }
}
