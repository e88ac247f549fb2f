//! `textDocument/codeAction`: replaces a broken path, creates the missing file, or ignores the finding.

use pathfinder_literals::{Code, Want};
use serde_json::json;
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command, Diagnostic,
    TextEdit,
};

use super::super::documents::DocumentAnalysis;
use super::super::server_snapshot::ServerSnapshot;
use super::super::{to_proto, uri};
use super::server_command::ServerCommand;
use pathfinder_check::fix::{self, Threshold};
use pathfinder_check::{Finding, comment};

/// Kind of the action that fixes a whole document, for `editor.codeActionsOnSave`.
pub(super) const FIX_ALL: &str = "source.fixAll.pathfinder";

/// Least confidence of a fix in the menu, besides the first one: unlikely fixes only make the menu longer.
const MIN_CONFIDENCE: f32 = 0.01;

/// Returns the actions for the findings that touch the range, and the action that fixes the document.
pub(crate) fn code_action(state: &ServerSnapshot, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let only = params.context.only.as_deref();
    // A kind includes its sub-kinds.
    let wants = |kind: &str, requested: &CodeActionKind| {
        kind.strip_prefix(requested.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || requested.as_str().is_empty())
    };
    let wants_fixes = only.is_none_or(|only| only.iter().any(|requested| wants("quickfix", requested)));
    // `source.fixAll` is offered only on request, since it changes several places.
    let wants_all = only.is_some_and(|only| only.iter().any(|requested| wants(FIX_ALL, requested)));
    if !wants_fixes && !wants_all {
        return None;
    }
    let analysis = state.analyze(params.text_document.uri.as_str())?;
    let bytes = analysis.lines.byte_range(analysis.document.text(), params.range, state.editor.encoding());
    let analysis = state.find_fixes_within(&analysis, &bytes);
    let analysis = if wants_all { state.find_fixes(&analysis).unwrap_or(analysis) } else { analysis };
    let mut actions = Vec::new();
    if wants_fixes {
        let touched = analysis.findings.iter().filter(|it| it.range.start <= bytes.end && bytes.start <= it.range.end);
        let touched: Vec<&Finding> = touched.collect();
        for finding in &touched {
            push_fixes(state, &analysis, finding, &mut actions);
        }
        for finding in &touched {
            push_other_actions(state, &analysis, finding, &mut actions);
        }
    }
    if let Some(edit) =
        fix_all_edit(state, &analysis, if wants_all { 1 } else { 2 }).filter(|_| wants_all || !actions.is_empty())
    {
        actions.push(CodeAction {
            title: "Fix all high-confidence broken paths in this file".to_owned(),
            kind: Some(CodeActionKind::new(if wants_all { FIX_ALL } else { "quickfix" })),
            edit: Some(edit),
            ..CodeAction::default()
        });
    }
    Some(actions.into_iter().map(|action| action_or_command(state, action)).collect())
}

/// Converts an action to a command for clients that support only commands.
fn action_or_command(state: &ServerSnapshot, action: CodeAction) -> CodeActionOrCommand {
    if state.editor.capabilities().has_code_action_literals {
        return CodeActionOrCommand::CodeAction(action);
    }
    let command = action.command.unwrap_or_else(|| Command {
        title: action.title.clone(),
        command: ServerCommand::Apply.name().to_owned(),
        arguments: Some(vec![json!({"edit": action.edit})]),
    });
    CodeActionOrCommand::Command(command)
}

/// Adds one action per fix, the most likely first.
fn push_fixes(state: &ServerSnapshot, analysis: &DocumentAnalysis, finding: &Finding, actions: &mut Vec<CodeAction>) {
    let client = state.editor.capabilities();
    let range = analysis.lines.range(analysis.document.text(), &finding.range, client.encoding);
    let likely = finding.fixes.iter().enumerate().filter(|(at, fix)| *at == 0 || fix.confidence >= MIN_CONFIDENCE);
    for (_, fix) in likely {
        let edit = TextEdit { range, new_text: fix.literal.clone() };
        actions.push(CodeAction {
            title: to_proto::fix_title(finding, fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(state, analysis, finding)]),
            edit: Some(to_proto::document_edit(&analysis.uri, Some(analysis.version), vec![edit], client)),
            is_preferred: fix.preferred.then_some(true),
            ..CodeAction::default()
        });
    }
}

