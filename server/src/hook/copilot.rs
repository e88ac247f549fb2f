//! Copilot CLI: events and answers as GitHub's hooks reference has them. An event does not say its name: its members do.
//!
//! What is said to a prompt is not processed, so that prompts are not listened to.

use serde_json::{Value, json};

use super::event::{Event, Odd, Repair, text};
use super::repair::Means;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "copilot", means: Means::Rewrite, decode, encode };

fn decode(event: &Value) -> Result<Event, Odd> {
    if event.get("toolName").is_none() && event.get("prompt").is_some() {
        return Ok(Event::Other);
    }
    if event.get("toolName").is_none() && event.get("source").is_some() {
        return Ok(Event::Begun);
    }
    let tool = text(event, "toolName")?;
    // Some versions write the arguments as a text.
    let parsed = event["toolArgs"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let input = parsed.as_ref().unwrap_or(&event["toolArgs"]);
    if let Some(result) = event.get("toolResult") {
        let said = result["textResultForLlm"].as_str().unwrap_or_default();
        return Ok(if tools::is_shell(tool) { Event::Printed(said.to_owned()) } else { Event::Other });
    }
    if event.get("error").is_some() {
        return Ok(tools::call(tool, input).map_or(Event::Other, Event::Failed));
    }
    if event.get("toolArgs").is_none() {
        return Err(Odd::Missing("toolArgs"));
    }
    Ok(tools::about(tool, input).map_or(Event::Other, Event::Before))
}

fn encode(_event: &Value, repair: Repair) -> Option<Value> {
    match repair {
        Repair::Nothing => None,
        Repair::Rewrite { input, note } => Some(json!({"modifiedArgs": input, "additionalContext": note})),
        Repair::Note(note) => Some(json!({"additionalContext": note})),
    }
}
