//! `ResultCache`: keeps the report of a run over a whole root, and reuses it if nothing differs that the run depended on.
//! Called by `pathfinder check`.
//!
//! A report depends on the request, the build of the program, settings and options, the current directory, the newest commit,
//! the listing, uncommitted moves, and each answer of the disk to the run (`DependencyLog`). A report is not kept if any of
//! that changed during the run, or if a time limit or a panic cut something off. The output's format is no part of it.

use std::path::PathBuf;
use std::sync::Arc;

use pathfinder_project::settings::{MAX_PROJECT_FILE_BYTES, PROJECT_FILE, Settings};
use pathfinder_project::snapshot::{SnapshotInputs, WorkspaceSnapshot};
use pathfinder_syntax::grammars;
use pathfinder_vfs::cache_file::{digest, trim};
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::dependencies::{Dependencies, Validity};
use pathfinder_vfs::roots::{self, RootDir};
use pathfinder_vfs::{check_results, environment, history, regular_file};
use serde::{Deserialize, Serialize};
use tracing::debug;

use super::finding::CheckReport;

/// The kept reports of one request about one root.
#[derive(Debug)]
pub struct ResultCache {
    directory: PathBuf,
    root: RootDir,
    settings: Settings,
    request: u128,
    state: RunState,
}

/// The part of a run's inputs that is known before the tree is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RunState {
    /// Digest of the program's build, the settings and the project's file.
    setup: u128,
    /// The position of git's history.
    position: String,
}

/// A report that an earlier run left, with all that it depended on.
#[derive(Debug, Serialize, Deserialize)]
pub struct KeptResult {
    state: RunState,
    inputs: SnapshotInputs,
    dependencies: Dependencies,
    report: CheckReport,
}

impl ResultCache {
    /// Opens the cache for a request about a root; `None` if the settings keep nothing. The request is everything that the
    /// caller passes to the check.
    pub fn new(root: RootDir, settings: Settings, request: &str) -> Option<Self> {
        let directory = settings.cache_dir.clone().filter(|_| settings.cache > 0)?;
        let place = roots::current_dir().ok()?;
        let request = digest(&[request.as_bytes(), b"\n", place.as_os_str().as_encoded_bytes()].concat());
        let state = RunState::read(&root, &settings)?;
        Some(Self { directory, root, settings, request, state })
    }

    /// Loads the report that the last run of this request left; `None` if there is none, or it depended on something else.
    pub fn load(&self) -> Option<KeptResult> {
        let bytes = check_results::load(&self.directory, &self.root.canonical, self.request)?;
        let kept: KeptResult = postcard::from_bytes(&bytes).ok()?;
        (kept.state == self.state).then_some(kept)
    }

    /// Keeps the report of a run, if another run is certain to have the same one. The snapshot's log was started before the
    /// run.
    pub fn save(&self, workspace: &WorkspaceSnapshot, report: &CheckReport) {
        if report.failed.is_empty()
            && !grammars::was_exhausted()
            && RunState::read(&self.root, &self.settings).as_ref() == Some(&self.state)
            && let Some(inputs) = workspace.inputs(self.state.head())
            && let Some(dependencies) =
                Dependencies::from_log(workspace.probe(), &workspace.engine().roots()[0].snapshot, &self.root.canonical)
        {
            self.write(&self.state, inputs, &dependencies, report);
        }
    }

    fn write(&self, state: &RunState, inputs: SnapshotInputs, dependencies: &Dependencies, report: &CheckReport) {
        if let Ok(bytes) = postcard::to_stdvec(&(state, inputs, dependencies, report)) {
            check_results::save(&self.directory, &self.root.canonical, self.request, &bytes);
            trim(&self.directory, self.settings.cache);
        }
    }

    /// Returns the kept report if the tree is as it was. The snapshot needs no history, and its probe must not have been
    /// asked anything.
    pub fn reuse(&self, kept: KeptResult, workspace: &Arc<WorkspaceSnapshot>) -> Option<CheckReport> {
        let start = Stopwatch::start();
        let snapshot = &workspace.engine().roots()[0].snapshot;
        let compare = || kept.dependencies.compare(workspace.probe(), snapshot, &self.root.canonical);
        let (validity, inputs) = rayon::join(compare, || workspace.present_inputs());
        let is_same = inputs == Some(kept.inputs) && !matches!(validity, Validity::Different);
        debug!(is_same, "report of an earlier run");
        if !is_same {
            return None;
        }
        match validity {
            Validity::Same => {}
            Validity::Refreshed(dependencies) => self.write(&kept.state, kept.inputs, &dependencies, &kept.report),
            Validity::Different => return None,
        }
        Some(CheckReport { elapsed: start.elapsed(), ..kept.report })
    }
}

impl RunState {
    /// Reads the state of a root; `None` if the program's file was replaced.
    fn read(root: &RootDir, settings: &Settings) -> Option<Self> {
        let build = environment::program_build()?;
        let file = root.canonical.join(PROJECT_FILE);
        let project = regular_file::read(&file, MAX_PROJECT_FILE_BYTES).map_err(|error| error.kind());
        let home = environment::home_variable();
        let setup = digest(format!("{build}\n{settings:?}\n{home:?}\n{project:?}").as_bytes());
        let position = if settings.history.is_zero() { String::new() } else { history::position(root) };
        Some(Self { setup, position })
    }

    /// The newest commit, if there is one.
    fn head(&self) -> Option<&str> {
        self.position.split(' ').next().filter(|head| !head.is_empty())
    }
}
