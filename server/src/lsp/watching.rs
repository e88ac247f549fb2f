//! Who tells what happens on disk: the client, or the system where the client does not tell all of it.

use std::sync::Arc;

use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration, RegistrationParams,
};

use super::desk::Desk;
use crate::workspace::ChangeSource;

/// Has somebody tell, before roots are opened.
pub(super) fn follow(desk: &Desk) {
    desk.workspace.follow(if desk.editor.can().watches_all { ChangeSource::Client } else { ChangeSource::System });
}

/// Asks the client to watch all files.
pub(super) async fn register(desk: &Arc<Desk>) {
    let watcher = FileSystemWatcher { glob_pattern: GlobPattern::String("**/*".to_owned()), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![watcher] };
    let registration = Registration {
        id: "pathfinder/files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    desk.editor.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }).await;
    // What happened before that it does not tell.
    if desk.editor.can().watches_all {
        let desk = Arc::clone(desk);
        tokio::task::spawn_blocking(move || desk.workspace.look_again());
    }
}
