//! URIs as clients write them: escaped or not, of other schemes, of other systems.

use serde_json::{Value, json};

use crate::client::Client;
use crate::lay;
use crate::profile::under_all;
use crate::text;

const GONE: &str = "1 missing-path gone.md";

#[test]
fn odd_names() {
    under_all(|profile| {
        let tree = lay("canary.md = [a](gone.md)\\n");
        let names = ["a b.md", "[id].md", "é😀.md", "100%.md", "a#b.md", "a?b.md", "{x}.md", "a+b&c.md"];
        for name in names {
            std::fs::write(tree.root().join(name), "[x](gone.md)\n").unwrap();
        }
        let mut client = Client::ready(&tree, &profile);
        for name in names {
            client.expect(name, &[GONE]);
        }
        client.expect("canary.md", &[GONE]);
        for name in names {
            client.open(name);
            client.expect(name, &[GONE]);
            let action = crate::actions::action(&mut client, name, "gone.md", "Ignore `gone.md` here");
            client.apply(&action["edit"]);
            client.expect(name, &[]);
        }
        client.end();
    });
}

#[test]
fn spellings_that_are_not_escaped() {
    under_all(|profile| {
        let tree = lay("canary.md = [a](gone.md)\\n");
        let root = tree.root();
        let root = root.to_str().unwrap();
        for name in ["[id].md", "a b.md", "é.md"] {
            std::fs::write(tree.root().join(name), "[x](gone.md)\n").unwrap();
        }
        let mut client = Client::ready(&tree, &profile);
        for name in ["[id].md", "a b.md", "é.md"] {
            client.expect(name, &[GONE]);
            let uri = format!("file://{root}/{name}");
            let text = client.disk(name);
            let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
            client.notify("textDocument/didOpen", json!({"textDocument": document}));
            let place = json!({"uri": uri, "position": {"line": 0, "character": 5}});
            let params = json!({"command": "pathfinder.explain", "arguments": [place]});
            assert_eq!(client.ask("workspace/executeCommand", params)["literal"], "gone.md", "{name}");
            client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
            client.expect(name, &[GONE]);
        }
        client.expect("canary.md", &[GONE]);
        client.end();
    });
}

#[test]
fn what_is_no_file_here() {
    under_all(|profile| {
        let tree = lay("README.md = [a](gone.md)\\n");
        let mut client = Client::ready(&tree, &profile);
        client.expect("README.md", &[GONE]);
        let others = [
            "untitled:Untitled-1",
            "git:/x/README.md?%7B%22ref%22%3A%22~%22%7D",
            "vscode-vfs://github/a/b/README.md",
            "file:///c%3A/Users/x/README.md",
            "file:///C:/Users/x/README.md",
            "file://server/share/README.md",
            "file:///elsewhere/README.md",
        ];
        for uri in others {
            client.open_as(uri, "[a](gone.md)\n");
            let named = json!({"textDocument": {"uri": uri}});
            let place = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}});
            let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 9}});
            let all = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
            for (method, params) in [
                ("textDocument/hover", &place),
                ("textDocument/completion", &place),
                ("textDocument/definition", &place),
                ("textDocument/documentLink", &named),
                ("textDocument/codeAction", &all),
            ] {
                assert_eq!(client.ask(method, params.clone()), Value::Null, "{method} {uri}");
            }
            let change = json!({"range": range, "newText": "x"});
            client.change(uri, &[change]);
            client.notify("textDocument/didSave", named);
            client.close_as(uri);
        }
        client.open("README.md");
        client.expect("README.md", &[GONE]);
        client.end();
    });
}

#[test]
fn one_file_under_two_names() {
    let tree = lay("docs/a.md = [a](gone.md)\\n\nlink.md -> docs/a.md");
    under_all(|profile| {
        let mut client = Client::ready(&tree, &profile);
        client.expect("docs/a.md", &[GONE]);
        client.open("docs/a.md");
        client.expect("docs/a.md", &[GONE]);
        assert!(client.text("docs/a.md").contains("gone"));
        client.expected.insert(text::plain(&client.uri("link.md")));
        client.end();
    });
}
