//! Applies changes on disk to the diagnostics of the roots, and reports paths that the client says have changed.
//!
//! Reporting a change twice is harmless: the workspace compares each path with the disk.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use pathfinder_core::RelPath;
use pathfinder_core::index::Change;

use super::publish_event::PublishEvent;
use super::server_snapshot::ServerSnapshot;
use super::{rename_edits, roots};
use pathfinder_check::root_diagnostics::{AffectedFiles, RootDiagnostics, relative};
use pathfinder_project::settings::PROJECT_FILE;
use pathfinder_project::workspace::ChangeBatch;
use pathfinder_vfs::paths;

/// Applies the batches that the workspace sends, until the workspace is closed. `lsp::run` starts it in its own thread.
pub(super) fn apply_batches(snapshot: &ServerSnapshot, batches: &Receiver<ChangeBatch>) {
    while let Ok(batch) = batches.recv() {
        let state = &snapshot.refreshed();
        if let Some(AppliedChange { diagnostics, affected, moves }) = apply_batch(state, &batch) {
            let files = state.latest().root_diagnostics.iter().map(|diagnostics| diagnostics.file_count()).sum();
            state.update_status(move |status| status.files = files);
            roots::recheck_affected(state, &diagnostics, affected);
            rename_edits::offer_edits(&state.latest(), &diagnostics, &moves);
        }
    }
}

/// Reports changed paths, as the client names them, to the workspace. Reads the disk, so async threads must not call it.
pub(super) fn report(state: &ServerSnapshot, paths: impl IntoIterator<Item = PathBuf>) {
    let locate = |path: PathBuf| state.locate(&path).map(|(diagnostics, file)| diagnostics.root().join(file));
    state.workspace.report_changes(paths.into_iter().filter_map(locate).collect());
}

/// The effect of a batch on one root.
struct AppliedChange {
    diagnostics: Arc<RootDiagnostics>,
    affected: AffectedFiles,
    moves: Vec<rename_edits::DetectedMove>,
}

/// Moves the diagnostics of a root to the snapshot after a batch; `None` if nothing has to be checked again.
fn apply_batch(state: &ServerSnapshot, batch: &ChangeBatch) -> Option<AppliedChange> {
    let _guard = state.update_lock();
    let state = &*state.latest();
    let root = &batch.root;
    let diagnostics = state.root_diagnostics.iter().find(|diagnostics| diagnostics.root() == *root)?;
    if !paths::is_directory(root) {
        for file in diagnostics.forget_all() {
            state.send(PublishEvent::FileChanged { root: root.clone(), file });
        }
        return None;
    }
    // New project settings have the tree read again; `roots::watch_workspace` then loads it.
    let mut paths = batch.changes.iter().map(Change::path).chain(&batch.written);
    if paths.any(|path| path.as_bytes() == PROJECT_FILE.as_bytes()) {
        return None;
    }
    let unlisted = diagnostics.looked_up(&batch.unlisted);
    let single = if batch.changes.is_empty() && !batch.has_new_rules {
        diagnostics.snapshot()
    } else {
        // The current snapshot may contain later batches too. Applying those again changes nothing.
        let workspace = state.workspace.current().ok()?;
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == *root)?;
        Arc::new(workspace.single_root(at).ok()?)
    };
    let tree = &single.engine().roots()[0].snapshot;
    let is_gone = |path: &RelPath| tree.get(path.as_bytes()).is_none();
    let checker = diagnostics.checker();
    let written = batch.written.iter().filter(|file| !is_gone(file)).map(|file| file.text().into_owned());
    let written: Vec<String> = written.filter(|file| !checker.ignores(file)).collect();
    if batch.changes.is_empty() && unlisted.is_empty() && written.is_empty() && !batch.has_new_rules {
        return None;
    }
    let moves = rename_edits::detect_moves(state, diagnostics, &batch.changes);
    let below = batch.removed_below.iter().cloned().map(Change::Removed);
    let changes: Vec<Change> = batch.changes.iter().cloned().chain(below).collect();
    let gone: BTreeSet<Cow<'_, str>> =
        changes.iter().map(Change::path).filter(|path| is_gone(path)).map(RelPath::text).collect();
    let changes: Vec<Change> = changes.iter().cloned().chain(unlisted).collect();
    let mut affected = diagnostics.change(&single, &changes, &written);
    if batch.has_new_rules {
        // Newly ignored files lose their findings.
        diagnostics.set_snapshot(&single);
        for file in diagnostics.forget_unlisted() {
            state.send(PublishEvent::FileChanged { root: root.clone(), file });
        }
        affected = AffectedFiles::All;
    }
    // A deleted directory stands for all files below it.
    let highest = gone.iter().filter(|path| path.rsplit_once('/').is_none_or(|(above, _)| !gone.contains(above)));
    for path in highest {
        state.send(PublishEvent::Deleted { root: root.clone(), path: path.clone().into_owned() });
    }
    Some(AppliedChange { diagnostics: Arc::clone(diagnostics), affected, moves })
}

/// Returns the root and the relative path of a URI from the client.
pub(super) fn locate_uri(state: &ServerSnapshot, uri: &str) -> Option<(Arc<RootDiagnostics>, String)> {
    let path = super::uri::to_path(uri)?;
    state
        .root_diagnostics
        .iter()
        .find_map(|diagnostics| Some((Arc::clone(diagnostics), relative(&diagnostics.root(), &path)?)))
        .or_else(|| state.locate(&path))
}
