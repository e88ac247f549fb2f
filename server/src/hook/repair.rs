//! From what has happened to what there is to say or do, whichever agent it is.

use std::path::Path;

use pathfinder_core::Op;

use super::ask::Engine;
use super::event::{Act, Call, Event, Repair};
use super::note;
use crate::path_mentions::{error_path, path_mentions};
use crate::snapshot::SnapshotError;
use crate::suggestion::{Question, Suggestion};

/// Paths of one command's output that are asked for. A command that misses more is about something else.
const COMPLAINTS_MAX: usize = 3;

/// The end of a command's output that is read: errors stand there.
const OUTPUT_MAX: usize = 64 * 1024;

/// Paths of one prompt that are asked for.
const PROMPT_PATHS_MAX: usize = 5;

/// As much of a prompt as is read: the rest was pasted.
const PROMPT_MAX: usize = 64 * 1024;

/// Who says one of these words before a path is about to make it.
const MAKING: [&str; 16] = [
    "create", "creating", "add", "adding", "write", "new", "make", "generate", "save", "output", "called", "named",
    "into", "rename", "move", "scaffold",
];

/// Words between that and the path.
const MAKING_WITHIN: usize = 6;

/// What the contract of an agent can do before a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// Give the tool other arguments, and say so.
    Rewrite,
    /// The same; and what is sure to fail can fail with an explanation, of which there is no other chance.
    Refuse,
    /// Nothing of use.
    Nothing,
}

/// What there is to say or do.
///
/// # Errors
/// When there is no project that could be asked.
pub(super) fn repair(engine: &Engine, event: &Event, means: Means) -> Result<Repair, SnapshotError> {
    match event {
        Event::Before(_) if means == Means::Nothing => Ok(Repair::Nothing),
        Event::Before(call) => match before(engine, call)? {
            // A command says by itself what it misses.
            Repair::Nothing if means == Means::Refuse && call.command.is_none() => failed(engine, call, false),
            repair => Ok(repair),
        },
        Event::Begun | Event::Other => Ok(Repair::Nothing),
        // Nothing but a read that failed leads to contents, and only one by the agent itself: the user's rules held for it.
        Event::Failed(call) => failed(engine, call, call.is_own),
        Event::Ended(call) => failed(engine, call, false),
        Event::Printed(output) => printed(engine, output),
        Event::Prompt(prompt) => prompted(engine, prompt),
    }
}

/// A call that is about to fail goes where it was meant to go, if that is sure. Never one that changes anything.
fn before(engine: &Engine, call: &Call) -> Result<Repair, SnapshotError> {
    if call.act == Act::Edit || engine.is_there(&call.path) {
        return Ok(Repair::Nothing);
    }
    let question = Question { look: false, ..question(call) };
    Ok(match engine.ask(&question)? {
        Suggestion::Certain { path, is_directory, confidence, may_act: true, why, .. }
            if fits(call.act, is_directory) =>
        {
            let note = note::rewritten(&call.path, call.act, &path, confidence, &why);
            call.with_path(&path).map_or(Repair::Nothing, |input| Repair::Rewrite { input, note })
        }
        _ => Repair::Nothing,
    })
}

/// Whether a tool can do with what is there what it was to do.
fn fits(act: Act, is_directory: bool) -> bool {
    match act {
        Act::Read | Act::Edit => !is_directory,
        Act::List => is_directory,
        Act::Search => true,
    }
}

/// The reaction to a failed call: the path that was meant, with its first lines if `may_look` and the call only reads.
fn failed(engine: &Engine, call: &Call, may_look: bool) -> Result<Repair, SnapshotError> {
    if engine.is_there(&call.path) {
        return Ok(Repair::Nothing);
    }
    let question = question(call);
    let meant = engine.ask(&Question { look: question.look && may_look, ..question })?;
    Ok(said(&[note::missing(&call.path, &meant)]))
}

/// What a command complained of.
fn printed(engine: &Engine, output: &str) -> Result<Repair, SnapshotError> {
    let cut = output.ceil_char_boundary(output.len().saturating_sub(OUTPUT_MAX));
    // From the beginning of a line on.
    let start = if cut == 0 { 0 } else { output[cut..].find('\n').map_or(output.len(), |end| cut + end + 1) };
    let mut asked: Vec<&str> = Vec::new();
    let mut notes = Vec::new();
    for error_path in output[start..].lines().filter_map(error_path) {
        if asked.contains(&error_path.path) || engine.is_there(error_path.path) {
            continue;
        }
        if asked.len() == COMPLAINTS_MAX {
            break;
        }
        asked.push(error_path.path);
        let meant = engine.ask(&Question {
            path: error_path.path.to_owned(),
            op: if error_path.lists { Op::List } else { Op::Read },
            line: 1,
            ..Question::default()
        })?;
        notes.push(note::missing(error_path.path, &meant));
    }
    Ok(said(&notes))
}

/// Wrong paths in what the user says. Only what is sure is said: nothing has failed yet.
fn prompted(engine: &Engine, prompt: &str) -> Result<Repair, SnapshotError> {
    let prompt = &prompt[..prompt.floor_char_boundary(PROMPT_MAX)];
    let mut asked: Vec<&str> = Vec::new();
    let mut notes = Vec::new();
    for line in prompt.lines() {
        for mention in path_mentions(line) {
            let path = mention.text(line);
            if asked.contains(&path) || engine.is_there(path) || is_to_be_made(&line[..mention.range.start]) {
                continue;
            }
            if asked.len() == PROMPT_PATHS_MAX {
                return Ok(said(&notes));
            }
            asked.push(path);
            let question = Question { path: mention.asked(line).to_owned(), line: 1, ..Question::default() };
            let meant = engine.ask(&question)?;
            if matches!(meant, Suggestion::Certain { .. }) {
                notes.push(note::missing(path, &meant));
            }
        }
    }
    Ok(said(&notes))
}

/// Whether the words before a path say that it is to be made.
fn is_to_be_made(before: &str) -> bool {
    let sentence = before.rsplit([';', '!', '?']).next().unwrap_or_default();
    let words = sentence.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.rev().take(MAKING_WITHIN).any(|word| MAKING.contains(&word.to_lowercase().as_str()))
}

fn question(call: &Call) -> Question {
    Question {
        path: call.path.clone(),
        op: match call.act {
            Act::Read => Op::Read,
            // One mostly searches below directories.
            Act::Search if Path::new(&call.path).extension().is_some() => Op::Read,
            Act::List | Act::Search => Op::List,
            Act::Edit => Op::Edit,
        },
        intent: call.intent.clone(),
        evidence: call.evidence.clone(),
        hint: call.hint.clone(),
        line: call.line,
        look: matches!(call.act, Act::Read | Act::List),
    }
}

fn said(notes: &[String]) -> Repair {
    let notes: Vec<&str> = notes.iter().map(String::as_str).filter(|note| !note.is_empty()).collect();
    if notes.is_empty() { Repair::Nothing } else { Repair::Note(notes.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::is_to_be_made;

    #[test]
    fn what_is_about_to_be_made() {
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
            assert_eq!(is_to_be_made(before), expect, "{before}");
        }
    }
}
