//! Copilot CLI's hook contract: events and answers as GitHub's hooks reference has them. The members of an event tell its kind.
//!
//! Copilot ignores answers to a prompt, so prompts are not decoded.

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, text};
use super::repair::HookCapability;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "copilot", capability: HookCapability::Rewrite, decode, encode };

fn decode(event: &Value) -> Result<Event, EventError> {
    if event.get("toolName").is_none() && event.get("prompt").is_some() {
        return Ok(Event::Other);
    }
    if event.get("toolName").is_none() && event.get("source").is_some() {
        return Ok(Event::SessionStart);
    }
    let tool = text(event, "toolName")?;
    // Some versions send the arguments as JSON text.
    let parsed = event["toolArgs"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let input = parsed.as_ref().unwrap_or(&event["toolArgs"]);
    if let Some(result) = event.get("toolResult") {
        let output = result["textResultForLlm"].as_str().unwrap_or_default();
        return Ok(if tools::is_shell(tool) { Event::CommandOutput(output.to_owned()) } else { Event::Other });
    }
    if event.get("error").is_some() {
        return Ok(tools::parse_call(tool, input).map_or(Event::Other, Event::ToolFailed));
    }
    if event.get("toolArgs").is_none() {
        return Err(EventError::Missing("toolArgs"));
    }
    Ok(tools::parse_call_or_command(tool, input).map_or(Event::Other, Event::PreTool))
}

fn encode(_event: &Value, repair: Repair) -> Option<Value> {
    match repair {
        Repair::Nothing => None,
        Repair::Rewrite { input, note } => Some(json!({"modifiedArgs": input, "additionalContext": note})),
        Repair::Note(note) => Some(json!({"additionalContext": note})),
    }
}
