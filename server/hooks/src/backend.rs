//! `HookBackend`: answers a hook's questions, by the shared engine of another process if there is one, else by its own engine.

use std::cell::OnceCell;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pathfinder_ipc::EngineClient;
use pathfinder_ipc::suggestion::{Suggestion, SuggestionRequest, suggest};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{self, SnapshotError, WorkspaceSnapshot};
use pathfinder_vfs::visits;

/// Time limit for reading uncached git history: the agent waits. The cache keeps what was read, and the next hook continues there.
const HISTORY_TIMEOUT: Duration = Duration::from_millis(50);

/// Engine for the project around the agent's directory, opened by the first question.
pub(super) struct HookBackend {
    roots: Vec<PathBuf>,
    flags: Overrides,
    /// The agent's directory, canonical.
    directory: PathBuf,
    client: OnceCell<Option<Arc<EngineClient>>>,
    workspace: OnceCell<WorkspaceSnapshot>,
}

impl HookBackend {
    pub(super) fn new(roots: Vec<PathBuf>, flags: Overrides, directory: PathBuf) -> Self {
        // Canonical like the roots, so that the two can be compared.
        let directory = dunce::canonicalize(&directory).unwrap_or(directory);
        Self { roots, flags, directory, client: OnceCell::new(), workspace: OnceCell::new() }
    }

    /// Returns whether a path exists, or may exist: a path that the system hides from this process is not a typo.
    pub(super) fn can_exist(&self, path: &str) -> bool {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = match path.strip_prefix("~/").zip(std::env::home_dir()) {
            Some((rest, home)) => home.join(rest),
            None => self.directory.join(path),
        };
        path.try_exists().unwrap_or_else(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    /// Returns the suggestion for a path.
    ///
    /// # Errors
    /// If there is no project whose roots can be used.
    pub(super) fn ask(&self, request: &SuggestionRequest) -> Result<Suggestion, SnapshotError> {
        if self.roots.is_empty() {
            snapshot::refuse_too_wide(&[])?;
        }
        if let Some(client) = self.client.get_or_init(|| pathfinder_ipc::join_once(&self.roots, &self.flags))
            && let Some(answer) = pathfinder_ipc::methods::ask_suggestion(client, &self.directory, request)
        {
            return Ok(answer);
        }
        Ok(suggest(self.snapshot()?, &self.directory, request))
    }

    /// Writes the listing of the tree to the cache. Called after the answer was sent.
    pub(super) fn keep(&self) {
        if let Some(workspace) = self.workspace.get() {
            workspace.keep();
        }
    }

    fn snapshot(&self) -> Result<&WorkspaceSnapshot, SnapshotError> {
        if let Some(workspace) = self.workspace.get() {
            return Ok(workspace);
        }
        let workspace = WorkspaceSnapshot::open(&self.roots, &self.flags, HISTORY_TIMEOUT, None)?;
        let visits_of_roots = workspace.opened().iter().map(|opened| {
            let directory = opened.settings.cache_dir.as_deref();
            directory.map(|directory| visits::load(directory, &opened.root.canonical)).unwrap_or_default()
        });
        let workspace = workspace.with_visits(&visits_of_roots.collect::<Vec<_>>(), visits::now());
        Ok(self.workspace.get_or_init(|| workspace))
    }
}
