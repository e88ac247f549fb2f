//! MCP: nothing that a client sends leads to the contents of git's own files, ignored ones or ones with credentials, unless the
//! user allows it and the client names the exact path.

use std::process::Command;

use serde_json::{Value, json};

use crate::run::Conversation;
use crate::tree::Tree;

/// Text that must not be shown is in capitals.
const TREE: &str = "
    .env = TOKEN-OF-ENV
    .gitignore = ignored*
    config -> .git/config
    env -> .env
    ignored/hidden.txt = CONTENTS-OF-IGNORED
    ignored.log = CONTENTS-OF-LOG
    keys -> tls
    log -> ignored/hidden.txt
    nested/.git = gitdir: ELSEWHERE
    out -> ../outside.txt
    src/main.rs = fn main() {}
    tls/server.key = KEY-OF-SERVER
    ../outside.txt = CONTENTS-OF-OUTSIDE
";

/// Names that no answer may have that was not asked for them.
const NAMES: [&str; 4] = ["hidden.txt", "server.key", ".env", "ignored.log"];

struct Client<'a> {
    tree: &'a Tree,
    conversation: Conversation,
    asked: usize,
}

fn tree() -> Tree {
    let tree = Tree::new(TREE);
    let git = |arguments: &[&str]| {
        let run = Command::new("git").args(arguments).current_dir(tree.root()).env("HOME", tree.home()).output();
        assert!(run.unwrap().status.success());
    };
    git(&["init", "-q"]);
    git(&["config", "user.name", "NAME-IN-CONFIG"]);
    // A key that is tracked, as happens.
    git(&["add", "tls/server.key", "src/main.rs"]);
    tree
}

impl<'a> Client<'a> {
    fn start(tree: &'a Tree, flags: &[&str]) -> Self {
        let root = tree.root();
        let plan = tree.plan(&["mcp", "--root", root.to_str().unwrap()]).arg_all(flags);
        let mut client = Self { tree, conversation: plan.converse(), asked: 0 };
        let about =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        client.ask("initialize", &about);
        client.conversation.tell(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        self.conversation.ask(&message.to_string())
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        // Members that only the shared engine's clients may send do not count from other clients.
        let meta = json!({"pathfinder/allow_ignored": true, "pathfinder/chosen": null});
        let mut answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments, "_meta": meta}));
        answer["result"]["structuredContent"].take()
    }

    fn resource(&mut self, path: &str) -> Value {
        let uri = format!("file://{}/{path}", self.tree.root().display());
        self.ask("resources/read", &json!({"uri": uri, "_meta": {"pathfinder/allow_ignored": true}}))
    }
}

/// Nothing in capitals is in an answer.
#[track_caller]
fn check_nothing_shown(answer: &Value, asked: &str) {
    let text = answer.to_string();
    for secret in ["TOKEN", "CONTENTS", "NAME-IN", "KEY-OF", "ELSEWHERE"] {
        assert!(!text.contains(secret), "{asked}: {text}");
    }
}

/// Asks for a path in all ways in which its contents could be had.
#[track_caller]
fn check_withheld(client: &mut Client<'_>, path: &str, kinds: &[&str]) {
    let absolute = client.tree.root().join(path);
    for asked in [path, absolute.to_str().unwrap()] {
        for (op, evidence) in [("read", Value::Null), ("list", Value::Null), ("stat", json!({"contains": "O"}))] {
            let arguments = json!({"failed_path": asked, "op": op, "evidence": evidence, "min_confidence": 0});
            let answer = client.call("tool_retry_with_resolve", &arguments);
            check_nothing_shown(&answer, asked);
            assert!(answer["error_kind"].as_str().is_some_and(|kind| kinds.contains(&kind)), "{asked} {op}: {answer}");
            assert!(answer["path"].is_null(), "{asked} {op}: {answer}");
        }
    }
    let answer = client.resource(path);
    check_nothing_shown(&answer, path);
    assert!(answer["error"].is_object(), "{path}: {answer}");
}

#[test]
fn withheld_files_are_not_read() {
    let tree = tree();
    let mut client = Client::start(&tree, &[]);
    let control = client.call("tool_retry_with_resolve", &json!({"failed_path": "src/main.rs", "op": "read"}));
    assert_eq!(control["content"], "fn main() {}");
    for path in [
        ".git",
        ".git/config",
        "config",
        "nested/.git",
        ".env",
        "env",
        "ignored",
        "ignored/hidden.txt",
        "ignored.log",
        "log",
        "tls/server.key",
        "keys/server.key",
    ] {
        check_withheld(&mut client, path, &["Ignored"]);
    }
    // Its other properties are withheld too.
    check_withheld(&mut client, "out", &["OutsideRoot", "Ignored"]);
}

