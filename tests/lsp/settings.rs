//! Settings: asked for where the client lets itself be asked, else as it tells them.

use serde_json::json;

use crate::client::Client;
use crate::lay;
use crate::profile::{Profile, under_all};
use crate::text;

const TREE: &str = "
    README.md = [a](gone.md)\\n
    docs/a.md = [a](lost.md)\\n
";

#[test]
fn reporting_is_switched_off_and_on() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        let (gone, lost) = ("1 missing-path gone.md", "1 missing-path lost.md");
        client.expect("README.md", &[gone]);
        client.expect("docs/a.md", &[lost]);
        let set = |client: &mut Client, settings: serde_json::Value| {
            client.settings = settings.clone();
            let params = json!({"settings": {"pathfinder": settings}});
            client.notify("workspace/didChangeConfiguration", params);
        };
        set(&mut client, json!({"workspaceDiagnostics": false}));
        client.expect("docs/a.md", &[]);
        client.expect("README.md", &[gone]);
        set(&mut client, json!({"diagnostics": false}));
        client.expect("README.md", &[]);
        client.expect("docs/a.md", &[]);
        set(&mut client, json!({}));
        client.expect("README.md", &[gone]);
        client.expect("docs/a.md", &[lost]);
        client.end();
    });
}

/// Sets settings, and tells of them.
fn set(client: &mut Client, settings: serde_json::Value) {
    client.settings = settings.clone();
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"pathfinder": settings}}));
}

#[test]
fn kinds_languages_files_and_severities() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        let (gone, lost) = ("1 missing-path gone.md", "1 missing-path lost.md");
        for off in [json!({"disable": ["md.link"]}), json!({"disable": ["missing-path"]}), json!({"languages": ["ts"]})]
        {
            client.expect("README.md", &[gone]);
            client.expect("docs/a.md", &[lost]);
            set(&mut client, off);
            client.expect("README.md", &[]);
            client.expect("docs/a.md", &[]);
            let offered = crate::actions::actions(&mut client, "README.md", "gone.md", None);
            assert!(!offered.is_empty(), "another server may report it");
            set(&mut client, json!({}));
        }
        client.expect("README.md", &[gone]);
        set(&mut client, json!({"ignore": ["docs/**"], "severity": {"missing-path": "error"}}));
        client.expect("docs/a.md", &[]);
        client.wait("an error", |client| (client.expect("README.md", &[gone])[0]["severity"] == 1).then_some(()));
        set(&mut client, json!({"severity": {"missing-path": "off"}}));
        client.expect("README.md", &[]);
        client.expect("docs/a.md", &[]);
        client.end();
    });
}

#[test]
fn each_root_has_its_own() {
    under_all(|profile| {
        if !profile.declares("/workspace/configuration") {
            return;
        }
        let tree = lay("one/a.md = [a](gone.md)\\n\n two/b.md = [a](lost.md)\\n");
        let roots = ["one", "two"].map(|name| tree.root().join(name));
        let mut client = Client::start(&tree, &profile, &[]);
        client.settings = json!({});
        client.scoped_settings.insert(text::uri(&roots[1]), json!({"disable": ["md"]}));
        client.initialize(&roots, json!({}));
        client.wait_ready();
        client.expect("one/a.md", &["1 missing-path gone.md"]);
        client.expect("two/b.md", &[]);
        client.scoped_settings.clear();
        client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
        client.expect("two/b.md", &["1 missing-path lost.md"]);
        client.end();
    });
}

#[test]
fn switches() {
    under_all(|profile| {
        let tree = lay("README.md = [a](docs/a.md)\\n\n docs/a.md");
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &[]);
        let answers = |client: &mut Client| {
            let place = client.place("README.md", "docs/a.md", 5);
            let links = client.ask("textDocument/documentLink", json!({"textDocument": place["textDocument"]}));
            let renames = json!({"files": [{"oldUri": client.uri("docs/a.md"), "newUri": client.uri("docs/b.md")}]});
            [
                links,
                client.ask("textDocument/hover", place.clone()),
                client.ask("textDocument/completion", place),
                client.ask("workspace/willRenameFiles", renames),
            ]
        };
        client.wait("answers", |client| answers(client).iter().all(|it| !it.is_null()).then_some(()));
        set(&mut client, json!({"links": false, "hover": false, "completion": false, "rename": false}));
        client.wait("no answers", |client| answers(client).iter().all(serde_json::Value::is_null).then_some(()));
        client.end();
    });
}

