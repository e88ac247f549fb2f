//! `pathfinder hook`: events of each agent as its contract has them, and what it is answered.

mod cline;
mod cursor;
mod opencode;

use serde_json::{Value, json};

use crate::tree::Tree;

const TREE: &str = "\
src/find/stream.rs
src/find/walk.rs = fn walk() {}
api/handler.py = def one(): pass
web/handler.py = def two(): pass
cli/handler.py = def three(): pass
docs/guide.md = text
";

/// The members that each agent's reference allows in an answer, as `EVENT MEMBER...`; a member of `hookSpecificOutput` has a dot
/// before it. Anything else is a failure to Codex, and nothing to the others.
const CONTRACTS: [(&str, &[&str]); 7] = [
    (
        "claude-code",
        &[
            "PreToolUse .hookEventName .permissionDecision .permissionDecisionReason .updatedInput .additionalContext",
            "PostToolUse .hookEventName .additionalContext .updatedToolOutput .updatedMCPToolOutput",
            "PostToolUseFailure .hookEventName .additionalContext",
            "UserPromptSubmit .hookEventName .additionalContext .sessionTitle",
        ],
    ),
    (
        "codex",
        &[
            "PreToolUse .hookEventName .permissionDecision .permissionDecisionReason .updatedInput .additionalContext",
            "PostToolUse .hookEventName .additionalContext .updatedToolOutput .updatedMCPToolOutput",
            "UserPromptSubmit .hookEventName .additionalContext",
        ],
    ),
    (
        "gemini",
        &[
            "BeforeAgent .hookEventName .additionalContext decision reason",
            "AfterTool .hookEventName .additionalContext decision reason",
        ],
    ),
    (
        "copilot",
        &[
            "preToolUse permissionDecision permissionDecisionReason modifiedArgs additionalContext",
            "postToolUse additionalContext modifiedResult",
            "postToolUseFailure additionalContext",
            "PreToolUse .hookEventName .permissionDecision .permissionDecisionReason .updatedInput .additionalContext",
            "PostToolUse .hookEventName .additionalContext decision reason",
        ],
    ),
    ("cline", &["PostToolUse cancel contextModification", "tool_result cancel contextModification"]),
    (
        "cursor",
        &[
            "preToolUse permission user_message agent_message",
            "postToolUse additional_context",
            "sessionStart env additional_context",
        ],
    ),
    // The plugin's reaction to an answer: `server/hooks/src/opencode.js`.
    ("opencode", &["tool.execute.before args append error", "tool.execute.after append", "chat.message append"]),
];

/// Asserts that an answer has no members but those that the contract of an event has.
#[track_caller]
fn keeps_to_contract(agent: &str, event: &str, answer: &Value) {
    let contract = CONTRACTS.iter().find(|(known, _)| *known == agent).unwrap().1;
    let members = contract.iter().find_map(|line| line.strip_prefix(event)?.strip_prefix(' ')).expect(event);
    let members: Vec<&str> = members.split(' ').collect();
    for (name, value) in answer.as_object().expect("an object") {
        if name == "hookSpecificOutput" {
            assert_eq!(value["hookEventName"], event, "{answer}");
            let known = |name: &String| members.contains(&format!(".{name}").as_str());
            assert!(value.as_object().unwrap().keys().all(known), "{answer}");
        } else {
            assert!(members.contains(&name.as_str()), "{answer}");
        }
    }
}

/// The tree, with a file of two lines.
fn tree() -> Tree {
    let tree = Tree::new(TREE);
    std::fs::write(tree.root().join("src/find/stream.rs"), "fn stream() {}\nfn other() {}\n").unwrap();
    tree
}

