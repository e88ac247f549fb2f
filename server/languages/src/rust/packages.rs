//! An index of the Cargo packages of a tree: crate roots, and files that others include by a path.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use pathfinder_literals::path::{ancestors, extension, join, name, parent, strip_parent_steps};
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};
use pathfinder_syntax::data::toml::read;

use super::tokens::{RustTokenKind, tokenize};

/// A tree with more manifests than this contains other projects too.
const MAX_MANIFESTS: usize = 5_000;

/// With more files than this, the scan for paths would take too long.
const MAX_SCANNED_FILES: usize = 20_000;

/// A call or attribute with its path is not longer than this.
const MAX_CALL_BYTES: usize = 300;

/// All Cargo packages of a tree.
pub(crate) struct CargoPackages {
    /// By the directory of each manifest, the directories of its crate roots.
    manifests: FxHashMap<String, Vec<String>>,
    /// Crate roots that manifests name.
    roots: FxHashSet<String>,
    /// The root of each library, by its name in paths.
    libraries: FxHashMap<String, String>,
    /// Directories of packages of the edition of 2015, which is that of manifests without one.
    of_2015: FxHashSet<String>,
    /// Targets of `#[path]` and `include!` without their leading `../`; read on first use.
    included: OnceLock<FxHashSet<String>>,
}

impl ProjectIndex for CargoPackages {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl CargoPackages {
    /// Reads all manifests of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut all = Self {
            manifests: FxHashMap::default(),
            roots: FxHashSet::default(),
            libraries: FxHashMap::default(),
            of_2015: FxHashSet::default(),
            included: OnceLock::new(),
        };
        for path in tree.files().iter().filter(|path| name(path) == "Cargo.toml").take(MAX_MANIFESTS) {
            let here = parent(path);
            let mut directories = Vec::new();
            let text = tree.read_shared(path).unwrap_or_default();
            // Most manifests name only paths of dependencies, but that is known only after parsing.
            let root = (text.contains("path") || text.contains("build")).then(|| read(&text)).flatten();
            let mut library = join(here, "src/lib.rs").filter(|path| tree.kind(path).is_some());
            if let Some(root) = root {
                library = root.texts("lib.path").next().and_then(|path| join(here, &path.text)).or(library);
                let root_keys = ["lib.path", "bin.path", "test.path", "example.path", "bench.path", "package.build"];
                for text in root_keys.iter().flat_map(|key| root.texts(key)) {
                    let Some(file) = join(here, &text.text) else { continue };
                    directories.push(parent(&file).to_owned());
                    all.roots.insert(file);
                }
            }
            let name = package_name(&text);
            if name.is_some() && !text.contains("edition") {
                all.of_2015.insert(here.to_owned());
            }
            if let (Some(library), Some(name)) = (library, name) {
                all.libraries.insert(name.replace('-', "_"), library);
            }
            all.manifests.insert(here.to_owned(), directories);
        }
        all
    }

    /// The directory of the manifest that a file belongs to.
    pub(super) fn package_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        ancestors(parent(path)).find(|directory| self.manifests.contains_key(*directory))
    }

    /// Returns whether the paths of `use` in a file start from the crate root, as in the edition of 2015.
    pub(super) fn has_root_paths(&self, path: &str) -> bool {
        self.package_of(path).is_some_and(|package| self.of_2015.contains(package))
    }

    /// Returns whether the manifest that a file belongs to can name a dependency so: a line begins with its name or a table ends
    /// with it.
    pub(super) fn is_dependency(&self, tree: &dyn Tree, path: &str, name: &str) -> bool {
        let manifest = self.package_of(path).and_then(|package| join(package, "Cargo.toml"));
        let text = manifest.and_then(|manifest| tree.read_shared(&manifest)).unwrap_or_default();
        text.lines().any(|line| {
            let key = line.trim().trim_end_matches(']').split(['=', ' ']).next().unwrap_or_default().replace('-', "_");
            key.split('.').next() == Some(name) || key.starts_with('[') && key.ends_with(&format!(".{name}"))
        })
    }

    /// Returns whether the manifest that a file belongs to has a dependency whose library can have a name: it is a part of a key.
    pub(super) fn can_depend_on(&self, tree: &dyn Tree, path: &str, name: &str) -> bool {
        let letters = |text: &str| text.bytes().filter(|byte| !b"-_".contains(byte)).collect::<Vec<u8>>();
        let manifest = self.package_of(path).and_then(|package| join(package, "Cargo.toml"));
        let text = manifest.and_then(|manifest| tree.read_shared(&manifest)).unwrap_or_default();
        // All keys at once: other lines of a manifest have few letters more.
        memchr::memmem::find(&letters(&text), &letters(name)).is_some()
    }

    /// The root of the library that a path names by its first segment.
    pub(super) fn library(&self, name: &str) -> Option<&str> {
        self.libraries.get(name).map(String::as_str)
    }

    /// The crate roots in a directory.
    pub(super) fn roots_in(&self, tree: &dyn Tree, directory: &str) -> Vec<String> {
        let usual = ["lib.rs", "main.rs"].into_iter().filter_map(|name| join(directory, name));
        let mut all: Vec<String> = usual.filter(|path| self.is_root(path)).collect();
        let mut named: Vec<&String> = self.roots.iter().filter(|path| parent(path) == directory).collect();
        named.sort();
        all.extend(
            named
                .into_iter()
                .filter(|path| name(path) != "build.rs" && !all.contains(path))
                .cloned()
                .collect::<Vec<_>>(),
        );
        all.retain(|path| tree.kind(path) == Some(Kind::File));
        all
    }

    /// Returns whether a file is a crate root.
    pub(super) fn is_root(&self, path: &str) -> bool {
        if self.roots.contains(path) {
            return true;
        }
        let Some(inside) = self.path_in_package(path) else { return false };
        if matches!(inside, "src/lib.rs" | "src/main.rs" | "build.rs") {
            return true;
        }
        ["src/bin/", "tests/", "examples/", "benches/"].iter().any(|directory| {
            let rest = inside.strip_prefix(directory);
            rest.is_some_and(|rest| !rest.contains('/') || rest.ends_with("/main.rs") && rest.split('/').count() == 2)
        })
    }

    /// Returns whether a file lies in a source directory of its package.
    pub(super) fn is_in_source_directory(&self, path: &str) -> bool {
        let Some(inside) = self.path_in_package(path) else { return false };
        let is_usual = ["src/", "tests/", "examples/", "benches/"].iter().any(|start| inside.starts_with(start));
        let own = || self.package_of(path).and_then(|package| self.manifests.get(package));
        is_usual
            || self.is_root(path)
            || own().is_some_and(|all| all.iter().any(|directory| ancestors(parent(path)).any(|at| at == directory)))
    }

    /// The path relative to its package.
    fn path_in_package<'p>(&self, path: &'p str) -> Option<&'p str> {
        let package = self.package_of(path)?;
        Some(path.strip_prefix(package)?.trim_start_matches('/'))
    }

    /// Returns whether some file includes this one by its path, so that its modules lie beside it.
    pub(super) fn is_included_by_path(&self, tree: &dyn Tree, path: &str) -> bool {
        let included = self.included.get_or_init(|| included_paths(tree));
        std::iter::successors(Some(path), |rest| Some(rest.split_once('/')?.1)).any(|rest| included.contains(rest))
    }
}

