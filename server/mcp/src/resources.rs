//! MCP resources: the roots, and each file inside them by URI. Ignored files and files with credentials are no resources.

use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use pathfinder_core::{RelPath, Request, Status};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use super::encode::MAX_ALTERNATIVES;
use super::withheld;
use pathfinder_project::snapshot::{LoadedRoot, WorkspaceSnapshot};
use pathfinder_project::workspace::{Workspace, absolute};

/// URI template that fits every file inside the roots.
pub(super) const TEMPLATE: &str = "file:///{path}";
/// Largest file that is a resource, in bytes. Tools read larger files in portions.
const MAX_RESOURCE_BYTES: u64 = 1 << 20;
/// MIME type of directories, as other programs use it.
const DIRECTORY_MIME_TYPE: &str = "inode/directory";

/// Lists the roots in order. Other files are found by completion, since a list of them would be too long to read.
pub(super) fn list(snapshot: &WorkspaceSnapshot) -> Vec<Resource> {
    let resource = |opened: &LoadedRoot| {
        let path = &opened.root.canonical;
        let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned();
        let description = "What is in this root. A file in it is the resource file:///ROOT/PATH.";
        let uri = pathfinder_protocol::uri::from_path(path)?;
        Some(Resource::new(uri, name).with_description(description).with_mime_type(DIRECTORY_MIME_TYPE))
    };
    snapshot.opened().iter().filter_map(resource).collect()
}

/// Returns the only template.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let description =
        "A file or directory inside the roots, by its absolute path. Complete {path} with a beginning or a rough name.";
    vec![ResourceTemplate::new(TEMPLATE, "file").with_title("File").with_description(description)]
}

/// Reads the file or directory of a URI.
///
/// # Errors
/// If no such entry exists inside the roots, when it is ignored, or when it is larger than [`MAX_RESOURCE_BYTES`].
pub(super) fn read(workspace: &Workspace, uri: &str, allow_ignored: bool) -> Result<ReadResourceResult, ErrorData> {
    let Some(path) = pathfinder_protocol::uri::to_path(uri) else {
        return Err(not_found(uri, "its URI is not that of a file on this machine", &[]));
    };
    let snapshot = workspace.snapshot().map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let (answer, _) = snapshot.ask(&Request { limit: MAX_ALTERNATIVES, ..Request::new(path.to_string_lossy()) });
    let mut answer = answer.map_err(|error| not_found(uri, &error.to_string(), &[]))?;
    withheld::redact(&snapshot, &mut answer);
    let place = |root: usize, path: &RelPath| absolute(&snapshot.opened()[root].root.canonical, path);
    let (Status::Exists, Some((root, path))) = (answer.status, &answer.path) else {
        let best = answer.path.iter().map(|(root, path)| (*root, path));
        let others = answer.candidates.iter().map(|candidate| (candidate.root, &candidate.path));
        // A path without plausible candidates gets none: weak ones would be mistaken for an answer.
        let has_plausible = !matches!(answer.status, Status::NotFound);
        let mut uris: Vec<String> = best
            .chain(others)
            .filter(|_| has_plausible)
            .filter_map(|(root, path)| pathfinder_protocol::uri::from_path(Path::new(&place(root, path))))
            .collect();
        uris.dedup();
        return Err(not_found(uri, &answer.why, &uris));
    };
    if let Some(why) = withheld::find_withheld(&snapshot, *root, path, allow_ignored) {
        return Err(not_found(uri, &why, &[]));
    }
    let body = read_body(&snapshot, *root, path).map_err(|error| not_found(uri, &format!("it {error}"), &[]))?;
    workspace.record_use(&snapshot, *root, path);
    let body = match body {
        ResourceBody::Text(text) => ResourceContents::text(text, uri),
        ResourceBody::Names(names) => ResourceContents::text(names, uri).with_mime_type(DIRECTORY_MIME_TYPE),
        ResourceBody::Bytes(bytes) => {
            ResourceContents::blob(BASE64_STANDARD.encode(bytes), uri).with_mime_type("application/octet-stream")
        }
    };
    Ok(ReadResourceResult::new(vec![body]))
}

/// Contents of a resource.
enum ResourceBody {
    Text(String),
    Bytes(Vec<u8>),
    /// One entry per line; directories end with `/`.
    Names(String),
}

fn read_body(snapshot: &WorkspaceSnapshot, root: usize, path: &RelPath) -> Result<ResourceBody, String> {
    let probe = snapshot.probe();
    let details = probe.stat(root, path).map_err(|error| error.to_string())?;
    if details.kind == "directory" {
        let known = |root: usize, entry: &[u8]| snapshot.engine().roots()[root].snapshot.get(entry).is_some();
        let listing = probe.list(root, path, &known).map_err(|error| error.to_string())?;
        return Ok(ResourceBody::Names(listing.entries.join("\n")));
    }
    match probe.whole(root, path, MAX_RESOURCE_BYTES) {
        Some(bytes) if bytes.contains(&0) => Ok(ResourceBody::Bytes(bytes)),
        Some(bytes) => {
            Ok(String::from_utf8(bytes)
                .map_or_else(|error| ResourceBody::Bytes(error.into_bytes()), ResourceBody::Text))
        }
        None if details.bytes.is_some_and(|bytes| bytes > MAX_RESOURCE_BYTES) => {
            Err(format!("has more than {MAX_RESOURCE_BYTES} bytes: tool_retry_with_resolve reads it in portions"))
        }
        None => Err("cannot be read".to_owned()),
    }
}

fn not_found(uri: &str, why: &str, candidates: &[String]) -> ErrorData {
    let mut data = json!({"uri": uri});
    if !candidates.is_empty() {
        data["candidates"] = json!(candidates);
    }
    ErrorData::resource_not_found(format!("there is no such resource: {why}"), Some(data))
}
