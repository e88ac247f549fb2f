//! Features without a finding: links, hover, definitions, workspace symbols.

use serde_json::{Value, json};

use crate::client::Client;
use crate::lay;
use crate::profile::under_all;
use crate::text;

const DOCS: &str = "
    README.md = 😀 [a](docs/guide.md#top) [b](docs/gone.md) [c](https://example.org/x.md) [d](docs)\\n
    docs/guide.md = # Guide\\n
    src/app/router.ts = export {};\\n
    src/app/routes.ts = export {};\\n
";

#[test]
fn links() {
    under_all(|profile| {
        let tree = lay(DOCS);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &["1 missing-path docs/gone.md"]);
        let uri = client.uri("README.md");
        let links = client.ask("textDocument/documentLink", json!({"textDocument": {"uri": uri}}));
        let links = links.as_array().unwrap();
        assert_eq!(links.len(), 1, "what leads to a file, and nothing else: {links:#?}");
        let slice = text::slice(&client.documents[&text::plain(&uri)].text, &links[0]["range"], &client.encoding);
        assert!(slice.unwrap().starts_with("docs/guide.md"), "{slice:?}");
        assert!(links[0]["target"].as_str().unwrap().starts_with(&client.uri("docs/guide.md")), "{links:?}");
        client.end();
    });
}

#[test]
fn hover() {
    under_all(|profile| {
        let tree = lay(&format!("{DOCS}\ndocs/slip.md = [x](giude.md)\\n\n"));
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &["1 missing-path docs/gone.md"]);
        let hover = |client: &mut Client, what: &str| {
            let place = client.place("README.md", what, 0);
            let hover = client.ask("textDocument/hover", place);
            let value = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
            let slice =
                text::slice(&client.text("README.md"), &hover["range"], &client.encoding.clone()).map(str::to_owned);
            (value, slice, hover)
        };
        let (value, slice, _) = hover(&mut client, "docs/guide.md");
        assert!(value.contains("leads to") && value.contains("docs/guide.md"), "{value}");
        assert!(slice.unwrap().starts_with("docs/guide.md"));
        let (value, slice, whole) = hover(&mut client, "docs/gone.md");
        if profile.client()["name"] == "Zed" {
            assert_eq!(whole, Value::Null, "its hovers have the diagnostics too");
        } else {
            assert!(value.starts_with("Broken path: `docs/gone.md`. "), "{value}");
            assert!(!value.contains('\n'), "tried paths are shown on request: {value}");
            assert_eq!(slice.as_deref(), Some("docs/gone.md"));
            assert_eq!(whole["contents"]["kind"], "markdown");
            client.open("docs/slip.md");
            let place = client.place("docs/slip.md", "giude.md", 0);
            let hover = client.ask("textDocument/hover", place);
            assert_eq!(hover["contents"]["value"], "Broken path: `giude.md`. Did you mean `guide.md`?");
        }
        client.expected.insert(text::plain(&client.uri("docs/slip.md")));
        let (_, _, none) = hover(&mut client, "\u{1f600}");
        assert_eq!(none, Value::Null);
        client.end();
    });
}

#[test]
fn definitions() {
    under_all(|profile| {
        let tree = lay(DOCS);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &["1 missing-path docs/gone.md"]);
        let mut at = |what: &str| {
            let place = client.place("README.md", what, 2);
            client.ask("textDocument/definition", place)
        };
        let found = at("docs/guide.md");
        let target = if profile.declares("/textDocument/definition/linkSupport") {
            found[0]["targetUri"].clone()
        } else {
            found["uri"].clone()
        };
        assert_eq!(at("docs/gone.md"), Value::Null);
        assert_eq!(target, client.uri("docs/guide.md"));
        client.end();
    });
}

#[test]
fn files_by_name() {
    under_all(|profile| {
        let tree = lay(DOCS);
        let mut client = Client::ready(&tree, &profile);
        client.expect("README.md", &["1 missing-path docs/gone.md"]);
        let mut names = |query: &str| {
            let all = client.ask("workspace/symbol", json!({"query": query}));
            let name = |it: &Value| it["name"].as_str().unwrap().to_owned();
            all.as_array().map(|all| all.iter().map(name).collect::<Vec<_>>()).unwrap_or_default()
        };
        assert_eq!(names("guide.md")[0], "guide.md");
        assert_eq!(names("app/rout")[..2].iter().filter(|name| name.starts_with("rout")).count(), 2);
        assert_eq!(names("zzqqxx"), Vec::<String>::new(), "nonsense finds nothing");
        assert_eq!(names(""), Vec::<String>::new());
        client.end();
    });
}
