//! `textDocument/codeAction`: what is offered where a path is wrong, and what each of it does.

use serde_json::{Value, json};

use crate::client::Client;
use crate::diagnostics::PROJECT;
use crate::lay;
use crate::profile::{Profile, under_all};
use crate::text;

const SLIP: &str = "2 missing-path ./comp/Buton -> ./comp/Button";
const LOST: &str = "4 missing-path ./lost/where";

/// Two slips with a sure answer, and one path without any.
pub(crate) const SURE: &str = r#"
    package.json = {"name": "x"}
    src/comp/ConfirmationDialog.ts = export const ConfirmationDialog = 1;\n
    src/comp/NavigationBar.ts = export const NavigationBar = 1;\n
    src/main.ts = // 😀\nimport { ConfirmationDialog } from "./comp/ConfirmatonDialog";\nimport { NavigationBar } from "./comp/NavigationBr";\nimport c from "./lost/where";\n
    src/other.ts = import { ConfirmationDialog } from "./comp/ConfirmatonDialog";\n
"#;

pub(crate) const SURE_ROWS: [&str; 3] = [
    "2 missing-path ./comp/ConfirmatonDialog -> ./comp/ConfirmationDialog",
    "3 missing-path ./comp/NavigationBr -> ./comp/NavigationBar",
    "4 missing-path ./lost/where",
];

/// Requests the code actions at a text of an open document.
pub(crate) fn actions(client: &mut Client, path: &str, what: &str, only: Option<&[&str]>) -> Vec<Value> {
    let range = text::range_of(&client.text(path), what, &client.encoding);
    let mut context = json!({"diagnostics": []});
    if let Some(only) = only {
        context["only"] = json!(only);
    }
    let document = json!({"uri": client.uri(path)});
    let params = json!({"textDocument": document, "range": range, "context": context});
    client.ask("textDocument/codeAction", params).as_array().cloned().unwrap_or_default()
}

/// The one that begins with these words.
#[track_caller]
pub(crate) fn action(client: &mut Client, path: &str, what: &str, title: &str) -> Value {
    let all = actions(client, path, what, None);
    let found = all.iter().find(|action| action["title"].as_str().unwrap().starts_with(title));
    found.unwrap_or_else(|| panic!("no {title}: {all:#?}")).clone()
}

/// Does what an editor does when an action is chosen.
pub(crate) fn choose(client: &mut Client, action: &Value) {
    if !action["edit"].is_null() {
        client.apply(&action["edit"]);
    }
    if !action["command"].is_null() {
        let command = &action["command"];
        let params = json!({"command": command["command"], "arguments": command["arguments"]});
        client.ask("workspace/executeCommand", params);
    }
}

#[test]
fn the_right_path_comes_first() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[SLIP, LOST]);
        let all = actions(&mut client, "src/main.ts", "./comp/Buton", None);
        assert_eq!(all[0]["title"].as_str().unwrap().split(" (").next(), Some("Change to `./comp/Button`"), "{all:#?}");
        assert_eq!(all[0]["isPreferred"], true);
        assert_eq!(all.iter().filter(|action| action["isPreferred"] == true).count(), 1, "{all:#?}");
        assert!(all.iter().all(|action| action["kind"] == "quickfix"), "{all:#?}");
        assert_eq!(all[0]["diagnostics"][0]["data"]["literal"], "./comp/Buton");
        for action in &all {
            assert_eq!(client.ask("codeAction/resolve", action.clone()), *action, "it was complete before");
        }
        choose(&mut client, &all[0]);
        assert!(
            client.text("src/main.ts").contains("from \"./comp/Button\";\nimport a"),
            "{}",
            client.text("src/main.ts")
        );
        client.expect("src/main.ts", &[LOST]);
        client.end();
    });
}

