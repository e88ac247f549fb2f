//! `Links`: folders that the client names through symbolic links.
//!
//! Everything in here knows files by their real paths. Where the client's name of a folder is another one, its messages are
//! put into the real names as they come, and ours into its names as they go: so nobody else has to think of it.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use serde_json::{Map, Value};

use super::uri;

/// See the module's text. Empty for nearly everybody.
#[derive(Default)]
pub(super) struct Links(RwLock<Vec<Link>>);

struct Link {
    /// As the client calls the folder.
    named: PathBuf,
    /// Where it really is.
    real: PathBuf,
}

impl Links {
    /// Learns how folders are called, from a message that names any.
    pub(super) fn learn(&self, method: &str, params: Option<&Value>) {
        let Some(params) = params else { return };
        let folders = match method {
            "initialize" => params.get("workspaceFolders"),
            "workspace/didChangeWorkspaceFolders" => params.pointer("/event/added"),
            _ => return,
        };
        let folders = folders.and_then(Value::as_array).into_iter().flatten().filter_map(|folder| folder.get("uri"));
        let root = params.get("rootUri").filter(|_| method == "initialize");
        for named in folders.chain(root).filter_map(Value::as_str).filter_map(uri::path) {
            let Ok(real) = dunce::canonicalize(&named) else { continue };
            let mut links = self.0.write().unwrap_or_else(PoisonError::into_inner);
            if real != named && links.iter().all(|link| link.named != named) {
                links.push(Link { named, real });
            }
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Puts a message of the client into real names.
    pub(super) fn to_real(&self, message: &mut Value) {
        self.rename(message, |link| (&link.named, &link.real));
    }

    /// Puts a message to the client into its names.
    pub(super) fn to_named(&self, message: &mut Value) {
        self.rename(message, |link| (&link.real, &link.named));
    }

    fn rename(&self, message: &mut Value, way: impl Fn(&Link) -> (&Path, &Path)) {
        let links = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if links.is_empty() {
            return;
        }
        each_uri(message, &|text| {
            let path = uri::path(text)?;
            links.iter().find_map(|link| {
                let (from, to) = way(link);
                let rest = path.strip_prefix(from).ok()?;
                // Joined with nothing, there would be a slash at the end.
                let path = if rest.as_os_str().is_empty() { to.to_path_buf() } else { to.join(rest) };
                Some(uri::of(&path)?.as_str().to_owned())
            })
        });
    }
}

/// Replaces URIs: members that are called so, and the names of members of `changes`.
fn each_uri(message: &mut Value, renamed: &impl Fn(&str) -> Option<String>) {
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
                    _ => each_uri(value, renamed),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| each_uri(value, renamed)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn there_and_back() {
        let links = Links(RwLock::new(vec![Link { named: "/home/me/a b".into(), real: "/disk/x".into() }]));
        let mut message = json!({
            "uri": "file:///home/me/a%20b/c.md",
            "items": [{"targetUri": "file:///home/me/a%20b"}, {"target": "file:///home/me/a%20bc"}],
            "changes": {"file:///home/me/a%20b/d": [{"newText": "file:///home/me/a%20b"}]},
            "text": "file:///home/me/a%20b",
        });
        let before = message.clone();
        links.to_real(&mut message);
        let real = json!({
            "uri": "file:///disk/x/c.md",
            "items": [{"targetUri": "file:///disk/x"}, {"target": "file:///home/me/a%20bc"}],
            "changes": {"file:///disk/x/d": [{"newText": "file:///home/me/a%20b"}]},
            "text": "file:///home/me/a%20b",
        });
        assert_eq!(message, real);
        links.to_named(&mut message);
        assert_eq!(message, before);
    }
}
