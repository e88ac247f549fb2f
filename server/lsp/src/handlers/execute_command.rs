//! `workspace/executeCommand`: the `pathfinder.…` commands, for clients without custom requests and for actions that no
//! edit can express.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tower_lsp_server::ls_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, ExecuteCommandParams, MessageType,
    Position, ResourceOp, TextEdit, Uri, WorkspaceEdit,
};

use super::super::line_index::LineIndex;
use super::super::lsp_error::LspError;
use super::super::server_snapshot::ServerSnapshot;
use super::super::{file_events, to_proto, uri};
use super::server_command::ServerCommand;
use super::{code_action, custom_requests};
use pathfinder_check::fix::{self, Threshold};
use pathfinder_check::ignore_literal;
use pathfinder_vfs::paths;
use pathfinder_vfs::replace::{create, nearest_directory};

/// Most tried paths in a message: the first ones show where a literal is looked up, and the command returns all.
const MAX_SHOWN_PATHS: usize = 8;

fn invalid_params(message: impl Into<String>) -> LspError {
    LspError::InvalidParams(message.into())
}

/// Runs a command.
///
/// # Errors
/// If the command is unknown, an argument is wrong, or the edit was not applied.
pub(crate) async fn execute(state: ServerSnapshot, params: ExecuteCommandParams) -> Result<Option<Value>, LspError> {
    let state = &state;
    let Some(command) = ServerCommand::ALL.into_iter().find(|command| command.name() == params.command) else {
        let known = ServerCommand::ALL.map(ServerCommand::name).join(", ");
        return Err(invalid_params(format!("there is no command {:?}; known commands: {known}", params.command)));
    };
    // Some clients wrap the arguments in another array.
    let argument = params.arguments.into_iter().next().unwrap_or(Value::Null);
    let argument = match argument {
        Value::Array(mut inner) if inner.len() == 1 => inner.remove(0),
        other => other,
    };
    match command {
        ServerCommand::Resolve => {
            state.run_blocking(move |state| custom_requests::resolve(state, &argument)).await?.map(Some)
        }
        ServerCommand::Find => {
            state.run_blocking(move |state| custom_requests::find(state, &argument)).await?.map(Some)
        }
        ServerCommand::Roots => state.run_blocking(custom_requests::roots).await?.map(Some),
        ServerCommand::Reindex => state.run_blocking(custom_requests::reindex).await?.map(Some),
        ServerCommand::FixAll => fix_all(state, argument).await.map(Some),
        ServerCommand::Ignore => state.run_blocking(move |state| ignore(state, &argument)).await?,
        ServerCommand::CreateFile => create_file(state, &argument).await,
        ServerCommand::Apply => apply_edit(state, &argument).await,
        ServerCommand::Explain => state.run_blocking(move |state| explain(state, &argument)).await?.map(Some),
    }
}

/// Applies all high-confidence fixes in one document (`uri`) or in all files.
async fn fix_all(state: &ServerSnapshot, argument: Value) -> Result<Value, LspError> {
    let uri = argument.get("uri").and_then(Value::as_str).map(str::to_owned);
    let is_dry_run = argument.get("dryRun").and_then(Value::as_bool).unwrap_or(false);
    let all = state.run_blocking(move |state| planned_edits(state, uri.as_deref())).await?;
    let (files, count) = (all.len(), all.iter().map(|(_, _, edits)| edits.len()).sum::<usize>());
    let edit = to_proto::workspace_edit(all, state.editor.capabilities());
    if is_dry_run {
        return Ok(json!({"files": files, "paths": count, "edit": edit}));
    }
    if count > 0 {
        state.editor.apply("Fix broken paths", edit).await.map_err(LspError::Internal)?;
    }
    Ok(json!({"files": files, "paths": count}))
}

