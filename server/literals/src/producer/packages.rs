//! What the packages of npm name as theirs, and a build makes: `main: "dist/index.js"` where there is no `dist`.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::facts::Fact;
use crate::language::data::json::read;
use crate::language::html::site::ancestors;
use crate::lookup::count_there;
use crate::path::{join, parent};
use crate::project::{Project, within};
use crate::tree::Tree;

/// Keys of what is published.
const KEYS: [&str; 13] = [
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

/// Directories of what people write.
const SOURCES: [&str; 10] =
    ["src", "source", "sources", "bin", "scripts", "syntaxes", "snippets", "themes", "docs", "test"];

/// What each directory's `package.json` names, read when it is first asked for.
#[derive(Default)]
pub(crate) struct Packages {
    named: Mutex<FxHashMap<String, Arc<Vec<String>>>>,
    /// The directory of the package that a directory is in, for those that were asked for: they are there, so that they are no more
    /// than the tree has.
    around: Mutex<FxHashMap<String, Option<String>>>,
}

impl Fact for Packages {
    fn of(_project: &Project) -> Self {
        Self::default()
    }
}

impl Packages {
    /// The `package.json` that names something in the directory, itself not there, in which a path would be.
    pub(crate) fn by(&self, tree: &dyn Tree, path: &str) -> Option<String> {
        let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
        let missing = &path[..*ends.get(count_there(tree, path, &ends))?];
        // What people write is not made, though it is gone.
        if missing.split('/').any(|segment| SOURCES.contains(&segment)) {
            return None;
        }
        let package = self.around(tree, parent(missing))?;
        self.named(tree, &package)
            .iter()
            .any(|named| within(named, missing))
            .then(|| join(&package, "package.json"))
            .flatten()
    }

    /// The nearest directory with a `package.json`, from this one upwards.
    fn around(&self, tree: &dyn Tree, directory: &str) -> Option<String> {
        let known = self.around.lock().unwrap_or_else(PoisonError::into_inner).get(directory).cloned();
        known.unwrap_or_else(|| {
            let has_manifest = |at: &&str| join(at, "package.json").is_some_and(|path| tree.kind(&path).is_some());
            let package = ancestors(directory).find(has_manifest).map(str::to_owned);
            let mut all = self.around.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(directory.to_owned(), package.clone());
            package
        })
    }

    fn named(&self, tree: &dyn Tree, package: &str) -> Arc<Vec<String>> {
        let known = self.named.lock().unwrap_or_else(PoisonError::into_inner).get(package).cloned();
        known.unwrap_or_else(|| {
            let text = join(package, "package.json").and_then(|path| tree.read(&path)).unwrap_or_default();
            let root = read(&text);
            let texts = root.iter().flat_map(|root| KEYS.iter().flat_map(|key| root.texts(key)));
            let named = Arc::new(texts.filter_map(|text| join(package, text.text.trim_end_matches("/**"))).collect());
            let mut all = self.named.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(package.to_owned(), Arc::clone(&named));
            named
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Packages;
    use crate::testing::Forest;

    #[test]
    fn what_is_built() {
        let tree = Forest::new(
            "web/package.json = {\"main\": \"./dist/index.js\", \"files\": [\"lib\", \"src\"], \"bin\": {\"x\": \"out/x.js\"}}
            web/src/a.ts
            package.json = {}",
        );
        let packages = Packages::default();
        let check =
            |path: &str, expect: Option<&str>| assert_eq!(packages.by(&tree, path).as_deref(), expect, "{path}");
        check("web/dist/styles/a.css", Some("web/package.json"));
        check("web/lib/a.js", Some("web/package.json"));
        check("web/out/y.js", Some("web/package.json"));
        check("web/src/gone.ts", None);
        check("web/src/gone/x.ts", None);
        check("web/other/a.js", None);
        check("dist/a.js", None);
    }
}
