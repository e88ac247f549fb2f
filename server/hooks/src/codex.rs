//! Codex's hook contract: Claude Code's events, as `codex-rs/hooks/schema` has them.
//!
//! Codex reads files through a shell, so before a command fails its text is mostly all that is known.
//!
//! Codex takes other arguments only with a `permissionDecision` of `allow`, which grants nothing (0.169.0). Codex still asks the user
//! where it would have, with the rewritten arguments, and still refuses what it would have refused (`tests/hooks/approval.test.mjs`).

use serde_json::{Value, json};

use super::event::{Event, EventError, Repair};
use super::repair::HookCapability;
use super::{Agent, claude_code};

pub(super) const AGENT: Agent = Agent { name: "codex", capability: HookCapability::Rewrite, decode, encode };

fn decode(event: &Value) -> Result<Event, EventError> {
    claude_code::decode_shared(event, |response| response.as_str().unwrap_or_default().to_owned())
}

fn encode(event: &Value, repair: Repair) -> Option<Value> {
    let allowed = matches!(repair, Repair::Rewrite { .. });
    let mut answer = claude_code::encode(event, repair)?;
    if allowed {
        answer["hookSpecificOutput"]["permissionDecision"] = json!("allow");
    }
    Some(answer)
}
