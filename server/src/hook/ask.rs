//! The one place where a hook asks the engine: a question in, plain data out, so that somebody else can be asked in its stead.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pathfinder_core::{Answer, Op, RelPath, Request, Status};

use super::note::{Glimpse, LINES_SHOWN};
use crate::os::probe::contents::{Contents, ContentsError, Window};
use crate::os::visits;
use crate::session::{self, Session, SessionError};
use crate::settings::Given;
use crate::spots::is_elsewhere;
use crate::wire::place::{hopeful, seen_from};

/// How long git's history is read where nothing of it is kept yet: the agent waits. What was read is kept, and the next hook
/// goes on from there.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Question {
    /// The path that is not there.
    pub(super) path: String,
    pub(super) op: Op,
    pub(super) intent: String,
    /// Text that the file has if it is the one meant.
    pub(super) evidence: Option<String>,
    /// Text that it may well have.
    pub(super) hint: Option<String>,
    /// The first line that is wanted.
    pub(super) line: usize,
    /// Whether to look into what is found.
    pub(super) look: bool,
}

/// What was meant.
#[derive(Debug)]
pub(super) enum Meant {
    /// This, surely.
    Certain {
        /// As the agent can open it.
        path: String,
        is_directory: bool,
        confidence: f32,
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

/// Who answers: a session of the project around the agent's directory, opened with the first question.
pub(super) struct Engine {
    given: Vec<PathBuf>,
    flags: Given,
    /// The agent's directory, canonical.
    directory: PathBuf,
    session: OnceCell<Session>,
}

impl Engine {
    pub(super) fn new(given: Vec<PathBuf>, flags: Given, directory: PathBuf) -> Self {
        // As the roots are, so that one can be told to lie below the other.
        let directory = directory.canonicalize().unwrap_or(directory);
        Self { given, flags, directory, session: OnceCell::new() }
    }

    /// Whether a path is there as it was written.
    pub(super) fn is_there(&self, path: &str) -> bool {
        let path = path.strip_prefix("file://").unwrap_or(path);
        match path.strip_prefix("~/").zip(std::env::home_dir()) {
            Some((rest, home)) => home.join(rest).exists(),
            None => self.directory.join(path).exists(),
        }
    }

    /// Asks.
    ///
    /// # Errors
    /// When there are no roots that could be asked.
    pub(super) fn ask(&self, question: &Question) -> Result<Meant, SessionError> {
        let session = self.session()?;
        let asked = Path::new(&question.path);
        if session.opened().iter().all(|opened| is_elsewhere(asked, &opened.root.canonical)) {
            return Ok(Meant::Unknown);
        }
        let request = Request {
            op: question.op,
            intent_text: question.intent.clone(),
            evidence: question.evidence.clone(),
            // A model takes longer to start than the agent should wait, and what it reads, an intent, is mostly not there.
            lexical: true,
            ..Request::new(question.path.clone())
        };
        let Ok(answer) = session.ask(&request).0 else { return Ok(Meant::Unknown) };
        // What is searched for can make one of several sure. That no file has it says nothing: one also searches in vain.
        let hinted = question.hint.clone().filter(|_| answer.status == Status::Ambiguous).and_then(|hint| {
            let request = Request { evidence: Some(hint), ..request };
            session.ask(&request).0.ok().filter(|answer| answer.status == Status::Resolved)
        });
        Ok(self.meant(session, question, hinted.unwrap_or(answer)))
    }

    /// Keeps what was read of the tree. Said after the answer.
    pub(super) fn keep(&self) {
        if let Some(session) = self.session.get() {
            session.keep();
        }
    }

    fn meant(&self, session: &Session, question: &Question, answer: Answer) -> Meant {
        let place = |root: usize, path: &RelPath| {
            seen_from(&self.directory, &question.path, &session.opened()[root].root.canonical, path)
        };
        let unsure = |answer: &Answer| {
            let candidates = hopeful(answer).map(|candidate| place(candidate.root, &candidate.path));
            let paths: Vec<String> = candidates.filter(|path| is_plain(path)).collect();
            if paths.is_empty() {
                return Meant::Unknown;
            }
            Meant::Perhaps { paths, question: answer.next_question.clone() }
        };
        match (&answer.path, answer.refusal) {
            (Some((root, path)), _) => {
                let Ok(entry) = session.probe().stat(*root, path) else { return Meant::Unknown };
                let is_directory = entry.kind == "directory";
                let shown = place(*root, path);
                if !is_plain(&shown) || path.is_lossy() {
                    return Meant::Unknown;
                }
                let looked = look(session, (*root, path), is_directory, question);
                // The line that was asked for is behind the end: it is another file, or the line is wrong as well.
                if matches!(looked, Err(ContentsError::Short { .. })) {
                    return Meant::Perhaps { paths: vec![shown], question: None };
                }
                let glimpse = looked.ok().flatten();
                // It is not where the agent is, so that it had to be asked for.
                let here = answer.status == Status::Exists;
                let why = if here { "as seen from the project's root".to_owned() } else { answer.why };
                Meant::Certain { path: shown, is_directory, confidence: answer.confidence, why, glimpse }
            }
            (None, Some(pathfinder_core::Refusal::Deleted)) => Meant::Gone(answer.why),
            (None, _) => unsure(&answer),
        }
    }

    fn session(&self) -> Result<&Session, SessionError> {
        if let Some(session) = self.session.get() {
            return Ok(session);
        }
        if self.given.is_empty() {
            session::check_narrow(&[])?;
        }
        let session = Session::open(&self.given, &self.flags, PATIENCE, None)?;
        let kept = session.opened().iter().map(|opened| {
            let directory = opened.settings.cache_dir.as_deref();
            directory.map(|directory| visits::load(directory, &opened.root.canonical)).unwrap_or_default()
        });
        let session = session.with_visits(&kept.collect::<Vec<_>>(), visits::now());
        Ok(self.session.get_or_init(|| session))
    }
}

/// What is in a file or directory, as much as an agent wants to read unasked.
fn look(
    session: &Session,
    (root, path): (usize, &RelPath),
    is_directory: bool,
    question: &Question,
) -> Result<Option<Glimpse>, ContentsError> {
    let probe = session.probe();
    if is_directory {
        if !question.look {
            return Ok(None);
        }
        let known = |root: usize, entry: &[u8]| session.engine().roots()[root].snapshot.get(entry).is_some();
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

/// Whether a path can be put into a text: names that break lines or colour terminals are left out of it.
fn is_plain(path: &str) -> bool {
    !path.chars().any(char::is_control)
}