/// Sends one event. Compares the answer, in which `{…}` of the expectation may be anything; `""` is no answer. Nothing is said
/// on stderr, and the status is that of success.
#[track_caller]
fn check(agent: &str, name: &str, event: &Value, expect: &str) {
    let tree = tree();
    std::fs::create_dir(tree.root().join(".git")).unwrap();
    let root = tree.root().display().to_string();
    let event = event.to_string().replace("ROOT", &root);
    let run = tree.plan(&["hook", agent]).stdin(event).within(tree.place()).run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    if !run.stdout.is_empty() {
        keeps_to_contract(agent, name, &run.json());
    }
    let said = run.stdout.trim_end().replace(&root, "ROOT");
    let parts: Vec<&str> = expect.split("{…}").collect();
    let mut rest = said.as_str();
    for (at, part) in parts.iter().enumerate() {
        let found = if at == 0 { rest.starts_with(part).then_some(0) } else { rest.find(part) };
        rest = &rest[found.unwrap_or_else(|| panic!("{said}\nis not\n{expect}")) + part.len()..];
    }
    assert!(rest.is_empty() || expect.ends_with("{…}"), "{said}\nis not\n{expect}");
}

fn claude(name: &str, more: &Value) -> Value {
    let mut event = json!({"session_id": "s", "transcript_path": "/t", "cwd": "ROOT", "permission_mode": "default",
        "hook_event_name": name});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

fn tool(name: &str, tool: &str, input: &Value, more: &Value) -> Value {
    let mut event = claude(name, &json!({"tool_name": tool, "tool_use_id": "t", "tool_input": input}));
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

#[test]
fn claude_code_before_a_read() {
    let before = |tool_name: &str, input: Value, expect: &str| {
        check("claude-code", "PreToolUse", &tool("PreToolUse", tool_name, &input, &json!({})), expect);
    };
    before(
        "Read",
        json!({"file_path": "ROOT/src/fnd/stream.rs", "limit": 3}),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"ROOT/src/find/stream.rs","limit":3},"additionalContext":"\"ROOT/src/fnd/stream.rs\" does not exist; \"ROOT/src/find/stream.rs\" was read instead (confidence 0.{…}"}}"#,
    );
    before(
        "Read",
        json!({"file_path": "src/fnd/stream.rs"}),
        r#"{…}"updatedInput":{"file_path":"src/find/stream.rs"}{…}"#,
    );
    before(
        "Grep",
        json!({"pattern": "fn", "path": "src/fnd"}),
        r#"{…}"updatedInput":{"pattern":"fn","path":"src/find"}{…}searched instead{…}"#,
    );
    before(
        "Bash",
        json!({"command": "cat src/fnd/stream.rs"}),
        r#"{…}"updatedInput":{"command":"cat src/find/stream.rs"}{…}"#,
    );
    before(
        "mcp__fs__read_text_file",
        json!({"path": "src/fnd/stream.rs"}),
        r#"{…}"updatedInput":{"path":"src/find/stream.rs"}{…}"#,
    );
    // Existing paths, uncertain answers, and directories where a file is wanted.
    before("Read", json!({"file_path": "ROOT/src/find/stream.rs"}), "");
    before("Read", json!({"file_path": "handler.py"}), "");
    before("Read", json!({"file_path": "src/fnd"}), "");
    before("Read", json!({"file_path": "/usr/no-such-directory/stream.rs"}), "");
    // Calls that write or create.
    before("Write", json!({"file_path": "src/fnd/stream.rs", "content": "x"}), "");
    before("Edit", json!({"file_path": "src/fnd/stream.rs", "old_string": "fn stream", "new_string": "x"}), "");
    before("Bash", json!({"command": "rm src/fnd/stream.rs"}), "");
    before("Bash", json!({"command": "cat src/fnd/stream.rs > x"}), "");
}

