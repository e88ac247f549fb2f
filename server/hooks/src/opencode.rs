//! opencode's hook contract: the hooks of its plugins.
//!
//! `hook install` writes the plugin `opencode.js`, which sends events as `{"event", "directory", "tool", "args", "output", "prompt"}`
//! and applies the answer.
//!
//! opencode reports no failed tool. The hook therefore acts before a call on a missing path: a sure correction replaces the path,
//! an unsure one makes the call fail with the candidates in its error.

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, text};
use super::repair::HookCapability;
use super::{Agent, tools};

/// Source of the plugin; `PROGRAM` stands for the command.
pub(super) const PLUGIN: &str = include_str!("opencode.js");

pub(super) const AGENT: Agent = Agent { name: "opencode", capability: HookCapability::Refuse, decode, encode };

fn decode(event: &Value) -> Result<Event, EventError> {
    match text(event, "event")? {
        "init" => Ok(Event::SessionStart),
        "chat.message" => Ok(Event::Prompt(text(event, "prompt")?.to_owned())),
        "tool.execute.before" => {
            Ok(tools::parse_call_or_command(text(event, "tool")?, &event["args"]).map_or(Event::Other, Event::PreTool))
        }
        "tool.execute.after" if tools::is_shell(text(event, "tool")?) => {
            Ok(Event::CommandOutput(text(event, "output")?.to_owned()))
        }
        "tool.execute.after" => Ok(Event::Other),
        name => Err(EventError::Unknown(name.to_owned())),
    }
}

fn encode(event: &Value, repair: Repair) -> Option<Value> {
    match repair {
        Repair::Nothing => None,
        Repair::Rewrite { input, note } => Some(json!({"args": input, "append": note})),
        Repair::Note(note) if event["event"] == "tool.execute.before" => Some(json!({"error": note})),
        Repair::Note(note) => Some(json!({"append": note})),
    }
}
