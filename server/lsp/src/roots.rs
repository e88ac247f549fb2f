//! Opens the roots that the client names, and checks their files in the background as trees and history become known.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use tower_lsp_server::ls_types::{InitializeParams, MessageType, WorkspaceFolder};

use super::editor::ServerPhase;
use super::progress::Progress;
use super::publisher::{DirtyReason, PublishEvent};
use super::server_state::ServerState;
use super::uri;
use pathfinder_check::Options;
use pathfinder_check::root_diagnostics::{AffectedFiles, RootDiagnostics};
use pathfinder_vfs::roots::worktree_around;

/// Returns the directories that `initialize` names. `rootUri` and `rootPath` count only without workspace folders.
pub(super) fn client_roots(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        return folder_paths(folders);
    }
    #[expect(deprecated, reason = "some clients know no folders yet")]
    let (root, path) = (&params.root_uri, &params.root_path);
    let root = root.as_ref().and_then(|root| uri::to_path(root.as_str())).or_else(|| path.as_ref().map(PathBuf::from));
    root.into_iter().filter(|root| root.is_dir()).collect()
}

/// Returns the folders that are readable directories.
pub(super) fn folder_paths(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let paths = folders.iter().filter_map(|folder| uri::to_path(folder.uri.as_str()));
    paths.filter(|path| path.read_dir().is_ok()).collect()
}

/// Returns the root for a file if the client named none: its git worktree, or its directory.
pub(super) fn root_of_file(file: &std::path::Path) -> Option<PathBuf> {
    let directory = dunce::canonicalize(file.parent()?).ok()?;
    Some(worktree_around(&directory).unwrap_or(directory))
}

/// Opens roots; [`watch_workspace`] checks them once they are read.
pub(super) fn open_roots(state: &ServerState, roots: Vec<PathBuf>) {
    if !state.workspace.is_open() {
        state.update_status(|status| status.state = ServerPhase::Indexing);
    }
    state.workspace.open_from_client(roots);
}

/// Loads new trees and history from the workspace until it is closed. `lsp::run` starts it in its own thread.
pub(super) fn watch_workspace(state: &Arc<ServerState>) {
    let (mut version, mut tree_version) = (0, 0);
    while let Some(update) = state.workspace.wait_for_update(version) {
        version = update.version;
        match update.workspace {
            Ok(_) if update.tree_version == tree_version => apply_history(state),
            Ok(_) => {
                tree_version = update.tree_version;
                load_roots(state);
            }
            Err(error) => {
                drop_roots(state);
                state.has_checked_all.send_replace(true);
                let message = error.to_string();
                state.editor.show(MessageType::ERROR, format!("pathfinder: {message}"));
                state.update_status(|status| {
                    status.state = ServerPhase::Failed;
                    status.message = Some(message);
                });
            }
        }
    }
}

