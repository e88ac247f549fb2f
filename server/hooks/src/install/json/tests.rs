//! Compares settings before and after a change.

use super::super::OwnHook;
use super::super::hook_entry::{HookEntry, JsonLayout};
use super::{add_hooks, remove_hooks};

const ENTRIES: [HookEntry; 2] = [
    HookEntry { event: "PreToolUse", matcher: Some("Read"), timeout: 10 },
    HookEntry { event: "UserPromptSubmit", matcher: None, timeout: 10 },
];
const COMMAND: &str = "/bin/pathfinder hook claude-code";

fn own_hook(command: &str) -> OwnHook<'_> {
    OwnHook { agent: "claude-code", command }
}

/// Installs, reinstalls and removes: other entries stay, a second installation changes nothing, and removing undoes it.
#[track_caller]
fn check(before: &str, kept: &[&str]) {
    check_layout(JsonLayout::Grouped, before, kept);
}

#[track_caller]
fn check_layout(layout: JsonLayout, before: &str, kept: &[&str]) {
    let add_hooks = |text: &str, own_hook, entries| super::add_hooks(text, own_hook, entries, layout);
    let once = add_hooks(before, own_hook(COMMAND), &ENTRIES).expect("settings");
    for part in kept {
        assert!(once.contains(part), "{part:?} is gone from\n{once}");
    }
    assert_eq!(once.matches(COMMAND).count(), 2, "{once}");
    assert_eq!(add_hooks(&once, own_hook(COMMAND), &ENTRIES).expect("settings"), once, "twice is once");
    let moved = add_hooks(&once, own_hook(&COMMAND.replace("/bin", "/opt")), &ENTRIES).expect("settings");
    assert_eq!(moved.matches("/opt/pathfinder hook claude-code").count(), 2, "{moved}");
    assert!(!moved.contains(COMMAND), "{moved}");
    let removed = remove_hooks(&moved, own_hook(COMMAND), &ENTRIES, layout).expect("settings");
    assert!(!removed.contains("pathfinder"), "{removed}");
    for part in kept {
        assert!(removed.contains(part), "{part:?} is gone from\n{removed}");
    }
}

#[test]
fn keeps_other_entries() {
    check("", &[]);
    check("{}", &[]);
    check("\u{feff}{\n  \"a\": 1\n}\n", &["\u{feff}{\n  \"a\": 1"]);
    check(
        "{\n  // mine\n  \"model\": \"x\", /* why */\n  \"hooks\": {}\n}\n",
        &["// mine", "\"model\": \"x\"", "/* why */"],
    );
    check("{\r\n\t\"a\": [1,2,]\r\n}\r\n", &["\t\"a\": [1,2,]"]);
    check(
        r#"{"hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "check"}]}], "Stop": []}}"#,
        &[r#"{"matcher": "Write", "hooks": [{"type": "command", "command": "check"}]}"#, r#""Stop": []"#],
    );
    check(
        r#"{"hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "check"},
           {"type": "command", "command": "pathfinder hook claude-code", "timeout": 3}]}]}}"#,
        &[r#""matcher": "Write""#, r#"{"type": "command", "command": "check"}"#],
    );
    check(r#"{"hooks": {"PreToolUse": [{"hooks": [{"command": "pathfinder hook codex"}]}, 7, {"hooks": 1}]}}"#.replace("pathfinder", "other").as_str(), &["7"]);
}

#[test]
fn keeps_other_entries_of_flat_settings() {
    let check = |before: &str, kept: &[&str]| check_layout(JsonLayout::Flat, before, kept);
    check("", &["\"version\": 1"]);
    check("{\"version\": 2}", &["\"version\": 2"]);
    check(
        "{\n  // mine\n  \"version\": 1,\n  \"hooks\": {\"PreToolUse\": [{\"command\": \"./check.sh\", \"matcher\": \"Read\"}]}\n}\n",
        &["// mine", "{\"command\": \"./check.sh\", \"matcher\": \"Read\"}"],
    );
    check(
        r#"{"version": 1, "hooks": {"PreToolUse": [{"command": "pathfinder hook claude-code"}, 7], "stop": []}}"#,
        &["7", r#""stop": []"#],
    );
}

#[test]
fn rejects_other_shapes() {
    for (text, expect) in [
        ("{", "it is not JSON"),
        ("{\"a\": }", "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ("7", "it is not a JSON object"),
        ("{\"hooks\": []}", "\"hooks\" in it is not an object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "\"PreToolUse\" in it is not a list"),
    ] {
        let error = add_hooks(text, own_hook(COMMAND), &ENTRIES, JsonLayout::Grouped).expect_err("refused");
        assert!(error.starts_with(expect), "{error}");
    }
}

#[test]
fn removes_nothing_from_others() {
    for text in
        ["{\"hooks\": {}}", "{\"hooks\": { \"Stop\": [] } }", "{ }", "\u{feff}{\"hooks\": {\"PreToolUse\": []}}"]
    {
        assert_eq!(remove_hooks(text, own_hook(COMMAND), &ENTRIES, JsonLayout::Grouped).expect("settings"), text);
    }
    let before = "{\n  \"hooks\": {\n    // mine\n  }\n}\n";
    let installed = add_hooks(before, own_hook(COMMAND), &ENTRIES, JsonLayout::Grouped).expect("settings");
    let removed = remove_hooks(&installed, own_hook(COMMAND), &ENTRIES, JsonLayout::Grouped).expect("settings");
    assert!(removed.contains("// mine") && !removed.contains("pathfinder"), "{removed}");
}
