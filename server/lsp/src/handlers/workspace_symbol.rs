//! `workspace/symbol`: files and declarations of the workspace, found by a part of their name.

use pathfinder_core::{FindRequest, Kind};
use tower_lsp_server::ls_types::{
    Location, OneOf, Position, Range, SymbolKind, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use super::super::server_snapshot::ServerSnapshot;
use super::super::uri;

/// Most results: users do not look through more.
const MAX_RESULTS: usize = 50;

/// Returns the files that match the query; a matching declaration gives its line.
pub(crate) fn workspace_symbol(
    state: &ServerSnapshot,
    params: &WorkspaceSymbolParams,
) -> Option<WorkspaceSymbolResponse> {
    if !state.workspace.is_open() {
        return None;
    }
    let request = FindRequest { limit: MAX_RESULTS, ..FindRequest::new(params.query.as_str()) };
    let (workspace, found) = state.workspace.find(&request).ok()?;
    let symbols = found.answer.ok()?.hits.into_iter().filter_map(|hit| {
        let root = &workspace.opened().get(hit.root)?.root.canonical;
        let snapshot = &workspace.engine().roots()[hit.root].snapshot;
        snapshot.get(hit.path.as_bytes()).filter(|kind| *kind == Kind::File)?;
        let path = hit.path.text();
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let start = Position::new(hit.line.map_or(0, |line| line.saturating_sub(1)), 0);
        let location = Location { uri: uri::from_path(&root.join(&*path))?, range: Range::new(start, start) };
        Some(WorkspaceSymbol {
            name: name.to_owned(),
            kind: SymbolKind::FILE,
            tags: None,
            container_name: (!directory.is_empty()).then(|| directory.to_owned()),
            location: OneOf::Left(location),
            data: None,
        })
    });
    Some(WorkspaceSymbolResponse::Nested(symbols.collect()))
}
