//! Resolves relative imports (`from .a import b`) from the package of the file.

use super::dynamic_modules::{dynamic_package, registering_package};
use super::generated::{self, MODULE_SUFFIXES, SOURCE_SUFFIXES};
use pathfinder_literals::path::{ancestors, join, with_endings};
use pathfinder_literals::report::unknown;
use pathfinder_literals::{Kind, Lookup, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// The verdict on a module with leading dots.
pub(super) fn resolve(report: &Report<'_>, module: &str, severity: Severity) -> Resolution {
    let project = report.project;
    let rest = module.trim_start_matches('.');
    let level = module.len() - rest.len();
    let up = "../".repeat(level - 1);
    let here = report.source.directory();
    let Some(package) = join(here, &up) else { return unknown(Reason::Outside) };
    let is_inside = is_in_package(project, here);
    let path = join(&package, &rest.replace('.', "/")).unwrap_or_default();
    let severity = if is_inside || has_init(project, &package) { severity } else { Severity::Hint };
    let answer = match rest {
        "" => resolve_package(project, package.clone()),
        _ => resolve_in_package(project, &package, &path, severity),
    };
    // Python does not import from above the outermost package, unless a program imports that through a directory without `__init__`.
    let is_above = is_inside && level > 1 && !is_in_package(project, &package);
    match answer {
        (Verdict::Found(target), _) if is_above => unknown(Reason::Undecided(target.path)),
        other => other,
    }
}

/// The verdict on the module at a path without suffix, below a `package` that is certain.
pub(super) fn resolve_in_package(project: &Project, package: &str, path: &str, severity: Severity) -> Resolution {
    let tree = project.tree();
    if let Some(path) = file_of(project, path) {
        return (Verdict::Found(Target { path }), Vec::new());
    }
    // A namespace package. `BUILD` is none, even if a case-insensitive disk finds it as `build`.
    if tree.kind(path) == Some(Kind::Directory) {
        return (Verdict::Found(Target { path: path.to_owned() }), Vec::new());
    }
    if let Some(by) = registering_package(project, path) {
        return unknown(by);
    }
    // A package or a build can create modules, but not one that was a file and was renamed.
    let moved = || with_endings(path, &SOURCE_SUFFIXES).flatten().find(|file| tree.moved(file).is_some());
    if let Some(by) = dynamic_package(project, package, path) {
        let verdict = |file| Lookup::new(project, Want::File).verdict(severity, [Some(file)]);
        let open = || (Verdict::Unknown(by), with_endings(path, &MODULE_SUFFIXES[..2]).flatten().collect());
        return moved().map_or_else(open, verdict);
    }
    if let Some(by) = generated::find_generator(project, path) {
        // The name that a build gives to a compiled module is no typo of that of the module which imports it.
        let files = with_endings(path, &MODULE_SUFFIXES[..2]).flatten();
        let files = files.filter(|_| !generated::is_named(project, &by, path));
        return (Verdict::Unknown(by.clone()), moved().into_iter().chain(files).collect());
    }
    // Compiled modules are ignored everywhere, so that is no evidence for this one.
    let files = with_endings(path, &MODULE_SUFFIXES[..2]);
    Lookup::new(project, Want::File).verdict(severity, files.chain(moved().map(Some)))
}

/// The file of the module at a path without suffix. Python imports a package, and not a module of its name beside it.
pub(super) fn file_of(project: &Project, path: &str) -> Option<String> {
    let tree = project.tree();
    let is_file = |path: &String| tree.kind(path) == Some(Kind::File);
    let package = || Some(format!("{path}/__init__.py")).filter(is_file);
    let found = with_endings(path, &MODULE_SUFFIXES).flatten().find(is_file)?;
    let has_package = !found.contains("/__init__.") && tree.kind(path) == Some(Kind::Directory);
    has_package.then(package).flatten().or(Some(found))
}

/// The verdict on a package that an import names without a submodule.
pub(super) fn resolve_package(project: &Project, path: String) -> Resolution {
    let init = ["__init__.py", "__init__.pyi"].iter().filter_map(|name| join(&path, name));
    let file = init.into_iter().find(|path| project.tree().kind(path) == Some(Kind::File));
    (Verdict::Found(Target { path: file.unwrap_or(path) }), Vec::new())
}

/// Returns whether a directory or one above it has an `__init__`: then the directory is imported through that package.
pub(super) fn is_in_package(project: &Project, directory: &str) -> bool {
    ancestors(directory).any(|above| has_init(project, above))
}

/// Returns whether a directory has an `__init__` file.
pub(super) fn has_init(project: &Project, directory: &str) -> bool {
    ["__init__.py", "__init__.pyi"]
        .iter()
        .filter_map(|name| join(directory, name))
        .any(|path| project.tree().kind(&path) == Some(Kind::File))
}
