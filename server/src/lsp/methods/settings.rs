//! Settings: asked for where the client lets itself be asked, else as it tells them.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{DidChangeConfigurationParams, MessageType, Registration, RegistrationParams};

use super::super::desk::Desk;
use super::super::preferences::Preferences;
use super::super::roots;

pub(in crate::lsp) fn did_change_configuration(desk: &Arc<Desk>, params: DidChangeConfigurationParams) {
    let desk = Arc::clone(desk);
    // A client that can be asked often tells nothing. Not here, where the next message waits.
    tokio::spawn(async move {
        if desk.editor.can().configuration {
            pull(&desk).await;
        } else {
            take(&desk, &params.settings);
        }
    });
}

/// Asks to be told when settings change, where that has to be asked for.
pub(in crate::lsp) async fn register(desk: &Desk) {
    if desk.editor.can().tells_settings {
        let registration = Registration {
            id: "pathfinder/settings".to_owned(),
            method: "workspace/didChangeConfiguration".to_owned(),
            register_options: Some(serde_json::json!({"section": "pathfinder"})),
        };
        desk.editor.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }).await;
    }
}

/// Asks for the settings.
pub(in crate::lsp) async fn pull(desk: &Arc<Desk>) {
    if let Some(settings) = desk.editor.settings().await {
        take(desk, &settings);
    }
}

fn take(desk: &Arc<Desk>, settings: &Value) {
    let (preferences, given, wrong) = Preferences::of(settings, &desk.flags);
    complain(desk, wrong);
    let before = desk.preferences();
    let others = desk.workspace.configure(given);
    if before == preferences && !others {
        return;
    }
    desk.set_preferences(preferences);
    let desk = Arc::clone(desk);
    // What is read then is taken over by who follows.
    tokio::task::spawn_blocking(move || {
        if desk.workspace.is_open() {
            _ = desk.workspace.reindex();
        }
        // What is wrong is the same as before; what is said of it may not be.
        roots::repeat(&desk);
    });
}

/// Says what is wrong with settings.
pub(in crate::lsp) fn complain(desk: &Desk, wrong: Vec<String>) {
    for message in wrong {
        desk.editor.show(MessageType::WARNING, message);
    }
}
