//! `textDocument/documentLink`: every literal that leads to a file is a link to it.

use pathfinder_literals::{Kind, Verdict};
use tower_lsp_server::ls_types::{DocumentLink, DocumentLinkParams};

use super::super::desk::Desk;
use super::super::uri;

pub(in crate::lsp) fn document_link(desk: &Desk, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let look = desk.look(params.text_document.uri.as_str())?;
    let root = look.diagnostics.root();
    let encoding = desk.editor.encoding();
    let links = look.literals.iter().filter_map(|literal| {
        let Verdict::Found(target) = &literal.verdict else { return None };
        // Editors open files.
        if look.checker.kind(&target.path) != Some(Kind::File) {
            return None;
        }
        Some(DocumentLink {
            range: look.lines.range(look.document.text(), &literal.range, encoding),
            target: Some(uri::of(&root.join(&target.path))?),
            tooltip: Some(target.path.clone()),
            data: None,
        })
    });
    Some(links.collect())
}
