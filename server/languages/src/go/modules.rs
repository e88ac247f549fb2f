//! An index of the Go modules in the repository, from its `go.mod` and `go.work` files. It is read once per tree.

use rustc_hash::{FxHashMap, FxHashSet};

use super::gomod::{GoModDirective, parse_directives};
use super::{is_vendored, scan};
use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};

/// The number of files that are read to infer the module path of a repository without `go.mod`.
const MAX_SAMPLE_FILES: usize = 300;

/// The number of matching imports that establish an inferred module path.
const MIN_MATCHING_IMPORTS: usize = 3;

/// A module of the repository.
#[derive(Debug)]
pub(crate) struct GoModule {
    /// Its import path.
    pub(crate) path: String,
    /// Its directory; empty for the root.
    pub(crate) directory: String,
    /// Import paths of required modules.
    requires: FxHashSet<String>,
    /// Import paths of modules that are replaced by a directory.
    replaces: FxHashSet<String>,
}

/// All modules of a repository.
#[derive(Debug, Default)]
pub(crate) struct GoModules {
    all: Vec<GoModule>,
    /// Directories of modules in a `go.work`.
    workspace_directories: FxHashSet<String>,
    /// The inferred module path of a repository without `go.mod`.
    inferred: Option<String>,
    /// Import paths that Bazel rules assign to packages in any directory.
    bazel: FxHashSet<String>,
    /// True if generated protocol buffers are committed.
    pub(crate) has_generated_protobuf: bool,
}

/// The module that an imported package belongs to.
pub(crate) enum PackageOwner {
    /// A module of the repository; a package that is not in this directory is missing.
    Here(String),
    /// A module of the repository that may be downloaded at another version.
    Perhaps(String),
    /// A third-party module.
    Elsewhere,
}

impl ProjectIndex for GoModules {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl GoModules {
    /// Reads all modules of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut modules = Self::default();
        let files = tree.files();
        for path in files.iter().filter(|path| !is_vendored(path)) {
            match name(path) {
                "go.mod" => modules.all.extend(read_module(tree, path)),
                "go.work" => {
                    let text = tree.read_shared(path).unwrap_or_default();
                    for directive in parse_directives(&text) {
                        if let GoModDirective::Use(range) = directive {
                            modules.workspace_directories.extend(join(parent(path), &text[range]));
                        }
                    }
                }
                "BUILD" | "BUILD.bazel" => {
                    modules.bazel.extend(bazel_import_paths(&tree.read_shared(path).unwrap_or_default()));
                }
                name if name.ends_with(".pb.go") => modules.has_generated_protobuf = true,
                _ => {}
            }
        }
        // The longest directories first, so that the first match is the nearest module.
        modules
            .all
            .sort_by(|a, b| b.directory.len().cmp(&a.directory.len()).then_with(|| a.directory.cmp(&b.directory)));
        if !modules.all.iter().any(|module| module.directory.is_empty()) {
            modules.inferred = infer_module_path(tree);
        }
        modules
    }

    /// Returns whether a Bazel rule has this import path.
    pub(crate) fn is_bazel_package(&self, import: &str) -> bool {
        self.bazel.contains(import)
    }

    /// The paths in this repository that a path below a module's import path can name, without or with the version in it.
    pub(crate) fn paths_below<'m>(&'m self, import: &'m str) -> impl Iterator<Item = String> + 'm {
        let is_version = |name: &str| name.strip_prefix('v').is_some_and(|digits| digits.parse::<u32>().is_ok());
        self.all.iter().filter_map(move |module| {
            let plain = module.path.rsplit_once('/').filter(|(_, last)| is_version(last)).map(|(plain, _)| plain);
            let rest =
                std::iter::once(module.path.as_str()).chain(plain).find_map(|path| strip_module(import, path))?;
            join(&module.directory, rest)
        })
    }

