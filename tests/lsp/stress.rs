//! Much at once: bursts of edits, a client that answers nothing, many files opened and closed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::actions::{SURE, SURE_ROWS};
use crate::client::Client;
use crate::diagnostics::PROJECT;
use crate::lay;
use crate::profile::{Profile, under_all};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn ten_thousand_edits_in_a_burst() {
    for name in ["vscode", "neovim-0.11", "emacs"] {
        let tree = lay("docs/a.md = # A\\n\ndocs/b.md = # B\\n\ndocs/c.md\ntext.md = # x\\n");
        let mut client = Client::ready(&tree, &Profile::named(name));
        let uri = client.uri("text.md");
        let text = "😀𝕏é [x](docs/a.md) 𝕏 [y](docs/b.md) 😀\n".repeat(400);
        client.open_as(&uri, &text);
        let mut numbers = Numbers(7);
        let plain = crate::text::plain(&uri);
        let pieces = ["😀", "𝕏", "a", "é", "z", "[q](docs/nope.md)", "\n", ""];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for _ in 0..10_000 {
            // Lines are held apart here, so that an edit costs little on this side.
            // Most lines stay as they are: a text in which nearly nothing leads anywhere is not judged.
            let line = 300 + numbers.below(lines.len() - 300);
            let chars: Vec<char> = lines[line].chars().collect();
            let start = numbers.below(chars.len() + 1);
            let end = (start + numbers.below(3)).min(chars.len());
            let piece = pieces[numbers.below(pieces.len())];
            let units = |count: usize| crate::text::units(&chars[..count].iter().collect::<String>(), &client.encoding);
            let place = |count: usize| json!({"line": line, "character": units(count)});
            let range = json!({"start": place(start), "end": place(end)});
            let after: String =
                chars[..start].iter().collect::<String>() + piece + &chars[end..].iter().collect::<String>();
            lines.splice(line..=line, after.split('\n').map(str::to_owned));
            let open = client.documents.get_mut(&plain).unwrap();
            open.version += 1;
            let named = json!({"uri": uri, "version": open.version});
            let changes = json!([{"range": range, "text": piece}]);
            client.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": changes}));
        }
        client.documents.get_mut(&plain).unwrap().text = lines.join("\n") + "\n";
        client.expected.insert(plain.clone());
        let last = settled(&mut client, &uri);
        // Expects an opened copy of the text to have the same diagnostics.
        let text = client.text("text.md");
        client.close("text.md");
        client.open_as(&uri, &text);
        let fresh = settled(&mut client, &uri);
        assert_eq!(last, fresh, "{name}");
        assert!(!fresh.is_empty(), "there is something to compare");
        client.end();
    }
}

/// Returns the diagnostics of a document's last version, without fixes: they come later, and not for so many.
fn settled(client: &mut Client, uri: &str) -> Vec<Value> {
    let plain = crate::text::plain(uri);
    let mut all = if client.profile.pulls() {
        client.pull(uri)
    } else {
        client.wait("diagnostics of the last version", |client| {
            let version = client.documents[&plain].version;
            let published = client.published.get(&plain).filter(|published| published.version == Some(version))?;
            Some(published.diagnostics.clone())
        })
    };
    for diagnostic in &mut all {
        diagnostic["data"]["fixes"] = Value::Null;
    }
    all
}

#[test]
fn a_client_that_answers_nothing() {
    under_all(|profile| {
        let tree = lay(SURE);
        let mut client = Client::start(&tree, &profile, &[]);
        client.silent = true;
        client.initialize(&[tree.root()], json!({}));
        client.wait_ready();
        client.open("src/main.ts");
        // Changes around it make the server ask for a refresh; commands make it ask for edits.
        let params = json!({"command": "pathfinder.fixAll", "arguments": [{}]});
        let ids: Vec<i64> = (0..64).map(|_| client.begin("workspace/executeCommand", params.clone())).collect();
        client.wait("64 questions", |client| (client.unanswered >= 64).then_some(()));
        let all_asked = Instant::now();
        let place = client.place("src/main.ts", "./comp/ConfirmatonDialog", 3);
        let hover = client.ask("textDocument/hover", place);
        // It did not come only because that was given up, as happens after ten seconds.
        assert!(all_asked.elapsed() > Duration::from_secs(8) || client.answered(ids[63]).is_none());
        let is_in_diagnostic = profile.client()["name"] == "Zed";
        assert!(is_in_diagnostic || hover["contents"]["value"].as_str().unwrap().contains("Did you mean"), "{hover}");
        client.edit("src/main.ts", "./comp/ConfirmatonDialog", "./comp/ConfirmationDialog");
        client.expect("src/main.ts", &SURE_ROWS[1..]);
        client.expect("src/other.ts", &["1 missing-path ./comp/ConfirmatonDialog -> ./comp/ConfirmationDialog"]);
        // Each request is answered after a while; the test waits for that once.
        for id in ids {
            if profile.name != "emacs" {
                client.forgo(id);
                continue;
            }
            let answer = client.answer(id);
            assert!(answer["error"]["message"].as_str().unwrap().contains("did not answer"), "{answer}");
        }
        client.end();
    });
}

/// Returns the resident memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_where_it_is() {
    let tree = lay(PROJECT);
    let mut client = Client::ready(&tree, &Profile::named("emacs"));
    let text = "import a from \"./comp/Button\"; // 😀\n".repeat(200) + "import z from \"./nowhere-to-be-found\";\n";
    let pid = client.child.id();
    let mut early = 0;
    for at in 1..=1000 {
        let uri = client.uri(&format!("src/new{}.ts", at % 7));
        client.open_as(&uri, &text);
        client.expect_of(&uri, &["201 missing-path ./nowhere-to-be-found"]);
        client.close_as(&uri);
        if at == 200 {
            early = resident(pid);
        }
    }
    client.expect("src/main.ts", &["2 missing-path ./comp/Buton -> ./comp/Button", "4 missing-path ./lost/where"]);
    let late = resident(pid);
    assert!(late < early + early / 4 + 16_384, "{early} KiB after 200, {late} KiB after 1,000");
    client.end();
}
