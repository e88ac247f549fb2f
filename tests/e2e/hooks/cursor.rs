//! Events of Cursor as its documentation and recorded ones have them, and what they are answered.

use serde_json::{Value, json};

use super::{check, open};

/// An event with the members that all events of Cursor have.
fn cursor(name: &str, more: &Value) -> Value {
    let mut event = json!({"conversation_id": "c", "generation_id": "g", "model": "m", "hook_event_name": name,
        "cursor_version": "3.11.25", "workspace_roots": ["ROOT"], "user_email": null, "transcript_path": null});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

#[test]
fn refuses_what_would_fail_and_says_why() {
    let before = |tool: &str, input: Value, expect: &str| {
        let event = cursor("preToolUse", &json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t"}));
        check("cursor", "preToolUse", &event, expect);
    };
    let refused =
        r#"{"permission":"deny","user_message":"{…}","agent_message":"{…}It is {…}find/walk.rs\" (confidence {…}"}"#;
    before("Read", json!({"file_path": "ROOT/src/fnd/walk.rs"}), refused);
    before("Read", json!({"path": "src/fnd/walk.rs", "offset": 1}), refused);
    before("Read", json!({"file_path": "handler.py"}), r#"{"permission":"deny"{…}Perhaps: {…}"#);
    before("Grep", json!({"pattern": "fn", "path": "src/fnd"}), r#"{"permission":"deny"{…}src/find{…}"#);
    // Nothing that works, writes, is a pattern or has no answer is refused; a shell reports its own failures.
    before("Read", json!({"file_path": "ROOT/docs/guide.md"}), "{}");
    before("Read", json!({"file_path": "ROOT/nothing/of/this/kind.xyz"}), "{}");
    before("Grep", json!({"pattern": "fn", "path": "src/fnd/*.rs"}), "{}");
    before("Write", json!({"file_path": "ROOT/src/fnd/walk.rs", "content": "x"}), "{}");
    before("Delete", json!({"file_path": "ROOT/src/fnd/walk.rs"}), "{}");
    before("Shell", json!({"command": "cat src/fnd/walk.rs"}), "{}");
    let both = json!({"tool_name": "Read", "tool_input": {"file_path": "src/fnd/walk.rs"}, "workspace_roots": ["ROOT", "/other"]});
    check("cursor", "preToolUse", &cursor("preToolUse", &both), "{}");
}

#[test]
fn explains_what_a_command_could_not_find() {
    let after = |tool: &str, output: &str, expect: &str| {
        let more = json!({"tool_name": tool, "tool_input": {"command": "x"}, "tool_output": output, "duration": 3});
        check("cursor", "postToolUse", &cursor("postToolUse", &more), expect);
    };
    let failed = "cat: src/fnd/walk.rs: No such file or directory";
    let note = r#"{"additional_context":"{…}It is \"src/find/walk.rs\" (confidence {…}"}"#;
    after("Shell", &json!({"exitCode": 1, "stdout": "", "stderr": failed}).to_string(), note);
    after("Shell", failed, note);
    after("Shell", &json!({"exitCode": 0, "stdout": "fine"}).to_string(), "{}");
    after("Read", failed, "{}");
    check("cursor", "sessionStart", &cursor("sessionStart", &json!({"session_id": "s"})), "{}");
}

#[test]
fn broken_events_are_named() {
    open(&["hook", "cursor"], "{}", "the event has no hook_event_name");
    open(&["hook", "cursor"], "{\"hook_event_name\": \"stop\"}", "the event \"stop\" is not known");
    // As on Windows.
    open(&["hook", "cursor"], "\u{feff}{\"hook_event_name\": \"preToolUse\"}", "the event has no tool_name");
}
