//! What was meant by a call of an agent's tool that names a path which is not there: a question in, plain data out, so that another
//! process can be asked in this one's stead.
//!
//! Files below `.git` and files with credentials are never named. An ignored file is a suggestion at most: no call is redirected
//! there, and none of its contents is shown.

use std::path::Path;

use pathfinder_core::quote::MAX_QUOTED_CHARS;
use pathfinder_core::{Answer, Op, Refusal, RelPath, Request, Status};
use serde::{Deserialize, Serialize};

use crate::os::probe::contents::{Contents, ContentsError, Window};
use crate::os::probe::withheld::{Withheld, is_withheld_name};
use crate::path_mentions::is_elsewhere;
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::place::{hopeful, seen_from};

/// What is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Question {
    /// The path that is not there.
    pub(crate) path: String,
    #[serde(with = "crate::wire::request::op_name")]
    pub(crate) op: Op,
    pub(crate) intent: String,
    /// Text that the file has if it is the one meant.
    pub(crate) evidence: Option<String>,
    /// Text that it may well have.
    pub(crate) hint: Option<String>,
    /// The first line that is wanted.
    pub(crate) line: usize,
    /// Whether to look into what is found.
    pub(crate) look: bool,
}

/// What was meant.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Suggestion {
    /// This, surely.
    Certain {
        /// As the agent can open it.
        path: String,
        is_directory: bool,
        confidence: f32,
        /// Whether a call may be sent there in place of the path that it named.
        may_act: bool,
        why: String,
        /// What is in it, if that was asked for.
        glimpse: Option<Glimpse>,
    },
    /// One of these, best first.
    Perhaps {
        /// As the agent can open them.
        paths: Vec<String>,
        /// What would tell them apart.
        question: Option<String>,
    },
    /// Nothing any more: what history says.
    Gone(String),
    /// Nothing that one could speak of.
    Unknown,
}

/// Lines of a file that are shown unasked: a screenful, with which one knows whether it is the right one.
const LINES_SHOWN: usize = 40;

/// The same in bytes, about 500 tokens; also of the names of a directory.
const BYTES_SHOWN: usize = 2000;

/// Names of a directory that are shown.
const ENTRIES_SHOWN: usize = 40;

/// What is in a file or directory.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Glimpse {
    /// Some lines.
    Lines {
        /// The first of them.
        first: usize,
        text: String,
        /// Whether there are more.
        more: bool,
    },
    /// Some names.
    Entries(Vec<String>, bool),
}

impl Glimpse {
    /// Lines, cut to what is shown.
    fn lines(first: usize, mut text: String, mut more: bool) -> Self {
        if text.len() > BYTES_SHOWN {
            let most = text.floor_char_boundary(BYTES_SHOWN);
            // Whole lines, if there is one.
            text.truncate(text[..most].rfind('\n').map_or(most, |end| end + 1));
            more = true;
        }
        Self::Lines { first, text, more }
    }

    /// Names, cut to what is shown. Such as break lines are left out.
    fn entries(mut entries: Vec<String>, more: bool) -> Self {
        entries.retain(|name| !name.chars().any(char::is_control));
        let lengths = entries.iter().scan(0, |length, name| {
            *length += name.len();
            Some(*length)
        });
        let fitting = lengths.take(ENTRIES_SHOWN).take_while(|length| *length <= BYTES_SHOWN).count();
        let cut = entries.len() > fitting;
        entries.truncate(fitting);
        Self::Entries(entries, more || cut)
    }
}

/// What was meant, as an agent in this directory (canonical) can open it.
pub(crate) fn suggest(workspace: &WorkspaceSnapshot, directory: &Path, question: &Question) -> Suggestion {
    let asked = Path::new(&question.path);
    if workspace.opened().iter().all(|opened| is_elsewhere(asked, &opened.root.canonical)) {
        return Suggestion::Unknown;
    }
    let request = Request {
        op: question.op,
        intent_text: question.intent.clone(),
        evidence: question.evidence.clone(),
        // A model takes longer to start than the agent should wait, and what it reads, an intent, is mostly not there.
        lexical: true,
        ..Request::new(question.path.clone())
    };
    let Ok(answer) = workspace.ask(&request).0 else { return Suggestion::Unknown };
    // What is searched for can make one of several sure. That no file has it says nothing: one also searches in vain.
    let hinted = question.hint.clone().filter(|_| answer.status == Status::Ambiguous).and_then(|hint| {
        let request = Request { evidence: Some(hint), ..request };
        workspace.ask(&request).0.ok().filter(|answer| answer.status == Status::Resolved)
    });
    told(workspace, directory, question, hinted.unwrap_or(answer))
}