/// Makes diagnostics for the current roots, and checks all files. Roots that stay keep their results.
fn load_roots(state: &Arc<ServerState>) {
    let guard = state.update_lock();
    // The current snapshot contains the changes since the read too.
    let Ok(workspace) = state.workspace.current() else { return };
    let before = state.root_diagnostics();
    let mut all_diagnostics = Vec::with_capacity(workspace.opened().len());
    let (mut errors, mut gone) = (Vec::new(), Vec::new());
    for at in 0..workspace.opened().len() {
        let Ok(single) = workspace.single_root(at).map(Arc::new) else { continue };
        let root = single.opened()[0].root.canonical.clone();
        let options = Options::load(&root, state.preferences().has_hints).unwrap_or_else(|error| {
            errors.push(error.to_string());
            Options::default()
        });
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
    let known =
        std::mem::replace(&mut *state.settings_errors.lock().unwrap_or_else(PoisonError::into_inner), errors.clone());
    for message in errors.into_iter().filter(|message| !known.contains(message)) {
        state.editor.show(MessageType::WARNING, format!("pathfinder: {message}"));
    }
    let files = all_diagnostics.iter().map(|diagnostics| diagnostics.file_count()).sum();
    state.set_root_diagnostics(all_diagnostics.clone());
    drop(guard);
    for event in gone {
        state.send(event);
    }
    for old in before.iter().filter(|old| all_diagnostics.iter().all(|new| new.root() != old.root())) {
        republish_root(state, old);
    }
    state.update_status(|status| {
        status.state = ServerPhase::Checking;
        status.files = files;
        status.message = None;
    });
    state.mark_all_dirty();
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
}

/// Publishes the diagnostics of all files that are not open again.
pub(super) fn republish_all(state: &ServerState) {
    state.root_diagnostics().iter().for_each(|diagnostics| republish_root(state, diagnostics));
}

/// Publishes the diagnostics of one root's files again; clears them if the root is no longer open.
fn republish_root(state: &ServerState, diagnostics: &RootDiagnostics) {
    for file in diagnostics.findings().into_keys() {
        state.send(PublishEvent::FileChanged { root: diagnostics.root(), file });
    }
}

/// Closes all roots and clears their diagnostics.
fn drop_roots(state: &ServerState) {
    // Under the lock, or an update at this moment would bring the roots back.
    let guard = state.update_lock();
    let before = state.root_diagnostics();
    state.set_root_diagnostics(Vec::new());
    drop(guard);
    before.iter().for_each(|gone| republish_root(state, gone));
    state.mark_all_dirty();
    state.update_status(|status| (status.files, status.broken) = (0, 0));
}

/// Closes all roots because the client has none.
pub(super) fn close_all(state: &ServerState) {
    drop_roots(state);
    state.has_checked_all.send_replace(true);
    state.update_status(|status| {
        status.state = ServerPhase::Ready;
        status.message = None;
    });
}

/// Moves the diagnostics to a snapshot with more history, which says where missing paths went. Only files with missing
/// paths are checked again.
fn apply_history(state: &Arc<ServerState>) {
    let guard = state.update_lock();
    let Ok(workspace) = state.workspace.current() else { return };
    let all_diagnostics = state.root_diagnostics();
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
    state.mark_all_dirty();
    set_ready(state);
}

/// Sets the status to ready, unless the roots have failed: a check of earlier roots may end after that.
fn set_ready(state: &ServerState) {
    let broken = count_broken(state);
    state.has_checked_all.send_replace(true);
    state.update_status(|status| {
        if status.state != ServerPhase::Failed {
            status.state = ServerPhase::Ready;
        }
        status.broken = broken;
    });
}

fn count_broken(state: &ServerState) -> usize {
    let all_diagnostics = state.root_diagnostics();
    all_diagnostics
        .iter()
        .flat_map(|diagnostics| diagnostics.findings().into_values())
        .map(|findings| findings.len())
        .sum()
}

/// Checks all files of a root.
fn check_all(state: &Arc<ServerState>, diagnostics: &Arc<RootDiagnostics>) {
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
pub(super) fn recheck(state: &Arc<ServerState>, diagnostics: &Arc<RootDiagnostics>, files: &[String]) {
    let root = diagnostics.root();
    diagnostics.check(files, &state.stop, &|file, _| {
        state.send(PublishEvent::FileChanged { root: root.clone(), file: file.to_owned() });
    });
    let all_diagnostics = state.root_diagnostics();
    match all_diagnostics.iter().find(|current| current.root() == root && !Arc::ptr_eq(current, diagnostics)) {
        Some(current) => recheck(state, current, files),
        None => set_ready(state),
    }
}

/// Checks again what a change affects.
pub(super) fn recheck_affected(state: &Arc<ServerState>, diagnostics: &Arc<RootDiagnostics>, affected: AffectedFiles) {
    match affected {
        AffectedFiles::Listed(files) => {
            // Open documents are analyzed with the editor's text.
            let root = diagnostics.root();
            for file in &files {
                if let Some((uri, _)) = state.documents().find_by_path(&root.join(file)) {
                    state.mark_dirty(&uri, DirtyReason::Dependency);
                }
            }
            recheck(state, diagnostics, &files);
        }
        AffectedFiles::All => {
            state.mark_all_dirty();
            check_all(state, diagnostics);
            set_ready(state);
        }
    }
}
