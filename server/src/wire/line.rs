//! One line of a batch, or the same for a command of its own → its answer, whoever has read the line.

use pathfinder_core::FindRequest;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::answer::{Reply, WireError, encode};
use super::request::{Defaults, decode, decode_as};
use crate::find::TimedFindAnswer;
use crate::snapshot::WorkspaceSnapshot;

/// What is done about a line without an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum NoId {
    /// Of many lines: the answer has the id `null`.
    Null,
    /// Of the only one: the answer has none.
    None,
}

/// Answers a line of `resolve --batch`.
///
/// # Errors
/// When the answer cannot be written, which no answer is known for.
pub(crate) fn resolved(
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

/// Answers a line of `find --batch`, with what `find` finds.
///
/// # Errors
/// As [`resolved`].
pub(crate) fn found(
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

/// The answer to a line that is no request.
///
/// # Errors
/// As [`resolved`].
pub(crate) fn refused(id: Option<&RawValue>, message: String) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(&Reply::Error(WireError::new(id, "BadRequest", message)))
}