/// Returns the edits of all high-confidence fixes, by document.
fn planned_edits(state: &ServerSnapshot, only: Option<&str>) -> Vec<(Uri, Option<i32>, Vec<TextEdit>)> {
    let mut all = Vec::new();
    for uri in state.documents.uris() {
        if only.is_some_and(|only| only != uri.as_str()) {
            continue;
        }
        let Some(analysis) = state.analyze(uri.as_str()) else { continue };
        let analysis = state.find_fixes_within(&analysis, &(0..usize::MAX));
        all.push((uri, Some(analysis.version), code_action::fix_all_edits(state, &analysis)));
    }
    for diagnostics in state.root_diagnostics.iter() {
        let (root, checker) = (diagnostics.root(), diagnostics.checker());
        for (file, findings) in diagnostics.findings() {
            let path = root.join(&file);
            let Some(uri) = uri::from_path(&path) else { continue };
            if state.documents.find_by_path(&path).is_some() || only.is_some_and(|only| only != uri.as_str()) {
                continue;
            }
            let Some(plan) = fix::plan(&checker, &file, &findings, Threshold::Preferred) else { continue };
            // Editors have no positions in files that are not UTF-8.
            let Ok(text) = std::str::from_utf8(&plan.before) else { continue };
            let bom_bytes = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let shown = &text[bom_bytes..];
            let lines = LineIndex::new(shown);
            let edits = plan.fixed.into_iter().map(|fixed| TextEdit {
                range: lines.range(
                    shown,
                    &(fixed.range.start - bom_bytes..fixed.range.end - bom_bytes),
                    state.editor.encoding(),
                ),
                new_text: fixed.new,
            });
            all.push((uri, None, edits.collect()));
        }
    }
    all.retain(|(_, _, edits): &(_, _, Vec<TextEdit>)| !edits.is_empty());
    all
}

/// Adds a literal to the ignore list in a root's `pathfinder.toml`.
fn ignore(state: &ServerSnapshot, argument: &Value) -> Result<Option<Value>, LspError> {
    let text = |name: &str| argument.get(name).and_then(Value::as_str);
    let literal = text("literal").or_else(|| text("pattern")).ok_or_else(|| invalid_params("literal is missing"))?;
    let is_pattern = text("literal").is_none();
    let root = text("root").and_then(uri::to_path);
    let all_diagnostics = &state.root_diagnostics;
    let diagnostics = match &root {
        Some(root) => all_diagnostics.iter().find(|diagnostics| diagnostics.root() == *root),
        None => all_diagnostics.first().filter(|_| all_diagnostics.len() == 1),
    };
    let diagnostics = diagnostics.ok_or_else(|| invalid_params("root must be the URI of one of the roots"))?;
    let file = ignore_literal(&diagnostics.root(), literal, is_pattern)
        .map_err(|error| LspError::Internal(error.to_string()))?;
    file_events::report(state, [file]);
    Ok(Some(json!({})))
}

/// Creates an empty file with its parent directories, and opens it in the editor.
async fn create_file(state: &ServerSnapshot, argument: &Value) -> Result<Option<Value>, LspError> {
    let uri = argument.get("uri").and_then(Value::as_str).ok_or_else(|| invalid_params("uri is missing"))?;
    let path = uri::to_path(uri).ok_or_else(|| invalid_params("uri must name a file"))?;
    let (path, uri) = state.run_blocking(move |state| check_creatable(state, &path)).await??;
    if state.editor.capabilities().can_create_files && state.editor.capabilities().has_document_changes {
        let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
        let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
        let operations = vec![DocumentChangeOperation::Op(ResourceOp::Create(create))];
        let document_changes = Some(DocumentChanges::Operations(operations));
        let edit = WorkspaceEdit { document_changes, ..WorkspaceEdit::default() };
        state.editor.apply("Create a file", edit).await.map_err(LspError::Internal)?;
    } else {
        let new_file = path.clone();
        state
            .run_blocking(move |state| create_in_root(state, &new_file))
            .await?
            .map_err(|error| LspError::Internal(error.to_string()))?;
    }
    state.editor.open(uri.clone()).await;
    state.run_blocking(move |state| file_events::report(state, [path])).await?;
    Ok(Some(json!({"uri": uri})))
}

