//! `find` from end to end: the command line's text and JSON, the tool of MCP, contents, nothing, and what no query can be.

use serde_json::{Value, json};

use crate::run::Conversation;
use crate::tree::Tree;

const SERVICE: &str = "
    src/auth_middleware.py = def check(): pass
    src/middleware/auth.py = def install(): pass
    tests/test_auth_middleware.py = def test_check(): pass
    include/CommandRouter.h = class CommandRouter { void route(); };
    src/commands/CommandRouter.cpp = void CommandRouter::route() {}
    src/http/client.py = # exponential backoff of uploads
    docs/guide.md = # Guide
    café/crème.md = # Crème
    עברית.md = # שלום
";

/// Lines of text, exit status, what stderr says.
#[track_caller]
fn check(args: &[&str], code: i32, lines: &[&str], says: &str) {
    let tree = Tree::new(SERVICE);
    let run = args.iter().fold(tree.plan(&["find"]), super::run::Plan::arg).run();
    assert_eq!(
        (run.code, run.stdout.lines().take(lines.len()).collect::<Vec<_>>()),
        (Some(code), lines.to_vec()),
        "{run:?}"
    );
    assert!(run.stderr.contains(says), "{run:?}");
}

#[test]
fn text_is_a_line_each() {
    let router = "src/commands/CommandRouter.cpp:1  implementation CommandRouter, name";
    check(&["where is CommandRouter implemented"], 0, &[router], "");
    check(&["where", "is", "CommandRouter", "implemented"], 0, &[router], "");
    check(&["authmidlware"], 0, &["src/auth_middleware.py  typo in name", "src/middleware/auth.py  words in path"], "");
    check(&["crème"], 0, &["café/crème.md:1  heading Crème, name"], "");
    check(&["עברית"], 0, &["עברית.md  name"], "");
    check(&["*.md", "--limit", "2"], 0, &["עברית.md  fits the pattern", "docs/guide.md  fits the pattern"], "");
    check(&["exponential backoff"], 0, &["src/http/client.py:1  content has the words"], "");
}

#[test]
fn nothing_is_said_to_be_nothing() {
    for query in ["zorbulate quixifer", "where is QuantumFluxCapacitor implemented", "gh run view"] {
        check(&[query], 1, &[], "none: no name, declaration or text matches; try fewer or other words");
    }
}

#[test]
fn explanations_add_up() {
    let tree = Tree::new(SERVICE);
    let run = tree.plan(&["find", "--explain=all", "CommandRouter"]).run();
    assert!(run.stdout.contains("    exact_stem ") && run.stdout.contains("    symbol "), "{run:?}");
    let run = tree.plan(&["find", "--explain", "--format=json", "--impl", "CommandRouter"]).run();
    let answer = run.json();
    assert_eq!(answer["status"], "found");
    let first = &answer["results"][0];
    assert_eq!((first["path"].as_str(), first["line"].as_u64()), (Some("src/commands/CommandRouter.cpp"), Some(1)));
    let parts = first["explain"].as_object().unwrap();
    let sum: f64 = parts.values().map(|points| points.as_f64().unwrap()).sum();
    // Points as they are shown, from 0 to 100.
    let shown = 100.0 * (1.0 - (-sum / 25.0).exp());
    assert!((shown - first["score"].as_f64().unwrap()).abs() < 0.2, "{answer:#}");
    assert!(parts.contains_key("implementation"), "{answer:#}");
}

/// Input that cannot be a query is refused; the rest of the batch is answered.
#[test]
fn bad_input() {
    let long = "x".repeat(10_000);
    let bomb = format!("({}a{})+$", "(".repeat(500), "+)".repeat(500));
    let stars = "*a".repeat(900);
    for (query, status, says) in [
        ("", "error", "query is empty: give a name"),
        (" \t\n", "error", "query is empty: give a name"),
        (
            &long,
            "error",
            "query is 10000 bytes long, the limit is 4096: ask for one thing, by a name or in a few words",
        ),
        ("\u{7}\u{1b}[2J", "none", ""),
        ("src/\u{7}auth_middleware.py", "found", ""),
        ("\u{202e}auth_middleware", "found", ""),
        ("cre\u{300}me", "found", ""),
        ("(a+)+$", "none", ""),
        (&bomb, "none", ""),
        (&stars, "none", ""),
        ("????", "none", ""),
        ("/", "none", ""),
    ] {
        let tree = Tree::new(SERVICE);
        let shown: String = query.chars().take(40).collect();
        let answer = tree.plan(&["find", "--batch"]).stdin(json!({ "query": query }).to_string()).run().json();
        assert_eq!(answer["status"], status, "{shown:?}: {answer}");
        assert!(answer["message"].as_str().unwrap_or_default().contains(says), "{shown:?}: {answer}");
        let run = tree.plan(&["find", "--", query]).run();
        let code = match status {
            "found" => 0,
            "none" => 1,
            _ => 2,
        };
        assert_eq!(run.code, Some(code), "{shown:?}: {run:?}");
        assert!(
            run.stderr.contains(says) && !run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'),
            "{run:?}"
        );
    }
}

