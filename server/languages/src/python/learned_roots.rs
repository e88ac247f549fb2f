//! `LearnedRoots`: directories of modules that no manifest names, learned from the imports of the project's files: where the only modules
//! of their names are. A platform that runs the files puts them on the path.

use std::collections::{BTreeMap, BTreeSet};

use super::roots::ImportRoots;
use super::standard_library::is_standard_module;
use pathfinder_literals::path::{ancestors, extension, is_within, join, parent};
use pathfinder_literals::{Project, ProjectIndex};

/// Files that are read: those of one rule import alike.
const MAX_FILES: usize = 256;
/// Imports of one file that are looked up.
const MAX_IMPORTS: usize = 64;
/// Different modules of a directory, imported by name alone. A library has the name of one module by chance.
const MIN_MODULES: usize = 3;
/// Files that import them.
const MIN_FILES: usize = 5;

/// The learned directories of a project, in order.
#[derive(Default)]
pub(super) struct LearnedRoots(Vec<String>);

impl LearnedRoots {
    /// The directories.
    pub(super) fn directories(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl ProjectIndex for LearnedRoots {
    fn build(project: &Project) -> Self {
        let (tree, roots) = (project.tree(), project.index::<ImportRoots>());
        let files: Vec<&String> = tree.files().iter().filter(|path| extension(path) == "py").collect();
        // Many files are sampled at equal steps, from all directories.
        let step = files.len().div_ceil(MAX_FILES).max(1);
        let mut known: BTreeMap<&str, (BTreeSet<String>, BTreeSet<&str>)> = BTreeMap::new();
        for file in files.into_iter().step_by(step) {
            let text = tree.read_shared(file).unwrap_or_default();
            for module in top_level_imports(&text).take(MAX_IMPORTS) {
                let name = format!("{module}.py");
                let is_near = || {
                    ancestors(parent(file)).any(|at| {
                        [module, &name].iter().any(|name| join(at, name).is_some_and(|path| tree.kind(&path).is_some()))
                    })
                };
                if is_standard_module(module) || roots.depends_on(module) || is_near() {
                    continue;
                }
                let [only] = *project.find_all_by_suffix(&name, 2).as_slice() else { continue };
                let directory = parent(only);
                if !roots.contains(directory) && !is_within(file, directory) {
                    let (modules, files) = known.entry(directory).or_default();
                    modules.insert(module.to_owned());
                    files.insert(file.as_str());
                }
            }
        }
        let is_used = |(modules, files): &(BTreeSet<String>, BTreeSet<&str>)| {
            modules.len() >= MIN_MODULES && files.len() >= MIN_FILES
        };
        Self(known.into_iter().filter(|(_, uses)| is_used(uses)).map(|(directory, _)| directory.to_owned()).collect())
    }
}

/// The modules without a package that statements at the beginning of a line import.
fn top_level_imports(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "))?.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (end > 0 && !rest[end..].starts_with('.')).then_some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn learns_directories_of_modules() {
        let rule = |name: &str, module: &str| format!("rules/{name}.py = from {module} import x\n");
        let uses = [
            ("a", "aws_helpers"),
            ("b", "gcp_helpers"),
            ("c", "box_helpers"),
            ("d", "aws_helpers"),
            ("e", "box_helpers"),
        ];
        let modules = "lib/aws_helpers.py\nlib/gcp_helpers.py\nlib/box_helpers.py\nlib/zoom_helpers.py\nmoved lib/okta_helpers.py lib/zoom_helpers.py";
        let tree =
            |uses: &[(&str, &str)]| uses.iter().map(|(name, module)| rule(name, module)).collect::<String>() + modules;
        let text = "from zoom_helpers import x\nimport gcp_helprs\nimport okta_helpers\nimport requests\n";
        check(
            &tree(&uses),
            "rules/x.py",
            text,
            "py.import zoom_helpers → lib/zoom_helpers.py
             py.import gcp_helprs → missing
             py.import okta_helpers → moved
             py.import requests → unknown elsewhere",
        );
        check(&tree(&uses[2..]), "rules/x.py", "import zoom_helpers\n", "py.import zoom_helpers → unknown elsewhere");
    }
}