/// Creates an empty file below its root.
fn create_in_root(state: &ServerSnapshot, path: &Path) -> std::io::Result<()> {
    let (base, rest) = nearest_directory(path)?;
    let real = base.join(rest);
    let below = |root: PathBuf| Some((real.strip_prefix(&root).ok()?.to_path_buf(), root));
    let (inside, root) = state
        .root_diagnostics
        .iter()
        .find_map(|diagnostics| below(diagnostics.root()))
        .ok_or(std::io::ErrorKind::NotFound)?;
    create(&root, &inside, b"")
}

/// Returns the path and URI of a file that may be created: inside a root, where nothing exists yet.
fn check_creatable(state: &ServerSnapshot, path: &Path) -> Result<(PathBuf, Uri), LspError> {
    let plain =
        path.components().all(|part| !matches!(part, std::path::Component::ParentDir | std::path::Component::CurDir));
    // The deepest existing directory decides where the file would really be.
    let inside = paths::nearest_above(path).is_some_and(|(parent, real)| {
        path.strip_prefix(parent).is_ok()
            && state.root_diagnostics.iter().any(|diagnostics| real.starts_with(diagnostics.root()))
    });
    if !plain || !inside {
        return Err(invalid_params(format!("{} is outside the roots", path.display())));
    }
    if paths::exists(path) {
        return Err(invalid_params(format!("{} is there already", path.display())));
    }
    let uri = uri::from_path(path).ok_or_else(|| invalid_params("the path is not UTF-8"))?;
    Ok((path.to_path_buf(), uri))
}

/// Returns the reason why a literal is broken and the paths that were tried, and shows them to the user if `show` is true.
fn explain(state: &ServerSnapshot, argument: &Value) -> Result<Value, LspError> {
    let uri = argument.get("uri").and_then(Value::as_str).ok_or_else(|| invalid_params("uri is missing"))?;
    let position = argument.get("position").cloned().unwrap_or(Value::Null);
    let position: Position = serde_json::from_value(position).map_err(|error| invalid_params(error.to_string()))?;
    let analysis = state.analyze(uri).ok_or_else(|| invalid_params("the document is not open, or not checked"))?;
    let offset = analysis.lines.offset(analysis.document.text(), position, state.editor.encoding());
    let literal = analysis.literal_at(offset).ok_or_else(|| invalid_params("no path is there"))?;
    let text = analysis.literal_text(literal);
    let finding = analysis.findings.iter().find(|finding| finding.range == literal.range);
    let reason = finding.map(|finding| finding.reason.as_str());
    if argument.get("show").and_then(Value::as_bool).unwrap_or_default() {
        let first = literal.tried.iter().take(MAX_SHOWN_PATHS).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = literal.tried.len().saturating_sub(MAX_SHOWN_PATHS);
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        state.editor.show(MessageType::INFO, format!("{text} was looked for at {first}{more}"));
    }
    Ok(json!({"literal": text, "kind": literal.kind.as_str(), "reason": reason, "tried": literal.tried}))
}

/// Applies the edit in the argument, for clients that support only commands as actions.
async fn apply_edit(state: &ServerSnapshot, argument: &Value) -> Result<Option<Value>, LspError> {
    let edit = argument.get("edit").cloned().ok_or_else(|| invalid_params("edit is missing"))?;
    let edit: WorkspaceEdit = serde_json::from_value(edit).map_err(|error| invalid_params(error.to_string()))?;
    if let Err(message) = state.editor.apply("Change a path", edit).await {
        state.editor.show(MessageType::WARNING, format!("pathfinder: {message}"));
    }
    Ok(None)
}
