//! `World`: what Zed and its machine have, as a test wants it, and what was asked of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::imports::zed::extension::platform::{Architecture, Os};

/// The download address of releases.
pub(crate) const DOWNLOADS: &str = "https://github.com/pathfinder-dev/pathfinder/releases/download";

/// The state behind the imports: settings, worktree, downloads.
pub(crate) struct World {
    _place: TempDir,
    /// The extension's work directory, as Zed gives it one.
    pub(crate) work: PathBuf,
    /// The project that is open.
    pub(crate) project: PathBuf,
    /// Settings by category and name, as they stand in Zed's `settings.json`.
    pub(crate) settings: Value,
    /// Programs on the worktree's `PATH`.
    pub(crate) which: Option<String>,
    pub(crate) shell_env: Vec<(String, String)>,
    pub(crate) platform: (Os, Architecture),
    /// The tag of the newest release, and its assets' names.
    pub(crate) newest: Option<(String, Vec<String>)>,
    /// Downloads: URL → file. Empty means no network.
    pub(crate) downloads: BTreeMap<String, PathBuf>,
    /// The calls of the extension, in order.
    pub(crate) asked: Vec<String>,
}

impl World {
    /// A project of two files, a network without releases, no settings.
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = place.path().canonicalize().unwrap().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        };
        let (work, project) = (at("work"), at("project"));
        at("assets");
        Self {
            _place: place,
            work,
            project,
            settings: json!({}),
            which: None,
            shell_env: Vec::new(),
            platform: (Os::Linux, Architecture::X8664),
            newest: None,
            downloads: BTreeMap::new(),
            asked: Vec::new(),
        }
    }

    /// A directory beside the project.
    pub(crate) fn beside(&self) -> &Path {
        self.work.parent().unwrap()
    }

    /// Releases a program, as the release workflow does; it becomes the newest.
    pub(crate) fn release(&mut self, version: &str, target: &str, program: &str) {
        let built = self.beside().join(format!("built-{version}"));
        std::fs::create_dir_all(&built).unwrap();
        let name = if target.contains("windows") { "pathfinder.exe" } else { "pathfinder" };
        std::fs::write(built.join(name), program).unwrap();
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../.ci/package");
        let assets = self.beside().join("assets").join(version);
        let run = Command::new("bash").arg(package).arg(target).arg(&built).arg(&assets).status().unwrap();
        assert!(run.success(), ".ci/package has failed");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(assets).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            self.downloads.insert(format!("{DOWNLOADS}/v{version}/{name}"), path);
            names.push(name);
        }
        self.newest = Some((format!("v{version}"), names));
    }

    /// The network is gone.
    pub(crate) fn unplug(&mut self) {
        self.newest = None;
        self.downloads.clear();
    }

    /// Puts a release into the work directory as an earlier session has left it.
    pub(crate) fn install(&self, folder: &str, program: &str) {
        let folder = self.work.join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("pathfinder"), program).unwrap();
    }

    /// Returns the files in the work directory, in order.
    pub(crate) fn kept(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut waiting = vec![self.work.clone()];
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    waiting.push(path);
                } else {
                    found.push(path.strip_prefix(&self.work).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// Returns and clears the calls since the last time.
    pub(crate) fn take_asked(&mut self) -> Vec<String> {
        std::mem::take(&mut self.asked)
    }
}
