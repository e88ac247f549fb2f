//! Suggests the right path for an agent's call on a missing one. Called by the hooks, or by the leader on a hook's behalf: request and
//! suggestion are plain data.
//!
//! Files below `.git` and files with credentials are never suggested. An ignored file is suggested, but no call is redirected to it
//! and its contents are not shown.

use std::path::Path;

use pathfinder_core::quote::MAX_QUOTED_CHARS;
use pathfinder_core::{Answer, Op, Refusal, RelPath, Request, Status};
use serde::{Deserialize, Serialize};

use pathfinder_project::path_mentions::is_elsewhere;
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_protocol::paths::{path_from_directory, plausible_candidates};
use pathfinder_vfs::probe::contents::{Contents, ContentsError, Window};
use pathfinder_vfs::probe::withheld::{WithheldReason, is_withheld_name};

/// A question about a missing path.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SuggestionRequest {
    /// The missing path.
    pub path: String,
    /// Operation of the agent.
    pub op: Op,
    /// Purpose in the words of the agent.
    pub intent: String,
    /// Text that the right file contains.
    pub evidence: Option<String>,
    /// Text that the right file may contain.
    pub hint: Option<String>,
    /// First requested line, counted from 1.
    pub line: usize,
    /// True if the suggestion should have a preview.
    pub wants_preview: bool,
}

/// The answer to a [`SuggestionRequest`].
#[derive(Debug, Serialize, Deserialize)]
pub enum Suggestion {
    /// This path, with high confidence.
    Certain {
        /// Path that the agent can open.
        path: String,
        /// True for a directory.
        is_directory: bool,
        /// Probability that this path was meant.
        confidence: f32,
        /// True if a call may be redirected to this path.
        may_act: bool,
        /// Reason for people.
        why: String,
        /// First contents, if requested.
        preview: Option<ContentPreview>,
    },
    /// One of these paths, best first.
    Perhaps {
        /// Paths that the agent can open.
        paths: Vec<String>,
        /// Question that would tell them apart.
        question: Option<String>,
    },
    /// Nothing is at the path any more; the text says why.
    Gone(String),
    /// No suggestion.
    Unknown,
}

/// Lines of a preview: a screenful, enough to recognize the right file.
const MAX_PREVIEW_LINES: usize = 40;

/// Bytes of a preview, about 500 tokens. Names of a directory count too.
const MAX_PREVIEW_BYTES: usize = 2000;

/// Names in a preview of a directory.
const MAX_PREVIEW_ENTRIES: usize = 40;

/// First contents of a file or directory.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContentPreview {
    /// Lines of a file.
    Lines {
        /// Number of the first line, counted from 1.
        first: usize,
        /// Text for the agent.
        text: String,
        /// True if there are more.
        more: bool,
    },
    /// Names in a directory, and whether there are more.
    Entries(Vec<String>, bool),
}

impl ContentPreview {
    /// Cuts lines to the size of a preview.
    fn lines(first: usize, mut text: String, mut more: bool) -> Self {
        if text.len() > MAX_PREVIEW_BYTES {
            let end_byte = text.floor_char_boundary(MAX_PREVIEW_BYTES);
            // Whole lines, if at least one fits.
            text.truncate(text[..end_byte].rfind('\n').map_or(end_byte, |end| end + 1));
            more = true;
        }
        Self::Lines { first, text, more }
    }

    /// Cuts names to the size of a preview. Names with control characters are left out.
    fn entries(mut entries: Vec<String>, more: bool) -> Self {
        entries.retain(|name| !name.chars().any(char::is_control));
        let lengths = entries.iter().scan(0, |length, name| {
            *length += name.len();
            Some(*length)
        });
        let fitting = lengths.take(MAX_PREVIEW_ENTRIES).take_while(|length| *length <= MAX_PREVIEW_BYTES).count();
        let cut = entries.len() > fitting;
        entries.truncate(fitting);
        Self::Entries(entries, more || cut)
    }
}

/// Suggests a path that an agent in this directory (canonical) can open.
pub fn suggest(workspace: &WorkspaceSnapshot, directory: &Path, query: &SuggestionRequest) -> Suggestion {
    let asked = Path::new(&query.path);
    if workspace.opened().iter().all(|opened| is_elsewhere(asked, &opened.root.canonical)) {
        return Suggestion::Unknown;
    }
    let request = Request {
        op: query.op,
        intent_text: query.intent.clone(),
        evidence: query.evidence.clone(),
        // A model takes longer to start than the agent should wait, and its input, an intent, is mostly absent.
        lexical: true,
        ..Request::new(query.path.clone())
    };
    let Ok(answer) = workspace.ask(&request).0 else { return Suggestion::Unknown };
    // A search pattern can decide among several files. A file without it proves nothing, since a search may have no match.
    let hinted = query.hint.clone().filter(|_| answer.status == Status::Ambiguous).and_then(|hint| {
        let request = Request { evidence: Some(hint), ..request };
        workspace.ask(&request).0.ok().filter(|answer| answer.status == Status::Resolved)
    });
    to_suggestion(workspace, directory, query, hinted.unwrap_or(answer))
}