/// The name of the package that a manifest declares.
fn package_name(manifest: &str) -> Option<&str> {
    let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let line = lines.by_ref().take_while(|line| !line.starts_with('[')).find(|line| line.starts_with("name"))?;
    let value = line.strip_prefix("name")?.trim_start().strip_prefix('=')?.trim_start();
    value.strip_prefix('"')?.split('"').next()
}

/// The targets of `path = "…"` and `include!("…")` in all files.
fn included_paths(tree: &dyn Tree) -> FxHashSet<String> {
    let mut included = FxHashSet::default();
    for path in tree.files().iter().filter(|path| extension(path) == "rs").take(MAX_SCANNED_FILES) {
        let Some(text) = tree.read_shared(path) else { continue };
        for word in ["path", "include!"] {
            for at in memchr::memmem::find_iter(text.as_bytes(), word) {
                let end = text.len().min(at + MAX_CALL_BYTES);
                let tokens = tokenize(&text, at + word.len()..end);
                if let [sign, string, ..] = tokens.as_slice()
                    && (sign.is_punct(b'=') || sign.is_punct(b'('))
                    && string.kind == RustTokenKind::Text
                    && extension(&text[string.range.clone()]) == "rs"
                {
                    included.extend(strip_parent_steps(&text[string.range.clone()]));
                }
            }
        }
    }
    included
}