#[test]
fn claude_code_after_a_failure() {
    let failed = |tool_name: &str, input: Value, error: &str, expect: &str| {
        let event = tool("PostToolUseFailure", tool_name, &input, &json!({"error": error, "is_interrupt": false}));
        check("claude-code", "PostToolUseFailure", &event, expect);
    };
    let gone = "File does not exist.";
    failed(
        "Read",
        json!({"file_path": "ROOT/src/fnd/stream.rs"}),
        gone,
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"\"ROOT/src/fnd/stream.rs\" does not exist. It is \"ROOT/src/find/stream.rs\" (confidence 0.{…}).\nLines 1-2 of \"ROOT/src/find/stream.rs\", the end:\nfn stream() {}\nfn other() {}"}}"#,
    );
    failed(
        "Read",
        json!({"file_path": "handler.py"}),
        gone,
        r#"{…}\"handler.py\" does not exist. Perhaps: {…}, {…}, {…}. Which handler.py: {…}?"}}"#,
    );
    failed(
        "LS",
        json!({"path": "src/fnd"}),
        gone,
        r#"{…}It is \"src/find\" ({…}).\nIn it: \"stream.rs\", \"walk.rs\""}}"#,
    );
    // A name without an ending can be a file's.
    failed("Read", json!({"file_path": "src/fnd"}), gone, r#"{…}Perhaps: \"src/find\"{…}"#);
    failed(
        "Bash",
        json!({"command": "cat src/fnd/stream.rs"}),
        "Exit code 1\ncat: src/fnd/stream.rs: No such file or directory",
        r#"{…}It is \"src/find/stream.rs\" (confidence {…})."}}"#,
    );
    failed("Read", json!({"file_path": "ROOT/docs/guide.md"}), "File is too large.", "");
    failed("Read", json!({"file_path": "entirely/unrelated-zzyzx.qqq"}), gone, "");
    failed("Bash", json!({"command": "make"}), "Exit code 2\nmake: *** No rule", "");
    failed("Write", json!({"file_path": "src/fnd/new.rs"}), "not allowed", "");
}

