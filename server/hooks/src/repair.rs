//! Decides how to react to an event, for all agents. Called by [`hook::answer`](super::answer).

use std::path::Path;

use pathfinder_core::Op;

use super::backend::HookBackend;
use super::event::{Event, Repair, ToolCall, ToolKind};
use super::note;
use pathfinder_ipc::suggestion::{Suggestion, SuggestionRequest};
use pathfinder_project::path_mentions::{find_error_path, find_path_mentions};
use pathfinder_project::snapshot::SnapshotError;

/// Missing paths of one command's output, or of one call, that are looked up. A command with more is about something else.
const MAX_ERROR_PATHS: usize = 3;

/// Bytes at the end of a command's output that are read: errors stand there.
const MAX_OUTPUT_BYTES: usize = 64 * 1024;

/// Missing paths of one prompt that are looked up.
const MAX_PROMPT_PATHS: usize = 5;

/// Bytes at the beginning of a prompt that are read: the rest is pasted text.
const MAX_PROMPT_BYTES: usize = 64 * 1024;

/// Words that announce a new file when one stands before a path.
const CREATION_WORDS: [&str; 16] = [
    "create", "creating", "add", "adding", "write", "new", "make", "generate", "save", "output", "called", "named",
    "into", "rename", "move", "scaffold",
];

/// Words before a path that are searched for these.
const CREATION_WINDOW_WORDS: usize = 6;

/// Abilities of an agent's contract before a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HookCapability {
    /// The hook can give the tool other arguments and explain it.
    Rewrite,
    /// Like `Rewrite`, and the hook can also refuse a call with an explanation. There is no event after a failure.
    Refuse,
    /// The hook can refuse a call with an explanation, but cannot explain other arguments. There is no event after a failure.
    RefuseOnly,
    /// The hook can do nothing useful.
    Nothing,
}

/// Returns the reaction to an event.
///
/// # Errors
/// If there is no project whose roots can be used.
pub(super) fn repair(
    backend: &HookBackend<'_>,
    event: &Event,
    capability: HookCapability,
) -> Result<Repair, SnapshotError> {
    match event {
        Event::PreTool(_) if capability == HookCapability::Nothing => Ok(Repair::Nothing),
        Event::PreTool(call) if capability == HookCapability::RefuseOnly => match call.command {
            Some(_) => Ok(Repair::Nothing),
            None => explain_failure(backend, call, false),
        },
        Event::PreTool(call) => match rewrite_call(backend, call)? {
            // A shell reports a command's missing path by itself.
            Repair::Nothing if capability == HookCapability::Refuse && call.command.is_none() => {
                explain_failure(backend, call, false)
            }
            repair => Ok(repair),
        },
        Event::SessionStart | Event::Other => Ok(Repair::Nothing),
        // Only a failed read by a tool of the agent shows contents: the user's rules on reading covered that call.
        Event::ToolFailed(call) => explain_failure(backend, call, call.is_builtin),
        Event::PostTool(call) => explain_failure(backend, call, false),
        Event::PostTools(calls) => explain_failures(backend, calls),
        Event::CommandOutput(output) => explain_output(backend, output),
        Event::Prompt(prompt) => check_prompt(backend, prompt),
    }
}

/// Redirects a call that is about to fail, if the right path is sure. Calls that change anything are never redirected.
fn rewrite_call(backend: &HookBackend<'_>, call: &ToolCall) -> Result<Repair, SnapshotError> {
    if call.kind == ToolKind::Edit || backend.can_exist(&call.path) {
        return Ok(Repair::Nothing);
    }
    let request = SuggestionRequest { wants_preview: false, ..suggestion_request(call) };
    Ok(match backend.ask(&request)? {
        Suggestion::Certain { path, is_directory, confidence, may_act: true, why, .. }
            if accepts(call.kind, is_directory) =>
        {
            let note = note::write_rewrite_note(&call.path, call.kind, &path, confidence, &why);
            call.with_path(&path).map_or(Repair::Nothing, |input| Repair::Rewrite { input, note })
        }
        _ => Repair::Nothing,
    })
}

/// Returns whether a tool of this kind can work on an entry.
fn accepts(kind: ToolKind, is_directory: bool) -> bool {
    match kind {
        ToolKind::Read | ToolKind::Edit => !is_directory,
        ToolKind::List => is_directory,
        ToolKind::Search => true,
    }
}

/// Explains a failed call: the right path, with its first lines if `may_preview` and the call only reads.
fn explain_failure(backend: &HookBackend<'_>, call: &ToolCall, may_preview: bool) -> Result<Repair, SnapshotError> {
    if backend.can_exist(&call.path) {
        return Ok(Repair::Nothing);
    }
    let request = suggestion_request(call);
    let suggestion =
        backend.ask(&SuggestionRequest { wants_preview: request.wants_preview && may_preview, ..request })?;
    Ok(to_note(&[note::write_missing_note(&call.path, &suggestion)]))
}

