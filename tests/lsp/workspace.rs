//! Files that are not open: what is wrong in them, and what becomes of it when anything around them changes.

use crate::client::Client;
use crate::lay;
use crate::profile::{Profile, under_all};

#[test]
fn targets_that_come_and_go() {
    under_all(|profile| {
        let tree = lay(r#"
            package.json = {"name": "x"}
            docs/index.md = [a](part/one.md) [b](two.md)\n
            docs/two.md = # Two\n
            src/main.ts = import a from "./lib/a";\n
        "#);
        let mut client = Client::ready(&tree, &profile);
        let (one, two) = ("1 missing-path part/one.md", "1 missing-path two.md");
        client.expect("docs/index.md", &[one]);
        client.expect("src/main.ts", &["1 missing-path ./lib/a"]);
        client.write("docs/part/one.md", "# One\n");
        client.expect("docs/index.md", &[]);
        client.write("src/lib/a.ts", "export default 1;\n");
        client.expect("src/main.ts", &[]);
        client.remove("docs/two.md");
        client.expect("docs/index.md", &[two]);
        client.open("docs/index.md");
        client.expect("docs/index.md", &[two]);
        client.remove("docs/part");
        client.expect("docs/index.md", &[one, two]);
        client.write("docs/two.md", "# Two, again\n");
        client.expect("docs/index.md", &[one]);
        client.write("src/main.ts", "import z from \"./lib/nowhere-to-be-found\";\n");
        client.expect("src/main.ts", &["1 missing-path ./lib/nowhere-to-be-found"]);
        client.remove("src/main.ts");
        client.expect("src/main.ts", &[]);
        client.end();
    });
}

#[test]
fn configuration_that_changes() {
    under_all(|profile| {
        let tree = lay(r#"
            package.json = {"name": "x"}
            src/lib/store.ts = export const store = 1;\n
            src/main.ts = import { store } from "@/lib/stoer";\nimport "./gone.css";\n
        "#);
        let mut client = Client::ready(&tree, &profile);
        let gone = "2 missing-path ./gone.css";
        client.expect("src/main.ts", &[gone]);
        client.write("tsconfig.json", r#"{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}"#);
        let alias = "1 missing-path @/lib/stoer -> @/lib/store";
        client.expect("src/main.ts", &[alias, gone]);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[alias, gone]);
        client.write("pathfinder.toml", "[check]\nignore_literals = [\"./gone.css\"]\n");
        client.expect("src/main.ts", &[alias]);
        client.write("tsconfig.json", "{}");
        client.expect("src/main.ts", &[]);
        client.remove("pathfinder.toml");
        client.expect("src/main.ts", &[gone]);
        client.end();
    });
}

/// A broken link in a place that is not ours, and one that is.
#[test]
fn what_is_not_ours_is_silent() {
    under_all(|profile| {
        let tree = lay("
            .gitignore = dist/\\n
            .git/HEAD = ref: refs/heads/main\\n
            README.md = [a](gone.md)\\n
            dist/a.md = [a](gone.md)\\n
            node_modules/p/README.md = [a](gone.md)\\n
            vendor/p/README.md = [a](gone.md)\\n
        ");
        let large = format!("[a](gone.md)\n{}", "x".repeat(4 << 20));
        std::fs::write(tree.root().join("large.md"), large).unwrap();
        let mut client = Client::ready(&tree, &profile);
        client.expect("README.md", &["1 missing-path gone.md"]);
        for path in ["dist/a.md", "node_modules/p/README.md", "large.md"] {
            client.open(path);
            let uri = client.uri(path);
            let links = client.ask("textDocument/documentLink", serde_json::json!({"textDocument": {"uri": uri}}));
            assert!(links.is_null() || links == serde_json::json!([]), "{path}: {links}");
            if profile.pulls() {
                assert!(client.pull(&uri).is_empty(), "{path}");
            }
        }
        client.open("README.md");
        client.expect("README.md", &["1 missing-path gone.md"]);
        client.end();
    });
}

#[test]
fn ignored_files_that_are_not_any_more() {
    under_all(|profile| {
        let tree = lay("
            .git/HEAD = ref: refs/heads/main\\n
            .gitignore = out/\\n
            out/a.md = [a](gone.md)\\n
            b.md = [a](gone.md)\\n
        ");
        let mut client = Client::ready(&tree, &profile);
        client.expect("b.md", &["1 missing-path gone.md"]);
        client.write(".gitignore", "b.md\n");
        client.expect("out/a.md", &["1 missing-path gone.md"]);
        client.expect("b.md", &[]);
        client.end();
    });
}

/// A check that ran in between has seen the file on disk, and the tree never had it.
#[test]
fn a_file_that_comes_and_goes_within_one_report() {
    under_all(|profile| {
        if !profile.watches() {
            return;
        }
        let tree = lay("
            a.md = [a](gone.md)\\n
        ");
        let mut client = Client::ready(&tree, &profile);
        client.expect("a.md", &["1 missing-path gone.md"]);
        let gone = tree.root().join("gone.md");
        std::fs::write(&gone, "").unwrap();
        client.write("a.md", "[a](gone.md) \n");
        client.expect("a.md", &[]);
        std::fs::remove_file(gone).unwrap();
        client.watched(&[("gone.md", 1), ("gone.md", 3)]);
        client.expect("a.md", &["1 missing-path gone.md"]);
        client.end();
    });
}

/// All that a start does by itself is done by then, and the server is idle.
const SETTLED: std::time::Duration = std::time::Duration::from_secs(3);

/// Configuration of other files is removed together with a broken file.
#[test]
fn a_directory_with_configuration_that_goes() {
    under_all(|profile| {
        let tree = lay("
            README.md = [a](pkg/README.md)\\n
            pkg/README.md = [a](gone.md)\\n
            pkg/package.json = {}
        ");
        let mut client = Client::ready(&tree, &profile);
        client.expect("pkg/README.md", &["1 missing-path gone.md"]);
        // The work of a start would check it once more.
        std::thread::sleep(SETTLED);
        client.remove("pkg");
        client.expect("README.md", &["1 missing-path pkg/README.md"]);
        client.expect("pkg/README.md", &[]);
        client.end();
    });
}

/// Be they open or not.
#[test]
fn headings_that_come() {
    under_all(|profile| {
        let tree = lay("
            a.md = [a](b.md#two)\\n
            b.md = # One\\n
            c.md = [a](b.md#two)\\n
        ");
        let mut client = Client::ready(&tree, &profile);
        client.open("c.md");
        let gone = ["1 missing-anchor b.md#two"];
        client.expect("a.md", &gone);
        client.expect("c.md", &gone);
        client.write("b.md", "# Two\n");
        client.expect("a.md", &[]);
        client.expect("c.md", &[]);
        client.write("b.md", "# Three\n");
        client.expect("a.md", &gone);
        client.expect("c.md", &gone);
        client.end();
    });
}

/// A text that is not saved, whose file is looked at because of configuration.
#[test]
fn what_an_open_text_names_comes() {
    under_all(|profile| {
        let tree = lay("
            a.md = x\\n
            b.md = [a](package.json)\\n
        ");
        let mut client = Client::ready(&tree, &profile);
        client.open("a.md");
        client.edit("a.md", "x", "[a](new.md)");
        client.expect("a.md", &["1 missing-path new.md"]);
        client.expect("b.md", &["1 missing-path package.json"]);
        client.write("package.json", "{}");
        client.expect("b.md", &[]);
        client.write("new.md", "x\n");
        client.expect("a.md", &[]);
        client.close("a.md");
        client.expect("a.md", &[]);
        client.end();
    });
}

/// A client begins to watch at an unknown moment, and does not report earlier changes.
#[test]
fn what_nobody_tells_is_found_when_all_is_quiet() {
    let tree = lay("a.md = [a](gone.md)\\n");
    let mut client = Client::ready(&tree, &Profile::named("vscode"));
    client.expect("a.md", &["1 missing-path gone.md"]);
    std::thread::sleep(SETTLED);
    std::fs::write(tree.root().join("gone.md"), "x\n").unwrap();
    client.expect("a.md", &[]);
    client.end();
}

/// A text that is too large to check has no diagnostics: those of its file go, and come back with it.
#[test]
fn large_texts_clear_their_file() {
    under_all(|profile| {
        let tree = lay("a.md = [a](gone.md)\\n");
        let mut client = Client::ready(&tree, &profile);
        let gone = ["1 missing-path gone.md"];
        client.expect("a.md", &gone);
        let large = format!("[a](gone.md)\n{}", "x".repeat(4 << 20));
        client.open_as(&client.uri("a.md"), &large);
        client.expect("a.md", &[]);
        client.close("a.md");
        client.expect("a.md", &gone);
        client.end();
    });
}

/// A client of a clean workspace has no ids to send: its requests wait for a change, except for the first.
#[test]
fn clean_workspaces_are_reported_once() {
    let tree = lay("a.md = [b](b.md)\\n\nb.md = # B\\n");
    let mut client = Client::ready(&tree, &Profile::named("vscode"));
    let params = || serde_json::json!({"identifier": "pathfinder", "previousResultIds": []});
    assert_eq!(client.ask("workspace/diagnostic", params()), serde_json::json!({"items": []}));
    let held = client.begin("workspace/diagnostic", params());
    std::thread::sleep(SETTLED);
    client.ask("workspace/symbol", serde_json::json!({"query": "a"}));
    assert_eq!(client.answered(held), None, "nothing has changed");
    client.write("a.md", "[b](gone.md)\n");
    let uri = serde_json::Value::from(client.uri("a.md"));
    let gone = |answer: &serde_json::Value| {
        let items = answer["items"].as_array().unwrap();
        assert_eq!(items.len(), 1, "{answer}");
        assert_eq!((&items[0]["kind"], &items[0]["uri"]), (&serde_json::Value::from("full"), &uri), "{answer}");
    };
    gone(&client.answer(held)["result"]);
    // A client that begins anew, with and without a token for partial results.
    gone(&client.ask("workspace/diagnostic", params()));
    client.expect("a.md", &["1 missing-path gone.md"]);
    client.write("a.md", "[b](b.md)\n");
    client.expect("a.md", &[]);
    client.end();
}

/// A request that comes before the files are read is answered as soon as they are, though nothing was found in them.
#[test]
fn clean_workspaces_answer_early_requests() {
    let tree = lay("a.md = [b](b.md)\\n\nb.md = # B\\n");
    let mut client = Client::start(&tree, &Profile::named("vscode"), &[]);
    client.initialize(&[tree.root()], serde_json::json!({}));
    let params = serde_json::json!({"identifier": "pathfinder", "previousResultIds": []});
    assert_eq!(client.ask("workspace/diagnostic", params), serde_json::json!({"items": []}));
    client.end();
}

#[test]
fn many_files_in_parts() {
    let tree = lay("docs/a.md");
    for at in 0..450 {
        std::fs::write(tree.root().join(format!("docs/{at}.md")), "[a](gone.md)\n").unwrap();
    }
    // One that asks for the workspace, and one that is told.
    for profile in ["vscode", "neovim-0.11"].map(Profile::named) {
        let mut client = Client::ready(&tree, &profile);
        for at in 0..450 {
            client.expect(&format!("docs/{at}.md"), &["1 missing-path gone.md"]);
        }
        assert_eq!(client.reports.parts >= 3, profile.pulls_workspace(), "{}", client.reports.parts);
        client.end();
    }
}

#[test]
fn progress_is_shown() {
    let tree = lay("docs/a.md");
    for at in 0..600 {
        std::fs::write(tree.root().join(format!("docs/{at}.md")), "x\n").unwrap();
    }
    for (name, shows) in [("vscode", true), ("emacs", true), ("plain", false)] {
        let profile = if name == "plain" { Profile::new(serde_json::json!({})) } else { Profile::named(name) };
        let mut client = Client::ready(&tree, &profile);
        if shows {
            client.wait("progress that ends", |client| client.progress.contains(&"end".to_owned()).then_some(()));
            assert_eq!(client.progress.first().map(String::as_str), Some("begin"));
        }
        assert!(shows || client.progress.is_empty());
        client.end();
    }
}

#[test]
fn reports_that_are_unchanged() {
    let tree = lay("a.md = [a](gone.md)\\n\nb.md = [b](lost.md)\\n");
    let mut client = Client::ready(&tree, &Profile::named("vscode"));
    client.expect("a.md", &["1 missing-path gone.md"]);
    client.expect("b.md", &["1 missing-path lost.md"]);
    client.open("a.md");
    let uri = client.uri("a.md");
    let ask = |client: &mut Client, known: Option<&str>| {
        let mut params = serde_json::json!({"textDocument": {"uri": uri}});
        if let Some(known) = known {
            params["previousResultId"] = known.into();
        }
        client.ask("textDocument/diagnostic", params)
    };
    let first = ask(&mut client, None);
    assert_eq!(first["kind"], "full");
    let mut id = first["resultId"].as_str().unwrap().to_owned();
    // Each full report has something new: the fixes, and, when the history is read, none and other fixes.
    let mut again = ask(&mut client, Some(&id));
    for _ in 0..3 {
        if again["kind"] == "full" {
            again["resultId"].as_str().unwrap().clone_into(&mut id);
            again = ask(&mut client, Some(&id));
        }
    }
    assert_eq!(again, serde_json::json!({"kind": "unchanged", "resultId": id}));
    client.edit("a.md", "gone", "gonee");
    assert_eq!(ask(&mut client, Some(&id))["kind"], "full");
    assert_eq!(ask(&mut client, Some("nonsense"))["kind"], "full");
    client.expect("a.md", &["1 missing-path gonee.md"]);
    // The file is reported no more while it is open, and again afterwards.
    client.close("a.md");
    client.expect("a.md", &["1 missing-path gone.md"]);
    client.end();
}
