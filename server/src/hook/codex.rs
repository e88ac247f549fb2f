//! Codex: the events of Claude Code, as `codex-rs/hooks/schema` has them. It reads through a shell, so that mostly nothing is known
//! before a command has failed but its text.
//!
//! Other arguments are taken only with a `permissionDecision` of `allow`, which lifts nothing (0.169.0): what would be asked of the
//! user is asked, with the arguments as they are rewritten, and what was refused without it is refused with it
//! (`tests/hooks/approval.test.mjs`).

use serde_json::{Value, json};

use super::event::{Event, Odd, Repair};
use super::repair::Means;
use super::{Agent, claude_code};

pub(super) const AGENT: Agent = Agent { name: "codex", means: Means::Rewrite, decode, encode };

fn decode(event: &Value) -> Result<Event, Odd> {
    claude_code::decode_as(event, |response| response.as_str().unwrap_or_default().to_owned())
}

fn encode(event: &Value, repair: Repair) -> Option<Value> {
    let allowed = matches!(repair, Repair::Rewrite { .. });
    let mut answer = claude_code::encode(event, repair)?;
    if allowed {
        answer["hookSpecificOutput"]["permissionDecision"] = json!("allow");
    }
    Some(answer)
}
