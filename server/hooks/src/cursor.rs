//! Cursor's hook contract, as its documentation has it (<https://cursor.com/docs/hooks.md>, August 2026).
//!
//! The reference does not name the arguments of tools. Recorded events of Cursor 3.11 have `file_path`, no `cwd`, and folders of the
//! workspace. The event after a failure has no answer, and other arguments cannot be explained. A call on a missing path is therefore
//! refused with the candidates, and only then: it would fail anyway. Nothing is allowed, since only the user decides that.

use std::path::Path;

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, ToolCall, text};
use super::repair::HookCapability;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "cursor", capability: HookCapability::RefuseOnly, decode, encode };

fn decode(event: &Value) -> Result<Event, EventError> {
    let name = text(event, "hook_event_name")?;
    match name {
        "sessionStart" => return Ok(Event::SessionStart),
        "preToolUse" | "postToolUse" => {}
        _ => return Err(EventError::Unknown(name.to_owned())),
    }
    let tool = text(event, "tool_name")?;
    if name == "preToolUse" {
        let call = tools::parse_call(tool, &event["tool_input"]).filter(|call| has_one_meaning(call, event));
        return Ok(call.map_or(Event::Other, Event::PreTool));
    }
    let output = event["tool_output"].as_str().filter(|_| tools::is_shell(tool));
    Ok(output.map_or(Event::Other, |output| Event::CommandOutput(command_output(output))))
}

/// Returns false for a pattern, and for a relative path in a workspace of several folders: it can belong to any of them.
fn has_one_meaning(call: &ToolCall, event: &Value) -> bool {
    let has_one_base =
        Path::new(&call.path).is_absolute() || event["workspace_roots"].as_array().is_none_or(|roots| roots.len() < 2);
    has_one_base && !call.path.contains(['*', '?', '{'])
}

/// Returns the texts of a command's result, which is an object written as text.
fn command_output(output: &str) -> String {
    let Ok(Value::Object(members)) = serde_json::from_str(output) else { return output.to_owned() };
    members.values().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

fn encode(event: &Value, repair: Repair) -> Option<Value> {
    match repair {
        Repair::Note(note) if event["hook_event_name"] == "preToolUse" => {
            Some(json!({"permission": "deny", "user_message": note, "agent_message": note}))
        }
        Repair::Note(note) => Some(json!({"additional_context": note})),
        // Some hooks of others say that no answer at all counts as a failure.
        Repair::Nothing => Some(json!({})),
        // Calls are never redirected here.
        Repair::Rewrite { .. } => None,
    }
}
