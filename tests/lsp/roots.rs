//! Roots: several, none, other ones later, and such as are reached through a link.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::client::Client;
use crate::lay;
use crate::profile::{Profile, under_all};
use crate::text;

const TWO: &str = "
    one/README.md = [a](gone.md) [b](../two/README.md)\\n
    two/README.md = [a](lost.md)\\n
    three/README.md = [a](away.md)\\n
";

const GONE: &str = "1 missing-path gone.md";
const LOST: &str = "1 missing-path lost.md";
const AWAY: &str = "1 missing-path away.md";

fn folder(client: &Client, path: &str) -> Value {
    json!({"uri": client.uri(path), "name": path})
}

fn change(client: &mut Client, added: &[&str], removed: &[&str]) {
    let folders = |paths: &[&str]| paths.iter().map(|path| folder(client, path)).collect::<Vec<_>>();
    let event = json!({"added": folders(added), "removed": folders(removed)});
    client.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
}

#[test]
fn folders_that_come_and_go() {
    under_all(|profile| {
        let tree = lay(TWO);
        let mut client = Client::start(&tree, &profile, &[]);
        client.initialize(&[tree.root().join("one"), tree.root().join("two")], json!({}));
        client.wait_ready();
        client.expect("one/README.md", &[GONE]);
        client.expect("two/README.md", &[LOST]);
        client.open("one/README.md");
        client.expect("one/README.md", &[GONE]);
        change(&mut client, &["three"], &["two"]);
        client.expect("three/README.md", &[AWAY]);
        client.expect("two/README.md", &[]);
        client.expect("one/README.md", &[GONE]);
        change(&mut client, &[], &["one", "three"]);
        client.expect("one/README.md", &[]);
        client.expect("three/README.md", &[]);
        change(&mut client, &["one"], &[]);
        client.expect("one/README.md", &[GONE]);
        client.end();
    });
}

#[test]
fn without_a_root_it_is_that_of_the_first_file() {
    under_all(|profile| {
        let tree = lay(&format!("one/.git/HEAD = ref: refs/heads/main\\n\n{TWO}\none/docs/a.md = [x](../gone.md)\\n"));
        let mut client = Client::start(&tree, &profile, &[]);
        client.initialize(&[], json!({}));
        client.open("one/docs/a.md");
        client.expect("one/docs/a.md", &["1 missing-path ../gone.md"]);
        client.expect("one/README.md", &[GONE]);
        client.end();
    });
}

#[test]
fn old_ways_to_name_a_root() {
    let tree = lay(TWO);
    let root = tree.root().join("two");
    for name in ["rootUri", "rootPath"] {
        let profile = Profile::named("emacs");
        let mut client = Client::start(&tree, &profile, &[]);
        let value = if name == "rootUri" { text::uri(&root) } else { root.to_str().unwrap().to_owned() };
        client.initialize_with(
            json!({"processId": null, "rootUri": null, "capabilities": profile.capabilities, name: value}),
        );
        client.wait_ready();
        client.expect("two/README.md", &[LOST]);
        client.end();
    }
}

#[test]
fn roots_that_were_given_when_it_was_started() {
    let tree = lay(TWO);
    let root = tree.root().join("three");
    let mut client = Client::start(&tree, &Profile::named("emacs"), &["--root", root.to_str().unwrap()]);
    client.initialize(&[tree.root().join("one")], json!({}));
    client.wait_ready();
    client.expect("three/README.md", &[AWAY]);
    change(&mut client, &["two"], &["three"]);
    client.expect("three/README.md", &[AWAY]);
    client.end();
}

#[test]
fn a_root_behind_a_link() {
    under_all(|profile| {
        let tree = lay("../real/README.md = [a](gone.md)\\n\n../real/docs/a.md = [a](lost.md)\\n\nx.md");
        fs::remove_file(tree.root().join("x.md")).unwrap();
        fs::remove_dir(tree.root()).unwrap();
        symlink(tree.place().join("real"), tree.root()).unwrap();
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &[GONE]);
        // As the client knows them, not as they are called behind the link.
        client.expect("docs/a.md", &[LOST]);
        client.write("gone.md", "# x\n");
        client.expect("README.md", &[]);
        client.close("README.md");
        client.expect("README.md", &[]);
        client.end();
    });
}

#[test]
fn a_root_that_is_removed() {
    under_all(|profile| {
        let tree = lay(TWO);
        let mut client = Client::start(&tree, &profile, &[]);
        client.initialize(&[tree.root().join("one")], json!({}));
        client.wait_ready();
        client.expect("one/README.md", &[GONE]);
        client.remove("one");
        client.expect("one/README.md", &[]);
        let roots = client.ask("workspace/executeCommand", json!({"command": "pathfinder.roots", "arguments": []}));
        assert_eq!(roots["roots"][0]["state"], "gone");
        client.end();
    });
}

/// Its ignore file is larger than any.
#[test]
fn roots_that_give_way_to_one_that_cannot_be_read() {
    under_all(|profile| {
        let tree = lay(TWO);
        fs::write(tree.root().join("three/.gitignore"), "x".repeat(2 << 20)).unwrap();
        let mut client = Client::start(&tree, &profile, &[]);
        client.initialize(&[tree.root().join("one")], json!({}));
        client.wait_ready();
        client.expect("one/README.md", &[GONE]);
        client.write("one/docs/open.md", "[a](lost.md)\n");
        client.open("one/docs/open.md");
        client.expect("one/docs/open.md", &[LOST]);
        change(&mut client, &["three"], &["one"]);
        client.expect("one/README.md", &[]);
        client.expect("one/docs/open.md", &[]);
        let said = client.read("window/showMessage")["message"].as_str().unwrap().to_owned();
        assert!(said.contains("three") && said.contains(".gitignore"), "{said}");
        client.end();
    });
}

#[test]
fn a_root_that_was_never_there() {
    let tree = lay(TWO);
    let mut client = Client::start(&tree, &Profile::named("emacs"), &[]);
    client.initialize(&[tree.root().join("nowhere"), tree.root().join("one")], json!({}));
    client.wait_ready();
    client.expect("one/README.md", &[GONE]);
    client.end();
}

#[test]
fn without_a_root_and_a_file() {
    let tree = lay(TWO);
    let mut client = Client::start(&tree, &Profile::named("vscode"), &[]);
    client.initialize(&[], json!({}));
    // The server is idle and asks for nothing but opened files: not even for the directory where it was started.
    client.wait_ready();
    assert_eq!(client.status["files"], 0);
    assert_eq!(client.ask("pathfinder/roots", json!(null)), json!({"roots": []}));
    for (method, params) in [
        ("pathfinder/resolve", json!({"failed_path": "two/REDME.md"})),
        ("pathfinder/find", json!({"query": "readme"})),
        ("pathfinder/reindex", json!(null)),
    ] {
        let (_, message) = client.ask_wrongly(method, params);
        assert!(message.contains("no folder is open"), "{method}: {message}");
    }
    assert_eq!(client.ask("workspace/symbol", json!({"query": "readme"})), json!(null));
    client.open("two/README.md");
    client.expect("two/README.md", &[LOST]);
    client.end();
}
