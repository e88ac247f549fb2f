//! Modules of which a path has the name with a typo, where a module's name must stand.

use pathfinder_literals::report::severity_in;
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::typo_findings::is_plural;
use pathfinder_literals::{Code, Missing, Report, Severity, Verdict, Want};

use super::kinds;
use super::module_tree::Module;
use super::module_uses::{Reached, UseLiteral, UseResolver, is_relative, range_of};
use super::packages::CargoPackages;
use super::use_paths::NamePath;

/// Libraries that come with the compiler.
const BUILT_IN: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

impl UseResolver {
    /// Returns the literal for a name that differs by a typo from the only module so named, where a module's name must stand.
    pub(super) fn find_mistyped(
        &self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
        ends: &[Reached],
    ) -> Option<UseLiteral> {
        let next = self.missing_name(report, path, names, (ends, true))?;
        // Several roots can declare one module.
        let end = ends.first().filter(|end| ends.iter().all(|other| other.module.file == end.module.file))?;
        if names.len() <= end.count + 1 && !path.has_group {
            return None;
        }
        self.mistyped_child(report, &end.module, next, (path, end.count))
    }

    /// Returns the literal for the first name of a `use` that is no module of the file and no library, but differs by a typo from the
    /// only module so named.
    pub(super) fn find_mistyped_first(
        &self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
    ) -> Option<UseLiteral> {
        let first =
            *names.first().filter(|first| path.is_use && path.own == 0 && path.depth == 0 && !is_relative(first))?;
        let own = self.lineage.last()?;
        // Most first names are those of libraries, and far from any module.
        if !own.contents.declared_names().any(|declared| is_typo(first, declared)) {
            return None;
        }
        let is_module = (names.len() > 1 || path.has_group) && !first.chars().any(char::is_uppercase);
        let packages = report.project.index::<CargoPackages>();
        let (tree, file) = (report.project.tree(), report.source.path());
        // A glob can bind it, but then no module beside has nearly its name.
        if !is_module
            || own.contents.is_bound(first)
            || path.is_in_macro
            || BUILT_IN.contains(&first)
            || packages.library(first).is_some()
            || packages.can_depend_on(tree, file, first)
        {
            return None;
        }
        self.mistyped_child(report, own, first, (path, 0))
    }

    /// Returns the literal for a name of a path, at an index of its names, that differs by a typo from the only module below another
    /// one so named.
    fn mistyped_child(
        &self,
        report: &Report<'_>,
        module: &Module,
        name: &str,
        (path, at): (&NamePath, usize),
    ) -> Option<UseLiteral> {
        if report.project.has_name(name) {
            return None;
        }
        let is_near = |declared: &&str| is_typo(name, declared) && !is_plural(name, declared);
        let declared = module.contents.declared_names().filter(is_near);
        let [declared] = *declared.take(2).collect::<Vec<&str>>() else { return None };
        self.child(report, module, declared)?;
        let tried = module.child_files(name);
        let wanted = tried.first()?.clone();
        let verdict = Verdict::Missing(Missing {
            code: Code::MissingPath,
            severity: severity_in(report.source.path(), Severity::Error),
            reason: format!("{wanted} does not exist"),
            wanted,
            want: Want::File,
            instead: None,
        });
        Some(UseLiteral { kind: kinds::USE, range: range_of(path, at + 1), verdict, tried })
    }
}
