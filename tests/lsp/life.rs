//! The start and the end of a session.

use serde_json::{Value, json};

use crate::client::Client;
use crate::lay;
use crate::profile::Profile;

const TREE: &str = "README.md = [a](gone.md)\\n";

fn server(tree: &crate::tree::Tree) -> Client<'_> {
    let mut client = Client::start(tree, &Profile::named("emacs"), &[]);
    client.initialize(&[tree.root()], json!({}));
    client
}

/// A report of a user begins with these.
#[test]
fn a_healthy_session_logs_version_program_and_roots() {
    let tree = lay(TREE);
    let mut client = Client::start_with_log(&tree, &Profile::named("emacs"), &[], "info");
    client.initialize(&[tree.root()], json!({}));
    client.expect("README.md", &["1 missing-path gone.md"]);
    client.ask("shutdown", Value::Null);
    let status = client.exited_by(|client| client.send(&json!({"jsonrpc": "2.0", "method": "exit"})));
    assert_eq!(status.code(), Some(0));
    let log = std::mem::take(&mut client.log);
    let logs = |all: &[&str]| log.lines().filter(|line| all.iter().all(|one| line.contains(one))).count();
    let version = format!("version=\"{}\"", env!("CARGO_PKG_VERSION"));
    let program = format!("program={}", dunce::canonicalize(env!("CARGO_BIN_EXE_pathfinder")).unwrap().display());
    assert_eq!(logs(&["INFO", &version, &program]), 1, "{log}");
    assert_eq!(logs(&["INFO", &format!("roots=[{:?}] files=1", tree.root())]), 1, "{log}");
    assert_eq!(logs(&["WARN"]) + logs(&["ERROR"]), 0, "{log}");
}

#[test]
fn exit_without_shutdown() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    let status = client.exited_by(|client| client.send(&json!({"jsonrpc": "2.0", "method": "exit"})));
    assert_eq!(status.code(), Some(1));
}

#[test]
fn exit_before_anything() {
    let tree = lay(TREE);
    let mut client = Client::start(&tree, &Profile::named("emacs"), &[]);
    let status = client.exited_by(|client| client.send(&json!({"jsonrpc": "2.0", "method": "exit"})));
    assert_eq!(status.code(), Some(1));
}

#[test]
fn stdin_that_is_closed() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    let status = client.exited_by(Client::close_stdin);
    assert_eq!(status.code(), Some(0));
    // Also in the middle of a message.
    let mut client = server(&tree);
    let status = client.exited_by(|client| {
        client.send_raw(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"");
        client.close_stdin();
    });
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_signal() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    let pid = client.child.id();
    let status = client.exited_by(|_| signal(pid));
    assert_eq!(status.code(), Some(0));
}

fn signal(pid: u32) {
    assert!(std::process::Command::new("kill").arg(pid.to_string()).status().unwrap().success());
}

#[test]
fn after_shutdown_nothing_is_done() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    client.ask("shutdown", Value::Null);
    let (code, _) = client.ask_wrongly("textDocument/hover", json!({}));
    assert_eq!(code, -32600);
    let status = client.exited_by(|client| client.send(&json!({"jsonrpc": "2.0", "method": "exit"})));
    assert_eq!(status.code(), Some(0));
}

#[test]
fn before_initialize_nothing_is_done() {
    let tree = lay(TREE);
    let profile = Profile::named("emacs");
    let mut client = Client::start(&tree, &profile, &[]);
    for method in ["textDocument/hover", "pathfinder/resolve", "shutdown", "workspace/executeCommand"] {
        let (code, message) = client.ask_wrongly(method, json!({}));
        assert_eq!(code, -32002, "{method}: {message}");
    }
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": "file:///x", "languageId": "x", "version": 1, "text": ""}}),
    );
    client.initialize(&[tree.root()], json!({}));
    client.expect("README.md", &["1 missing-path gone.md"]);
    let (code, _) = client.ask_wrongly("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}));
    assert_eq!(code, -32600, "there is only one");
    client.open("README.md");
    client.expect("README.md", &["1 missing-path gone.md"]);
    client.end();
}

#[test]
fn a_client_that_declares_nothing() {
    let tree = lay(TREE);
    for capabilities in [json!({}), json!(null), json!([]), json!({"workspace": 3, "textDocument": {"diagnostic": []}})]
    {
        let mut client = Client::start(&tree, &Profile::new(json!({})), &[]);
        let mut params = json!({"processId": null, "rootUri": crate::text::uri(&tree.root())});
        params["capabilities"] = capabilities;
        client.initialize_with(params);
        client.expect("README.md", &["1 missing-path gone.md"]);
        client.end();
    }
}

/// Unread output fills the pipe, then the queue. The end must not wait for it.
#[test]
fn a_client_that_never_reads() {
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};

    // Few enough messages that all are taken in although no answer is read, and so many that none is any more.
    for (by_signal, messages) in [(false, 300), (true, 5000)] {
        let tree = lay(TREE);
        let mut child = Command::new(env!("CARGO_BIN_EXE_pathfinder"))
            .args(["lsp", "--root"])
            .arg(tree.root())
            .env("HOME", tree.home())
            .env("PATHFINDER_CACHE_DIR", tree.place().join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (pid, patience) = (child.id(), crate::client::TIMEOUT);
        // Written beside: at some point the server takes in nothing more, as it must.
        std::thread::spawn(move || {
            let mut send = |message: Value| {
                let body = message.to_string();
                stdin.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
            };
            let params = json!({"processId": null, "rootUri": null, "capabilities": {}});
            _ = send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
            let noise = "x".repeat(2000);
            for id in 1..messages {
                let method = format!("nothing/{noise}");
                if send(json!({"jsonrpc": "2.0", "id": id, "method": method})).is_err() {
                    return;
                }
            }
        });
        // It has begun, and everything that ends it is in place.
        stdout.read_exact(&mut [0; 20]).unwrap();
        if by_signal {
            signal(pid);
        }
        let (sender, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(child.wait()));
        let status = ended.recv_timeout(patience).unwrap_or_else(|_| {
            _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            panic!("it does not end (by signal: {by_signal})")
        });
        assert_eq!(status.unwrap().code(), Some(0), "by signal: {by_signal}");
        drop(stdout);
    }
}
