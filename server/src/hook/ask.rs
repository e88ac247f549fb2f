//! The one place where a hook asks: the engine of another process that has one for these roots, or else one of its own.

use std::cell::OnceCell;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::os::visits;
use crate::settings::Overrides;
use crate::share::{self, Peer};
use crate::snapshot::{self, SnapshotError, WorkspaceSnapshot};
use crate::suggestion::{Question, Suggestion, suggest};

/// How long git's history is read where nothing of it is kept yet: the agent waits. What was read is kept, and the next hook
/// goes on from there.
const PATIENCE: Duration = Duration::from_millis(50);

/// Who answers for the project around the agent's directory; found with the first question.
pub(super) struct Engine {
    given: Vec<PathBuf>,
    flags: Overrides,
    /// The agent's directory, canonical.
    directory: PathBuf,
    peer: OnceCell<Option<Arc<Peer>>>,
    workspace: OnceCell<WorkspaceSnapshot>,
}

impl Engine {
    pub(super) fn new(given: Vec<PathBuf>, flags: Overrides, directory: PathBuf) -> Self {
        // As the roots are, so that one can be told to lie below the other.
        let directory = dunce::canonicalize(&directory).unwrap_or(directory);
        Self { given, flags, directory, peer: OnceCell::new(), workspace: OnceCell::new() }
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
    pub(super) fn ask(&self, question: &Question) -> Result<Suggestion, SnapshotError> {
        if self.given.is_empty() {
            snapshot::check_narrow(&[])?;
        }
        if let Some(peer) = self.peer.get_or_init(|| share::join_once(&self.given, &self.flags))
            && let Some(answer) = share::methods::ask_meant(peer, &self.directory, question)
        {
            return Ok(answer);
        }
        Ok(suggest(self.snapshot()?, &self.directory, question))
    }

    /// Keeps what was read of the tree. Said after the answer.
    pub(super) fn keep(&self) {
        if let Some(workspace) = self.workspace.get() {
            workspace.keep();
        }
    }

    fn snapshot(&self) -> Result<&WorkspaceSnapshot, SnapshotError> {
        if let Some(workspace) = self.workspace.get() {
            return Ok(workspace);
        }
        let workspace = WorkspaceSnapshot::open(&self.given, &self.flags, PATIENCE, None)?;
        let kept = workspace.opened().iter().map(|opened| {
            let directory = opened.settings.cache_dir.as_deref();
            directory.map(|directory| visits::load(directory, &opened.root.canonical)).unwrap_or_default()
        });
        let workspace = workspace.with_visits(&kept.collect::<Vec<_>>(), visits::now());
        Ok(self.workspace.get_or_init(|| workspace))
    }
}
