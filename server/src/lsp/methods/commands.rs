//! `workspace/executeCommand`: for clients that can send nothing else, and for what an edit cannot do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, ExecuteCommandParams, MessageType,
    ResourceOp, TextEdit, Uri, WorkspaceEdit,
};

use super::super::desk::Desk;
use super::super::position::Lines;
use super::super::{disk, encode, uri};
use super::command::Command;
use super::{code_action, requests};
use crate::check::ignore_literal;
use crate::fix::{self, Threshold};
use crate::os::replace::{create, nearest_directory};

fn wrong(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error { message: message.into(), ..Error::invalid_params("") }
}

fn failed(message: String) -> Error {
    Error { message: message.into(), ..Error::internal_error() }
}

pub(in crate::lsp) async fn execute(desk: &Arc<Desk>, params: ExecuteCommandParams) -> Result<Option<Value>> {
    let Some(command) = Command::ALL.into_iter().find(|command| command.name() == params.command) else {
        let known = Command::ALL.map(Command::name).join(", ");
        return Err(wrong(format!("there is no command {:?}; there are: {known}", params.command)));
    };
    // Some clients wrap the arguments once more.
    let argument = params.arguments.into_iter().next().unwrap_or(Value::Null);
    let argument = match argument {
        Value::Array(mut inner) if inner.len() == 1 => inner.remove(0),
        other => other,
    };
    match command {
        Command::Resolve => beside(desk, move |desk| requests::resolve(desk, &argument)).await?.map(Some),
        Command::Find => beside(desk, move |desk| requests::find(desk, &argument)).await?.map(Some),
        Command::Roots => beside(desk, |desk| requests::roots(desk)).await?.map(Some),
        Command::Reindex => beside(desk, requests::reindex).await?.map(Some),
        Command::FixAll => fix_all(desk, argument).await.map(Some),
        Command::Ignore => beside(desk, move |desk| ignore(desk, &argument)).await?,
        Command::CreateFile => create_file(desk, &argument).await,
        Command::Apply => apply(desk, &argument).await,
    }
}

async fn beside<T: Send + 'static>(desk: &Arc<Desk>, run: impl FnOnce(&Arc<Desk>) -> T + Send + 'static) -> Result<T> {
    let desk = Arc::clone(desk);
    tokio::task::spawn_blocking(move || run(&desk)).await.map_err(|error| failed(format!("internal error: {error}")))
}

/// Mends all of which it is sure what was meant, in one file (`uri`) or in all.
async fn fix_all(desk: &Arc<Desk>, argument: Value) -> Result<Value> {
    let uri = argument.get("uri").and_then(Value::as_str).map(str::to_owned);
    let dry = argument.get("dryRun").and_then(Value::as_bool).unwrap_or(false);
    let all = beside(desk, move |desk| planned(desk, uri.as_deref())).await?;
    let (files, count) = (all.len(), all.iter().map(|(_, _, edits)| edits.len()).sum::<usize>());
    let edit = encode::edits_of(all, desk.editor.can());
    if dry {
        return Ok(json!({"files": files, "paths": count, "edit": edit}));
    }
    if count > 0 {
        desk.editor.apply("Change paths that lead nowhere", edit).await.map_err(failed)?;
    }
    Ok(json!({"files": files, "paths": count}))
}

/// What is sure, by document.
fn planned(desk: &Arc<Desk>, only: Option<&str>) -> Vec<(Uri, Option<i32>, Vec<TextEdit>)> {
    let mut all = Vec::new();
    // Not in the loop: the texts would be held all through it, and nobody could look at one.
    let uris = desk.documents().uris();
    for uri in uris {
        if only.is_some_and(|only| only != uri.as_str()) {
            continue;
        }
        let Some(look) = desk.look(uri.as_str()) else { continue };
        let look = desk.mend(&look).unwrap_or(look);
        all.push((uri, Some(look.version), code_action::edits(desk, &look)));
    }
    for diagnostics in desk.surveys().iter() {
        let (root, checker) = (diagnostics.root(), diagnostics.checker());
        for (file, findings) in diagnostics.findings() {
            let path = root.join(&file);
            let Some(uri) = uri::of(&path) else { continue };
            if desk.documents().uri_of(&path).is_some() || only.is_some_and(|only| only != uri.as_str()) {
                continue;
            }
            let Some(plan) = fix::plan(&checker, &file, &findings, Threshold::Preferred) else { continue };
            // What is no text in UTF-8 has no places that an editor could name.
            let Ok(text) = std::str::from_utf8(&plan.before) else { continue };
            let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let shown = &text[mark..];
            let lines = Lines::of(shown);
            let edits = plan.fixed.into_iter().map(|mended| TextEdit {
                range: lines.range(
                    shown,
                    &(mended.range.start - mark..mended.range.end - mark),
                    desk.editor.encoding(),
                ),
                new_text: mended.new,
            });
            all.push((uri, None, edits.collect()));
        }
    }
    all.retain(|(_, _, edits): &(_, _, Vec<TextEdit>)| !edits.is_empty());
    all
}

