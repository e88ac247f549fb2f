//! `pathfinder resolve PATH...`: resolves paths.

use std::ffi::OsString;
use std::io::Write as _;

use pathfinder_core::{Answer, Request, Status};
use serde::Serialize;

use super::args::{OutputFormat, RequestArgs, Scope};
use super::output::{Exit, print_error, write_json, write_text};
use super::progress::Progress;
use super::render;
use super::text_paths::TextPaths;
use pathfinder_hooks::ahead;
use pathfinder_ipc::question::{Audience, ResolveQuestion, Resolved};
use pathfinder_ipc::{CommandEngine, SnapshotEngine};
use pathfinder_project::snapshot::SnapshotError;
use pathfinder_protocol::answer::{WireAnswer, WireError, encode};

/// An answer with the root that its paths are relative to.
#[derive(Serialize)]
struct RootedAnswer<'a> {
    /// Only with a single root: among several, each path names its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    #[serde(flatten)]
    answer: WireAnswer<'a>,
}

/// Resolves each path and prints the answers in the same order.
pub(crate) fn run(scope: &Scope, paths: Vec<OsString>, request_args: &RequestArgs) -> anyhow::Result<Exit> {
    let format = request_args.output.format.unwrap_or_default();
    format.refuse_absolute(request_args.output.absolute)?;
    scope.refuse_too_wide()?;
    let is_alone = paths.len() == 1;
    let questions: Vec<Result<ResolveQuestion, OsString>> =
        paths.into_iter().map(|path| path.into_string().map(|path| question(path, request_args))).collect();
    let known: Vec<&Request> = questions.iter().flatten().map(|question| &question.request).collect();
    let engine = CommandEngine::for_command(&scope.roots, scope.overrides(), || open(scope, &known));
    let written = TextPaths::new(request_args.output.absolute);
    let mut worst = Exit::Answered;
    for question in &questions {
        let exit = match question {
            Ok(question) => ask(&engine, question, request_args, is_alone, &written)?,
            Err(path) => {
                let path = path.to_string_lossy();
                let message = format!("PATH is not UTF-8: {path}; only text can be resolved");
                print_failure(format, "BadRequest", &message)?
            }
        };
        worst = if exit as u8 > worst as u8 { exit } else { worst };
    }
    // Stores what was read only after the answers are printed.
    if let Some(own) = engine.opened() {
        own.keep();
        if own.has_pending_history() {
            ahead::read_later(&scope.roots, &scope.overrides());
        }
    }
    Ok(worst)
}

fn question(failed_path: String, request_args: &RequestArgs) -> ResolveQuestion {
    let request = Request {
        failed_path,
        limit: request_args.limit(),
        op: request_args.op.into(),
        intent_text: request_args.intent.clone().unwrap_or_default(),
        root_hint: request_args.root_hint.clone(),
        from_file: request_args.from.clone(),
        history: request_args.history.clone(),
        evidence: request_args.evidence.clone(),
        lexical: false,
        explain: request_args.output.explain.is_some(),
    };
    ResolveQuestion { request, audience: Audience::Command, chosen: None, is_used: false }
}

/// Resolves one path and prints the answer. `is_alone` is true if it is the only one.
fn ask(
    engine: &CommandEngine<'_>,
    question: &ResolveQuestion,
    request_args: &RequestArgs,
    is_alone: bool,
    written: &TextPaths,
) -> anyhow::Result<Exit> {
    let format = request_args.output.format.unwrap_or_default();
    let request = &question.request;
    let resolved = match engine.ask(request.explain, |backend| backend.resolve(question))? {
        Ok(resolved) => resolved,
        Err(error) => return print_failure(format, error.kind.name(), &error.message),
    };
    match format {
        OutputFormat::Json => {
            let Resolved { roots, answer, timing, .. } = &resolved;
            let root = match &roots[..] {
                [root] => Some(root.canonical.as_str()),
                _ => None,
            };
            write_json(&RootedAnswer { root, answer: encode(None, roots, request, answer, timing.total) })?;
        }
        OutputFormat::Text => print(request, &resolved, request_args, is_alone, written)?,
    }
    Ok(exit(&resolved.answer))
}

/// Reads the roots, and git history if one of the requests needs it.
fn open(scope: &Scope, requests: &[&Request]) -> Result<SnapshotEngine, SnapshotError> {
    let _progress = Progress::start("reading the tree");
    let mut workspace = scope.open_without_history()?;
    if requests.iter().any(|request| workspace.needs_history(request)) {
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
///
/// Only certain paths of several requests go to stdout: there, candidates could not be told from answers.
fn print(
    request: &Request,
    resolved: &Resolved,
    request_args: &RequestArgs,
    is_alone: bool,
    written: &TextPaths,
) -> anyhow::Result<()> {
    let Resolved { answer, roots, .. } = resolved;
    let paths = render::paths(written, roots, answer, request_args.output.explain);
    let note = render::note(answer);
    if is_alone {
        write_text(&paths)?;
        anstream::stderr().lock().write_all(note.as_bytes())?;
        return Ok(());
    }
    let note = format!("{}: {note}", render::printable(&request.failed_path));
    if exit(answer) == Exit::Answered {
        write_text(&paths)?;
        anstream::stderr().lock().write_all(note.as_bytes())?;
    } else {
        let mut errors = anstream::stderr().lock();
        errors.write_all(note.as_bytes())?;
        paths.lines().try_for_each(|line| writeln!(errors, "  {line}"))?;
    }
    Ok(())
}
