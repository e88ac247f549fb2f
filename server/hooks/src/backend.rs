//! `HookBackend`: answers a hook's questions, by the shared engine of another process if there is one, else by its own engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pathfinder_ipc::question::SuggestQuestion;
use pathfinder_ipc::suggestion::{Suggestion, SuggestionRequest};
use pathfinder_ipc::{CommandEngine, SnapshotEngine};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{self, SnapshotError, WorkspaceSnapshot};
use pathfinder_vfs::{environment, paths, visits};

/// Time limit for reading uncached git history: the agent waits. The cache keeps what was read, and the next hook continues there.
const HISTORY_TIMEOUT: Duration = Duration::from_millis(50);

/// Engine for the project around the agent's directory, opened by the first question.
pub(super) struct HookBackend<'a> {
    roots: &'a [PathBuf],
    /// The agent's directory, canonical.
    directory: PathBuf,
    engine: CommandEngine<'a>,
}

impl<'a> HookBackend<'a> {
    pub(super) fn new(roots: &'a [PathBuf], flags: Overrides, directory: PathBuf) -> Self {
        // Canonical like the roots, so that the two can be compared.
        let directory = dunce::canonicalize(&directory).unwrap_or(directory);
        let own_flags = flags.clone();
        let engine = CommandEngine::for_hook(roots, flags, move || open(roots, &own_flags));
        Self { roots, directory, engine }
    }

    /// Returns whether a path exists, or may exist: a path that the system hides from this process is not a typo.
    pub(super) fn can_exist(&self, path: &str) -> bool {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = match path.strip_prefix("~/").zip(environment::home()) {
            Some((rest, home)) => home.join(rest),
            None => self.directory.join(path),
        };
        paths::may_exist(&path)
    }

    /// Returns the suggestion for a path.
    ///
    /// # Errors
    /// If there is no project whose roots can be used.
    pub(super) fn ask(&self, request: &SuggestionRequest) -> Result<Suggestion, SnapshotError> {
        if self.roots.is_empty() {
            snapshot::refuse_too_wide(&[])?;
        }
        let question = SuggestQuestion { directory: self.directory.clone(), request: request.clone() };
        let answer = self.engine.ask(false, |backend| backend.suggest(&question))?;
        // The own engine has an answer to every question.
        Ok(answer.unwrap_or(Suggestion::Unknown))
    }

    /// Writes the listing of the tree to the cache. Called after the answer was sent.
    pub(super) fn keep(&self) {
        if let Some(own) = self.engine.opened() {
            own.keep();
        }
    }
}

fn open(roots: &[PathBuf], flags: &Overrides) -> Result<SnapshotEngine, SnapshotError> {
    let workspace = WorkspaceSnapshot::open(roots, flags, HISTORY_TIMEOUT, None)?;
    let visits_of_roots = workspace.opened().iter().map(|opened| {
        let load = |directory: &Path| visits::load(directory, &opened.root.canonical);
        opened.settings.cache_dir.as_deref().map(load).unwrap_or_default()
    });
    let visits_of_roots: Vec<_> = visits_of_roots.collect();
    Ok(SnapshotEngine::new(workspace.with_visits(&visits_of_roots, visits::now())))
}
