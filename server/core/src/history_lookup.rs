//! What history says became of the path that was asked for.

use std::borrow::Cow;

use crate::existing::{ExistingSuffix, drops_directories, is_there};
use crate::history::{By, DirectoryRename, PathHistory, day, short_id};
use crate::index::Snapshot;
use crate::path::RelPath;
use crate::query::{Note, Reading};
use crate::quote::quote_unless_plain;
use crate::root::Root;

/// Readings that history is asked about; the dearer ones have been changed too much to be a path of the past.
const LOOKED_AT: usize = 4;

/// History's answer.
#[derive(Clone, Debug)]
pub(crate) struct HistoryMatch {
    /// The root whose history it is.
    pub(crate) root: usize,
    /// Where it went; `None`: it was deleted.
    pub(crate) to: Option<RelPath>,
    /// Whether its own move is known, not only that of a directory around it.
    pub(crate) own: bool,
    /// In words, with commit and day; `None` where it never moved, and only what surrounded it is left out.
    pub(crate) text: Option<String>,
}

impl HistoryMatch {
    /// What exists, less what surrounds it in the request: it is where it always was.
    pub(crate) fn existing(found: &ExistingSuffix) -> Self {
        Self { root: found.root, to: Some(found.path.clone()), own: true, text: None }
    }
}

/// Asks the history of each root about the likeliest readings. A move that ends at something that is there is told
/// before a deletion. A bare name that something still has is no path of the past: that may be meant. Readings are asked about
/// in order, up to the first one that exists: what exists wins over history. Of a path of the project that was deleted other
/// readings are not asked about: they are other files.
pub(crate) fn find_in_history(
    readings: &[Reading],
    roots: &[Root],
    snapshots: &[&Snapshot],
) -> Option<(HistoryMatch, Option<Reading>)> {
    let whole = readings.iter().find(|reading| reading.foreign_prefix.is_some()).or(readings.first());
    let whole = whole.map_or(&[][..], |reading| &reading.segments);
    let mut deleted = None;
    for reading in readings.iter().take(LOOKED_AT).filter(|reading| !reading.segments.is_empty() && !reading.outside) {
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
            match root.renames.fate(&path, there) {
                Some(PathHistory::Moved { to, commit, seconds, by, directory }) if there(&to) => {
                    let own = by == By::File;
                    let text = move_text(&to, &commit, seconds, directory.filter(|_| !own));
                    let moved = moved_reading(reading, at, &to);
                    return Some((HistoryMatch { root: at, to: Some(to), own, text: Some(text) }, Some(moved)));
                }
                // That a directory of this name was once deleted says little of a file that may never have been there.
                Some(PathHistory::Deleted { commit, seconds, by: By::File }) if deleted.is_none() => {
                    let text = format!("deleted{}", by_commit(&commit, seconds));
                    deleted = Some((HistoryMatch { root: at, to: None, own: true, text: Some(text) }, None));
                    if !reading.foreign {
                        return deleted;
                    }
                }
                _ => {}
            }
        }
    }
    deleted
}

/// What is known of a move, in words: of the file's own one that git saw it, else what its directory became.
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

/// In which commit something happened; one without an id is what was seen on disk and is not committed.
fn by_commit(commit: &str, seconds: i64) -> String {
    if commit.is_empty() {
        return ", which is not committed yet".to_owned();
    }
    format!(" in {} ({})", short_id(commit), day(seconds))
}

fn moved_reading(reading: &Reading, root: usize, to: &RelPath) -> Reading {
    let mut notes = reading.notes.clone();
    notes.retain(|&note| note != Note::AsWritten);
    let segments = to.text().split('/').map(str::to_owned).collect();
    Reading { segments, notes, root: Some(root), directory: false, foreign: false, module: false, ..reading.clone() }
}