#[test]
fn what_is_unsure_is_not_preferred() {
    under_all(|profile| {
        let tree = lay("
            a.md = [x](client.md) [y](b.md)\\n
            one/client.md = # One\\n
            two/client.md = # Two\\n
            b.md
        ");
        let mut client = Client::ready(&tree, &profile);
        client.open("a.md");
        let all = actions(&mut client, "a.md", "client.md", None);
        let titles: Vec<_> = all.iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect();
        let changes: Vec<_> = titles.iter().filter(|title| title.starts_with("Change to ")).collect();
        assert!(changes.len() >= 2, "{titles:?}");
        assert!(all.iter().all(|action| action.get("isPreferred").is_none()), "{all:#?}");
        assert_eq!(actions(&mut client, "a.md", "b.md", None), Vec::<Value>::new(), "nothing is wrong there");
        client.expected.insert(text::plain(&client.uri("a.md")));
        client.end();
    });
}

/// One of many equal files is more often wrong than not, and a long menu hides what else can be done.
#[test]
fn what_is_unlikely_is_not_offered() {
    under_all(|profile| {
        let many: String =
            ["one", "two", "three", "four", "five", "six"].map(|name| format!("{name}/client.md\n")).concat();
        let tree = lay(&format!("a.md = [x](client.md)\\n\n{many}"));
        let mut client = Client::ready(&tree, &profile);
        client.open("a.md");
        client.expect("a.md", &["1 missing-path client.md"]);
        let all = actions(&mut client, "a.md", "client.md", None);
        let percents: Vec<u32> = all
            .iter()
            .filter_map(|it| it["title"].as_str().unwrap().strip_suffix(" %)")?.rsplit(' ').next()?.parse().ok())
            .collect();
        assert!(percents.iter().all(|percent| *percent >= 25), "{all:#?}");
        client.end();
    });
}

#[test]
fn only_what_was_asked_for() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[SLIP, LOST]);
        let kinds = |client: &mut Client, only: &[&str]| {
            let all = actions(client, "src/main.ts", "./comp/Buton", Some(only));
            let mut kinds: Vec<_> = all.iter().map(|it| it["kind"].as_str().unwrap().to_owned()).collect();
            kinds.dedup();
            kinds
        };
        assert_eq!(kinds(&mut client, &["quickfix"]), ["quickfix"]);
        assert_eq!(kinds(&mut client, &["refactor"]), Vec::<String>::new());
        assert_eq!(kinds(&mut client, &["quickfixes"]), Vec::<String>::new());
        for kind in ["source", "source.fixAll", "source.fixAll.pathfinder"] {
            assert_eq!(kinds(&mut client, &[kind]), ["source.fixAll.pathfinder"], "{kind}");
        }
        assert_eq!(kinds(&mut client, &["source.organizeImports", "refactor"]), Vec::<String>::new());
        client.end();
    });
}

#[test]
fn each_finding_offers_all_fixes_of_the_file_and_shows_what_was_tried() {
    under_all(|profile| {
        let tree = lay(SURE);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &SURE_ROWS);
        let titles = |client: &mut Client, what: &str| -> Vec<String> {
            let all = actions(client, "src/main.ts", what, None);
            all.iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect()
        };
        let all = titles(&mut client, "./comp/NavigationBr");
        assert!(all[1].starts_with("Fix all high-confidence broken paths in this file (2 of 3)"), "{all:?}");
        let all = titles(&mut client, "./lost/where");
        assert!(all.iter().any(|title| title.starts_with("Fix all")), "{all:?}");
        let tried = action(&mut client, "src/main.ts", "./lost/where", "Show where");
        choose(&mut client, &tried);
        let shown = client.read("window/showMessage");
        assert!(shown["message"].as_str().unwrap().contains("looked for at src/lost/where.ts"), "{shown}");
        let fix = action(&mut client, "src/main.ts", "./lost/where", "Fix all");
        choose(&mut client, &fix);
        client.expect("src/main.ts", &[SURE_ROWS[2]]);
        let all = titles(&mut client, "./lost/where");
        assert!(!all.iter().any(|title| title.starts_with("Fix all")), "nothing is sure: {all:?}");
        client.expected.insert(text::plain(&client.uri("src/other.ts")));
        client.end();
    });
}

