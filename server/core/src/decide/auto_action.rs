//! Decides whether a program may act on an answer without asking: read the file, or redirect a tool call. Called by
//! `decide`.
//!
//! A caller that receives a path can check it first. A caller that receives contents takes them for the requested
//! file's, so the threshold is higher. Some kinds of directories are excluded at any confidence.

use super::confidence::is_other_family;
use super::directory_kind::{DirectoryKind, DirectoryKinds};
use super::input::{DecisionInput, EvidenceMatch};
use crate::answer::Status;
use crate::features::Feature;
use crate::path;
use crate::rank::Ranked;
use crate::secret::is_secret_name;
use crate::words::{split_extension, words};

/// Minimum confidence for acting on an answer. On repositories that the model was not fitted to, 0.65 % of the answers
/// from 0.95 on were wrong. A missing directory before an otherwise exact path has 0.947, and is acted upon too.
pub(crate) const ACT_THRESHOLD: f32 = 0.94;

/// Kinds of directories that are used only if the request names one. Their files resemble the project's own, but are
/// copies of others' code, samples or build outputs.
const EXCLUDED_KINDS: [DirectoryKind; 4] =
    [DirectoryKind::Fixture, DirectoryKind::Example, DirectoryKind::Vendored, DirectoryKind::Generated];

/// Returns whether a program may use the first candidate, of this status and confidence, without asking.
pub(super) fn may_act(input: &DecisionInput<'_>, status: Status, confidence: f32) -> bool {
    let Some(first) = input.ranked.first() else { return false };
    // A move in history, and contents that only this candidate has, identify the file; neither is mere similarity.
    let known = first.get(Feature::Moved) > 0.0 || input.evidence == Some(EvidenceMatch::Only);
    status == Status::Resolved
        && confidence >= ACT_THRESHOLD
        && (known || !is_other_family(first))
        && !DirectoryKinds::unrequested(input, first).has_any(&EXCLUDED_KINDS)
        && (has_exact_name(first) || !is_guarded(first))
}

/// Returns whether the request has the candidate's exact name, ignoring case.
fn has_exact_name(first: &Ranked) -> bool {
    first.get(Feature::NameCase) > 0.0 || first.get(Feature::NameExact) > 0.0
}

/// Returns whether a file instructs agents or holds secrets: neither may replace a file that does not exist.
fn is_guarded(first: &Ranked) -> bool {
    let path = first.path.as_bytes().to_ascii_lowercase();
    let name = path::name(&path);
    let (stem, extension) = split_extension(name);
    is_agent_instruction(&path, stem, extension) || is_secret_name(&path)
}

/// Returns whether agents read the file as instructions: it is named after an agent or its rules, or lies in an agent's
/// directory.
fn is_agent_instruction(path: &[u8], stem: &[u8], extension: &[u8]) -> bool {
    const AGENTS: [&str; 13] = [
        "agent", "agents", "claude", "gemini", "copilot", "cursor", "windsurf", "codex", "aider", "cline", "roo",
        "qwen", "opencode",
    ];
    const RULES: [&[u8]; 4] = [b"rules", b"prompt", b"instructions", b"skill"];
    let is_agent = |segment: &[u8]| words(segment).iter().any(|word| AGENTS.contains(&word.as_str()));
    let text = matches!(extension, b"" | b"md" | b"mdc" | b"mdx" | b"txt");
    let hidden = path.split(|&byte| byte == b'/').any(|segment| segment.starts_with(b".") && is_agent(segment));
    // `.cursorrules` is one word, `copilot-instructions` two.
    let rules = RULES.iter().any(|rules| stem.ends_with(rules));
    hidden || text && (rules || words(stem).first().is_some_and(|word| AGENTS.contains(&word.as_str())))
}

#[cfg(test)]
mod tests {
    use crate::Request;
    use crate::testing::Tree;

    /// Checks `may_act` of the answer to a request.
    #[track_caller]
    fn check(tree: &str, asked: &str, expected: bool) {
        let answer = Tree::new(tree).ask(&Request::new(asked));
        assert_eq!(answer.may_act, expected, "{asked}: {:?} {} {}", answer.status, answer.confidence, answer.why);
    }

    #[test]
    fn acts_on_slips_but_not_on_guarded_files() {
        let tree = "src/client.rs\nsrc/server.rs\nsrc/settings.rs\nREADME.md\ntests/fixtures/handler.rs\nvendor/lib/parser.rs\n\
                    examples/greeter.rs\nconfig/credentials.json\nCLAUDE.md\n.env\n";
        check(tree, "src/clinet.rs", true);
        check(tree, "source/client.rs", false);
        check(tree, "handler.rs", false);
        check(tree, "tests/fixtures/handlre.rs", true);
        check(tree, "parser.rs", false);
        check(tree, "vendor/lib/parsre.rs", true);
        check(tree, "greeter.rs", false);
        check(tree, "src/client.rs/", true);
        check(tree, "config/credentails.json", false);
        check(tree, "CLADUE.md", false);
        check(tree, "src/client.png", false);
    }
}
