//! `import a.b` and `from a.b import c`: from the directories that Python looks for packages in.

use super::generated::MODULE_SUFFIXES;
use super::relative::{file_of, has_init, resolve_in_package, resolve_package};
use super::roots::ImportRoots;
use super::standard_library::is_standard_module;
use crate::checked::{Reason, Severity, Target, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Want, with_endings};
use crate::path::{extension, join, parent};
use crate::report::{Outcome, Report, anywhere, moved_away, unknown};
use crate::tree::Kind;

/// The verdict on a module without dots before it.
pub(super) fn resolve(report: &Report<'_>, module: &str, severity: Severity) -> Outcome {
    let project = report.project;
    let tree = project.tree();
    let here = report.source.directory();
    let path = module.replace('.', "/");
    let (head, rest) = module.split_once('.').unwrap_or((module, ""));
    let is_standard = is_standard_module(head);
    if is_standard && rest.is_empty() {
        return unknown(Reason::Elsewhere);
    }
    let roots = project.fact::<ImportRoots>();
    let is_directory = |path: &str| tree.kind(path) == Some(Kind::Directory);
    let own = package_root(report);
    let mut trusted: Vec<&str> = vec![own];
    trusted.extend(ancestors(here).filter(|directory| roots.directories.iter().any(|root| root == directory)));
    trusted.extend(roots.directories.iter().map(String::as_str));
    if rest.is_empty() {
        return resolve_top_level(report, head, &trusted);
    }
    // A head that is nowhere is a package from elsewhere.
    let mut all = trusted.clone();
    all.extend(ancestors(here));
    let mut having: Vec<String> = all.iter().filter_map(|root| join(root, head)).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    having.retain(|package| seen.insert(package.clone()) && is_directory(package));
    for package in &having {
        let base = parent(package);
        let full = join(base, &path).unwrap_or_default();
        let found = file_of(project, &full);
        if let Some(path) = found.or_else(|| is_directory(&full).then(|| full.clone())) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
    }
    if having.is_empty() || is_standard {
        return unknown(Reason::Elsewhere);
    }
    if let Some(path) = anywhere(project, with_endings(&path, &MODULE_SUFFIXES[..4]).flatten().chain([path.clone()])) {
        return unknown(Reason::Undecided(path.to_owned()));
    }
    // What is needed from elsewhere is taken from there, unless a manifest lies beside the package of that name.
    let is_foreign =
        |package: &str| roots.depends_on(head) && !roots.directories.iter().any(|root| root == parent(package));
    let is_first_party = |package: &&String| {
        trusted.contains(&parent(package))
            && !is_foreign(package)
            && (has_init(project, package) || !roots.depends_on(head) && has_modules(report, package))
    };
    let Some(package) = having.iter().find(is_first_party) else {
        // Others may have modules in it, too. None of them is what was a file here until a commit moved it.
        let full = having.iter().filter_map(|package| join(parent(package), &path));
        let files = full.flat_map(|full| [format!("{full}.py"), format!("{full}/__init__.py")].map(Some));
        let moved = moved_away(project, Want::File, severity, &path, files);
        return moved.unwrap_or_else(|| unknown(Reason::Undecided(having[0].clone())));
    };
    let text = file_head(report);
    if text.contains("sys.path.") || text.contains("addsitedir(") {
        return unknown(Reason::Undecided("sys.path".to_owned()));
    }
    // Another word for it in the same file: a test puts the module there itself.
    if ["\"", "'"].iter().any(|quote| text.contains(&format!("{quote}{module}{quote}"))) && text.contains("sys.modules")
    {
        return unknown(Reason::Undecided("sys.modules".to_owned()));
    }
    let full = join(parent(package), &path).unwrap_or_default();
    // A package can make its modules when it is loaded. It does not make one that was a file and is another now.
    let files = [format!("{full}.py"), format!("{full}/__init__.py")].map(Some);
    let moved = moved_away(project, Want::File, severity, &path, files);
    moved.unwrap_or_else(|| resolve_in_package(project, package, &full, severity))
}

/// The part of a file in which it says how modules are found: what a person writes is shorter, and a long generated file
/// is not searched again for each import.
pub(super) fn file_head<'r>(report: &'r Report<'_>) -> &'r str {
    crate::path::head(report.source.text(), 64 << 10)
}

/// A module or package with nothing behind it: there or not, it can come from elsewhere.
fn resolve_top_level(report: &Report<'_>, head: &str, trusted: &[&str]) -> Outcome {
    let project = report.project;
    let tree = project.tree();
    let here = report.source.directory();
    // A script's own directory is looked in; a package's is not.
    let script = (!has_init(project, here)).then_some(here);
    for root in script.iter().chain(trusted) {
        let Some(path) = join(root, head) else { continue };
        let is_manifest = project.fact::<ImportRoots>().directories.iter().any(|directory| directory == root);
        if has_init(project, &path) && (is_manifest || !project.fact::<ImportRoots>().depends_on(head)) {
            return resolve_package(project, path);
        }
        for ending in [".py", ".pyi", ".pyx"] {
            let path = format!("{path}{ending}");
            if tree.kind(&path) == Some(Kind::File) {
                return (Verdict::Found(Target { path }), Vec::new());
            }
        }
    }
    unknown(Reason::Elsewhere)
}

/// The directory that the topmost package around the file is in: the file is imported from there.
fn package_root<'r>(report: &Report<'r>) -> &'r str {
    let mut directory = report.source.directory();
    while !directory.is_empty() && has_init(report.project, directory) {
        directory = parent(directory);
    }
    directory
}

/// Whether modules are in a directory or below it: otherwise it is something else that is called so.
fn has_modules(report: &Report<'_>, directory: &str) -> bool {
    let files = report.project.tree().files();
    let prefix = format!("{directory}/");
    let from = files.partition_point(|file| file.as_str() < prefix.as_str());
    files[from..].iter().take_while(|file| file.starts_with(&prefix)).any(|file| extension(file) == "py")
}