/// Has a literal ignored everywhere in a root.
fn ignore(desk: &Arc<Desk>, argument: &Value) -> Result<Option<Value>> {
    let text = |name: &str| argument.get(name).and_then(Value::as_str);
    let literal = text("literal").or_else(|| text("pattern")).ok_or_else(|| wrong("literal is missing"))?;
    let is_pattern = text("literal").is_none();
    let root = text("root").and_then(uri::path);
    let surveys = desk.surveys();
    let diagnostics = match &root {
        Some(root) => surveys.iter().find(|diagnostics| diagnostics.root() == *root),
        None => surveys.first().filter(|_| surveys.len() == 1),
    };
    let diagnostics = diagnostics.ok_or_else(|| wrong("root must be the URI of one of the roots"))?;
    let file = ignore_literal(&diagnostics.root(), literal, is_pattern).map_err(|error| failed(error.to_string()))?;
    disk::happened(desk, [file]);
    Ok(Some(json!({})))
}

/// Makes an empty file, with the directories that it needs, and opens it.
async fn create_file(desk: &Arc<Desk>, argument: &Value) -> Result<Option<Value>> {
    let uri = argument.get("uri").and_then(Value::as_str).ok_or_else(|| wrong("uri is missing"))?;
    let path = uri::path(uri).ok_or_else(|| wrong("uri must name a file"))?;
    let (path, uri) = beside(desk, move |desk| allowed(desk, &path)).await??;
    if desk.editor.can().creates_files && desk.editor.can().document_changes {
        let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
        let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
        let operations = vec![DocumentChangeOperation::Op(ResourceOp::Create(create))];
        let document_changes = Some(DocumentChanges::Operations(operations));
        let edit = WorkspaceEdit { document_changes, ..WorkspaceEdit::default() };
        desk.editor.apply("Create a file", edit).await.map_err(failed)?;
    } else {
        let made = path.clone();
        beside(desk, move |desk| make(desk, &made)).await?.map_err(|error| failed(error.to_string()))?;
    }
    desk.editor.open(uri.clone()).await;
    beside(desk, move |desk| disk::happened(desk, [path])).await?;
    Ok(Some(json!({"uri": uri})))
}

/// Makes an empty file below the root that it is in.
fn make(desk: &Desk, path: &Path) -> std::io::Result<()> {
    let (base, rest) = nearest_directory(path)?;
    let real = base.join(rest);
    let below = |root: PathBuf| Some((real.strip_prefix(&root).ok()?.to_path_buf(), root));
    let (inside, root) =
        desk.surveys().iter().find_map(|diagnostics| below(diagnostics.root())).ok_or(std::io::ErrorKind::NotFound)?;
    create(&root, &inside, b"")
}

/// The file that may be made: inside a root, where nothing is yet.
fn allowed(desk: &Desk, path: &Path) -> Result<(PathBuf, Uri)> {
    let plain =
        path.components().all(|part| !matches!(part, std::path::Component::ParentDir | std::path::Component::CurDir));
    // The deepest directory that is there says where the file would really be.
    let there = path.ancestors().skip(1).find_map(|parent| Some((parent, dunce::canonicalize(parent).ok()?)));
    let inside = there.is_some_and(|(parent, real)| {
        path.strip_prefix(parent).is_ok()
            && desk.surveys().iter().any(|diagnostics| real.starts_with(diagnostics.root()))
    });
    if !plain || !inside {
        return Err(wrong(format!("{} is outside the roots", path.display())));
    }
    if path.symlink_metadata().is_ok() {
        return Err(wrong(format!("{} is there already", path.display())));
    }
    let uri = uri::of(path).ok_or_else(|| wrong("the path is not UTF-8"))?;
    Ok((path.to_path_buf(), uri))
}

/// Applies an edit that came as an argument: for clients that know actions as commands only.
async fn apply(desk: &Arc<Desk>, argument: &Value) -> Result<Option<Value>> {
    let edit = argument.get("edit").cloned().ok_or_else(|| wrong("edit is missing"))?;
    let edit: WorkspaceEdit = serde_json::from_value(edit).map_err(|error| wrong(error.to_string()))?;
    if let Err(message) = desk.editor.apply("Change a path", edit).await {
        desk.editor.show(MessageType::WARNING, format!("pathfinder: {message}"));
    }
    Ok(None)
}