/// Cached declarations: a changed file is read again, and a removed one is not listed.
#[test]
fn declarations_are_kept_and_brought_up_to_date() {
    let tree = Tree::new(SERVICE);
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    for file in ["src/auth_middleware.py", "src/middleware/auth.py", "src/http/client.py"] {
        let file = std::fs::File::options().write(true).open(tree.root().join(file)).unwrap();
        file.set_modified(old).unwrap();
    }
    let first = |query: &str| {
        let run = tree.plan(&["find", query]).run();
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let kept = || {
        let cache = std::fs::read_dir(tree.home().join(".cache/pathfinder")).into_iter().flatten();
        let mut files = cache.map(|entry| entry.unwrap().path());
        files.find(|path| path.extension().is_some_and(|ending| ending == "symbols"))
    };
    assert!(kept().is_none());
    assert_eq!(first("instal"), "src/middleware/auth.py:1  function install (typo)");
    let file = kept().expect("a file of the cache");
    assert_eq!(first("instal"), "src/middleware/auth.py:1  function install (typo)");
    std::fs::write(tree.root().join("src/middleware/auth.py"), "x = 1\ndef tear_down(): pass\n").unwrap();
    assert_eq!(first("where is tear_down implemented"), "src/middleware/auth.py:2  function tear_down");
    assert_eq!(first("where is install implemented"), "");
    for wrong in [&b""[..], b"something else", &std::fs::read(&file).unwrap()[..40]] {
        std::fs::write(&file, wrong).unwrap();
        assert_eq!(first("where is tear_down implemented"), "src/middleware/auth.py:2  function tear_down");
    }
    std::fs::remove_file(tree.root().join("src/middleware/auth.py")).unwrap();
    assert_eq!(first("where is tear_down implemented"), "");
}

/// One call of `path_find`: the result's structure, which is its text too.
#[track_caller]
fn called(server: &mut Conversation, arguments: &Value) -> Value {
    let params = json!({"name": "path_find", "arguments": arguments});
    let answer = server.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    let result = &answer["result"];
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"], "{answer}");
    text
}

#[test]
fn the_tool_of_mcp() {
    let tree = Tree::new(SERVICE);
    let mut server = tree.plan(&["mcp", "--root", "."]).converse();
    let client =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "e2e", "version": "1"}});
    server.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}).to_string());
    server.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    // Declarations are read in the background.
    let router = json!({"query": "where is CommandRouter implemented"});
    while !called(&mut server, &router)["results"][0]
        .as_str()
        .unwrap()
        .starts_with("src/commands/CommandRouter.cpp:1  ")
    {}
    let lines = |answer: &Value| -> Vec<String> {
        answer["results"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    let found = called(&mut server, &json!({"query": "authmidlware", "limit": 2}));
    assert_eq!(found["status"], "found");
    assert_eq!(lines(&found), ["src/auth_middleware.py  typo in name", "src/middleware/auth.py  words in path"]);
    let found = called(&mut server, &json!({"query": "exponential backoff"}));
    assert_eq!(lines(&found), ["src/http/client.py:1  content has the words"]);
    // The answer has a note until all contents are read.
    let nonsense = json!({"query": "zorbulate quixifer"});
    while called(&mut server, &nonsense).get("note").is_some() {}
    assert_eq!(called(&mut server, &nonsense), json!({"status": "none", "results": []}));
    let long = called(&mut server, &json!({"query": "x".repeat(10_000)}));
    assert_eq!(long["error_kind"], "BadRequest");
    assert_eq!(called(&mut server, &json!({"query": " "}))["error_kind"], "BadRequest");
    assert_eq!(server.end(), Some(0));
}
