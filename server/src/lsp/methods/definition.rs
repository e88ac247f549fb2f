//! `textDocument/definition`: where a literal leads.

use pathfinder_literals::{Kind, Verdict};
use tower_lsp_server::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Range};

use super::super::desk::Desk;
use super::super::uri;

pub(in crate::lsp) fn definition(desk: &Desk, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let at = &params.text_document_position_params;
    let look = desk.look(at.text_document.uri.as_str())?;
    let encoding = desk.editor.encoding();
    let literal = look.literal_at(look.lines.offset(look.document.text(), at.position, encoding))?;
    let Verdict::Found(target) = &literal.verdict else { return None };
    if look.checker.kind(&target.path) != Some(Kind::File) {
        return None;
    }
    let target_uri = uri::of(&look.diagnostics.root().join(&target.path))?;
    let origin = look.lines.range(look.document.text(), &literal.range, encoding);
    if !desk.editor.can().definition_links {
        return Some(GotoDefinitionResponse::Scalar(Location { uri: target_uri, range: Range::default() }));
    }
    Some(GotoDefinitionResponse::Link(vec![LocationLink {
        origin_selection_range: Some(origin),
        target_uri,
        target_range: Range::default(),
        target_selection_range: Range::default(),
    }]))
}