#[test]
fn contents_decide() {
    let failed = |input: Value, expect: &str| {
        let event = tool("PostToolUseFailure", "Edit", &input, &json!({"error": "File does not exist."}));
        check("claude-code", "PostToolUseFailure", &event, expect);
    };
    // The text to be replaced is in one of three files of the name.
    failed(
        json!({"file_path": "handler.py", "old_string": "def two()", "new_string": "x"}),
        r#"{…}It is \"web/handler.py\" ({…}"}}"#,
    );
    // It is in none: then the only file of the name is not called right either.
    failed(
        json!({"file_path": "src/fnd/stream.rs", "old_string": "fn gone()", "new_string": "x"}),
        r#"{…}Perhaps: \"src/find/stream.rs\"{…}"#,
    );
    failed(
        json!({"file_path": "src/fnd/stream.rs", "old_string": "fn other()", "new_string": "x"}),
        r#"{…}It is \"src/find/stream.rs\" ({…}"#,
    );
    let read = |tool_name: &str, input: Value, expect: &str| {
        let event = tool("PostToolUseFailure", tool_name, &input, &json!({"error": "File does not exist."}));
        check("claude-code", "PostToolUseFailure", &event, expect);
    };
    // A line behind the end, and one that is there.
    read("Read", json!({"file_path": "src/fnd/stream.rs", "offset": 300}), r#"{…}Perhaps: \"src/find/stream.rs\".{…}"#);
    read("Read", json!({"file_path": "src/fnd/stream.rs", "offset": 2}), r#"{…}Lines 2-2 of {…}fn other() {}"}}"#);
    // The searched text can decide between candidates, and never excludes a file.
    read("Grep", json!({"path": "handler.py", "pattern": "def three"}), r#"{…}It is \"cli/handler.py\" ({…}"#);
    read("Grep", json!({"path": "src/fnd/stream.rs", "pattern": "nowhere"}), r#"{…}It is \"src/find/stream.rs\" ({…}"#);
}

#[test]
fn claude_code_otherwise() {
    let printed = |response: Value, expect: &str| {
        let event = tool("PostToolUse", "Bash", &json!({"command": "x"}), &json!({"tool_response": response}));
        check("claude-code", "PostToolUse", &event, expect);
    };
    printed(
        json!({"stdout": "", "stderr": "ls: cannot access 'src/fnd': No such file or directory"}),
        r#"{…}It is \"src/find\" ({…}"#,
    );
    printed(json!({"stdout": "all is well", "stderr": ""}), "");
    // In a directory below the root, paths are relative to that directory.
    let mut below = tool("PreToolUse", "Read", &json!({"file_path": "src/find/walk.rs"}), &json!({}));
    below["cwd"] = json!("ROOT/src");
    let expect = r#"{…}"updatedInput":{"file_path":"find/walk.rs"},"additionalContext":"{…}as seen from the project's root).{…}"#;
    check("claude-code", "PreToolUse", &below, expect);
    let prompt = |text: &str, expect: &str| {
        check("claude-code", "UserPromptSubmit", &claude("UserPromptSubmit", &json!({"prompt": text})), expect);
    };
    prompt(
        "why does src/fnd/stream.rs:1 fail?",
        r#"{…}\"src/fnd/stream.rs\" does not exist. It is \"src/find/stream.rs\" ({…}"#,
    );
    prompt("create src/fnd/stream.rs", "");
    prompt("look at src/find/stream.rs and/or handler.py", "");
}

#[test]
fn codex() {
    let event = |name: &str, more: Value| {
        let mut event = claude(name, &json!({"model": "m", "turn_id": "t"}));
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let bash = |command: &str, more: Value| {
        let mut members = json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": command}});
        members.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        members
    };
    check(
        "codex",
        "PreToolUse",
        &event("PreToolUse", bash("sed -n '1,20p' src/fnd/stream.rs", json!({}))),
        r#"{…}"updatedInput":{"command":"sed -n '1,20p' src/find/stream.rs"},"additionalContext":"\"src/fnd/stream.rs\" does not exist; {…}","permissionDecision":"allow"}}"#,
    );
    check("codex", "PreToolUse", &event("PreToolUse", bash("make test", json!({}))), "");
    check(
        "codex",
        "PostToolUse",
        &event(
            "PostToolUse",
            bash(
                "cat src/fnd/walk.rs | head",
                json!({"tool_response": "cat: src/fnd/walk.rs: No such file or directory\n"}),
            ),
        ),
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"\"src/fnd/walk.rs\" does not exist. It is \"src/find/walk.rs\" (confidence {…})."}}"#,
    );
    check(
        "codex",
        "UserPromptSubmit",
        &event("UserPromptSubmit", json!({"prompt": "see src/fnd/walk.rs"})),
        r#"{…}It is \"src/find/walk.rs\" ({…}"#,
    );
}

#[test]
fn gemini() {
    let after = |tool_name: &str, input: Value, response: Value, expect: &str| {
        let mut event = tool("AfterTool", tool_name, &input, &json!({"tool_response": response}));
        event["timestamp"] = json!("2026-11-20T00:00:00Z");
        check("gemini", "AfterTool", &event, expect);
    };
    let error =
        json!({"llmContent": "x", "returnDisplay": "x", "error": {"message": "File not found: src/fnd/stream.rs"}});
    after(
        "read_file",
        json!({"file_path": "src/fnd/stream.rs"}),
        error.clone(),
        r#"{"decision":"deny","reason":"File not found: src/fnd/stream.rs\n\"src/fnd/stream.rs\" does not exist. It is \"src/find/stream.rs\" ({…}fn other() {}"}"#,
    );
    after(
        "list_directory",
        json!({"dir_path": "src/fnd"}),
        error,
        r#"{"decision":"deny",{…}In it: \"stream.rs\", \"walk.rs\""}"#,
    );
    after("read_file", json!({"file_path": "docs/guide.md"}), json!({"llmContent": "text"}), "");
    let said = json!({"llmContent": "<x>\nOutput: cat: src/fnd/walk.rs: No such file or directory\nExit Code: 1"});
    after(
        "run_shell_command",
        json!({"command": "cat src/fnd/walk.rs"}),
        said,
        r#"{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"{…}It is \"src/find/walk.rs\" {…}"}}"#,
    );
    let mut prompt = claude("BeforeAgent", &json!({"prompt": "see src/fnd/walk.rs"}));
    prompt["timestamp"] = json!("2026-11-20T00:00:00Z");
    check(
        "gemini",
        "BeforeAgent",
        &prompt,
        r#"{"hookSpecificOutput":{"hookEventName":"BeforeAgent",{…}It is \"src/find/walk.rs\" {…}"#,
    );
    check(
        "gemini",
        "BeforeTool",
        &tool("BeforeTool", "read_file", &json!({"file_path": "src/fnd/walk.rs"}), &json!({})),
        "",
    );
}

#[test]
fn copilot() {
    let event = |more: Value| {
        let mut event = json!({"sessionId": "s", "timestamp": 1, "cwd": "ROOT"});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let view = |path: &str| json!({"toolName": "view", "toolArgs": {"path": path}});
    check(
        "copilot",
        "preToolUse",
        &event(view("ROOT/src/fnd/stream.rs")),
        r#"{"modifiedArgs":{"path":"ROOT/src/find/stream.rs"},"additionalContext":"{…} was read instead {…}"}"#,
    );
    check(
        "copilot",
        "preToolUse",
        &event(json!({"toolName": "view", "toolArgs": "{\"path\":\"src/fnd/walk.rs\"}"})),
        r#"{"modifiedArgs":{"path":"src/find/walk.rs"}{…}"#,
    );
    check("copilot", "preToolUse", &event(json!({"toolName": "create", "toolArgs": {"path": "src/fnd/walk.rs"}})), "");
    let mut failed = event(view("handler.py"));
    failed["error"] = json!("Path does not exist");
    check(
        "copilot",
        "postToolUseFailure",
        &failed,
        r#"{"additionalContext":"\"handler.py\" does not exist. Perhaps: {…}"}"#,
    );
    let said =
        json!({"resultType": "success", "textResultForLlm": "cat: src/fnd/walk.rs: No such file or directory\n"});
    check(
        "copilot",
        "postToolUse",
        &event(json!({"toolName": "bash", "toolArgs": {"command": "cat src/fnd/walk.rs"}, "toolResult": said})),
        r#"{"additionalContext":"{…}It is \"src/find/walk.rs\" {…}"}"#,
    );
    check("copilot", "userPromptSubmitted", &event(json!({"prompt": "see src/fnd/walk.rs"})), "");
}

/// VS Code runs the hooks of Copilot CLI's files, with names of events and members of its own.
#[test]
fn copilot_in_vscode() {
    let event = |name: &str, tool: &str, input: Value| json!({"cwd": "ROOT", "hookEventName": name, "tool_name": tool, "tool_input": input});
    check(
        "copilot",
        "PreToolUse",
        &event("PreToolUse", "read_file", json!({"filePath": "ROOT/src/fnd/stream.rs"})),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"filePath":"ROOT/src/find/stream.rs"},"additionalContext":"{…}"}}"#,
    );
    let mut said = event("PostToolUse", "run_in_terminal", json!({"command": "cat src/fnd/walk.rs"}));
    said["tool_response"] = json!("cat: src/fnd/walk.rs: No such file or directory\n");
    let expect = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"{…}It is \"src/find/walk.rs\" {…}"}}"#;
    check("copilot", "PostToolUse", &said, expect);
    check(
        "copilot",
        "UserPromptSubmit",
        &json!({"cwd": "ROOT", "hookEventName": "UserPromptSubmit", "prompt": "src/fnd/walk.rs"}),
        "",
    );
}

