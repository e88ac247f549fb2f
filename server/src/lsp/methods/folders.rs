//! Folders of the workspace that come and go.

use std::sync::Arc;

use tower_lsp_server::ls_types::DidChangeWorkspaceFoldersParams;

use super::super::desk::Desk;
use super::super::{roots, uri};

pub(in crate::lsp) fn did_change(desk: &Arc<Desk>, params: &DidChangeWorkspaceFoldersParams) {
    if desk.fixed.is_some() {
        return;
    }
    let removed: Vec<_> = params.event.removed.iter().filter_map(|folder| uri::path(folder.uri.as_str())).collect();
    let mut all = desk.workspace.roots();
    all.retain(|root| !removed.contains(root));
    for added in roots::directories(&params.event.added) {
        if !all.contains(&added) {
            all.push(added);
        }
    }
    if all.is_empty() {
        desk.workspace.shut();
        roots::none(desk);
    } else {
        roots::offer(desk, all);
    }
}