/// Paths that are nearly those of withheld files: neither their contents nor their names are answered.
#[test]
fn guesses_lead_to_no_withheld_file() {
    let tree = tree();
    let mut client = Client::start(&tree, &[]);
    let mut client_that_may = Client::start(&tree, &["--allow-ignored"]);
    for asked in [
        ".evn",
        "src/.env",
        "src/env",
        "ignored/hiden.txt",
        "hidden.txt",
        "tls/servr.key",
        "key",
        "git/config",
        "ignored.lgo",
    ] {
        for client in [&mut client, &mut client_that_may] {
            for (tool, more) in [
                ("path_resolve", json!({"evidence": {"contains": "O"}})),
                ("path_resolve", json!({})),
                ("tool_retry_with_resolve", json!({"op": "read", "min_confidence": 0, "top_n": 200})),
                ("tool_retry_with_resolve", json!({"op": "stat", "min_confidence": 0, "evidence": {"contains": "O"}})),
            ] {
                let mut arguments = more;
                arguments["failed_path"] = json!(asked);
                let mut answer = client.call(tool, &arguments);
                check_nothing_shown(&answer, asked);
                if let Some(members) = answer.as_object_mut() {
                    members.remove("failed_path");
                }
                let text = answer.to_string();
                assert!(NAMES.iter().all(|name| !text.contains(name)), "{asked}: {text}");
            }
            check_nothing_shown(&client.resource(asked), asked);
        }
    }
}

/// Lists, and searches of contents.
#[test]
fn lists_have_no_withheld_names() {
    let tree = tree();
    let mut client = Client::start(&tree, &[]);
    let mut answers = vec![
        client.call("tool_retry_with_resolve", &json!({"failed_path": ".", "op": "list"})),
        client.call("tool_retry_with_resolve", &json!({"failed_path": "tls", "op": "list"})),
        client.resource(""),
        client.resource("tls"),
    ];
    for query in ["TOKEN-OF-ENV", "KEY-OF-SERVER", "server key", ".env", "**/*.key", "hidden"] {
        answers.push(client.call("path_find", &json!({"query": query})));
    }
    for name in ["qqq.a", "www.b", "zzz.c", "kkk.d"] {
        answers.push(client.call("path_resolve", &json!({"failed_path": format!("tls/{name}")})));
    }
    let template = json!({"type": "ref/resource", "uri": "file:///{path}"});
    for typed in ["/.e", "/tls/", "/ignored/"] {
        let value = format!("{}{typed}", tree.root().display());
        answers.push(
            client.ask("completion/complete", &json!({"ref": template, "argument": {"name": "path", "value": value}})),
        );
    }
    for answer in answers {
        check_nothing_shown(&answer, "");
        let text = answer.to_string();
        assert!(
            ["hidden.txt\"", "server.key\"", ".env\"", ".git/\""].iter().all(|name| !text.contains(name)),
            "{text}"
        );
    }
}

/// Paths, and what is read of them by a server that was started with `--allow-ignored`.
#[test]
fn the_user_allows_exact_paths() {
    let tree = tree();
    let mut client = Client::start(&tree, &["--allow-ignored"]);
    for (path, contents) in [
        (".env", "TOKEN-OF-ENV"),
        ("env", "TOKEN-OF-ENV"),
        (".git/config", "NAME-IN-CONFIG"),
        ("ignored/hidden.txt", "CONTENTS-OF-IGNORED"),
        ("tls/server.key", "KEY-OF-SERVER"),
    ] {
        let answer = client.call("tool_retry_with_resolve", &json!({"failed_path": path, "op": "read"}));
        assert!(answer["content"].as_str().is_some_and(|text| text.contains(contents)), "{path}: {answer}");
        assert!(client.resource(path).to_string().contains(contents), "{path}");
    }
    let listed = client.call("tool_retry_with_resolve", &json!({"failed_path": "ignored", "op": "list"}));
    assert_eq!(listed["entries"], json!(["hidden.txt"]));
    // Its other properties are withheld too.
    check_withheld(&mut client, "out", &["OutsideRoot", "Ignored"]);
}

/// Two servers with one engine: what counts is how the client's own was started.
#[test]
fn another_server_allows_nothing() {
    let tree = tree();
    let ask = json!({"failed_path": ".env", "op": "read"});
    let mut host = Client::start(&tree, &["--allow-ignored"]);
    assert_eq!(host.call("tool_retry_with_resolve", &ask)["content"], "TOKEN-OF-ENV");
    let mut guest = Client::start(&tree, &[]);
    check_withheld(&mut guest, ".env", &["Ignored"]);
    let mut other = Client::start(&tree, &["--allow-ignored"]);
    assert_eq!(other.call("tool_retry_with_resolve", &ask)["content"], "TOKEN-OF-ENV");
    assert!(other.resource(".env").to_string().contains("TOKEN-OF-ENV"));
}
