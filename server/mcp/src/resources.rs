//! MCP resources: the roots, and each file inside them by URI. Ignored files and files with credentials are no resources.

use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use pathfinder_ipc::question::{ResourceAnswer, ResourceQuestion, RootStatus};
use pathfinder_ipc::{Backend, BackendError};

/// URI template that fits every file inside the roots.
pub(super) const TEMPLATE: &str = "file:///{path}";
/// MIME type of directories, as other programs use it.
const DIRECTORY_MIME_TYPE: &str = "inode/directory";

/// Lists the roots in order. Other files are found by completion, since a list of them would be too long to read.
pub(super) fn list(roots: &[RootStatus]) -> Vec<Resource> {
    let resource = |root: &RootStatus| {
        let path = Path::new(&root.path);
        let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned();
        let description = "What is in this root. A file in it is the resource file:///ROOT/PATH.";
        let uri = pathfinder_protocol::uri::from_path(path).filter(|_| !root.is_lossy)?;
        Some(Resource::new(uri, name).with_description(description).with_mime_type(DIRECTORY_MIME_TYPE))
    };
    roots.iter().filter_map(resource).collect()
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
/// If the roots cannot be used. The inner error: no such entry exists inside the roots, or it is not shown.
pub(super) fn read(
    backend: Backend<'_>,
    uri: &str,
    allow_ignored: bool,
) -> Result<Result<ReadResourceResult, ErrorData>, BackendError> {
    let Some(path) = pathfinder_protocol::uri::to_path(uri) else {
        return Ok(Err(not_found(uri, "its URI is not that of a file on this machine", &[])));
    };
    let path = path.to_string_lossy().into_owned();
    let body = match backend.read_resource(&ResourceQuestion { path, allow_ignored })? {
        ResourceAnswer::Text(text) => ResourceContents::text(text, uri),
        ResourceAnswer::Names(names) => ResourceContents::text(names, uri).with_mime_type(DIRECTORY_MIME_TYPE),
        ResourceAnswer::Bytes(bytes) => {
            ResourceContents::blob(BASE64_STANDARD.encode(bytes), uri).with_mime_type("application/octet-stream")
        }
        ResourceAnswer::Missing { why, candidates } => {
            let mut uris: Vec<String> =
                candidates.iter().filter_map(|path| pathfinder_protocol::uri::from_path(Path::new(path))).collect();
            uris.dedup();
            return Ok(Err(not_found(uri, &why, &uris)));
        }
    };
    Ok(Ok(ReadResourceResult::new(vec![body])))
}

fn not_found(uri: &str, why: &str, candidates: &[String]) -> ErrorData {
    let mut data = json!({"uri": uri});
    if !candidates.is_empty() {
        data["candidates"] = json!(candidates);
    }
    ErrorData::resource_not_found(format!("there is no such resource: {why}"), Some(data))
}
