//! Events of Cline as its sources have them, and what they are answered.

use serde_json::{Value, json};

use super::{check, open};

#[test]
fn explains_what_a_tool_could_not_find() {
    let check_after = |tool_name: &str, parameters: Value, result: &str, expect: &str| {
        for name in ["PostToolUse", "tool_result"] {
            let tool = json!({"toolName": tool_name, "parameters": parameters, "result": result, "success": true, "executionTimeMs": 3});
            let event = json!({"clineVersion": "4", "hookName": name, "timestamp": "1", "taskId": "t",
                "workspaceRoots": ["ROOT"], "userId": "u", "postToolUse": tool});
            check("cline", name, &event, expect);
        }
    };
    let note = r#"{"cancel":false,"contextModification":"{…}It is {…}find/walk.rs\" (confidence {…}"}"#;
    let files = |files: &str| json!({"files": files});
    // VS Code makes a text of the result that says nothing.
    let nothing = "[object Object]";
    check_after("read_files", files(r#"[{"path":"ROOT/src/fnd/walk.rs","start_line":1}]"#), nothing, note);
    check_after("read_files", files(r#"[{"path":"docs/guide.md"},{"path":"src/fnd/walk.rs"}]"#), nothing, note);
    check_after("read_files", json!({"paths": r#"["src/fnd/walk.rs"]"#}), nothing, note);
    check_after("read_files", json!({"path": "src/fnd/walk.rs"}), nothing, note);
    let both = r#"[{"path":"src/fnd/walk.rs"},{"path":"src/fnd/stream.rs"}]"#;
    check_after("read_files", files(both), nothing, r#"{"cancel":false{…}find/walk.rs{…}find/stream.rs{…}"#);
    check_after("read_files", files(r#"[{"path":"docs/guide.md"}]"#), nothing, "");
    check_after("read_files", files("not JSON"), nothing, "");
    check_after("read_files", json!({}), nothing, "");
    check_after("read_file", json!({"path": "src/fnd/walk.rs"}), "Error", note);
    let failed = "cat: src/fnd/walk.rs: No such file or directory";
    check_after("execute_command", json!({"command": "cat src/fnd/walk.rs"}), failed, note);
    let results =
        json!([{"query": "cat src/fnd/walk.rs", "result": "", "error": failed, "success": false}]).to_string();
    check_after("run_commands", json!({"commands": r#"["cat src/fnd/walk.rs"]"#}), &results, note);
    check_after("write_to_file", json!({"path": "src/fnd/walk.rs", "content": "x"}), "", "");
}

#[test]
fn broken_events_are_named() {
    open(&["hook", "cline"], "{}", "the event has no hookName");
    open(&["hook", "cline"], "{\"hookName\": \"TaskStart\"}", "the event \"TaskStart\" is not known");
    open(&["hook", "cline"], "{\"hookName\": \"PostToolUse\"}", "the event has no toolName");
}
