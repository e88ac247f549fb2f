//! Completion inside of literals: what is offered, and that what is accepted leads somewhere.

use serde_json::Value;

use crate::client::Client;
use crate::lay;
use crate::profile::under_all;
use crate::text;

const TREE: &str = r#"
    package.json = {"name": "x"}
    tsconfig.json = {"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}
    src/main.ts = // 😀\n
    src/comp/Button.ts = export {};\n
    src/comp/Dialog.ts = export {};\n
    src/comp/deep/Inner.ts = export {};\n
    src/logo.svg = <svg/>
    docs/index.md = # x\n
    docs/setup.md = # Setup\n
    docs/img/a b.png
    pyproject.toml = [project]\n
    app/__init__.py
    app/models/__init__.py
    app/models/user.py
    app/models/order.py
    app/main.py
"#;

/// Types a line in which `|` is the cursor, and gives what is offered there.
fn offered(client: &mut Client, path: &str, line: &str) -> Vec<Value> {
    let at = line.find('|').unwrap();
    let written = line.replace('|', "");
    let before = client.text(path);
    let uri = client.uri(path);
    let start = text::position(&before, 0, &client.encoding);
    let end = text::position(&before, before.len(), &client.encoding);
    let edit =
        serde_json::json!({"range": {"start": start, "end": end}, "newText": format!("// \u{1f600}\n{written}\n")});
    client.change(&uri, &[edit]);
    let place = client.place(path, &written, at);
    let list = client.ask("textDocument/completion", place);
    list["items"].as_array().cloned().unwrap_or_default()
}

/// The line after a completion was accepted.
fn accept(client: &mut Client, path: &str, item: &Value) -> String {
    let uri = client.uri(path);
    client.change(&uri, &[item["textEdit"].clone()]);
    client.text(path).lines().nth(1).unwrap().to_owned()
}

#[test]
fn what_is_accepted_leads_somewhere() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        for path in ["src/main.ts", "docs/index.md", "app/main.py"] {
            client.open(path);
        }
        let mut check = |path: &str, line: &str, label: &str, expect: &str| {
            let items = offered(&mut client, path, line);
            let labels: Vec<_> = items.iter().map(|it| it["label"].as_str().unwrap()).collect();
            let Some(item) = items.iter().find(|item| item["label"] == label) else {
                panic!("{line}: {label} is not among {labels:?}")
            };
            let range = &item["textEdit"]["range"];
            assert_eq!(range["start"]["line"], range["end"]["line"], "{item}");
            assert_eq!(accept(&mut client, path, item), expect);
            if !label.ends_with('/') {
                client.expect(path, &[]);
            }
        };
        check("src/main.ts", r#"import a from "./comp/|";"#, "Button", r#"import a from "./comp/Button";"#);
        check("src/main.ts", r#"import a from "./comp/Di|";"#, "Dialog", r#"import a from "./comp/Dialog";"#);
        check("src/main.ts", r#"import a from "./|";"#, "comp/", r#"import a from "./comp/";"#);
        check("src/main.ts", r#"import a from "./comp/|Button";"#, "Dialog", r#"import a from "./comp/Dialog";"#);
        check("src/main.ts", r#"import a from "./co|/Button";"#, "comp", r#"import a from "./comp/Button";"#);
        check("src/main.ts", r#"import a from "@/comp/B|";"#, "Button", r#"import a from "@/comp/Button";"#);
        check("src/main.ts", r#"import a from "./lo|";"#, "logo.svg", r#"import a from "./logo.svg";"#);
        check("docs/index.md", "[a](|)", "setup.md", "[a](setup.md)");
        check("docs/index.md", "[a](set|#setup)", "setup.md", "[a](setup.md#setup)");
        check("docs/index.md", "[a](../src/comp/deep/I|)", "Inner.ts", "[a](../src/comp/deep/Inner.ts)");
        check("app/main.py", "from app.models.us| import x", "user", "from app.models.user import x");
        check("app/main.py", "from app.| import user", "models", "from app.models import user");
        client.end();
    });
}

#[test]
fn a_name_from_elsewhere_is_offered_in_the_same_style() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        let items = offered(&mut client, "src/main.ts", r#"import a from "./Dialog|";"#);
        let item = items.iter().find(|item| item["label"] == "./comp/Dialog").unwrap_or_else(|| panic!("{items:#?}"));
        assert!(item["filterText"].as_str().unwrap().starts_with('.'), "{item}");
        assert_eq!(accept(&mut client, "src/main.ts", item), r#"import a from "./comp/Dialog";"#);
        client.expect("src/main.ts", &[]);
        client.end();
    });
}

#[test]
fn nothing_outside_of_literals() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        for line in ["const x = 1|;", "// ./comp/|", "import a| from \"./comp/Button\";"] {
            assert_eq!(offered(&mut client, "src/main.ts", line), Vec::<Value>::new(), "{line}");
        }
        client.expect("src/main.ts", &[]);
        client.end();
    });
}
