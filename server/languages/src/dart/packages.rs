//! An index of the Dart packages in the repository, by the names in their `pubspec.yaml`.

use rustc_hash::FxHashMap;

use pathfinder_literals::path::{ancestors, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};

/// The package name of each directory.
#[derive(Debug, Default)]
pub(crate) struct DartPackages {
    by_directory: FxHashMap<String, String>,
}

impl ProjectIndex for DartPackages {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl DartPackages {
    /// Reads all packages of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let manifests = tree.files().iter().filter(|path| name(path) == "pubspec.yaml");
        let names =
            manifests.filter_map(|path| Some((parent(path).to_owned(), package_name(&tree.read_shared(path)?)?)));
        Self { by_directory: names.collect() }
    }

    /// The directory of a package, if the file belongs to it. Another package of the repository may be downloaded from
    /// a registry.
    pub(super) fn directory<'f>(&self, file: &'f str, package: &str) -> Option<&'f str> {
        let mut above = ancestors(parent(file));
        above
            .find(|directory| self.by_directory.contains_key(*directory))
            .filter(|directory| self.by_directory.get(*directory).is_some_and(|name| name == package))
    }
}

/// `name: x` on a line of its own.
fn package_name(text: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix("name:"))?;
    let value = value.split(" #").next()?.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}
