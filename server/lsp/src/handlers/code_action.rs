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

/// Least confidence of a fix that is offered: one that is wrong three times out of four takes longer to read than it saves.
pub(super) const MIN_CONFIDENCE: f32 = 0.25;

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
    let is_touched = |finding: &Finding| finding.range.start <= bytes.end && bytes.start <= finding.range.end;
    if !wants_all && !analysis.findings.iter().any(is_touched) {
        return Some(Vec::new());
    }
    let analysis = state.find_fixes_within(&analysis, &bytes);
    // Usually known by now: the publisher looks for them in pauses of typing.
    let analysis = state.with_fixes(&analysis);
    let mut actions = Vec::new();
    if wants_fixes {
        let touched: Vec<&Finding> = analysis.findings.iter().filter(|finding| is_touched(finding)).collect();
        for finding in &touched {
            push_fixes(state, &analysis, finding, &mut actions);
        }
        // A single finding has its own fix above.
        if !wants_all && analysis.findings.len() > 1 {
            actions.extend(fix_all_action(state, &analysis, "quickfix"));
        }
        for finding in &touched {
            push_other_actions(state, &analysis, finding, &mut actions);
        }
    }
    if wants_all {
        actions.extend(fix_all_action(state, &analysis, FIX_ALL));
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
    let range_of = |bytes| analysis.lines.range(analysis.document.text(), bytes, client.encoding);
    for fix in finding.fixes.iter().filter(|fix| fix.confidence >= MIN_CONFIDENCE) {
        let own = (&finding.range, &fix.literal);
        let followers = fix.followers.iter().map(|(range, new)| (range, new));
        let edits = std::iter::once(own).chain(followers);
        let edits = edits.map(|(range, new)| TextEdit { range: range_of(range), new_text: new.clone() }).collect();
        actions.push(CodeAction {
            title: to_proto::fix_title(finding, fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(state, analysis, finding)]),
            edit: Some(to_proto::document_edit(&analysis.uri, Some(analysis.version), edits, client)),
            is_preferred: fix.preferred.then_some(true),
            ..CodeAction::default()
        });
    }
}

fn diagnostic(state: &ServerSnapshot, analysis: &DocumentAnalysis, finding: &Finding) -> Diagnostic {
    to_proto::diagnostic(analysis, finding, state.editor.capabilities())
}

/// Adds the actions that create the missing file, ignore the finding, or show the paths that were tried.
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
    if !finding.tried.is_empty() {
        let title = format!("Show where `{}` was looked for", finding.literal);
        let start = analysis.lines.range(analysis.document.text(), &finding.range, state.editor.encoding()).start;
        let arguments = Some(vec![json!({"uri": analysis.uri, "position": start, "show": true})]);
        let command = Command { title: title.clone(), command: ServerCommand::Explain.name().to_owned(), arguments };
        push(title, None, Some(command));
    }
}

/// Returns the action that applies all high-confidence fixes of a document; `None` if there are none.
fn fix_all_action(state: &ServerSnapshot, analysis: &DocumentAnalysis, kind: &'static str) -> Option<CodeAction> {
    if analysis.findings.iter().all(|it| it.fixes.first().is_none_or(|fix| !fix.preferred)) {
        return None;
    }
    let edits = fix_all_edits(state, analysis);
    let (fixed, all) = (edits.len(), analysis.findings.len());
    (fixed > 0).then(|| CodeAction {
        title: if fixed == all {
            format!("Fix all broken paths in this file ({all})")
        } else {
            format!("Fix all high-confidence broken paths in this file ({fixed} of {all})")
        },
        kind: Some(CodeActionKind::new(kind)),
        edit: Some(to_proto::document_edit(&analysis.uri, Some(analysis.version), edits, state.editor.capabilities())),
        ..CodeAction::default()
    })
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
