//! An index of the modules that `buf.yaml` files declare. Imports are relative to their roots.

use pathfinder_literals::path::{is_within, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};
use pathfinder_syntax::data::yaml::read;
use pathfinder_syntax::data::{Node, Text};

/// The roots of all modules.
#[derive(Default)]
pub(crate) struct BufModules {
    roots: Vec<String>,
    /// True if any module has dependencies, which an import can then belong to.
    has_dependencies: bool,
}

impl ProjectIndex for BufModules {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl BufModules {
    /// Reads all `buf.yaml` files of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut modules = Self::default();
        for path in tree.files().iter().filter(|path| name(path) == "buf.yaml") {
            let text = tree.read_shared(path);
            let Some(root) = text.as_deref().and_then(|text| read(text).into_iter().next()) else { continue };
            let module_paths: Vec<&Text> = root.texts("modules.path").collect();
            // Before version 2 the module is the directory of the file, or the roots below it in version 1 beta.
            let roots: Vec<&str> = match (module_paths.is_empty(), root.texts("build.roots").collect::<Vec<_>>()) {
                (false, _) => module_paths.iter().map(|text| text.text.as_ref()).collect(),
                (true, roots) if roots.is_empty() => vec![""],
                (true, roots) => roots.iter().map(|text| text.text.as_ref()).collect(),
            };
            modules.roots.extend(roots.into_iter().filter_map(|root| join(parent(path), root)));
            modules.has_dependencies |= matches!(root.get("deps"), Some(Node::List(deps)) if !deps.is_empty());
        }
        // Innermost roots first.
        modules.roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        modules
    }

    /// The root of the module that a file is in.
    pub(super) fn root_of(&self, path: &str) -> Option<&str> {
        self.roots.iter().map(String::as_str).find(|root| root.is_empty() || is_within(path, root))
    }

    /// Returns whether every import must be a file of one of the modules.
    pub(super) fn is_self_contained(&self) -> bool {
        !self.has_dependencies
    }
}
