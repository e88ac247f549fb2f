//! Gemini CLI's hook contract: events and answers as its hooks reference has them.
//!
//! Text added to a failed tool's result never reaches the model (0.61.0), but a replaced result does. A rewritten argument cannot be
//! explained beforehand. The hook therefore does nothing before a tool runs, and replaces a failure by the error and the suggestion.

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, text};
use super::repair::HookCapability;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "gemini", capability: HookCapability::Nothing, decode, encode };

fn decode(event: &Value) -> Result<Event, EventError> {
    let name = text(event, "hook_event_name")?;
    match name {
        "SessionStart" => Ok(Event::SessionStart),
        "BeforeAgent" => Ok(Event::Prompt(text(event, "prompt")?.to_owned())),
        "BeforeTool" => Ok(Event::Other),
        "AfterTool" => {
            let tool = text(event, "tool_name")?;
            if tools::is_shell(tool) {
                // A prefix stands before the output in its first line.
                let output = event["tool_response"]["llmContent"].as_str().unwrap_or_default();
                return Ok(Event::CommandOutput(output.replace("\nOutput: ", "\n")));
            }
            let ended = if event["tool_response"]["error"].is_object() { Event::ToolFailed } else { Event::PostTool };
            Ok(tools::parse_call(tool, &event["tool_input"]).map_or(Event::Other, ended))
        }
        _ => Err(EventError::Unknown(name.to_owned())),
    }
}

fn encode(event: &Value, repair: Repair) -> Option<Value> {
    let Repair::Note(note) = repair else { return None };
    match event["tool_response"]["error"]["message"].as_str() {
        Some(error) => Some(json!({"decision": "deny", "reason": format!("{error}\n{note}")})),
        None => Some(json!({"hookSpecificOutput": {
            "hookEventName": event["hook_event_name"],
            "additionalContext": note,
        }})),
    }
}
