//! Methods of the shared engine beside MCP: commands and hooks ask with them and print the answers in their own formats.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use pathfinder_core::FindRequest;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::EngineClient;
use crate::suggestion::{Suggestion, SuggestionRequest, suggest};
use pathfinder_project::find;
use pathfinder_project::workspace::Workspace;
use pathfinder_protocol::line::{self, NoId};
use pathfinder_protocol::request::Defaults;

/// One method.
pub struct Method {
    name: &'static str,
    /// Answers parameters (JSON text) for a client in this directory.
    answer: fn(&Workspace, &Path, &str) -> Result<Box<RawValue>, String>,
}

/// All methods.
const METHODS: &[Method] = &[
    Method { name: RESOLVE, answer: answer_resolve },
    Method { name: FIND, answer: answer_find },
    Method { name: SUGGEST, answer: answer_suggest },
];
const RESOLVE: &str = "pathfinder/resolve";
const FIND: &str = "pathfinder/find";
const SUGGEST: &str = "pathfinder/meant";

/// Parameters of [`RESOLVE`]: a line of `resolve --batch`, and the defaults of its members.
#[derive(Serialize, Deserialize)]
struct ResolveParams<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
    no_id: NoId,
    limit: usize,
    explain: bool,
}

/// Parameters of [`FIND`]: a line of `find --batch`, and the defaults of its members.
#[derive(Serialize, Deserialize)]
struct FindParams<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
    no_id: NoId,
    limit: usize,
    implementation: bool,
    explain: bool,
}

/// Parameters of [`SUGGEST`]: a hook's question.
#[derive(Serialize, Deserialize)]
struct SuggestParams {
    /// The agent's directory, canonical.
    directory: PathBuf,
    question: SuggestionRequest,
}

/// Returns the method of this name.
pub fn find_method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

impl Method {
    /// Answers a request.
    ///
    /// # Errors
    /// A message, when the parameters are invalid or the roots cannot be used.
    pub fn answer(&self, workspace: &Workspace, directory: &Path, params: &str) -> Result<Box<RawValue>, String> {
        (self.answer)(workspace, directory, params)
    }
}

/// Asks the leader to answer a line of `resolve --batch`. `None` if it cannot, and this process must.
pub fn ask_resolve(client: &EngineClient, line: &str, no_id: NoId, defaults: Defaults) -> Option<Box<RawValue>> {
    client
        .request(RESOLVE, &ResolveParams { line: line.into(), no_id, limit: defaults.limit, explain: defaults.explain })
        .ok()
}

/// Asks the leader to answer a line of `find --batch`. `None` if it cannot.
pub fn ask_find(client: &EngineClient, line: &str, no_id: NoId, defaults: &FindRequest) -> Option<Box<RawValue>> {
    let FindRequest { limit, implementation, explain, .. } = *defaults;
    client.request(FIND, &FindParams { line: line.into(), no_id, limit, implementation, explain }).ok()
}

/// Asks the leader for a suggestion. `None` if it cannot answer.
pub fn ask_suggestion(client: &EngineClient, directory: &Path, question: &SuggestionRequest) -> Option<Suggestion> {
    let params = SuggestParams { directory: directory.to_owned(), question: question.clone() };
    serde_json::from_str(client.request(SUGGEST, &params).ok()?.get()).ok()
}

fn answer_resolve(workspace: &Workspace, directory: &Path, params: &str) -> Result<Box<RawValue>, String> {
    let ResolveParams { line, no_id, limit, explain } = parse(params)?;
    let snapshot = workspace.snapshot().map_err(|error| error.to_string())?;
    let _asking = workspace.begin_query();
    let snapshot = snapshot.without_visits().with_current_dir(directory);
    line::answer_resolve(&snapshot, line.as_bytes(), no_id, Defaults { limit, explain })
        .map_err(|error| error.to_string())
}

fn answer_find(workspace: &Workspace, directory: &Path, params: &str) -> Result<Box<RawValue>, String> {
    let FindParams { line, no_id, limit, implementation, explain } = parse(params)?;
    let snapshot = workspace.snapshot().map_err(|error| error.to_string())?;
    let _asking = workspace.begin_query();
    let snapshot = snapshot.without_visits().with_current_dir(directory);
    let defaults = FindRequest { query: String::new(), limit, implementation, explain };
    let mut is_whole = true;
    let answer = line::answer_find(&snapshot, line.as_bytes(), no_id, &defaults, |request| {
        let asked = find::find(&snapshot, request);
        is_whole = asked.answer.as_ref().map_or(true, |answer| answer.strong || answer.declared.0 == answer.declared.1);
        asked
    });
    // A command waits for all declarations, so an incomplete answer is an error here.
    if is_whole { answer.map_err(|error| error.to_string()) } else { Err("files are still being read".to_owned()) }
}

fn answer_suggest(workspace: &Workspace, _: &Path, params: &str) -> Result<Box<RawValue>, String> {
    let SuggestParams { directory, question } = parse(params)?;
    let snapshot = workspace.snapshot().map_err(|error| error.to_string())?;
    let _asking = workspace.begin_query();
    to_raw_value(&suggest(&snapshot.with_current_dir(&directory), &directory, &question))
        .map_err(|error| error.to_string())
}

fn parse<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, String> {
    serde_json::from_str(params).map_err(|error| format!("parameters that this version does not know: {error}"))
}
