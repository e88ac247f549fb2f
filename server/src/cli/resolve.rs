//! `pathfinder resolve PATH`: resolves one path.

use std::ffi::OsString;
use std::io::Write as _;

use pathfinder_core::{Answer, Request, Root, Status};

use super::args::{OutputFormat, RequestArgs, Scope};
use super::{Exit, backend, print_error, render, write_json, write_text};
use pathfinder_hooks::ahead;
use pathfinder_ipc::methods::ask_resolve;
use pathfinder_protocol::answer::{ResolveReply, WireError, encode, kind_of};
use pathfinder_protocol::line::NoId;
use pathfinder_protocol::read;
use pathfinder_protocol::request::{Defaults, encode as encode_request};

/// Resolves one path and prints the answer.
pub(crate) fn run(scope: &Scope, path: Option<OsString>, request_args: RequestArgs) -> anyhow::Result<Exit> {
    let format = request_args.format.unwrap_or_default();
    let failed_path = match path.unwrap_or_default().into_string() {
        Ok(path) => path,
        Err(path) => {
            let path = path.to_string_lossy();
            let message = format!("PATH is not UTF-8: {path}; only text can be resolved");
            return print_failure(
                format,
                &ResolveReply::Error(WireError::new(None, "BadRequest", message.clone())),
                "BadRequest",
                &message,
            );
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
    if let Some(exit) = ask_shared_engine(scope, format, &request)? {
        return Ok(exit);
    }
    let mut workspace = scope.open_without_history()?;
    if workspace.needs_history(&request) {
        workspace = workspace.with_newest_history();
    }
    let roots = workspace.engine().roots();
    let (result, timing) = workspace.ask(&request);
    let reply = encode(None, roots, &request, &result, timing.total);
    match &result {
        Err(error) => print_failure(format, &reply, kind_of(error), &error.to_string()),
        Ok(answer) => {
            match format {
                OutputFormat::Json => write_json(&reply)?,
                OutputFormat::Text => print(roots, &request, answer)?,
            }
            // Stores what was read only after the answer is printed.
            workspace.keep();
            if workspace.has_pending_history() {
                ahead::read_later(&scope.roots, &scope.overrides());
            }
            Ok(exit(answer))
        }
    }
}

/// Asks another process that shares its engine. `None` if there is none, or an explanation is wanted, which it does
/// not give.
fn ask_shared_engine(scope: &Scope, format: OutputFormat, request: &Request) -> anyhow::Result<Option<Exit>> {
    let Some(host) = backend::connect(scope).filter(|_| !request.explain) else { return Ok(None) };
    let defaults = Defaults { limit: request.limit, explain: request.explain };
    let Some(answer) = ask_resolve(&host, &encode_request(request), NoId::None, defaults) else { return Ok(None) };
    let Some(read) = read::parse_answer(answer.get()) else { return Ok(None) };
    if format == OutputFormat::Json {
        write_json(&answer)?;
    }
    Ok(Some(match read {
        Err((kind, message)) => {
            print_error(&kind, &message);
            Exit::Failed
        }
        Ok(answer) => {
            if format == OutputFormat::Text {
                print(&[], request, &answer)?;
            }
            exit(&answer)
        }
    }))
}

fn exit(answer: &Answer) -> Exit {
    match answer.status {
        Status::Exists | Status::Resolved => Exit::Answered,
        Status::Ambiguous | Status::NotFound => Exit::Negative,
    }
}

/// Prints an error to stderr, and for JSON also to stdout.
fn print_failure(format: OutputFormat, reply: &ResolveReply, kind: &str, message: &str) -> anyhow::Result<Exit> {
    if format == OutputFormat::Json {
        write_json(reply)?;
    }
    print_error(kind, message);
    Ok(Exit::Failed)
}

/// Prints paths to stdout, so that `$(pathfinder resolve …)` is a path, and notes for the user to stderr.
fn print(roots: &[Root], request: &Request, answer: &Answer) -> anyhow::Result<()> {
    write_text(&render::paths(roots, answer, request.explain))?;
    anstream::stderr().lock().write_all(render::note(answer).as_bytes())?;
    Ok(())
}
