//! Reads the manifests of a Python project: the directories of its packages, and its dependencies.

use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

use super::generated::SOURCE_SUFFIXES;
use super::relative::has_init;
use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};
use pathfinder_syntax::data::{Node, toml};

/// Files whose directory is the working directory of a Python project or its tests.
const MANIFESTS: [&str; 11] = [
    "Dockerfile",
    "Pipfile",
    "mypy.ini",
    "noxfile.py",
    "pyproject.toml",
    "pytest.ini",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "manage.py",
];

/// Endings of modules that an import without a package can lead to.
pub(super) const MODULE_ENDINGS: [&str; 3] = [".py", ".pyi", ".pyx"];

/// Keys of `pyproject.toml` whose values are directories that contain packages.
const DIRECTORY_KEYS: [&str; 15] = [
    "tool.setuptools.packages.find.where",
    "tool.hatch.build.sources",
    "tool.hatch.build.targets.*.sources",
    "tool.hatch.build.dev-mode-dirs",
    "tool.poetry.packages.from",
    "tool.pdm.build.package-dir",
    "tool.pdm.package-dir",
    "tool.pytest.ini_options.pythonpath",
    "tool.pytest.pythonpath",
    "tool.mypy.mypy_path",
    "tool.maturin.python-source",
    "tool.pyright.extraPaths",
    "tool.uv.build-backend.module-root",
    "tool.ruff.src",
    "tool.isort.src_paths",
];

/// Keys whose values are packages.
const PACKAGE_KEYS: [&str; 3] =
    ["tool.hatch.build.targets.*.packages", "tool.hatch.build.packages", "tool.setuptools.package-dir.*"];

/// Keys whose values are dependencies.
const REQUIREMENT_KEYS: [&str; 9] = [
    "project.dependencies",
    "project.optional-dependencies.*",
    "dependency-groups.*",
    "build-system.requires",
    "tool.poetry.dependencies.@",
    "tool.poetry.dev-dependencies.@",
    "tool.poetry.group.*.dependencies.@",
    "tool.uv.dev-dependencies",
    "tool.pdm.dev-dependencies.*",
];

/// Package directories and dependencies of a project; read once per tree.
#[derive(Default)]
pub(crate) struct ImportRoots {
    /// Directories that contain the project's packages, those of manifests first.
    directories: Vec<String>,
    directory_set: FxHashSet<String>,
    /// Names of modules that the project depends on.
    dependencies: FxHashSet<String>,
    /// The directories of each package that is the first part of a module.
    packages: KnownPlaces,
    /// The directories of each module without a package.
    modules: KnownPlaces,
    /// The directories of each path of a module that a commit moved.
    moved: KnownPlaces,
}

/// Positions of directories by name, each found when first needed: a project with hundreds of manifests imports the same few modules
/// in all its files.
type KnownPlaces = RwLock<FxHashMap<String, Arc<[usize]>>>;

impl ProjectIndex for ImportRoots {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl ImportRoots {
    /// Reads all manifests of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut roots = Self::default();
        roots.add_directory(tree, Some(String::new()));
        let mut more = Vec::new();
        for path in tree.files() {
            let file = name(path);
            if file.starts_with("requirements") && matches!(extension(file).as_str(), "txt" | "in") {
                for line in tree.read_shared(path).unwrap_or_default().lines() {
                    roots.add_requirement(line);
                }
            }
            if !MANIFESTS.contains(&file) {
                continue;
            }
            let here = parent(path);
            roots.add_directory(tree, Some(here.to_owned()));
            more.push(join(here, "src"));
            let text = || tree.read_shared(path).unwrap_or_default();
            match file {
                "pyproject.toml" => roots.read_pyproject(tree, &text(), here, &mut more),
                "setup.py" => {
                    more.extend(setup_directories(&text()).into_iter().map(|directory| join(here, &directory)));
                }
                file if matches!(extension(file).as_str(), "ini" | "cfg") => {
                    more.extend(ini_directories(&text()).into_iter().map(|directory| join(here, directory)));
                }
                _ => {}
            }
        }
        for directory in more {
            roots.add_directory(tree, directory);
        }
        roots
    }

