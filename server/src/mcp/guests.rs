//! Both sides of an engine that is shared: a guest's questions are put to its host, and a host serves its guests. What goes between
//! them is MCP, with a few requests more.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, CustomResult, ErrorCode, MetaObject, RequestMetaObject};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::choice::{self, Choice};
use super::encode::Reply;
use super::metrics::{Line, Metrics};
use crate::share::{About, ENGINE, Peer, PeerError, Refusal, RemoteClient, methods};
use crate::workspace::Workspace;

/// In a call's `_meta`: what the user of the guest's client has chosen. It also says that a choice is wanted.
const CHOSEN: &str = "pathfinder/chosen";
/// In a call's `_meta`: whether the guest was started with `--allow-ignored`. How the host was started does not count.
const ALLOW_IGNORED: &str = "pathfinder/allow_ignored";
/// In a result's `_meta`: what the user could choose from.
const CHOICE: &str = "pathfinder/choice";

/// What a host knows of a guest.
pub(super) struct Welcome {
    about: About,
    /// Where it is, as it said.
    directory: OnceLock<PathBuf>,
}

impl Welcome {
    pub(super) fn new(about: About) -> Arc<Self> {
        Arc::new(Self { about, directory: OnceLock::new() })
    }

    /// Where the guest is.
    pub(super) fn directory(&self) -> Option<&Path> {
        self.directory.get().map(PathBuf::as_path)
    }

    /// Answers a guest's own request; `None` if it is no such.
    pub(super) fn answer(
        &self,
        workspace: &Workspace,
        method: &str,
        params: &Value,
    ) -> Option<Result<CustomResult, ErrorData>> {
        let bad = |message: String| ErrorData::invalid_params(message, None);
        if method == ENGINE {
            let Ok(RemoteClient { directory }) = serde_json::from_value(params.clone()) else {
                return Some(Err(bad("a guest says in which directory it is".to_owned())));
            };
            // Said once, in the beginning.
            _ = self.directory.set(directory);
            return Some(Ok(CustomResult::new(json!(self.about))));
        }
        let method = methods::named(method)?;
        let directory = self.directory().unwrap_or(Path::new(""));
        let answer = method.answer(workspace, directory, &params.to_string()).map_err(bad);
        Some(answer.and_then(|text| {
            let value = serde_json::from_str(text.get());
            value.map(CustomResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
        }))
    }
}

/// What the guest's user has chosen, if the call is a guest's: only it can put a choice to them.
pub(super) fn chosen(meta: &RequestMetaObject) -> Option<choice::Reply> {
    let chosen = meta.get(CHOSEN)?;
    Some(chosen.as_str().map_or(choice::Reply::None, |path| choice::Reply::Chosen(path.to_owned())))
}

/// Whether the guest reads withheld files. Only a guest is asked that: another client has no say in it.
pub(super) fn allows_ignored(meta: &RequestMetaObject) -> bool {
    meta.get(ALLOW_IGNORED).and_then(Value::as_bool).unwrap_or_default()
}

/// The choice and the permissions that a client of the shared engine sends.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuestTerms<'a> {
    pub(super) chosen: Option<&'a str>,
    pub(super) allow_ignored: bool,
}

/// Parameters of `resources/read`, as a guest passes them on.
#[derive(Debug, Serialize)]
pub(super) struct ReadParams {
    pub(super) uri: String,
    #[serde(rename = "_meta")]
    meta: Value,
}

/// Parameters that read this resource, with what the guest's user allows.
pub(super) fn read_params(uri: String, allow_ignored: bool) -> ReadParams {
    ReadParams { uri, meta: json!({ALLOW_IGNORED: allow_ignored}) }
}

impl ReadParams {
    /// Whether the user allows to read withheld files.
    pub(super) fn allows_ignored(&self) -> bool {
        self.meta[ALLOW_IGNORED] == true
    }
}

/// A result with the choice that it leaves to the guest's user.
pub(super) fn with_choice(mut result: CallToolResult, choice: Option<Choice>) -> CallToolResult {
    if let Some(choice) = choice.and_then(|choice| serde_json::to_value(choice).ok()) {
        let mut meta = MetaObject::default();
        meta.insert(CHOICE.to_owned(), choice);
        result.meta = Some(meta);
    }
    result
}

/// Has a host call a tool.
///
/// # Errors
/// When the host is gone, or refuses.
pub(super) fn call(
    peer: &Peer,
    tool: &str,
    arguments: &str,
    terms: GuestTerms<'_>,
    metrics: &Metrics,
) -> Result<Reply, PeerError> {
    #[derive(Serialize)]
    struct Call<'a> {
        name: &'a str,
        arguments: &'a RawValue,
        _meta: Value,
    }
    let start = Instant::now();
    // They were an object before they were text.
    let arguments: &RawValue = serde_json::from_str(arguments).map_err(|_| PeerError::Gone)?;
    let meta = json!({CHOSEN: terms.chosen, ALLOW_IGNORED: terms.allow_ignored});
    let answer = peer.ask("tools/call", &Call { name: tool, arguments, _meta: meta })?;
    let result: CallToolResult = read(&answer)?;
    let mut line = Line::new(tool);
    let value = result.structured_content.unwrap_or_default();
    for name in ["status", "error_kind"] {
        if let Some(said) = value.get(name) {
            line.set(name, said.clone());
        }
    }
    line.set("host", peer.about().pid);
    line.set("elapsed_us", u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX));
    metrics.write(line);
    let choice = result.meta.and_then(|meta| serde_json::from_value(meta.get(CHOICE)?.clone()).ok());
    Ok(Reply { value, is_error: result.is_error.unwrap_or_default(), choice })
}

/// Has a host answer one of the protocol's requests.
///
/// # Errors
/// When the host is gone, or refuses.
pub(super) fn forward<R: DeserializeOwned>(peer: &Peer, method: &str, params: &impl Serialize) -> Result<R, PeerError> {
    read(&peer.ask(method, params)?)
}

/// What a host refuses is refused by its guest.
pub(super) fn refused(refusal: Refusal) -> ErrorData {
    ErrorData::new(ErrorCode(refusal.code), refusal.message, refusal.data)
}

/// A host that answers what this version does not know is none.
fn read<R: DeserializeOwned>(answer: &RawValue) -> Result<R, PeerError> {
    serde_json::from_str(answer.get()).map_err(|error| {
        tracing::warn!(%error, "the host's answer is not understood");
        PeerError::Gone
    })
}
