//! Who tells what happens on disk: the client, or the system where the client does not tell all of it.

use std::sync::Arc;

use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration, RegistrationParams,
};

use super::server_state::ServerState;
use crate::workspace::ChangeSource;

/// Has somebody tell, before roots are opened.
pub(super) fn choose_source(state: &ServerState) {
    state.workspace.watch(if state.editor.capabilities().is_watch_complete {
        ChangeSource::Client
    } else {
        ChangeSource::System
    });
}

/// Asks the client to watch all files.
pub(super) async fn register(state: &Arc<ServerState>) {
    let watcher = FileSystemWatcher { glob_pattern: GlobPattern::String("**/*".to_owned()), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![watcher] };
    let registration = Registration {
        id: "pathfinder/files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    state.editor.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }).await;
    // What happened before that it does not tell.
    if state.editor.capabilities().is_watch_complete {
        let state = Arc::clone(state);
        tokio::task::spawn_blocking(move || state.workspace.rescan());
    }
}
