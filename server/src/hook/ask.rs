//! The one place where a hook asks: the engine of another process that has one for these roots, or else one of its own.

use std::cell::OnceCell;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::meant::{Meant, Question, meant};
use crate::os::visits;
use crate::session::{self, Session, SessionError};
use crate::settings::Given;
use crate::share::{self, Peer};

/// How long git's history is read where nothing of it is kept yet: the agent waits. What was read is kept, and the next hook
/// goes on from there.
const PATIENCE: Duration = Duration::from_millis(50);

/// Who answers for the project around the agent's directory; found with the first question.
pub(super) struct Engine {
    given: Vec<PathBuf>,
    flags: Given,
    /// The agent's directory, canonical.
    directory: PathBuf,
    peer: OnceCell<Option<Arc<Peer>>>,
    session: OnceCell<Session>,
}

impl Engine {
    pub(super) fn new(given: Vec<PathBuf>, flags: Given, directory: PathBuf) -> Self {
        // As the roots are, so that one can be told to lie below the other.
        let directory = dunce::canonicalize(&directory).unwrap_or(directory);
        Self { given, flags, directory, peer: OnceCell::new(), session: OnceCell::new() }
    }

    /// Whether a path is there as it was written, or may be: a path that the system hides from this process is not a slip.
    pub(super) fn is_there(&self, path: &str) -> bool {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = match path.strip_prefix("~/").zip(std::env::home_dir()) {
            Some((rest, home)) => home.join(rest),
            None => self.directory.join(path),
        };
        path.try_exists().unwrap_or_else(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    /// Asks.
    ///
    /// # Errors
    /// When there are no roots that could be asked.
    pub(super) fn ask(&self, question: &Question) -> Result<Meant, SessionError> {
        if self.given.is_empty() {
            session::check_narrow(&[])?;
        }
        if let Some(peer) = self.peer.get_or_init(|| share::join_once(&self.given, &self.flags))
            && let Some(answer) = share::methods::ask_meant(peer, &self.directory, question)
        {
            return Ok(answer);
        }
        Ok(meant(self.session()?, &self.directory, question))
    }

    /// Keeps what was read of the tree. Said after the answer.
    pub(super) fn keep(&self) {
        if let Some(session) = self.session.get() {
            session.keep();
        }
    }

    fn session(&self) -> Result<&Session, SessionError> {
        if let Some(session) = self.session.get() {
            return Ok(session);
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
