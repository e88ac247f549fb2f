//! What a host answers beside MCP: to commands and hooks, which print what is asked for here in forms of their own.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use pathfinder_core::FindRequest;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::Peer;
use crate::find;
use crate::suggestion::{Question, Suggestion, suggest};
use crate::wire::line::{self, NoId};
use crate::wire::request::Defaults;
use crate::workspace::Workspace;

/// One method.
pub(crate) struct Method {
    name: &'static str,
    /// Answers parameters that are this text to a guest in this directory.
    answer: fn(&Workspace, &Path, &str) -> Result<Box<RawValue>, String>,
}

/// All of them.
const METHODS: &[Method] = &[
    Method { name: RESOLVE, answer: resolve },
    Method { name: FIND, answer: finding },
    Method { name: MEANT, answer: hooked },
];
const RESOLVE: &str = "pathfinder/resolve";
const FIND: &str = "pathfinder/find";
const MEANT: &str = "pathfinder/meant";

/// A line of `resolve --batch`, and what counts where it says nothing.
#[derive(Serialize, Deserialize)]
struct Resolve<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
    no_id: NoId,
    limit: usize,
    explain: bool,
}

/// A line of `find --batch`, and what counts where it says nothing.
#[derive(Serialize, Deserialize)]
struct Find<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
    no_id: NoId,
    limit: usize,
    implementation: bool,
    explain: bool,
}

/// A hook's question.
#[derive(Serialize, Deserialize)]
struct Asked {
    /// The agent's, canonical.
    directory: PathBuf,
    question: Question,
}

/// The method of this name.
pub(crate) fn named(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

impl Method {
    /// Answers.
    ///
    /// # Errors
    /// In words, when the parameters make no sense or the roots cannot be used.
    pub(crate) fn answer(
        &self,
        workspace: &Workspace,
        directory: &Path,
        params: &str,
    ) -> Result<Box<RawValue>, String> {
        (self.answer)(workspace, directory, params)
    }
}

/// Has a host answer a line of `resolve --batch`. `None` if it cannot: then this process can.
pub(crate) fn ask_resolve(peer: &Peer, line: &str, no_id: NoId, defaults: Defaults) -> Option<Box<RawValue>> {
    peer.ask(RESOLVE, &Resolve { line: line.into(), no_id, limit: defaults.limit, explain: defaults.explain }).ok()
}

/// Has a host answer a line of `find --batch`. `None` if it cannot.
pub(crate) fn ask_find(peer: &Peer, line: &str, no_id: NoId, defaults: &FindRequest) -> Option<Box<RawValue>> {
    let FindRequest { limit, implementation, explain, .. } = *defaults;
    peer.ask(FIND, &Find { line: line.into(), no_id, limit, implementation, explain }).ok()
}

/// Has a host say what was meant. `None` if it cannot.
pub(crate) fn ask_meant(peer: &Peer, directory: &Path, question: &Question) -> Option<Suggestion> {
    let asked = Asked { directory: directory.to_owned(), question: question.clone() };
    serde_json::from_str(peer.ask(MEANT, &asked).ok()?.get()).ok()
}

fn resolve(workspace: &Workspace, directory: &Path, params: &str) -> Result<Box<RawValue>, String> {
    let Resolve { line, no_id, limit, explain } = read(params)?;
    let snapshot = workspace.snapshot().map_err(|error| error.to_string())?;
    let _asking = workspace.begin_query();
    let snapshot = snapshot.without_visits().with_current_dir(directory);
    line::resolved(&snapshot, line.as_bytes(), no_id, Defaults { limit, explain }).map_err(|error| error.to_string())
}

fn finding(workspace: &Workspace, directory: &Path, params: &str) -> Result<Box<RawValue>, String> {
    let Find { line, no_id, limit, implementation, explain } = read(params)?;
    let snapshot = workspace.snapshot().map_err(|error| error.to_string())?;
    let _asking = workspace.begin_query();
    let snapshot = snapshot.without_visits().with_current_dir(directory);
    let defaults = FindRequest { query: String::new(), limit, implementation, explain };
    let mut is_whole = true;
    let answer = line::found(&snapshot, line.as_bytes(), no_id, &defaults, |request| {
        let asked = find::find(&snapshot, request);
        is_whole = asked.answer.as_ref().map_or(true, |answer| answer.strong || answer.declared.0 == answer.declared.1);
        asked
    });
    // A command reads what it needs before it answers.
    if is_whole { answer.map_err(|error| error.to_string()) } else { Err("files are still being read".to_owned()) }
}

fn hooked(workspace: &Workspace, _: &Path, params: &str) -> Result<Box<RawValue>, String> {
    let Asked { directory, question } = read(params)?;
    let snapshot = workspace.snapshot().map_err(|error| error.to_string())?;
    let _asking = workspace.begin_query();
    to_raw_value(&suggest(&snapshot.with_current_dir(&directory), &directory, &question))
        .map_err(|error| error.to_string())
}

fn read<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, String> {
    serde_json::from_str(params).map_err(|error| format!("parameters that this version does not know: {error}"))
}
