//! Events that are cut, doubled, of another type or endless: the agent goes on, whatever comes.

use serde_json::{Value, json};

use crate::project::{Outcome, Project};

const TREE: &str = "
    src/find/stream.rs = fn stream() {}
    .git/
";

/// Bytes of an event that no agent sends.
const HUGE_BYTES: usize = 100 << 20;

/// One event of each agent that has an answer.
fn events() -> [(&'static str, Value); 7] {
    let read = json!({"file_path": "src/fnd/stream.rs", "offset": 1, "description": "x"});
    let bash = json!({"command": "cat src/fnd/stream.rs", "description": "x"});
    let complaint = "cat: src/fnd/stream.rs: No such file or directory";
    [
        (
            "claude-code",
            json!({"hook_event_name": "PreToolUse", "cwd": "ROOT", "tool_name": "Bash", "tool_input": bash}),
        ),
        (
            "claude-code",
            json!({"hook_event_name": "PostToolUseFailure", "cwd": "ROOT", "tool_name": "Read", "tool_input": read, "error": "x"}),
        ),
        ("claude-code", json!({"hook_event_name": "UserPromptSubmit", "cwd": "ROOT", "prompt": "src/fnd/stream.rs:1"})),
        (
            "codex",
            json!({"hook_event_name": "PostToolUse", "cwd": "ROOT", "tool_name": "Bash", "tool_input": bash, "tool_response": complaint}),
        ),
        (
            "gemini",
            json!({"hook_event_name": "AfterTool", "cwd": "ROOT", "tool_name": "read_file", "tool_input": read, "tool_response": {"error": {"message": "x"}}}),
        ),
        ("copilot", json!({"cwd": "ROOT", "toolName": "view", "toolArgs": {"path": "src/fnd/stream.rs"}})),
        (
            "opencode",
            json!({"event": "tool.execute.before", "directory": "ROOT", "tool": "read", "args": {"filePath": "src/fnd/stream.rs"}}),
        ),
    ]
}

#[track_caller]
fn send(project: &Project, agent: &str, event: &[u8]) -> Outcome {
    let outcome = project.run(&["hook", agent], event);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.took_all, "the agent's write would have failed: {outcome:?}");
    if !outcome.stdout.is_empty() {
        assert!(serde_json::from_str::<Value>(&outcome.stdout).unwrap().is_object(), "{outcome:?}");
    }
    outcome
}

/// Nothing is answered, and one line says why.
#[track_caller]
fn refuses(project: &Project, agent: &str, event: &[u8]) {
    let outcome = send(project, agent, event);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.lines().count()), ("", 1), "{outcome:?}");
}

fn text(project: &Project, event: &Value) -> String {
    event.to_string().replace("ROOT", &project.root().display().to_string())
}

#[test]
fn answers_whole_events() {
    let project = Project::new(TREE);
    for (agent, event) in events() {
        let outcome = send(&project, agent, text(&project, &event).as_bytes());
        assert!(outcome.stdout.contains("src/find/stream.rs"), "{agent} {event} {outcome:?}");
    }
}

#[test]
fn refuses_cut_and_doubled_events() {
    let project = Project::new(TREE);
    for (agent, event) in events() {
        let event = text(&project, &event);
        for end in (0..event.len()).step_by(29) {
            refuses(&project, agent, &event.as_bytes()[..end]);
        }
        refuses(&project, agent, &event.as_bytes()[..event.len() - 1]);
        refuses(&project, agent, event.repeat(2).as_bytes());
        refuses(&project, agent, format!("[{event},{event}]").as_bytes());
        refuses(&project, agent, format!("{event}\u{0}").as_bytes());
    }
}

#[test]
fn goes_on_with_members_of_other_types() {
    let project = Project::new(TREE);
    let others = [json!(null), json!(true), json!(-1.5e300), json!("\u{0}"), json!([[], {}]), json!({"x": {"y": []}})];
    for (agent, event) in events() {
        let mut pointers = Vec::new();
        collect_pointers(&event, String::new(), &mut pointers);
        for (at, pointer) in pointers.iter().enumerate() {
            // Two of the types for each member, all of them for all.
            for other in [&others[at % others.len()], &others[(at + 3) % others.len()]] {
                let mut event = event.clone();
                *event.pointer_mut(pointer).unwrap() = other.clone();
                send(&project, agent, text(&project, &event).as_bytes());
            }
        }
    }
}

fn collect_pointers(value: &Value, at: String, pointers: &mut Vec<String>) {
    for (name, member) in value.as_object().into_iter().flatten() {
        collect_pointers(member, format!("{at}/{name}"), pointers);
    }
    pointers.push(at);
}

#[test]
fn refuses_endless_events() {
    let project = Project::new(TREE);
    let fill = |text: &str| text.repeat(HUGE_BYTES / text.len());
    for event in [
        format!(
            "{{\"hook_event_name\":\"UserPromptSubmit\",\"cwd\":\"ROOT\",\"prompt\":\"{}\"}}",
            fill("src/fnd/stream.rs:1 ")
        ),
        fill("["),
        fill("{\"a\":"),
        fill(" "),
        format!("[{}0]", fill("0,")),
    ] {
        refuses(&project, "claude-code", event.as_bytes());
    }
}
