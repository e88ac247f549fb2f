//! Agent hooks: reads an agent's event on stdin and answers with the right path. Called by `cli/hook.rs`, once per process.
//!
//! Each agent's contract has a module of its own: it decodes an event and encodes the answer. `repair` asks the engine in between.
//! No failure here stops the agent: the hook logs it and exits with status 0 without an answer.
//!
//! Most events do nothing: an event about an existing path ends before a snapshot is opened. Otherwise the engine is asked once per
//! path, with the call's payload as evidence: the file must contain the text to replace and the requested line. A search pattern
//! can decide among several files, and never counts against one.
//!
//! Only calls that read are redirected, only to a sure path, and only to the kind of entry that the tool takes. `tests/hooks` runs
//! the real agents, which differ in what they do with an answer.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests write files and look at the clock"))]

pub mod ahead;
mod backend;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod event;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
#[path = "../../../tests/fuzz/driver.rs"]
mod fuzz_driver;
mod gemini;
pub mod install;
mod note;
mod opencode;
#[cfg(all(test, unix))]
mod properties;
mod read_only_programs;
mod repair;
mod tools;

use std::path::PathBuf;

use serde_json::Value;

use ahead::AheadError;
use backend::HookBackend;
use event::{Event, EventError, Repair};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::SnapshotError;
use pathfinder_vfs::environment;
use pathfinder_vfs::roots;
use repair::HookCapability;

/// One agent's hook contract.
#[derive(Debug)]
struct Agent {
    /// Name on the command line.
    name: &'static str,
    /// Abilities of the agent's contract before a tool runs.
    capability: HookCapability,
    /// Decodes an event.
    decode: fn(&Value) -> Result<Event, EventError>,
    /// Encodes the answer to an event; `None` sends nothing.
    encode: fn(&Value, Repair) -> Option<Value>,
}

const AGENTS: [Agent; 7] =
    [claude_code::AGENT, codex::AGENT, cursor::AGENT, gemini::AGENT, copilot::AGENT, opencode::AGENT, cline::AGENT];

/// Reason for not answering. It is only logged.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// No agent has this name.
    #[error("unknown agent {0:?}: use one of {known}", known = agent_names().join(", "))]
    Agent(String),
    /// The event is not JSON.
    #[error("the event is not JSON: {0}")]
    Json(serde_json::Error),
    /// The event lacks a member.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The roots cannot be opened.
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    /// The process that reads ahead cannot be started.
    #[error(transparent)]
    Ahead(#[from] AheadError),
}

/// Returns the names of all supported agents.
pub fn agent_names() -> Vec<&'static str> {
    AGENTS.iter().map(|agent| agent.name).collect()
}

/// Answers one event of an agent. `send` gets the answer, if there is one.
///
/// # Errors
/// If the event or the project prevents an answer. An event that needs no answer is not an error.
pub fn answer(
    name: &str,
    roots: &[PathBuf],
    flags: Overrides,
    event: &[u8],
    send: impl FnMut(&Value),
) -> Result<(), HookError> {
    let agent = AGENTS.iter().find(|agent| agent.name == name).ok_or_else(|| HookError::Agent(name.to_owned()))?;
    // Cursor on Windows begins each event with a byte order mark.
    let event = event.strip_prefix("\u{feff}".as_bytes()).unwrap_or(event);
    let event: Value = serde_json::from_slice(event).map_err(HookError::Json)?;
    let decoded = (agent.decode)(&event)?;
    let send_repair = |repair: Repair| (agent.encode)(&event, repair).iter().for_each(send);
    if matches!(decoded, Event::Other) {
        send_repair(Repair::Nothing);
        return Ok(());
    }
    let directory = enter_directory(&event)?;
    if matches!(decoded, Event::SessionStart) {
        ahead::begin(roots, &flags)?;
        send_repair(Repair::Nothing);
        return Ok(());
    }
    let backend = HookBackend::new(roots, flags, directory);
    send_repair(repair::repair(&backend, &decoded, agent.capability)?);
    backend.keep();
    Ok(())
}

/// Enters and returns the agent's directory: relative paths of an event are relative to it, not to this process's start directory.
fn enter_directory(event: &Value) -> Result<PathBuf, SnapshotError> {
    // Cline and Cursor list the folders of the workspace, the primary one first.
    let stated = [&event["cwd"], &event["directory"], &event["workspaceRoots"][0], &event["workspace_roots"][0]];
    if let Some(directory) = stated.into_iter().filter_map(Value::as_str).find(|directory| !directory.is_empty()) {
        // A deleted directory has no paths to repair.
        environment::enter(without_uri_slash(directory)).map_err(roots::RootError::CurrentDirectory)?;
    }
    Ok(roots::current_dir()?)
}

/// Returns a directory of Windows that is written as in a URI, `/C:/project`, without the slash.
fn without_uri_slash(directory: &str) -> &str {
    match directory.as_bytes() {
        [b'/', drive, b':', b'/', ..] if cfg!(windows) && drive.is_ascii_alphabetic() => &directory[1..],
        _ => directory,
    }
}
