//! `workspace/didChangeWorkspaceFolders`: opens and closes roots.

use tower_lsp_server::ls_types::DidChangeWorkspaceFoldersParams;

use super::super::server_state::ServerState;
use super::super::{roots, uri};
use super::settings;

/// Adds and removes folders, unless the command line gave the roots.
pub(crate) fn did_change(state: &mut ServerState, params: DidChangeWorkspaceFoldersParams) {
    if state.cli_roots.is_some() {
        return;
    }
    let event = params.event;
    let removed: Vec<_> = event.removed.iter().filter_map(|folder| uri::to_path(folder.uri.as_str())).collect();
    let mut all = state.workspace.roots();
    all.retain(|root| !removed.contains(root));
    for added in roots::folder_paths(&event.added) {
        if !all.contains(&added) {
            all.push(added);
        }
    }
    if all.is_empty() {
        state.workspace.close_roots();
        let state = state.snapshot();
        tokio::task::spawn_blocking(move || roots::close_all(&state));
    } else {
        roots::open_roots(state, all);
        // Each folder can have settings of its own.
        if state.editor.capabilities().has_configuration {
            let state = state.snapshot();
            tokio::spawn(async move { settings::pull(&state).await });
        }
    }
}
