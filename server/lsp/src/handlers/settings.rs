//! Client settings: pulled with `workspace/configuration` where the client supports it, else taken from its notifications.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{DidChangeConfigurationParams, MessageType, Registration, RegistrationParams};

use super::super::preferences::Preferences;
use super::super::server_snapshot::StateData;
use super::super::server_state::ServerState;
use super::super::{roots, uri};

/// Handles `workspace/didChangeConfiguration`.
pub(crate) fn did_change_configuration(state: &mut ServerState, params: DidChangeConfigurationParams) {
    // The notification of a client that supports pulling is often empty.
    if state.editor.capabilities().has_configuration {
        let state = state.snapshot();
        // In a task, since the main loop must not wait.
        tokio::spawn(async move { pull(&state).await });
    } else {
        let settings = params.settings;
        apply(state, &settings, Vec::new());
    }
}

/// Registers for changes of the settings, if the client wants a registration.
pub(crate) async fn register(state: &StateData) {
    if state.editor.capabilities().has_configuration_events {
        let registration = Registration {
            id: "pathfinder/settings".to_owned(),
            method: "workspace/didChangeConfiguration".to_owned(),
            register_options: Some(serde_json::json!({"section": "pathfinder"})),
        };
        state.editor.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }).await;
    }
}

/// Pulls the settings; with several roots, also those of each root.
pub(crate) async fn pull(state: &StateData) {
    let roots = Some(state.workspace.roots()).filter(|roots| roots.len() > 1).unwrap_or_default();
    let (uris, roots): (Vec<_>, Vec<_>) =
        roots.into_iter().filter_map(|root| Some((uri::from_path(&root)?, root))).unzip();
    if let Some((settings, scoped)) = state.editor.settings(uris).await {
        let scoped = roots.into_iter().zip(scoped).filter(|(_, settings)| !settings.is_null()).collect();
        state.updates.send(move |state| apply(state, &settings, scoped));
    }
}

/// Applies settings of the session and of roots. If they differ from before, reads the roots again and publishes all
/// diagnostics again.
fn apply(state: &mut ServerState, settings: &Value, scoped: Vec<(PathBuf, Value)>) {
    let (preferences, overrides, mut errors) = Preferences::parse(settings, &state.flags);
    let mut root_preferences = BTreeMap::new();
    for (root, settings) in scoped {
        let (own, _, more) = Preferences::parse(&settings, &state.flags);
        errors.extend(more.into_iter().filter(|error| !errors.contains(error)).collect::<Vec<_>>());
        root_preferences.insert(root, own);
    }
    show_errors(state, errors);
    let has_overrides_changed = state.workspace.configure(overrides);
    let is_same = state.preferences == preferences && *state.root_preferences == root_preferences;
    if is_same && !has_overrides_changed {
        return;
    }
    state.modify(|data| (data.preferences, data.root_preferences) = (preferences, Arc::new(root_preferences)));
    let state = state.snapshot();
    // `roots::watch_workspace` loads the trees that this reads.
    tokio::task::spawn_blocking(move || {
        if state.workspace.is_open() {
            _ = state.workspace.reindex();
        }
        // The findings are the same; the preferences decide which of them are published.
        roots::republish_all(&state.latest());
    });
}

/// Shows errors in the settings to the user.
pub(crate) fn show_errors(state: &StateData, errors: Vec<String>) {
    for message in errors {
        state.editor.show(MessageType::WARNING, message);
    }
}