    /// Returns whether a directory contains packages of the project.
    pub(super) fn contains(&self, directory: &str) -> bool {
        self.directory_set.contains(directory)
    }

    /// The directories that contain the project's packages.
    pub(super) fn directories(&self) -> impl Iterator<Item = &str> {
        self.directories.iter().map(String::as_str)
    }

    /// The directories that have a directory of this name.
    pub(super) fn having_package(&self, tree: &dyn Tree, name: &str) -> Vec<&str> {
        self.find_places(&self.packages, name, |path| tree.kind(path) == Some(Kind::Directory))
    }

    /// The directories that have a module of this name, as a file or with an `__init__`.
    pub(super) fn having_module(&self, project: &Project, name: &str) -> Vec<&str> {
        let is_file = |path: String| project.tree().kind(&path) == Some(Kind::File);
        let is_module = |path: &str| MODULE_ENDINGS.iter().any(|ending| is_file(format!("{path}{ending}")));
        self.find_places(&self.modules, name, |path| has_init(project, path) || is_module(path))
    }

    /// The directories in which a module was until a commit moved it.
    pub(super) fn losing(&self, project: &Project, module: &str) -> Vec<&str> {
        let is_moved = |path: &str| project.tree().moved(path).is_some();
        self.find_places(&self.moved, module, |path| {
            is_moved(path) || SOURCE_SUFFIXES.iter().any(|suffix| is_moved(&format!("{path}{suffix}")))
        })
    }

    /// The directories below which a path is wanted.
    fn find_places(&self, known: &KnownPlaces, path: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<&str> {
        let places = known.read().get(path).cloned();
        let places = places.unwrap_or_else(|| {
            let is_there = |at: &usize| join(&self.directories[*at], path).is_some_and(|path| is_wanted(&path));
            let places: Arc<[usize]> = (0..self.directories.len()).filter(is_there).collect();
            known.write().insert(path.to_owned(), Arc::clone(&places));
            places
        });
        places.iter().map(|&at| self.directories[at].as_str()).collect()
    }

    /// Returns whether the project depends on a module of this name.
    pub(super) fn depends_on(&self, module: &str) -> bool {
        self.dependencies.contains(&module.to_ascii_lowercase())
    }

    fn add_directory(&mut self, tree: &dyn Tree, directory: Option<String>) {
        let Some(directory) = directory.filter(|directory| !self.contains(directory)) else { return };
        if tree.kind(&directory) == Some(Kind::Directory) {
            self.directory_set.insert(directory.clone());
            self.directories.push(directory);
        }
    }

    /// Adds a requirement: a name with a version. The first part of a hyphenated name is often the module.
    fn add_requirement(&mut self, requirement: &str) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let requirement = requirement.trim_start();
        let name = &requirement[..requirement.find(|c: char| !is_name(c)).unwrap_or(requirement.len())];
        let name = name.to_ascii_lowercase();
        if let Some((first, _)) = name.split_once(['-', '.']) {
            self.dependencies.insert(first.to_owned());
        }
        self.dependencies.insert(name.replace(['-', '.'], "_"));
    }

