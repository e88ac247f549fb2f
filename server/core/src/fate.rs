//! What history says became of the path that was asked for.

use crate::history::{By, Fate, day, short_id};
use crate::index::Snapshot;
use crate::path::RelPath;
use crate::query::{Note, Reading};
use crate::root::Root;

/// Readings that history is asked about; the dearer ones have been changed too much to be a path of the past.
const LOOKED_AT: usize = 4;

/// History's answer.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// The root whose history it is.
    pub(crate) root: usize,
    /// Where it went; `None`: it was deleted.
    pub(crate) to: Option<RelPath>,
    /// Whether its own move is known, not only that of a directory around it.
    pub(crate) own: bool,
    /// In words, with commit and day.
    pub(crate) text: String,
}

/// Asks the history of each root about the likeliest readings. A move that ends at something that is there is told
/// before a deletion. A bare name that something still has is no path of the past: that may be meant.
pub(crate) fn tell(readings: &[Reading], roots: &[Root], snapshots: &[&Snapshot]) -> Option<(Told, Option<Reading>)> {
    let mut deleted = None;
    for reading in readings.iter().take(LOOKED_AT).filter(|reading| !reading.segments.is_empty() && !reading.outside) {
        let path = RelPath::from(reading.segments.join("/").as_str());
        for (at, root) in roots.iter().enumerate() {
            let bare = reading.segments.len() == 1 && snapshots[at].entries_named(path.as_bytes()) > 0;
            if bare || reading.root.is_some_and(|wanted| wanted != at) {
                continue;
            }
            let there = |path: &RelPath| snapshots[at].get(path.as_bytes()).is_some();
            match root.renames.fate(&path, there) {
                Some(Fate::Moved { to, commit, seconds, by }) if there(&to) => {
                    let text = format!("moved to {}{}", to.text(), by_commit(&commit, seconds));
                    let moved = moved_reading(reading, at, &to);
                    return Some((Told { root: at, to: Some(to), own: by == By::File, text }, Some(moved)));
                }
                // That a directory of this name was once deleted says little of a file that may never have been there.
                Some(Fate::Deleted { commit, seconds, by: By::File }) if deleted.is_none() => {
                    let text = format!("deleted in {} ({})", short_id(&commit), day(seconds));
                    deleted = Some((Told { root: at, to: None, own: true, text }, None));
                }
                _ => {}
            }
        }
    }
    deleted
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