/// Explains the calls of several whose path is missing.
fn explain_failures(backend: &HookBackend<'_>, calls: &[ToolCall]) -> Result<Repair, SnapshotError> {
    let mut notes = Vec::new();
    for call in calls.iter().filter(|call| !backend.can_exist(&call.path)).take(MAX_ERROR_PATHS) {
        if let Repair::Note(note) = explain_failure(backend, call, false)? {
            notes.push(note);
        }
    }
    Ok(to_note(&notes))
}

/// Explains the missing paths in a command's error messages.
fn explain_output(backend: &HookBackend<'_>, output: &str) -> Result<Repair, SnapshotError> {
    let cut = output.ceil_char_boundary(output.len().saturating_sub(MAX_OUTPUT_BYTES));
    // Starts at the beginning of a line.
    let start = if cut == 0 { 0 } else { output[cut..].find('\n').map_or(output.len(), |end| cut + end + 1) };
    let mut asked: Vec<&str> = Vec::new();
    let mut notes = Vec::new();
    for error_path in output[start..].lines().filter_map(find_error_path) {
        if asked.contains(&error_path.path) || backend.can_exist(error_path.path) {
            continue;
        }
        if asked.len() == MAX_ERROR_PATHS {
            break;
        }
        asked.push(error_path.path);
        let suggestion = backend.ask(&SuggestionRequest {
            path: error_path.path.to_owned(),
            op: if error_path.lists { Op::List } else { Op::Read },
            line: 1,
            ..SuggestionRequest::default()
        })?;
        notes.push(note::write_missing_note(error_path.path, &suggestion));
    }
    Ok(to_note(&notes))
}

/// Corrects wrong paths in a prompt. Only sure corrections are reported: nothing has failed yet.
fn check_prompt(backend: &HookBackend<'_>, prompt: &str) -> Result<Repair, SnapshotError> {
    let prompt = &prompt[..prompt.floor_char_boundary(MAX_PROMPT_BYTES)];
    let mut asked: Vec<&str> = Vec::new();
    let mut notes = Vec::new();
    for line in prompt.lines() {
        for mention in find_path_mentions(line) {
            let path = mention.text(line);
            if asked.contains(&path) || backend.can_exist(path) || is_about_to_be_created(&line[..mention.range.start])
            {
                continue;
            }
            if asked.len() == MAX_PROMPT_PATHS {
                return Ok(to_note(&notes));
            }
            asked.push(path);
            let request =
                SuggestionRequest { path: mention.query(line).to_owned(), line: 1, ..SuggestionRequest::default() };
            let suggestion = backend.ask(&request)?;
            if matches!(suggestion, Suggestion::Certain { .. }) {
                notes.push(note::write_missing_note(path, &suggestion));
            }
        }
    }
    Ok(to_note(&notes))
}

/// Returns whether the words before a path announce that it will be created.
fn is_about_to_be_created(before: &str) -> bool {
    let sentence = before.rsplit([';', '!', '?']).next().unwrap_or_default();
    let words = sentence.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.rev().take(CREATION_WINDOW_WORDS).any(|word| CREATION_WORDS.contains(&word.to_lowercase().as_str()))
}

fn suggestion_request(call: &ToolCall) -> SuggestionRequest {
    SuggestionRequest {
        path: call.path.clone(),
        op: match call.kind {
            ToolKind::Read => Op::Read,
            // Searches mostly name a directory.
            ToolKind::Search if Path::new(&call.path).extension().is_some() => Op::Read,
            ToolKind::List | ToolKind::Search => Op::List,
            ToolKind::Edit => Op::Edit,
        },
        intent: call.intent.clone(),
        evidence: call.evidence.clone(),
        hint: call.hint.clone(),
        line: call.line,
        wants_preview: matches!(call.kind, ToolKind::Read | ToolKind::List),
    }
}

fn to_note(notes: &[String]) -> Repair {
    let notes: Vec<&str> = notes.iter().map(String::as_str).filter(|note| !note.is_empty()).collect();
    if notes.is_empty() { Repair::Nothing } else { Repair::Note(notes.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::is_about_to_be_created;

    #[test]
    fn detects_paths_that_will_be_created() {
        for (before, expect) in [
            ("Create ", true),
            ("please add a test in ", true),
            ("Create it; then look at ", false),
            ("Look at ", false),
            ("why does it fail? see ", false),
            ("", false),
            ("the newest of ", false),
            ("create one two three four five six ", false),
        ] {
            assert_eq!(is_about_to_be_created(before), expect, "{before}");
        }
    }
}
