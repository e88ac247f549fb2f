//! `textDocument/codeAction`: the right path in the place of a wrong one, and what else one may want.

use pathfinder_literals::{Code, Want};
use serde_json::json;
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command as LspCommand,
    Diagnostic, TextEdit,
};

use super::super::desk::Desk;
use super::super::documents::Look;
use super::super::{encode, uri};
use super::command::Command;
use crate::check::{Finding, comment};
use crate::fix::{self, Threshold};

/// The kind of the action that mends all of a text: for `editor.codeActionsOnSave`.
pub(super) const FIX_ALL: &str = "source.fixAll.pathfinder";

/// What is less likely than that only makes the menu longer.
const LIKELY: f32 = 0.01;

pub(in crate::lsp) fn code_action(desk: &Desk, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let only = params.context.only.as_deref();
    // A kind stands for all that begin with it.
    let wants = |kind: &str, asked: &CodeActionKind| {
        kind.strip_prefix(asked.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || asked.as_str().is_empty())
    };
    let wants_fixes = only.is_none_or(|only| only.iter().any(|asked| wants("quickfix", asked)));
    // What changes more than one place is offered where it is asked for.
    let wants_all = only.is_some_and(|only| only.iter().any(|asked| wants(FIX_ALL, asked)));
    if !wants_fixes && !wants_all {
        return None;
    }
    let look = desk.look(params.text_document.uri.as_str())?;
    let bytes = look.lines.bytes(look.document.text(), params.range, desk.editor.encoding());
    let look = desk.mend_within(&look, &bytes);
    let look = if wants_all { desk.mend(&look).unwrap_or(look) } else { look };
    let mut actions = Vec::new();
    if wants_fixes {
        let touched = look.findings.iter().filter(|it| it.range.start <= bytes.end && bytes.start <= it.range.end);
        let touched: Vec<&Finding> = touched.collect();
        for finding in &touched {
            fixes(desk, &look, finding, &mut actions);
        }
        for finding in &touched {
            others(desk, &look, finding, &mut actions);
        }
    }
    if let Some(edit) = all(desk, &look, if wants_all { 1 } else { 2 }).filter(|_| wants_all || !actions.is_empty()) {
        actions.push(CodeAction {
            title: "Change all paths of this file of which it is sure what was meant".to_owned(),
            kind: Some(CodeActionKind::new(if wants_all { FIX_ALL } else { "quickfix" })),
            edit: Some(edit),
            ..CodeAction::default()
        });
    }
    Some(actions.into_iter().map(|action| shaped(desk, action)).collect())
}

/// Clients that know commands only get those.
fn shaped(desk: &Desk, action: CodeAction) -> CodeActionOrCommand {
    if desk.editor.can().action_literals {
        return CodeActionOrCommand::CodeAction(action);
    }
    let command = action.command.unwrap_or_else(|| LspCommand {
        title: action.title.clone(),
        command: Command::Apply.name().to_owned(),
        arguments: Some(vec![json!({"edit": action.edit})]),
    });
    CodeActionOrCommand::Command(command)
}

/// One action for each candidate, the likeliest first.
fn fixes(desk: &Desk, look: &Look, finding: &Finding, actions: &mut Vec<CodeAction>) {
    let can = desk.editor.can();
    let range = look.lines.range(look.document.text(), &finding.range, can.encoding);
    let likely = finding.fixes.iter().enumerate().filter(|(at, fix)| *at == 0 || fix.confidence >= LIKELY);
    for (_, fix) in likely {
        let edit = TextEdit { range, new_text: fix.literal.clone() };
        actions.push(CodeAction {
            title: encode::title(finding, fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(desk, look, finding)]),
            edit: Some(encode::edit(&look.uri, Some(look.version), vec![edit], can)),
            is_preferred: fix.preferred.then_some(true),
            ..CodeAction::default()
        });
    }
}

fn diagnostic(desk: &Desk, look: &Look, finding: &Finding) -> Diagnostic {
    encode::diagnostic(look, finding, desk.editor.can())
}

/// To make what is missing, and to say that it is all right.
fn others(desk: &Desk, look: &Look, finding: &Finding, actions: &mut Vec<CodeAction>) {
    let mut push = |title: String, edit, command| {
        actions.push(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(desk, look, finding)]),
            edit,
            command,
            ..CodeAction::default()
        });
    };
    let root = look.diagnostics.root();
    let is_gone = matches!(finding.code, Code::MissingPath | Code::MovedPath);
    let name = finding.wanted.rsplit('/').next().unwrap_or_default();
    // What has no ending is a directory as likely as not.
    if is_gone
        && finding.want != Want::Directory
        && name.trim_start_matches('.').contains('.')
        && let Some(uri) = uri::of(&root.join(&finding.wanted))
    {
        let title = format!("Create `{}`", finding.wanted);
        let arguments = Some(vec![json!({"uri": uri})]);
        let command = LspCommand { title: title.clone(), command: Command::CreateFile.name().to_owned(), arguments };
        push(title, None, Some(command));
    }
    if let Some(comment) = comment(look.document.path()) {
        let text = look.document.text();
        let start = text[..finding.range.start].rfind('\n').map_or(0, |at| at + 1);
        let indent: String = text[start..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
        let end =
            if text[start..].lines().next().is_some_and(|_| text[start..].contains("\r\n")) { "\r\n" } else { "\n" };
        let range = look.lines.range(text, &(start..start), desk.editor.encoding());
        let edit = TextEdit { range, new_text: format!("{indent}{comment}{end}") };
        let edit = encode::edit(&look.uri, Some(look.version), vec![edit], desk.editor.can());
        push(format!("Ignore `{}` here", finding.literal), Some(edit), None);
    }
    if let Some(uri) = uri::of(&root) {
        let title = format!("Ignore `{}` everywhere (in pathfinder.toml)", finding.literal);
        let arguments = Some(vec![json!({"root": uri, "literal": finding.literal})]);
        let command = LspCommand { title: title.clone(), command: Command::Ignore.name().to_owned(), arguments };
        push(title, None, Some(command));
    }
}

/// All that is sure in a text, proven together; `None` if that is less than so many.
fn all(desk: &Desk, look: &Look, least: usize) -> Option<tower_lsp_server::ls_types::WorkspaceEdit> {
    let sure = look.findings.iter().filter(|it| it.fixes.first().is_some_and(|fix| fix.preferred)).count();
    if sure < least {
        return None;
    }
    let edits = edits(desk, look);
    (edits.len() >= least).then(|| encode::edit(&look.uri, Some(look.version), edits, desk.editor.can()))
}

/// The edits that mend all of a text of which it is sure what was meant.
pub(super) fn edits(desk: &Desk, look: &Look) -> Vec<TextEdit> {
    let text = look.document.text();
    let (file, bytes) = (look.document.path(), text.as_bytes().to_vec());
    let plan = fix::plan_text(&look.checker, file, bytes, &look.findings, Threshold::Preferred);
    let edits = plan.fixed.into_iter().map(|mended| TextEdit {
        range: look.lines.range(text, &mended.range, desk.editor.encoding()),
        new_text: mended.new,
    });
    edits.collect()
}
