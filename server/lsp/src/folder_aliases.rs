//! Maps the paths of folders that the client opened through symbolic links.
//!
//! The server uses real paths only. `main_loop` rewrites the URIs of each message from the client to real paths, and those
//! of each message to the client back.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::uri;
use pathfinder_vfs::paths;

/// Folders whose client path differs from the real path. Nearly always empty.
#[derive(Clone, Default, PartialEq)]
pub(super) struct FolderAliases(Vec<FolderAlias>);

/// A folder with two paths.
#[derive(Clone, PartialEq)]
struct FolderAlias {
    /// Path in the client's messages.
    client_path: PathBuf,
    /// Canonical path.
    real_path: PathBuf,
}

impl FolderAliases {
    /// Records the folders that a message names.
    pub(super) fn record(&mut self, method: &str, params: Option<&Value>) {
        let Some(params) = params else { return };
        let folders = match method {
            "initialize" => params.get("workspaceFolders"),
            "workspace/didChangeWorkspaceFolders" => params.pointer("/event/added"),
            _ => return,
        };
        let folders = folders.and_then(Value::as_array).into_iter().flatten().filter_map(|folder| folder.get("uri"));
        let root = params.get("rootUri").filter(|_| method == "initialize");
        for client_path in folders.chain(root).filter_map(Value::as_str).filter_map(uri::to_path) {
            let Ok(real_path) = paths::real(&client_path) else { continue };
            if real_path != client_path && self.0.iter().all(|alias| alias.client_path != client_path) {
                self.0.push(FolderAlias { client_path, real_path });
            }
        }
    }

    /// Returns whether no folder has an alias.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Rewrites the URIs of a message from the client to real paths.
    pub(super) fn to_real(&self, message: &mut Value) {
        self.rewrite(message, |alias| (&alias.client_path, &alias.real_path));
    }

    /// Rewrites the URIs of a message to the client to its own paths.
    pub(super) fn to_client(&self, message: &mut Value) {
        self.rewrite(message, |alias| (&alias.real_path, &alias.client_path));
    }

    fn rewrite(&self, message: &mut Value, direction: impl Fn(&FolderAlias) -> (&Path, &Path)) {
        if self.0.is_empty() {
            return;
        }
        rewrite_uris(message, &|text| {
            let path = uri::to_path(text)?;
            self.0.iter().find_map(|alias| {
                let (from, to) = direction(alias);
                let rest = path.strip_prefix(from).ok()?;
                // Joining an empty path would add a slash at the end.
                let path = if rest.as_os_str().is_empty() { to.to_path_buf() } else { to.join(rest) };
                Some(uri::from_path(&path)?.as_str().to_owned())
            })
        });
    }
}

/// Replaces URIs: values of members whose names say so, and the keys of `changes`.
fn rewrite_uris(message: &mut Value, renamed: &impl Fn(&str) -> Option<String>) {
    match message {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name.to_ascii_lowercase().ends_with("uri") || name == "target" => {
                        if let Some(new) = renamed(text) {
                            *text = new;
                        }
                    }
                    Value::Object(by_uri) if name == "changes" => {
                        let all: Map<String, Value> = std::mem::take(by_uri)
                            .into_iter()
                            .map(|(uri, edits)| (renamed(&uri).unwrap_or(uri), edits))
                            .collect();
                        *by_uri = all;
                    }
                    _ => rewrite_uris(value, renamed),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rewrite_uris(value, renamed)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn round_trips_messages() {
        let aliases =
            FolderAliases(vec![FolderAlias { client_path: "/home/me/a b".into(), real_path: "/disk/x".into() }]);
        let mut message = json!({
            "uri": "file:///home/me/a%20b/c.md",
            "items": [{"targetUri": "file:///home/me/a%20b"}, {"target": "file:///home/me/a%20bc"}],
            "changes": {"file:///home/me/a%20b/d": [{"newText": "file:///home/me/a%20b"}]},
            "text": "file:///home/me/a%20b",
        });
        let before = message.clone();
        aliases.to_real(&mut message);
        let real_path = json!({
            "uri": "file:///disk/x/c.md",
            "items": [{"targetUri": "file:///disk/x"}, {"target": "file:///home/me/a%20bc"}],
            "changes": {"file:///disk/x/d": [{"newText": "file:///home/me/a%20b"}]},
            "text": "file:///home/me/a%20b",
        });
        assert_eq!(message, real_path);
        aliases.to_client(&mut message);
        assert_eq!(message, before);
    }
}
