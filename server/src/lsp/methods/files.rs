//! Files that are made, renamed and deleted in the editor, or seen to change on disk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tower_lsp_server::ls_types::{
    DeleteFilesParams, DidChangeWatchedFilesParams, MessageType, RenameFilesParams, WorkspaceEdit,
};

use super::super::desk::Desk;
use super::super::{disk, encode, moves, uri};

/// Names that a warning lists; who wants to see all of them asks for `check --if-deleted`.
const SHOWN: usize = 3;

pub(in crate::lsp) fn did_change_watched(desk: &Arc<Desk>, params: &DidChangeWatchedFilesParams) {
    let paths = params.changes.iter().filter_map(|change| uri::path(change.uri.as_str()));
    disk::happened(desk, paths);
}

/// The same for files that the editor itself has changed.
pub(in crate::lsp) fn happened(desk: &Arc<Desk>, uris: &[String]) {
    disk::happened(desk, uris.iter().filter_map(|uri| uri::path(uri)));
}

/// Edits that keep right what names the files, in all languages.
pub(in crate::lsp) fn will_rename(desk: &Arc<Desk>, params: &RenameFilesParams) -> Option<WorkspaceEdit> {
    let mut by_root: BTreeMap<PathBuf, (_, Vec<(String, String)>)> = BTreeMap::new();
    for file in &params.files {
        let (Some((diagnostics, from)), Some((other, to))) =
            (disk::file_of(desk, &file.old_uri), disk::file_of(desk, &file.new_uri))
        else {
            continue;
        };
        // What leaves its root is not to be followed.
        if Arc::ptr_eq(&diagnostics, &other) && from != to && !from.is_empty() {
            by_root.entry(diagnostics.root()).or_insert_with(|| (diagnostics, Vec::new())).1.push((from, to));
        }
    }
    let mut all = Vec::new();
    for (diagnostics, renames) in by_root.into_values() {
        let outer = renames.iter().filter(|(from, _)| {
            !renames
                .iter()
                .any(|(other, _)| from.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('/')))
        });
        let outer: Vec<(String, String)> = outer.cloned().collect();
        all.extend(moves::edits(desk, &diagnostics, &outer));
    }
    (!all.is_empty()).then(|| encode::edits_of(all, desk.editor.can()))
}

pub(in crate::lsp) fn did_rename(desk: &Arc<Desk>, params: &RenameFilesParams) {
    let uris = params.files.iter().flat_map(|file| [file.old_uri.clone(), file.new_uri.clone()]);
    happened(desk, &uris.collect::<Vec<_>>());
}

/// Warns of what will lead nowhere.
pub(in crate::lsp) fn will_delete(desk: &Arc<Desk>, params: &DeleteFilesParams) {
    let mut by_root: BTreeMap<PathBuf, (_, Vec<String>)> = BTreeMap::new();
    for file in &params.files {
        if let Some((diagnostics, path)) = disk::file_of(desk, &file.uri).filter(|(_, path)| !path.is_empty()) {
            by_root.entry(diagnostics.root()).or_insert_with(|| (diagnostics, Vec::new())).1.push(path);
        }
    }
    let (mut count, mut files) = (0, Vec::new());
    for (diagnostics, gone) in by_root.into_values() {
        for (file, broken) in diagnostics.broken_without(&gone) {
            count += broken;
            files.push(file);
        }
    }
    if count > 0 {
        let paths = if count == 1 { "1 path leads".to_owned() } else { format!("{count} paths lead") };
        let more = if files.len() > SHOWN { format!(" and {} more", files.len() - SHOWN) } else { String::new() };
        let names = files.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        desk.editor.show(MessageType::WARNING, format!("{paths} to what is deleted: in {names}{more}"));
    }
}
