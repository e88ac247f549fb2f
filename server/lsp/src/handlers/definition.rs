//! `textDocument/definition`: the file that a literal leads to.

use pathfinder_literals::{Kind, Verdict};
use tower_lsp_server::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Range};

use super::super::server_snapshot::ServerSnapshot;
use super::super::uri;

/// Returns the file that the literal at the cursor leads to.
pub(crate) fn definition(state: &ServerSnapshot, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let at = &params.text_document_position_params;
    let analysis = state.analyze(at.text_document.uri.as_str())?;
    let encoding = state.editor.encoding();
    let literal = analysis.literal_at(analysis.lines.offset(analysis.document.text(), at.position, encoding))?;
    let Verdict::Found(target) = &literal.verdict else { return None };
    if analysis.checker.kind(&target.path) != Some(Kind::File) {
        return None;
    }
    let target_uri = uri::from_path(&analysis.diagnostics.root().join(&target.path))?;
    let origin = analysis.lines.range(analysis.document.text(), &literal.range, encoding);
    if !state.editor.capabilities().has_definition_links {
        return Some(GotoDefinitionResponse::Scalar(Location { uri: target_uri, range: Range::default() }));
    }
    Some(GotoDefinitionResponse::Link(vec![LocationLink {
        origin_selection_range: Some(origin),
        target_uri,
        target_range: Range::default(),
        target_selection_range: Range::default(),
    }]))
}
