//! Resolves the Python modules that directives document: `.. automodule:: package.module`.
//!
//! A module can be compiled, or of a package that is only installed. So one is a literal only if it is a file, or was one until a commit
//! moved it.

use crate::python::near_package_directories;
use pathfinder_literals::path::{ancestors, join, parent, with_endings};
use pathfinder_literals::typo_findings::is_mistyped;
use pathfinder_literals::{Kind, Lookup, Project, Reason, Resolution, Severity, Target, Verdict, Want};

/// Endings of a module's file.
const ENDINGS: [&str; 4] = [".py", "/__init__.py", ".pyi", ".pyx"];
/// Most packages of one name that are considered: a package and its copies in examples.
const MAX_PACKAGES: usize = 8;
/// Most directories of packages that are tried above a document; documentation lies near the root.
const MAX_ROOTS: usize = 8;

/// Returns the verdict on a module below a package of the tree, in a document of the directory `here`; `None` if nothing is known of it.
pub(super) fn resolve(project: &Project, here: &str, module: &str) -> Option<Resolution> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (head, _) = module.split_once('.').filter(|_| module.split('.').all(is_name))?;
    let tree = project.tree();
    let inits = project.find_all_by_suffix(&format!("{head}/__init__.py"), MAX_PACKAGES);
    let paths: Vec<String> =
        inits.iter().filter_map(|init| join(parent(parent(init)), &module.replace('.', "/"))).collect();
    let files = || paths.iter().flat_map(|path| with_endings(path, &ENDINGS).flatten());
    if let Some(path) = files().find(|path| tree.kind(path) == Some(Kind::File)) {
        return Some((Verdict::Found(Target { path }), Vec::new()));
    }
    if let Some(moved) = files().find(|path| tree.moved(path).is_some()) {
        return Some(Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(moved)]));
    }
    // A module of this tree with a typo, below its package or, where the package is mistyped or was renamed, below a directory above the
    // document.
    let above = || {
        let root = [String::new(), "src".to_owned()];
        let nearer = ancestors(here).flat_map(|at| [Some(at.to_owned()), join(at, "src")]).flatten();
        root.into_iter().chain(nearer).take(MAX_ROOTS)
    };
    let paths = if paths.is_empty() {
        let near = near_package_directories(project, head).into_iter();
        let paths: Vec<String> = near.chain(above()).filter_map(|at| join(&at, &module.replace('.', "/"))).collect();
        let files = || paths.iter().flat_map(|path| with_endings(path, &ENDINGS).flatten());
        if let Some(moved) = files().find(|path| tree.moved(path).is_some()) {
            return Some(Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(moved)]));
        }
        paths
    } else {
        paths.clone()
    };
    let tried: Vec<String> = paths.iter().flat_map(|path| with_endings(path, &ENDINGS[..2]).flatten()).collect();
    is_mistyped(project, &tried).then_some((Verdict::Unknown(Reason::Elsewhere), tried))
}
