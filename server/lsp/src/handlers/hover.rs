//! `textDocument/hover`: the target of a literal, or the path that was meant.

use pathfinder_literals::{Checked, Reason, Verdict};
use tower_lsp_server::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::super::documents::DocumentAnalysis;
use super::super::server_snapshot::ServerSnapshot;
use super::super::{to_proto, uri};

/// Returns the hover text of the literal at the cursor. `None` for a reported one in a client that shows diagnostics in
/// hovers: the text would be there twice.
pub(crate) fn hover(state: &ServerSnapshot, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let analysis = state.analyze(at.text_document.uri.as_str())?;
    let root = analysis.diagnostics.root();
    if !state.preferences_of(&root).has_hover {
        return None;
    }
    let client = state.editor.capabilities();
    let offset = analysis.lines.offset(analysis.document.text(), at.position, client.encoding);
    let range = analysis.literal_at(offset)?.range.clone();
    let analysis = state.find_fixes_within(&analysis, &range);
    let literal = analysis.literal_at(offset)?;
    let value = match analysis.findings.iter().find(|finding| finding.range == literal.range) {
        Some(finding) if client.has_diagnostics_in_hover && state.reports(&root, finding) => return None,
        Some(finding) if client.has_hover_markdown => to_proto::message(finding),
        Some(finding) => to_proto::message(finding).replace('`', "'"),
        None => hover_text(&analysis, literal, client.has_hover_markdown),
    };
    let kind = if client.has_hover_markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value }),
        range: Some(analysis.lines.range(analysis.document.text(), &literal.range, client.encoding)),
    })
}

/// Returns the text for a literal that is not reported.
fn hover_text(analysis: &DocumentAnalysis, literal: &Checked, markdown: bool) -> String {
    let code = |path: &str| if markdown { format!("`{}`", path.replace('`', "'")) } else { path.to_owned() };
    let found = match &literal.verdict {
        Verdict::Found(target) if target.path.is_empty() => "the root itself".to_owned(),
        Verdict::Found(target) => {
            let uri = uri::from_path(&analysis.diagnostics.root().join(&target.path)).filter(|_| markdown);
            let shown =
                uri.map_or_else(|| code(&target.path), |uri| format!("[{}]({})", code(&target.path), uri.as_str()));
            format!("leads to {shown}")
        }
        Verdict::Missing(missing) => format!("is broken: {}", missing.reason),
        Verdict::Unknown(reason) => format!("cannot be checked: {}", reason_text(reason)),
    };
    format!("{} ({}) {found}", code(analysis.literal_text(literal)), literal.kind)
}

/// Explains to the user why the target is unknown.
fn reason_text(reason: &Reason) -> String {
    match reason {
        Reason::Dynamic => "part of it is computed".to_owned(),
        Reason::Elsewhere => "it is not a path in this project".to_owned(),
        Reason::Outside => "it leads out of the project".to_owned(),
        Reason::Ignored(path) => format!("the project ignores {path}, so a build may generate it"),
        Reason::Produced(by) => format!("{by} generates it"),
        Reason::Optional => "it is optional".to_owned(),
        Reason::Submodule(path) => format!("the submodule {path} is not checked out"),
        Reason::Sparse => "only a part of the repository is checked out".to_owned(),
        Reason::NotInstalled => "dependencies are not installed".to_owned(),
        Reason::Undecided(what) => format!("{what} may be it, but nothing says so"),
        Reason::Doubtful(why) => format!("nothing is there, {why}"),
    }
}