fn to_suggestion(
    workspace: &WorkspaceSnapshot,
    directory: &Path,
    query: &SuggestionRequest,
    answer: Answer,
) -> Suggestion {
    let openable_path = |root: usize, path: &RelPath| {
        path_from_directory(directory, &query.path, &workspace.opened()[root].root.canonical, path)
    };
    let unsure = |answer: &Answer| {
        let is_open = |root: usize, path: &RelPath| workspace.probe().find_withheld_name(root, path).is_none();
        let candidates = plausible_candidates(answer).filter(|candidate| is_open(candidate.root, &candidate.path));
        let paths = candidates.map(|candidate| openable_path(candidate.root, &candidate.path));
        let paths: Vec<String> = paths.filter(|path| is_printable(path)).collect();
        if paths.is_empty() {
            return Suggestion::Unknown;
        }
        // The question may name a withheld candidate.
        let is_all_open = answer.candidates.iter().all(|candidate| is_open(candidate.root, &candidate.path));
        Suggestion::Perhaps { paths, question: answer.next_question.clone().filter(|_| is_all_open) }
    };
    match (&answer.path, answer.refusal) {
        (Some((root, path)), _) => {
            let Ok(entry) = workspace.probe().stat(*root, path) else { return Suggestion::Unknown };
            let is_directory = entry.kind == "directory";
            let shown = openable_path(*root, path);
            if !is_printable(&shown) || path.is_lossy() {
                return Suggestion::Unknown;
            }
            match workspace.probe().find_withheld(*root, path) {
                None => {}
                Some(WithheldReason::Ignored) => return Suggestion::Perhaps { paths: vec![shown], question: None },
                Some(WithheldReason::Git | WithheldReason::Secret | WithheldReason::Outside) => {
                    return Suggestion::Unknown;
                }
            }
            let contents = preview_contents(workspace, (*root, path), is_directory, query);
            // The requested line is behind the end: this is another file, or the line is wrong too.
            if matches!(contents, Err(ContentsError::Short { .. })) {
                return Suggestion::Perhaps { paths: vec![shown], question: None };
            }
            // A secret stays one under another name, and the user's rules cover the name that was asked for.
            let may_act = answer.may_act && !is_withheld_name(query.path.as_bytes());
            // A preview passes for the requested contents, so it needs the confidence to act.
            let preview = contents.ok().flatten().filter(|_| may_act);
            // The path exists, but relative to the root and not to the agent's directory.
            let here = answer.status == Status::Exists;
            let why = if here { "as seen from the project's root".to_owned() } else { answer.why };
            Suggestion::Certain { path: shown, is_directory, confidence: answer.confidence, may_act, why, preview }
        }
        (None, Some(Refusal::Deleted | Refusal::LeftOut)) => Suggestion::Gone(answer.why),
        (None, _) => unsure(&answer),
    }
}

/// Reads the preview of a file or directory. Fails if the requested line is behind the end.
fn preview_contents(
    workspace: &WorkspaceSnapshot,
    (root, path): (usize, &RelPath),
    is_directory: bool,
    query: &SuggestionRequest,
) -> Result<Option<ContentPreview>, ContentsError> {
    let probe = workspace.probe();
    if is_directory {
        if !query.wants_preview {
            return Ok(None);
        }
        let known = |root: usize, entry: &[u8]| workspace.engine().roots()[root].snapshot.get(entry).is_some();
        let listing = probe.list(root, path, &known)?;
        return Ok(Some(ContentPreview::entries(listing.entries, listing.more)));
    }
    if !query.wants_preview && query.line < 2 {
        return Ok(None);
    }
    match probe.read(root, path, Window { first: query.line, lines: MAX_PREVIEW_LINES })? {
        Contents::Text { text, next, .. } if query.wants_preview => {
            Ok(Some(ContentPreview::lines(query.line, text, next.is_some())))
        }
        _ => Ok(None),
    }
}

/// Returns whether a path can stand in a note. Names with control characters, and those that quoting would cut, cannot be opened from
/// it.
fn is_printable(path: &str) -> bool {
    !path.chars().any(char::is_control) && path.chars().nth(MAX_QUOTED_CHARS).is_none()
}
