//! Opens the roots that the client names, and checks their files in the background as trees and history become known.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::MutexGuard;
use tower_lsp_server::ls_types::{InitializeParams, MessageType, WorkspaceFolder};

use super::editor::ServerPhase;
use super::progress::Progress;
use super::publish_event::{DirtyReason, PublishEvent};
use super::server_snapshot::{RootList, ServerSnapshot, StateData};
use super::uri;
use pathfinder_check::Options;
use pathfinder_check::root_diagnostics::{AffectedFiles, RootDiagnostics};
use pathfinder_vfs::memory;
use pathfinder_vfs::paths;
use pathfinder_vfs::roots::worktree_around;

/// Returns the directories that `initialize` names. `rootUri` and `rootPath` count only without workspace folders.
pub(super) fn client_roots(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        return folder_paths(folders);
    }
    #[expect(deprecated, reason = "some clients know no folders yet")]
    let (root, path) = (&params.root_uri, &params.root_path);
    let root = root.as_ref().and_then(|root| uri::to_path(root.as_str())).or_else(|| path.as_ref().map(PathBuf::from));
    root.into_iter().filter(|root| paths::is_directory(root)).collect()
}

/// Returns the folders that are readable directories.
pub(super) fn folder_paths(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let folders = folders.iter().filter_map(|folder| uri::to_path(folder.uri.as_str()));
    folders.filter(|path| paths::is_readable_directory(path)).collect()
}

/// Returns the root for a file if the client named none: its git worktree, or its directory.
pub(super) fn root_of_file(file: &std::path::Path) -> Option<PathBuf> {
    let directory = paths::real(file.parent()?).ok()?;
    Some(worktree_around(&directory).unwrap_or(directory))
}

/// Opens roots; [`watch_workspace`] checks them once they are read.
pub(super) fn open_roots(state: &StateData, roots: Vec<PathBuf>) {
    if !state.workspace.is_open() {
        state.update_status(|status| status.state = ServerPhase::Indexing);
    }
    state.workspace.open_from_client(roots);
}

/// Loads new trees and history from the workspace until it is closed. `lsp::run` starts it in its own thread.
pub(super) fn watch_workspace(snapshot: &ServerSnapshot) {
    let (mut version, mut tree_version) = (0, 0);
    // Errors in the settings of the roots that were already shown.
    let mut shown_errors = Vec::new();
    while let Some(update) = snapshot.workspace.wait_for_update(version) {
        version = update.version;
        let state = &snapshot.refreshed();
        match update.workspace {
            Ok(_) if update.tree_version == tree_version => apply_history(state),
            Ok(_) => {
                tree_version = update.tree_version;
                load_roots(state, &mut shown_errors);
            }
            Err(error) => {
                drop_roots(state, &state.update_lock());
                let message = error.to_string();
                state.editor.show(MessageType::ERROR, format!("pathfinder: {message}"));
                state.update_status(move |status| {
                    status.state = ServerPhase::Failed;
                    status.message = Some(message);
                });
            }
        }
    }
}

/// Makes diagnostics for the current roots, and checks all files. Roots that stay keep their results.
fn load_roots(state: &ServerSnapshot, shown_errors: &mut Vec<String>) {
    let guard = state.update_lock();
    // The current snapshot contains the changes since the read too.
    let Ok(workspace) = state.workspace.current() else { return };
    let before = Arc::clone(&state.latest().root_diagnostics);
    let mut all_diagnostics = Vec::with_capacity(workspace.opened().len());
    let (mut errors, mut gone) = (Vec::new(), Vec::new());
    for at in 0..workspace.opened().len() {
        let Ok(single) = workspace.single_root(at).map(Arc::new) else { continue };
        let root = single.opened()[0].root.canonical.clone();
        let preferences = state.preferences_of(&root);
        let options = Options::load(&root, preferences.has_hints).unwrap_or_else(|error| {
            errors.push(error.to_string());
            Options::default()
        });
        // Wrong values were reported when they were read.
        let options = options.with_editor(&preferences.ignore, &preferences.severity).unwrap_or_default();
        let diagnostics = Arc::new(RootDiagnostics::new(&single, Arc::new(options)));
        if let Some(known) = before.iter().find(|known| known.root() == root) {
            diagnostics.adopt(known);
            gone.extend(
                diagnostics
                    .forget_unlisted()
                    .into_iter()
                    .map(|file| PublishEvent::FileChanged { root: root.clone(), file }),
            );
        }
        all_diagnostics.push(diagnostics);
    }
    // Shows each error once, however often the tree is read.
    for message in errors.iter().filter(|message| !shown_errors.contains(message)) {
        state.editor.show(MessageType::WARNING, format!("pathfinder: {message}"));
    }
    *shown_errors = errors;
    let files = all_diagnostics.iter().map(|diagnostics| diagnostics.file_count()).sum();
    for old in before.iter().filter(|old| all_diagnostics.iter().all(|new| new.root() != old.root())) {
        gone.extend(files_with_findings(old));
    }
    replace_roots(state, &guard, all_diagnostics.clone().into(), gone);
    drop(guard);
    if before.iter().map(|old| old.root()).ne(all_diagnostics.iter().map(|new| new.root())) {
        let roots: Vec<_> = all_diagnostics.iter().map(|diagnostics| diagnostics.root()).collect();
        tracing::info!(?roots, files, "opened the roots");
    }
    state.update_status(move |status| {
        status.state = ServerPhase::Checking;
        status.files = files;
        status.message = None;
    });
    state.updates.send(|state| state.mark_all_dirty());
    if let Some(reason) = state.workspace.watch_refusal() {
        state.editor.log(MessageType::WARNING, format!("pathfinder: not all files are watched: {reason}"));
    }
    for diagnostics in &all_diagnostics {
        check_all(state, diagnostics);
        if state.is_ending() {
            return;
        }
    }
    set_ready(state);
    // Checking all files needs more memory than their findings: 2 to 4 MB stay with the threads in trees of 5,000 files.
    memory::trim_heap();
}

