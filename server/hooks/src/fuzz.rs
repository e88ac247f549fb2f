//! Fuzz target: feeds any bytes as an event to any agent's contract. The first byte chooses the agent.

use serde_json::Value;

use super::event::{Event, Repair, ToolCall};
use super::{AGENTS, Agent};
use pathfinder_project::path_mentions::{find_error_path, find_path_mentions};
use pathfinder_protocol::command_line::CommandLine;

/// Path that a call is redirected to: existing, inside the root, and not an option.
const TARGET: &str = "src/net/client.rs";

#[test]
fn events() {
    crate::fuzz_driver::run("hook-events", Vec::new(), |input| {
        let Some((chosen, event)) = input.split_first() else { return };
        let agent = &AGENTS[usize::from(*chosen) % AGENTS.len()];
        let Ok(event) = serde_json::from_slice::<Value>(event) else { return };
        match (agent.decode)(&event) {
            Ok(Event::PreTool(call)) => check_rewrite(agent, &event, &call),
            Ok(Event::CommandOutput(output) | Event::Prompt(output)) => {
                for line in output.lines() {
                    _ = find_error_path(line);
                    assert!(
                        find_path_mentions(line).iter().all(|mention| !mention.text(line).is_empty()),
                        "an empty path in {line:?}"
                    );
                }
            }
            _ => {}
        }
        _ = (agent.encode)(&event, Repair::Note("a note".to_owned()));
    });
}

/// Checks that a rewritten command differs in one word, the path, and that the other arguments are unchanged.
fn check_rewrite(agent: &Agent, event: &Value, call: &ToolCall) {
    let Some(rewritten) = call.with_path(TARGET) else { return };
    for (name, value) in &call.input {
        assert!(name == call.path_argument || rewritten.get(name) == Some(value), "{name} was changed");
    }
    if call.command.is_some() {
        let words = |arguments: &serde_json::Map<String, Value>| {
            let command = arguments[call.path_argument].as_str().expect("a command").to_owned();
            let mut read = Vec::new();
            _ = CommandLine::parse(&command, |words| {
                read = words.iter().map(|word| word.value.clone()).collect();
                None
            });
            assert!(!read.is_empty(), "a command that is not understood: {command:?}");
            read
        };
        let (before, after) = (words(&call.input), words(&rewritten));
        assert_eq!(before.len(), after.len(), "{before:?} {after:?}");
        let differing: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
        assert!(differing.len() <= 1 && before[0] == after[0], "{before:?} {after:?}");
        assert!(differing.iter().all(|(_, after)| *after == TARGET), "{before:?} {after:?}");
    }
    _ = (agent.encode)(event, Repair::Rewrite { input: rewritten, note: String::new() });
}
