//! File notifications: created, renamed and deleted in the editor, or changed on disk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tower_lsp_server::ls_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeWatchedFilesParams, MessageType, RenameFilesParams, WorkspaceEdit,
};

use super::super::lsp_error::LspError;
use super::super::server_snapshot::ServerSnapshot;
use super::super::{file_events, rename_edits, to_proto, uri};

/// Longest time that a rename waits for the files that mention the moved path. Editors ask once, so a missing edit is lost.
/// VS Code gives participants a minute.
const RENAME_TIMEOUT: Duration = Duration::from_secs(10);
/// Most names in a warning; `check --if-deleted` lists all.
const MAX_NAMES: usize = 3;

/// Handles `workspace/didChangeWatchedFiles`.
pub(crate) fn did_change_watched(state: &ServerSnapshot, params: &DidChangeWatchedFilesParams) {
    let paths = params.changes.iter().filter_map(|change| uri::to_path(change.uri.as_str()));
    file_events::report(state, paths);
}

/// Handles `workspace/didCreateFiles`.
pub(crate) fn did_create(state: &ServerSnapshot, params: &CreateFilesParams) {
    file_events::report(state, params.files.iter().filter_map(|file| uri::to_path(&file.uri)));
}

/// Handles `workspace/didDeleteFiles`.
pub(crate) fn did_delete(state: &ServerSnapshot, params: &DeleteFilesParams) {
    file_events::report(state, params.files.iter().filter_map(|file| uri::to_path(&file.uri)));
}

/// Handles `workspace/willRenameFiles`: returns the edits that keep paths to the files valid, once all files are checked.
pub(crate) async fn will_rename(
    state: ServerSnapshot,
    params: RenameFilesParams,
) -> Result<Option<WorkspaceEdit>, LspError> {
    let state = state.wait_for(RENAME_TIMEOUT, |it| it.has_checked_all).await;
    state.refreshed().read(move |state| rename_edits_of(state, &params)).await
}

fn rename_edits_of(state: &ServerSnapshot, params: &RenameFilesParams) -> Option<WorkspaceEdit> {
    let mut by_root: BTreeMap<PathBuf, (_, Vec<(String, String)>)> = BTreeMap::new();
    for file in &params.files {
        let (Some((diagnostics, from)), Some((other, to))) =
            (file_events::locate_uri(state, &file.old_uri), file_events::locate_uri(state, &file.new_uri))
        else {
            continue;
        };
        // A move to another root is not followed.
        let is_wanted = state.preferences_of(&diagnostics.root()).has_rename;
        if is_wanted && Arc::ptr_eq(&diagnostics, &other) && from != to && !from.is_empty() {
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
        all.extend(rename_edits::edits_for_moves(state, &diagnostics, &outer));
    }
    (!all.is_empty()).then(|| to_proto::workspace_edit(all, state.editor.capabilities()))
}

/// Handles `workspace/didRenameFiles`.
pub(crate) fn did_rename(state: &ServerSnapshot, params: &RenameFilesParams) {
    let uris = params.files.iter().flat_map(|file| [&file.old_uri, &file.new_uri]);
    file_events::report(state, uris.filter_map(|uri| uri::to_path(uri)));
}

/// Handles `workspace/willDeleteFiles`: warns of paths that the deletion breaks, and returns no edit.
pub(crate) fn will_delete(state: &ServerSnapshot, params: &DeleteFilesParams) -> Option<WorkspaceEdit> {
    let mut by_root: BTreeMap<PathBuf, (_, Vec<String>)> = BTreeMap::new();
    for file in &params.files {
        if let Some((diagnostics, path)) =
            file_events::locate_uri(state, &file.uri).filter(|(_, path)| !path.is_empty())
        {
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
        let more =
            if files.len() > MAX_NAMES { format!(" and {} more", files.len() - MAX_NAMES) } else { String::new() };
        let names = files.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
        state.editor.show(MessageType::WARNING, format!("{paths} to deleted files: in {names}{more}"));
    }
    None
}
