//! The hook contract of Cline in VS Code and on the command line, as its sources have it (`apps/vscode/src/sdk/hooks-adapter.ts` and
//! `sdk/packages/core/src/hooks/hook-file-hooks.ts` of `cline/cline`, August 2026). `tests/hooks` runs that of the command line.
//!
//! A hook is a script with the name of its event. Only that of a finished tool is used: before a tool runs, VS Code ignores other
//! arguments. The arguments come as texts, lists among them as JSON. A read takes several files, and the event of VS Code does not
//! say which of them failed, so the disk is asked, and no contents are shown.

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair, ToolCall, text};
use super::repair::HookCapability;
use super::{Agent, tools};

pub(super) const AGENT: Agent = Agent { name: "cline", capability: HookCapability::Nothing, decode, encode };

/// Names of the event after a tool: of VS Code, and of the command line.
const AFTER_TOOL: [&str; 2] = ["PostToolUse", "tool_result"];

/// Tools that run commands, of this and earlier versions.
const COMMAND_TOOLS: [&str; 2] = ["run_commands", "execute_command"];

/// Arguments of `read_files` with the files. Models use all of them.
const FILES_ARGUMENTS: [&str; 3] = ["files", "file_paths", "paths"];

fn decode(event: &Value) -> Result<Event, EventError> {
    let name = text(event, "hookName")?;
    if !AFTER_TOOL.contains(&name) {
        return Err(EventError::Unknown(name.to_owned()));
    }
    let call = &event["postToolUse"];
    let (tool, parameters) = (text(call, "toolName")?, &call["parameters"]);
    if COMMAND_TOOLS.contains(&tool) {
        return Ok(Event::CommandOutput(command_output(call["result"].as_str().unwrap_or_default())));
    }
    if tool == "read_files" {
        return Ok(Event::PostTools(read_calls(parameters)));
    }
    Ok(tools::parse_call(tool, parameters).map_or(Event::Other, Event::PostTool))
}

/// Returns a call for each file of a read.
fn read_calls(parameters: &Value) -> Vec<ToolCall> {
    let listed = FILES_ARGUMENTS.iter().find_map(|name| parameters.get(*name));
    let parsed = listed.and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let files = match parsed.or_else(|| listed.cloned()) {
        Some(Value::Array(files)) => files,
        Some(file) => vec![file],
        None => vec![parameters.clone()],
    };
    let call = |file: &Value| match file {
        Value::String(path) => tools::parse_call("read_file", &json!({ "path": path })),
        file => tools::parse_call("read_file", file),
    };
    files.iter().filter_map(call).collect()
}

/// Returns the text of a command's result, which can be a list with one entry for each command.
fn command_output(result: &str) -> String {
    let Ok(Value::Array(entries)) = serde_json::from_str(result) else { return result.to_owned() };
    let texts = entries.iter().flat_map(|entry| [&entry["result"], &entry["error"]]).filter_map(Value::as_str);
    texts.collect::<Vec<_>>().join("\n")
}

fn encode(_event: &Value, repair: Repair) -> Option<Value> {
    match repair {
        Repair::Note(note) => Some(json!({"cancel": false, "contextModification": note})),
        // Nothing before a tool reaches this.
        Repair::Nothing | Repair::Rewrite { .. } => None,
    }
}
