//! Resolves absolute imports (`import a.b`, `from a.b import c`) from the directories that Python searches.

use super::dynamic_modules::registering_package;
use super::generated::{MODULE_SUFFIXES, SOURCE_SUFFIXES};
use super::learned_roots::LearnedRoots;
use super::near_packages::{MIN_NAME_BYTES, OwnPackages};
use super::relative::{file_of, has_init, resolve_in_package, resolve_package};
use super::roots::{ImportRoots, MODULE_ENDINGS};
use super::standard_library::is_standard_module;
use crate::file_moves::FileMoves;
use pathfinder_literals::path::{ancestors, extension, is_within, join, parent, with_endings};
use pathfinder_literals::report::{find_in_any_directory, find_moved_target, unknown};
use pathfinder_literals::{Kind, Lookup, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// The verdict on a module without leading dots.
pub(super) fn resolve(report: &Report<'_>, marks: &HeadMarks, module: &str, severity: Severity) -> Resolution {
    let project = report.project;
    let tree = project.tree();
    let here = report.source.directory();
    let path = module.replace('.', "/");
    let (head, rest) = module.split_once('.').unwrap_or((module, ""));
    let own = package_root(report);
    // A package of the tests can have the name of a standard one.
    let is_own = || join(own, head).is_some_and(|package| is_within(here, &package));
    let is_standard = is_standard_module(head) && !is_own();
    if is_standard && rest.is_empty() {
        return unknown(Reason::Elsewhere);
    }
    let roots = project.index::<ImportRoots>();
    let is_directory = |path: &str| tree.kind(path) == Some(Kind::Directory);
    let mut near: Vec<&str> = vec![own];
    near.extend(ancestors(here).filter(|directory| roots.contains(directory)));
    if rest.is_empty() {
        near.extend(project.index::<LearnedRoots>().directories());
        return resolve_top_level(report, head, &near, severity);
    }
    // Hundreds of directories can be searched, of which few have the name.
    let trusted: Vec<&str> = near.iter().copied().chain(roots.having_package(tree, head)).collect();
    // A first package that no directory has is third-party.
    let mut all = trusted.clone();
    all.extend(ancestors(here));
    let mut seen = rustc_hash::FxHashSet::default();
    let roots_once = all.into_iter().filter(|root| seen.insert(*root));
    let having: Vec<String> =
        roots_once.filter_map(|root| join(root, head)).filter(|package| is_directory(package)).collect();
    for package in &having {
        let base = parent(package);
        let full = join(base, &path).unwrap_or_default();
        let found = file_of(project, &full);
        if let Some(path) = found.or_else(|| is_directory(&full).then(|| full.clone())) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
    }
    if having.is_empty() || is_standard {
        // A package of this tree that was renamed as a whole, unless another project has the name now.
        let is_own = !is_standard && !roots.depends_on(head);
        let all = || near.into_iter().chain(roots.losing(project, &path)).collect::<Vec<&str>>();
        let moved = is_own.then(|| find_moved_module(report, &path, &all(), severity)).flatten();
        let open: Vec<&str> = if is_own { bases_of(own, here) } else { Vec::new() };
        return moved.unwrap_or_else(|| leave_open(project, &open, head, &path));
    }
    // A directory of the package's name, as tests have it, is not the package that a commit moved away from a directory above.
    let having_roots: Vec<&str> = having.iter().map(|package| parent(package)).collect();
    if !roots.depends_on(head) && find_moved_module(report, &path, &having_roots, severity).is_none() {
        let is_above = |root: &&str| root.is_empty() || is_within(here, root);
        let above: Vec<&str> = roots.losing(project, &path).into_iter().filter(is_above).collect();
        if let Some(moved) = find_moved_module(report, &path, &above, severity) {
            return moved;
        }
    }
    if let Some(path) =
        find_in_any_directory(project, with_endings(&path, &MODULE_SUFFIXES[..4]).flatten().chain([path.clone()]))
    {
        return unknown(Reason::Undecided(path.to_owned()));
    }
    // A declared dependency is third-party, unless a manifest lies beside the package of that name.
    let is_foreign = |package: &str| roots.depends_on(head) && !roots.contains(parent(package));
    let is_first_party = |package: &&String| {
        trusted.contains(&parent(package))
            && !is_foreign(package)
            && (has_init(project, package) || !roots.depends_on(head) && has_modules(report, package))
    };
    let is_around = |package: &&String| !roots.depends_on(head) && is_own_package(report, package, &path);
    let Some(package) = having.iter().find(is_first_party).or_else(|| having.iter().find(is_around)) else {
        // Third-party packages can have modules here too, but not a file that a commit moved.
        let moved = find_moved_module(report, &path, &having_roots, severity);
        return moved.unwrap_or_else(|| {
            let tried = paths_below(&having_roots, &path);
            if roots.depends_on(head) {
                return (Verdict::Unknown(Reason::Elsewhere), tried);
            }
            let by = format!("other parts of {}", having[0]);
            (Verdict::Unknown(Reason::Undecided(by)), tried)
        });
    };
    let full = join(parent(package), &path).unwrap_or_default();
    let moved = find_moved_module(report, &path, &[parent(package)], severity);
    // A package with `__init__` is one directory, so that a path which the file adds has no more of it.
    if let Some(moved) = moved.filter(|_| !marks.sets_modules && has_init(project, package)) {
        return moved;
    }
    if marks.sets_path || marks.adds_directory {
        let tried = with_endings(&full, &SOURCE_SUFFIXES).flatten().collect();
        return (Verdict::Unknown(Reason::Undecided("sys.path".to_owned())), tried);
    }
    // A test may insert the module by its name, which then occurs again in the file.
    let text = file_head(report.source.text());
    if marks.sets_modules && ["\"", "'"].iter().any(|quote| text.contains(&format!("{quote}{module}{quote}"))) {
        return unknown(Reason::Undecided("sys.modules".to_owned()));
    }
    let moved = find_moved_module(report, &path, &[parent(package)], severity);
    moved.unwrap_or_else(|| resolve_in_package(project, package, &full, severity))
}

/// The verdict on a module that was a file or a directory below one of these directories until a commit moved it. A package can create modules
/// when it is loaded, but not that one, unless it names it.
fn find_moved_module(report: &Report<'_>, path: &str, roots: &[&str], severity: Severity) -> Option<Resolution> {
    let tree = report.project.tree();
    let all: Vec<String> = roots.iter().filter_map(|root| join(root, path)).collect();
    if let Some(by) = all.iter().find_map(|full| registering_package(report.project, full)) {
        return Some(unknown(by));
    }
    let full = || all.iter().cloned();
    let files = full().flat_map(|full| SOURCE_SUFFIXES.map(|suffix| Some(format!("{full}{suffix}"))));
    // A namespace package is a directory without such files, and with modules below it: pages on a package are none.
    let is_package = |moved: &str| {
        let start = tree.files().partition_point(|file| file.as_str() < moved);
        let mut below = tree.files()[start..].iter().take_while(|file| file.starts_with(moved));
        tree.kind(moved) == Some(Kind::Directory) && below.any(|file| is_within(file, moved) && is_module_file(file))
    };
    let packages = full().filter(|full| tree.moved(full).is_some_and(|moved| is_package(&moved.to)));
    find_moved_target(report.project, Want::File, severity, path, files.chain(packages.map(Some)))
}

/// Returns whether a file is a module of Python.
fn is_module_file(path: &str) -> bool {
    matches!(extension(path).as_str(), "py" | "pyi" | "pyx" | "so" | "pyd")
}

/// The part of a file that can set up module search. Handwritten files are shorter.
fn file_head(text: &str) -> &str {
    pathfinder_literals::path::head(text, 64 << 10)
}

/// The words of a file that set up module search, found once for all its imports.
pub(super) struct HeadMarks {
    /// It uses `sys.path`.
    pub(super) sets_path: bool,
    /// It adds a directory of packages.
    adds_directory: bool,
    /// It uses `sys.modules`.
    pub(super) sets_modules: bool,
}

impl HeadMarks {
    /// Finds the words in a text.
    pub(super) fn find(text: &str) -> Self {
        let has = |word: &str| file_head(text).contains(word);
        Self { sets_path: has("sys.path."), adds_directory: has("addsitedir("), sets_modules: has("sys.modules") }
    }
}

/// The verdict on a module without submodule. It can be third-party, so that it is missing only if a recent commit renamed it.
fn resolve_top_level(report: &Report<'_>, head: &str, near: &[&str], severity: Severity) -> Resolution {
    let project = report.project;
    let (tree, roots) = (project.tree(), project.index::<ImportRoots>());
    let here = report.source.directory();
    // Python searches the directory of a script, but not that of a module in a package.
    let script = (!has_init(project, here)).then_some(here);
    let searched = std::iter::once_with(|| roots.having_module(project, head)).flatten();
    for root in script.into_iter().chain(near.iter().copied()).chain(searched) {
        let Some(path) = join(root, head) else { continue };
        if has_init(project, &path) && (roots.contains(root) || !roots.depends_on(head)) {
            return resolve_package(project, path);
        }
        for ending in MODULE_ENDINGS {
            let path = format!("{path}{ending}");
            if tree.kind(&path) == Some(Kind::File) {
                return (Verdict::Found(Target { path }), Vec::new());
            }
        }
    }
    if roots.depends_on(head) {
        return leave_open(project, &[], head, head);
    }
    // A package or module that a recent commit renamed. One that left long ago can be third-party since.
    let losing = near.iter().copied().chain(roots.losing(project, head)).chain(script);
    let renamed =
        losing.filter_map(|root| find_renamed(project, root, head)).min_by_key(|path| !path.ends_with(PACKAGE));
    let moved = renamed.map(|path| Lookup::new(project, Want::File).verdict(severity, [Some(path)]));
    let open = || bases_of(near[0], here).into_iter().chain(project.index::<LearnedRoots>().directories());
    moved.unwrap_or_else(|| leave_open(project, &open().collect::<Vec<_>>(), head, head))
}

/// The file of a package, which is imported before a module of its name.
const PACKAGE: &str = "/__init__.py";

/// The earlier path of the module or package of this name that a recent commit moved out of a directory, if it is still one.
fn find_renamed(project: &Project, root: &str, head: &str) -> Option<String> {
    let path = join(root, head)?;
    let files = [PACKAGE, ".py"].into_iter().map(|ending| format!("{path}{ending}"));
    let mut moved = files.filter(|file| project.index::<FileMoves>().was_moved(file));
    moved.find(|file| project.tree().moved(file).is_some_and(|moved| extension(&moved.to) == "py"))
}

/// The directories from which a package of the project can be imported though nothing says so: that of the topmost package around a file
/// (`own`), the file's own, the one above it, and the root.
fn bases_of<'r>(own: &'r str, here: &'r str) -> Vec<&'r str> {
    let mut directories = vec![own];
    for directory in [here, parent(here), ""] {
        if !directories.contains(&directory) {
            directories.push(directory);
        }
    }
    directories
}

/// The verdict on a package that nothing of the tree has: a library's, or one with a typo in its name, of these directories or of another
/// that is searched. Without directories it is a library's.
fn leave_open(project: &Project, directories: &[&str], head: &str, path: &str) -> Resolution {
    if directories.is_empty() || head.len() + 1 < MIN_NAME_BYTES {
        return unknown(Reason::Elsewhere);
    }
    let near = project.index::<OwnPackages>().near(head, MIN_NAME_BYTES);
    let directories = if head.len() < MIN_NAME_BYTES { &[] } else { directories };
    let further = near.into_iter().filter(|directory| !directories.contains(directory));
    // Near names come first, for the number of paths that are compared is limited.
    let all: Vec<&str> = further.chain(directories.iter().copied()).collect();
    (Verdict::Unknown(Reason::Elsewhere), paths_below(&all, path))
}

/// The files that a module can be below these directories.
fn paths_below(directories: &[&str], path: &str) -> Vec<String> {
    let files =
        |directory: &&str| with_endings(path, &SOURCE_SUFFIXES).map(|path| join(directory, &path?)).collect::<Vec<_>>();
    directories.iter().flat_map(files).flatten().collect()
}

/// The directory that contains the topmost package around the file; the file is imported from there.
fn package_root<'r>(report: &Report<'r>) -> &'r str {
    let mut directory = report.source.directory();
    while !directory.is_empty() && has_init(report.project, directory) {
        directory = parent(directory);
    }
    directory
}

