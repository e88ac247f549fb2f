//! A choice that only the user can make: with `--ask`, clients that can are asked to put it to their user.
//!
//! Before 2026-07-28 the server asks while the call waits. Since then it answers that input is required, and the client
//! calls again with it. The second call asks the engine again and takes what was chosen only if it is still among what is
//! offered, so that nothing has to be remembered between the two, and nothing that a client makes up gets through.

use std::collections::BTreeMap;
use std::time::Duration;

use pathfinder_core::{Answer, Op, Refusal, Request, Status};
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    EnumSchema, InputRequest, InputRequests, InputResponses,
};
use rmcp::{Peer, RoleServer};
use serde::{Deserialize, Serialize};

use super::encode::cut;
use crate::printable::printable;
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::place::{hopeful, placed};
use crate::workspace::Asked;

/// The name of the one question of a call, and of the one member of its answer.
const NAME: &str = "path";
/// The option for a user that means none of the others.
const NONE: &str = "none of these";
/// How long the user may think. The official SDKs give a call up after a minute.
const PATIENCE: Duration = Duration::from_secs(45);

/// What there is to choose from.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Choice {
    question: String,
    options: Vec<String>,
}

/// What came of asking.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Nobody was asked yet.
    None,
    /// The user does not want to say, or said nothing that can be understood.
    Declined,
    /// One of the options.
    Chosen(String),
}

impl Reply {
    /// What was chosen.
    pub(super) fn path(self) -> Option<String> {
        if let Self::Chosen(path) = self { Some(path) } else { None }
    }
}

impl Choice {
    /// The choice that an answer leaves; `None` where there is none, and for what may be about to be created.
    pub(super) fn new(workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer) -> Option<Self> {
        if answer.status != Status::Ambiguous || request.op == Op::Write {
            return None;
        }
        let mut options: Vec<String> = options(workspace, answer).map(|(_, option)| option).collect();
        let files = options.len();
        options.push(NONE.to_owned());
        // Names that look the same once they are safe to show cannot be told apart.
        let mut different = options.clone();
        different.sort_unstable();
        different.dedup();
        if files < 2 || different.len() < options.len() {
            return None;
        }
        Some(Self { question: printable(&question(request, answer)), options })
    }

    /// Asks the user, in the middle of the call. `None` if nobody chose.
    pub(super) async fn ask(self, peer: &Peer<RoleServer>) -> Option<String> {
        let options = self.options.clone();
        let asked = peer.create_elicitation_with_timeout(self.form(), Some(PATIENCE)).await;
        match asked.map(|result| chosen(&result)) {
            Ok(Reply::Chosen(path)) => options.contains(&path).then_some(path),
            Ok(Reply::None | Reply::Declined) => None,
            Err(error) => {
                tracing::debug!(%error, "the user was not asked");
                None
            }
        }
    }

    /// What the client has to find out before it calls again.
    pub(super) fn requests(self) -> InputRequests {
        InputRequests::from([(NAME.to_owned(), InputRequest::Elicitation(ElicitRequest::new(self.form())))])
    }

    fn form(self) -> ElicitRequestParams {
        let schema = EnumSchema::builder(self.options).untitled().build();
        let properties = ElicitationSchema::builder().required_enum_schema(NAME, schema);
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.question,
            requested_schema: properties.build().unwrap_or_else(|_| ElicitationSchema::new(BTreeMap::new())),
        }
    }
}

/// Whether a client can put a form before its user.
pub(super) fn can_ask(client: Option<&ClientCapabilities>) -> bool {
    // One that names no way has the only one that there was in the beginning.
    client.and_then(|can| can.elicitation.as_ref()).is_some_and(|ways| ways.form.is_some() || ways.url.is_none())
}

/// What the client brings with a second call.
pub(super) fn given(responses: Option<&InputResponses>) -> Reply {
    let Some(response) = responses.and_then(|responses| responses.get(NAME)) else { return Reply::None };
    serde_json::from_value(response.clone()).map_or(Reply::Declined, |result| chosen(&result))
}

