//! `workspace/symbol`: files of the workspace by a part of their path.

use pathfinder_core::Kind;
use tower_lsp_server::ls_types::{
    Location, OneOf, Range, SymbolKind, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use super::super::desk::Desk;
use super::super::uri;
use super::requests::search;

/// More than one looks through.
const MOST: usize = 50;

pub(in crate::lsp) fn symbol(desk: &Desk, params: &WorkspaceSymbolParams) -> Option<WorkspaceSymbolResponse> {
    if !desk.workspace.is_open() {
        return None;
    }
    let session = desk.workspace.current().ok()?;
    let found = search(desk, &params.query, MOST).ok()?;
    let symbols = found.into_iter().filter_map(|found| {
        let root = &session.opened().get(found.root)?.root.canonical;
        let snapshot = &session.engine().roots()[found.root].snapshot;
        snapshot.get(found.path.as_bytes()).filter(|kind| *kind == Kind::File)?;
        let (directory, name) = found.path.rsplit_once('/').unwrap_or(("", &found.path));
        let location = Location { uri: uri::of(&root.join(&found.path))?, range: Range::default() };
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
