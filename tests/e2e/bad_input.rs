//! Input that cannot be a path: each gets a typed error, on stderr, and as JSON if JSON was requested.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::tree::{PROJECT, Tree};

/// Resolves `path`; the error must have this kind and say this.
#[track_caller]
fn check(path: &[u8], kind: &str, says: &str) {
    let tree = Tree::new(PROJECT);
    let path = OsStr::from_bytes(path);
    let text = tree.plan(&["resolve", "--"]).arg(path).run();
    assert_eq!((text.code, text.stdout.as_str()), (Some(2), ""), "{text:?}");
    assert!(text.stderr.starts_with(&format!("error[{kind}]: ")) && text.stderr.contains(says), "{text:?}");

    let json = tree.plan(&["resolve", "--format=json", "--"]).arg(path).run();
    let answer = json.json();
    assert_eq!(json.code, Some(2), "{json:?}");
    assert_eq!((answer["status"].as_str(), answer["error_kind"].as_str()), (Some("error"), Some(kind)), "{json:?}");
    assert!(answer["message"].as_str().unwrap().contains(says), "{json:?}");
    assert_eq!(json.stderr, text.stderr);
}

#[test]
fn paths_that_cannot_be() {
    check(b"", "BadRequest", "empty");
    check(b" \t", "BadRequest", "empty");
    check(b"src/ma\xffin.rs", "BadRequest", "not UTF-8");
    check("x".repeat(100_000).as_bytes(), "BadRequest", "100000 bytes long");
}

#[test]
fn reports_wrong_usage() {
    let tree = Tree::new(PROJECT);
    for args in [
        &["resolve"][..],
        &["resolve", "--op", "delete", "a"],
        &["resolve", "--limit", "0", "a"],
        &["resolve", "--limit", "201", "a"],
        &["resolve", "--limit", "many", "a"],
        &["resolve", "--format", "xml", "a"],
        &["resolve", "--nonsense", "a"],
        &["nonsense"],
    ] {
        let run = tree.plan(args).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.starts_with("error: "), "{run:?}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let tree = Tree::new(PROJECT);
    let binary = env!("CARGO_BIN_EXE_pathfinder");
    let script = "\"$0\" man | true; for _ in 1 2 3; do echo '{\"failed_path\":\"src/lib.rs\"}'; done | \"$0\" resolve --batch | head -1";
    let run = std::process::Command::new("sh").args(["-c", script, binary]).current_dir(tree.root()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stderr), "");
}

/// A user learns what the program waits for.
#[test]
fn introduces_itself_to_a_silent_client() {
    let tree = Tree::new(PROJECT);
    let mut silent = tree.plan(&[]).converse();
    assert!(silent.first_complaint().contains("an MCP client is expected"));
    silent.kill();
    let run = tree.plan(&[]).stdin("").run();
    assert!(run.code == Some(0) && run.stderr.contains("an MCP client is expected"), "{run:?}");
    let run = tree.plan(&["mcp"]).stdin("").run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
}

/// Roots that no user means are refused, unless they are forced.
#[test]
fn refuses_a_home_directory() {
    let tree = Tree::new(PROJECT);
    let home = tree.root().to_str().unwrap().to_owned();
    for args in [&["check"][..], &["resolve", "src/main.rs"], &["find", "main"], &["index"], &["fix"]] {
        let run = tree.plan(args).env("HOME", &home).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains("home directory") && run.stderr.contains("--force"), "{run:?}");
        let forced = tree.plan(args).arg("--force").env("HOME", &home).run();
        assert_eq!(forced.code, Some(0), "{forced:?}");
    }
}
