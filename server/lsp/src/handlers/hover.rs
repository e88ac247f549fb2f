//! `textDocument/hover`: the target of a literal, or why it has none and which paths were tried.

use std::fmt::Write as _;

use pathfinder_literals::{Checked, Reason, Verdict};
use tower_lsp_server::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::super::documents::DocumentAnalysis;
use super::super::server_snapshot::ServerSnapshot;
use super::super::uri;

/// Most tried paths in the list: the first ones show where the literal is looked up, and `check --explain` lists all.
const MAX_TRIED_PATHS: usize = 8;

/// Returns the hover text of the literal at the cursor.
pub(crate) fn hover(state: &ServerSnapshot, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let analysis = state.analyze(at.text_document.uri.as_str())?;
    let encoding = state.editor.encoding();
    let literal = analysis.literal_at(analysis.lines.offset(analysis.document.text(), at.position, encoding))?;
    let markdown = state.editor.capabilities().has_hover_markdown;
    let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value: hover_text(&analysis, literal, markdown) }),
        range: Some(analysis.lines.range(analysis.document.text(), &literal.range, encoding)),
    })
}

fn hover_text(analysis: &DocumentAnalysis, literal: &Checked, markdown: bool) -> String {
    let code = |path: &str| if markdown { format!("`{}`", path.replace('`', "'")) } else { path.to_owned() };
    let (found, is_found) = match &literal.verdict {
        Verdict::Found(target) if target.path.is_empty() => ("the root itself".to_owned(), true),
        Verdict::Found(target) => {
            let uri = uri::from_path(&analysis.diagnostics.root().join(&target.path)).filter(|_| markdown);
            let shown =
                uri.map_or_else(|| code(&target.path), |uri| format!("[{}]({})", code(&target.path), uri.as_str()));
            (format!("leads to {shown}"), true)
        }
        Verdict::Missing(missing) => (format!("is broken: {}", missing.reason), false),
        Verdict::Unknown(reason) => (format!("cannot be checked: {}", reason_text(reason)), false),
    };
    let mut text = format!("{} ({}) {found}", code(analysis.literal_text(literal)), literal.kind);
    if !is_found && !literal.tried.is_empty() {
        text.push_str("\n\nLooked for:\n");
        for path in literal.tried.iter().take(MAX_TRIED_PATHS) {
            _ = write!(text, "\n- {}", code(path));
        }
        if literal.tried.len() > MAX_TRIED_PATHS {
            _ = write!(text, "\n- and {} more", literal.tried.len() - MAX_TRIED_PATHS);
        }
    }
    text
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
