//! Messages that no client should send: each is refused with a message, and the session goes on.

use serde_json::{Value, json};

use crate::client::Client;
use crate::lay;
use crate::profile::{Profile, under_all};

const TREE: &str = "
    README.md = 😀 [a](gone.md)\\n[b](docs/b.md)\\n
    docs/b.md
";
const GONE: &str = "1 missing-path gone.md";

fn server(tree: &crate::tree::Tree) -> Client<'_> {
    let mut client = Client::ready(tree, &Profile::named("emacs"));
    client.expect("README.md", &[GONE]);
    client
}

/// It goes on as if nothing had been.
fn still_there(mut client: Client<'_>) {
    client.open("README.md");
    client.expect("README.md", &[GONE]);
    client.end();
}

#[test]
fn what_is_no_message() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    let mut check = |bytes: &str, code: i64| {
        client.send_raw(bytes.as_bytes());
        let error = client.refusal();
        assert_eq!(error["code"], code, "{bytes}: {error}");
        assert!(!error["message"].as_str().unwrap().is_empty());
    };
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    check(&framed("{"), -32700);
    check(&framed("\u{feff}{}"), -32700);
    check(&framed("[]"), -32600);
    check(&framed("3"), -32600);
    check(&framed("{}"), -32600);
    check(&framed(""), -32700);
    check(&framed(r#"{"jsonrpc": "2.0", "id": null}"#), -32600);
    check("Content-Length: many\r\n\r\n", -32700);
    check("GET / HTTP/1.1\r\n\r\n", -32700);
    check("Content-Length: -3\r\n\r\n", -32700);
    still_there(client);
}

#[test]
fn parameters_of_another_shape() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    let methods = [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/codeAction",
        "textDocument/documentLink",
        "workspace/executeCommand",
        "workspace/willRenameFiles",
        "workspace/symbol",
        "pathfinder/resolve",
        "pathfinder/find",
    ];
    for method in methods {
        for params in [json!({}), json!([]), json!([3]), json!({"textDocument": 3, "position": null}), Value::Null] {
            let (code, message) = client.ask_wrongly(method, params.clone());
            assert_eq!(code, -32602, "{method} {params}: {message}");
        }
    }
    for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "initialized"] {
        client.notify(method, json!({"textDocument": {"uri": 3}}));
    }
    still_there(client);
}

#[test]
fn methods_that_nobody_knows() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    for method in ["textDocument/nothing", "nothing", "", "$/nothing", "pathfinder/nothing"] {
        let (code, _) = client.ask_wrongly(method, json!({"x": 1}));
        assert_eq!(code, -32601, "{method}");
    }
    for method in ["nothing/like-this", "$/nothing", "", "textDocument/willSave"] {
        client.notify(method, json!({"x": 1}));
    }
    still_there(client);
}

#[test]
fn places_outside_of_the_text() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &[GONE]);
        let uri = client.uri("README.md");
        let far = [(0, 9999), (9999, 0), (u32::MAX, u32::MAX), (1, 9999), (0, 1)];
        for (line, character) in far {
            let position = json!({"line": line, "character": character});
            let place = json!({"textDocument": {"uri": uri}, "position": position});
            for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
                client.ask(method, place.clone());
            }
            let range = json!({"start": position, "end": {"line": 0, "character": 0}});
            let params = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
            client.ask("textDocument/codeAction", params);
        }
        // A change behind the end of the text is appended.
        let range = json!({"start": {"line": 99, "character": 3}, "end": {"line": 199, "character": 1}});
        let plain = crate::text::plain(&uri);
        let open = client.documents.get_mut(&plain).unwrap();
        open.version += 1;
        open.text.push_str("[c](lost.md)\n");
        let named = json!({"uri": uri, "version": open.version});
        let changes = json!([{"range": range, "text": "[c](lost.md)\n"}]);
        client.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": changes}));
        client.expect("README.md", &[GONE, "3 missing-path lost.md"]);
        client.end();
    });
}

#[test]
fn numbers_outside_of_what_a_place_can_be() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    client.open("README.md");
    let uri = client.uri("README.md");
    for position in [
        json!({"line": -1, "character": 0}),
        json!({"line": 4_294_967_296_u64, "character": 0}),
        json!({"line": 0.5, "character": 0}),
    ] {
        let (code, _) =
            client.ask_wrongly("textDocument/hover", json!({"textDocument": {"uri": uri}, "position": position}));
        assert_eq!(code, -32602, "{position}");
    }
    client.expect("README.md", &[GONE]);
    client.end();
}

#[test]
fn versions_that_go_backwards() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.edit("README.md", "gone.md", "lost.md");
        client.edit("README.md", "lost.md", "away.md");
        client.expect("README.md", &["1 missing-path away.md"]);
        let named = json!({"uri": client.uri("README.md"), "version": 2});
        let changes = json!([{"text": "[x](backwards.md)\n"}]);
        client.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": changes}));
        // The newer text is unknown, so nothing is published before the next one.
        client.expect("README.md", &[]);
        let uri = client.uri("README.md");
        client.open_as(&uri, "[x](last.md)\n");
        client.expect("README.md", &["1 missing-path last.md"]);
        client.end();
    });
}

#[test]
fn texts_that_are_not_open() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.expect("README.md", &[GONE]);
        let uri = client.uri("README.md");
        let named = json!({"uri": uri, "version": 5});
        let changes = json!([{"text": "[x](other.md)\n"}]);
        client.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": changes}));
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        let place = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}});
        for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
            assert_eq!(client.ask(method, place.clone()), Value::Null, "{method}");
        }
        client.expect("README.md", &[GONE]);
        // Opened twice, the second text is what counts.
        client.open("README.md");
        client.open_version(&uri, 2, "[y](docs/b.md)\n[x](lost.md)\n");
        client.expect("README.md", &["2 missing-path lost.md"]);
        client.end();
    });
}

#[test]
fn a_file_that_is_deleted_while_it_is_open() {
    under_all(|profile| {
        let tree = lay(TREE);
        let mut client = Client::ready(&tree, &profile);
        client.open("README.md");
        client.expect("README.md", &[GONE]);
        client.remove("README.md");
        client.edit("README.md", "docs/b.md", "docs/c.md");
        client.wait_for_rows("README.md", 2);
        client.close("README.md");
        client.expect("README.md", &[]);
        client.end();
    });
}

#[test]
fn requests_that_are_cancelled() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    client.notify("$/cancelRequest", json!({"id": 9999}));
    client.notify("$/cancelRequest", json!({"id": "x"}));
    let ids: Vec<i64> = (0..20)
        .map(|_| {
            let id = client.begin("pathfinder/reindex", Value::Null);
            client.notify("$/cancelRequest", json!({"id": id}));
            id
        })
        .collect();
    for id in ids {
        let answer = client.answer(id);
        let was_cancelled = answer["error"]["code"] == -32800;
        assert!(was_cancelled || answer["result"]["files"] == 2, "{answer}");
    }
    still_there(client);
}

#[test]
fn an_id_that_is_used_twice() {
    let tree = lay(TREE);
    let mut client = server(&tree);
    let request = json!({"jsonrpc": "2.0", "id": "same", "method": "pathfinder/roots"});
    client.own_ids = true;
    client.send(&request);
    client.send(&request);
    // Each is answered, or refused; nothing is lost.
    client.wait("two answers", |client| (client.own_answers == 2).then_some(()));
    still_there(client);
}
