//! Texts that are opened, edited, saved and closed. What changes a text happens at once; the rest is done by others.

use std::sync::Arc;

use tower_lsp_server::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, Uri,
};

use super::super::desk::Desk;
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
    if desk.documents().change(&document.uri, document.version, changes, encoding) {
        desk.touch(&document.uri, Why::Edited);
    } else {
        tracing::warn!(
            uri = document.uri.as_str(),
            version = document.version,
            "a change of what is not open, or is newer"
        );
    }
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
        let seen = open.look.map(|look| (look.survey.root(), look.document.path().to_owned()));
        let seen = seen.or_else(|| here.as_ref().map(|(survey, file)| (survey.root(), file.clone())));
        if let Some((root, file)) = seen {
            desk.release(open.uri.as_str(), &root, &file);
        }
        if let Some((survey, file)) = here {
            roots::recheck(&desk, &survey, &[file]);
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