fn chosen(result: &ElicitResult) -> Reply {
    let path = result.content.as_ref().and_then(|content| content.get(NAME)?.as_str());
    match (&result.action, path) {
        (ElicitationAction::Accept, Some(path)) => Reply::Chosen(path.to_owned()),
        _ => Reply::Declined,
    }
}

/// Makes the answer what the user chose, if it is one of what there is to choose from.
pub(super) fn take(asked: &mut Asked, chosen: &str) {
    let answer = &mut asked.answer;
    if answer.status != Status::Ambiguous || asked.request.op == Op::Write {
        return;
    }
    if chosen == NONE {
        answer.next_question = None;
        answer.status = Status::NotFound;
        answer.refusal = Some(Refusal::NotFound);
        answer.confidence = 0.0;
        "the user says that none of the candidates is meant".clone_into(&mut answer.why);
        answer.candidates.clear();
        return;
    }
    let Some((at, _)) = options(&asked.workspace, answer).find(|(_, option)| option == chosen) else { return };
    let candidate = answer.candidates.swap_remove(at);
    answer.status = Status::Resolved;
    answer.path = Some((candidate.root, candidate.path.clone()));
    answer.confidence = 1.0;
    answer.may_act = true;
    "chosen by the user".clone_into(&mut answer.why);
    answer.candidates = vec![candidate];
    answer.refusal = None;
    answer.next_question = None;
}

/// The question that the user sees: which program asks, why, and what.
fn question(request: &Request, answer: &Answer) -> String {
    let wants = match request.op {
        Op::Read => "read",
        Op::List => "list",
        Op::Stat => "look up",
        Op::Edit | Op::Write => "change",
    };
    let what = answer.next_question.as_deref().unwrap_or("Which one is meant?");
    let path = cut(&request.failed_path);
    format!(
        "pathfinder asks for your agent, which wants to {wants} {path:?}: no such path exists, and several fit. {what}"
    )
}

/// What can be chosen: which candidate, and how it is shown.
fn options<'a>(workspace: &'a WorkspaceSnapshot, answer: &'a Answer) -> impl Iterator<Item = (usize, String)> + 'a {
    hopeful(answer)
        .enumerate()
        .map(|(at, candidate)| (at, printable(&placed(workspace, candidate.root, &candidate.path))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_client_brings() {
        let check = |responses: serde_json::Value, expect: Reply| {
            let read: InputResponses = serde_json::from_value(responses.clone()).expect("an object");
            assert_eq!(given(Some(&read)), expect, "{responses}");
        };
        check(json!({}), Reply::None);
        check(json!({"other": {"action": "accept", "content": {"path": "a"}}}), Reply::None);
        check(json!({"path": {"action": "accept", "content": {"path": "a"}}}), Reply::Chosen("a".to_owned()));
        check(json!({"path": {"action": "decline"}}), Reply::Declined);
        check(json!({"path": {"action": "cancel", "content": {"path": "a"}}}), Reply::Declined);
        check(json!({"path": {"action": "accept", "content": {"path": 1}}}), Reply::Declined);
        check(json!({"path": {"action": "accept"}}), Reply::Declined);
        check(json!({"path": "a"}), Reply::Declined);
        assert_eq!(given(None), Reply::None);
    }

    #[test]
    fn who_can_ask() {
        let check = |client: serde_json::Value, expect: bool| {
            let read: ClientCapabilities = serde_json::from_value(client.clone()).expect("capabilities");
            assert_eq!(can_ask(Some(&read)), expect, "{client}");
        };
        check(json!({}), false);
        check(json!({"elicitation": {}}), true);
        check(json!({"elicitation": {"form": {}}}), true);
        check(json!({"elicitation": {"form": {}, "url": {}}}), true);
        check(json!({"elicitation": {"url": {}}}), false);
        assert!(!can_ask(None));
    }
}
