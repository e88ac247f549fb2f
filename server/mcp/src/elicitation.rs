//! Elicitation: with `--ask`, the client's user chooses among candidates that nothing else tells apart.
//!
//! Before revision 2026-07-28 the server sends an elicitation request while the call waits. Since then it answers "input required",
//! and the client repeats the call with the user's input. The second call resolves anew and accepts only a choice that is still
//! offered. No state is kept between the two calls, and a client cannot inject another path.

use std::collections::BTreeMap;
use std::time::Duration;

use pathfinder_core::{Answer, Op, Request, Status};
use rmcp::model::{
    ClientCapabilities, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, EnumSchema, InputRequest, InputRequests, InputResponses, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, ServiceError};
use rmcp::{Peer, RoleServer};

use super::encode::truncate;
use pathfinder_ipc::engine::choice::{NONE_OF_THESE, list_options};
use pathfinder_ipc::question::Resolved;
use pathfinder_protocol::printable::printable;

/// Name of the only question of a call, and of the only member of its answer.
const FIELD_NAME: &str = "path";
/// Time for the user's answer. The official SDKs cancel a call after a minute.
const ELICITATION_TIMEOUT: Duration = Duration::from_secs(45);

/// A question and the options to choose from.
#[derive(Debug)]
pub(super) struct PathChoice {
    question: String,
    options: Vec<String>,
}

/// Outcome of an elicitation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ChoiceResponse {
    /// The user was not asked yet.
    NotAsked,
    /// The user declined, or the answer is invalid.
    Declined,
    /// The chosen option.
    Chosen(String),
}

impl ChoiceResponse {
    /// Returns the chosen option.
    pub(super) fn into_path(self) -> Option<String> {
        if let Self::Chosen(path) = self { Some(path) } else { None }
    }
}

impl PathChoice {
    /// Builds the choice for an ambiguous answer; `None` for other answers, and for a path that may be about to be created.
    pub(super) fn new(request: &Request, resolved: &Resolved) -> Option<Self> {
        let Resolved { answer, roots, .. } = resolved;
        if answer.status != Status::Ambiguous || request.op == Op::Write {
            return None;
        }
        let mut options: Vec<String> = list_options(roots, answer).map(|(_, option)| option).collect();
        let files = options.len();
        options.push(NONE_OF_THESE.to_owned());
        // Options that look alike after sanitizing cannot be told apart.
        let mut different = options.clone();
        different.sort_unstable();
        different.dedup();
        if files < 2 || different.len() < options.len() {
            return None;
        }
        Some(Self { question: printable(&build_question(request, answer)), options })
    }

    /// Asks the user during the call. `None` if nothing was chosen.
    pub(super) async fn ask(self, peer: &Peer<RoleServer>) -> Option<String> {
        let options = self.options.clone();
        match send(peer, self.into_form()).await.map(|result| parse_response(&result)) {
            Ok(ChoiceResponse::Chosen(path)) => options.contains(&path).then_some(path),
            Ok(ChoiceResponse::NotAsked | ChoiceResponse::Declined) => None,
            Err(error) => {
                tracing::debug!(%error, "the user was not asked");
                None
            }
        }
    }

    /// Returns the input that the client must collect before it repeats the call.
    pub(super) fn into_requests(self) -> InputRequests {
        InputRequests::from([(FIELD_NAME.to_owned(), InputRequest::Elicitation(ElicitRequest::new(self.into_form())))])
    }

    fn into_form(self) -> ElicitRequestParams {
        let schema = EnumSchema::builder(self.options).untitled().build();
        let properties = ElicitationSchema::builder().required_enum_schema(FIELD_NAME, schema);
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.question,
            requested_schema: properties.build().unwrap_or_else(|_| ElicitationSchema::new(BTreeMap::new())),
        }
    }
}

/// Sends the form to the client and waits for the user.
///
/// # Errors
/// If the client does not answer in time, or answers something else.
async fn send(peer: &Peer<RoleServer>, form: ElicitRequestParams) -> Result<ElicitResult, ServiceError> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let options = PeerRequestOptions::with_timeout(ELICITATION_TIMEOUT);
    match peer.send_request_with_option(request, options).await?.await_response().await? {
        ClientResult::ElicitResult(result) => Ok(result),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

/// Returns whether a client can show a form to its user.
pub(super) fn can_elicit(client: Option<&ClientCapabilities>) -> bool {
    // A client without a list of modes supports forms, the only mode of the first revision.
    client.and_then(|can| can.elicitation.as_ref()).is_some_and(|ways| ways.form.is_some() || ways.url.is_none())
}

/// Reads the user's input from a repeated call.
pub(super) fn response_from(responses: Option<&InputResponses>) -> ChoiceResponse {
    let Some(response) = responses.and_then(|responses| responses.get(FIELD_NAME)) else {
        return ChoiceResponse::NotAsked;
    };
    serde_json::from_value(response.clone()).map_or(ChoiceResponse::Declined, |result| parse_response(&result))
}

fn parse_response(result: &ElicitResult) -> ChoiceResponse {
    let path = result.content.as_ref().and_then(|content| content.get(FIELD_NAME)?.as_str());
    match (&result.action, path) {
        (ElicitationAction::Accept, Some(path)) => ChoiceResponse::Chosen(path.to_owned()),
        _ => ChoiceResponse::Declined,
    }
}

/// Returns the question for the user: the asking program, its reason and the missing path.
fn build_question(request: &Request, answer: &Answer) -> String {
    let wants = match request.op {
        Op::Read => "read",
        Op::List => "list",
        Op::Stat => "look up",
        Op::Edit | Op::Write => "change",
    };
    let what = answer.next_question.as_deref().unwrap_or("Which one is meant?");
    let path = truncate(&request.failed_path);
    format!(
        "pathfinder asks for your agent, which wants to {wants} {path:?}: no such path exists, and several fit. {what}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_the_response_of_a_client() {
        let check = |responses: serde_json::Value, expect: ChoiceResponse| {
            let read: InputResponses = serde_json::from_value(responses.clone()).expect("an object");
            assert_eq!(response_from(Some(&read)), expect, "{responses}");
        };
        check(json!({}), ChoiceResponse::NotAsked);
        check(json!({"other": {"action": "accept", "content": {"path": "a"}}}), ChoiceResponse::NotAsked);
        check(json!({"path": {"action": "accept", "content": {"path": "a"}}}), ChoiceResponse::Chosen("a".to_owned()));
        check(json!({"path": {"action": "decline"}}), ChoiceResponse::Declined);
        check(json!({"path": {"action": "cancel", "content": {"path": "a"}}}), ChoiceResponse::Declined);
        check(json!({"path": {"action": "accept", "content": {"path": 1}}}), ChoiceResponse::Declined);
        check(json!({"path": {"action": "accept"}}), ChoiceResponse::Declined);
        check(json!({"path": "a"}), ChoiceResponse::Declined);
        assert_eq!(response_from(None), ChoiceResponse::NotAsked);
    }

    #[test]
    fn detects_form_support() {
        let check = |client: serde_json::Value, expect: bool| {
            let read: ClientCapabilities = serde_json::from_value(client.clone()).expect("capabilities");
            assert_eq!(can_elicit(Some(&read)), expect, "{client}");
        };
        check(json!({}), false);
        check(json!({"elicitation": {}}), true);
        check(json!({"elicitation": {"form": {}}}), true);
        check(json!({"elicitation": {"form": {}, "url": {}}}), true);
        check(json!({"elicitation": {"url": {}}}), false);
        assert!(!can_elicit(None));
    }
}
