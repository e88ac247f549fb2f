//! Paths from a crate root that lead nowhere since their file went to another crate: `crate::a` of the crate that it was in.

use pathfinder_literals::path::{ancestors, extension, name, parent};
use pathfinder_literals::{Kind, Project, Report};

use super::module_tree::{ModuleTree, crate_roots};
use super::module_uses::{MovedModule, Reached, UseResolver};
use super::use_paths::NamePath;

impl UseResolver {
    /// Returns the module of a path from the crate root that was one in another crate, though a glob of this crate can bind its name: the
    /// file and the module went to this crate together.
    pub(super) fn find_moved_with_crate(
        &self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
        ends: &[Reached],
    ) -> Option<MovedModule> {
        if names.first() != Some(&"crate") {
            return None;
        }
        self.missing_name(report, path, names, (ends, true))?;
        let (was, to, origin) = self.find_from_earlier_crate(report, names, ends.first()?.count)?;
        // The library and the binary of a package lie side by side.
        let is_of_package = self.roots.iter().any(|own| parent(&own.file) == parent(&was));
        if extension(&to) != "rs" || was == to || is_of_package {
            return None;
        }
        let reason = format!("this file was {origin}, and this path still starts from there");
        Some(MovedModule::new(report, 2, (&was, &to), reason, vec![was.clone()]).extended(report, names))
    }

    /// Returns the file that a path from the crate root led to in another crate that this file was in, the file that it is now, and the
    /// earlier path of this file.
    pub(super) fn find_from_earlier_crate(
        &self,
        report: &Report<'_>,
        names: &[&str],
        count: usize,
    ) -> Option<(String, String, String)> {
        let (project, modules) = (report.project, report.project.index::<ModuleTree>());
        let next = names.get(count).filter(|_| count == 1)?;
        project.tree().origins(report.source.path()).into_iter().find_map(|path| {
            let mut roots = crate_roots(project, &path);
            roots.retain(|root| self.roots.iter().all(|own| own.file != *root));
            let is_own = |to: &str| self.roots.iter().any(|own| parent(&own.file) == parent(to));
            roots.extend(left_root(project, &path, is_own));
            let (was, to) = roots.iter().find_map(|root| {
                let root = modules.root(project, root);
                let moved = |file: String| project.tree().moved(&file).map(|moved| (file, moved.to));
                let there = modules.child(project, &root, next).map(|module| module.file.clone());
                let there = there.filter(|file| project.tree().kind(file) == Some(Kind::File));
                there.map(|file| (file.clone(), file)).or_else(|| root.child_files(next).into_iter().find_map(moved))
            })?;
            Some((was, to, path))
        })
    }
}

/// The root of a crate that is gone, by the name that Cargo looks for: git moved it, and not to the crate of the file, which is the same one
/// then.
fn left_root(project: &Project, path: &str, is_own: impl Fn(&str) -> bool) -> Option<String> {
    let source = ancestors(path).find(|directory| name(directory) == "src")?;
    let roots = ["lib.rs", "main.rs"].map(|root| format!("{source}/{root}"));
    let is_gone = roots.iter().all(|root| project.tree().kind(root).is_none());
    roots.into_iter().find(|root| is_gone && project.tree().moved(root).is_some_and(|moved| !is_own(&moved.to)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// A crate became a module of another one.
    #[test]
    fn follows_modules_to_another_crate() {
        let tree = "core/Cargo.toml = [package]\\nname = \"core\"
core/src/lib.rs = mod model; pub use model::*;
core/src/model/mod.rs = mod view; mod array;
core/src/model/array.rs
moved value/src/lib.rs core/src/model/mod.rs
moved value/src/array.rs core/src/model/array.rs
moved value/src/view.rs core/src/model/view.rs";
        check(
            tree,
            "core/src/model/view.rs",
            "use crate::array::Array;\nuse crate::never::Never;\nuse crate::model::array::Array;\n",
            "rust.use crate::array → moved\nrust.use crate::model::array → core/src/model/array.rs",
        );
    }
}