/// Fails open: nothing on stdout, a line on stderr that says why, and success, whatever comes in.
#[track_caller]
fn open(args: &[&str], stdin: impl Into<Vec<u8>>, why: &str) {
    let tree = tree();
    let run = tree.plan(args).stdin(stdin).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stderr.contains(why), "{why:?} is not in {:?}", run.stderr);
}

#[test]
fn whatever_comes_in_the_agent_goes_on() {
    let hook = ["hook", "claude-code"];
    open(&hook, "", "the event is not JSON");
    open(&hook, "{", "the event is not JSON");
    open(&hook, "null", "the event has no hook_event_name");
    open(&hook, "[]", "the event has no hook_event_name");
    open(&hook, "{\"hook_event_name\": 7}", "the event has no hook_event_name");
    open(&hook, "{\"hook_event_name\": \"Other\"}", "the event \"Other\" is not known");
    open(&hook, "{\"hook_event_name\": \"PreToolUse\"}", "the event has no tool_name");
    open(&hook, "{\"hook_event_name\": \"UserPromptSubmit\"}", "the event has no prompt");
    open(&hook, b"\xff\xfe".to_vec(), "the event is not JSON");
    open(&hook, "[".repeat(1_000_000), "the event is not JSON");
    open(&hook, vec![b' '; 17 << 20], "the event is longer than 16777216 bytes");
    open(&["hook", "nobody"], "{}", "unknown agent \"nobody\"");
    open(&["hook"], "{}", "<AGENT>");
    open(&["hook", "claude-code", "--no-such-flag"], "{}", "unexpected argument");
    open(&["hook", "codex"], "{}", "the event has no hook_event_name");
    open(&["hook", "gemini"], "{\"hook_event_name\": \"AfterTool\"}", "the event has no tool_name");
    open(&["hook", "copilot"], "{}", "the event has no toolName");
    open(&["hook", "copilot"], "{\"toolName\": \"view\"}", "the event has no toolArgs");
    open(&["hook", "opencode"], "{\"event\": \"tool.execute.after\"}", "the event has no tool");
    let gone = json!({"hook_event_name": "PreToolUse", "cwd": "/no/such/directory", "tool_name": "Read", "tool_input": {"file_path": "a.b"}});
    open(&hook, gone.to_string(), "the current directory cannot be read");
    let read =
        json!({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "src/fnd/stream.rs"}});
    open(&["hook", "claude-code", "--root", "no-such-root"], read.to_string(), "no such directory");
    open(&["hook", "claude-code", "--topk", "many"], read.to_string(), "topk");
    let begun = json!({"hook_event_name": "SessionStart"}).to_string();
    open(&["hook", "claude-code", "--root", "no-such-root"], begun.clone(), "no such directory");
    open(&["hook", "claude-code", "--topk", "many"], begun, "topk");
    let gone = json!({"hook_event_name": "SessionStart", "cwd": "/no/such/directory"});
    open(&hook, gone.to_string(), "the current directory cannot be read");
}