/// Replaces the diagnostics of all roots, and then sends events. Returns when the latest state has the new diagnostics. The
/// caller holds the update lock.
fn replace_roots(state: &StateData, _: &MutexGuard<'_, ()>, new: RootList, events: Vec<PublishEvent>) {
    state.updates.send(move |state| state.set_root_diagnostics(new));
    state.updates.wait();
    for event in events {
        state.send(event);
    }
}

/// Publishes the diagnostics of all files that are not open again.
pub(super) fn republish_all(state: &StateData) {
    state
        .root_diagnostics
        .iter()
        .flat_map(|diagnostics| files_with_findings(diagnostics))
        .for_each(|it| state.send(it));
}

/// Returns the events that publish the diagnostics of one root's files again. They clear those of a root that is no longer
/// open.
fn files_with_findings(diagnostics: &RootDiagnostics) -> Vec<PublishEvent> {
    let root = diagnostics.root();
    let files = diagnostics.findings().into_keys();
    files.map(|file| PublishEvent::FileChanged { root: root.clone(), file }).collect()
}

/// Closes all roots and clears their diagnostics. Under the update lock, or a thread that holds it at this moment would
/// bring the roots back.
fn drop_roots(state: &ServerSnapshot, guard: &MutexGuard<'_, ()>) {
    let before = Arc::clone(&state.latest().root_diagnostics);
    let gone = before.iter().flat_map(|diagnostics| files_with_findings(diagnostics)).collect();
    replace_roots(state, guard, RootList::default(), gone);
    state.updates.send(|state| {
        state.modify(|data| data.has_checked_all = true);
        state.mark_all_dirty();
        state.change_status(|status| (status.files, status.broken) = (0, 0));
    });
}

/// Closes all roots because the client has none, unless it has opened others meanwhile. Async threads must not call it.
pub(super) fn close_all(state: &ServerSnapshot) {
    let guard = state.update_lock();
    if state.workspace.is_open() {
        return;
    }
    drop_roots(state, &guard);
    state.update_status(|status| {
        status.state = ServerPhase::Ready;
        status.message = None;
    });
}

/// Moves the diagnostics to a snapshot with more history, which says where missing paths went. Only files with missing
/// paths are checked again.
fn apply_history(state: &ServerSnapshot) {
    let guard = state.update_lock();
    let Ok(workspace) = state.workspace.current() else { return };
    let all_diagnostics = Arc::clone(&state.latest().root_diagnostics);
    for diagnostics in all_diagnostics.iter() {
        let root = diagnostics.root();
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == root);
        if let Some(single) = at.and_then(|at| workspace.single_root(at).ok()) {
            diagnostics.set_snapshot(&Arc::new(single));
        }
    }
    drop(guard);
    state.update_status(|status| status.state = ServerPhase::Checking);
    for diagnostics in all_diagnostics.iter() {
        recheck(state, diagnostics, &diagnostics.files_with_missing());
    }
    state.updates.send(|state| state.mark_all_dirty());
    set_ready(state);
    memory::trim_heap();
}

/// Sets the status to ready, unless the roots have failed: a check of earlier roots may end after that.
fn set_ready(state: &ServerSnapshot) {
    state.updates.send(move |state| {
        state.modify(|data| data.has_checked_all = true);
        let broken = state.count_broken();
        state.change_status(|status| {
            if status.state != ServerPhase::Failed {
                status.state = ServerPhase::Ready;
            }
            status.broken = broken;
        });
    });
}

/// Checks all files of a root.
fn check_all(state: &StateData, diagnostics: &Arc<RootDiagnostics>) {
    let files = diagnostics.files();
    let progress = Progress::begin(state, "pathfinder: checking paths", files.len());
    let done = AtomicUsize::new(0);
    let root = diagnostics.root();
    diagnostics.check(&files, &state.stop, &|file, changed| {
        progress.report(done.fetch_add(1, Ordering::Relaxed) + 1);
        if changed {
            state.send(PublishEvent::FileChanged { root: root.clone(), file: file.to_owned() });
        }
    });
    progress.end();
}

/// Checks files on disk and publishes the results, changed or not. Repeats it if other diagnostics have replaced these
/// meanwhile.
pub(super) fn recheck(state: &ServerSnapshot, diagnostics: &Arc<RootDiagnostics>, files: &[String]) {
    let root = diagnostics.root();
    diagnostics.check(files, &state.stop, &|file, _| {
        state.send(PublishEvent::FileChanged { root: root.clone(), file: file.to_owned() });
    });
    match state
        .latest()
        .root_diagnostics
        .iter()
        .find(|current| current.root() == root && !Arc::ptr_eq(current, diagnostics))
    {
        Some(current) => recheck(state, current, files),
        None => set_ready(state),
    }
}

/// Checks again what a change affects.
pub(super) fn recheck_affected(state: &ServerSnapshot, diagnostics: &Arc<RootDiagnostics>, affected: AffectedFiles) {
    match affected {
        AffectedFiles::Listed(files) => {
            // Open documents are analyzed with the editor's text.
            let root = diagnostics.root();
            for file in &files {
                if let Some((uri, _)) = state.latest().documents.find_by_path(&root.join(file)) {
                    state.mark_dirty(&uri, DirtyReason::Dependency);
                }
            }
            recheck(state, diagnostics, &files);
        }
        AffectedFiles::All => {
            state.updates.send(|state| state.mark_all_dirty());
            check_all(state, diagnostics);
            set_ready(state);
        }
    }
}
