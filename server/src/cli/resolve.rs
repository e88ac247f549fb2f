//! `pathfinder resolve PATH`: resolves one path.

use std::ffi::OsString;
use std::io::Write as _;

use pathfinder_core::{Answer, Request, Status};

use super::args::{OutputFormat, RequestArgs, Scope};
use super::output::{Exit, print_error, write_json, write_text};
use super::render;
use pathfinder_hooks::ahead;
use pathfinder_ipc::question::{Audience, ResolveQuestion, Resolved};
use pathfinder_ipc::{CommandEngine, SnapshotEngine};
use pathfinder_project::snapshot::SnapshotError;
use pathfinder_protocol::answer::{WireError, encode};

/// Resolves one path and prints the answer.
pub(crate) fn run(scope: &Scope, path: Option<OsString>, request_args: RequestArgs) -> anyhow::Result<Exit> {
    let format = request_args.format.unwrap_or_default();
    let failed_path = match path.unwrap_or_default().into_string() {
        Ok(path) => path,
        Err(path) => {
            let path = path.to_string_lossy();
            let message = format!("PATH is not UTF-8: {path}; only text can be resolved");
            return print_failure(format, "BadRequest", &message);
        }
    };
    let request = Request {
        failed_path,
        limit: request_args.limit(),
        op: request_args.op.into(),
        intent_text: request_args.intent.unwrap_or_default(),
        root_hint: request_args.root_hint,
        from_file: request_args.from,
        history: request_args.history,
        evidence: request_args.evidence,
        lexical: false,
        explain: request_args.explain,
    };
    let question = ResolveQuestion { request, audience: Audience::Command, chosen: None, is_used: false };
    let request = &question.request;
    let engine = CommandEngine::for_command(&scope.roots, scope.overrides(), || open(scope, request));
    let resolved = match engine.ask(request.explain, |backend| backend.resolve(&question))? {
        Ok(resolved) => resolved,
        Err(error) => return print_failure(format, error.kind.name(), &error.message),
    };
    match format {
        OutputFormat::Json => {
            write_json(&encode(None, &resolved.roots, request, &resolved.answer, resolved.timing.total))?;
        }
        OutputFormat::Text => print(request, &resolved)?,
    }
    // Stores what was read only after the answer is printed.
    if let Some(own) = engine.opened() {
        own.keep();
        if own.has_pending_history() {
            ahead::read_later(&scope.roots, &scope.overrides());
        }
    }
    Ok(exit(&resolved.answer))
}

/// Reads the roots, and git history if the request needs it.
fn open(scope: &Scope, request: &Request) -> Result<SnapshotEngine, SnapshotError> {
    let mut workspace = scope.open_without_history()?;
    if workspace.needs_history(request) {
        workspace = workspace.with_newest_history();
    }
    Ok(SnapshotEngine::new(workspace))
}

fn exit(answer: &Answer) -> Exit {
    match answer.status {
        Status::Exists | Status::Resolved => Exit::Answered,
        Status::Ambiguous | Status::NotFound => Exit::Negative,
    }
}

/// Prints an error to stderr, and for JSON also to stdout.
fn print_failure(format: OutputFormat, kind: &'static str, message: &str) -> anyhow::Result<Exit> {
    if format == OutputFormat::Json {
        write_json(&WireError::new(None, kind, message.to_owned()))?;
    }
    print_error(kind, message);
    Ok(Exit::Failed)
}

/// Prints paths to stdout, so that `$(pathfinder resolve …)` is a path, and notes for the user to stderr.
fn print(request: &Request, resolved: &Resolved) -> anyhow::Result<()> {
    let Resolved { answer, roots, .. } = resolved;
    write_text(&render::paths(roots, answer, request.explain))?;
    anstream::stderr().lock().write_all(render::note(answer).as_bytes())?;
    Ok(())
}
