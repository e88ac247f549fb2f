//! The requests that are our own: the same as on the command line and over MCP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_core::{Op, Request, Status};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::super::desk::Desk;
use crate::wire::answer::{encode, rounded, shown};
use crate::wire::request::{Defaults, Fields};
use crate::workspace::{Asked, WorkspaceError};

/// The requests, by their names on the wire.
pub(in crate::lsp) const METHODS: [&str; 4] =
    ["pathfinder/resolve", "pathfinder/find", "pathfinder/roots", "pathfinder/reindex"];

/// Results of `find` when nobody says how many: the contract's default.
const FOUND: usize = 10;
/// What has a lower score has nothing of what was asked for but its place.
const LEAST: f32 = 5.0;

fn wrong(message: String) -> Error {
    Error { message: message.into(), ..Error::invalid_params("") }
}

fn failed(error: &WorkspaceError) -> Error {
    Error { message: error.to_string().into(), ..Error::internal_error() }
}

/// Without a folder there is nothing to ask. Not even the directory that the server was started in: editors start it anywhere.
fn rooted(desk: &Desk) -> Result<()> {
    if desk.workspace.is_open() {
        return Ok(());
    }
    let message = "no folder is open: open one, or a file, and what is around it is known".into();
    Err(Error { message, ..Error::invalid_request() })
}

/// `pathfinder/resolve`: a request as `resolve --batch` reads it, its answer as that prints it.
pub(in crate::lsp) fn resolve(desk: &Desk, params: &Value) -> Result<Value> {
    rooted(desk)?;
    let text = params.to_string();
    let fields = Fields::parse(&text, "the parameters").map_err(wrong)?;
    let defaults = Defaults { limit: Request::DEFAULT_LIMIT, explain: false };
    let request = fields.request(defaults).map_err(wrong)?;
    let id: Option<Box<RawValue>> = params.get("id").and_then(|id| serde_json::value::to_raw_value(id).ok());
    let (session, result, total) = match desk.workspace.ask(&request) {
        Ok(Asked { answer, timing, session, .. }) => {
            if let (Status::Exists | Status::Resolved, Some((root, path))) = (answer.status, &answer.path) {
                desk.workspace.note(&session, *root, path);
            }
            (session, Ok(answer), timing.total)
        }
        // A request that cannot be answered has an answer that says so.
        Err(WorkspaceError::Ask(error)) => {
            (desk.workspace.current().map_err(|error| failed(&error))?, Err(error), Duration::ZERO)
        }
        Err(error) => return Err(failed(&error)),
    };
    let reply = encode(id.as_deref(), session.engine().roots(), &request, &result, total);
    serde_json::to_value(&reply).map_err(|error| wrong(error.to_string()))
}

/// A file that was found.
pub(in crate::lsp) struct Found {
    /// Which root it is in.
    pub(in crate::lsp) root: usize,
    /// Relative to it.
    pub(in crate::lsp) path: String,
    pub(in crate::lsp) score: f32,
    pub(in crate::lsp) why: String,
}

/// Files that a few words or a part of a path may mean, best first.
///
/// The engine is asked for what looks most like a path among the words; all of them are its intent.
pub(in crate::lsp) fn search(
    desk: &Desk,
    query: &str,
    limit: usize,
) -> std::result::Result<Vec<Found>, WorkspaceError> {
    let words = || query.split_whitespace();
    let like_a_path = |word: &&str| (word.contains('/'), word.contains('.'), word.len());
    let Some(path) = words().max_by_key(like_a_path) else { return Ok(Vec::new()) };
    let intent_text = if words().nth(1).is_some() { query.to_owned() } else { String::new() };
    let request = Request { op: Op::Stat, intent_text, limit, ..Request::new(path) };
    let Asked { answer, .. } = desk.workspace.ask(&request)?;
    let mut all = Vec::new();
    // What is there exactly so is no candidate.
    if let (Status::Exists, Some((root, path))) = (answer.status, &answer.path) {
        let path = path.text().into_owned();
        all.push(Found { root: *root, path, score: 100.0, why: "it is there exactly so".to_owned() });
    }
    for candidate in answer.candidates.iter().filter(|candidate| candidate.score >= LEAST) {
        let path = shown(&candidate.path).into_owned();
        if all.iter().all(|found| (found.root, &found.path) != (candidate.root, &path)) {
            let first = all.is_empty();
            let why = if first { answer.why.clone() } else { String::new() };
            all.push(Found { root: candidate.root, path, score: candidate.score, why });
        }
    }
    all.truncate(limit);
    Ok(all)
}

/// `pathfinder/find`.
pub(in crate::lsp) fn find(desk: &Desk, params: &Value) -> Result<Value> {
    rooted(desk)?;
    let text = params.to_string();
    let fields = Fields::parse(&text, "the parameters").map_err(wrong)?;
    let query: Option<String> = fields.get("query", "a text").map_err(wrong)?;
    let query = query.ok_or_else(|| wrong("query is missing: give a part of a path, or a few words".to_owned()))?;
    let limit = fields.count("limit", "a whole number from 1 to 200", 1).map_err(wrong)?.unwrap_or(FOUND);
    let session = desk.workspace.current().map_err(|error| failed(&error))?;
    let found = search(desk, &query, limit.min(pathfinder_core::CANDIDATES_MAX)).map_err(|error| failed(&error))?;
    let several = session.opened().len() > 1;
    let results: Vec<Value> = found
        .iter()
        .map(|found| {
            let mut result = json!({"path": found.path, "score": rounded(found.score, 1), "why": found.why});
            if several {
                result["root"] = json!(session.opened()[found.root].root.given);
            }
            result
        })
        .collect();
    let mut answer = json!({"status": if results.is_empty() { "none" } else { "found" }, "results": results});
    if let Some(id) = params.get("id") {
        answer["id"] = id.clone();
    }
    Ok(answer)
}

/// `pathfinder/roots`.
pub(in crate::lsp) fn roots(desk: &Desk) -> Result<Value> {
    use pathfinder_core::Probe as _;
    if !desk.workspace.is_open() {
        return Ok(json!({"roots": []}));
    }
    let session = desk.workspace.current().map_err(|error| failed(&error))?;
    let roots = session.opened().iter().zip(session.engine().roots()).enumerate().map(|(at, (opened, root))| {
        let stats = root.snapshot.stats();
        let condition = if session.probe().root_gone(at).is_some() { "gone" } else { "ready" };
        let path = opened.root.canonical.to_string_lossy();
        json!({"path": path, "files": stats.files, "directories": stats.directories, "state": condition})
    });
    Ok(json!({"roots": roots.collect::<Vec<_>>()}))
}

/// `pathfinder/reindex`.
pub(in crate::lsp) fn reindex(desk: &Arc<Desk>) -> Result<Value> {
    rooted(desk)?;
    let start = Instant::now();
    let session = desk.workspace.reindex().map_err(|error| failed(&error))?;
    let stats = session.engine().roots().iter().map(|root| root.snapshot.stats());
    let (files, directories) = stats.fold((0, 0), |sum, stats| (sum.0 + stats.files, sum.1 + stats.directories));
    let elapsed_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(json!({"files": files, "directories": directories, "elapsed_ms": elapsed_ms}))
}
