//! `NpmOutputs`: build outputs that `package.json` files name, such as `main: "dist/index.js"` where `dist` does not exist.

use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use pathfinder_literals::lookup::count_existing;
use pathfinder_literals::path::{ancestors, is_within, join, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};
use pathfinder_syntax::data::json::read;

/// Keys of `package.json` that name published files.
const PUBLISHED_KEYS: [&str; 13] = [
    "main",
    "module",
    "browser",
    "types",
    "typings",
    "style",
    "unpkg",
    "jsdelivr",
    "bin",
    "bin.*",
    "exports",
    "exports.**",
    "files",
];

/// Directories of hand-written files.
const SOURCE_DIRECTORIES: [&str; 10] =
    ["src", "source", "sources", "bin", "scripts", "syntaxes", "snippets", "themes", "docs", "test"];

/// The published paths of each `package.json`, read at first use.
#[derive(Default)]
pub(crate) struct NpmOutputs {
    /// Published paths by the directory of the package.
    published: Mutex<FxHashMap<String, Arc<Vec<String>>>>,
    /// The package directory around each directory that was looked up. Only existing directories are looked up, so the map
    /// has at most as many entries as the tree has directories.
    package_of: Mutex<FxHashMap<String, Option<String>>>,
}

impl ProjectIndex for NpmOutputs {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl NpmOutputs {
    /// Returns the `package.json` that publishes something below the missing directory that would contain `path`.
    pub(crate) fn find_manifest(&self, tree: &dyn Tree, path: &str) -> Option<String> {
        let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
        let missing = &path[..*ends.get(count_existing(tree, path, &ends))?];
        // Hand-written directories are not generated, even if they are deleted.
        if missing.split('/').any(|segment| SOURCE_DIRECTORIES.contains(&segment)) {
            return None;
        }
        let package = self.package_around(tree, parent(missing))?;
        self.published_paths(tree, &package)
            .iter()
            .any(|published| is_within(published, missing))
            .then(|| join(&package, "package.json"))
            .flatten()
    }

    /// Returns the nearest directory with a `package.json`, from `directory` upwards.
    fn package_around(&self, tree: &dyn Tree, directory: &str) -> Option<String> {
        let known = self.package_of.lock().get(directory).cloned();
        known.unwrap_or_else(|| {
            let has_manifest = |at: &&str| join(at, "package.json").is_some_and(|path| tree.kind(&path).is_some());
            let package = ancestors(directory).find(has_manifest).map(str::to_owned);
            let mut all = self.package_of.lock();
            all.insert(directory.to_owned(), package.clone());
            package
        })
    }

    fn published_paths(&self, tree: &dyn Tree, package: &str) -> Arc<Vec<String>> {
        let known = self.published.lock().get(package).cloned();
        known.unwrap_or_else(|| {
            let text = join(package, "package.json").and_then(|path| tree.read_shared(&path)).unwrap_or_default();
            let root = read(&text);
            let texts = root.iter().flat_map(|root| PUBLISHED_KEYS.iter().flat_map(|key| root.texts(key)));
            let published =
                Arc::new(texts.filter_map(|text| join(package, text.text.trim_end_matches("/**"))).collect());
            let mut all = self.published.lock();
            all.insert(package.to_owned(), Arc::clone(&published));
            published
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NpmOutputs;
    use crate::testing::MemoryTree;

    #[test]
    fn finds_the_manifest_of_a_build_output() {
        let tree = MemoryTree::new(
            "web/package.json = {\"main\": \"./dist/index.js\", \"files\": [\"lib\", \"src\"], \"bin\": {\"x\": \"out/x.js\"}}
            web/src/a.ts
            package.json = {}",
        );
        let outputs = NpmOutputs::default();
        let check = |path: &str, expect: Option<&str>| {
            assert_eq!(outputs.find_manifest(&tree, path).as_deref(), expect, "{path}");
        };
        check("web/dist/styles/a.css", Some("web/package.json"));
        check("web/lib/a.js", Some("web/package.json"));
        check("web/out/y.js", Some("web/package.json"));
        check("web/src/gone.ts", None);
        check("web/src/gone/x.ts", None);
        check("web/other/a.js", None);
        check("dist/a.js", None);
    }
}
