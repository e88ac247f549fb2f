//! What has happened on disk is taken in. Told twice is no more than told once, as it is held against the disk.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use pathfinder_core::RelPath;
use pathfinder_core::index::Change;

use super::desk::Desk;
use super::work::Work;
use super::{moves, roots};
use crate::root_diagnostics::{Affected, RootDiagnostics, relative};
use crate::settings::PROJECT_FILE;
use crate::workspace::ChangeBatch;

/// Takes over what the workspace has taken in, until there is none any more. Runs in a thread of its own.
pub(super) fn listen(desk: &Arc<Desk>, happened: &Receiver<ChangeBatch>) {
    while let Ok(happened) = happened.recv() {
        if let Some(Changed { diagnostics, affected, moves }) = changed(desk, &happened) {
            let files = desk.surveys().iter().map(|diagnostics| diagnostics.count()).sum();
            desk.tell(|status| status.files = files);
            roots::affected(desk, &diagnostics, affected);
            moves::propose(desk, &diagnostics, &moves);
        }
    }
}

/// Takes in that something has happened at these paths, as a client names them. Not for threads that others wait for.
pub(super) fn happened(desk: &Arc<Desk>, paths: impl IntoIterator<Item = PathBuf>) {
    let place = |path: PathBuf| desk.place(&path).map(|(diagnostics, file)| diagnostics.root().join(file));
    desk.workspace.happened(paths.into_iter().filter_map(place).collect());
}

/// What has changed below a root.
struct Changed {
    diagnostics: Arc<RootDiagnostics>,
    affected: Affected,
    moves: Vec<moves::Seen>,
}

/// Moves a diagnostics on.
fn changed(desk: &Arc<Desk>, happened: &ChangeBatch) -> Option<Changed> {
    let _turn = desk.turn();
    let surveys = desk.surveys();
    let root = &happened.root;
    let diagnostics = surveys.iter().find(|diagnostics| diagnostics.root() == *root)?;
    if !root.is_dir() {
        for file in diagnostics.forget_all() {
            desk.give(Work::File { root: root.clone(), file });
        }
        return None;
    }
    // Its settings are read with the tree, which is taken over by who follows.
    let mut paths = happened.changes.iter().map(Change::path).chain(&happened.written);
    if paths.any(|path| path.as_bytes() == PROJECT_FILE.as_bytes()) {
        return None;
    }
    let alone = if happened.changes.is_empty() && !happened.rules {
        diagnostics.snapshot()
    } else {
        // What was taken in since is in it too: told again, it is nothing new.
        let workspace = desk.workspace.current().ok()?;
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == *root)?;
        Arc::new(workspace.alone(at).ok()?)
    };
    let tree = &alone.engine().roots()[0].snapshot;
    let is_gone = |path: &RelPath| tree.get(path.as_bytes()).is_none();
    let checker = diagnostics.checker();
    let written = happened.written.iter().filter(|file| !is_gone(file)).map(|file| file.text().into_owned());
    let written: Vec<String> = written.filter(|file| !checker.ignores(file)).collect();
    if happened.changes.is_empty() && written.is_empty() && !happened.rules {
        return None;
    }
    let moves = moves::among(desk, diagnostics, &happened.changes);
    let below = happened.below.iter().cloned().map(Change::Removed);
    let changes: Vec<Change> = happened.changes.iter().cloned().chain(below).collect();
    let gone: BTreeSet<Cow<'_, str>> =
        changes.iter().map(Change::path).filter(|path| is_gone(path)).map(RelPath::text).collect();
    let mut affected = diagnostics.change(&alone, &changes, &written);
    if happened.rules {
        // Of what is ignored nobody says that it is missing.
        diagnostics.renew(&alone);
        for file in diagnostics.forget_others() {
            desk.give(Work::File { root: root.clone(), file });
        }
        affected = Affected::All;
    }
    // What is gone has nothing wrong any more, nor has what was below it.
    let highest = gone.iter().filter(|path| path.rsplit_once('/').is_none_or(|(above, _)| !gone.contains(above)));
    for path in highest {
        desk.give(Work::Gone { root: root.clone(), path: path.clone().into_owned() });
    }
    Some(Changed { diagnostics: Arc::clone(diagnostics), affected, moves })
}

/// A path below a root that a client named.
pub(super) fn file_of(desk: &Desk, uri: &str) -> Option<(Arc<RootDiagnostics>, String)> {
    let path = super::uri::path(uri)?;
    desk.surveys()
        .iter()
        .find_map(|diagnostics| Some((Arc::clone(diagnostics), relative(&diagnostics.root(), &path)?)))
        .or_else(|| desk.place(&path))
}
