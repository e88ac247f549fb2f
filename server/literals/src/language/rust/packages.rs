//! The packages of a project: which files are roots of crates, and which are reached in other ways than by `mod`.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Fact;
use crate::language::data::toml::read;
use crate::language::html::site::ancestors;
use crate::path::{extension, join, name, parent};
use crate::places::tail;
use crate::project::Project;
use crate::tree::Tree;

use super::tokens::{RustTokenKind, tokens};

/// More manifests than this are some other project's, too.
const MAX_MANIFESTS: usize = 5_000;

/// More files than this are not looked through for paths: the answer would come too late to be of use.
const MAX_SCANNED_FILES: usize = 20_000;

/// RustTokenKind names a path, with its path, is not longer than this.
const MAX_CALL_BYTES: usize = 300;

/// All packages of a tree.
pub(crate) struct CargoPackages {
    /// By the directory of the manifest: directories that its roots lie in.
    manifests: FxHashMap<String, Vec<String>>,
    /// Roots of crates that manifests name.
    roots: FxHashSet<String>,
    /// RustTokenKind `#[path]` and `include!` lead to, without the steps up before it; read by who asks first.
    included: OnceLock<FxHashSet<String>>,
}

impl Fact for CargoPackages {
    fn of(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl CargoPackages {
    /// Of the manifests of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut all = Self { manifests: FxHashMap::default(), roots: FxHashSet::default(), included: OnceLock::new() };
        for path in tree.files().iter().filter(|path| name(path) == "Cargo.toml").take(MAX_MANIFESTS) {
            let here = parent(path);
            let mut directories = Vec::new();
            let text = tree.read(path).unwrap_or_default();
            // Most manifests name paths of dependencies only, but that cannot be told without reading them.
            let root = (text.contains("path") || text.contains("build")).then(|| read(&text)).flatten();
            if let Some(root) = root {
                let named = ["lib.path", "bin.path", "test.path", "example.path", "bench.path", "package.build"];
                for text in named.iter().flat_map(|key| root.texts(key)) {
                    let Some(file) = join(here, &text.text) else { continue };
                    directories.push(parent(&file).to_owned());
                    all.roots.insert(file);
                }
            }
            all.manifests.insert(here.to_owned(), directories);
        }
        all
    }

    /// The directory of the manifest that a file belongs to.
    pub(super) fn package_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        ancestors(parent(path)).find(|directory| self.manifests.contains_key(*directory))
    }

    /// Whether Cargo compiles a file by itself.
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

    /// Whether a file lies where a package has its code.
    pub(super) fn is_in_source_directory(&self, path: &str) -> bool {
        let Some(inside) = self.path_in_package(path) else { return false };
        let is_usual = ["src/", "tests/", "examples/", "benches/"].iter().any(|start| inside.starts_with(start));
        let own = || self.package_of(path).and_then(|package| self.manifests.get(package));
        is_usual
            || self.is_root(path)
            || own().is_some_and(|all| all.iter().any(|directory| ancestors(parent(path)).any(|at| at == directory)))
    }

    /// The path as seen from its package.
    fn path_in_package<'p>(&self, path: &'p str) -> Option<&'p str> {
        let package = self.package_of(path)?;
        Some(path.strip_prefix(package)?.trim_start_matches('/'))
    }

    /// Whether some file names this one by its path, so that its modules lie beside it.
    pub(super) fn is_included_by_path(&self, tree: &dyn Tree, path: &str) -> bool {
        let included = self.included.get_or_init(|| included_paths(tree));
        std::iter::successors(Some(path), |rest| Some(rest.split_once('/')?.1)).any(|rest| included.contains(rest))
    }
}

/// RustTokenKind `path = "…"` and `include!("…")` name in all files.
fn included_paths(tree: &dyn Tree) -> FxHashSet<String> {
    let mut included = FxHashSet::default();
    for path in tree.files().iter().filter(|path| extension(path) == "rs").take(MAX_SCANNED_FILES) {
        let Some(text) = tree.read(path) else { continue };
        for word in ["path", "include!"] {
            for at in memchr::memmem::find_iter(text.as_bytes(), word) {
                let end = text.len().min(at + MAX_CALL_BYTES);
                let tokens = tokens(&text, at + word.len()..end);
                if let [sign, string, ..] = tokens.as_slice()
                    && (sign.is_punct(b'=') || sign.is_punct(b'('))
                    && string.kind == RustTokenKind::Text
                    && extension(&text[string.range.clone()]) == "rs"
                {
                    included.extend(tail(&text[string.range.clone()]));
                }
            }
        }
    }
    included
}
