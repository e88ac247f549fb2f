//! Claude Code's hook contract: events and answers as its SDK types them (`HookInput`, `SyncHookJSONOutput`).
//!
//! Version 2.1.328 announces a read of a missing path before it runs; earlier versions do not. All versions report the failure.
//! No answer has a `permissionDecision`: only the user decides whether a tool may run.

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, text};
use super::repair::HookCapability;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "claude-code", capability: HookCapability::Rewrite, decode, encode };

fn decode(event: &Value) -> Result<Event, EventError> {
    decode_shared(event, |response| {
        let member = |name: &str| response[name].as_str().unwrap_or_default();
        response.as_str().map_or_else(|| format!("{}\n{}", member("stdout"), member("stderr")), str::to_owned)
    })
}

/// Decodes the events that Codex shares with Claude Code. `output` returns the text that a command printed.
pub(super) fn decode_shared(event: &Value, output: impl FnOnce(&Value) -> String) -> Result<Event, EventError> {
    decode_named(text(event, "hook_event_name")?, event, output)
}

/// Decodes an event of this name.
pub(super) fn decode_named(
    name: &str,
    event: &Value,
    output: impl FnOnce(&Value) -> String,
) -> Result<Event, EventError> {
    match name {
        "SessionStart" => return Ok(Event::SessionStart),
        "UserPromptSubmit" => return Ok(Event::Prompt(text(event, "prompt")?.to_owned())),
        _ => {}
    }
    if !["PreToolUse", "PostToolUse", "PostToolUseFailure"].contains(&name) {
        return Err(EventError::Unknown(name.to_owned()));
    }
    let tool = text(event, "tool_name")?;
    let call = || tools::parse_call(tool, &event["tool_input"]);
    Ok(match name {
        "PreToolUse" => tools::parse_call_or_command(tool, &event["tool_input"]).map_or(Event::Other, Event::PreTool),
        "PostToolUseFailure" if tools::is_shell(tool) => Event::CommandOutput(text(event, "error")?.to_owned()),
        // Some searches of a missing directory succeed without results.
        "PostToolUse" if tools::is_shell(tool) => Event::CommandOutput(output(&event["tool_response"])),
        "PostToolUseFailure" => call().map_or(Event::Other, Event::ToolFailed),
        _ => call().map_or(Event::Other, Event::PostTool),
    })
}

pub(super) fn encode(event: &Value, repair: Repair) -> Option<Value> {
    encode_named(event["hook_event_name"].as_str().unwrap_or_default(), repair)
}

/// Encodes the answer to an event of this name.
pub(super) fn encode_named(name: &str, repair: Repair) -> Option<Value> {
    let specific = match repair {
        Repair::Nothing => return None,
        Repair::Rewrite { input, note } => {
            json!({"hookEventName": name, "updatedInput": input, "additionalContext": note})
        }
        Repair::Note(note) => json!({"hookEventName": name, "additionalContext": note}),
    };
    Some(json!({"hookSpecificOutput": specific}))
}
