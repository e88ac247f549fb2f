//! Text synchronization: documents that are opened, changed, saved and closed.
//!
//! A handler changes the text at once; other threads do the rest.

use serde::Deserialize as _;
use serde_json::Value;
use tower_lsp_server::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    MessageType, Uri,
};

use super::super::documents::{DocumentChangeError, Documents};
use super::super::publish_event::{DirtyReason, PublishEvent};
use super::super::server_state::ServerState;
use super::super::{file_events, roots, uri};

/// Handles `textDocument/didOpen`. Opens a root for the file if there is none.
pub(crate) fn did_open(state: &mut ServerState, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    let uri = document.uri.clone();
    state.modify_documents(|open| open.open(document.uri, document.version, document.text));
    state.send(PublishEvent::Opened { uri: uri.clone() });
    state.mark_dirty(&uri, DirtyReason::Opened);
    if let Some(path) = uri::to_path(uri.as_str()) {
        if !state.workspace.is_open()
            && state.cli_roots.is_none()
            && let Some(root) = roots::root_of_file(&path)
        {
            roots::open_roots(state, vec![root]);
        }
        record_use(state, path);
    }
}

/// Handles `textDocument/didChange`.
pub(crate) fn did_change(state: &mut ServerState, params: DidChangeTextDocumentParams) {
    let document = params.text_document;
    let changes = params.content_changes;
    let encoding = state.editor.encoding();
    let change = |open: &mut Documents| open.change(&document.uri, document.version, changes, encoding);
    let applied = state.modify_documents(change);
    match applied {
        Ok(()) => state.mark_dirty(&document.uri, DirtyReason::Edited),
        Err(error @ (DocumentChangeError::NotOpen | DocumentChangeError::OutOfSync)) => {
            tracing::warn!(uri = document.uri.as_str(), version = document.version, %error, "a change is not applied");
        }
        Err(error) => report_out_of_sync(state, &document.uri, &error.to_string()),
    }
}

/// Marks a document as out of sync after a change that cannot be applied.
fn mark_out_of_sync(state: &mut ServerState, uri: &str, reason: &str) {
    if let Ok(uri) = uri.parse::<Uri>()
        && state.modify_documents(|open| open.mark_out_of_sync(uri.as_str()))
    {
        report_out_of_sync(state, &uri, reason);
    }
}

/// A change that cannot be decoded.
pub(crate) struct LostChange {
    /// Its document; any, if that is unknown too.
    uri: Option<String>,
    reason: String,
}

/// Checks that the parameters of a change can be decoded.
///
/// # Errors
/// If they cannot.
pub(crate) fn check_change(params: &Value) -> Result<(), LostChange> {
    let Err(error) = DidChangeTextDocumentParams::deserialize(params) else { return Ok(()) };
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).map(str::to_owned);
    Err(LostChange { uri, reason: error.to_string() })
}

/// Marks the document of a change that cannot be decoded as out of sync.
pub(crate) fn mark_lost_change(state: &mut ServerState, lost: &LostChange) {
    match &lost.uri {
        Some(uri) => mark_out_of_sync(state, uri, &lost.reason),
        None => mark_all_out_of_sync(state, &lost.reason),
    }
}

/// Marks all documents as out of sync after an unreadable message that may have been a change of any of them.
pub(crate) fn mark_all_out_of_sync(state: &mut ServerState, reason: &str) {
    let uris = state.documents.uris();
    for uri in uris {
        mark_out_of_sync(state, uri.as_str(), reason);
    }
}

/// Clears the diagnostics of a document that is out of sync, and logs why.
fn report_out_of_sync(state: &ServerState, uri: &Uri, reason: &str) {
    let shown = uri.as_str();
    tracing::warn!(
        uri = shown,
        reason,
        "a change is not applied; the document is out of sync until its next full text"
    );
    let message = format!(
        "pathfinder: {shown}: a change could not be applied ({reason}). Reopen the document to have its paths checked again."
    );
    state.editor.log(MessageType::WARNING, message);
    // `Dependency` has no debounce.
    state.mark_dirty(uri, DirtyReason::Dependency);
}

/// Handles `textDocument/didSave`, whose text repairs a document that is out of sync.
pub(crate) fn did_save(state: &mut ServerState, params: DidSaveTextDocumentParams) {
    let saved = &params.text_document.uri;
    if let Some(text) = params.text
        && state.modify_documents(|open| open.resync(saved, text))
    {
        tracing::warn!(uri = saved.as_str(), "the saved text differs from the tracked one and replaces it");
        state.mark_dirty(saved, DirtyReason::Dependency);
    }
    let Some(path) = uri::to_path(params.text_document.uri.as_str()) else { return };
    record_use(state, path.clone());
    // The file watcher reports it too, but later, and not with every client.
    report_on_disk(state, vec![path]);
}

/// Handles `textDocument/didClose`.
pub(crate) fn did_close(state: &mut ServerState, params: DidCloseTextDocumentParams) {
    let uri = params.text_document.uri;
    let Some(open) = state.modify_documents(|open| open.close(&uri)) else { return };
    state.send(PublishEvent::Closed { uri: open.uri.clone() });
    let state = state.snapshot();
    // The file on disk counts from now on.
    tokio::task::spawn_blocking(move || {
        let here = open.path.as_deref().and_then(|path| state.locate(path));
        // The path at the last analysis: the present one may be unknown, with a deleted directory.
        let analyzed =
            open.analysis.as_ref().map(|analysis| (analysis.diagnostics.root(), analysis.document.path().to_owned()));
        let analyzed = analyzed.or_else(|| here.as_ref().map(|(diagnostics, file)| (diagnostics.root(), file.clone())));
        if let Some((root, file)) = analyzed {
            state.close_document(open.uri.as_str(), &root, &file);
        }
        if let Some((diagnostics, file)) = here {
            roots::recheck(&state, &diagnostics, &[file]);
        }
    });
}

/// Records that the user works on a file.
fn record_use(state: &ServerState, path: std::path::PathBuf) {
    let state = state.snapshot();
    tokio::task::spawn_blocking(move || state.record_use(&path));
}

/// Reports changed paths in a blocking thread.
fn report_on_disk(state: &ServerState, paths: Vec<std::path::PathBuf>) {
    let state = state.snapshot();
    tokio::task::spawn_blocking(move || file_events::report(&state, paths));
}
