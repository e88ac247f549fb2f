//! Finds packages that git history removed.
//!
//! A renamed root package leaves no trace of its old name in the tree; without history it looks third-party.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::{SOURCE_EXTENSIONS, import_kind};
use pathfinder_literals::path::{join, parent};
use pathfinder_literals::report::{find_moved_target, severity_in};
use pathfinder_literals::{Project, ProjectIndex, Report, Resolution, Severity, Want};

/// The number of source roots that are searched for a package. Larger builds seldom rename their root package.
const MAX_SOURCE_ROOTS: usize = 64;

/// Directories of sources that build tools know, by their language.
const LANGUAGES: [&str; 4] = ["groovy", "java", "kotlin", "scala"];

/// Source roots of a tree, and the removed packages found in history.
pub(crate) struct RemovedPackages {
    /// Directories like `src/main/java`.
    roots: Vec<String>,
    /// The former root of each package directory, cached: most files of a project import from a few packages.
    known: Mutex<FxHashMap<String, Option<String>>>,
}

impl ProjectIndex for RemovedPackages {
    fn build(project: &Project) -> Self {
        let mut roots = BTreeSet::new();
        // A module that moved leaves no directory of its old name.
        let earlier: Vec<String> = project.tree().recent_moves().into_iter().map(|(from, _)| from).collect();
        let paths = project.tree().files().iter().chain(&earlier);
        for path in paths.filter(|path| import_kind(path).is_some()) {
            // Build tools take `src/SET/LANGUAGE/` for a source root by default.
            let segments: Vec<&str> = parent(path).split('/').collect();
            let is_root =
                |at: &usize| segments[*at] == "src" && LANGUAGES.contains(segments.get(at + 2).unwrap_or(&""));
            let at = (0..segments.len()).find(is_root);
            roots.extend(at.map(|at| segments[..at + 3].join("/")));
        }
        Self { roots: roots.into_iter().take(MAX_SOURCE_ROOTS).collect(), known: Mutex::default() }
    }
}

impl RemovedPackages {
    /// The source root in which history has a removed package directory.
    fn source_root_of(&self, project: &Project, directory: &str) -> Option<String> {
        let lock = || self.known.lock();
        if let Some(known) = lock().get(directory) {
            return known.clone();
        }
        let was_there =
            |root: &&String| join(root, directory).is_some_and(|path| project.tree().moved(&path).is_some());
        let root = self.roots.iter().find(was_there).cloned();
        lock().insert(directory.to_owned(), root.clone());
        root
    }
}

/// By the earlier path of a type: whether the files that have its name are older than its move. Git is asked once, as many files import one type.
#[derive(Default)]
pub(super) struct LeftNamesakes(Mutex<FxHashMap<String, bool>>);

impl ProjectIndex for LeftNamesakes {
    fn build(_: &Project) -> Self {
        Self::default()
    }
}

impl LeftNamesakes {
    pub(super) fn get(&self, from: &str, ask: impl FnOnce() -> bool) -> bool {
        let known = self.0.lock().get(from).copied();
        known.unwrap_or_else(|| {
            let answer = ask();
            self.0.lock().insert(from.to_owned(), answer);
            answer
        })
    }
}

/// The verdict on a type in a package directory that history removed.
pub(super) fn resolve(report: &Report<'_>, directory: &str, name: &str) -> Option<Resolution> {
    let project = report.project;
    let root = project.index::<RemovedPackages>().source_root_of(project, directory)?;
    let severity = severity_in(report.source.path(), Severity::Error);
    let written = format!("{directory}/{name}");
    let paths = SOURCE_EXTENSIONS.iter().map(|ending| join(&root, &format!("{written}.{ending}")));
    find_moved_target(project, Want::File, severity, &written, paths)
}

/// The verdict on all types of a package directory that history removed.
pub(super) fn resolve_all(report: &Report<'_>, directory: &str) -> Option<Resolution> {
    let project = report.project;
    let root = project.index::<RemovedPackages>().source_root_of(project, directory)?;
    let severity = severity_in(report.source.path(), Severity::Error);
    find_moved_target(project, Want::Directory, severity, directory, std::iter::once(join(&root, directory)))
}