fn told(workspace: &WorkspaceSnapshot, directory: &Path, question: &Question, answer: Answer) -> Suggestion {
    let place = |root: usize, path: &RelPath| {
        seen_from(directory, &question.path, &workspace.opened()[root].root.canonical, path)
    };
    let unsure = |answer: &Answer| {
        let is_open = |root: usize, path: &RelPath| workspace.probe().find_withheld_name(root, path).is_none();
        let candidates = hopeful(answer).filter(|candidate| is_open(candidate.root, &candidate.path));
        let paths = candidates.map(|candidate| place(candidate.root, &candidate.path));
        let paths: Vec<String> = paths.filter(|path| is_plain(path)).collect();
        if paths.is_empty() {
            return Suggestion::Unknown;
        }
        // It names candidates.
        let is_all_open = answer.candidates.iter().all(|candidate| is_open(candidate.root, &candidate.path));
        Suggestion::Perhaps { paths, question: answer.next_question.clone().filter(|_| is_all_open) }
    };
    match (&answer.path, answer.refusal) {
        (Some((root, path)), _) => {
            let Ok(entry) = workspace.probe().stat(*root, path) else { return Suggestion::Unknown };
            let is_directory = entry.kind == "directory";
            let shown = place(*root, path);
            if !is_plain(&shown) || path.is_lossy() {
                return Suggestion::Unknown;
            }
            match workspace.probe().find_withheld(*root, path) {
                None => {}
                Some(Withheld::Ignored) => return Suggestion::Perhaps { paths: vec![shown], question: None },
                Some(Withheld::Git | Withheld::Secret | Withheld::Outside) => return Suggestion::Unknown,
            }
            let looked = look(workspace, (*root, path), is_directory, question);
            // The line that was asked for is behind the end: it is another file, or the line is wrong as well.
            if matches!(looked, Err(ContentsError::Short { .. })) {
                return Suggestion::Perhaps { paths: vec![shown], question: None };
            }
            // A secret that got another name is one still, and the user's rules are for the name that was asked for.
            let may_act = answer.may_act && !is_withheld_name(question.path.as_bytes());
            // Contents that are shown are taken for those that were asked for.
            let glimpse = looked.ok().flatten().filter(|_| may_act);
            // It is not where the agent is, so that it had to be asked for.
            let here = answer.status == Status::Exists;
            let why = if here { "as seen from the project's root".to_owned() } else { answer.why };
            Suggestion::Certain { path: shown, is_directory, confidence: answer.confidence, may_act, why, glimpse }
        }
        (None, Some(Refusal::Deleted | Refusal::LeftOut)) => Suggestion::Gone(answer.why),
        (None, _) => unsure(&answer),
    }
}

/// What is in a file or directory, as much as an agent wants to read unasked.
fn look(
    workspace: &WorkspaceSnapshot,
    (root, path): (usize, &RelPath),
    is_directory: bool,
    question: &Question,
) -> Result<Option<Glimpse>, ContentsError> {
    let probe = workspace.probe();
    if is_directory {
        if !question.look {
            return Ok(None);
        }
        let known = |root: usize, entry: &[u8]| workspace.engine().roots()[root].snapshot.get(entry).is_some();
        let listing = probe.list(root, path, &known)?;
        return Ok(Some(Glimpse::entries(listing.entries, listing.more)));
    }
    if !question.look && question.line < 2 {
        return Ok(None);
    }
    match probe.read(root, path, Window { first: question.line, lines: LINES_SHOWN })? {
        Contents::Text { text, next, .. } if question.look => {
            Ok(Some(Glimpse::lines(question.line, text, next.is_some())))
        }
        _ => Ok(None),
    }
}

/// Whether a path can be put into a text: names that break lines or colour terminals are left out of it, and such as would be cut,
/// because they could not be opened.
fn is_plain(path: &str) -> bool {
    !path.chars().any(char::is_control) && path.chars().nth(MAX_QUOTED_CHARS).is_none()
}
