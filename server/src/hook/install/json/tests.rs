//! Settings before and after.

use super::super::Ours;
use super::super::wanted::Wanted;
use super::{with, without};

const WANTED: [Wanted; 2] = [
    Wanted { event: "PreToolUse", matcher: Some("Read"), timeout: 10 },
    Wanted { event: "UserPromptSubmit", matcher: None, timeout: 10 },
];
const COMMAND: &str = "/bin/pathfinder hook claude-code";

fn ours(command: &str) -> Ours<'_> {
    Ours { agent: "claude-code", command }
}

/// Installs; what was there stays, twice is once, and removing gives what was there.
#[track_caller]
fn check(before: &str, kept: &[&str]) {
    let once = with(before, ours(COMMAND), &WANTED).expect("settings");
    for part in kept {
        assert!(once.contains(part), "{part:?} is gone from\n{once}");
    }
    assert_eq!(once.matches(COMMAND).count(), 2, "{once}");
    assert_eq!(with(&once, ours(COMMAND), &WANTED).expect("settings"), once, "twice is once");
    let moved = with(&once, ours(&COMMAND.replace("/bin", "/opt")), &WANTED).expect("settings");
    assert_eq!(moved.matches("/opt/pathfinder hook claude-code").count(), 2, "{moved}");
    assert!(!moved.contains(COMMAND), "{moved}");
    let removed = without(&moved, ours(COMMAND), &WANTED).expect("settings");
    assert!(!removed.contains("pathfinder"), "{removed}");
    for part in kept {
        assert!(removed.contains(part), "{part:?} is gone from\n{removed}");
    }
}

#[test]
fn all_that_is_there_stays() {
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
fn what_is_something_else_is_refused() {
    for (text, expect) in [
        ("{", "it is not JSON"),
        ("{\"a\": }", "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ("7", "it is not a JSON object"),
        ("{\"hooks\": []}", "\"hooks\" in it is not an object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "\"PreToolUse\" in it is not a list"),
    ] {
        let error = with(text, ours(COMMAND), &WANTED).expect_err("refused");
        assert!(error.starts_with(expect), "{error}");
    }
}
