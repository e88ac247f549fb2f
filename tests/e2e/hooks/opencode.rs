//! Events of opencode's plugin, and what they are answered.

use serde_json::{Value, json};

use super::check;

#[test]
fn calls_are_redirected_or_fail_with_the_candidates() {
    let before = |tool_name: &str, args: Value, expect: &str| {
        let event = json!({"event": "tool.execute.before", "directory": "ROOT", "tool": tool_name, "args": args});
        check("opencode", "tool.execute.before", &event, expect);
    };
    before(
        "read",
        json!({"filePath": "ROOT/src/fnd/stream.rs"}),
        r#"{"args":{"filePath":"ROOT/src/find/stream.rs"},"append":"{…}"}"#,
    );
    before("read", json!({"filePath": "handler.py"}), r#"{"error":"\"handler.py\" does not exist. Perhaps: {…}"}"#);
    before("read", json!({"filePath": "docs/guide.md"}), "");
    before("write", json!({"filePath": "src/fnd/stream.rs", "content": "x"}), "");
    let after = json!({"event": "tool.execute.after", "directory": "ROOT", "tool": "bash", "output": "cat: src/fnd/walk.rs: No such file or directory"});
    check("opencode", "tool.execute.after", &after, r#"{"append":"{…}It is \"src/find/walk.rs\" {…}"}"#);
    let chat = json!({"event": "chat.message", "directory": "ROOT", "prompt": "see src/fnd/walk.rs"});
    check("opencode", "chat.message", &chat, r#"{"append":"{…}It is \"src/find/walk.rs\" {…}"}"#);
}