#[test]
fn the_project_file_has_errors_and_completion() {
    under_all(|profile| {
        let tree = lay("README.md = # x\\n\npathfinder.toml = [check]\\nignore = []\\n\n");
        let mut client = Client::ready(&tree, &profile);
        client.open("pathfinder.toml");
        client.expect("pathfinder.toml", &[]);
        let place = client.place("pathfinder.toml", "ignore", 3);
        let answer = client.ask("textDocument/completion", place);
        let labels: Vec<&str> = answer.as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
        assert!(labels.contains(&"site_roots") && labels.contains(&"severity"), "{labels:?}");
        client.edit("pathfinder.toml", "ignore", "ignored");
        let uri = client.uri("pathfinder.toml");
        client.wait("the error", |client| {
            let all = if client.profile.pulls() {
                client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}))["items"].clone()
            } else {
                json!(client.published.get(&text::plain(&uri)).map(|it| it.diagnostics.clone()).unwrap_or_default())
            };
            let message = all[0]["message"].as_str().unwrap_or_default().to_owned();
            message.starts_with("unknown setting `ignored`; known settings: ").then_some(())
        });
        client.end();
    });
}

#[test]
fn open_texts_are_counted_as_they_are_in_the_editor() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.wait("both", |client| (client.status["broken"] == 2).then_some(()));
        client.open("README.md");
        client.edit("README.md", "gone.md", "README.md");
        client.expect("README.md", &[]);
        client.expect("docs/a.md", &["1 missing-path lost.md"]);
        client.wait("one", |client| (client.status["broken"] == 1).then_some(()));
        client.end();
    });
}

#[test]
fn from_the_beginning() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::start(&tree, &profile, &[]);
        client.settings = json!({"workspaceDiagnostics": false});
        client.initialize(&[tree.root()], json!({"workspaceDiagnostics": false}));
        client.wait_ready();
        client.open("README.md");
        client.expect("README.md", &["1 missing-path gone.md"]);
        client.end();
    });
}

#[test]
fn directories_that_are_known_although_git_ignores_them() {
    under_all(|profile| {
        let tree = lay("
            .git/HEAD = ref: refs/heads/main\\n
            .gitignore = generated/\\n
            generated/settings.md = # x\\n
            README.md = [a](lost.md)\\n
        ");
        let mut client = Client::ready(&tree, &profile);
        client.expect("README.md", &["1 missing-path lost.md"]);
        let resolve = |client: &mut Client| {
            client.ask("pathfinder/resolve", json!({"failed_path": "generated/setings.md"}))["candidates"].to_string()
        };
        assert!(!resolve(&mut client).contains("generated/settings.md"));
        let files = client.status["files"].as_u64().unwrap();
        client.settings = json!({"includeDirs": ["generated"]});
        client.notify("workspace/didChangeConfiguration", json!({"settings": client.settings}));
        client.wait("one more file", |client| (client.status["files"] == files + 1).then_some(()));
        assert!(resolve(&mut client).contains("generated/settings.md"));
        client.end();
    });
}

#[test]
fn reports_wrong_settings() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.expect("README.md", &["1 missing-path gone.md"]);
        client.expect("docs/a.md", &["1 missing-path lost.md"]);
        client.wait("the first question for settings", |client| (client.settings_asked > 0).then_some(()));
        client.settings = json!({"hints": 3});
        client.notify("workspace/didChangeConfiguration", json!({"settings": client.settings}));
        let shown = client.read("window/showMessage");
        assert_eq!(shown["message"], "pathfinder.hints must be true or false");
        client.settings = json!({});
        client.end();
    });
}

#[test]
fn reports_a_broken_project_file() {
    let tree = lay(&format!("{TREE}\npathfinder.toml = [check]\\nignore_literals = 3\\n"));
    let mut client = Client::ready(&tree, &Profile::named("emacs"));
    client.expect("README.md", &["1 missing-path gone.md"]);
    client.expect("docs/a.md", &["1 missing-path lost.md"]);
    let shown = client.read("window/showMessage");
    assert!(shown["message"].as_str().unwrap().contains("pathfinder.toml"), "{shown}");
    client.end();
}
