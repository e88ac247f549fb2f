//! Hooks: what an agent tells of itself while it works, answered with the path that was meant.
//!
//! One file per agent's contract: an event is decoded, the engine is asked once per path, the answer is encoded. Nothing that goes
//! wrong here is the agent's concern: it goes on as if there were no hook.

pub(crate) mod ahead;
mod ask;
mod claude_code;
mod codex;
mod copilot;
mod event;
#[cfg(test)]
mod fuzz;
mod gemini;
pub(crate) mod install;
mod note;
mod opencode;
#[cfg(all(test, unix))]
mod properties;
mod readers;
mod repair;
mod tools;

use std::path::PathBuf;

use serde_json::Value;

use crate::os::roots;
use crate::settings::Overrides;
use crate::snapshot::SnapshotError;
use ahead::AheadError;
use ask::Engine;
use event::{Event, Odd, Repair};
use repair::Means;

/// One agent's contract.
#[derive(Debug)]
struct Agent {
    /// Its name on the command line.
    name: &'static str,
    /// What can be done before a tool runs.
    means: Means,
    /// What an event says.
    decode: fn(&Value) -> Result<Event, Odd>,
    /// The answer to an event; `None` says nothing.
    encode: fn(&Value, Repair) -> Option<Value>,
}

const AGENTS: [Agent; 5] = [claude_code::AGENT, codex::AGENT, gemini::AGENT, copilot::AGENT, opencode::AGENT];

/// Why nothing is answered. It is only logged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HookError {
    #[error("there is no agent {0:?}; there are {known}", known = names().join(", "))]
    Agent(String),
    #[error("the event is not JSON: {0}")]
    Json(serde_json::Error),
    #[error(transparent)]
    Odd(#[from] Odd),
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    #[error(transparent)]
    Ahead(#[from] AheadError),
}

/// The agents that there are.
pub(crate) fn names() -> Vec<&'static str> {
    AGENTS.iter().map(|agent| agent.name).collect()
}

/// Answers one event of an agent.
///
/// # Errors
/// When there is no answer, and not because there is nothing to say.
pub(crate) fn answer(
    agent: &str,
    roots: Vec<PathBuf>,
    flags: Overrides,
    event: &[u8],
    say: impl FnOnce(&Value),
) -> Result<(), HookError> {
    let agent = AGENTS.iter().find(|known| known.name == agent).ok_or_else(|| HookError::Agent(agent.to_owned()))?;
    let event: Value = serde_json::from_slice(event).map_err(HookError::Json)?;
    let decoded = (agent.decode)(&event)?;
    if matches!(decoded, Event::Other) {
        return Ok(());
    }
    let directory = directory(&event)?;
    if matches!(decoded, Event::Begun) {
        return Ok(ahead::begin(&roots, &flags)?);
    }
    let engine = Engine::new(roots, flags, directory);
    let repair = repair::repair(&engine, &decoded, agent.means)?;
    if let Some(answer) = (agent.encode)(&event, repair) {
        say(&answer);
    }
    engine.keep();
    Ok(())
}

/// Where the agent is. What is relative in an event is relative to that, wherever this program was started.
fn directory(event: &Value) -> Result<PathBuf, SnapshotError> {
    let said = ["cwd", "directory"].iter().find_map(|name| event[*name].as_str());
    if let Some(directory) = said.filter(|directory| !directory.is_empty()) {
        // A directory that is gone is no place to be in, and nothing is asked there.
        std::env::set_current_dir(directory).map_err(roots::RootError::CurrentDirectory)?;
    }
    Ok(roots::current_dir()?)
}
