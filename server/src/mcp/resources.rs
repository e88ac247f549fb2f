//! Resources: the roots, and any file inside them by its URI. What the project ignores, and what has credentials, is none.

use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use pathfinder_core::{RelPath, Request, Status};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use super::encode::ALTERNATIVES;
use super::withheld;
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};
use crate::workspace::{Workspace, absolute};

/// The template that every file inside the roots fits.
pub(super) const TEMPLATE: &str = "file:///{path}";
/// The largest file that is a resource. Tools read larger ones in portions.
const BYTES_MAX: u64 = 1 << 20;
/// What others call directories.
const DIRECTORY: &str = "inode/directory";

/// The roots, in their order. All files would be a list that nobody can read: they are found by completion.
pub(super) fn list(snapshot: &WorkspaceSnapshot) -> Vec<Resource> {
    let resource = |opened: &LoadedRoot| {
        let path = &opened.root.canonical;
        let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned();
        let description = "What is in this root. A file in it is the resource file:///ROOT/PATH.";
        let uri = crate::uri::of(path)?;
        Some(Resource::new(uri, name).with_description(description).with_mime_type(DIRECTORY))
    };
    snapshot.opened().iter().filter_map(resource).collect()
}

/// The one template.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let says =
        "A file or directory inside the roots, by its absolute path. Complete {path} with a beginning or a rough name.";
    vec![ResourceTemplate::new(TEMPLATE, "file").with_title("File").with_description(says)]
}

/// What is in the file or directory of this URI.
///
/// # Errors
/// When it names nothing that is there, inside the roots and not ignored; or more than is given out at once.
pub(super) fn read(workspace: &Workspace, uri: &str, allow_ignored: bool) -> Result<ReadResourceResult, ErrorData> {
    let Some(path) = crate::uri::path(uri) else {
        return Err(none(uri, "its URI is not that of a file on this machine", &[]));
    };
    let snapshot = workspace.snapshot().map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let (answer, _) = snapshot.ask(&Request { limit: ALTERNATIVES, ..Request::new(path.to_string_lossy()) });
    let mut answer = answer.map_err(|error| none(uri, &error.to_string(), &[]))?;
    withheld::redact(&snapshot, &mut answer);
    let place = |root: usize, path: &RelPath| absolute(&snapshot.opened()[root].root.canonical, path);
    let (Status::Exists, Some((root, path))) = (answer.status, &answer.path) else {
        let meant = answer.path.iter().map(|(root, path)| (*root, path));
        let others = answer.candidates.iter().map(|candidate| (candidate.root, &candidate.path));
        // Of a path that nothing plausible was found for, weak candidates would be taken for an answer.
        let hopeful = !matches!(answer.status, Status::NotFound);
        let mut uris: Vec<String> = meant
            .chain(others)
            .filter(|_| hopeful)
            .filter_map(|(root, path)| crate::uri::of(Path::new(&place(root, path))))
            .collect();
        uris.dedup();
        return Err(none(uri, &answer.why, &uris));
    };
    if let Some(why) = withheld::find_withheld(&snapshot, *root, path, allow_ignored) {
        return Err(none(uri, &why, &[]));
    }
    let contents = contents(&snapshot, *root, path).map_err(|error| none(uri, &format!("it {error}"), &[]))?;
    workspace.record_use(&snapshot, *root, path);
    let contents = match contents {
        Shown::Text(text) => ResourceContents::text(text, uri),
        Shown::Names(names) => ResourceContents::text(names, uri).with_mime_type(DIRECTORY),
        Shown::Bytes(bytes) => {
            ResourceContents::blob(BASE64_STANDARD.encode(bytes), uri).with_mime_type("application/octet-stream")
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

/// What a resource has.
enum Shown {
    Text(String),
    Bytes(Vec<u8>),
    /// One entry a line; those of directories end with `/`.
    Names(String),
}

fn contents(snapshot: &WorkspaceSnapshot, root: usize, path: &RelPath) -> Result<Shown, String> {
    let probe = snapshot.probe();
    let details = probe.stat(root, path).map_err(|error| error.to_string())?;
    if details.kind == "directory" {
        let known = |root: usize, entry: &[u8]| snapshot.engine().roots()[root].snapshot.get(entry).is_some();
        let listing = probe.list(root, path, &known).map_err(|error| error.to_string())?;
        return Ok(Shown::Names(listing.entries.join("\n")));
    }
    match probe.whole(root, path, BYTES_MAX) {
        Some(bytes) if bytes.contains(&0) => Ok(Shown::Bytes(bytes)),
        Some(bytes) => Ok(String::from_utf8(bytes).map_or_else(|error| Shown::Bytes(error.into_bytes()), Shown::Text)),
        None if details.bytes.is_some_and(|bytes| bytes > BYTES_MAX) => {
            Err(format!("has more than {BYTES_MAX} bytes: tool_retry_with_resolve reads it in portions"))
        }
        None => Err("cannot be read".to_owned()),
    }
}

fn none(uri: &str, why: &str, candidates: &[String]) -> ErrorData {
    let mut data = json!({"uri": uri});
    if !candidates.is_empty() {
        data["candidates"] = json!(candidates);
    }
    ErrorData::resource_not_found(format!("there is no such resource: {why}"), Some(data))
}
