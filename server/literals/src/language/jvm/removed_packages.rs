//! `RemovedPackages`: packages that history took away. A root package that was renamed leaves nothing behind in the tree that its
//! old name could be known by; without history it looks like a dependency's.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{SOURCE_EXTENSIONS, import_kind};
use crate::checked::Severity;
use crate::facts::Fact;
use crate::lookup::Want;
use crate::path::{join, parent};
use crate::project::Project;
use crate::report::{Outcome, Report, moved_away, severity_in};

/// Source roots that are asked for a package. A build of more modules than this seldom renames its root package.
const MAX_SOURCE_ROOTS: usize = 64;

/// See the module's text.
pub(crate) struct RemovedPackages {
    /// Directories like `src/main/java`.
    roots: Vec<String>,
    /// The root that a package was in, by the package's directory: most files of a project import from the same few.
    known: Mutex<FxHashMap<String, Option<String>>>,
}

impl Fact for RemovedPackages {
    fn of(project: &Project) -> Self {
        let mut roots = BTreeSet::new();
        for path in project.tree().files().iter().filter(|path| import_kind(path).is_some()) {
            // `src/SET/LANGUAGE/`: what build tools take for a root without being told.
            let segments: Vec<&str> = parent(path).split('/').collect();
            let is_root =
                |at: &usize| segments[*at] == "src" && SOURCE_EXTENSIONS.contains(segments.get(at + 2).unwrap_or(&""));
            let at = (0..segments.len()).find(is_root);
            roots.extend(at.map(|at| segments[..at + 3].join("/")));
        }
        Self { roots: roots.into_iter().take(MAX_SOURCE_ROOTS).collect(), known: Mutex::default() }
    }
}

impl RemovedPackages {
    /// The source root in which history knows a package's directory that is gone.
    fn source_root_of(&self, project: &Project, directory: &str) -> Option<String> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
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

/// The verdict on a type of a package, by its directory, that history took away.
pub(super) fn resolve(report: &Report<'_>, directory: &str, name: &str) -> Option<Outcome> {
    let project = report.project;
    let root = project.fact::<RemovedPackages>().source_root_of(project, directory)?;
    let severity = severity_in(report.source.path(), Severity::Error);
    let written = format!("{directory}/{name}");
    let paths = SOURCE_EXTENSIONS.iter().map(|ending| join(&root, &format!("{written}.{ending}")));
    moved_away(project, Want::File, severity, &written, paths)
}
