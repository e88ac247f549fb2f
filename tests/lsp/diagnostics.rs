//! Diagnostics: of what is open, as it is opened, edited, saved and closed.

use serde_json::json;

use crate::client::Client;
use crate::lay;
use crate::profile::{Profile, under_all};

/// A module that imports one that is there, one whose name has a slip, and one that never was. Before them stands a
/// character that has another length in each encoding.
pub(crate) const PROJECT: &str = r#"
    package.json = {"name": "x"}
    src/comp/Button.ts = export const Button = 1\n
    src/main.ts = // 😀é\nimport { Button } from "./comp/Buton";\nimport a from "./comp/Button";\nimport b from "./lost/where";\n
"#;

const SLIP: &str = "2 missing-path ./comp/Buton -> ./comp/Button";
const LOST: &str = "4 missing-path ./lost/where";

#[test]
fn of_open_texts() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.expect("src/main.ts", &[SLIP, LOST]);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[SLIP, LOST]);
        client.edit("src/main.ts", "./comp/Buton", "./comp/Button");
        client.expect("src/main.ts", &[LOST]);
        client.edit("src/main.ts", "// ", "// 😀\n\n");
        client.expect("src/main.ts", &["6 missing-path ./lost/where"]);
        client.edit("src/main.ts", "./lost/where", "./comp/Buton");
        client.expect("src/main.ts", &["6 missing-path ./comp/Buton -> ./comp/Button"]);
        client.save("src/main.ts");
        client.expect("src/main.ts", &["6 missing-path ./comp/Buton -> ./comp/Button"]);
        client.edit("src/main.ts", "comp/Buton", "comp/Button");
        client.expect("src/main.ts", &[]);
        // Unsaved text is lost.
        client.close("src/main.ts");
        client.expect("src/main.ts", &["6 missing-path ./comp/Buton -> ./comp/Button"]);
        client.open("src/main.ts");
        client.expect("src/main.ts", &["6 missing-path ./comp/Buton -> ./comp/Button"]);
        client.end();
    });
}

#[test]
fn a_text_that_is_replaced_as_a_whole() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        let uri = client.uri("src/main.ts");
        let text = "import a from \"./comp/Buton\";\n";
        let open = client.documents.get_mut(&crate::text::plain(&uri)).unwrap();
        (open.version, open.text) = (7, text.to_owned());
        let named = json!({"uri": uri, "version": 7});
        client.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": [{"text": text}]}));
        client.expect("src/main.ts", &["1 missing-path ./comp/Buton -> ./comp/Button"]);
        client.end();
    });
}

#[test]
fn what_they_say() {
    under_all(|profile| {
        let tree = lay(PROJECT);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        let all = client.expect("src/main.ts", &[SLIP, LOST]);
        let first = &all[0];
        assert_eq!(first["severity"], 1);
        assert_eq!(first["data"]["kind"], "ts.import");
        assert_eq!(first["data"]["fixes"][0]["path"], "src/comp/Button.ts");
        assert!(first["data"]["fixes"][0]["confidence"].as_f64().unwrap() > 0.5, "{first}");
        client.end();
    });
}

#[test]
fn encodings() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let tree = lay("
            docs/a.md = 😀é\u{1d54f} [x](gone-😀.md) 𝕏 [y](guide.md)\\n😀 [z](gide.md)\\n
            docs/guide.md
        ");
        let mut client = Client::ready(&tree, &Profile::named("emacs").with_encoding(encoding));
        assert_eq!(client.encoding, encoding);
        let rows = ["1 missing-path gone-😀.md", "2 missing-path gide.md -> guide.md"];
        let on_disk = client.expect("docs/a.md", &rows);
        client.open("docs/a.md");
        let open = client.expect("docs/a.md", &rows);
        assert_eq!(on_disk, open, "the same as of the file");
        client.edit("docs/a.md", "gone-😀.md", "guide.md");
        client.expect("docs/a.md", &rows[1..]);
        client.end();
    }
}

#[test]
fn ends_of_lines_and_marks() {
    under_all(|profile| {
        let tree = lay("docs/guide.md");
        let text = "# a\r\n\r\n😀 [x](gone.md)\r\n[y](gide.md)\n";
        std::fs::write(tree.root().join("docs/a.md"), format!("\u{feff}{text}")).unwrap();
        let mut client = Client::ready(&tree, &profile);
        let rows = ["3 missing-path gone.md", "4 missing-path gide.md -> guide.md"];
        let on_disk = client.expect("docs/a.md", &rows);
        let uri = client.uri("docs/a.md");
        client.open_as(&uri, text);
        let open = client.expect("docs/a.md", &rows);
        assert_eq!(on_disk, open, "the mark is no part of the text");
        client.end();
    });
}

#[test]
fn what_moved_in_git_is_named() {
    let tree = lay("
        docs/setup.md = # Setup, which says a lot\\n
        README.md = [a](docs/setup.md)\\n
    ");
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let mut git = std::process::Command::new("git");
        let status = git.args(identity).args(args).current_dir(tree.root()).env("HOME", tree.home()).status().unwrap();
        assert!(status.success());
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    std::fs::create_dir(tree.root().join("guide")).unwrap();
    git(&["mv", "docs/setup.md", "guide/installation.md"]);
    git(&["commit", "-qm", "two"]);
    under_all(|profile| {
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        let all = client.expect("README.md", &["1 moved-path docs/setup.md -> guide/installation.md"]);
        let declares = |key: &str| profile.declares(&format!("/textDocument/{key}/relatedInformation"));
        if declares("publishDiagnostics") || declares("diagnostic") {
            let related = &all[0]["relatedInformation"][0];
            assert_eq!(related["location"]["uri"], client.uri("guide/installation.md"));
            assert!(related["message"].as_str().unwrap().contains("moved"), "{related}");
        }
        client.end();
    });
}
