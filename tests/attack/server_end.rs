//! Servers on repositories that would make them wait for ever: they answer, and end with their input.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bounded::Repository;

/// A server ends within a second; the rest is for a machine that does much else.
const END_LIMIT: Duration = Duration::from_secs(10);

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"attack","version":"1"}}}"#;

/// A call of a tool, as a line.
fn resolve(id: i64) -> String {
    let params = json!({"name": "path_resolve", "arguments": {"failed_path": "sub/b.md"}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string() + "\n"
}

/// A message of the language server's protocol.
fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// An MCP server answers, and ends with its input.
#[track_caller]
fn check_mcp(args: &[&str], attack: &str) {
    let repository = Repository::new(attack);
    let mut server = repository.start(args);
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    server.send(format!("{INITIALIZE}\n{initialized}\n{}", resolve(2)).as_bytes());
    server.wait_for("\"id\":2");
    drop(server.stdin.take());
    assert_eq!(server.ended(END_LIMIT, attack), Some(0));
}

/// A language server answers, and ends with its input.
#[track_caller]
fn check_lsp(attack: &str) {
    let repository = Repository::new(attack);
    let mut server = repository.start(&["lsp"]);
    let uri = format!("file://{}", repository.root().display());
    let params = json!({"processId": null, "rootUri": uri, "capabilities": {}});
    server.send(&framed(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})));
    server.wait_for("\"id\":1");
    server.send(&framed(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}})));
    let document =
        json!({"uri": format!("{uri}/a.md"), "languageId": "markdown", "version": 1, "text": "[x](gone.md)\n"});
    let params = json!({"textDocument": document});
    server.send(&framed(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params})));
    server.wait_for("publishDiagnostics");
    drop(server.stdin.take());
    assert_eq!(server.ended(END_LIMIT, attack), Some(0));
}

/// A server ends with its input though nothing was answered yet.
#[track_caller]
fn check_end(args: &[&str], input: &[u8], attack: &str) {
    let mut server = Repository::new(attack).start(args);
    server.send(input);
    drop(server.stdin.take());
    let status = server.ended(END_LIMIT, attack);
    assert!(matches!(status, Some(0..=2)), "{attack}: {status:?}");
}

const ATTACKS: [&str; 6] = [
    "pipe .git/HEAD",
    "pipe .git/packed-refs",
    "pipe .git/info/exclude",
    "zero .git/HEAD",
    "pipe sub/.gitignore",
    "mkfifo $HOME/cache",
];

#[test]
fn mcp() {
    for attack in ATTACKS {
        check_mcp(&["mcp"], attack);
    }
}

#[test]
fn mcp_without_a_command() {
    for attack in ATTACKS {
        check_mcp(&[], attack);
    }
}

#[test]
fn lsp() {
    for attack in ATTACKS {
        check_lsp(attack);
    }
}

#[test]
fn the_end_comes_at_once() {
    let calls: String = (2..200).map(resolve).collect();
    for attack in ATTACKS {
        check_end(&["mcp"], format!("{INITIALIZE}\n{calls}").as_bytes(), attack);
        check_end(&["lsp"], b"Content-Length: 100\r\n\r\n{", attack);
    }
}

#[test]
fn a_root_that_disappears() {
    let repository = Repository::new("true");
    let mut server = repository.start(&["mcp"]);
    server.send(format!("{INITIALIZE}\n{}", resolve(2)).as_bytes());
    server.wait_for("\"id\":2");
    std::fs::remove_dir_all(repository.root()).unwrap();
    server.send(resolve(3).as_bytes());
    assert!(server.wait_for("\"id\":3").contains("error"));
    std::os::unix::fs::symlink("/dev/zero", repository.root()).unwrap_or_default();
    server.send(resolve(4).as_bytes());
    server.wait_for("\"id\":4");
    drop(server.stdin.take());
    assert_eq!(server.ended(END_LIMIT, "the root is gone"), Some(0));
}
