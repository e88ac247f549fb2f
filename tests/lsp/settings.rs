//! Settings: asked for where the client lets itself be asked, else as it tells them.

use serde_json::json;

use crate::client::Client;
use crate::lay;
use crate::profile::{Profile, under_all};

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