    /// Adds the dependencies of a `pyproject.toml`, and its package directories to `more`.
    fn read_pyproject(&mut self, tree: &dyn Tree, text: &str, here: &str, more: &mut Vec<Option<String>>) {
        let Some(root) = toml::read(text) else { return };
        let all = |patterns: &[&str]| -> Vec<String> {
            patterns.iter().flat_map(|pattern| root.texts(pattern)).map(|text| text.text.clone().into_owned()).collect()
        };
        for directory in all(&DIRECTORY_KEYS) {
            // mypy's path is one text with separators, and can begin with a variable.
            let parts = directory.split([':', ',']).map(str::trim);
            more.extend(parts.map(|part| join(here, part.trim_start_matches("$MYPY_CONFIG_FILE_DIR"))));
        }
        more.extend(
            all(&PACKAGE_KEYS)
                .iter()
                .filter_map(|package| join(here, package))
                .map(|path| Some(parent(&path).to_owned())),
        );
        // Any tool names a directory that is a package to build or check it as one.
        let is_package = |path: &String| tree.kind(&format!("{path}/__init__.py")) == Some(Kind::File);
        let packages = root.texts("**").map(|text| &*text.text).filter(|text| text.contains('/'));
        let packages = packages.filter_map(|text| join(here, text));
        more.extend(packages.filter(is_package).map(|path| Some(parent(&path).to_owned())));
        let plain = root.at("tool.setuptools.package-dir").and_then(|node| node.get("")).and_then(Node::str);
        more.extend(plain.map(|directory| join(here, directory)));
        // The project names itself to have more of its own optional parts.
        let own = root.at("project.name").and_then(Node::str).unwrap_or_default();
        let is_own = |requirement: &str| {
            let rest = requirement.strip_prefix(own).filter(|_| !own.is_empty());
            rest.is_some_and(|rest| rest.starts_with('['))
        };
        for requirement in all(&REQUIREMENT_KEYS).iter().filter(|requirement| !is_own(requirement)) {
            self.add_requirement(requirement);
        }
    }
}

/// The package directories that `setup.py` names in literals.
fn setup_directories(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in ["package_dir", "find_packages(", "find_namespace_packages(", "where="] {
        for (at, _) in text.match_indices(word) {
            let rest = pathfinder_literals::path::head(&text[at + word.len()..], 120);
            let mut quoted = rest.split(['"', '\'']).skip(1).step_by(2);
            let first = quoted.next().unwrap_or_default();
            // In `{"": "src"}` the second string is the directory.
            let directory = if first.is_empty() { quoted.next().unwrap_or_default() } else { first };
            found.push(directory.to_owned());
        }
    }
    found
}

/// The directories that an INI file of pytest, mypy or setuptools names.
fn ini_directories(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        if matches!(key.trim(), "pythonpath" | "python_paths" | "mypy_path" | "where" | "") {
            found.extend(value.split([' ', ':', ',', '\t']).filter(|part| !part.is_empty()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::ImportRoots;
    use crate::testing::MemoryTree;

    #[test]
    fn reads_package_directories() {
        let check = |tree: &str, expect: &[&str]| {
            let roots = ImportRoots::new(&MemoryTree::new(tree));
            assert_eq!(roots.directories, expect, "{tree}");
        };
        check("a.py", &[""]);
        check("x/setup.py = setup(package_dir={'': 'lib'})\nx/lib/a.py", &["", "x", "x/lib"]);
        check("setup.py = setup(packages=find_packages('source'))\nsource/a.py\nsrc/b.py", &["", "src", "source"]);
        check("p/pyproject.toml = [tool.pytest.ini_options]\\npythonpath = ['t', '.']\np/t/a.py", &["", "p", "p/t"]);
        check("pyproject.toml = [tool.poetry]\\npackages = [{include = 'a', from = 'py'}]\npy/a/b.py", &["", "py"]);
        check("pyproject.toml = [tool.hatch.build.targets.wheel]\\npackages = ['py/a']\npy/a/b.py", &["", "py"]);
        check("setup.cfg = [options.packages.find]\\nwhere = py\npy/a/b.py", &["", "py"]);
        check(
            "pyproject.toml = [tool.scikit-build]\\nwheel.packages = ['py/a', 'py/b']\npy/a/__init__.py\npy/b/x",
            &["", "py"],
        );
        check("pyproject.toml = nonsense\nsetup.py = setup(", &[""]);
    }

    #[test]
    fn reads_dependencies() {
        let roots = ImportRoots::new(&MemoryTree::new(
            "requirements-dev.txt = Flask-Login>=2\\n# docker\\n-r x\npyproject.toml = [project]\\ndependencies = ['docker ~= 2']",
        ));
        assert!(roots.depends_on("docker") && roots.depends_on("flask_login") && !roots.depends_on("scripts"));
    }
}
