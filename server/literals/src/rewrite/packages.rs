//! Recognises spellings that name a package or a project in a way in which none is imported.

use crate::checked::Checked;
use crate::path::{ancestors, join, parent};

use super::Rewriting;

impl Rewriting<'_> {
    /// Returns whether an import begins with the name of a package that a manifest around the file or the target has. Packages are not
    /// imported by their directories, whatever their manifests export.
    pub(super) fn names_package(&self, literal: &Checked, written: &str, target: &str) -> bool {
        if !matches!(literal.kind.language(), "js" | "ts") || written.starts_with(['.', '/', '#']) {
            return false;
        }
        let scope = if written.starts_with('@') { written.find('/').map_or(written.len(), |at| at + 1) } else { 0 };
        let name = &written[..written[scope..].find('/').map_or(written.len(), |at| scope + at)];
        let (key, value) = (format!("\"{name}\":"), format!("\"name\": \"{name}\""));
        let directories = ancestors(parent(self.source.path())).chain(ancestors(parent(target)));
        let mut manifests = directories.filter_map(|at| self.project.tree().read_shared(&join(at, "package.json")?));
        manifests.any(|text| text.contains(&key) || text.contains(&value))
    }

    /// Returns whether a module of Python begins with the directory of a project, as none is imported: the project is installed without it.
    pub(super) fn begins_with_project(&self, written: &str, spelling: &str, target: &str) -> bool {
        let first = spelling.split('.').next().unwrap_or_default();
        if first.is_empty() || written.split('.').next() == Some(first) {
            return false;
        }
        let names = spelling.replace('.', "/");
        let Some(at) = target.find(&names).filter(|at| *at == 0 || target[..*at].ends_with('/')) else { return false };
        let has = |name: &str| self.project.tree().kind(&format!("{}{first}/{name}", &target[..at])).is_some();
        (has("pyproject.toml") || has("setup.py")) && !has("__init__.py")
    }
}
