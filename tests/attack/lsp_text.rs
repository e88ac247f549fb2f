//! Changes of a document that cannot be read, or nearly: no diagnostic is ever of another text than the editor has.

use serde_json::{Value, json};

use crate::bounded::{Process, Repository};

/// Stands for half of a character in the text of a change: of private use, so that no path has it.
const HALF: char = '\u{e000}';

/// A language server with one document open, whose diagnostics were published.
struct Editor {
    server: Process,
    uri: String,
    _repository: Repository,
}

impl Editor {
    fn open(text: &str, expect: &str) -> Self {
        let repository = Repository::new("true");
        let root = format!("file://{}", repository.root().display());
        let mut editor =
            Self { server: repository.start(&["lsp"]), uri: format!("{root}/a.md"), _repository: repository };
        let params = json!({"processId": null, "rootUri": root, "capabilities": {}});
        editor.send(json!({"id": 1, "method": "initialize", "params": params}).to_string());
        editor.server.wait_for("\"id\":1");
        editor.send(json!({"method": "initialized", "params": {}}).to_string());
        let document = json!({"uri": editor.uri, "languageId": "markdown", "version": 1, "text": text});
        editor.send(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}).to_string());
        editor.server.wait_for(expect);
        editor
    }

    fn send(&mut self, body: impl Into<Vec<u8>>) {
        let body = body.into();
        self.server.send(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.server.send(&body);
    }

    /// Sends a change, with a lone surrogate for each [`HALF`].
    fn change(&mut self, version: &Value, changes: &Value) {
        let params = json!({"textDocument": {"uri": self.uri, "version": version}, "contentChanges": changes});
        let message = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}).to_string();
        self.send(message.replace(HALF, "\\ud83d"));
    }
}

fn range(start: u32, end: u32) -> Value {
    json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}})
}

/// These changes, one message each, from `[x](gone.md)` on; then a diagnostic has the text, at this character.
#[track_caller]
fn check_text(changes: &[Value], expect: &str, character: u32) {
    let mut editor = Editor::open("[x](gone.md)\n", "gone.md");
    for (change, version) in changes.iter().zip(2..) {
        editor.change(&json!(version), change);
    }
    let printed = editor.server.wait_for(expect);
    let at = format!("\"character\":{character}");
    let last = printed.rfind("publishDiagnostics").map_or("", |at| &printed[at..]);
    assert!(last.contains(&at) && last.contains(expect), "{changes:?}: {last}");
}

#[test]
fn halves_of_characters() {
    let typed = json!([{"range": range(0, 0), "text": HALF.to_string()}]);
    check_text(&[typed.clone(), json!([{"range": range(5, 9), "text": "lost"}])], "lost.md", 5);
    check_text(
        &[
            json!([{"range": range(0, 0), "text": format!("{HALF}{HALF}x")}]),
            json!([{"range": range(7, 11), "text": "lost"}]),
        ],
        "lost.md",
        7,
    );
    // The other half comes, and both are one character of two units, or are taken back.
    check_text(
        &[
            typed.clone(),
            json!([{"range": range(0, 1), "text": "\u{1f600}"}]),
            json!([{"range": range(6, 10), "text": "lost"}]),
        ],
        "lost.md",
        6,
    );
    check_text(
        &[typed, json!([{"range": range(0, 1), "text": ""}]), json!([{"range": range(4, 8), "text": "lost"}])],
        "lost.md",
        4,
    );
    check_text(&[json!([{"text": format!("{HALF}[x](lost.md)\n")}])], "lost.md", 5);
}

/// After this change nothing is said of the document, the log says why, and the next full text counts.
#[track_caller]
fn check_unknown(version: &Value, changes: &Value) {
    let mut editor = Editor::open("[x](gone.md)\n", "gone.md");
    editor.change(version, changes);
    let printed = editor.server.wait_for("could not be applied");
    assert!(printed.contains("logMessage"), "{printed}");
    editor.server.wait_for("\"diagnostics\":[]");
    editor.change(&json!(8), &json!([{"range": range(4, 8), "text": "stale"}]));
    editor.change(&json!(9), &json!([{"text": "[x](again.md)\n"}]));
    let printed = editor.server.wait_for("again.md");
    assert!(!printed.contains("stale"), "{changes}: {printed}");
    editor.change(&json!(10), &json!([{"range": range(4, 9), "text": "lost"}]));
    editor.server.wait_for("lost.md");
}

#[test]
fn changes_that_cannot_be_read() {
    let edit = |range: Value| json!([{"range": range, "text": "x"}]);
    check_unknown(&json!(2), &edit(json!("all")));
    check_unknown(&json!(2), &edit(json!({"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}})));
    check_unknown(
        &json!(2),
        &edit(json!({"start": {"line": 0, "character": 0.5}, "end": {"line": 0, "character": 1}})),
    );
    check_unknown(&json!(2), &edit(range(5, 2)));
    check_unknown(&json!(2), &json!([{"range": range(0, 0)}]));
    check_unknown(&json!(2), &json!("x"));
    check_unknown(&json!(2), &Value::Null);
    check_unknown(&json!("two"), &edit(range(0, 0)));
    check_unknown(&json!(0), &edit(range(0, 0)));
    check_unknown(&json!(2), &json!([{"range": range(0, 0), "text": "a"}, {"range": range(3, 1), "text": "b"}]));
}

#[test]
fn messages_that_are_no_json() {
    let mut editor = Editor::open("[x](gone.md)\n", "gone.md");
    editor.send(format!(
        "{{\"method\":\"textDocument/didChange\",\"params\":{{\"textDocument\":{{\"uri\":\"{}\",\"version\":2}},\"contentChanges\":[{}",
        editor.uri,
        "[".repeat(100_000)
    ));
    editor.server.wait_for("\"diagnostics\":[]");
    editor.change(&json!(3), &json!([{"text": "[x](again.md)\n"}]));
    editor.server.wait_for("again.md");
}
