//! opencode: the hooks of its plugins. The plugin that `hook install` writes (`opencode.js`) hands them over as
//! `{"event", "directory", "tool", "args", "output", "prompt"}`, and does what the answer says.
//!
//! Of a tool that fails no hook is told. So what is sure to fail, because its path is not there, is told before: sure, its path
//! is exchanged; unsure, the call fails with the candidates in its error.

use serde_json::{Value, json};

use super::event::{Event, Odd, Repair, text};
use super::repair::Means;
use super::{Agent, tools};

/// The plugin; `PROGRAM` stands for the command.
pub(super) const PLUGIN: &str = include_str!("opencode.js");

pub(super) const AGENT: Agent = Agent { name: "opencode", means: Means::Refuse, decode, encode };

fn decode(event: &Value) -> Result<Event, Odd> {
    match text(event, "event")? {
        "init" => Ok(Event::Begun),
        "chat.message" => Ok(Event::Prompt(text(event, "prompt")?.to_owned())),
        "tool.execute.before" => {
            Ok(tools::about(text(event, "tool")?, &event["args"]).map_or(Event::Other, Event::Before))
        }
        "tool.execute.after" if tools::is_shell(text(event, "tool")?) => {
            Ok(Event::Printed(text(event, "output")?.to_owned()))
        }
        "tool.execute.after" => Ok(Event::Other),
        name => Err(Odd::Unknown(name.to_owned())),
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