    /// The directory that an import of no module of the tree names below the path of the repository, by which its modules are named: a
    /// module that was renamed or left. `None` if the module of `file` requires it.
    pub(crate) fn directory_in_repository<'i>(&self, file: &str, import: &'i str) -> Option<&'i str> {
        let own = self.all.iter().find(|module| is_in_directory(&module.directory, file))?;
        let is_required = || own.requires.iter().any(|path| is_within(import, path));
        let repository = |module: &GoModule| {
            let path = module.path.strip_suffix(&module.directory)?.strip_suffix('/')?;
            (!module.directory.is_empty()).then_some(path.len()).filter(|length| import.get(..*length) == Some(path))
        };
        let length = self.all.iter().find_map(repository)?;
        import[length..].strip_prefix('/').filter(|_| !is_required())
    }

    /// The owner of the package that an import in `file` names.
    pub(crate) fn owner(&self, file: &str, import: &str) -> PackageOwner {
        let Some(own) = self.all.iter().find(|module| is_in_directory(&module.directory, file)) else {
            let rest = self.inferred.as_deref().and_then(|path| strip_module(import, path));
            return rest.map_or(PackageOwner::Elsewhere, |rest| PackageOwner::Here(rest.to_owned()));
        };
        let fits = self.all.iter().filter(|module| is_within(import, &module.path));
        // If two modules have one path, the file's own wins: samples often take the name of their library.
        let Some(module) = fits.max_by_key(|module| (module.path.len(), module.directory == own.directory)) else {
            return PackageOwner::Elsewhere;
        };
        if own.requires.iter().any(|path| path.len() > module.path.len() && is_within(import, path)) {
            return PackageOwner::Elsewhere;
        }
        let Some(directory) = strip_module(import, &module.path).and_then(|rest| join(&module.directory, rest)) else {
            return PackageOwner::Elsewhere;
        };
        let is_own = module.directory == own.directory;
        let is_in_workspace = self.workspace_directories.contains(&own.directory)
            && self.workspace_directories.contains(&module.directory);
        if is_own || own.replaces.contains(&module.path) || is_in_workspace {
            PackageOwner::Here(directory)
        } else {
            PackageOwner::Perhaps(directory)
        }
    }
}

/// Returns whether a file is in a directory.
fn is_in_directory(directory: &str, file: &str) -> bool {
    directory.is_empty() || is_within(file, directory)
}

/// The rest of an import after the path of its module.
fn strip_module<'i>(import: &'i str, module: &str) -> Option<&'i str> {
    let rest = import.strip_prefix(module)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

/// The values of `importpath = "…"` in a Bazel file.
fn bazel_import_paths(text: &str) -> Vec<String> {
    let values = text.match_indices("importpath").map(|(at, word)| &text[at + word.len()..]);
    let values =
        values.filter_map(|rest| rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?.split_once('"'));
    values.map(|(value, _)| value.to_owned()).collect()
}

/// Reads one `go.mod`.
fn read_module(tree: &dyn Tree, path: &str) -> Option<GoModule> {
    let text = tree.read_shared(path)?;
    let mut module = GoModule {
        path: String::new(),
        directory: parent(path).to_owned(),
        requires: FxHashSet::default(),
        replaces: FxHashSet::default(),
    };
    for directive in parse_directives(&text) {
        match directive {
            GoModDirective::Module(range) => text[range].clone_into(&mut module.path),
            GoModDirective::Require(range) => _ = module.requires.insert(text[range].to_owned()),
            GoModDirective::Replace(range, _) => _ = module.replaces.insert(text[range].to_owned()),
            GoModDirective::Use(_) => {}
        }
    }
    (!module.path.is_empty()).then_some(module)
}

/// Infers the module path of a repository without `go.mod`: the prefix that most often leaves an existing directory.
fn infer_module_path(tree: &dyn Tree) -> Option<String> {
    let own = |path: &&String| extension(path) == "go" && !is_vendored(path);
    let mut votes: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    for path in tree.files().iter().filter(own).take(MAX_SAMPLE_FILES) {
        let Some(text) = tree.read_shared(path) else { continue };
        for range in scan::find_imports(&text) {
            let import = &text[range];
            // `github.com/owner/name/…`: the first segment has a dot, and the module path mostly has three segments.
            if !import.split('/').next().is_some_and(|head| head.contains('.')) {
                continue;
            }
            for (at, _) in import.match_indices('/').skip(1).take(2) {
                let rest = &import[at + 1..];
                if tree.kind(rest) == Some(Kind::Directory) {
                    votes.entry(import[..at].to_owned()).or_default().insert(rest.to_owned());
                    break;
                }
            }
        }
    }
    let mut votes: Vec<(usize, String)> = votes.into_iter().map(|(path, rests)| (rests.len(), path)).collect();
    votes.sort();
    votes.pop().filter(|(count, _)| *count >= MIN_MATCHING_IMPORTS).map(|(_, path)| path)
}
