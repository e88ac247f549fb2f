//! An index of the directories from which templates are named.

use std::collections::BTreeSet;

use pathfinder_literals::{Project, ProjectIndex};

/// Names of directories of templates, by the conventions of frameworks and site generators.
const DIRECTORIES: [&str; 9] =
    ["_includes", "_layouts", "_templates", "jinja", "jinja2", "layouts", "template", "templates", "views"];
/// Directories that are kept. A repository with more is one of examples.
const MAX_ROOTS: usize = 256;

/// The directories of templates in a tree, in order.
pub(super) struct TemplateRoots {
    roots: Vec<String>,
}

impl ProjectIndex for TemplateRoots {
    fn build(project: &Project) -> Self {
        let mut roots = BTreeSet::new();
        for file in project.tree().files().iter().filter(|file| super::is_template(file)) {
            let ends = file.match_indices('/').map(|(at, _)| at);
            let is_root = |end: &usize| {
                let last = file[..*end].rsplit('/').next().unwrap_or_default();
                DIRECTORIES.iter().any(|name| last.eq_ignore_ascii_case(name))
            };
            roots.extend(ends.filter(is_root).map(|end| file[..end].to_owned()));
        }
        Self { roots: roots.into_iter().take(MAX_ROOTS).collect() }
    }
}

impl TemplateRoots {
    /// The directories.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.roots.iter().map(String::as_str)
    }
}