fn diagnostic(state: &ServerSnapshot, analysis: &DocumentAnalysis, finding: &Finding) -> Diagnostic {
    to_proto::diagnostic(analysis, finding, state.editor.capabilities())
}

/// Adds the actions that create the missing file or ignore the finding.
fn push_other_actions(
    state: &ServerSnapshot,
    analysis: &DocumentAnalysis,
    finding: &Finding,
    actions: &mut Vec<CodeAction>,
) {
    let mut push = |title: String, edit, command| {
        actions.push(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(state, analysis, finding)]),
            edit,
            command,
            ..CodeAction::default()
        });
    };
    let root = analysis.diagnostics.root();
    let is_gone = matches!(finding.code, Code::MissingPath | Code::MovedPath);
    let name = finding.wanted.rsplit('/').next().unwrap_or_default();
    // A name without an extension may as well be a directory.
    if is_gone
        && finding.want != Want::Directory
        && name.trim_start_matches('.').contains('.')
        && let Some(uri) = uri::from_path(&root.join(&finding.wanted))
    {
        let title = format!("Create `{}`", finding.wanted);
        let arguments = Some(vec![json!({"uri": uri})]);
        let command = Command { title: title.clone(), command: ServerCommand::CreateFile.name().to_owned(), arguments };
        push(title, None, Some(command));
    }
    if let Some(comment) = comment(analysis.document.path()) {
        let text = analysis.document.text();
        let start = text[..finding.range.start].rfind('\n').map_or(0, |at| at + 1);
        let indent: String = text[start..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
        let end =
            if text[start..].lines().next().is_some_and(|_| text[start..].contains("\r\n")) { "\r\n" } else { "\n" };
        let range = analysis.lines.range(text, &(start..start), state.editor.encoding());
        let edit = TextEdit { range, new_text: format!("{indent}{comment}{end}") };
        let edit =
            to_proto::document_edit(&analysis.uri, Some(analysis.version), vec![edit], state.editor.capabilities());
        push(format!("Ignore `{}` here", finding.literal), Some(edit), None);
    }
    if let Some(uri) = uri::from_path(&root) {
        let title = format!("Ignore `{}` everywhere (in pathfinder.toml)", finding.literal);
        let arguments = Some(vec![json!({"root": uri, "literal": finding.literal})]);
        let command = Command { title: title.clone(), command: ServerCommand::Ignore.name().to_owned(), arguments };
        push(title, None, Some(command));
    }
}

/// Returns the edit of all high-confidence fixes; `None` if there are fewer than `min_edits`.
fn fix_all_edit(
    state: &ServerSnapshot,
    analysis: &DocumentAnalysis,
    min_edits: usize,
) -> Option<tower_lsp_server::ls_types::WorkspaceEdit> {
    let sure = analysis.findings.iter().filter(|it| it.fixes.first().is_some_and(|fix| fix.preferred)).count();
    if sure < min_edits {
        return None;
    }
    let edits = fix_all_edits(state, analysis);
    (edits.len() >= min_edits)
        .then(|| to_proto::document_edit(&analysis.uri, Some(analysis.version), edits, state.editor.capabilities()))
}

/// Returns the edits of all high-confidence fixes, verified together.
pub(super) fn fix_all_edits(state: &ServerSnapshot, analysis: &DocumentAnalysis) -> Vec<TextEdit> {
    let text = analysis.document.text();
    let (file, bytes) = (analysis.document.path(), text.as_bytes().to_vec());
    let plan = fix::plan_text(&analysis.checker, file, bytes, &analysis.findings, Threshold::Preferred);
    let edits = plan.fixed.into_iter().map(|fixed| TextEdit {
        range: analysis.lines.range(text, &fixed.range, state.editor.encoding()),
        new_text: fixed.new,
    });
    edits.collect()
}
