//! An editor's operations on texts and files: open, edit, save, close, apply edits, and change the disk.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::Client;
use crate::text;

/// A text that is open.
pub(crate) struct Open {
    /// As it was named to the server.
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) text: String,
}

/// File change types of `workspace/didChangeWatchedFiles`.
const CREATED: u8 = 1;
const CHANGED: u8 = 2;
const DELETED: u8 = 3;

impl Client<'_> {
    /// The URI of a path below the root.
    pub(crate) fn uri(&self, path: &str) -> String {
        text::uri(&self.tree.root().join(path))
    }

    fn open_at(&self, path: &str) -> &Open {
        let uri = text::plain(&self.uri(path));
        self.documents.get(&uri).unwrap_or_else(|| panic!("{path} is not open"))
    }

    /// The text of an open document.
    pub(crate) fn text(&self, path: &str) -> String {
        self.open_at(path).text.clone()
    }

    /// Reads a file from disk.
    pub(crate) fn disk(&self, path: &str) -> String {
        fs::read_to_string(self.tree.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Opens a file as it is on disk.
    pub(crate) fn open(&mut self, path: &str) {
        let text = self.disk(path);
        self.open_as(&self.uri(path), &text);
    }

    /// Opens a text under a URI, spelled so.
    pub(crate) fn open_as(&mut self, uri: &str, text: &str) {
        self.open_version(uri, 1, text);
    }

    /// Opens a version of a text.
    pub(crate) fn open_version(&mut self, uri: &str, version: i64, text: &str) {
        let document = json!({"uri": uri, "languageId": "plaintext", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        let open = Open { uri: uri.to_owned(), version, text: text.to_owned() };
        self.published.remove(&text::plain(uri));
        self.documents.insert(text::plain(uri), open);
    }

    /// Replaces the first occurrence of some text, in one incremental change.
    pub(crate) fn edit(&mut self, path: &str, what: &str, with: &str) {
        let range = text::range_of(&self.text(path), what, &self.encoding);
        let uri = self.uri(path);
        self.change(&uri, &[json!({"range": range, "newText": with})]);
    }

    /// Applies edits to an open text, the last one first, and tells of them.
    pub(crate) fn change(&mut self, uri: &str, edits: &[Value]) {
        let encoding = self.encoding.clone();
        let open = self.documents.get_mut(&text::plain(uri)).unwrap();
        let mut sorted = edits.to_vec();
        let at = |edit: &Value| text::offset(&open.text, &edit["range"]["start"], &encoding);
        sorted.sort_by_key(|edit| std::cmp::Reverse(at(edit)));
        let change = |edit: &Value| json!({"range": edit["range"], "text": edit["newText"]});
        let changes: Vec<Value> = sorted.iter().map(change).collect();
        open.text = text::edited(&open.text, edits, &encoding);
        open.version += 1;
        let named = json!({"uri": open.uri, "version": open.version});
        self.notify("textDocument/didChange", json!({"textDocument": named, "contentChanges": changes}));
    }

    /// Writes an open text to disk.
    pub(crate) fn save(&mut self, path: &str) {
        let (uri, text) = (self.open_at(path).uri.clone(), self.text(path));
        fs::write(self.tree.root().join(path), text).unwrap();
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        self.watched(&[(path, CHANGED)]);
    }

    pub(crate) fn close(&mut self, path: &str) {
        let uri = self.open_at(path).uri.clone();
        self.close_as(&uri);
    }

    pub(crate) fn close_as(&mut self, uri: &str) {
        let plain = text::plain(uri);
        if let Some(open) = self.documents.remove(&plain) {
            self.closed.insert(plain, open.version);
        }
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// Writes a file behind the editor's back; a client that watches tells of it.
    pub(crate) fn write(&mut self, path: &str, contents: &str) {
        let at = self.tree.root().join(path);
        let kind = if at.exists() { CHANGED } else { CREATED };
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, contents).unwrap();
        self.watched(&[(path, kind)]);
    }

    /// Removes a file or a directory behind the editor's back.
    pub(crate) fn remove(&mut self, path: &str) {
        let at = self.tree.root().join(path);
        if at.is_dir() { fs::remove_dir_all(at) } else { fs::remove_file(at) }.unwrap();
        self.watched(&[(path, DELETED)]);
    }

    /// Moves a file or a directory behind the editor's back.
    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        let root = self.tree.root();
        fs::create_dir_all(root.join(to).parent().unwrap()).unwrap();
        fs::rename(root.join(from), root.join(to)).unwrap();
        self.watched(&[(from, DELETED), (to, CREATED)]);
    }

    /// Tells of what happened on disk, if this client does.
    pub(crate) fn watched(&mut self, changes: &[(&str, u8)]) {
        if self.profile.watches() {
            let change = |(path, kind): &(&str, u8)| json!({"uri": self.uri(path), "type": kind});
            let changes: Vec<Value> = changes.iter().map(change).collect();
            self.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        }
    }

    /// Applies a workspace edit: to texts that are open, and to files that are not.
    pub(crate) fn apply(&mut self, edit: &Value) {
        self.hold_edit(edit);
        if let Some(changes) = edit["changes"].as_object() {
            for (uri, edits) in changes {
                text::path(uri);
                self.apply_to(uri, edits.as_array().unwrap());
            }
        }
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            match change["kind"].as_str() {
                None => {
                    let uri = change["textDocument"]["uri"].as_str().unwrap();
                    self.apply_to(uri, change["edits"].as_array().unwrap());
                }
                Some("create") => {
                    let path = self.below(change["uri"].as_str().unwrap());
                    self.write(&path, "");
                }
                Some(other) => panic!("nothing here {other}s files: {change}"),
            }
        }
    }

    fn apply_to(&mut self, uri: &str, edits: &[Value]) {
        assert!(!edits.is_empty(), "no edits of {uri}");
        if self.documents.contains_key(&text::plain(uri)) {
            return self.change(uri, edits);
        }
        let path = self.below(uri);
        let before = self.disk(&path);
        // Editors do not show a byte order mark, and keep it.
        let (mark, shown) = before.strip_prefix('\u{feff}').map_or(("", before.as_str()), |rest| ("\u{feff}", rest));
        let after = format!("{mark}{}", text::edited(shown, edits, &self.encoding));
        self.write(&path, &after);
    }

    /// The path below the root that a URI names.
    pub(crate) fn below(&self, uri: &str) -> String {
        let path: PathBuf = text::path(uri);
        let below = path.strip_prefix(self.tree.root()).unwrap_or_else(|_| panic!("{uri} lies outside"));
        below.to_str().unwrap().to_owned()
    }

    /// A position in an open text: where some text begins, and so many bytes on.
    pub(crate) fn place(&self, path: &str, what: &str, on: usize) -> Value {
        let text = self.text(path);
        let at = text.find(what).unwrap_or_else(|| panic!("{what:?} is not in {text:?}")) + on;
        json!({"textDocument": {"uri": self.open_at(path).uri}, "position": text::position(&text, at, &self.encoding)})
    }
}