#[test]
fn all_that_is_sure() {
    under_all(|profile| {
        let tree = lay(SURE);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        let [one, two, lost] = SURE_ROWS;
        client.expect("src/main.ts", &[one, two, lost]);
        let all = actions(&mut client, "src/main.ts", "// ", Some(&["source.fixAll"]));
        assert_eq!(all.len(), 1, "{all:#?}");
        choose(&mut client, &all[0]);
        client.expect("src/main.ts", &[lost]);
        client.expect("src/other.ts", &["1 missing-path ./comp/ConfirmatonDialog -> ./comp/ConfirmationDialog"]);
        assert_eq!(actions(&mut client, "src/main.ts", "// ", Some(&["source.fixAll"])), Vec::<Value>::new());
        client.end();
    });
}

#[test]
fn a_file_that_is_missing_is_made() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[SLIP, LOST]);
        let action = action(&mut client, "src/main.ts", "./lost/where", "Create `src/lost/where.ts`");
        choose(&mut client, &action);
        if profile.creates_files() {
            client.read("workspace/applyEdit");
        }
        if profile.shows_documents() {
            assert_eq!(client.read("window/showDocument")["uri"], client.uri("src/lost/where.ts"));
        }
        assert_eq!(client.disk("src/lost/where.ts"), "");
        client.expect("src/main.ts", &[SLIP]);
        client.end();
    });
}

#[test]
fn what_is_ignored_here() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[SLIP, LOST]);
        let action = action(&mut client, "src/main.ts", "./lost/where", "Ignore `./lost/where` here");
        choose(&mut client, &action);
        client.expect("src/main.ts", &[SLIP]);
        assert!(client.text("src/main.ts").contains("\n// pathfinder-ignore"), "{}", client.text("src/main.ts"));
        client.end();
    });
}

#[test]
fn what_is_ignored_everywhere() {
    under_all(|profile| {
        let tree = lay(&format!("{PROJECT}\nsrc/other.ts = import x from \"./lost/where\";\\n"));
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[SLIP, LOST]);
        client.expect("src/other.ts", &["1 missing-path ./lost/where"]);
        let action = action(&mut client, "src/main.ts", "./lost/where", "Ignore `./lost/where` everywhere");
        choose(&mut client, &action);
        client.expect("src/main.ts", &[SLIP]);
        client.expect("src/other.ts", &[]);
        assert_eq!(client.disk("pathfinder.toml"), "[check]\nignore_literals = [\"./lost/where\"]\n");
        client.end();
    });
}

#[test]
fn clients_that_know_commands_only() {
    let tree = lay(PROJECT);
    let profile = Profile::new(json!({"workspace": {"applyEdit": true}}));
    let mut client = Client::ready(&tree, &profile);
    client.open("src/main.ts");
    client.expect("src/main.ts", &[SLIP, LOST]);
    let all = actions(&mut client, "src/main.ts", "./comp/Buton", None);
    assert!(all.iter().all(|it| it["command"].is_string() && it.get("edit").is_none()), "{all:#?}");
    let params = json!({"command": all[0]["command"], "arguments": all[0]["arguments"]});
    client.ask("workspace/executeCommand", params);
    client.read("workspace/applyEdit");
    client.expect("src/main.ts", &[LOST]);
    client.end();
}

#[test]
fn edits_keep_what_is_around() {
    // The characters before the literal have another length in each encoding.
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let tree = lay("
            docs/guide.md
            README.md = 😀é𝕏 [a](docs/gide.md 'title 😀') 😀\\r\\n[b](docs/guide.md)\\r\\n
        ");
        let text = client_text(&tree.root());
        let mut client = Client::ready(&tree, &Profile::named("emacs").with_encoding(encoding));
        client.open_as(&client.uri("README.md"), &text);
        client.expect("README.md", &["1 missing-path docs/gide.md -> docs/guide.md"]);
        let action = action(&mut client, "README.md", "gide", "Change to ");
        choose(&mut client, &action);
        assert_eq!(client.text("README.md"), text.replace("gide", "guide"));
        client.expect("README.md", &[]);
        client.end();
    }
}

fn client_text(root: &std::path::Path) -> String {
    std::fs::read_to_string(root.join("README.md")).unwrap().replace("\\r", "\r")
}
