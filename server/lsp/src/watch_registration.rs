//! Chooses the source of change events, the client or the system's file watches, and registers for the client's.

use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration, RegistrationParams,
};

use super::server_snapshot::StateData;
use pathfinder_project::workspace::ChangeSource;

/// Sets the source before any root is opened: the system's watches unless the client reports every change.
pub(super) fn choose_source(state: &StateData) {
    state.workspace.watch(if state.editor.capabilities().is_watch_complete {
        ChangeSource::Client
    } else {
        ChangeSource::System
    });
}

/// Asks the client to watch all files.
pub(super) async fn register(state: &StateData) {
    let watcher = FileSystemWatcher { glob_pattern: GlobPattern::String("**/*".to_owned()), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![watcher] };
    let registration = Registration {
        id: "pathfinder/files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    state.editor.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }).await;
    // The client does not report what happened before the registration.
    if state.editor.capabilities().is_watch_complete {
        let workspace = state.workspace.clone();
        tokio::task::spawn_blocking(move || workspace.rescan());
    }
}
