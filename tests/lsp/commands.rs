//! Requests of our own, and the same as commands.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::actions::{SURE, SURE_ROWS};
use crate::client::Client;
use crate::diagnostics::PROJECT;
use crate::lay;
use crate::profile::{Profile, under_all};

const SLIP: &str = "2 missing-path ./comp/Buton -> ./comp/Button";
const LOST: &str = "4 missing-path ./lost/where";

fn execute(client: &mut Client, command: &str, argument: Value) -> Value {
    client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
}

/// Times are others each time, and what was asked once is more likely from then on.
fn without_scores(mut answer: Value) -> Value {
    for name in ["elapsed_us", "elapsed_ms", "candidates", "confidence"] {
        if let Some(members) = answer.as_object_mut() {
            members.remove(name);
        }
    }
    answer
}

#[test]
fn requests_of_our_own() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.expect("src/main.ts", &[SLIP, LOST]);
        let root = tree.root();
        let root = root.to_str().unwrap();
        let both = |client: &mut Client, name: &str, params: Value| {
            let asked = without_scores(client.ask(&format!("pathfinder/{name}"), params.clone()));
            let executed = without_scores(execute(client, &format!("pathfinder.{name}"), params));
            assert_eq!(asked, executed, "{name}");
            asked
        };
        let resolved = both(&mut client, "resolve", json!({"id": 7, "failed_path": "src/comp/Buton.ts"}));
        assert_eq!((&resolved["status"], &resolved["path"]), (&json!("resolved"), &json!("src/comp/Button.ts")));
        assert_eq!(resolved["id"], 7);
        // Declarations and contents are read in the background: until then, two answers can differ.
        let query = json!({"query": "button", "limit": 1});
        let end = Instant::now() + crate::client::TIMEOUT;
        let found = loop {
            let asked = without_scores(client.ask("pathfinder/find", query.clone()));
            let executed = without_scores(execute(&mut client, "pathfinder.find", query.clone()));
            if asked["results"][0]["line"] == 1 && asked == executed {
                break asked;
            }
            assert!(Instant::now() < end, "no declaration, or another answer: {asked} {executed}");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!((&found["status"], &found["results"][0]["path"]), (&json!("found"), &json!("src/comp/Button.ts")));
        let roots = both(&mut client, "roots", Value::Null);
        assert_eq!(roots, json!({"roots": [{"path": root, "files": 3, "directories": 2, "state": "ready"}]}));
        fs::write(tree.root().join("new.txt"), "").unwrap();
        let counted = both(&mut client, "reindex", Value::Null);
        assert_eq!(counted, json!({"files": 4, "directories": 2}));
        client.end();
    });
}

#[test]
fn all_that_is_sure_everywhere() {
    under_all(|profile| {
        let tree = lay(SURE);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &SURE_ROWS);
        client.expect("src/other.ts", &["1 missing-path ./comp/ConfirmatonDialog -> ./comp/ConfirmationDialog"]);
        let dry = execute(&mut client, "pathfinder.fixAll", json!({"dryRun": true}));
        assert_eq!((&dry["files"], &dry["paths"]), (&json!(2), &json!(3)), "{dry}");
        let uri = client.uri("src/other.ts");
        let one = execute(&mut client, "pathfinder.fixAll", json!({"uri": uri}));
        client.read("workspace/applyEdit");
        assert_eq!(one, json!({"files": 1, "paths": 1}));
        client.expect("src/other.ts", &[]);
        let all = execute(&mut client, "pathfinder.fixAll", json!({}));
        client.read("workspace/applyEdit");
        assert_eq!(all, json!({"files": 1, "paths": 2}));
        client.expect("src/main.ts", &SURE_ROWS[2..]);
        assert_eq!(execute(&mut client, "pathfinder.fixAll", json!({})), json!({"files": 0, "paths": 0}));
        client.end();
    });
}

#[test]
fn what_is_worked_on_is_likelier() {
    under_all(|profile| {
        let tree = lay("
            one/client.go = package one\\n
            two/client.go = package two\\n
            three/client.go = package three\\n
        ");
        for (at, worked_on) in ["two/client.go", "three/client.go"].into_iter().enumerate() {
            let mut client = Client::ready(&tree, &profile);
            client.open(worked_on);
            if at == 1 {
                client.edit(worked_on, "package", "// x\npackage");
                client.save(worked_on);
            }
            // Memory is written in the background; a later request shows when it is done.
            let first = |client: &mut Client| {
                let answer = client.ask("pathfinder/resolve", json!({"failed_path": "client.go", "op": "stat"}));
                answer["candidates"][0]["path"].as_str().unwrap().to_owned()
            };
            let deadline = std::time::Instant::now() + crate::client::TIMEOUT;
            while first(&mut client) != worked_on {
                assert!(std::time::Instant::now() < deadline, "{worked_on} is not the likeliest");
            }
            client.close(worked_on);
            client.end();
        }
    });
}

#[test]
fn patterns_that_are_ignored() {
    let tree = lay(PROJECT);
    let mut client = Client::ready(&tree, &Profile::named("emacs"));
    client.expect("src/main.ts", &[SLIP, LOST]);
    execute(&mut client, "pathfinder.ignore", json!({"pattern": "./lost/**"}));
    client.expect("src/main.ts", &[SLIP]);
    assert_eq!(client.disk("pathfinder.toml"), "[check]\nignore_literals = [\"./lost/**\"]\n");
    client.end();
}

#[test]
fn what_cannot_be_done_is_said() {
    under_all(|profile| {
        let tree = lay("src/a.ts\n../outside/x.ts");
        let mut client = Client::ready(&tree, &profile);
        let uri = |path: &str| crate::text::uri(&tree.root().join(path));
        let mut check = |command: &str, argument: Value, expect: &str| {
            let params = json!({"command": command, "arguments": [argument]});
            let (code, message) = client.ask_wrongly("workspace/executeCommand", params);
            assert_eq!(code, -32602, "{message}");
            assert!(message.contains(expect), "{message}");
        };
        check("pathfinder.nothing", json!({}), "there is no command");
        check("pathfinder.createFile", json!({}), "uri is missing");
        check("pathfinder.createFile", json!({"uri": uri("src/a.ts")}), "is there already");
        check("pathfinder.createFile", json!({"uri": uri("../outside/y.ts")}), "outside the roots");
        check("pathfinder.createFile", json!({"uri": "untitled:x"}), "must name a file");
        check("pathfinder.ignore", json!({}), "literal is missing");
        check("pathfinder.ignore", json!({"literal": "x", "root": "file:///nowhere"}), "root must be");
        check("pathfinder.apply", json!({}), "edit is missing");
        check("pathfinder.resolve", json!({}), "failed_path");
        check("pathfinder.find", json!({"limit": 3}), "query is missing");
        assert!(!tree.place().join("outside/y.ts").exists());
        client.end();
    });
}

#[test]
fn a_client_that_refuses_an_edit() {
    let tree = lay(PROJECT);
    let mut client = Client::ready(&tree, &Profile::new(json!({})));
    client.open("src/main.ts");
    client.expect("src/main.ts", &[SLIP, LOST]);
    let params = json!({"command": "pathfinder.fixAll", "arguments": []});
    let (_, message) = client.ask_wrongly("workspace/executeCommand", params);
    assert!(message.contains("edit"), "{message}");
    client.end();
}
