//! The hook contracts of Copilot CLI and of Copilot in VS Code, which runs the hooks of the CLI's files with a contract of its own.
//!
//! The CLI's is that of GitHub's hooks reference: the members of an event tell its kind, and answers to a prompt are ignored, so that
//! prompts are not decoded. VS Code's (`docs/agent-customization/hooks.md` of `microsoft/vscode-docs`) names the event, and has the
//! members of Claude Code's otherwise.

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, text};
use super::repair::HookCapability;
use super::{Agent, claude_code, tools};

pub(super) const AGENT: Agent = Agent { name: "copilot", capability: HookCapability::Rewrite, decode, encode };

/// Names of the member that names the event, in the versions of VS Code.
const EVENT_NAMES: [&str; 2] = ["hookEventName", "hook_event_name"];

/// Returns the name that VS Code gives the event; `None` for an event of the CLI.
fn vscode_event(event: &Value) -> Option<&str> {
    EVENT_NAMES.iter().find_map(|name| event[*name].as_str())
}

fn decode(event: &Value) -> Result<Event, EventError> {
    if let Some(name) = vscode_event(event) {
        return match name {
            // Its answer cannot give the agent a text.
            "UserPromptSubmit" => Ok(Event::Other),
            _ => claude_code::decode_named(name, event, |response| response.as_str().unwrap_or_default().to_owned()),
        };
    }
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

fn encode(event: &Value, repair: Repair) -> Option<Value> {
    if let Some(name) = vscode_event(event) {
        return claude_code::encode_named(name, repair);
    }
    match repair {
        Repair::Nothing => None,
        Repair::Rewrite { input, note } => Some(json!({"modifiedArgs": input, "additionalContext": note})),
        Repair::Note(note) => Some(json!({"additionalContext": note})),
    }
}
