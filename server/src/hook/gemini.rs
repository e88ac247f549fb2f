//! Gemini CLI: events and answers as its hooks reference has them.
//!
//! What is added to the result of a tool that has failed never reaches the model (0.61.0); what replaces the result does. And
//! who rewrites an argument beforehand cannot say so. So nothing is done before, and of a failure the result is replaced by the
//! same error with what was meant.

use serde_json::{Value, json};

use super::event::{Event, Odd, Repair, text};
use super::repair::Means;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "gemini", means: Means::Nothing, decode, encode };

fn decode(event: &Value) -> Result<Event, Odd> {
    let name = text(event, "hook_event_name")?;
    match name {
        "SessionStart" => Ok(Event::Begun),
        "BeforeAgent" => Ok(Event::Prompt(text(event, "prompt")?.to_owned())),
        "BeforeTool" => Ok(Event::Other),
        "AfterTool" => {
            let tool = text(event, "tool_name")?;
            if tools::is_shell(tool) {
                // The output stands behind a word for it in the first line.
                let said = event["tool_response"]["llmContent"].as_str().unwrap_or_default();
                return Ok(Event::Printed(said.replace("\nOutput: ", "\n")));
            }
            let ended = if event["tool_response"]["error"].is_object() { Event::Failed } else { Event::Ended };
            Ok(tools::call(tool, &event["tool_input"]).map_or(Event::Other, ended))
        }
        _ => Err(Odd::Unknown(name.to_owned())),
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
