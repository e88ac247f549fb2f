//! `textDocument/documentLink`: links for all literals that lead to a file.

use pathfinder_literals::{Kind, Verdict};
use tower_lsp_server::ls_types::{DocumentLink, DocumentLinkParams};

use super::super::server_snapshot::ServerSnapshot;
use super::super::uri;

/// Returns one link per literal that leads to a file.
pub(crate) fn document_link(state: &ServerSnapshot, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let analysis = state.analyze(params.text_document.uri.as_str())?;
    let root = analysis.diagnostics.root();
    if !state.preferences_of(&root).has_links {
        return None;
    }
    let encoding = state.editor.encoding();
    let links = analysis.literals.iter().filter_map(|literal| {
        let Verdict::Found(target) = &literal.verdict else { return None };
        // Editors cannot open directories.
        if analysis.checker.kind(&target.path) != Some(Kind::File) {
            return None;
        }
        Some(DocumentLink {
            range: analysis.lines.range(analysis.document.text(), &literal.range, encoding),
            target: Some(uri::from_path(&root.join(&target.path))?),
            tooltip: Some(target.path.clone()),
            data: None,
        })
    });
    Some(links.collect())
}
