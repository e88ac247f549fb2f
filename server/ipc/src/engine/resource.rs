//! Reads a file or directory as a resource. Ignored files and files with credentials are none.

use pathfinder_core::{RelPath, Request, Status};

use super::withheld;
use crate::question::{EngineError, ResourceAnswer, ResourceQuestion};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_project::workspace::{Workspace, absolute};
use pathfinder_protocol::paths::MAX_ALTERNATIVES;

/// Largest file that is a resource, in bytes. Tools read larger files in portions.
const MAX_RESOURCE_BYTES: u64 = 1 << 20;

/// Reads the entry at an absolute path.
///
/// # Errors
/// If the roots cannot be used.
pub(super) fn read(workspace: &Workspace, asked: &ResourceQuestion) -> Result<ResourceAnswer, EngineError> {
    let snapshot = workspace.snapshot()?;
    let (answer, _) = snapshot.ask(&Request { limit: MAX_ALTERNATIVES, ..Request::new(asked.path.clone()) });
    let mut answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Ok(missing(error.to_string())),
    };
    withheld::redact(&snapshot, &mut answer);
    let place = |root: usize, path: &RelPath| absolute(&snapshot.opened()[root].root.canonical, path);
    let (Status::Exists, Some((root, path))) = (answer.status, &answer.path) else {
        let best = answer.path.iter().map(|(root, path)| (*root, path));
        let others = answer.candidates.iter().map(|candidate| (candidate.root, &candidate.path));
        // A path without plausible candidates gets none: weak ones would be mistaken for an answer.
        let has_plausible = !matches!(answer.status, Status::NotFound);
        let shown = best.chain(others).filter(|_| has_plausible);
        let candidates = shown.map(|(root, path)| place(root, path)).collect();
        return Ok(ResourceAnswer::Missing { why: answer.why, candidates });
    };
    if let Some(why) = withheld::find_withheld(&snapshot, *root, path, asked.allow_ignored) {
        return Ok(missing(why));
    }
    match read_body(&snapshot, *root, path) {
        Ok(body) => {
            workspace.record_use(&snapshot, *root, path);
            Ok(body)
        }
        Err(error) => Ok(missing(format!("it {error}"))),
    }
}

fn missing(why: String) -> ResourceAnswer {
    ResourceAnswer::Missing { why, candidates: Vec::new() }
}

fn read_body(snapshot: &WorkspaceSnapshot, root: usize, path: &RelPath) -> Result<ResourceAnswer, String> {
    let probe = snapshot.probe();
    let details = probe.stat(root, path).map_err(|error| error.to_string())?;
    if details.kind == "directory" {
        let known = |root: usize, entry: &[u8]| snapshot.engine().roots()[root].snapshot.get(entry).is_some();
        let listing = probe.list(root, path, &known).map_err(|error| error.to_string())?;
        return Ok(ResourceAnswer::Names(listing.entries.join("\n")));
    }
    match probe.whole(root, path, MAX_RESOURCE_BYTES) {
        Some(bytes) if bytes.contains(&0) => Ok(ResourceAnswer::Bytes(bytes)),
        Some(bytes) => Ok(String::from_utf8(bytes)
            .map_or_else(|error| ResourceAnswer::Bytes(error.into_bytes()), ResourceAnswer::Text)),
        None if details.bytes.is_some_and(|bytes| bytes > MAX_RESOURCE_BYTES) => {
            Err(format!("has more than {MAX_RESOURCE_BYTES} bytes: tool_retry_with_resolve reads it in portions"))
        }
        None => Err("cannot be read".to_owned()),
    }
}