/// Returns whether the file lies in this top-level package, so that the directory above it is searched although nothing declares it. A
/// namespace that a dependency shares (`google.cloud`) has no modules of its own, so the directory that should hold the module has to
/// have some.
fn is_own_package(report: &Report<'_>, package: &str, path: &str) -> bool {
    let holder = join(parent(package), parent(path)).unwrap_or_default();
    holder != package
        && ancestors(report.source.directory()).any(|above| above == package)
        && holds_modules(report, &holder)
}

/// Returns whether a directory itself contains modules.
fn holds_modules(report: &Report<'_>, directory: &str) -> bool {
    let files = report.project.tree().files();
    let prefix = format!("{directory}/");
    let from = files.partition_point(|file| file.as_str() < prefix.as_str());
    let mut below = files[from..].iter().map_while(|file| file.strip_prefix(&prefix));
    below.any(|file| !file.contains('/') && extension(file) == "py")
}

/// Returns whether a directory contains modules at any depth. Otherwise it only shares its name with a package.
fn has_modules(report: &Report<'_>, directory: &str) -> bool {
    let files = report.project.tree().files();
    let prefix = format!("{directory}/");
    let from = files.partition_point(|file| file.as_str() < prefix.as_str());
    files[from..].iter().take_while(|file| file.starts_with(&prefix)).any(|file| extension(file) == "py")
}
