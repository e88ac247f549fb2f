//! Answers one line of a batch, for the command line and for the leader of the shared engine.

use pathfinder_core::FindRequest;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::answer::{ResolveReply, WireError, encode};
use super::request::{Defaults, decode, decode_as};
use pathfinder_project::find::TimedFindAnswer;
use pathfinder_project::snapshot::WorkspaceSnapshot;

/// Handling of a line without an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoId {
    /// One of several lines: the answer has the id `null`.
    Null,
    /// The only line: the answer has no id.
    None,
}

/// Answers a line of `resolve --batch`.
///
/// # Errors
/// If the answer cannot be encoded, which no known answer causes.
pub fn answer_resolve(
    workspace: &WorkspaceSnapshot,
    line: &[u8],
    no_id: NoId,
    defaults: Defaults,
) -> serde_json::Result<Box<RawValue>> {
    let decoded = decode(line, defaults);
    let null = to_raw_value(&())?;
    let id = decoded.id.as_deref().or((no_id == NoId::Null).then_some(&*null));
    match decoded.request {
        Err(message) => refused(id, message),
        Ok(request) => {
            let (result, timing) = workspace.ask(&request);
            to_raw_value(&encode(id, workspace.engine().roots(), &request, &result, timing.total))
        }
    }
}

/// Answers a line of `find --batch` with the results of `find`.
///
/// # Errors
/// If the answer cannot be encoded, which no known answer causes.
pub fn answer_find(
    workspace: &WorkspaceSnapshot,
    line: &[u8],
    no_id: NoId,
    defaults: &FindRequest,
    find: impl FnOnce(&FindRequest) -> TimedFindAnswer,
) -> serde_json::Result<Box<RawValue>> {
    let decoded = decode_as(line, |fields| fields.find(defaults));
    let null = to_raw_value(&())?;
    let id = decoded.id.as_deref().or((no_id == NoId::Null).then_some(&*null));
    match decoded.request {
        Err(message) => refused(id, message),
        Ok(request) => to_raw_value(&super::find::encode(id, workspace.engine().roots(), &find(&request))),
    }
}

/// Encodes the answer to an invalid line.
///
/// # Errors
/// If the answer cannot be encoded, which no known answer causes.
pub fn refused(id: Option<&RawValue>, message: String) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(&ResolveReply::Error(WireError::new(id, "BadRequest", message)))
}
