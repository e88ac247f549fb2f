//! Texts that are opened, edited, saved and closed. What changes a text happens at once; the rest is done by others.

use std::str::FromStr as _;
use std::sync::Arc;

use tower_lsp_server::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    MessageType, Uri,
};

use super::super::desk::Desk;
use super::super::documents::ChangeError;
use super::super::work::{Why, Work};
use super::super::{disk, roots, uri};

pub(in crate::lsp) fn did_open(desk: &Arc<Desk>, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    let uri = document.uri.clone();
    desk.documents().open(document.uri, document.version, document.text);
    desk.give(Work::Opened { uri: uri.clone() });
    desk.touch(&uri, Why::Opened);
    if let Some(path) = uri::path(uri.as_str()) {
        if !desk.workspace.is_open()
            && desk.fixed.is_none()
            && let Some(root) = roots::around(&path)
        {
            roots::offer(desk, vec![root]);
        }
        notice(desk, path);
    }
}

pub(in crate::lsp) fn did_change(desk: &Arc<Desk>, params: DidChangeTextDocumentParams) {
    let document = params.text_document;
    let changes = params.content_changes;
    let encoding = desk.editor.encoding();
    let applied = desk.documents().change(&document.uri, document.version, changes, encoding);
    match applied {
        Ok(()) => desk.touch(&document.uri, Why::Edited),
        Err(error @ (ChangeError::NotOpen | ChangeError::Unknown)) => {
            tracing::warn!(uri = document.uri.as_str(), version = document.version, %error, "a change is not applied");
        }
        Err(error) => say_unknown(desk, &document.uri, &error.to_string()),
    }
}

/// A change of this document could not be understood: it is unknown until its next full text.
pub(in crate::lsp) fn lose(desk: &Arc<Desk>, uri: &str, reason: &str) {
    if let Ok(uri) = Uri::from_str(uri)
        && desk.documents().lose(uri.as_str())
    {
        say_unknown(desk, &uri, reason);
    }
}

/// A message could not be understood that may have been a change of any document.
pub(in crate::lsp) fn lose_all(desk: &Arc<Desk>, reason: &str) {
    let uris = desk.documents().uris();
    for uri in uris {
        lose(desk, uri.as_str(), reason);
    }
}

/// Takes back what was said of a document that is unknown from now on, and logs why.
fn say_unknown(desk: &Arc<Desk>, uri: &Uri, reason: &str) {
    let shown = uri.as_str();
    tracing::warn!(uri = shown, reason, "a change is not applied; the document is unknown until its next full text");
    let message = format!(
        "pathfinder: {shown}: a change could not be applied ({reason}). Reopen the document to have its paths checked again."
    );
    desk.editor.log(MessageType::WARNING, message);
    // At once, and without a pause in typing.
    desk.touch(uri, Why::Around);
}

pub(in crate::lsp) fn did_save(desk: &Arc<Desk>, params: DidSaveTextDocumentParams) {
    let saved = &params.text_document.uri;
    if let Some(text) = params.text
        && desk.documents().put_right(saved, text)
    {
        tracing::warn!(uri = saved.as_str(), "a text was saved that is not what its changes made of it");
        desk.touch(saved, Why::Around);
    }
    let Some(path) = uri::path(params.text_document.uri.as_str()) else { return };
    notice(desk, path.clone());
    // Whoever watches the disk will say so too, but not every client does, and none at once.
    happened(desk, vec![path]);
}

pub(in crate::lsp) fn did_close(desk: &Arc<Desk>, params: &DidCloseTextDocumentParams) {
    close(desk, &params.text_document.uri);
}

fn close(desk: &Arc<Desk>, uri: &Uri) {
    let closed = desk.documents().close(uri);
    let Some(open) = closed else { return };
    desk.give(Work::Closed { uri: open.uri.clone() });
    let desk = Arc::clone(desk);
    // What the text said is of no importance any more; what the file on disk says is.
    tokio::task::spawn_blocking(move || {
        let here = open.path.and_then(|path| desk.place(&path));
        // By the way that led to it when it was looked at: that may be gone, with a directory.
        let seen = open.look.map(|look| (look.diagnostics.root(), look.document.path().to_owned()));
        let seen = seen.or_else(|| here.as_ref().map(|(diagnostics, file)| (diagnostics.root(), file.clone())));
        if let Some((root, file)) = seen {
            desk.release(open.uri.as_str(), &root, &file);
        }
        if let Some((diagnostics, file)) = here {
            roots::recheck(&desk, &diagnostics, &[file]);
        }
    });
}

/// Remembers that somebody works on a file.
fn notice(desk: &Arc<Desk>, path: std::path::PathBuf) {
    let desk = Arc::clone(desk);
    tokio::task::spawn_blocking(move || desk.notice(&path));
}

fn happened(desk: &Arc<Desk>, paths: Vec<std::path::PathBuf>) {
    let desk = Arc::clone(desk);
    tokio::task::spawn_blocking(move || disk::happened(&desk, paths));
}
