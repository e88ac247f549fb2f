//! Claude Code: events and answers as its SDK types them (`HookInput`, `SyncHookJSONOutput`).
//!
//! A read of a path that is not there is announced in 2.1.328, and was not in versions before it; the failure always is. No
//! `permissionDecision` is ever given: whether a tool may run is the user's to say.

use serde_json::{Value, json};

use super::event::{Event, Odd, Repair, text};
use super::repair::Means;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "claude-code", means: Means::Rewrite, decode, encode };

fn decode(event: &Value) -> Result<Event, Odd> {
    decode_as(event, |response| {
        let said = |name: &str| response[name].as_str().unwrap_or_default();
        response.as_str().map_or_else(|| format!("{}\n{}", said("stdout"), said("stderr")), str::to_owned)
    })
}

/// The events that Codex has taken over from Claude Code; `output` is what a command has printed.
pub(super) fn decode_as(event: &Value, output: impl FnOnce(&Value) -> String) -> Result<Event, Odd> {
    let name = text(event, "hook_event_name")?;
    match name {
        "SessionStart" => return Ok(Event::Begun),
        "UserPromptSubmit" => return Ok(Event::Prompt(text(event, "prompt")?.to_owned())),
        _ => {}
    }
    if !["PreToolUse", "PostToolUse", "PostToolUseFailure"].contains(&name) {
        return Err(Odd::Unknown(name.to_owned()));
    }
    let tool = text(event, "tool_name")?;
    let call = || tools::call(tool, &event["tool_input"]);
    Ok(match name {
        "PreToolUse" => tools::about(tool, &event["tool_input"]).map_or(Event::Other, Event::Before),
        "PostToolUseFailure" if tools::is_shell(tool) => Event::Printed(text(event, "error")?.to_owned()),
        // Some searches of a directory that is not there end well, with nothing found.
        "PostToolUse" if tools::is_shell(tool) => Event::Printed(output(&event["tool_response"])),
        "PostToolUseFailure" => call().map_or(Event::Other, Event::Failed),
        _ => call().map_or(Event::Other, Event::Ended),
    })
}

pub(super) fn encode(event: &Value, repair: Repair) -> Option<Value> {
    let name = &event["hook_event_name"];
    let specific = match repair {
        Repair::Nothing => return None,
        Repair::Rewrite { input, note } => {
            json!({"hookEventName": name, "updatedInput": input, "additionalContext": note})
        }
        Repair::Note(note) => json!({"hookEventName": name, "additionalContext": note}),
    };
    Some(json!({"hookSpecificOutput": specific}))
}