#[test]
fn what_makes_no_sense_is_passed_over() {
    let tree = tree();
    for input in [
        json!(null),
        json!([]),
        json!({}),
        json!({"file_path": 7}),
        json!({"file_path": ""}),
        json!({"file_path": "\u{0}"}),
        json!({"file_path": "x/".repeat(100_000)}),
        json!({"file_path": "a\nb"}),
        json!({"file_path": "src/fnd/stream.rs", "offset": -3}),
    ] {
        for name in ["PostToolUseFailure", "PreToolUse"] {
            let event = json!({"hook_event_name": name, "cwd": tree.root(), "tool_name": "Read", "tool_input": input, "error": "x"});
            let run = tree.plan(&["hook", "claude-code"]).stdin(event.to_string()).run();
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{event} {run:?}");
        }
    }
    // A megabyte of output, and of prompt.
    let lines = "cat: src/fnd/stream.rs: No such file or directory\n".repeat(20_000);
    let event = json!({"hook_event_name": "PostToolUseFailure", "cwd": tree.root(), "tool_name": "Bash", "tool_input": {}, "error": lines});
    let run = tree.plan(&["hook", "claude-code"]).stdin(event.to_string()).run();
    assert_eq!(run.stdout.matches("does not exist").count(), 1, "{run:?}");
    let event = json!({"hook_event_name": "UserPromptSubmit", "cwd": tree.root(), "prompt": "src/fnd/stream.rs ".repeat(60_000)});
    let run = tree.plan(&["hook", "claude-code"]).stdin(event.to_string()).run();
    assert_eq!(run.stdout.matches("does not exist").count(), 1, "{run:?}");
}
